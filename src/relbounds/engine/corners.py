"""What is next to an answer that is known? Walks from corner to corner of a set of good models.

They are there where kernels were compiled, for programs of few weights. What a walk ends with is
proved as any other answer is: by a model, and by weak duality.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relbounds.arrays import FloatArray
from relbounds.engine import kernels
from relbounds.engine.feasible_set import NORM_PRICE, FeasibleSet, Model, ModelSpace
from relbounds.engine.proof import Bound, Claims, DualBound
from relbounds.engine.restriction import Restriction
from relbounds.engine.walks import STEPS, Walk, kernel, outward_kernel
from relbounds.engine.working_set import budget_shares

_NEAR = 1e-7  # of the scale: what is no further from zero counts as zero where a walk begins
_MOST_NUMBERS, _MOST_COEFFICIENTS = 250, 500_000  # beyond, interior points are as fast
_BROKEN = 1e-9  # of the scale: by which a model may exceed a total


@dataclass(frozen=True, eq=False)
class Corners:
    """A set of good models, ready to be walked.

    Attributes
    ----------
    feasible : FeasibleSet
    restriction : Restriction
        What models of the set have to keep besides.
    rows : (m + h, q) array
        Coefficients of weights and offsets in the rows of the set, and then in those of limits of
        weights.
    margin : (d + m + h,) array
    slopes : (d + m + h, j, 2) array
        What a unit below and above zero of each weight, and then of each row, costs in each limit.
    limits : (j,) array
        Of the budget, and then of totals.
    sums : (j, i) array
        How much of the norm and of the loss, as far as the budget limits them, is in each limit.
    growth : (j,) array or None
        By how much each limit grows with a last number of x, the tolerance; None: x has none.
    """

    feasible: FeasibleSet
    restriction: Restriction
    rows: FloatArray
    margin: FloatArray
    slopes: FloatArray
    limits: FloatArray
    sums: FloatArray
    growth: FloatArray | None = None

    @staticmethod
    def suit(space: ModelSpace) -> bool:
        """Whether walks are the fastest way, and at hand."""
        numbers = space.n_weights + space.rows.n_offsets
        few = numbers <= _MOST_NUMBERS and numbers * len(space.rows) <= _MOST_COEFFICIENTS
        return few and kernels.corners is not None

    @classmethod
    def of(cls, feasible: FeasibleSet) -> "Corners":
        space, rows = feasible.space, feasible.space.rows
        shares, limits, lossless = limits_of(feasible)
        of_weights = np.column_stack([-space.prices, space.prices])
        of_rows = np.column_stack([-rows.soft_weight, rows.surplus_weight])
        slopes = np.concatenate(
            [of_weights[:, None] * shares[:, :1], of_rows[:, None] * shares[:, 1:]]
        )
        slopes[space.n_weights :][rows.must_hold | lossless, 0, 0] = -np.inf
        return cls(
            feasible,
            Restriction.none(space.n_weights),
            np.ascontiguousarray(rows.coefficients(space.points)),
            np.r_[np.zeros(space.n_weights), rows.margin],
            slopes,
            limits,
            np.eye(len(limits)),
        )

    @property
    def with_sum(self) -> "Corners":
        """With the cost that the best model has least of, which comes first.

        Its limit follows from the others; where there is one limit alone, it is that.
        """
        feasible = self.feasible
        if len(self.limits) == 1:
            return self
        assert feasible.best_price is not None, "asked of sets around a best model"
        prices = np.array([NORM_PRICE, feasible.best_price / feasible.budget.loss_price])
        sums = np.vstack([prices, self.sums])
        slopes = np.concatenate([(prices @ self.slopes)[:, None], self.slopes], axis=1)
        return replace(self, slopes=slopes, limits=sums @ self.limits, sums=sums)

    def within(self, feasible: FeasibleSet) -> "Corners":
        """The same with another budget of the same kind."""
        limits = self.sums @ limits_of(feasible)[1]
        return replace(self, feasible=feasible, limits=np.r_[limits, self.limits[len(limits) :]])

    def with_columns(self, columns: FloatArray, price: float) -> "Corners":
        """The same with more weights, which come last; of sets that nothing was cut from."""
        space, more = self.feasible.space, columns.shape[1]
        wider, d = space.with_columns(columns, price), space.n_weights
        on_rows = space.rows.sign[:, None] * columns[space.rows.point]
        share = self.sums @ limits_of(self.feasible)[0][:, :1] * price
        of_columns = np.repeat(np.concatenate([-share, share], axis=1)[None], more, axis=0)
        return replace(
            self,
            feasible=self.feasible.over(wider),
            restriction=Restriction.none(wider.n_weights),
            rows=np.hstack([self.rows[:, :d], on_rows, self.rows[:, d:]]),
            margin=np.r_[np.zeros(more), self.margin],
            slopes=np.concatenate([self.slopes[:d], of_columns, self.slopes[d:]]),
        )

    def cut(self, restriction: Restriction) -> "Corners":
        """What a restriction leaves of it: walks of the whole lead on into it."""
        d, q = self.feasible.space.n_weights, self.rows.shape[1]
        low, high = (
            np.flatnonzero(np.isfinite(each)) for each in (restriction.low, restriction.high)
        )
        units, n_totals = np.eye(d, q), len(restriction.totals)
        n_limited = len(low) + len(high)
        slopes = np.zeros((len(self.margin) + n_limited, len(self.limits) + n_totals, 2))
        slopes[: len(self.margin), : len(self.limits)] = self.slopes
        slopes[len(self.margin) :, 0, 0] = -np.inf
        for total, (positions, _) in enumerate(restriction.totals, len(self.limits)):
            slopes[positions, total] = -1.0, 1.0
        return replace(
            self,
            restriction=restriction,
            rows=np.vstack([self.rows, units[low], -units[high]]),
            margin=np.r_[self.margin, restriction.low[low], -restriction.high[high]],
            slopes=slopes,
            limits=np.r_[self.limits, [limit for _, limit in restriction.totals]],
        )

    @property
    def growing(self) -> "Corners":
        """The same with limits that grow by a tolerance, whose least value is looked for."""
        rows = np.hstack([self.rows, np.zeros((len(self.rows), 1))])
        return replace(self, rows=rows, growth=self.limits)

    def walk_to_least_tolerance(self, best: Model) -> Walk:
        """In a set that grows, from a model that needs none."""
        goal = np.zeros(self.rows.shape[1])
        goal[-1] = -1.0
        return self.walk(goal, best)

    def least_tolerance(self, walk: Walk) -> tuple[float, float]:
        """What the model of a walk in a set that grows needs, and what no model needs less than."""
        d, budget, point = self.feasible.space.n_weights, self.feasible.budget, walk.point
        weights = np.clip(point[:d], self.restriction.low, self.restriction.high)
        model = Model(weights, point[d:-1])
        if not self.restriction.is_kept_by(weights, _BROKEN * self.feasible.scale):
            return np.inf, -np.inf
        needed = self.feasible.cost(model) / budget.limit - 1
        if not budget.norm_price:
            needed = max(needed, self.feasible.space.norm(model) / budget.norm_limit - 1)
        claims = Claims(
            np.zeros((1, d)),
            weights[None],
            model.offsets[None],
            walk.multipliers[0][None, : len(self.feasible.space.rows)],
            prices=np.empty((1, 0)),
            columns=np.empty((1, 0, 0)),
            price=1.0,
        )
        bound = self._dual_bound_of_cut(claims, [walk.multipliers])
        worth = budget.most(bound.norm_worth, bound.loss_worth)
        return float(needed), float(-(bound.rest / worth)[0] - 1)

    def walk(self, goal: FloatArray, model: Model) -> Walk:
        """To the end of a direction, from a model that reaches it, or from the best of all.

        The latter where no other is as good.
        """
        return self.walks([goal], model)[0].go_on()

    def walks(self, goals: Sequence[FloatArray], model: Model) -> list[Walk]:
        """The same in several directions, from a model to the right prices and no further."""
        point = np.r_[model.weights, model.offsets]
        point = np.r_[point, np.zeros(self.rows.shape[1] - len(point))]
        values = np.r_[model.weights, self.rows @ point] - self.margin
        near = np.flatnonzero(np.abs(values) <= _NEAR * max(self.feasible.scale, 1.0))
        zero = near[np.argsort(np.abs(values[near]), kind="stable")]
        goals = [np.r_[goal, np.zeros(self.rows.shape[1] - len(goal))] for goal in goals]
        corner = self._nowhere
        is_found = kernel().find(corner, point, values, zero)
        return [self._begun(corner, goal, is_found=is_found) for goal in goals]

    def from_best(self, goals: Sequence[FloatArray], best: Model) -> list[Walk]:
        """The same from the best model, if its sum of costs is the first: see ``with_sum``."""
        corner = self._nowhere
        corner.limits[:] = np.inf
        is_found = goes_to_best(corner, best, self.feasible.scale)
        corner.limits[:] = self.limits
        goals = [np.r_[goal, np.zeros(self.rows.shape[1] - len(goal))] for goal in goals]
        return [self._left(corner, goal, is_found=is_found) for goal in goals]

    def _left(self, corner: Any, goal: FloatArray, *, is_found: bool) -> Walk:
        own = self._copy_of(corner)
        steps = STEPS * len(goal)
        has_left = is_found and outward_kernel().depart(own, goal, steps)
        return Walk(own, goal, kernel().FOUND if has_left else kernel().LOST)

    def _begun(self, corner: Any, goal: FloatArray, *, is_found: bool) -> Walk:
        """A walk from a copy of a corner on."""
        if not is_found:
            return Walk(corner, goal, kernel().LOST)
        own = self._copy_of(corner)
        return Walk(own, goal, kernel().ascend(own, goal, STEPS * len(goal)))

    def led_on(self, walk: Walk) -> Walk:
        """A copy of a walk of the whole set, or of one with other limits, that is to go on here."""
        corner = walk.corner
        more_rows = len(self.rows) - len(corner.rows)
        more_limits = len(self.limits) - len(corner.limits)
        changed = self.limits[: len(corner.limits)] - corner.limits
        here = self._at(
            corner.place.copy(),
            np.concatenate([corner.side, np.ones(more_rows, dtype=np.int64)]),
            corner.inverse.copy(),
            np.concatenate([corner.height + changed, np.zeros(more_limits)]),
            np.concatenate([corner.at, np.full(more_limits, -1)]),
        )
        return Walk(here, walk.goal, walk.outcome)

    def _copy_of(self, corner: Any) -> Any:
        where = corner.place, corner.side, corner.inverse, corner.height, corner.at
        return self._at(*(each.copy() for each in where))

    @property
    def _nowhere(self) -> Any:
        pieces, numbers, costs = len(self.margin), self.rows.shape[1], len(self.limits)
        place, side = np.zeros(numbers, dtype=np.int64), np.zeros(pieces, dtype=np.int64)
        inverse, at = np.empty((numbers, numbers)), np.zeros(costs, dtype=np.int64)
        return self._at(place, side, inverse, np.zeros(costs), at)

    def _at(self, *where: NDArray[Any]) -> Any:
        fixed = self.rows, self.margin, self.slopes, self._linear
        return kernel().Corner(*fixed, self.limits.copy(), *where)

    @cached_property
    def _linear(self) -> FloatArray:
        linear = np.zeros((len(self.limits), self.rows.shape[1]))
        if self.growth is not None:
            linear[: len(self.growth), -1] = -self.growth
        return linear

    def bounds(
        self, walks: Sequence[Walk], columns: Sequence[FloatArray] = (), price: float = 1.0
    ) -> list[Bound]:
        """What walks prove: how far their models reach, and beyond what no model does.

        ``columns``: those that joined the set of each walk, (points, e), and what their weights
        count in the norm.
        """
        if not walks:
            return []
        space, multipliers = self.feasible.space, [walk.multipliers for walk in walks]
        own = np.array([each.T for each in columns] or np.empty((len(walks), 0, 0)))
        d = space.n_weights + own.shape[1]
        points = np.array([walk.point for walk in walks])
        claims = Claims(
            goals=np.array([walk.goal[:d] for walk in walks]),
            weights=points[:, :d],
            offsets=points[:, d:],
            multipliers=np.array([rows[: len(space.rows)] for rows, _ in multipliers]),
            prices=np.empty((len(walks), 0)),
            columns=own,
            price=price,
        )
        if self.restriction.is_none:
            return self._proved(
                claims, claims.dual_bound(self.feasible).within(self.feasible.budget)
            )
        low, high = self.restriction.low, self.restriction.high
        claims = replace(claims, weights=np.clip(claims.weights, low, high))
        bound = self._dual_bound_of_cut(claims, multipliers)
        return self._proved(claims, bound.within(self.feasible.budget))

    def _proved(self, claims: Claims, outer: FloatArray) -> list[Bound]:
        space, violation = self.feasible.space, self.feasible.excess
        broken = violation(claims.norms(space), claims.shortfalls(space))
        if not self.restriction.is_none:
            slack = _BROKEN * self.feasible.scale
            broken[~self.restriction.is_kept_by(claims.weights, slack)] = np.inf
        values = np.column_stack([claims.reached, outer, broken]).tolist()
        models = map(Model, claims.weights, claims.offsets)
        return [Bound.by(model, *each) for model, each in zip(models, values, strict=True)]

    def _dual_bound_of_cut(
        self, claims: Claims, multipliers: Sequence[tuple[FloatArray, FloatArray]]
    ) -> DualBound:
        """Weak duality, where limits of weights and totals have multipliers of their own.

        A limit adds its multiplier to the goal, and a total takes its own off the gradients.
        """
        space, n_totals = self.feasible.space, len(self.restriction.totals)
        m, d, first = len(space.rows), space.n_weights, len(self.limits) - n_totals
        of_rows = np.maximum([rows[m:] for rows, _ in multipliers], 0.0)
        of_totals = np.maximum([limits[first:] for _, limits in multipliers], 0.0)
        wider = claims.goals + of_rows @ self.rows[m:, :d]
        bound = replace(claims, goals=wider).dual_bound(self.feasible)
        taken = np.zeros_like(wider)
        for total, (positions, _) in enumerate(self.restriction.totals):
            taken[:, positions] += of_totals[:, [total]]
        steepest = (np.abs(bound.gradients) - taken / space.prices).max(axis=1, initial=0.0)
        spent = of_totals @ self.limits[first:] - of_rows @ self.margin[d + m :]
        return bound._replace(norm_worth=steepest, rest=bound.rest + spent)


def goes_to_best(corner: Any, best: Model, scale: float) -> bool:
    """Whether a corner, no cost of which has a limit, is found where the best model is.

    Pieces are on the sides they have there. Where more are zero than a model has numbers, their
    margins tell, if these are drawn apart.
    """
    point, d = np.r_[best.weights, best.offsets], len(best.weights)
    values = np.r_[best.weights, corner.rows @ point] - corner.margin
    near = np.flatnonzero(np.abs(values) <= _NEAR * max(scale, 1.0))
    zero = near[np.argsort(np.abs(values[near]), kind="stable")]
    if not kernel().find(corner, point, values, zero):
        return False
    kernel().corner(corner, point)
    values = np.r_[point[:d], corner.rows @ point] - corner.margin
    is_free = (corner.side != 0) & ~np.isneginf(corner.slopes[:, 0, 0])
    corner.side[is_free] = np.where(values[is_free] > 0, 1, -1)
    return bool(outward_kernel().settled(corner, STEPS * len(point)))


def limits_of(feasible: FeasibleSet) -> tuple[FloatArray, FloatArray, bool]:
    """Shares of norm and loss in limits, these, and whether no loss is allowed at all."""
    shares, limits, lossless = budget_shares(feasible)
    if feasible.budget.norm_price:  # the second limit follows from the first
        return shares[:1], limits[:1], lossless
    return shares, limits, lossless
