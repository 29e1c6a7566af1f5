"""What can go wrong, in words a user can act on."""

from pathlib import Path


class RelboundsError(Exception):
    """Base of every error that is relbounds' own."""


class SolverError(RelboundsError):
    """A program could not be solved, or its answer could not be certified."""


class InfeasibleError(RelboundsError):
    """No model satisfies what was asked.

    Attributes
    ----------
    conflict : tuple of str
        Constraints that cannot be kept together, though any of them could without the others.
    tolerance : float or None
        The least tolerance at which all that was asked could be kept; infinite if there is none.
    """

    def __init__(
        self, message: str, conflict: tuple[str, ...] = (), tolerance: float | None = None
    ) -> None:
        super().__init__(message)
        self.conflict, self.tolerance = conflict, tolerance


class TooFewProbesError(RelboundsError, ValueError):
    """Too few probes could be solved to tell relevance from chance."""


class ConstraintError(RelboundsError, ValueError):
    """A constraint that says nothing that could be kept or broken."""


class WrongInputError(RelboundsError, ValueError):
    """What was asked of the command line cannot be done as it stands."""

    @classmethod
    def refuse_missing(cls, path: Path) -> None:
        """Raise it if there is no such file."""
        if not path.exists():
            raise cls(
                f"{path} does not exist; look for spelling mistakes and at the folder you are in."
            )


class ReportError(RelboundsError, OSError):
    """A report cannot be written to the place that was asked for."""


class RelboundsWarning(UserWarning):
    """Base of every warning that is relbounds' own."""


class DegenerateModelWarning(RelboundsWarning):
    """The best model uses no feature, so nothing can be said about relevance."""


class ConstantFeatureWarning(RelboundsWarning):
    """Some features have a single value and were set to relevance zero."""


class FewSamplesWarning(RelboundsWarning):
    """Cross-validation had to make do with fewer samples than it asks for."""


class OneHotWarning(RelboundsWarning):
    """Columns of 0 and 1 add up to one in every row, so that each is said by the others."""
