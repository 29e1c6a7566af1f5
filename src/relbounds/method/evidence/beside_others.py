"""Does a feature add anything to all others together? Score tests.

A model without the feature leaves a residual ``r_i`` of each sample, and other columns leave a
residual ``e_i`` of the feature itself. If the feature adds nothing, the two have nothing to do with
each other, and ``sum_i r_i e_i`` is chance. So it is if *either* model is right: residuals of the
outcome are then noise for any feature, or residuals of the feature are noise for any outcome. The
sum's variance is the mean of what the model expects and what is seen. Outcomes with classes have
ordered logits, or multinomial ones with a residual and a sum for each class if these have no order;
numbers have least squares. Rows that belong together are counted by ``grouped``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.special import stdtr

from relbounds.arrays import FloatArray, IntArray
from relbounds.method.evidence.grouped import GroupedTest, is_nearly_of_groups
from relbounds.method.evidence.least_squares import LeastSquares, Residuals, own_directions
from relbounds.method.evidence.multinomial_logit import MultinomialLogit
from relbounds.method.evidence.ordered_logit import OrderedLogit
from relbounds.method.groups import Groups
from relbounds.method.products import products

_SAME = 1e-8  # of a column's variance, added to it: a column that others make up has no residual
_NOTHING_LEFT = 1e-6  # of a column's variance
_NUMBERS_AT_A_TIME = 50_000  # of columns that are tested together,
_PARTS = 30  # or that part of a large table: a test takes some eight times as much
_STANDARD = 1e-12  # by which means and variances of standardised columns are off
MANY_PARAMETERS = 1 / 3
"""Of the samples: with more parameters a logit expects too little of what it leaves."""
_MOST_PARAMETERS = 1 / 2  # of the samples: with more, nearly everything fits, and nothing is proved
_MOST_OF_GROUPS = 3 / 4  # of the groups: parameters that they have as a whole, if their rows differ
_MOST_CHOSEN = (
    1 / 8
)  # of samples and groups: parameters of columns that were chosen for how well they fit


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is to be explained.

    Attributes
    ----------
    y : (n,) array
        Ranks of classes, or numbers.
    n_classes : int or None
        None: numbers.
    weight : (n,) array
    groups : Groups or None
        Whose rows belong together.
    is_ordered : bool
        Whether classes are.
    """

    y: FloatArray
    n_classes: int | None
    weight: FloatArray
    groups: Groups | None = None
    is_ordered: bool = True

    @property
    def n_offsets(self) -> int:
        """Of each score: classes without order have several, and as many residuals a sample."""
        return 1 if self.n_classes is None or not self.is_ordered else self.n_classes - 1

    @property
    def mean_one(self) -> FloatArray:
        """Weights whose mean is one: they say which samples count more, not how many there are."""
        mean_one: FloatArray = self.weight / self.weight.mean()
        return mean_one


def p_beside_others(
    outcome: Outcome,
    columns: FloatArray,
    sets: Sequence[IntArray],
    *,
    present: IntArray,
    likely: IntArray,
) -> FloatArray:
    """How often chance would add as much as each set of columns adds to all others.

    Of classes without order there is a p-value more for each: (sets, 1 + classes).

    Parameters
    ----------
    outcome : Outcome
    columns : (n, d) array
    sets : sequence of int arrays
        Columns that are tested as one.
    present : int array
        The columns that models may have.
    likely : int array
        Columns, the most promising first. Where too many are present for the samples, models have
        the first of these only, and nothing is proved of the rest.
    """
    columns = _standard(columns, outcome.mean_one)
    kept = _that_fit(outcome, columns, present, likely)
    place = np.full(columns.shape[1], -1)
    place[kept] = np.arange(len(kept))
    asked = [found[found >= 0] for found in (np.sort(place[each]) for each in sets)]
    shape = (len(sets),) if outcome.is_ordered else (len(sets), 1 + (outcome.n_classes or 0))
    p = np.ones(shape)
    if not len(kept) or len(outcome.y) <= _parameters(outcome, _some(columns, kept)):
        return p
    if not outcome.is_ordered:
        of_classes = _ClassScoreTest(outcome, _some(columns, kept))
        for line, each in enumerate(asked):
            if len(each):
                p[line] = of_classes.of_all_and_each(each)
        return np.nan_to_num(p, nan=1.0)
    test = _test(outcome, _some(columns, kept))
    single = [line for line, each in enumerate(asked) if len(each) == 1]
    if single:
        p[single] = test.of_each(np.array([asked[line][0] for line in single]))
    for line, each in enumerate(asked):
        if len(each) > 1:
            p[line] = test.of_block(each)
    return np.nan_to_num(p, nan=1.0)


