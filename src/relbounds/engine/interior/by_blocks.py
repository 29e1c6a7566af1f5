"""How far does a direction reach, where blocks of weights have only their budget in common?

A question about one block needs all of that one. All others only leave it more or less of the
budget, each near the best that it can do: they take part with few rows and weights. What they lack
is let in where a proof, which is always one of the whole, shows that it matters.
"""

from dataclasses import replace

import numpy as np

from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.highs.engine import Simplex
from relbounds.engine.interior.directions import DirectedSearch, Direction
from relbounds.engine.interior.search import InteriorSearch, Middle, model_inside
from relbounds.engine.proof import Bound

_SEVERAL = -1  # instead of a block: of all blocks little is needed


class BlockSearch(DirectedSearch):
    """A search about each block, and one about several; ``start``: where those begin."""

    def __init__(self, feasible: FeasibleSet, start: dict[int, Middle] | None) -> None:
        if feasible.witness is None:
            cheapest = Simplex().prepare(feasible).start.model
            feasible = replace(feasible, witness=model_inside(feasible, cheapest))
        super().__init__(feasible)
        self._starts, self._parts = start or {}, dict[int, InteriorSearch]()

    @property
    def start(self) -> dict[int, Middle]:
        return {block: self._part(block).start for block in range(self.feasible.space.blocks.count)}

    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        blocks = np.array([self._block_of(each) for each in directions])
        found: dict[int, Bound] = {}
        for block in np.unique(blocks).tolist():
            lines, part = np.flatnonzero(blocks == block).tolist(), self._part(block)
            some = [directions[line] for line in lines]
            found |= zip(lines, part.answer(some, price, paired=paired), strict=True)
            part.start = part.latest  # what was let in stays for the next questions
        return [found[line] for line in range(len(directions))]

    def _block_of(self, direction: Direction) -> int:
        """The one that a goal is about."""
        blocks, d = self.feasible.space.blocks, self.feasible.space.n_weights
        columns = direction.columns[:, direction.goal[d:] != 0]
        asked = np.union1d(
            blocks.of_weights[direction.goal[:d] != 0], blocks.of_points[columns.any(axis=1)]
        )
        return int(asked[0]) if len(asked) == 1 else _SEVERAL

    def _part(self, block: int) -> InteriorSearch:
        if block not in self._parts:
            self._parts[block] = InteriorSearch(self.feasible, self._starts.get(block), block)
        return self._parts[block]
