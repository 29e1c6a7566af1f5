"""How little and how much may a feature weigh over all good models?

The engine finds the signed range of each weight. ``minrel`` and ``maxrel`` follow from its ends:
``relevance_of`` in ``arrays``, divided by the norm in ``Bounds.intervals``.
"""

from collections.abc import Sequence

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import Engine, FeasibleSet, WeightRange
from relbounds.method.parallel import Workers, chunks
from relbounds.method.training_data import Table
from relbounds.problems import Layout
from relbounds.results.findings import Bounds
from relbounds.results.records import SIDES, Probes, Shadows


def weight_ranges(
    engine: Engine,
    feasible: FeasibleSet,
    start: object,
    workers: Workers,
    weights: Sequence[int] | None = None,
) -> list[WeightRange]:
    """The range of every weight, or of some; ``start`` comes from a prepared set."""
    asked = range(feasible.space.n_weights) if weights is None else weights
    pieces = chunks(asked, engine.block_size(feasible))
    solved = workers.map(_ranges_of, (engine, feasible, start), pieces, "intervals")
    return [found for piece in solved for found in piece]


def _ranges_of(
    engine: Engine, feasible: FeasibleSet, start: object, weights: Sequence[int]
) -> list[WeightRange]:
    return engine.prepare(feasible, start).ranges(weights)


def bounds_of(
    index: int,
    table: Table,
    layout: Layout,
    *,
    cases: Sequence[Sequence[WeightRange]],
    probes: Probes | None,
    shadows: tuple[Shadows, ...] = (),
    norm: float,
    classes: tuple[str, ...] = (),
    least: Sequence[FloatArray] = (),
    bounded: BoolArray | None = None,
) -> Bounds:
    """What ranges of weights say of the features of a side: zeros of those without a weight.

    ``cases``: ranges of all weights in each of the sets whose union is asked about; empty if
    nothing was learned. ``classes``: those that have a score each, if that is so, and ``least``: of
    each case the least that the largest weight of a feature is. ``bounded``: columns of whose
    weights only outer values are known, if there are any.
    """
    of_cases = [_by_feature(table, layout, ranges) for ranges in cases]
    nothing = np.zeros((len(table.names), layout.n_functions, 2, 2))
    found = np.array(of_cases or [nothing])
    ends, gaps = found[:, :, :, 0], found[:, :, :, 1].max(axis=0)
    if bounded is not None and bounded.any():
        bounded = table.placed(bounded.astype(np.float64)) > 0
        gaps[bounded] = np.abs(ends).max(axis=0)[bounded]  # no more is known to be reached than 0
    else:
        bounded = None
    return Bounds(
        side=SIDES[index],
        feature_names=table.names,
        ends=ends,
        gaps=gaps,
        probes=probes,
        shadows=shadows,
        norm=norm,
        over_functions="max",
        classes=classes,
        least=np.array([table.placed(each) for each in least]) if least else None,
        bounded=bounded,
    )


def _by_feature(table: Table, layout: Layout, ranges: Sequence[WeightRange]) -> FloatArray:
    """Ends and gaps of each weight: (features, functions, 2, 2)."""
    return table.placed(layout.of_features(ends_and_gaps(ranges)))


def ends_and_gaps(ranges: Sequence[WeightRange]) -> FloatArray:
    """Of each range, as it has them; wide tables have thousands: (ranges, 2, 2)."""
    inner = np.array([(-each.low.inner, each.high.inner) for each in ranges]).reshape(-1, 2)
    outer = np.array([(-each.low.outer, each.high.outer) for each in ranges]).reshape(-1, 2)
    return np.stack([np.sort(inner, axis=1), np.abs(outer - inner)], axis=1)
