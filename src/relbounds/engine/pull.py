"""How far does a direction reach, where weights are many? The best model is pulled at, and walks.

The best model of a wide table uses few of its weights, and so do those at the ends. A walk from the
one to the others keeps only what is used. What it ends with is proved as any other answer is.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import qr

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.feasible_set import NORM_PRICE, FeasibleSet, ModelSpace
from relbounds.engine.proof import Claims
from relbounds.engine.working_set import FEW_WEIGHTS, budget_shares

MOST_POINTS = 1_500
"""Beyond, inverses of their size are slow."""
_AT_HINGE = 1e-7  # of a margin
_APART = 1e-10  # by which margins and prices are drawn apart: of equal ones none would be the first
_INDEPENDENT = 1e-9
_STEPS = 40  # for each point
_WRONG = 1e-12  # of the norm's price: what a weight may be worth more


@dataclass(frozen=True, eq=False)
class Pulled:
    """Where a pull ended: a claim that is to be proved, and what became of it."""

    claims: Claims
    falls_short: bool


class Pulls:
    """Good models around a best one that may be pulled at; ``corner``: where that one is.

    ``corner`` is None if it is at none.
    """

    def __init__(self, feasible: FeasibleSet, corner: Any = None) -> None:
        self._feasible = feasible
        self._ground = ground_of(feasible.space, *_costs(feasible))
        self.corner = corner or self._best_corner()

    @staticmethod
    def suit(feasible: FeasibleSet) -> bool:
        """Whether there are that many weights, and a best model."""
        space = feasible.space
        return (
            kernels.pull is not None
            and feasible.best_price is not None
            and len(space.points) <= MOST_POINTS
            and space.n_weights > FEW_WEIGHTS
            and not budget_shares(feasible)[2]
        )

    def reach(
        self,
        goal: FloatArray,
        columns: FloatArray,
        price: float,
        *,
        below: float = -np.inf,
        beyond: float = np.inf,
    ) -> Pulled | None:
        """As far as it goes; None if that is not known.

        ``columns``: (n, e), of own weights that join the set, and what these count in the norm.
        ``below``, ``beyond``: of the gain, where no more need be known than that.
        """
        if self.corner is None:
            return None
        ground, place = self._with_columns(columns, price)
        if not _given_back(ground, place, self._own_excess(ground)):
            return None
        goal = np.r_[goal, np.zeros(ground.offsets.shape[1])]
        rates = np.zeros(len(ground.limits))
        outcome = _pull(ground, place, goal, rates, below=below, beyond=beyond)
        if outcome == _kernel().LOST or not place.pull[0] > 0:
            return None
        return Pulled(self._claims(ground, place, goal, price), outcome == _kernel().FALLS_SHORT)

    def promise(self, goal: FloatArray, columns: FloatArray) -> float:
        """By how much the best model is inclined that way: mostly it goes further where it is."""
        if self.corner is None:
            return 0.0
        d, asked = self._feasible.space.n_weights, np.flatnonzero(goal)
        of_all, own = asked[asked < d], asked[asked >= d]
        worth = np.r_[self._ground.columns[of_all] @ self._paid, self._paid @ columns[:, own - d]]
        return float(goal[asked] @ worth)

    @cached_property
    def _paid(self) -> FloatArray:
        """What rows pay, point by point, at the corner."""
        return _by_point(self._ground, self.corner.multipliers)

    def _own_excess(self, ground: Any) -> FloatArray:
        """What has to be taken off own weights: at the corner all others are worth their price."""
        d, e = self._feasible.space.n_weights, len(ground.own)
        norm, _ = self.corner.prices @ ground.shares
        excess, allowed = np.zeros(d + e + ground.offsets.shape[1]), norm * ground.worth[d:]
        excess[d : d + e] = _wrong(ground.own @ self._paid, -allowed, allowed, norm)
        return excess

    def _claims(self, ground: Any, place: Any, goal: FloatArray, price: float) -> Claims:
        d, pull = len(ground.worth), place.pull[0]
        return Claims(
            goal[None, :d],
            place.x[None, :d],
            place.x[None, d:],
            place.multipliers[None] / pull,
            (place.prices @ ground.shares / pull)[None],
            ground.own[None],
            price,
        )

    def _best_corner(self) -> Any:
        """That of the best model, if it is at one."""
        ground, model = self._ground, self._feasible.witness
        assert model is not None, "a best model is good"
        used = np.flatnonzero(model.weights)
        values = -self._feasible.space.shortfalls(model)
        near = np.flatnonzero(np.abs(values) <= _AT_HINGE * self._feasible.space.rows.margin_size)
        tied = near[independent(entries(ground, near, used))]
        if len(tied) < len(used) + len(model.offsets):
            return None
        place = place_of(ground, used, tied)
        place.prices[:] = self._prices
        return place if settled(ground, place) else None

    @property
    def _prices(self) -> FloatArray:
        """Of costs, with which the witness is the best."""
        budget, price = self._feasible.budget, self._feasible.best_price
        assert price is not None, "asked of best models only"
        if budget.norm_price:
            return np.ones(1)
        return np.array([NORM_PRICE, price / budget.loss_price])

    def _with_columns(self, columns: FloatArray, price: float) -> tuple[Any, Any]:
        """Ground and place with own weights, all zero."""
        ground, place, more = self._ground, self.corner, columns.shape[1]
        d = len(ground.worth)
        number = np.where(place.number >= d, place.number + more, place.number)
        wider = place._replace(
            x=np.insert(place.x, d, np.zeros(more)),
            turn=np.r_[place.turn, np.zeros(more, dtype=np.int64)],
            number=number,
        )
        ground = ground._replace(
            own=np.ascontiguousarray(columns.T),
            worth=np.r_[ground.worth, np.full(more, price)],
        )
        return ground, type(place)(*(each.copy() for each in wider))


def settled(ground: Any, place: Any) -> bool:
    """Go to the best corner for the prices of costs, if it is not there.

    What is worth more than it costs gets that taken off, as if it was pulled at from the other
    side, and the pull ends.
    """
    return _given_back(ground, place, _taken_off(ground, place))


def _given_back(ground: Any, place: Any, wrong: FloatArray) -> bool:
    """Whether what was taken off could be, little by little."""
    if not wrong.any():
        return True
    place.pull[0] = -1.0
    unlimited = ground._replace(limits=np.full(len(ground.limits), np.inf))
    return pulled_on(unlimited, place, -wrong, np.zeros(len(ground.limits)), until=0.0)


def pulled_on(
    ground: Any, place: Any, goal: FloatArray, rates: FloatArray, *, until: float
) -> bool:
    """Whether a pull got there."""
    return bool(_pull(ground, place, goal, rates, until=until) == _kernel().FOUND)


def _pull(
    ground: Any,
    place: Any,
    goal: FloatArray,
    rates: FloatArray,
    *,
    until: float = np.inf,
    below: float = -np.inf,
    beyond: float = np.inf,
) -> int:
    steps = _STEPS * ground.columns.shape[1]
    outcome: int = _kernel().pull(
        ground, place, goal, rates, most_steps=steps, until=until, below=below, beyond=beyond
    )
    return outcome


def _costs(feasible: FeasibleSet) -> tuple[FloatArray, FloatArray]:
    """Shares of norm and loss in what is limited, and these limits."""
    shares, limits, _ = budget_shares(feasible)
    if feasible.budget.norm_price:  # the second limit follows from the first
        return shares[:1], limits[:1]
    return shares, limits


def ground_of(space: ModelSpace, shares: FloatArray, limits: FloatArray) -> Any:
    """A space with costs, its margins and prices a little apart."""
    rows, random = space.rows, np.random.RandomState(0)
    margins = rows.margin_size * random.uniform(-1, 1, len(rows))
    prices = random.uniform(-1, 1, space.n_weights)
    return _kernel().Ground(
        space.columns,
        np.empty((0, len(space.points))),
        space.rough_columns,
        space.prices * (1 + _APART * prices),
        rows.point.astype(np.int64),
        rows.sign.astype(np.float64),
        rows.offset_matrix.toarray(),
        rows.margin + _APART * margins,
        rows.weight,
        rows.surplus_weight,
        np.ascontiguousarray(shares),
        limits,
    )


def entries(ground: Any, rows: IntArray, weights: IntArray) -> FloatArray:
    """Of some rows, in some weights and all offsets."""
    of_weights = ground.columns[np.ix_(weights, ground.point[rows])].T * ground.sign[rows, None]
    matrix: FloatArray = np.hstack([of_weights, ground.offsets[rows]])
    return matrix


def independent(matrix: FloatArray) -> IntArray:
    """As many rows as there are columns, if so many are independent."""
    if len(matrix) < matrix.shape[1]:
        return np.empty(0, dtype=np.int64)
    triangle, order = qr(matrix.T, mode="r", pivoting=True)
    size = np.abs(np.diagonal(triangle))
    chosen: IntArray = order[: np.count_nonzero(size > _INDEPENDENT * size.max(initial=0.0))]
    return chosen


def place_of(ground: Any, weights: IntArray, tied: IntArray) -> Any:
    """The corner of some weights and rows at their hinge; of what prices are nothing is said."""
    (d, n), k = ground.columns.shape, ground.offsets.shape[1]
    free, inverse = np.r_[weights, d : d + k], np.linalg.inv(entries(ground, tied, weights))
    size, room = len(free), min(n, d) + k + len(ground.limits) + 1
    x = np.zeros(d + k)
    x[free] = inverse @ ground.margin[tied]
    values = ground.sign * (x[:d] @ ground.columns)[ground.point]
    values += ground.offsets @ x[d:] - ground.margin
    side = np.where((values > 0) | np.isinf(ground.weight), 1, -1)
    side[tied] = 0
    place = _kernel().Place(
        x,
        np.zeros(len(ground.margin)),
        np.zeros(len(ground.limits)),
        np.zeros(1),
        side.astype(np.int64),
        np.sign(x[:d]).astype(np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        np.zeros((room, room)),
        np.array([size], dtype=np.int64),
    )
    place.number[:size], place.row[:size] = free, tied
    place.inverse[:size, :size] = inverse
    return place


def _taken_off(ground: Any, place: Any) -> FloatArray:
    """What has to be taken off weights and offsets so that none is worth more than it costs.

    Sets multipliers: those of tied rows are what they should be, within their limits.
    """
    d, size = len(ground.worth), int(place.size[0])
    norm, loss = place.prices @ ground.shares
    free, tied = place.number[:size], place.row[:size]
    low, high = -loss * ground.surplus, loss * ground.weight
    alpha = np.where(place.side < 0, high, low)
    alpha[tied] = 0.0
    costs = np.r_[norm * ground.worth * place.turn, np.zeros(ground.offsets.shape[1])]
    alpha[tied] = place.inverse[:size, :size].T @ (costs - _worth(ground, alpha))[free]
    alpha[tied] = np.clip(alpha[tied], low[tied], high[tied])
    place.multipliers[:] = alpha
    worth, allowed = _worth(ground, alpha), norm * ground.worth
    least = np.r_[np.where(place.turn > 0, allowed, -allowed), np.zeros(len(costs) - d)]
    most = np.r_[np.where(place.turn < 0, -allowed, allowed), np.zeros(len(costs) - d)]
    return _wrong(worth, least, most, norm)


def _wrong(worth: FloatArray, least: FloatArray, most: FloatArray, norm: float) -> FloatArray:
    """By how much it is not within its limits, unless that is rounding."""
    wrong: FloatArray = np.clip(worth, least, most) - worth
    return np.where(np.abs(wrong) > _WRONG * norm, wrong, 0.0)


def _by_point(ground: Any, alpha: FloatArray) -> FloatArray:
    n = ground.columns.shape[1]
    return np.asarray(np.bincount(ground.point, ground.sign * alpha, n), dtype=np.float64)


def _worth(ground: Any, alpha: FloatArray) -> FloatArray:
    """What rows pay for each weight and offset."""
    by_point = _by_point(ground, alpha)
    of_weights = ground.columns @ by_point, ground.own @ by_point
    worth: FloatArray = np.concatenate([*of_weights, alpha @ ground.offsets])
    return worth


def _kernel() -> Any:
    assert kernels.pull is not None, "pulls are made where they suit"
    return kernels.pull