def _standard(columns: FloatArray, weight: FloatArray) -> FloatArray:
    """Columns of mean 0 and variance 1, as they are if they have that; constant ones stay zeros."""
    centre = weight @ columns / weight.sum()
    square = np.einsum("n,nd,nd->d", weight, columns, columns) / weight.sum()
    if (np.abs(centre) < _STANDARD).all() and (np.abs(square - 1) < _STANDARD).all():
        return columns
    centred = columns - centre
    spread = np.sqrt(np.average(np.square(centred), axis=0, weights=weight))
    standard: FloatArray = centred / np.where(spread > 0, spread, 1.0)
    return standard


def _some(columns: FloatArray, chosen: IntArray) -> FloatArray:
    """Some of the columns; if all are, without a copy."""
    return columns if len(chosen) == columns.shape[1] else columns[:, chosen]


def all_fit(outcome: Outcome, columns: FloatArray) -> bool:
    """Whether all columns can be tested: samples and groups can tell as many apart."""
    return _can_be_told_apart(outcome, _standard(columns, outcome.mean_one))


def _can_be_told_apart(outcome: Outcome, columns: FloatArray) -> bool:
    groups, is_enough = outcome.groups, True
    if groups is not None:
        n_of_groups = _of_groups(groups, columns).sum()
        tells_no_more = groups.have_in_common(outcome.y) or (
            outcome.n_classes is not None and is_nearly_of_groups(outcome.y, groups)
        )
        most = MANY_PARAMETERS if tells_no_more else _MOST_OF_GROUPS
        is_enough = bool(n_of_groups <= most * groups.count)
    is_usual = groups is None and outcome.is_ordered
    most_parameters = _MOST_PARAMETERS if is_usual else MANY_PARAMETERS
    return is_enough and _parameters(outcome, columns) <= most_parameters * len(outcome.y)


def _that_fit(
    outcome: Outcome, columns: FloatArray, present: IntArray, likely: IntArray
) -> IntArray:
    """All columns that are present, or as many as samples and groups can tell apart."""
    if _can_be_told_apart(outcome, _some(columns, present)):
        return present
    groups, likely = outcome.groups, likely[np.isin(likely, present)]
    most = int(_MOST_CHOSEN * len(outcome.y)) - outcome.n_offsets
    if groups is not None:
        used = np.cumsum(_of_groups(groups, columns[:, likely]))
        most = min(most, int(np.sum(used <= _MOST_CHOSEN * groups.count)) - 1)
    return np.sort(likely[: max(0, most)])


def _of_groups(groups: Groups, columns: FloatArray) -> FloatArray:
    """How much of a parameter each column, and a constant first, is one of groups: 1 is all."""
    n = len(columns)
    basis, _ = np.linalg.qr(np.column_stack([np.ones(n), columns[:, : n - 1]]))
    shares: FloatArray = np.square(groups.sums(basis)).T @ (1 / groups.sizes)
    return shares


def _rank(columns: FloatArray) -> int:
    n, d = columns.shape
    if d > n:
        return int(n)
    return int(np.linalg.matrix_rank(columns.T @ columns / n, tol=_SAME, hermitian=True))


def _parameters(outcome: Outcome, columns: FloatArray) -> int:
    return _rank(columns) + outcome.n_offsets


def _test(outcome: Outcome, columns: FloatArray) -> "_ScoreTest | GroupedTest":
    test = _ScoreTest(outcome, columns)
    if outcome.groups is None:
        return test
    return GroupedTest(test.model, columns, outcome.y, outcome.mean_one, outcome.groups)


