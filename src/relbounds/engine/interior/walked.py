"""Answers where programs are small: walks from the best model outward."""

from collections.abc import Iterator, Sequence
from itertools import chain

from relbounds.arrays import BoolArray
from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.interior.tried import Asked, TriedSearch
from relbounds.engine.outward import Outward, may_be_joined, walked
from relbounds.engine.proof import TIGHT, Bound, Claims, prove
from relbounds.engine.walks import kernel

_BATCH = 400_000  # multipliers that are held and proved together


class WalkedSearch(TriedSearch):
    """Good models around a best one, which is at a corner."""

    def __init__(self, feasible: FeasibleSet, start: Outward) -> None:
        super().__init__(feasible)
        self.start = start

    def tried(
        self, asked: Sequence[Asked], price: float, *, paired: bool
    ) -> Sequence[list[Bound] | None]:
        if not may_be_joined(self.feasible.space, asked[0][0].columns.shape[1]):
            return [None] * len(asked)
        return list(chain(*(self._found(some, price, paired) for some in self._batches(asked))))

    def _batches(self, asked: Sequence[Asked]) -> Iterator[Sequence[Asked]]:
        size = max(1, _BATCH // (2 * len(self.feasible.space.rows)))
        return (asked[first : first + size] for first in range(0, len(asked), size))

    def _found(
        self, asked: Sequence[Asked], price: float, paired: bool
    ) -> Iterator[list[Bound] | None]:
        claims, outcomes = walked(
            self.feasible, self.start, list(chain(*asked)), price, paired=paired
        )
        is_short = outcomes == kernel().FALLS_SHORT
        bounds = prove(self.feasible, self._by_best(claims, is_short), paired=paired).bounds
        is_proved = (outcomes != kernel().LOST) & [
            self.falls_short(bound, bounds[line ^ 1]) if is_short[line] else self._is_end(bound)
            for line, bound in enumerate(bounds)
        ]
        size = len(asked[0])
        for first in range(0, len(bounds), size):
            some = slice(first, first + size)
            yield bounds[some] if is_proved[some].all() else None

    def _is_end(self, bound: Bound) -> bool:
        """Whether it is proved, and its model exceeds no limit by a share of that limit.

        Where hardly any loss is allowed, margins drawn apart weigh more than the limit.
        """
        feasible = self.feasible
        share = feasible.budget.limit / feasible.cost_unit or 1.0
        return bound.violation <= TIGHT * share and bound.is_tight(feasible.scale)

    def _by_best(self, claims: Claims, lines: BoolArray) -> Claims:
        """The same with the best model, where a walk has not got to one that is good."""
        best, weights, offsets = self.feasible.witness, claims.weights, claims.offsets
        assert best is not None, "walks begin there"
        weights[lines, : len(best.weights)], offsets[lines] = best.weights, best.offsets
        weights[lines, len(best.weights) :] = 0.0
        return claims
