"""Best models of wide tables: the loss gets dearer, and the model walks from corner to corner.

It begins without weights, where the loss costs so little that none is worth its price.
"""

from functools import cached_property
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.feasible_set import NORM_PRICE, Model, ModelSpace
from relbounds.engine.interior.path import InteriorPath
from relbounds.engine.protocols import Proposal
from relbounds.engine.pull import (
    MOST_POINTS,
    entries,
    ground_of,
    independent,
    place_of,
    pulled_on,
    settled,
)
from relbounds.engine.working_set import FEW_WEIGHTS

_MISSED = 1e-8  # of a margin: by which a row that has to be kept may be, where a walk begins
_COSTS = np.eye(2), np.full(2, np.inf)


class PulledPath:
    """Minimisers of ``norm / 2 + C loss``, one after another."""

    def __init__(self, space: ModelSpace) -> None:
        self.space = space

    @staticmethod
    def suits(space: ModelSpace) -> bool:
        """Whether weights are many, and more than points."""
        n = len(space.points)
        is_wide = n <= MOST_POINTS and space.n_weights > max(FEW_WEIGHTS, n)
        return kernels.pull is not None and is_wide and space.blocks.count == 1

    def solve(self, C: float, *, cold: bool) -> Proposal:
        """The best model at C and the rows' multipliers, unproved; if cold, by interior points."""
        if cold:
            return self._behind.solve(C, cold=True)
        return self.solve_many(np.array([C]))[0]

    def solve_many(self, Cs: FloatArray) -> list[Proposal]:
        """The same for many values of C in ascending order, as long as the walk is not lost."""
        found = self._walk(Cs)
        if len(found) < len(Cs):
            found += self._behind.solve_many(Cs[len(found) :])
        return found

    @cached_property
    def _behind(self) -> InteriorPath:
        return InteriorPath(self.space)

    def _walk(self, Cs: FloatArray) -> list[Proposal]:
        ground = ground_of(self.space, *_COSTS)
        place, found = self._first_place(ground, float(Cs[0])), list[Proposal]()
        if place is None:
            return found
        nothing, rates = np.zeros(len(place.x)), np.array([0.0, 1.0])
        for C in Cs.tolist():
            place.pull[0] = place.prices[1]
            if place.prices[1] < C and not pulled_on(ground, place, nothing, rates, until=C):
                break
            d = len(ground.worth)
            found.append((Model(place.x[:d].copy(), place.x[d:].copy()), place.multipliers.copy()))
        return found

    def _first_place(self, ground: Any, C: float) -> Any:
        """Without weights, some rows at their hinge, and then the best at C; None: unknown."""
        none = np.empty(0, dtype=np.int64)
        for sign in (-1, 1):
            rows = self._alike(sign)
            tied = rows[independent(entries(ground, rows, none))]
            if len(tied) != ground.offsets.shape[1]:
                continue
            place = place_of(ground, none, tied)
            place.prices[:] = NORM_PRICE, C
            if self._keeps_rows(place) and settled(ground, place):
                return place
        return None

    def _alike(self, sign: int) -> IntArray:
        """Rows that may be missed and speak of offsets with one sign: these keep their order."""
        rows = self.space.rows
        speaks = (rows.offset_matrix * sign).max(axis=1).toarray().ravel() > 0
        return np.flatnonzero(speaks & ~rows.must_hold)

    def _keeps_rows(self, place: Any) -> bool:
        d = self.space.n_weights
        return self.space.row_violation(Model(place.x[:d], place.x[d:])) <= _MISSED
