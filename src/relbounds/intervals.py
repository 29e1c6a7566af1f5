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


def weight_range(prepared: Prepared, k: int) -> WeightRange:
    """Two programs: the least and the largest ``w_k``."""
    return WeightRange(low=extreme(prepared, k, -1), high=extreme(prepared, k, +1))


def largest_relevance(prepared: Prepared, k: int) -> float:
    """The most that ``|w_k|`` can be.

    The sign that probably reaches further goes first, and the other only has to be shown to
    fall short, which seldom takes a whole program.
    """
    sign = prepared.likely_sign(k)
    first = extreme(prepared, k, sign).inner
    second = extreme(prepared, k, -sign, unless_above=first)
    return max(first, min(second.inner, second.outer))  # unproved beyond what is asked


def weight_ranges(
    engine: Engine, body: GoodModels, start: object, workers: Workers
) -> list[WeightRange]:
    """The range of every weight; ``start`` comes from a prepared body."""
    pieces = blocks(range(body.space.n_weights), _BLOCK)
    solved = workers.map(
        _ranges_of, [(engine, body, start, piece) for piece in pieces], "intervals"
    )
    return [found for piece in solved for found in piece]


def _ranges_of(
    engine: Engine, body: GoodModels, start: object, weights: Sequence[int]
) -> list[WeightRange]:
    prepared = engine.prepare(body, start)
    return [weight_range(prepared, k) for k in weights]


def relevance_intervals(ranges: FloatArray) -> FloatArray:
    """``[minrel, maxrel]``, the least and largest ``|w|``, from ranges ``[lo, hi]`` of ``w``.

    Ranges may be in an array of any shape ``(..., 2)``.

    The good models are convex, so a weight takes every value between its ends and
    ``minrel = max(0, lo, -hi)``, ``maxrel = max(|lo|, |hi|)``.
    """
    low, high = ranges[..., 0], ranges[..., 1]
    return np.stack(
        [np.maximum(0.0, np.maximum(low, -high)), np.maximum(np.abs(low), np.abs(high))], axis=-1
    )
