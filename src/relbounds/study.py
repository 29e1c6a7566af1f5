"""What does a fitted model remember, so that more can be asked of it?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.constraints import Feature, Reader
from relbounds.engine import Engine, GoodModels, WeightRange
from relbounds.fitting import Fit
from relbounds.known_models import KnownModels
from relbounds.problems import Problem, Side
from relbounds.result import RelevanceResult
from relbounds.tuning import Sampled, Split


@dataclass(frozen=True, eq=False)
class Study:
    """A result, and the body of good models that it speaks of.

    Attributes
    ----------
    result : RelevanceResult
    engine : Engine
    fit : Fit
    body : GoodModels or None
        None if the best model has learned nothing.
    known : KnownModels
        Good models that were met.
    problem : Problem
    sampled : Sampled
        The data, scaled, without constant features.
    splits : tuple
        Folds of cross-validation; empty if nothing was tuned.
    varying : (d,) bool array
        Which regular features have a column.
    """

    result: RelevanceResult
    engine: Engine
    fit: Fit
    body: GoodModels | None
    known: KnownModels
    problem: Problem
    sampled: Sampled
    splits: tuple[Split, ...]
    varying: BoolArray

    @property
    def sides(self) -> tuple[Side, ...]:
        return self.fit.composition.sides

    @cached_property
    def reader(self) -> Reader:
        """Reads constraints on features, by name or by index, privileged ones last."""
        n_weights = self.fit.composition.space.n_weights
        return Reader(self._features(), n_weights, self.result.norm)

    @cached_property
    def ends(self) -> FloatArray:
        """The least and the largest value of each weight over the good models."""
        found, told = np.zeros((self.fit.composition.space.n_weights, 2)), self.result.privileged
        ranges = [*self.result.weight_ranges, *(told.weight_ranges if told else ())]
        for feature, each in zip(self.reader.known, ranges, strict=True):
            found[feature.positions] = each
        return found

    def columns(self, features: Iterable[Feature]) -> tuple[IntArray, IntArray]:
        """Columns of features: among the regular points, and among the privileged ones."""
        of, n = np.concatenate([each.positions for each in features]), self.sides[0].n_features
        if self.sampled.privileged is None:
            return of.astype(np.int64), np.empty(0, np.int64)
        told = of[(of >= n) & (of < n + self.sampled.privileged.shape[1])] - n
        return of[of < n].astype(np.int64), told.astype(np.int64)

    def _features(self) -> list[Feature]:
        regular, place = [], iter(range(self.sides[0].n_features))
        for name, varies in zip(self.result.feature_names, self.varying, strict=True):
            positions = self.sides[0].positions(next(place)) if varies else np.empty(0, np.int64)
            regular.append(Feature(name, positions))
        if self.result.privileged is None:
            return regular
        names = self.result.privileged.feature_names
        return regular + [Feature(name, self.sides[1].positions(k)) for k, name in enumerate(names)]


def of_features(
    fit: Fit, varying: BoolArray, side: int, ranges: Sequence[WeightRange]
) -> tuple[FloatArray, FloatArray]:
    """Ends and gaps of a side's features: (d, 2), or (d, 2, 2) of privileged ones.

    Zeros of constant features, and of all if there are no ranges.
    """
    found = np.zeros((fit.composition.space.n_weights, 2, 2))
    if ranges:
        found = np.array([(each.ends, each.gaps) for each in ranges])
    by_feature = fit.composition.sides[side].of_features(found)
    ends, gaps = by_feature[:, :, 0], by_feature[:, :, 1]
    if side:
        return ends, gaps
    return spread(ends[:, 0], varying), spread(gaps[:, 0], varying)


def spread(values: FloatArray, varying: BoolArray) -> FloatArray:
    """Values of the varying features in their places, zeros for the constant ones."""
    everywhere = np.zeros((len(varying), *values.shape[1:]))
    everywhere[varying] = values
    return everywhere
