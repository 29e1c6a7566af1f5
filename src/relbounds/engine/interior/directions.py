"""Which directions do questions about weights ask for, and what do their answers say of weights?"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import FeasibleSet, unit_goal
from relbounds.engine.proof import TIGHT, Bound, WeightRange


@dataclass(frozen=True, eq=False)
class Direction:
    """How large does ``goal.w`` get? Some of the weights may be those of columns of its own.

    ``goal``: (d + e,) array; ``columns``: (n, e) array of points, e = 0 if all weights are the
    set's.
    """

    goal: FloatArray
    columns: FloatArray


class DirectedSearch(ABC):
    """A search whose questions are all about directions, asked together."""

    def __init__(self, feasible: FeasibleSet) -> None:
        self.feasible = feasible

    @abstractmethod
    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        """Proved bounds; in pairs, as far as the larger one of two needs them.

        ``price``: what weights of own columns count in the norm.
        """

    def falls_short(self, bound: Bound, neighbour: Bound) -> bool:
        """Whether a program is on the other side of zero than its neighbour, and exceeds it not."""
        return (
            bound.inner >= 0
            and bound.violation <= TIGHT
            and bound.outer <= neighbour.inner + TIGHT * self.feasible.scale
        )

    def ranges(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, both ends proved."""
        return _ranges(self.answer(self._both_ends(weights), 1.0, paired=False))

    def relevances(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, as far as the least and largest ``|w|`` need it."""
        return _ranges(self.answer(self._both_ends(weights), 1.0, paired=True))

    def extremes(self, goals: FloatArray) -> list[Bound]:
        """The largest ``goal.w`` for each goal, proved."""
        return self.answer(self._directions(goals), 1.0, paired=False)

    def appended(
        self, columns: Sequence[FloatArray], price: float, asked: Sequence[int] | None = None
    ) -> list[list[WeightRange]]:
        """The same for some weights of columns that join the set, each (n, e) for itself."""
        d, e = self.feasible.space.n_weights, columns[0].shape[1]
        asked = range(e) if asked is None else asked
        units = np.eye(e, d + e, d)[list(asked)]
        directions = [
            Direction(sign * unit, each) for each in columns for unit in units for sign in (-1, 1)
        ]
        ranges = _ranges(self.answer(directions, price, paired=True))
        size = len(asked)
        return [ranges[first : first + size] for first in range(0, len(ranges), size)]

    def _both_ends(self, weights: Sequence[int]) -> list[Direction]:
        space = self.feasible.space
        return self._directions([unit_goal(space, k, sign) for k in weights for sign in (-1, 1)])

    def _directions(self, goals: Iterable[FloatArray]) -> list[Direction]:
        none = np.empty((len(self.feasible.space.points), 0))
        return [Direction(goal, none) for goal in goals]


def _ranges(bounds: list[Bound]) -> list[WeightRange]:
    return [WeightRange(*pair) for pair in zip(bounds[::2], bounds[1::2], strict=True)]
