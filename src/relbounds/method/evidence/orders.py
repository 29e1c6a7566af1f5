"""How often would the samples in another order tell as much? Orders are drawn.

Sums of products of ranks and scores, where all orders of the samples are equally likely. Both parts
add up to nothing, so an order has to say only where those samples go that do not have the usual
value: of rare values, which are what is drawn for, a small part.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import stdtr

from relbounds.arrays import FloatArray, IntArray

_DRAWS = (500, 19_500)
_ENOUGH_REACHED = 25  # of the first draws that reach as far: the p-value is not small
_NUMBERS_AT_A_TIME = 2_000_000
_FEW_VALUES = 20  # of a column, or of the outcome: orders are tables of counts
_ROUNDING = 1e-9


class Orders:
    """All orders of the samples, equally likely.

    ``ranks`` (n, columns) and ``scores`` (n, scores) add up to nothing.
    """

    def __init__(self, ranks: FloatArray, scores: FloatArray) -> None:
        self._ranks, self._scores, self.n = ranks, scores, len(scores)
        self._to_apart = apart(scores)
        single = scores[:, 0]
        spread = (single @ single if scores.shape[1] == 1 else 1.0) / (self.n - 1)
        self._precision = np.linalg.pinv(ranks.T @ ranks, hermitian=True) / (spread or 1.0)
        self._observed = float(self._size((scores.T @ ranks)[None])[0])

    def _size(self, totals: FloatArray) -> FloatArray:
        """Of ``(draws, scores, columns)`` sums of products."""
        own = np.einsum("sa,bsi->bai", self._to_apart, totals)
        lines = own.reshape(-1, own.shape[2])
        sizes: FloatArray = np.einsum("bi,ij,bj->b", lines, self._precision, lines)
        together: FloatArray = sizes.reshape(len(totals), -1).sum(axis=1)
        return together

    @property
    def by_normal_theory(self) -> float:
        """Student's t of the correlation of one column with one score, chi-square of several."""
        if self._ranks.shape[1] > 1 or self._scores.shape[1] > 1:
            degrees = np.linalg.matrix_rank(self._ranks) * self._to_apart.shape[1]
            return float(stats.chi2.sf(self._observed, degrees))
        return float(by_student(np.array(self._observed / (self.n - 1)), self.n))

    def reaching(self, totals: FloatArray) -> int:
        """How many of some sums of products reach as far as those that were observed."""
        return int((self._size(totals) >= self._observed * (1 - _ROUNDING)).sum())

    @cached_property
    def _values(self) -> list[tuple[FloatArray, IntArray]]:
        """Different values of all columns together and of scores, and how often they occur."""
        return [np.unique(each, axis=0, return_counts=True) for each in (self._ranks, self._scores)]

    @property
    def has_few_values(self) -> bool:
        """So that orders are tables of counts."""
        return all(len(values) <= _FEW_VALUES for values, _ in self._values)

    def tables(self, count: int, random_state: np.random.RandomState) -> FloatArray:
        """Sums of products in tables with the same margins: how often values meet."""
        (ranks, of_ranks), (scores, of_scores) = self._values
        tables = stats.random_table(of_ranks, of_scores).rvs(count, random_state=random_state)
        totals: FloatArray = np.einsum("ri,brs,st->bti", ranks, tables, scores)
        return totals

    @cached_property
    def _unusual(self) -> tuple[FloatArray, FloatArray]:
        """How far ranks and scores of samples are from the usual ones, where they are not those."""
        moved = [
            lines - values[np.argmax(counts)]
            for lines, (values, counts) in zip(
                (self._ranks, self._scores), self._values, strict=True
            )
        ]
        ranks, scores = (each[each.any(axis=1)] for each in moved)
        return ranks, scores

    @property
    def n_placed(self) -> int:
        """Of how many samples an order has to say where they go."""
        return min(len(each) for each in self._unusual)

    @property
    def size(self) -> int:
        """Numbers that an order looks at."""
        widest = max(self._ranks.shape[1], self._scores.shape[1])
        return self.n_placed * int(widest)

    def placed(self, places: IntArray) -> FloatArray:
        """Sums of products in orders of which each line says where the first samples go."""
        ranks, scores = self._unusual
        first = places[:, : self.n_placed]
        if len(ranks) > len(scores):
            return scores.T @ self._ranks[first]
        totals: FloatArray = (ranks.T @ self._scores[first]).swapaxes(1, 2)
        return totals


def by_drawing(tests: Sequence[Orders]) -> FloatArray:
    """``(1 + draws that reach as far) / (1 + draws)``, always with the same draws.

    Tests of the same samples share them, unless few values have a quicker way.
    """
    p = np.empty(len(tests))
    few = [k for k, test in enumerate(tests) if test.has_few_values]
    for k in few:
        draw = partial(tests[k].tables, random_state=np.random.RandomState(0))
        p[k] = _shares([tests[k]], draw, lambda _, totals: totals, 1)[0]
    placing = [k for k in range(len(tests)) if k not in few]
    if placing:
        p[placing] = _by_places([tests[k] for k in placing])
    return p


def _by_places(tests: Sequence[Orders]) -> FloatArray:
    most = max(each.n_placed for each in tests)
    draw = partial(_places, np.random.default_rng(0), tests[0].n, most)
    return _shares(tests, draw, Orders.placed, max(each.size for each in tests))


def _shares(
    tests: Sequence[Orders],
    draw: Callable[[int], Any],
    totals_of: Callable[[Orders, Any], FloatArray],
    size: int,
) -> FloatArray:
    """Of draws, each of this size, that reach as far; few draws where that is not rare."""
    p, reached, drawn = np.ones(len(tests)), [0] * len(tests), 0
    pending = list(range(len(tests)))
    for wanted in _DRAWS:
        while pending and drawn < wanted:
            some = min(wanted - drawn, max(1, _NUMBERS_AT_A_TIME // max(size, 1)))
            orders = draw(some)
            for k in pending:
                reached[k] += tests[k].reaching(totals_of(tests[k], orders))
            drawn += some
        p[pending] = [(1 + reached[k]) / (1 + drawn) for k in pending]
        pending = [k for k in pending if reached[k] < _ENOUGH_REACHED]
    return p


def _places(random: np.random.Generator, n: int, most: int, count: int) -> IntArray:
    return np.array([random.choice(n, most, replace=False) for _ in range(count)])


def apart(scores: FloatArray) -> FloatArray:
    """What turns several scores into ones of size one that have nothing to do with each other.

    A single one stays as it is. Those of classes add up to nothing, so that one fewer is left.
    """
    if scores.shape[1] == 1:
        return np.ones((1, 1))
    squares, ways = np.linalg.eigh(scores.T @ scores)
    kept = squares > _ROUNDING * squares.max(initial=0.0)
    ways_apart: FloatArray = ways[:, kept] / np.sqrt(squares[kept])
    return ways_apart


def by_student(share: FloatArray, n: int) -> FloatArray:
    """By Student's t of correlations, whose squares these are."""
    t = np.sqrt(share * (n - 2) / np.maximum(1 - share, np.finfo(float).eps))
    p: FloatArray = 2 * stdtr(n - 2, -t)
    return p
