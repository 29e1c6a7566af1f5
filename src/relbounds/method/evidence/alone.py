"""Does a feature tell anything about the outcome on its own? Rank tests, without any model.

The statistic is ``sum_i r_i q_i`` of the ranks of a column and of the outcome, both centred: rank
correlation for ordered outcomes and numbers, the rank sum test for two classes, and of several
columns at once (a text that became columns of 0 and 1) the test of Kruskal and Wallis. Classes
without order have a column of 0 and 1 each in place of ranks, which makes it the same test with the
parts exchanged. If column and outcome have nothing to do with each other, all orders of the samples
are equally likely. Normal theory is right for that, unless rare values of the column meet rare
values of the outcome; there orders are drawn. Where rows belong together, orders are not equally
likely: see ``grouped``.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import stats
from scipy.special import stdtr

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.method.evidence.grouped import p_of_ranks
from relbounds.method.groups import Groups

_SKEWED = 0.05  # what is left of the skewness of both in their sum, or of their kurtosis: beyond,
_HEAVY = 0.1  # normal theory makes tails too light
_FEW = 20  # samples, which have so few orders that even a perfect one is not too rare to be drawn
_WORTH_DRAWING = 0.05  # a p-value by normal theory that more draws could not make small is kept
_DRAWS = (500, 19_500)
_ENOUGH_REACHED = 25  # of the first draws that reach as far: the p-value is not small
_NUMBERS_AT_A_TIME = 2_000_000
_RANKED_AT_A_TIME = 50_000  # numbers of columns, of which ranks take ten times the memory
_FEW_VALUES = 20  # of a column, or of the outcome: orders are tables of counts
_ROUNDING = 1e-9
_SAMPLES_OF_MOMENTS = 3  # fewer have no rank correlation


def p_alone(
    columns: FloatArray,
    y: FloatArray,
    weight: FloatArray,
    sets: Sequence[IntArray],
    groups: Groups | None = None,
    *,
    unordered: bool = False,
) -> FloatArray:
    """How often chance would tell as much about the outcome as each set of columns does alone.

    ``unordered``: y are codes of classes without order.
    """
    if groups is not None:
        return np.array([_p_of_groups(columns[:, each], y, weight, groups) for each in sets])
    if len(y) < _SAMPLES_OF_MOMENTS:
        return np.ones(len(sets))
    of_outcome = y[:, None] == np.unique(y) if unordered else stats.rankdata(y)[:, None]
    scores = _centred(of_outcome.astype(np.float64), weight)
    if scores.shape[1] > 1 or not _are_alike(weight):
        return np.array([_p_value(columns[:, each], scores, weight) for each in sets])
    single = np.array([len(each) == 1 for each in sets], dtype=bool)
    p = np.empty(len(sets))
    p[single] = _p_of_singles(columns, [each[0] for each in sets if len(each) == 1], scores)
    p[~single] = [_p_value(columns[:, each], scores, weight) for each in sets if len(each) != 1]
    return p


def _p_of_groups(columns: FloatArray, y: FloatArray, weight: FloatArray, groups: Groups) -> float:
    """Groups whose rows are all the same are one row each: all orders of them equally likely."""
    if groups.have_in_common(np.column_stack([columns, y])):
        one, every = groups.first, np.arange(columns.shape[1])
        return float(p_alone(columns[one], y[one], groups.means(weight), [every])[0])
    if not np.ptp(columns, axis=0).any():
        return 1.0
    ranks, scores = stats.rankdata(columns, axis=0), stats.rankdata(y)
    return p_of_ranks(_centred(ranks, weight), _centred(scores, weight), weight, groups)


def _p_value(columns: FloatArray, scores: FloatArray, weight: FloatArray) -> float:
    if not np.ptp(columns, axis=0).any():
        return 1.0
    ranks = _centred(stats.rankdata(columns, axis=0), weight)
    if not _are_alike(weight):
        return _by_variance(ranks, weight[:, None] * (scores @ _apart(scores)))
    test = _Orders(ranks, scores)
    p = test.by_normal_theory
    return test.by_drawing() if p <= _WORTH_DRAWING and _are_doubtful(ranks, scores).any() else p


def _p_of_singles(columns: FloatArray, chosen: Sequence[int], scores: FloatArray) -> FloatArray:
    """The same of some columns, each for itself, by one score, as many at once as there is room."""
    size = max(1, _RANKED_AT_A_TIME // len(columns))
    pieces = [chosen[first : first + size] for first in range(0, len(chosen), size)]
    return np.array([p for each in pieces for p in _p_of_each(columns[:, each], scores)])


def _p_of_each(columns: FloatArray, scores: FloatArray) -> FloatArray:
    n, score, ranks = len(columns), scores[:, 0], stats.rankdata(columns, axis=0)
    ranks -= ranks.mean(axis=0)
    sizes = np.einsum("nd,nd->d", ranks, ranks) * (score @ score)
    share = np.square(score @ ranks) / np.where(sizes > 0, sizes, 1.0)
    p = _by_student(share, n)
    for k in np.flatnonzero((p <= _WORTH_DRAWING) & _are_doubtful(ranks, scores)):
        p[k] = _Orders(ranks[:, [k]], scores).by_drawing()
    return p


def _by_student(share: FloatArray, n: int) -> FloatArray:
    """By Student's t of correlations, whose squares these are."""
    t = np.sqrt(share * (n - 2) / np.maximum(1 - share, np.finfo(float).eps))
    p: FloatArray = 2 * stdtr(n - 2, -t)
    return p


