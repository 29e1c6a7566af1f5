"""What more can be asked of a fitted model?"""

from collections.abc import Mapping
from typing import Any

from sklearn.utils.validation import check_is_fitted

from relbounds.constrained import ConstrainedResult
from relbounds.parallel import Workers
from relbounds.study import Study
from relbounds.what_if import what_if


class FollowUp:
    """Questions to the good models of a fitted estimator; nothing is fitted anew for them."""

    n_jobs: int | None
    verbose: int
    _study: Study | None

    def what_if(self, constraints: Mapping[Any, Any]) -> ConstrainedResult:
        """Relevance over the good models that keep constraints.

        Nothing is fitted, tuned or drawn anew: it is the same body of good models, cut.

        Parameters
        ----------
        constraints : dict
            From a feature (name, or index of a regular one) or a tuple of features to what is
            asked: ``"absent"``; ``"positive"`` or ``"negative"``; ``(low, high)`` for the
            relevance; ``("signed", low, high)`` for the weight; for a tuple of features also a
            number, the most that their relevance may be in total. Numbers are shares of the best
            model's norm, as in ``intervals_``.

        Returns
        -------
        ConstrainedResult
            A result like ``result_``; ``changes()`` says what moved.

        Raises
        ------
        InfeasibleError
            If no good model keeps them; names the smallest conflict, and the tolerance that would
            make it possible.
        """
        return what_if(self._known(), constraints, Workers(self.n_jobs, self.verbose))

    def _known(self) -> Study:
        check_is_fitted(self)
        if self._study is None:
            raise ValueError(
                f"This {type(self).__name__} was pickled or copied, which leaves the training data "
                "behind, and further questions need them; call fit again."
            )
        return self._study

    def __getstate__(self) -> dict[str, Any]:
        """Without the training data: a selector that is sent somewhere does not give them away."""
        state: dict[str, Any] = dict(super().__getstate__())  # type: ignore[call-overload]
        return state | {"_study": None} if "_study" in state else state
