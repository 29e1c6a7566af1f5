"""How far does a direction reach? Walks from the best model outward, where programs are small.

The best model has the least ``norm / 2 + C * loss``. That this sum keeps the limit that follows
from the budget's says nothing new of good models, but tells where walks begin: alone within the
least sum, the best model shows each direction its first step (``kernels/outward``). What walks end
with is proved as any other answer is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.corners import Corners, limits_of
from relbounds.engine.feasible_set import NORM_PRICE, FeasibleSet
from relbounds.engine.interior.directions import Direction
from relbounds.engine.proof import Claims
from relbounds.engine.walks import kernel

_AT_HINGE = 1e-7  # of the scale: pieces that are no further from zero are zero
_FIRST = 0.01  # of the way from the best model's costs to limits: there all limits are met
_STEPS = 100  # for each number of a model


@dataclass(frozen=True, eq=False)
class Outward:
    """A set of good models and the corner that the best one is at, ready for any direction.

    Attributes
    ----------
    rows, margin, slopes : arrays
        Of the set, as ``Corners`` has them; the sum that the best model has least of is the first
        cost.
    limits : (t, j) array
        Within which walks go, from one to the next.
    norm_shares : (j,) array
        What a unit of the norm is in each of the costs that have limits.
    place, side, inverse : arrays
        The corner, as ``kernels.corners`` has it.
    """

    rows: FloatArray
    margin: FloatArray
    slopes: FloatArray
    limits: FloatArray
    norm_shares: FloatArray
    place: IntArray
    side: IntArray
    inverse: FloatArray

    @classmethod
    def ready(cls, feasible: FeasibleSet) -> "Outward | None":
        """Where walks are the fastest way, and the best model is known and at a corner."""
        suits = feasible.best_price is not None and Corners.suit(feasible.space)
        return cls.of(feasible) if suits else None

    @classmethod
    def of(cls, feasible: FeasibleSet) -> "Outward | None":
        """None if the best model is at no corner."""
        best, corners = feasible.witness, Corners.of(feasible)
        assert best is not None, "a best model is good"
        shares, limits, _ = limits_of(feasible)
        prices = _prices(feasible, len(limits))
        at_best = shares @ [feasible.space.norm(best), feasible.space.loss(best)]
        sums = np.vstack([prices, np.eye(2)]) if len(limits) > 1 else np.eye(1)
        slopes = corners.slopes
        if len(limits) > 1:
            slopes = np.stack([prices @ slopes, slopes[:, 0], slopes[:, 1]], axis=1)
        point = np.r_[best.weights, best.offsets]
        values = np.r_[best.weights, corners.rows @ point] - corners.margin
        near = np.flatnonzero(np.abs(values) <= _AT_HINGE * max(feasible.scale, 1.0))
        zero = near[np.argsort(np.abs(values[near]), kind="stable")]
        unlimited = np.full(len(sums), np.inf)
        corner = _corner(corners.rows, corners.margin, slopes, unlimited)
        if not kernel().find(corner, point, values, zero):
            return None
        return cls(
            rows=corners.rows,
            margin=corners.margin,
            slopes=slopes,
            limits=(at_best + np.outer([_FIRST, 1.0], limits - at_best)) @ sums.T,
            norm_shares=sums @ shares[:, 0],
            place=corner.place,
            side=corner.side,
            inverse=corner.inverse,
        )

    def with_room_for(self, more: int, price: float) -> "Outward":
        """With own columns, whose weights are the first numbers and at rest at the best model.

        What rows have of them is written by the kernel: these are a copy.
        """
        of_norm = np.outer([-price, price], self.norm_shares).T
        q = self.rows.shape[1] + more
        inverse = np.eye(q)
        inverse[more:, more:] = self.inverse
        own = np.arange(more)
        return Outward(
            rows=np.hstack([np.zeros((len(self.rows), more)), self.rows]),
            margin=np.r_[np.zeros(more), self.margin],
            slopes=np.concatenate([np.repeat(of_norm[None], more, axis=0), self.slopes]),
            limits=self.limits,
            norm_shares=self.norm_shares,
            place=np.r_[own, self.place + more],
            side=np.r_[np.zeros(more, dtype=np.int64), self.side],
            inverse=inverse,
        )


def walked(
    feasible: FeasibleSet,
    ready: Outward,
    directions: Sequence[Direction],
    price: float,
    *,
    paired: bool,
) -> tuple[Claims, IntArray]:
    """What walks to the ends of directions claim, and what became of each.

    ``price``: what weights of own columns count in the norm. In pairs, which share their columns,
    walks to the second end go no further than until that falls short; then a claim has no model.
    """
    d, more = feasible.space.n_weights, directions[0].columns.shape[1]
    ready = ready.with_room_for(more, price)
    rows, size, m, q = feasible.space.rows, len(directions), *ready.rows.shape
    goals = np.zeros((size, q))
    of_all = np.array([each.goal for each in directions])
    goals[:, : d + more] = np.roll(of_all, more, axis=1)
    columns = np.array([each.columns.T for each in directions])
    points, multipliers = np.zeros((size, q)), np.zeros((size, m))
    outcomes = np.zeros(size, dtype=np.int64)
    assert kernels.outward is not None, "walks are made where they suit"
    kernels.outward.outward(
        _corner(ready.rows, ready.margin, ready.slopes, ready.limits[-1].copy()),
        ready.place,
        ready.side,
        ready.inverse,
        np.ascontiguousarray(rows.point, np.int64),
        np.ascontiguousarray(rows.sign, np.float64),
        np.ascontiguousarray(columns[::2] if paired else columns),
        goals,
        ready.limits,
        points,
        multipliers,
        outcomes,
        most_steps=_STEPS * q,
        paired=paired,
    )
    claims = Claims(
        goals=of_all,
        weights=np.roll(points[:, : d + more], -more, axis=1),
        offsets=points[:, d + more :],
        multipliers=multipliers,
        prices=np.empty((size, 0)),
        columns=columns,
        price=price,
    )
    return claims, outcomes


def _prices(feasible: FeasibleSet, n_limits: int) -> FloatArray:
    """Of what has limits, in the sum that the best model has least of."""
    budget, price = feasible.budget, feasible.best_price
    assert price is not None, "asked of best models only"
    return np.ones(1) if n_limits == 1 else np.array([NORM_PRICE, price / budget.loss_price])


def _corner(*fixed: NDArray[np.float64]) -> object:
    """A set, and room for where we are."""
    rows, margin, slopes, limits = (np.ascontiguousarray(each) for each in fixed)
    (q, costs), pieces = (rows.shape[1], len(limits)), len(margin)
    return kernel().Corner(
        rows,
        margin,
        slopes,
        np.zeros((costs, q)),
        limits,
        np.zeros(q, dtype=np.int64),
        np.zeros(pieces, dtype=np.int64),
        np.empty((q, q)),
        np.zeros(costs),
        np.zeros(costs, dtype=np.int64),
    )
