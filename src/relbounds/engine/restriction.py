"""Which models are left if some weights are limited?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray, relevance_of
from relbounds.engine.feasible_set import FeasibleSet, Model, ModelSpace
from relbounds.engine.rows import MarginRows

_LEEWAY = 1e-11  # of the scale: an interior point needs some, answers must not notice
Total = tuple[IntArray, float]
"""Weights, and the most that ``sum |w|`` over them may be."""


@dataclass(frozen=True, eq=False)
class Restriction:
    """``low <= w <= high``, and for each total ``sum_(k in S) |w_k| <= limit``.

    Attributes
    ----------
    low, high : (d,) arrays
        Infinite where there is no limit. Weights whose limits are both zero are absent.
    totals : tuple of (positions, limit)
    """

    low: FloatArray
    high: FloatArray
    totals: tuple[Total, ...] = ()

    @classmethod
    def none(cls, n_weights: int) -> "Restriction":
        return cls(np.full(n_weights, -np.inf), np.full(n_weights, np.inf))

    @property
    def is_none(self) -> bool:
        """Whether nothing is restricted."""
        return not self.totals and bool(np.isinf(self.low).all() and np.isinf(self.high).all())

    def within(self, low: FloatArray, high: FloatArray) -> "Restriction":
        """With further limits of weights."""
        return replace(self, low=np.maximum(self.low, low), high=np.minimum(self.high, high))

    def at_most(self, positions: IntArray, limit: float) -> "Restriction":
        """With one more total."""
        return replace(self, totals=(*self.totals, (positions, limit)))

    @property
    def least(self) -> FloatArray:
        """The least ``|w|`` that each weight's limits allow."""
        least: FloatArray = relevance_of(np.column_stack([self.low, self.high]))[:, 0]
        return least

    def is_kept_by(self, weights: FloatArray, slack: float = 0.0) -> BoolArray:
        """Whether a model keeps it, up to some slack; or each of several, a line each."""
        kept: BoolArray = np.all(
            (self.low - slack <= weights) & (weights <= self.high + slack), axis=-1
        )
        for of, limit in self.totals:
            kept = kept & (np.abs(weights[..., of]).sum(axis=-1) <= limit + slack)
        return kept

    def widened(self, leeway: float) -> "Restriction":
        """With that much room on both sides of weights whose limits leave next to none."""
        thin = self.high - self.low < leeway
        return replace(
            self,
            low=np.where(thin, self.low - leeway, self.low),
            high=np.where(thin, self.high + leeway, self.high),
        )

    @property
    def contradicts_itself(self) -> bool:
        """Whether no weights at all keep it.

        Weights of the least size keep all totals if any do.
        """
        too_much = any(self.least[of].sum() > limit for of, limit in self.totals)
        return bool((self.low > self.high).any()) or too_much


@dataclass(frozen=True, eq=False)
class RestrictedModels:
    """The models of a feasible set that keep a restriction.

    Attributes
    ----------
    feasible : FeasibleSet
        Over weights of its own: absent ones have no column, and a weight in a total has two,
        ``w = p - q`` with ``p, q >= 0``, so that the total is the linear ``sum p + q``.
    weights : (d, d') array
        The set's own weights as combinations of the new ones.
    """

    feasible: FeasibleSet
    weights: FloatArray

    def of_model(self, model: Model) -> Model:
        """A model of the whole set that keeps the restriction, over the new weights."""
        old = np.abs(self.weights).argmax(axis=0)  # each new weight is one, or a part of one
        values = self.weights[old, np.arange(len(old))] * model.weights[old]
        is_part = np.count_nonzero(self.weights[old], axis=1) > 1
        weights = np.where(is_part, np.maximum(values, 0.0), values)
        return Model(weights, model.offsets)

    def with_witness(self, model: Model | None) -> "RestrictedModels":
        """With a model, over the new weights, that is known to be good."""
        return replace(self, feasible=replace(self.feasible, witness=model))

    def total(self, positions: IntArray) -> FloatArray:
        """``sum |w|`` over weights that are in a total, as a combination of the new weights."""
        total: FloatArray = np.abs(self.weights[positions]).sum(axis=0)
        return total

    def below_chords(self, positions: IntArray, ranges: FloatArray) -> "RestrictedModels":
        """With ``p / hi + q / -lo <= 1`` for weights in a total whose range is ``[lo, hi]``.

        Every model has such parts of a weight of either sign, one of them zero. Where both are not,
        ``p + q`` may exceed ``|w|``, but not the chord of ``|w|`` over the range.
        """
        rows = []
        for k, (low, high) in zip(positions, ranges, strict=True):
            parts = self.weights[k]
            rows.append((np.where(parts > 0, -1 / high, np.where(parts < 0, 1 / low, 0.0)), -1.0))
        return replace(
            self, feasible=replace(self.feasible, space=_with_rows(self.feasible.space, rows))
        )

    @classmethod
    def of(cls, feasible: FeasibleSet, restriction: Restriction) -> "RestrictedModels":
        absent = (restriction.low == 0) & (restriction.high == 0)
        in_totals = np.zeros(feasible.space.n_weights, dtype=bool)
        for positions, _ in restriction.totals:
            in_totals[positions] = True
        kept, halved = np.flatnonzero(~absent), np.flatnonzero(in_totals & ~absent)
        weights = np.hstack([np.eye(len(absent))[:, kept], -np.eye(len(absent))[:, halved]])
        columns, signs = np.r_[kept, halved], np.r_[np.ones(len(kept)), -np.ones(len(halved))]
        space = feasible.space
        points = space.points
        if len(kept) < len(absent) or len(halved):
            points = points[:, columns] * signs
        parts = np.flatnonzero(np.isin(columns, halved))
        rows = [
            *_limits(weights, restriction.widened(_LEEWAY * feasible.scale), kept),
            *((np.eye(len(columns))[part], 0.0) for part in parts),
            *(
                (-np.isin(columns, positions).astype(np.float64), -limit)
                for positions, limit in restriction.totals
                if np.isfinite(limit)
            ),
        ]
        new = ModelSpace(points, space.rows, space.prices[columns])
        return cls(feasible.over(_with_rows(new, rows)), weights)


Row = tuple[FloatArray, float]


def _limits(weights: FloatArray, restriction: Restriction, kept: IntArray) -> list[Row]:
    low = [(weights[k], restriction.low[k]) for k in kept if np.isfinite(restriction.low[k])]
    high = [(-weights[k], -restriction.high[k]) for k in kept if np.isfinite(restriction.high[k])]
    return low + high


def _with_rows(space: ModelSpace, rows: Sequence[Row]) -> ModelSpace:
    """The space of models that also keep rows ``direction.w >= margin``.

    Rows are scaled to margins no larger than those there are, so that a violation means the same.
    """
    if not rows:
        return space
    directions, margins = (np.array(part) for part in zip(*rows, strict=True))
    size = np.maximum(1.0, np.abs(margins) / space.rows.margin_size)
    count = len(margins)
    more = MarginRows(
        len(space.points) + np.arange(count),
        np.ones(count),
        sparse.csr_array((count, space.rows.n_offsets)),
        margins / size,
        np.full(count, np.inf),
        np.zeros(count),
    )
    points = np.vstack([space.points, directions / size[:, None]])
    return replace(space, points=points, rows=space.rows.followed_by(more))
