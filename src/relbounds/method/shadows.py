"""What would chance reach in a feature's own place, in the company that it keeps?

Weights of columns that depend on one another can cancel, so that a group of idle columns takes
spare weight at no cost, which a probe, alone, cannot. And a rare value costs few samples. So a
feature whose case rests on its weight alone is compared with shadows that have the same freedom:
its column and those that depend on it, all in the same new order of the samples, join the others.
They keep what they say of one another, and lose what they say of all else.

A value that no sample of some class has can be weighed against that class at no cost at all. How
often that happens by chance the test alone knows, and has found no proof in it. So shadows of such
columns, and of rare values, keep their share of each class.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import Model, WeightRange
from relbounds.method.decision import ChanceRule, chance_of_each, folded_p_values
from relbounds.method.parallel import Workers, chunks
from relbounds.method.probes import ProbeSetting
from relbounds.method.training_data import TrainingData
from relbounds.problems import Layout
from relbounds.results.findings import Bounds
from relbounds.results.records import Evidence, Shadows

WORTH_A_LOOK = 0.05
"""A p-value by the probes from which on shadows could only confirm that it is chance.

With less, such as ten times what it has to be, classes would be the same; but p-values in between
would be those of probes, which are below 0.05 in a fifth of draws for groups of idle columns."""
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
    chance: ChanceRule,
    workers: Workers,
) -> tuple[Shadows, ...]:
    """Shadows of the features that nothing but their weight speaks for."""
    table = setting.data.tables[side]
    places = np.flatnonzero(table.varies)
    limit = chance.limit(len(places))
    _, p = chance_of_each(bounds, chance.confidence)
    pending = np.flatnonzero(_is_open(p, evidence, limit)[places])
    company = _company(table.columns, pending)
    is_rare = ~np.isin(pending, chance.give_probes(table.columns))
    missing = [_misses_a_class(table.columns[:, column], setting.data) for column in pending]
    is_rare |= np.array(missing, dtype=bool)
    is_usual = ~is_rare & (company.sum(axis=1) < 2)
    is_usual &= setting.data.groups is None  # probes of rows say nothing of a feature of groups
    is_asked = ~is_usual | _is_undecided(p[places][pending], limit)
    draw = partial(_drawn, setting, side, bounds, limit=limit, workers=workers)
    keep_classes = is_rare & (evidence.alone is not None)
    found = draw(pending[is_asked & ~keep_classes], setting.data.new_order)
    found += draw(pending[is_asked & keep_classes], setting.data.order_within_classes)
    return tuple(sorted(found, key=lambda each: each.feature))


def _misses_a_class(column: FloatArray, data: TrainingData) -> bool:
    """Whether a column has two values, one of which no sample of some class has."""
    values = np.unique(column)
    if data.classes is None or len(values) != 2:
        return False
    meets = np.bincount(2 * data.y.astype(np.int64) + (column == values[0]))
    return bool(len(meets) < 2 * len(data.classes) or not meets.all())


def _drawn(
    setting: ProbeSetting,
    side: int,
    bounds: Bounds,
    pending: IntArray,
    new_order: Callable[[np.random.RandomState], IntArray],
    *,
    limit: float,
    workers: Workers,
) -> list[Shadows]:
    """Shadows of some columns, as many as it takes to decide."""
    table = setting.data.tables[side]
    places = np.flatnonzero(table.varies)
    most, drawn, fallbacks = bounds.intervals[places, 1], 0, 0
    found = dict[int, list[FloatArray]]()
    for draws in _DRAWS:
        if not len(pending):
            break
        joined = np.flatnonzero(_company(table.columns, pending).any(axis=0))
        shared = (setting, side, joined, np.searchsorted(joined, pending))
        size = setting.engine.block_size(setting.feasible) if len(joined) == 1 else 1
        orders = [new_order(np.random.RandomState(seed)) for seed in range(drawn, draws)]
        drawn = draws
        for solved in workers.map(_solve_some, shared, chunks(orders, size), "shadows"):
            for ranges, fell_back in solved:
                fallbacks += fell_back
                for column, each in zip(pending.tolist(), ranges, strict=True):
                    found.setdefault(column, []).append(each)
        own = np.array([_p_value(bounds, found[k], most[k]) for k in pending.tolist()])
        pending = pending[_is_undecided(own, limit)]
    return [
        Shadows(int(places[column]), np.array(each), fallbacks if column == min(found) else 0)
        for column, each in found.items()
    ]


def _is_open(p: FloatArray, evidence: Evidence, limit: float) -> BoolArray:
    """Whether a feature's weight may speak for it, and nothing else does."""
    others = evidence.needed if evidence.alone is None else np.fmin(evidence.alone, evidence.needed)
    is_open: BoolArray = (p < WORTH_A_LOOK) & (others > limit)
    return is_open


