"""Answers that are tried for in another way first; interior points stand behind them."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

from relbounds.engine.interior.directions import DirectedSearch, Direction
from relbounds.engine.interior.search import InteriorSearch
from relbounds.engine.proof import Bound

Asked = list[Direction]
"""One direction, or a pair."""


class TriedSearch(DirectedSearch):
    """A search that may not prove all that it is asked for."""

    @cached_property
    def _behind(self) -> InteriorSearch:
        return InteriorSearch(self.feasible, None)

    @abstractmethod
    def tried(
        self, asked: Sequence[Asked], price: float, *, paired: bool
    ) -> Sequence[list[Bound] | None]:
        """Proved bounds of each direction or pair; None where they were not found."""

    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        """What is not found, interior points are asked for; pairs stay together."""
        size = 2 if paired else 1
        asked = [directions[first : first + size] for first in range(0, len(directions), size)]
        found = list(self.tried(asked, price, paired=paired))
        lost = [i for i, bounds in enumerate(found) if bounds is None]
        if lost:
            rest = [each for i in lost for each in asked[i]]
            behind = iter(self._behind.answer(rest, price, paired=paired))
            for i in lost:
                found[i] = [next(behind) for _ in asked[i]]
        return [bound for bounds in found for bound in bounds or ()]
