"""Which rows and weights does a program need? The others are decided, and leave it.

Over the good models most rows never change sides of their hinge, and where there are many weights
most of them are zero. A row outside the working set keeps its side: missed (it costs its weight for
every unit) or exceeded (its surplus weight, if any), so that its loss is linear, and at most what
it really is. A weight outside is zero. What an answer proves is always computed with all rows and
weights, so a wrong guess can cost time, but never truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray, SideArray
from relbounds.engine.feasible_set import FeasibleSet, Model, ModelSpace
from relbounds.engine.interior.program import Iterate, Own, Program
from relbounds.engine.proof import TIGHT, Proved
from relbounds.engine.rows import MarginRows

WINDOW = 4.0
"""Typical moves: rows further than that from their hinge are expected to stay on their side."""
FEW_WEIGHTS = 100
"""Up to so many, all are in the working set: fewer would save nothing."""
NEARLY = 0.03
"""Weights whose gradient is that little short of what lets one in are let in with those."""
_MOST_USED = 0.5  # of many weights: if one model uses more, others need nearly all
_FEW_ROWS = 120  # the same of rows
_FEW_HELD = 300  # rows that are inside where all have to be kept
_ROWS_A_WEIGHT = 5  # in the working set at least, and as many for each offset
_MOST_WEIGHTS_A_ROUND = 80
_NO_LOSS = 1e-12
_AT_HINGE = 1e-6  # of a margin: rows that are no further from their hinge are at it


@dataclass(frozen=True, eq=False)
class WorkingSet:
    """The rows and weights of a space that a program has.

    Attributes
    ----------
    space : ModelSpace
        The whole.
    sides : (m,) array
        Of rows outside: 1 missed, -1 exceeded; 0 of rows inside.
    weights : int array
        Those inside.
    """

    space: ModelSpace
    sides: SideArray
    weights: IntArray

    @classmethod
    def whole(cls, space: ModelSpace) -> "WorkingSet":
        return cls(space, np.zeros(len(space.rows), dtype=np.int8), np.arange(space.n_weights))

    @classmethod
    def around(cls, feasible: FeasibleSet, model: Model) -> "WorkingSet":
        """What good models are likely to need, seen from one of them."""
        part = cls.whole(feasible.space)
        used = np.flatnonzero(model.weights)
        if feasible.space.n_weights > max(FEW_WEIGHTS, len(used) / _MOST_USED):
            part = replace(part, weights=used)
        if len(part.sides) > _FEW_ROWS:
            part = replace(part, sides=_decided(feasible, model, len(part.weights)))
        return part

    @classmethod
    def about(cls, feasible: FeasibleSet, model: Model, block: int) -> "WorkingSet":
        """What questions about one block are likely to need: little of all others."""
        around, blocks = cls.around(feasible, model), feasible.space.blocks
        in_block = blocks.of_weights == block
        inside = (model.weights != 0) | _held(feasible.space)
        if np.count_nonzero(in_block) <= FEW_WEIGHTS:
            inside |= in_block
        sides, shortfalls = around.sides.copy(), feasible.space.shortfalls(model)
        for other in range(blocks.count):
            if other != block:
                far = _far_rows(feasible.space, other, shortfalls)
                sides[far] = np.where(shortfalls[far] > 0, 1, -1)
        return cls(feasible.space, sides, np.flatnonzero(inside))

    @property
    def with_all_rows(self) -> "WorkingSet":
        return replace(self, sides=np.zeros_like(self.sides))

    def with_more(self, rows: IntArray, weights: IntArray) -> "WorkingSet":
        """The same with some that were outside."""
        sides = self.sides.copy()
        sides[rows] = 0
        return replace(self, sides=sides, weights=np.union1d(self.weights, weights))

    @cached_property
    def _open(self) -> IntArray:
        """Rows inside, those that may be missed first."""
        must_hold = self.space.rows.must_hold
        is_open = self.sides == 0
        soft, hard = np.flatnonzero(is_open & ~must_hold), np.flatnonzero(is_open & must_hold)
        return np.concatenate([soft, hard])

    @property
    def _slopes(self) -> FloatArray:
        """Multipliers, at loss price one, of what is linear in the loss of each row: not kept."""
        rows = self.space.rows
        slopes: FloatArray = np.where(self.sides > 0, rows.weight, -rows.surplus_weight)
        return slopes

    @property
    def _points(self) -> FloatArray:
        """Of the weights inside; if all are, without a copy."""
        points = self.space.points
        return points if len(self.weights) == points.shape[1] else points[:, self.weights]

    def program(self, shares: FloatArray, limits: FloatArray, *, lossless: bool = False) -> Program:
        """The program over rows and weights inside; lossless: no row may be missed."""
        rows, slopes = self.space.rows.subset(self._open), self._slopes
        points = self._points
        soft = 0 if lossless else int(np.count_nonzero(~rows.must_hold))
        everything = self.space.rows
        constant = float(slopes @ everything.margin)
        linear = np.r_[everything.gradient(points, slopes), everything.offset_gradient(slopes)]
        return Program(
            rows.coefficients(points),
            rows.margin,
            (rows.weight + rows.surplus_weight)[:soft],
            -linear,
            constant,
            self.space.prices[self.weights],
            shares,
            limits - shares[:, 1] * constant,
        )

    def own(
        self, columns: Sequence[FloatArray], price: float, sample: IntArray | None = None
    ) -> Own:
        """Columns of points, ``(points, e)`` for each program, as rows and loss see them."""
        rows, n = self.space.rows, len(self.space.points)
        kept = self._open if sample is None else self._open[sample]
        if not columns[0].shape[1]:
            return Own.none(len(columns), len(kept))
        point, sign = rows.point[kept], rows.sign[kept]
        on_rows = np.array([each.T[:, point] for each in columns])
        on_rows *= sign
        of_points = np.bincount(rows.point, rows.sign * self._slopes, minlength=n)
        return Own(on_rows, -np.array([of_points @ each for each in columns]), price)

    def multipliers_of(self, iterates: list[Iterate]) -> FloatArray:
        """Multipliers of all rows."""
        multipliers = np.array([iterate.prices[1:] for iterate in iterates]) * self._slopes
        multipliers[:, self._open] += np.array([iterate.multipliers for iterate in iterates])
        return multipliers

    def nearest(
        self, shortfalls: FloatArray, n_rows: int, own: FloatArray | float = 0.0
    ) -> "WorkingSet":
        """The same with only the rows nearest to their hinge, a twelfth of them at least.

        Nearest in any of several models, a line each; rows on whose side these do not agree stay.
        ``own``: squares of the points in columns that only these models have.
        """
        soft = (self.sides == 0) & ~self.space.rows.must_hold
        least, most = shortfalls.min(axis=0), shortfalls.max(axis=0)
        agreed = (least > 0) | (most <= 0)
        distance = np.where(agreed, np.where(least > 0, least, -most), 0.0)
        distance /= _lengths(self.space, own)
        n_soft = int(np.count_nonzero(soft))
        n_rows = min(max(n_rows, n_soft // 12), n_soft - 1)
        far = soft & (distance > np.partition(distance[soft], n_rows)[n_rows])
        sides = self.sides.copy()
        sides[far] = np.where(least[far] > 0, 1, -1)
        return replace(self, sides=sides)

    def contradicted(self, shortfalls: FloatArray) -> BoolArray:
        """Which rows outside are on another side than their own, in any of the answers."""
        against: BoolArray = np.any(self.sides * shortfalls < 0, axis=0)
        return against


class Violated:
    """Rows and weights outside the working set that turned out to matter."""

    def __init__(self, working_set: WorkingSet) -> None:
        self._working_set = working_set
        self._rows = np.zeros(len(working_set.sides), dtype=bool)
        self._excess = np.full(working_set.space.n_weights, -1.0)

    def note(self, proved: Proved, lines: BoolArray) -> None:
        """Take down why some lines are not proved."""
        if not lines.any():
            return
        self._rows |= self._working_set.contradicted(proved.shortfalls[lines])
        gradients, weights = np.abs(proved.gradients[lines]), self._working_set.weights
        d = len(self._excess)
        most = gradients[:, np.r_[weights, d : gradients.shape[1]]].max(axis=1, initial=0.0)
        excess = (gradients[:, :d] / most[:, None]).max(axis=0) - 1
        excess[weights] = -1
        np.maximum(self._excess, excess, out=self._excess)

    def __bool__(self) -> bool:
        return bool(self._rows.any() or (self._excess > TIGHT).any())

    def let_in(self) -> WorkingSet:
        """The same working set with those rows, and with the steepest of those weights.

        Those that are nearly as steep will matter to other questions.
        """
        weights = np.argsort(-self._excess)[:_MOST_WEIGHTS_A_ROUND]
        weights = weights[self._excess[weights] > -NEARLY]
        return self._working_set.with_more(np.flatnonzero(self._rows), weights)


def budget_shares(feasible: FeasibleSet) -> tuple[FloatArray, FloatArray, bool]:
    """Shares and limits of a program within the budget, and whether no loss is allowed at all."""
    budget = feasible.budget
    if budget.norm_price:
        # the second limit follows from the first, unless rows are outside the working set
        shares = np.array([[budget.norm_price, budget.loss_price], [1.0, 0.0]])
        return shares, np.array([budget.limit, budget.norm_limit]), False
    if _allows_no_loss(feasible):
        return np.array([[1.0, 0.0]]), np.array([budget.norm_limit]), True
    limits = np.array([budget.norm_limit, budget.limit])
    return np.array([[1.0, 0.0], [0.0, budget.loss_price]]), limits, False


def _allows_no_loss(feasible: FeasibleSet) -> bool:
    budget = feasible.budget
    return not budget.norm_price and budget.limit <= _NO_LOSS * feasible.cost_unit


def _held(space: ModelSpace) -> BoolArray:
    """Which weights are in rows that have to be kept: without them these could not be exceeded."""
    points = space.rows.point[space.rows.must_hold & (space.rows.sign != 0)]
    held: BoolArray = space.points[points].any(axis=0)
    return held


def _far_rows(space: ModelSpace, block: int, shortfalls: FloatArray) -> IntArray:
    """The rows of a block that may be missed but for the nearest ones, a few for each weight."""
    rows = np.flatnonzero((space.blocks.of_rows == block) & ~space.rows.must_hold)
    n_weights = np.count_nonzero(space.blocks.of_weights == block)
    rows = rows[np.argsort(np.abs(shortfalls[rows]))[_ROWS_A_WEIGHT * (1 + n_weights) :]]
    return rows[np.abs(shortfalls[rows]) > _AT_HINGE * space.rows.margin_size]


def _decided(feasible: FeasibleSet, model: Model, n_weights: int) -> SideArray:
    """Sides of the rows that are further from their hinge than good models are likely to move them.

    The nearest ones are inside, a few for each weight and offset: answers lie where rows meet.
    """
    rows = feasible.space.rows
    shortfalls = feasible.space.shortfalls(model)
    distances = shortfalls / mobility(feasible.space)
    n_nearest = _ROWS_A_WEIGHT * (n_weights + rows.n_offsets)
    if rows.must_hold.all():  # how far these move is not known
        n_nearest = max(n_nearest, _FEW_HELD)
    nearest = np.sort(np.abs(distances))[:n_nearest]
    window = max(WINDOW * _typical_move(feasible, model, shortfalls), nearest[-1])
    sides = sides_beyond(window, distances, rows)
    # where nothing may be missed, a row that is missed by rounding would stay so unnoticed
    return np.minimum(sides, 0) if _allows_no_loss(feasible) else sides


def mobility(space: ModelSpace) -> FloatArray:
    """How far rows are likely to move, in comparison with a typical one.

    As far as their points are long: a rare value of a column moves its rows many times as far as
    all others when the weight changes.
    """
    lengths = _lengths(space)
    mobility: FloatArray = lengths / np.median(lengths)
    return mobility


def _lengths(space: ModelSpace, own: FloatArray | float = 0.0) -> FloatArray:
    """Of the points that rows speak of, and one; ``own``: squares in further columns."""
    lengths: FloatArray = np.sqrt(
        1 + (space.squared_lengths + own)[space.rows.point] * space.rows.sign**2
    )
    return lengths


def sides_beyond(window: float, distances: FloatArray, rows: MarginRows) -> SideArray:
    """Sides of the rows beyond a window around their hinge; none may be missed that has to hold."""
    decided = (np.abs(distances) > window) & ~((distances > 0) & rows.must_hold)
    return np.where(decided, np.sign(distances), 0).astype(np.int8)


def _typical_move(feasible: FeasibleSet, model: Model, shortfalls: FloatArray) -> float:
    """How far good models are likely to move shortfalls of rows that may be missed.

    Moving them at random by ``move`` costs ``price * density * move^2 / 2``, where density is the
    share of rows near the hinge; and what it may cost is known.
    """
    rows = feasible.space.rows
    soft = ~rows.must_hold
    if not soft.any():
        return 0.0
    cost = min(feasible.cost(model), feasible.best_cost)
    spare = max(feasible.budget.limit - cost, 0.0) / feasible.budget.loss_price
    price, move = float((rows.weight + rows.surplus_weight)[soft].sum()), 0.0
    distance = np.sort(np.abs(shortfalls[soft]))
    for _ in range(10):
        near = max(int(np.searchsorted(distance, max(move, rows.margin_size / 10))), 1)
        density = near / len(distance) / (2 * distance[near - 1] or 1.0)
        move = float(np.sqrt(2 * spare / (density * price)))
    return move
