"""Where is the search for the end of a direction, and what did it meet on its way?

Walks go from corner to corner of a set of good models; ``corners`` says which sets. What they meet
proves nothing yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.feasible_set import Model

STEPS = 100
"""That a number of a model may cost."""


@dataclass(eq=False)
class Walk:
    """Where the search for the largest ``goal.w`` is: at a corner that no better model is beyond.

    ``outcome``: as ``kernels.corners`` has it.
    """

    corner: Any
    goal: FloatArray
    outcome: int

    @property
    def is_at_end(self) -> bool:
        """Whether the corner is the best one."""
        return bool(self.outcome == kernel().FOUND)

    @property
    def is_lost(self) -> bool:
        return bool(self.outcome == kernel().LOST)

    @property
    def falls_short(self) -> bool:
        """Whether the best corner reaches no further than was asked."""
        return bool(self.outcome == kernel().FALLS_SHORT)

    @property
    def point(self) -> FloatArray:
        """Weights and offsets of the corner."""
        point = np.empty(len(self.goal))
        kernel().corner(self.corner, point)
        return point

    @property
    def reached(self) -> float:
        return float(self.goal @ self.point)

    @property
    def multipliers(self) -> tuple[FloatArray, FloatArray]:
        """Of all rows, and of all limits."""
        of_pieces, of_limits = np.empty(len(self.corner.side)), np.empty(len(self.corner.at))
        kernel().multipliers(self.corner, self.goal, of_pieces, of_limits)
        return -of_pieces[len(of_pieces) - len(self.corner.rows) :], of_limits

    def turn_to(self, limits: FloatArray) -> "Walk":
        """Other limits, within which it is to go on."""
        self.corner.height[:] += limits - self.corner.limits
        self.corner.limits[:] = limits
        return self

    def go_on(self, below: float = -np.inf) -> "Walk":
        """To the best corner, or until it is clear that it reaches no further than that."""
        if not self.is_lost:
            most = STEPS * len(self.goal)
            self.outcome = kernel().descend(self.corner, self.goal, most, below)
        return self

    def along(
        self, limits: FloatArray, reached: float, below: FloatArray | None = None
    ) -> "Course":
        """Within limits that grow, (t, j), from one to the next.

        ``reached``: by a model within the first of them; once that is zero, no further than until
        it is clear that a corner reaches no further than ``below`` within its limits.
        """
        n_legs, n_pieces = len(limits), len(self.corner.side)
        points, worths = np.zeros((n_legs, len(self.goal))), np.empty((n_legs, n_pieces))
        proofs, outcomes = np.arange(n_legs), np.full(n_legs, kernel().LOST)
        if not self.is_lost:
            most = STEPS * len(self.goal)
            nothing = np.full(n_legs, -np.inf) if below is None else below
            met = points, worths, proofs, outcomes
            kernel().follow(self.corner, self.goal, most, reached, limits, nothing, *met)
            self.outcome = int(outcomes[-1])
        n_weights = n_pieces - len(self.corner.rows)
        return Course(self.goal, n_weights, points, worths, proofs, outcomes)


@dataclass(frozen=True, eq=False)
class Course:
    """What a walk met within each of some limits, a line each.

    Attributes
    ----------
    goal : (q,) array
    n_weights : int
        Of the q numbers the first ones.
    points : (t, q) array
        Weights and offsets.
    worths : (t, d + m) array
        Of all pieces, in the lines that ``proofs`` names, unless the walk was lost.
    proofs : (t,) int array
        The line whose multipliers say how far none reaches.
    outcomes : (t,) int array
    """

    goal: FloatArray
    n_weights: int
    points: FloatArray
    worths: FloatArray
    proofs: IntArray
    outcomes: IntArray

    def multipliers(self, legs: BoolArray) -> FloatArray:
        """Of all rows, within some of the limits; none where the walk was lost."""
        multipliers = -self.worths[legs, self.n_weights :]
        multipliers[self.is_lost[legs]] = 0.0
        return multipliers

    @property
    def is_at_end(self) -> BoolArray:
        at_end: BoolArray = self.outcomes == kernel().FOUND
        return at_end

    @property
    def is_lost(self) -> BoolArray:
        lost: BoolArray = self.outcomes == kernel().LOST
        return lost

    @property
    def falls_short(self) -> BoolArray:
        short: BoolArray = self.outcomes == kernel().FALLS_SHORT
        return short

    @property
    def models(self) -> list[Model]:
        d = self.n_weights
        return [Model(each[:d], each[d:]) for each in self.points]

    @property
    def reached(self) -> FloatArray:
        """How far within each of the limits; minus infinity where that is not known."""
        reached: FloatArray = np.where(self.is_at_end, self.points @ self.goal, -np.inf)
        return reached


def tangents(walks: Sequence[Walk], limits: FloatArray) -> list[float]:
    """What no model within limits passes by what is known where walks are, up to rounding."""
    return [-np.inf if walk.is_lost else walk.turn_to(limits).reached for walk in walks]


def kernel() -> Any:
    assert kernels.corners is not None, "walks are made where they suit"
    return kernels.corners


def outward_kernel() -> Any:
    assert kernels.outward is not None, "walks are made where they suit"
    return kernels.outward