class _ScoreTest:
    """Products of two residuals, for standardised columns."""

    def __init__(self, outcome: Outcome, columns: FloatArray) -> None:
        self._columns, self._weight = columns, outcome.mean_one
        n, d = columns.shape
        self._degrees = n - _parameters(outcome, columns)
        square = products(self._columns, self._weight)
        self._inverse = np.linalg.inv(square + _SAME * n * np.eye(d))
        self.model: OrderedLogit | LeastSquares = (
            LeastSquares(self._columns, outcome.y, self._weight, self._degrees)
            if outcome.n_classes is None
            else OrderedLogit(self._columns, outcome.y.astype(np.int64), self._weight)
        )

    def of_each(self, columns: IntArray) -> FloatArray:
        """P-values of single columns."""
        n, d = self._columns.shape
        size = max(1, _NUMBERS_AT_A_TIME // n, d // _PARTS)
        pieces = [columns[first : first + size] for first in range(0, len(columns), size)]
        return np.concatenate([self._of_some(piece) for piece in pieces])

    def _of_some(self, columns: IntArray) -> FloatArray:
        own = self._columns @ self._inverse[:, columns] / self._inverse[columns, columns]
        left, squares = self.model.without_each(columns), np.square(own)
        has_own = squares.mean(axis=0) > _NOTHING_LEFT
        total = (self._weight[:, None] * left.scores * own).sum(axis=0)
        squares *= np.square(self._weight)[:, None]
        parts = self._expected(left), left.seen
        expected, seen = ((each * squares).sum(axis=0) for each in parts)
        variance = self._variance(expected, seen)
        size = np.abs(total) / np.sqrt(np.where(has_own, variance, 1.0))
        p: FloatArray = 2 * stdtr(self._degrees, -size)
        return np.where(has_own, p, 1.0)

    def of_block(self, columns: IntArray) -> float:
        """The p-value of several columns as one."""
        own = own_directions(self._own_part(columns))
        if not own.shape[1]:
            return 1.0
        left = self.model.without(columns)
        total = ((self._weight[:, None] * left.scores).T @ own)[0]
        weighted = own * np.square(self._weight)[:, None]
        parts = self._expected(left), left.seen
        expected, seen = ((weighted * each).T @ own for each in parts)
        variance, k = self._variance(expected, seen), own.shape[1]
        size = total @ np.linalg.pinv(variance, hermitian=True) @ total / k
        return float(stats.f.sf(size, k, self._degrees))

    def _own_part(self, columns: IntArray) -> FloatArray:
        """What other columns do not say of some."""
        rest = np.delete(self._columns, columns, axis=1)
        weighted = rest.T * self._weight
        square = weighted @ rest + _SAME * len(rest) * np.eye(rest.shape[1])
        explained = np.linalg.solve(square, weighted @ self._columns[:, columns])
        own: FloatArray = self._columns[:, columns] - rest @ explained
        return own

    def _expected(self, left: Residuals) -> FloatArray:
        """The variance of residuals that a model expects.

        A logit with many parameters expects too little; then at least what is seen on average.
        """
        n = len(self._columns)
        if isinstance(self.model, LeastSquares) or self._degrees >= (1 - MANY_PARAMETERS) * n:
            return left.expected
        seen = left.seen.sum(axis=0) / self._degrees
        scaled: FloatArray = left.expected * np.maximum(seen / left.expected.mean(axis=0), 1.0)
        return scaled

    def _variance(self, expected: FloatArray, seen: FloatArray) -> FloatArray:
        """Of a sum of products: the mean of what a model expects and what is seen."""
        variance: FloatArray = (expected + seen * len(self._columns) / self._degrees) / 2
        return variance


class _ClassScoreTest(_ScoreTest):
    """The same of classes without order, whose residuals add up to nothing."""

    def __init__(self, outcome: Outcome, columns: FloatArray) -> None:
        super().__init__(outcome, columns)
        self._classes = MultinomialLogit(columns, outcome.y.astype(np.int64), self._weight)

    def of_all_and_each(self, columns: IntArray) -> FloatArray:
        """P-values of some columns as one: for all classes together, and for each."""
        members = self._classes.members
        own, n_classes = own_directions(self._own_part(columns)), members.shape[1]
        if not own.shape[1]:
            return np.ones(1 + n_classes)
        likely = self._classes.without(columns)
        weighted = own * self._weight[:, None]

        def products(of_classes: FloatArray) -> FloatArray:
            pairs: FloatArray = np.einsum("nk,nj->nkj", of_classes, weighted)
            return pairs.reshape(len(own), -1)

        left, expected = products(members - likely), products(likely)
        total, k = left.sum(axis=0), own.shape[1]
        diagonal = np.zeros((n_classes, k, n_classes, k))
        for each in range(n_classes):
            diagonal[each, :, each] = (weighted * likely[:, [each]]).T @ weighted
        variance = self._variance(
            diagonal.reshape(len(total), -1) - expected.T @ expected, left.T @ left
        )
        places = np.arange(len(total)).reshape(n_classes, k)
        apart = np.kron(_contrasts(n_classes), np.eye(k))
        of_all = self._p_value(apart @ total, apart @ variance @ apart.T, (n_classes - 1) * k)
        of_each = [self._p_value(total[at], variance[np.ix_(at, at)], k) for at in places]
        return np.array([of_all, *of_each])

    def _p_value(self, total: FloatArray, variance: FloatArray, degrees: int) -> float:
        size = total @ np.linalg.pinv(variance, hermitian=True) @ total / degrees
        return float(stats.f.sf(size, degrees, self._degrees))


def _contrasts(n_classes: int) -> FloatArray:
    """Orthogonal differences between classes, one fewer than there are, a line each."""
    contrasts: FloatArray = np.linalg.svd(np.eye(n_classes) - 1 / n_classes)[2][: n_classes - 1]
    return contrasts
