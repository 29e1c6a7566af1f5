"""What is found where people explore: one good model; answers that a page holds for its readers."""

from dataclasses import dataclass

from relbounds.arrays import FloatArray, IntArray
from relbounds.results.record import Record
from relbounds.results.result import RelevanceResult


@dataclass(frozen=True, eq=False)
class ReachedModel(Record):
    """One good model: the one that needs the least tolerance to keep some constraints.

    Attributes
    ----------
    weights : (d,) array
        Of regular and then privileged features, as shares of the best model's norm; of several
        weights of one feature the largest.
    norm, loss : float
        Beside those of the best model, which are one.
    error, error_of_best : float
        On the samples that both were trained on.
    otherwise : int array or None
        Numbers, from 0, of the samples that it puts into another class than the best model does;
        None where the outcome is a number.
    """

    weights: FloatArray
    norm: float
    loss: float
    error: float
    error_of_best: float
    otherwise: IntArray | None


@dataclass(frozen=True, eq=False)
class Foreseen(Record):
    """What would have been found with other tolerances, and without each of several columns.

    Attributes
    ----------
    along : tuple of RelevanceResult
        By growing tolerance; that of the fit is among them.
    gone : tuple of tuple of str
        Features that are left out, all at once.
    without : tuple of RelevanceResult or None
        What is found without each; None if no good model does.
    prices : (gone,) array
        The tolerance from which on a good model does without each.
    """

    along: tuple[RelevanceResult, ...]
    gone: tuple[tuple[str, ...], ...]
    without: tuple[RelevanceResult | None, ...]
    prices: FloatArray