def _is_undecided(p: FloatArray, limit: float) -> BoolArray:
    undecided: BoolArray = (p > limit / _PLAIN) & (p < limit * _PLAIN)
    return undecided


def _p_value(bounds: Bounds, drawn: Sequence[FloatArray], most: float) -> float:
    own = bounds.shadow_intervals(Shadows(0, np.array(drawn)))[:, 1]
    return float(folded_p_values(np.array([most]), own)[0])


def _company(columns: FloatArray, chosen: IntArray) -> BoolArray:
    """Which columns depend on each of some, itself among them: (chosen, d)."""
    n, d = columns.shape
    units = columns - columns.mean(axis=0)
    size = np.sqrt(np.einsum("nd,nd->d", units, units))
    units /= np.where(size > 0, size, 1.0)
    depends = np.abs(units[:, chosen].T @ units)
    if d < n and len(chosen):
        inverse = np.linalg.inv(units.T @ units + _SAME * np.eye(d))
        depends = np.maximum(depends, np.abs(inverse[chosen] / inverse[chosen, chosen][:, None]))
    farthest = np.sort(depends, axis=1)[:, -min(d, 1 + _MOST_COMPANY), None]
    company: BoolArray = (depends >= _DEPENDS) & (depends >= farthest)
    return company


def _solve_some(
    setting: ProbeSetting, side: int, joined: IntArray, asked: IntArray, orders: Sequence[IntArray]
) -> list[tuple[FloatArray, int]]:
    """``[minrel, maxrel]`` of some shadows in each function, where all of them join the set."""
    layout, columns = setting.best.composition.layouts[side], setting.data.tables[side].columns
    shadows = [layout.spread(columns[np.ix_(order, joined)]) for order in orders]
    if len(joined) > 1:
        return [_together(setting, layout, each, asked) for each in shadows]
    search = setting.engine.prepare(setting.feasible, setting.start)  # alone, like probes
    found = search.appended(shadows, layout.price)
    return [_relevances(ranges, (1, layout.n_functions)) for ranges in found]


def _together(
    setting: ProbeSetting, layout: Layout, shadows: FloatArray, asked: IntArray
) -> tuple[FloatArray, int]:
    """Those of several shadows that join together."""
    feasible, witness = setting.feasible, setting.best.solution.model
    wider = feasible.space.with_columns(shadows, layout.price)
    none = np.zeros(wider.n_weights - feasible.space.n_weights)
    known = Model(np.r_[witness.weights, none], witness.offsets)
    search = setting.engine.prepare(feasible.over(wider, known))
    n_joined = len(none) // layout.n_functions
    first = feasible.space.n_weights + np.arange(layout.n_functions) * n_joined
    positions = np.add.outer(asked, first)
    return _relevances(search.relevances(positions.ravel().tolist()), positions.shape)


def _relevances(ranges: Sequence[WeightRange], shape: tuple[int, ...]) -> tuple[FloatArray, int]:
    found = np.array([each.relevance for each in ranges]).reshape(*shape, 2)
    return found, sum(each.fallbacks for each in ranges)
