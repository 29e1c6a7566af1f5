"""How little and how much may a feature weigh over all good models?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import Bound, Engine, GoodModels, Prepared, extreme
from relbounds.parallel import Workers, blocks

_BLOCK = 4


@dataclass(frozen=True)
class WeightRange:
    """The signed range of one weight, each end with its proof."""

    low: Bound
    high: Bound

    @property
    def ends(self) -> tuple[float, float]:
        """``(min w, max w)``; rounding never turns them around."""
        low, high = -self.low.inner, self.high.inner
        return min(low, high), max(low, high)

    @property
    def gaps(self) -> tuple[float, float]:
        return abs(self.low.gap), abs(self.high.gap)


def weight_range(prepared: Prepared, feature: int) -> WeightRange:
    """Two programs: the feature's least and largest weight."""
    return WeightRange(low=extreme(prepared, feature, -1), high=extreme(prepared, feature, +1))


def largest_relevance(prepared: Prepared, feature: int) -> float:
    """The most that ``|w_feature|`` can be.

    The sign that probably reaches further goes first, and the other only has to be shown to
    fall short, which seldom takes a whole program.
    """
    sign = prepared.likely_sign(feature)
    first = extreme(prepared, feature, sign).inner
    return max(first, extreme(prepared, feature, -sign, unless_above=first).inner)


def weight_ranges(
    engine: Engine, body: GoodModels, start: object, workers: Workers
) -> list[WeightRange]:
    """The range of every feature's weight; ``start`` comes from a prepared body."""
    pieces = blocks(range(body.n_features), _BLOCK)
    solved = workers.map(
        _ranges_of, [(engine, body, start, piece) for piece in pieces], "intervals"
    )
    return [found for piece in solved for found in piece]


def _ranges_of(
    engine: Engine, body: GoodModels, start: object, features: Sequence[int]
) -> list[WeightRange]:
    prepared = engine.prepare(body, start)
    return [weight_range(prepared, feature) for feature in features]


def relevance_intervals(ranges: FloatArray) -> FloatArray:
    """``[minrel, maxrel]``, the least and largest ``|w|``, from ranges ``[lo, hi]`` of ``w``.

    The good models are convex, so a weight takes every value between its ends and
    ``minrel = max(0, lo, -hi)``, ``maxrel = max(|lo|, |hi|)``.
    """
    low, high = ranges[:, 0], ranges[:, 1]
    return np.column_stack(
        [np.maximum(0.0, np.maximum(low, -high)), np.maximum(np.abs(low), np.abs(high))]
    )
