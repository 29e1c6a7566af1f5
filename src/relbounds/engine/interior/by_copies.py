"""How far does a direction reach, where many columns are copies of each other?

Two of each take part: the one that is asked about, and another one in the place of all others. What
that proves holds for all of them, since their gradients are the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from relbounds.arrays import IntArray
from relbounds.engine.feasible_set import FeasibleSet, Model
from relbounds.engine.interior.by_blocks import BlockSearch
from relbounds.engine.interior.directions import DirectedSearch, Direction
from relbounds.engine.interior.pulled import PulledSearch
from relbounds.engine.interior.search import InteriorSearch
from relbounds.engine.proof import MOST_KEPT, Bound

PreparedSearch = InteriorSearch | BlockSearch | PulledSearch
Prepare = Callable[[FeasibleSet, Any], PreparedSearch]


@dataclass(frozen=True, eq=False)
class Fewer:
    """A set of which two copies of each column are left, and where questions about it start."""

    feasible: FeasibleSet
    start: Any


class CopySearch(DirectedSearch):
    """Good models, asked about by way of two of each column's copies.

    ``prepare`` makes sets ready as if no column was a copy.
    """

    def __init__(self, feasible: FeasibleSet, start: Fewer | None, prepare: Prepare) -> None:
        super().__init__(feasible)
        self._prepare, self._copies = prepare, feasible.space.copies
        self._kept = np.flatnonzero(self._copies.two_of_each)
        fewer = start or Fewer(self._with_fewer, None)
        self._search = prepare(fewer.feasible, fewer.start)
        self.start = Fewer(fewer.feasible, self._search.start)

    @property
    def _with_fewer(self) -> FeasibleSet:
        witness = self.feasible.witness
        if witness is not None:
            weights = self._copies.folded(witness.weights)[self._kept]
            witness = Model(weights, witness.offsets)
        return replace(self.feasible, space=self.feasible.space.with_two_of_each, witness=witness)

    @cached_property
    def _with_all(self) -> PreparedSearch:
        return self._prepare(self.feasible, None)

    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        """What is the same question of two copies is asked once; pairs stay together.

        Where a goal is about several copies, all have to take part.
        """
        asked = [self._copies_in(each) for each in directions]
        if any(len(np.unique(self._copies.first[some])) < len(some) for some in asked):
            return self._with_all.answer(directions, price, paired=paired)
        fewer = [self._of_first(*each) for each in zip(directions, asked, strict=True)]
        size = 2 if paired else 1
        pieces = [fewer[first : first + size] for first in range(0, len(fewer), size)]
        keys = [(some[0].goal.tobytes(), some[0].columns.tobytes()) for some in pieces]
        distinct = dict(zip(keys, pieces, strict=True))
        bounds = iter(self._search.answer(list(chain(*distinct.values())), price, paired=paired))
        known = {key: [next(bounds) for _ in some] for key, some in distinct.items()}
        found = [bound for key in keys for bound in known[key]]
        return [self._of_all(*each) for each in zip(found, asked, strict=True)]

    def _copies_in(self, direction: Direction) -> IntArray:
        """The weights in a goal that have copies, or are some."""
        goal = direction.goal[: self.feasible.space.n_weights]
        has_copies = self._copies.second != self._copies.first
        return np.flatnonzero((goal != 0) & has_copies)

    def _of_first(self, direction: Direction, asked: IntArray) -> Direction:
        """The same about the first of copies."""
        goal, copies, d = direction.goal.copy(), self._copies, self.feasible.space.n_weights
        values = copies.sign[asked] * goal[asked]
        goal[asked] = 0.0
        goal[copies.first[asked]] = values
        return Direction(np.r_[goal[self._kept], goal[d:]], direction.columns)

    def _of_all(self, bound: Bound, asked: IntArray) -> Bound:
        """The same with a model of all weights: those that were asked about have theirs."""
        if bound.model is None:
            return bound
        d, found = self.feasible.space.n_weights, bound.model.weights
        weights = np.zeros(d + len(found) - len(self._kept))
        weights[self._kept], weights[d:] = found[: len(self._kept)], found[len(self._kept) :]
        for column in asked.tolist():
            weights[:d] = self._copies.given(weights[:d], column)
        model = Model(weights, bound.model.offsets)
        return replace(bound, model=model if len(weights) <= MOST_KEPT else None)
