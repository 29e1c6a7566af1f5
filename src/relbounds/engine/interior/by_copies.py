"""How far does a direction reach, where columns are copies of each other?

One of each takes part, since it can do what all can. A copy that is asked about joins them like a
column of the question's own. What that proves holds with all copies: their gradients are the same.
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
from relbounds.engine.interior.walked import WalkedSearch
from relbounds.engine.proof import MOST_KEPT, Bound

PreparedSearch = InteriorSearch | BlockSearch | PulledSearch | WalkedSearch
Prepare = Callable[[FeasibleSet, Any], PreparedSearch]


@dataclass(frozen=True, eq=False)
class Fewer:
    """A set of which one of each column's copies is left, and where questions about it start."""

    feasible: FeasibleSet
    start: Any


class CopySearch(DirectedSearch):
    """Good models, asked about by way of one of each column's copies.

    ``prepare`` makes sets ready as if no column was a copy.
    """

    def __init__(self, feasible: FeasibleSet, start: Fewer | None, prepare: Prepare) -> None:
        super().__init__(feasible)
        self._prepare, self._copies = prepare, feasible.space.copies
        self._kept = np.flatnonzero(self._copies.is_first)
        fewer = start or Fewer(self._with_fewer, None)
        self._search = prepare(fewer.feasible, fewer.start)
        self.start = Fewer(fewer.feasible, self._search.start)

    @property
    def _with_fewer(self) -> FeasibleSet:
        witness = self.feasible.witness
        if witness is not None:
            weights = self._copies.folded(witness.weights)[self._kept]
            witness = Model(weights, witness.offsets)
        return replace(self.feasible, space=self.feasible.space.with_one_of_each, witness=witness)

    @cached_property
    def _with_all(self) -> PreparedSearch:
        return self._prepare(self.feasible, None)

    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        """Where a goal is about a copy and about other weights, all copies have to take part."""
        d = self.feasible.space.n_weights
        asked = np.array([each.goal != 0 for each in directions])
        about_copies = (asked[:, :d] & self._copies.have_copies).any(axis=1)
        if (about_copies & (asked.sum(axis=1) > 1)).any():
            return self._with_all.answer(directions, price, paired=paired)
        copies = np.where(about_copies, asked.argmax(axis=1), -1)
        prices = np.where(about_copies, self.feasible.space.prices[copies], price)
        found: dict[int, Bound] = {}
        for kind in np.unique([about_copies, prices], axis=1).T:
            lines = np.flatnonzero(((about_copies, prices) == kind[:, None]).all(axis=0)).tolist()
            of_first = [self._of_first(directions[i], int(copies[i])) for i in lines]
            bounds = self._asked_once(of_first, float(kind[1]), paired=paired)
            found |= zip(lines, bounds, strict=True)
        return [self._of_all(found[i], int(copies[i])) for i in range(len(directions))]

    def _of_first(self, direction: Direction, copy: int) -> Direction:
        """The same about the first of copies, which joins itself."""
        goal, space = direction.goal, self.feasible.space
        if copy < 0:
            return Direction(goal[self._places(len(goal))], direction.columns)
        own = np.zeros(len(self._kept) + 1)
        own[-1] = self._copies.sign[copy] * goal[copy]
        return Direction(own, space.points[:, [self._copies.first[copy]]])

    def _asked_once(
        self, directions: list[Direction], price: float, *, paired: bool
    ) -> list[Bound]:
        """What is the same question of two copies is asked once; pairs stay together."""
        size = 2 if paired else 1
        pieces = [directions[first : first + size] for first in range(0, len(directions), size)]
        keys = [(some[0].goal.tobytes(), some[0].columns.tobytes()) for some in pieces]
        distinct = dict(zip(keys, pieces, strict=True))
        bounds = iter(self._search.answer(list(chain(*distinct.values())), price, paired=paired))
        known = {key: [next(bounds) for _ in some] for key, some in distinct.items()}
        return [bound for key in keys for bound in known[key]]

    def _of_all(self, bound: Bound, copy: int) -> Bound:
        """The same with a model of all weights: a copy that was asked about has its own."""
        if bound.model is None:
            return bound
        found, d, n_kept = bound.model.weights, self.feasible.space.n_weights, len(self._kept)
        weights = np.zeros(d + len(found) - n_kept)
        weights[self._places(len(weights))] = found
        if copy >= 0:
            weights = self._copies.given(weights[:d], copy, weights[d])
        model = Model(weights, bound.model.offsets)
        return replace(bound, model=model if len(weights) <= MOST_KEPT else None)

    def _places(self, n_weights: int) -> IntArray:
        """Of the weights that take part among all, own ones last."""
        return np.concatenate([self._kept, np.arange(self.feasible.space.n_weights, n_weights)])
