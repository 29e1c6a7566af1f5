"""How far does a direction reach? Walks from the best model outward, where programs are small.

The best model has the least ``norm / 2 + C * loss``. That this sum keeps the limit that follows
from the budget's says nothing new of good models, but tells where walks begin: alone within the
least sum, the best model shows each direction its first step (``kernels/outward``). What walks end
with is proved as any other answer is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.corners import Corners, goes_to_best, limits_of
from relbounds.engine.feasible_set import FeasibleSet, ModelSpace, unit_goal
from relbounds.engine.interior.directions import Direction
from relbounds.engine.proof import Claims
from relbounds.engine.walks import STEPS, kernel, outward_kernel
from relbounds.engine.working_set import FEW_WEIGHTS

_MOST_ROWS, _MOST_WEIGHTS, _POINTS_A_WEIGHT = 10_000, 250, 3
_FEW_OWN, _FEW_WITH_THEM = 8, 60  # columns that join, and weights with them
_APART = 1e-8  # of a margin: that rows are told apart by
_FIRST = 0.01  # of the way from the best model's costs to limits: there all limits are met


@dataclass(frozen=True, eq=False)
class Outward:
    """A set of good models and the corner that the best one is at, ready for any direction.

    Attributes
    ----------
    rows, margin, slopes : arrays
        Of the set, as ``Corners`` has them; the sum that the best model has least of is the first
        cost.
    apart : (d + m,) array
        Margins a little apart: of equal ones none would be the first.
    limits : (t, j) array
        Within which walks go, from one to the next; higher by what margins apart cost the best.
    last : (j,) array
        The last of them of margins as they are.
    norm_shares : (j,) array
        What a unit of the norm is in each of the costs that have limits.
    place, side, inverse : arrays
        The corner, as ``kernels.corners`` has it.
    """

    rows: FloatArray
    margin: FloatArray
    apart: FloatArray
    slopes: FloatArray
    limits: FloatArray
    last: FloatArray
    norm_shares: FloatArray
    place: IntArray
    side: IntArray
    inverse: FloatArray

    @classmethod
    def ready(cls, feasible: FeasibleSet) -> "Outward | None":
        """Where walks are the fastest way, and a first one from the best model gets to its end."""
        found = cls.of(feasible) if kernels.outward and _suits(feasible) else None
        if found is None:
            return None
        none = np.empty((len(feasible.space.points), 0))
        first = Direction(unit_goal(feasible.space, 0, 1), none)
        _, [outcome] = walked(feasible, found, [first], 1.0, paired=False)
        return found if outcome == kernel().FOUND else None

    @classmethod
    def of(cls, feasible: FeasibleSet) -> "Outward | None":
        """None if the best model is at no corner."""
        corners, best, space = Corners.of(feasible).with_sum, feasible.witness, feasible.space
        assert best is not None, "asked of sets around a best model"
        apart = corners.margin + _APART * space.rows.margin_size * _drawn(corners)
        unlimited = np.full(len(corners.limits), np.inf)
        corner = _corner(corners.rows, apart, corners.slopes, unlimited)
        if not goes_to_best(corner, best, feasible.scale):
            return None
        shares, limits, _ = limits_of(feasible)
        at_best = shares @ [space.norm(best), space.loss(best)]
        growing = (at_best + np.outer([_FIRST, 1.0], limits - at_best)) @ corners.sums.T
        return cls(
            rows=corners.rows,
            margin=corners.margin,
            apart=apart,
            slopes=corners.slopes,
            limits=growing + _costs(corner) - corners.sums @ at_best,
            last=growing[-1],
            norm_shares=corners.sums @ shares[:, 0],
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
            apart=np.r_[np.zeros(more), self.apart],
            slopes=np.concatenate([np.repeat(of_norm[None], more, axis=0), self.slopes]),
            limits=self.limits,
            last=self.last,
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
    rows, (m, q), size = feasible.space.rows, ready.rows.shape, len(directions)
    goals = np.array([each.goal for each in directions])
    columns = np.array([each.columns.T for each in directions])
    own_first = np.zeros((size, q))
    own_first[:, : d + more] = np.roll(goals, more, axis=1)
    outward = outward_kernel()
    met = outward.Met(np.zeros((size, q)), np.zeros((size, m)), np.zeros(size, dtype=np.int64))
    outward.outward(
        _corner(ready.rows, ready.apart, ready.slopes, ready.limits[-1].copy()),
        outward.Best(ready.place, ready.side, ready.inverse, ready.margin, ready.last),
        outward.Asked(
            np.ascontiguousarray(rows.point, np.int64),
            np.ascontiguousarray(rows.sign, np.float64),
            np.ascontiguousarray(columns[::2] if paired else columns),
            own_first,
            ready.limits,
        ),
        met,
        most_steps=STEPS * q,
        paired=paired,
    )
    weights, offsets = np.split(met.points, [d + more], axis=1)
    claims = Claims(
        goals=goals,
        weights=np.roll(weights, -more, axis=1),
        offsets=offsets,
        multipliers=met.multipliers,
        prices=np.empty((size, 0)),
        columns=columns,
        price=price,
    )
    return claims, met.outcomes


def _drawn(corners: Corners) -> FloatArray:
    """By how much the margin of each piece is moved: of rows, unless these have to be kept.

    The best model may not miss those.
    """
    n_rows, drawn = len(corners.rows), np.zeros(len(corners.margin))
    of_rows = drawn[len(drawn) - n_rows :]
    of_rows[:] = np.random.RandomState(0).uniform(-1, 1, n_rows)
    drawn[np.isneginf(corners.slopes[:, 0, 0])] = 0.0
    return drawn


def _costs(corner: Any) -> FloatArray:
    """Of the model at a corner."""
    point, n_weights = np.empty(corner.rows.shape[1]), len(corner.margin) - len(corner.rows)
    kernel().corner(corner, point)
    values = np.r_[point[:n_weights], corner.rows @ point] - corner.margin
    used = np.flatnonzero(corner.side)
    sides = corner.slopes[used, :, (corner.side[used] > 0).astype(int)]
    costs: FloatArray = values[used] @ sides
    return costs


def may_be_joined(space: ModelSpace, more: int) -> bool:
    """Whether walks are the fastest way if so many columns join.

    Of many some are worth more than they cost, and the best model with them is far away.
    """
    return more <= _FEW_OWN or space.n_weights + more <= _FEW_WITH_THEM


def _suits(feasible: FeasibleSet) -> bool:
    """Where rows are more, or weights nearly as many as points, others are as fast.

    Rows that may neither be missed nor exceeded have no sides.
    """
    space = feasible.space
    few_weights = max(FEW_WEIGHTS, len(space.points) // _POINTS_A_WEIGHT)
    is_small = len(space.rows) <= _MOST_ROWS and space.n_weights <= min(few_weights, _MOST_WEIGHTS)
    have_no_sides = limits_of(feasible)[2] and space.rows.surplus_weight.any()
    return is_small and not have_no_sides and feasible.best_price is not None


def _corner(*fixed: FloatArray) -> Any:
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
