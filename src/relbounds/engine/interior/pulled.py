"""Answers where weights are many: pulls from the best model, and interior points behind them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.interior.directions import DirectedSearch, Direction
from relbounds.engine.interior.search import InteriorSearch
from relbounds.engine.proof import TIGHT, Bound, prove
from relbounds.engine.pull import Pulls


@dataclass(frozen=True, eq=False)
class Begun:
    """Where questions start: at the corner of the best model; None: it is at none."""

    corner: Any


class PulledSearch(DirectedSearch):
    """Good models around a best one, ready to be asked how far weights reach."""

    def __init__(self, feasible: FeasibleSet, start: Begun | None) -> None:
        super().__init__(feasible)
        self._pulls = Pulls(feasible, start and start.corner)
        self.start = Begun(self._pulls.corner)

    @cached_property
    def _behind(self) -> InteriorSearch:
        return InteriorSearch(self.feasible, None)

    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        """What pulls do not prove, interior points are asked for; pairs stay together."""
        size = 2 if paired else 1
        found = {}
        for first in range(0, len(directions), size):
            some = directions[first : first + size]
            bounds = self._pair(some, price) if paired else [self._bound(some[0], price)]
            if None not in bounds:
                found[first] = bounds
        missing = [first for first in range(0, len(directions), size) if first not in found]
        if missing:
            asked = [each for first in missing for each in directions[first : first + size]]
            bounds = self._behind.answer(asked, price, paired=paired)
            found |= {
                first: bounds[size * i : size * (i + 1)] for i, first in enumerate(missing)
            }
        return [bound for first in sorted(found) for bound in found[first]]

    def _pair(self, directions: list[Direction], price: float) -> list[Bound | None]:
        """Both ends; of the one that promises less no more than that it falls short, if it does."""
        promised = [self._pulls.promise(each.goal, each.columns) for each in directions]
        order = [0, 1] if promised[0] >= promised[1] else [1, 0]
        first = self._bound(directions[order[0]], price)
        if first is None:
            return [None, None]
        second = self._bound(directions[order[1]], price, below=first.inner)
        found = [first, second]
        return [found[place] for place in order]

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
