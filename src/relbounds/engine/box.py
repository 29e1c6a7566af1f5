"""How far can each weight and each offset be from zero in a good model?

Multipliers are right up to rounding. What they lack at a weight is paid for with all of the norm,
and at an offset with all that the norm allows scores to be, which in a joint budget with a large C
is up to a million times what any good model has. Paid for with a box around the good models, the
same multipliers prove a thousand times as much. The box is made of what they prove by themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.polishing import polished
from relbounds.engine.proof import DualBound, dual_bound, exact_dual_bound

MOST_WEIGHTS = 200
"""Up to which a box is worth its programs, two for each weight."""
_ROUNDS = 3  # the first finds the box, the others take off what rounding had added to it


@dataclass(frozen=True, eq=False)
class Box:
    """``|w_k| <= most_k`` and ``low <= b <= high`` for all good models."""

    feasible: FeasibleSet
    most: FloatArray
    offsets: tuple[FloatArray, FloatArray]

    @classmethod
    def around(cls, feasible: FeasibleSet, solve: Callable[[FloatArray], FloatArray]) -> "Box":
        """Of a set, and of what gives multipliers that nearly prove how far a goal reaches."""
        space, share = feasible.space, feasible.budget.norm_share
        units = np.eye(space.n_weights)
        goals = np.concatenate([units, -units])
        found = [solve(goal) for goal in goals]
        exact = [
            polished(space, each, goal, share) for each, goal in zip(found, goals, strict=True)
        ]
        box, both = cls.of_norm(feasible), np.array(found + exact)
        for _ in range(_ROUNDS):
            outer = box.outer(np.concatenate([goals, goals]), both)
            box = box.narrowed(np.fmin.reduce(outer.reshape(2, 2, -1)).max(axis=0))
        return box

    @classmethod
    def of_norm(cls, feasible: FeasibleSet) -> "Box":
        """What the norm allows."""
        most = feasible.budget.norm_limit / feasible.space.prices
        return cls(feasible, most, feasible.offset_box)

    def narrowed(self, most: FloatArray) -> "Box":
        """The same, if weights are known to be no larger than that either."""
        space, budget = self.feasible.space, self.feasible.budget
        most = np.fmin(self.most, np.maximum(most, 0.0))
        reach = np.minimum(space.reach * budget.norm_limit, np.abs(space.points) @ most)
        return replace(self, most=most, offsets=space.rows.offset_box(reach, budget.loss_limit))

    def outer(self, goals: FloatArray, multipliers: FloatArray) -> FloatArray:
        """What no good model passes, line by line, with all that rounding can have taken off."""
        bound = dual_bound(self.feasible.space, multipliers, goals, self.offsets)
        return self.within(bound) + np.abs(multipliers) @ self._rounding

    def exact(self, goal: FloatArray, multipliers: FloatArray) -> DualBound:
        """What multipliers prove of one goal, by sums that are rounded once."""
        return exact_dual_bound(self.feasible.space, multipliers, goal, self.offsets)

    def within(self, bound: DualBound) -> FloatArray:
        """What no good model passes: gradients are paid for with the norm, and beyond with the box.

        Up to the worth of the norm at which that is least.
        """
        budget, steep = self.feasible.budget, np.abs(bound.gradients)
        worths = np.column_stack([steep, budget.norm_share * bound.loss_worth])
        values = [
            budget.most(worth, bound.loss_worth)
            + np.maximum(steep - worth[:, None], 0.0) @ (self.feasible.space.prices * self.most)
            for worth in worths.T
        ]
        outer: FloatArray = np.fmin.reduce(values) + bound.rest
        return outer

    @cached_property
    def _rounding(self) -> FloatArray:
        """What it can take off in each row, for a multiplier of one: all terms of a row count."""
        rows, points = self.feasible.space.rows, self.feasible.space.points
        of_offsets = np.abs(rows.offset_matrix) @ np.maximum(*np.abs(self.offsets))
        of_weights = (np.abs(points) @ self.most)[rows.point] * np.abs(rows.sign)
        terms: FloatArray = np.abs(rows.margin) + of_offsets + of_weights
        return len(rows) * np.finfo(np.float64).eps * terms