def _are_alike(weight: FloatArray) -> bool:
    return bool(np.ptp(weight) <= _ROUNDING * weight.mean())


def _are_doubtful(ranks: FloatArray, scores: FloatArray) -> BoolArray:
    """Whether rare values of each column meet rare values, or samples are few."""
    n = len(ranks)
    third, fourth = (
        np.abs(np.outer(_moments(ranks, power), _moments(scores, power))).max(axis=1)
        for power in (3, 4)
    )
    doubtful: BoolArray = (third / np.sqrt(n) > _SKEWED) | (fourth / n > _HEAVY) | (n <= _FEW)
    return doubtful


def _centred(values: FloatArray, weight: FloatArray) -> FloatArray:
    return values - np.average(values, axis=0, weights=weight)


def _by_variance(ranks: FloatArray, weighted_scores: FloatArray) -> float:
    """With weights, which may depend on the column: each sample's product varies as it does."""
    products = (ranks[:, :, None] * weighted_scores[:, None, :]).reshape(len(ranks), -1)
    total, (n, k) = products.sum(axis=0), products.shape
    size = total @ np.linalg.pinv(products.T @ products) @ total
    degrees = np.linalg.matrix_rank(ranks) * weighted_scores.shape[1]
    return float(stats.chi2.sf(size * (n - 1) / n, min(k, degrees)))


def _apart(scores: FloatArray) -> FloatArray:
    """What turns several scores into ones of size one that have nothing to do with each other.

    A single one stays as it is. Those of classes add up to nothing, so that one fewer is left.
    """
    if scores.shape[1] == 1:
        return np.ones((1, 1))
    squares, ways = np.linalg.eigh(scores.T @ scores)
    kept = squares > _ROUNDING * squares.max(initial=0.0)
    apart: FloatArray = ways[:, kept] / np.sqrt(squares[kept])
    return apart


class _Orders:
    """All orders of the samples, equally likely."""

    def __init__(self, ranks: FloatArray, scores: FloatArray) -> None:
        self._ranks, self._scores, self._n = ranks, scores, len(scores)
        self._to_apart = _apart(scores)
        single = scores[:, 0]
        spread = (single @ single if scores.shape[1] == 1 else 1.0) / (self._n - 1)
        self._precision = np.linalg.pinv(ranks.T @ ranks, hermitian=True) / (spread or 1.0)
        self._observed = float(self._size((scores.T @ ranks)[None])[0])

    def _size(self, totals: FloatArray) -> FloatArray:
        """Of ``(draws, scores, columns)`` sums of products."""
        apart = np.einsum("sa,bsi->bai", self._to_apart, totals)
        lines = apart.reshape(-1, apart.shape[2])
        sizes: FloatArray = np.einsum("bi,ij,bj->b", lines, self._precision, lines)
        together: FloatArray = sizes.reshape(len(totals), -1).sum(axis=1)
        return together

    @property
    def by_normal_theory(self) -> float:
        """Student's t of the correlation of one column with one score, chi-square of several."""
        if self._ranks.shape[1] > 1 or self._scores.shape[1] > 1:
            degrees = np.linalg.matrix_rank(self._ranks) * self._to_apart.shape[1]
            return float(stats.chi2.sf(self._observed, degrees))
        return float(_by_student(np.array(self._observed / (self._n - 1)), self._n))

    def by_drawing(self) -> float:
        """``(1 + draws that reach as far) / (1 + draws)``, always with the same draws."""
        random_state, reached, drawn = np.random.RandomState(0), 0, 0
        draw = self._tables if self._has_few_values else self._permutations
        for wanted in _DRAWS:
            while drawn < wanted:
                some = min(wanted - drawn, max(1, _NUMBERS_AT_A_TIME // self._scores.size))
                sizes = self._size(draw(some, random_state))
                reached += int((sizes >= self._observed * (1 - _ROUNDING)).sum())
                drawn += some
            if reached >= _ENOUGH_REACHED:
                break
        return (1 + reached) / (1 + drawn)

    @cached_property
    def _values(self) -> list[tuple[FloatArray, IntArray]]:
        """Different values of all columns together and of scores, and how often they occur."""
        return [np.unique(each, axis=0, return_counts=True) for each in (self._ranks, self._scores)]

    @property
    def _has_few_values(self) -> bool:
        return all(len(values) <= _FEW_VALUES for values, _ in self._values)

    def _tables(self, count: int, random_state: np.random.RandomState) -> FloatArray:
        """Sums of products in tables with the same margins: how often values meet."""
        (ranks, of_ranks), (scores, of_scores) = self._values
        tables = stats.random_table(of_ranks, of_scores).rvs(count, random_state=random_state)
        totals: FloatArray = np.einsum("ri,brs,st->bti", ranks, tables, scores)
        return totals

    def _permutations(self, count: int, random_state: np.random.RandomState) -> FloatArray:
        orders = np.array([random_state.permutation(self._scores).T for _ in range(count)])
        totals: FloatArray = orders @ self._ranks
        return totals


def _moments(values: FloatArray, power: int) -> FloatArray:
    """Skewness (3) or excess kurtosis (4) of each column; zero of constant ones."""
    sd = values.std(axis=0)
    standard = values / np.where(sd > 0, sd, 1.0)
    factor = standard if power == 3 else np.square(standard)  # powers would take far longer
    moments: FloatArray = np.mean(np.square(standard) * factor, axis=0)
    return np.where(sd > 0, moments - (3.0 if power == 4 else 0.0), 0.0)
