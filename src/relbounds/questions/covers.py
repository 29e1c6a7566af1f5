"""What covers for a feature that tells something and yet adds nothing to all others?

If a feature adds to the rest as soon as some others are gone, those cover for it. Only features
that depend on it are left out, one after another, and always the one without which it would tell
most. Which that is, least squares guesses: without column k, the weight of column j becomes ``b_j -
P_jk b_k / P_kk`` and its variance ``P_jj - P_jk^2 / P_kk``, where ``P`` is the inverse of the
columns' products, so that a guess takes no look at the samples. What is guessed is then proved by
the test that says what is needed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.method.evidence.beside_others import MANY_PARAMETERS
from relbounds.method.evidence.gathering import p_needed
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study
from relbounds.method.training_data import columns_of
from relbounds.questions.wholes import Whole, regular_wholes
from relbounds.results.answers import Blocks, Covers

MOST_GONE = 30
"""Features that are left out to see whether one adds something then."""
_DEPENDS = 3.3  # standard errors of a correlation: one in a thousand by chance
_WORTH_A_TEST = 6.0  # the square of a guessed z: what is needed has one of 11 and more
_SAME = 1e-8  # of a column's variance, added to it


@ONE_BLAS_THREAD
def covers(study: Study, blocks: Blocks | None, workers: Workers) -> Covers:
    """What covers for each regular feature, or block of them, that is relevant and not needed.

    Nothing is said where columns are too many for the samples to tell what each adds.
    """
    side, wholes = regular_wholes(study, blocks)
    places = [k for k, whole in enumerate(wholes) if len(columns_of(whole, 0))]
    asked = [k for k in places if side.relevance[k] > 0 and not side.needed[k]]
    n, d = study.data.regular.columns.shape
    if d > MANY_PARAMETERS * n:
        asked = []
    varying, relevant = [wholes[k] for k in places], (side.relevance > 0)[places]
    model = _least_squares(study, varying)
    shared = study, varying, relevant, model
    found = workers.map(_covers_of, shared, [places.index(k) for k in asked], "covers")
    return Covers(
        tuple(side.feature_names[k] for k in asked),
        tuple(tuple(side.feature_names[places[k]] for k in gone) for gone in found),
    )


def _least_squares(study: Study, wholes: Sequence[Whole]) -> "_LeastSquares":
    """Guesses for whole columns; one of several features is what they say of the outcome."""
    data, outcomes = study.data, study.data.y[:, None]
    if study.best.has_a_score_a_class:
        outcomes = outcomes == np.arange(len(data.classes or ()))
    told, columns = outcomes.astype(np.float64), data.regular.columns
    root = np.sqrt(data.weight)[:, None]
    scores = np.empty((len(columns), len(wholes)))
    for k, whole in enumerate(wholes):
        own = columns[:, columns_of(whole, 0)]
        weights = np.linalg.lstsq(root * own, root * (told - told.mean(axis=0)), rcond=None)[0]
        scores[:, k] = own @ weights[:, np.abs(weights).sum(axis=0).argmax()]
    return _LeastSquares.of(scores, told, data.weight)


def _covers_of(
    study: Study,
    wholes: Sequence[Whole],
    relevant: BoolArray,
    model: "_LeastSquares",
    asked: int,
) -> list[int]:
    """The fewest others without which a column adds to the rest, the most alike first.

    None if that is not proved.
    """

    def adds_without(gone: Sequence[int]) -> bool:
        absent = [feature for k in gone for feature in wholes[k]]
        [p], _ = p_needed(study.data, study.best, [columns_of(wholes[asked], 0)], absent)
        return bool(p <= 1 - study.settings.chance.confidence)

    n_samples = len(study.data.y)
    worth = _WORTH_A_TEST / n_samples if study.data.groups is None else 0.0
    for gone in _guesses(model, relevant, asked, n_samples, worth):
        if adds_without(gone):
            found = _fewest(gone, adds_without)
            return sorted(found, key=lambda k: -abs(model.products[asked, k]))
    return []


def _fewest(gone: Sequence[int], adds_without: Callable[[Sequence[int]], bool]) -> list[int]:
    """Without those that were left out in vain."""
    kept = list(gone)
    for each in gone:
        fewer = [k for k in kept if k != each]
        if fewer and adds_without(fewer):
            kept = fewer
    return kept


def _guesses(
    model: "_LeastSquares", relevant: BoolArray, column: int, n_samples: int, worth: float
) -> Iterator[list[int]]:
    """Growing sets of columns, from where a column may add something without them.

    ``worth``: what a column has to tell to be tested. What groups have in common would hide it.
    """
    left = relevant & model.depend_on(column, n_samples)
    left[column] = False
    gone: list[int] = []
    while left.any() and len(gone) < MOST_GONE:
        best = int(np.where(left, model.told_without_each(column), -np.inf).argmax())
        model = model.without(best)
        left[best] = False
        gone.append(best)
        if model.told(column) >= worth:
            yield gone


@dataclass(frozen=True, eq=False)
class _LeastSquares:
    """Standardised columns, and the outcome explained by them; or one outcome for each class.

    Attributes
    ----------
    products, inverse : (d, d) arrays
        Of the columns, and the inverse without the line and column of those that are gone.
    weights : (d, outcomes) array
    unexplained : (outcomes,) array
        The variance of what is left of each outcome.
    """

    products: FloatArray
    inverse: FloatArray
    weights: FloatArray
    unexplained: FloatArray

    @classmethod
    def of(cls, columns: FloatArray, outcomes: FloatArray, weight: FloatArray) -> Self:
        share = weight / weight.sum()
        centred, left = columns - share @ columns, outcomes - share @ outcomes
        unit = centred / np.sqrt(share @ np.square(centred))
        products = (unit.T * share) @ unit
        inverse = np.linalg.inv(products + _SAME * np.eye(len(products)))
        weights = inverse @ (unit.T @ (share[:, None] * left))
        return cls(products, inverse, weights, share @ np.square(left - unit @ weights))

    def depend_on(self, column: int, n_samples: int) -> BoolArray:
        """Which columns are correlated with one, beyond chance."""
        depend: BoolArray = np.abs(self.products[column]) * np.sqrt(n_samples) > _DEPENDS
        return depend

    def told(self, column: int) -> float:
        """The square of a weight in units of its standard error, a sample."""
        return float(self._told(self.weights[column], self.inverse[column, column]))

    def told_without_each(self, column: int) -> FloatArray:
        """The same, if each of the columns was gone."""
        share = self.inverse[column] / np.diag(self.inverse)
        weight = self.weights[column] - share[:, None] * self.weights
        variance = self.inverse[column, column] - share * self.inverse[column]
        return self._told(weight, variance[:, None])

    def _told(self, weight: FloatArray, variance: FloatArray) -> FloatArray:
        """The most that is told about any of the outcomes."""
        of_each = np.square(weight) / np.maximum(variance * self.unexplained, _SAME)
        told: FloatArray = of_each.max(axis=-1)
        return told

    def without(self, k: int) -> Self:
        """One more column gone; its own line is left as that of a column of no weight."""
        share = self.inverse[:, k] / self.inverse[k, k]
        inverse = self.inverse - np.outer(share, self.inverse[k])
        inverse[k, k] = 1.0
        weights = self.weights - np.outer(share, self.weights[k])
        unexplained = self.unexplained + np.square(self.weights[k]) / self.inverse[k, k]
        return replace(self, inverse=inverse, weights=weights, unexplained=unexplained)
