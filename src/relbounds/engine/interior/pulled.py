"""Answers where weights are many: pulls from the best model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.interior.directions import Direction
from relbounds.engine.interior.tried import Asked, TriedSearch
from relbounds.engine.proof import TIGHT, Bound, prove
from relbounds.engine.pull import Pulls


@dataclass(frozen=True, eq=False)
class Begun:
    """Where questions start: at the corner of the best model; None: it is at none."""

    corner: Any


class PulledSearch(TriedSearch):
    """Good models around a best one, ready to be asked how far weights reach."""

    def __init__(self, feasible: FeasibleSet, start: Begun | None) -> None:
        super().__init__(feasible)
        self._pulls = Pulls(feasible, start and start.corner)
        self.start = Begun(self._pulls.corner)

    def tried(
        self, asked: Sequence[Asked], price: float, *, paired: bool
    ) -> Sequence[list[Bound] | None]:
        ask = self._pair if paired else self._single
        return [ask(some, price) for some in asked]

    def _single(self, directions: list[Direction], price: float) -> list[Bound] | None:
        bound = self._bound(directions[0], price)
        return None if bound is None else [bound]

    def _pair(self, directions: list[Direction], price: float) -> list[Bound] | None:
        """Both ends; of the one that promises less no more than that it falls short, if it does."""
        promised = [self._pulls.promise(each.goal, each.columns) for each in directions]
        order = [0, 1] if promised[0] >= promised[1] else [1, 0]
        further = self._bound(directions[order[0]], price)
        if further is None:
            return None
        other = self._bound(directions[order[1]], price, below=further.inner)
        return None if other is None else [(further, other)[place] for place in order]

    def _bound(self, direction: Direction, price: float, below: float = -np.inf) -> Bound | None:
        """Proved, or None; it may fall short of what was asked."""
        pulled = self._pulls.reach(direction.goal, direction.columns, price, below=below)
        if pulled is None:
            return None
        bound = prove(self.feasible, pulled.claims).bounds[0]
        slack = TIGHT * self.feasible.scale
        if pulled.falls_short and bound.violation <= TIGHT and bound.outer <= below + slack:
            return bound
        return bound if bound.is_tight(self.feasible.scale) else None
