"""What would chance reach in a feature's own place, in the company that it keeps?

Weights of columns that depend on one another can cancel, so that a group of idle columns takes
spare weight at no cost, which a probe, alone, cannot. And a rare value costs few samples. So a
feature whose case rests on its weight alone is compared with shadows that have the same freedom:
its column and those that depend on it, all in the same new order of the samples, join the others.
They keep what they say of one another, and lose what they say of all else.

A value that no sample of some class has can be weighed against that class at no cost at all. How
often that happens by chance the test alone knows, and has found no proof in it. So shadows of such
columns, and of rare values, keep their share of each class.

Most features that are asked about are idle, and a few shadows show it: as soon as one of the first
reaches as far as the feature, no more are drawn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import FEW_WEIGHTS, Copies
from relbounds.method.decision import FEWEST_SHADOWS, ChanceRule, chance_of_each, own_p_value
from relbounds.method.parallel import Workers, chunks
from relbounds.method.probes import ProbeSetting
from relbounds.method.training_data import TrainingData
from relbounds.results.findings import Bounds
from relbounds.results.records import Evidence, Shadows

WORTH_A_LOOK = 0.05
"""A p-value by the probes from which on shadows could only confirm that it is chance.

With less, such as ten times what it has to be, classes would be the same; but p-values in between
would be those of probes, which are below 0.05 in a fifth of draws for groups of idle columns. Of
wide tables the weight of most features is not even asked for, and that has to do."""
_DRAWS = (1, 2, 4, 8, 16, 32)  # in all, after each round: the same ones for the same data
_FEWER = 4  # times fewer draws than weights a worker is asked about: else one would get all,
_PIECES = 2  # and a round of few draws has as many pieces, if it can
_PLAIN = 10.0  # times less or more than it has to be: further draws would not change that
_DEPENDS = 0.3  # a correlation, or a weight in what explains a column, that makes company
_COPIES = 0.95  # the same of columns that are company however many there are
_MOST_COMPANY = 30
_SAME = 1e-8
Drawn = tuple[int, IntArray, int]
"""A column, its company, and which of the new orders of the samples it takes."""


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
    worth = WORTH_A_LOOK if bounds.bounded is None else chance.worth_a_weight
    pending = np.flatnonzero(_is_open(p, evidence, limit, worth)[places])
    if not len(pending):
        return ()
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
    """Shadows of some columns, as many as it takes to decide; copies of a column share them."""
    table = setting.data.tables[side]
    places, copies = np.flatnonzero(table.varies), Copies.of(table.columns)
    company = _company_without_copies(table.columns, copies, pending)
    most, drawn, fallbacks = bounds.intervals[places, 1], 0, 0
    found = {column: list[FloatArray]() for column in pending.tolist()}
    for draws in _DRAWS:
        if not len(pending):
            break
        orders = [new_order(np.random.RandomState(seed)) for seed in range(drawn, draws)]
        drawn = draws
        _, first = np.unique(copies.first[pending], return_index=True)
        asked = {column: company[column] for column in pending[np.sort(first)].tolist()}
        for column, ranges, fell_back in _solved(setting, side, asked, orders, workers):
            fallbacks += fell_back
            for same in pending[copies.first[pending] == copies.first[column]].tolist():
                found[same].append(ranges)
        own = np.array([_p_value(bounds, found[k], most[k]) for k in pending.tolist()])
        pending = pending[own == 0 if draws < FEWEST_SHADOWS else _is_undecided(own, limit)]
    return [
        Shadows(int(places[column]), np.array(each), fallbacks if column == min(found) else 0)
        for column, each in found.items()
    ]


Solved = tuple[int, FloatArray, int]
"""A column, ``[minrel, maxrel]`` of one of its shadows in each function, and fall-backs."""


def _solved(
    setting: ProbeSetting,
    side: int,
    company: Mapping[int, IntArray],
    orders: Sequence[IntArray],
    workers: Workers,
) -> Iterator[Solved]:
    """A shadow of each column, in its company, in each of some orders, draw by draw."""
    pieces = list[Sequence[Drawn]]()
    at_a_time = max(1, setting.engine.block_size(setting.feasible) // _FEWER)
    for size in sorted({len(each) for each in company.values()}):
        drawn = [
            (column, each, order)
            for order in range(len(orders))
            for column, each in company.items()
            if len(each) == size
        ]
        pieces += chunks(drawn, min(at_a_time, ceil(len(drawn) / _PIECES)))
    for solved in workers.map(_solve_some, (setting, side, orders), pieces, "shadows"):
        yield from solved


def _is_open(p: FloatArray, evidence: Evidence, limit: float, worth: float) -> BoolArray:
    """Whether a feature's weight may speak for it, and nothing else does."""
    others = evidence.needed if evidence.alone is None else np.fmin(evidence.alone, evidence.needed)
    is_open: BoolArray = (p < worth) & (others > limit)
    return is_open


def _is_undecided(p: FloatArray, limit: float) -> BoolArray:
    undecided: BoolArray = (p > limit / _PLAIN) & (p < limit * _PLAIN)
    return undecided


def _p_value(bounds: Bounds, drawn: Sequence[FloatArray], most: float) -> float:
    return own_p_value(most, bounds.shadow_intervals(Shadows(0, np.array(drawn)))[:, 1])


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
    # the most that one of many columns reaches by chance
    of_chance = np.sqrt(2 * np.log(d) / n) if d > max(n, FEW_WEIGHTS) else 0.0
    enough = np.clip(of_chance, _DEPENDS, _COPIES)
    company: BoolArray = (depends >= enough) & (depends >= farthest)
    return company


def _company_without_copies(
    columns: FloatArray, copies: Copies, chosen: IntArray
) -> dict[int, IntArray]:
    """The same, of copies one left besides the column itself: it can do what all of them do."""
    left = dict[int, IntArray]()
    for column, company in zip(chosen.tolist(), _company(columns, chosen), strict=True):
        others = np.flatnonzero(company)
        others = others[others != column]
        _, first = np.unique(copies.first[others], return_index=True)
        left[column] = np.union1d(others[first], [column])
    return left


def _solve_some(
    setting: ProbeSetting, side: int, orders: Sequence[IntArray], drawn: Sequence[Drawn]
) -> list[Solved]:
    """Each shadow joins the set with its company, as probes do alone; all companies of one size."""
    layout, columns = setting.best.composition.layouts[side], setting.data.tables[side].columns
    search = setting.engine.prepare(setting.feasible, setting.start)
    shadows = []
    for column, company, order in drawn:
        itself_first = [column, *company[company != column].tolist()]
        shadows.append(layout.spread(columns[np.ix_(orders[order], itself_first)]))
    asked = range(0, shadows[0].shape[1], len(drawn[0][1]))
    found = search.appended(shadows, layout.price, asked)
    return [
        (
            column,
            np.array([each.relevance for each in ranges]),
            sum(each.fallbacks for each in ranges),
        )
        for (column, _, _), ranges in zip(drawn, found, strict=True)
    ]
