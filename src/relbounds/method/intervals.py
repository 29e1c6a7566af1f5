"""How little and how much may a feature weigh over all good models?"""

from collections.abc import Sequence

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import FeasibleSet, WeightRange
from relbounds.engine.protocols import Engine
from relbounds.method.best_model import Fit
from relbounds.method.parallel import Workers, blocks
from relbounds.method.training_data import spread


def weight_ranges(
    engine: Engine, feasible: FeasibleSet, start: object, workers: Workers
) -> list[WeightRange]:
    """The range of every weight; ``start`` comes from a prepared set."""
    pieces = blocks(range(feasible.space.n_weights), engine.block_size(feasible))
    solved = workers.map(_ranges_of, (engine, feasible, start), pieces, "intervals")
    return [found for piece in solved for found in piece]


def _ranges_of(
    engine: Engine, feasible: FeasibleSet, start: object, weights: Sequence[int]
) -> list[WeightRange]:
    return engine.prepare(feasible, start).ranges(weights)


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
