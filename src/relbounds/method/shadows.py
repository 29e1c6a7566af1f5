"""What would chance reach in a feature's own place, in the company that it keeps?

Weights of columns that depend on one another can cancel, so that a group of idle columns takes
spare weight at no cost, which a probe, alone, cannot. And a rare value costs few samples. So a
feature whose case rests on its weight alone is compared with shadows that have the same freedom:
its column and those that depend on it, all in the same new order of the samples, join the others.
They keep what they say of one another, and lose what they say of all else.
"""

from collections.abc import Sequence

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import Model
from relbounds.method.decision import chance_of_each, folded_p_values
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting
from relbounds.results.findings import Bounds
from relbounds.results.records import Evidence, Shadows

WORTH_A_LOOK = 0.05
"""A p-value by the probes from which on shadows could only confirm that it is chance."""
_DRAWS = (8, 16, 32)  # in all, after each round: the same ones for the same data
_PLAIN = 10.0  # times less or more than it has to be: further draws would not change that
_DEPENDS = 0.3  # a correlation, or a weight in what explains a column, that makes company
_MOST_COMPANY = 30
_SAME = 1e-8


def solve_shadows(
    setting: ProbeSetting,
    side: int,
    bounds: Bounds,
    evidence: Evidence,
    *,
    confidence: float,
    workers: Workers,
) -> tuple[Shadows, ...]:
    """Shadows of the features that nothing but their weight speaks for."""
    table = setting.data.tables[side]
    places = np.flatnonzero(table.varies)
    limit = 1 - confidence
    pending = np.flatnonzero(_is_open(bounds, evidence, confidence)[places])
    most, drawn, found = bounds.intervals[places, 1], 0, dict[int, list[FloatArray]]()
    fallbacks = 0
    for draws in _DRAWS:
        if not len(pending):
            break
        joined = _with_company(table.columns, pending)
        shared = (setting, side, joined, np.searchsorted(joined, pending))
        seeds, drawn = range(drawn, draws), draws
        for ranges, fell_back in workers.map(_shadow, shared, seeds, "shadows"):
            fallbacks += fell_back
            for column, each in zip(pending.tolist(), ranges, strict=True):
                found.setdefault(column, []).append(each)
        p = [_p_value(bounds, found[column], most[column]) for column in pending.tolist()]
        pending = pending[(np.array(p) < limit * _PLAIN) & (np.array(p) > limit / _PLAIN)]
    return tuple(
        Shadows(int(places[column]), np.array(each), fallbacks if column == min(found) else 0)
        for column, each in sorted(found.items())
    )


def _is_open(bounds: Bounds, evidence: Evidence, confidence: float) -> BoolArray:
    """Whether a feature's weight is all that may speak for it."""
    _, p = chance_of_each(bounds, confidence)
    others = evidence.needed if evidence.alone is None else np.fmin(evidence.alone, evidence.needed)
    is_open: BoolArray = (p < WORTH_A_LOOK) & (others > 1 - confidence)
    return is_open


def _p_value(bounds: Bounds, drawn: Sequence[FloatArray], most: float) -> float:
    own = bounds.shadow_intervals(Shadows(0, np.array(drawn)))[:, 1]
    return float(folded_p_values(np.array([most]), own)[0])


def _with_company(columns: FloatArray, chosen: IntArray) -> IntArray:
    """Some columns, and those that depend on them, in order."""
    n, d = columns.shape
    centred = columns - columns.mean(axis=0)
    size = np.linalg.norm(centred, axis=0)
    units = centred / np.where(size > 0, size, 1.0)
    depends = np.abs(units[:, chosen].T @ units)
    if d < n:
        inverse = np.linalg.inv(units.T @ units + _SAME * np.eye(d))
        depends = np.maximum(depends, np.abs(inverse[chosen] / inverse[chosen, chosen][:, None]))
    nearest = np.argsort(-depends, axis=1, kind="stable")[:, : 1 + _MOST_COMPANY]
    is_near = np.take_along_axis(depends, nearest, axis=1) >= _DEPENDS
    return np.union1d(chosen, nearest[is_near])


def _shadow(
    setting: ProbeSetting, side: int, joined: IntArray, asked: IntArray, seed: int
) -> tuple[FloatArray, int]:
    """``[minrel, maxrel]`` of some shadows in each function, where all of them join the set."""
    layout, columns = setting.best.composition.layouts[side], setting.data.tables[side].columns
    order = np.random.RandomState(seed).permutation(len(columns))
    feasible, witness = setting.feasible, setting.best.solution.model
    wider = feasible.space.with_columns(layout.spread(columns[np.ix_(order, joined)]), layout.price)
    none = np.zeros(wider.n_weights - feasible.space.n_weights)
    known = Model(np.r_[witness.weights, none], witness.offsets)
    search = setting.engine.prepare(feasible.over(wider, known))
    first = feasible.space.n_weights + np.arange(layout.n_functions) * len(joined)
    positions = np.add.outer(asked, first)
    ranges = search.relevances(positions.ravel().tolist())
    relevance = np.array([each.relevance for each in ranges]).reshape(*positions.shape, 2)
    return relevance, sum(each.fallbacks for each in ranges)
