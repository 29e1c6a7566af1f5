"""Who is suspected to be the outcome in disguise? Columns that alone, or a few together, tell all.

A suspicion and no verdict: honest measurements can be that good, though they rarely are.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from relbounds.results.record import Record

if TYPE_CHECKING:
    from relbounds.results.result import RelevanceResult

HARDLY_ANY = 0.02
"""A share of the error of a constant up to which a model tells nearly all: 0.01 of two classes."""
_CARRIED = 0.9  # of the best model's weight
_MOST_CARRIERS = 2  # of classes: what is honestly apart is so in many measurements together


@dataclass(frozen=True)
class Suspect(Record):
    """A column that all alone tells the outcome apart, without error or nearly so.

    Attributes
    ----------
    column : str
        Its name; of a text that became columns of 0 and 1, such as ``color=red``, that of the text.
    features : tuple of str
        The feature, or those that were made of the text.
    error : float
        What is missed by who knows nothing else, in the data themselves, by the best cuts or
        steps: the share of each class, on average, or of numbers the share of what their median
        misses.
    """

    column: str
    features: tuple[str, ...]
    error: float


def carriers(result: "RelevanceResult") -> tuple[str, ...]:
    """Features that bear most weight of a model that hardly errs; none, if it does.

    Numbers may be the sum of many; of classes no more than two are suspected together.
    """
    chosen, weights = result.chosen, np.abs(result.baseline.weights)
    guess = result.error_without_features
    if chosen is None or result.is_degenerate or not np.isfinite(guess):
        return ()
    if chosen.mean > HARDLY_ANY * guess:
        return ()
    sizes = weights if weights.ndim == 1 else weights.sum(axis=1)
    order = np.argsort(-sizes, kind="stable")
    count = 1 + int(np.searchsorted(np.cumsum(sizes[order]), _CARRIED * sizes.sum()))
    if result.data.classes is not None and count > _MOST_CARRIERS:
        return ()
    return tuple(result.feature_names[k] for k in order[:count])
