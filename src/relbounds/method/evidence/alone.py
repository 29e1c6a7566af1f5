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

import numpy as np
from scipy import stats

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.method.evidence.grouped import p_of_ranks
from relbounds.method.evidence.orders import Orders, apart, by_drawing, by_student
from relbounds.method.groups import Groups

_SKEWED = 0.05  # what is left of the skewness of both in their sum, or of their kurtosis: beyond,
_HEAVY = 0.1  # normal theory makes tails too light
_FEW = 20  # samples, which have so few orders that even a perfect one is not too rare to be drawn
_WORTH_DRAWING = 0.05  # a p-value by normal theory that more draws could not make small is kept
_RANKED_AT_A_TIME = 50_000  # numbers of columns, of which ranks take ten times the memory
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
        return _by_variance(ranks, weight[:, None] * (scores @ apart(scores)))
    test = Orders(ranks, scores)
    p = test.by_normal_theory
    is_doubtful = p <= _WORTH_DRAWING and _are_doubtful(ranks, scores).any()
    return float(by_drawing([test])[0]) if is_doubtful else p


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
    p = by_student(share, n)
    doubtful = np.flatnonzero((p <= _WORTH_DRAWING) & _are_doubtful(ranks, scores))
    p[doubtful] = by_drawing([Orders(ranks[:, [k]], scores) for k in doubtful])
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


def _moments(values: FloatArray, power: int) -> FloatArray:
    """Skewness (3) or excess kurtosis (4) of each column; zero of constant ones."""
    sd = values.std(axis=0)
    standard = values / np.where(sd > 0, sd, 1.0)
    factor = standard if power == 3 else np.square(standard)  # powers would take far longer
    moments: FloatArray = np.mean(np.square(standard) * factor, axis=0)
    return np.where(sd > 0, moments - (3.0 if power == 4 else 0.0), 0.0)
