"""What is proved by rows that belong together? Score tests of rows that have a part in common.

What a model leaves of the rows of one group, such as a patient, has a part in common and a part of
each row's own. Moments of it tell the variances of both, ``common`` and ``own``. As in a mixed
model, the mean of a group then counts as much less than its rows would as it is less certain: all
values ``x_i`` become ``x_i - (1 - k_g) mean_g`` with ``k_g^2 = own / (own + n_g common)``. Products
of residuals are summed as for independent rows. The variance of their sum is the mean of what the
two variances let expect and of the squares of what each group adds to it. Of a feature that groups
have as a whole so many observations are there as groups, and of one that differs within them more;
degrees of freedom follow.

An outcome that groups have as a whole, such as a diagnosis, says nothing of what differs within
them, and a mixed model would take that for proof that the feature does not matter. There all groups
count alike: values are divided by the root of ``n_g`` instead. If groups have most of the outcome
as a whole, but not all, it is counted both ways, and the smaller of the two p-values counts double.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import stats

from relbounds.arrays import FloatArray, IntArray
from relbounds.method.evidence.least_squares import (
    LeastSquares,
    Residuals,
    basis_of,
    own_directions,
)
from relbounds.method.groups import Groups

_SAME = 1e-8  # of a column's variance, added to it: a column that others make up has no residual
_NOTHING_LEFT = 1e-6  # of a column's variance
_OF_WHOLE_GROUPS = 0.9  # of an outcome's variance, in common: a matter of groups rather than rows
_LEAST_OWN = 1e-6  # of the common variance: rows that are quite the same
_ROUNDING = 1e-8  # of the outcome's variance: what is left of it if nothing is
_MOST_SAY = 0.99  # of a group in its own prediction: with more, nothing is seen of its variance
_NUMBERS_AT_A_TIME = 4_000_000


class Model(Protocol):
    """What is asked of models that explain an outcome by columns."""

    @property
    def left(self) -> FloatArray: ...
    def without(self, columns: IntArray) -> Residuals: ...
    def without_each(self, columns: IntArray) -> Residuals: ...


@dataclass(frozen=True)
class Parts:
    """Variances of the part that rows of a group have in common, and of each row's own part."""

    common: float
    own: float

    @classmethod
    def of(
        cls, groups: Groups, left: FloatArray, columns: FloatArray, least: float = 0.0
    ) -> "Parts":
        """By moments of what columns and a constant leave; ``least`` is rounding.

        Own: what deviations of columns from their means in groups leave of those of the outcome.
        A fit to all rows would not do: where groups differ much, they pull it, and what it then
        misses within them would pass for noise. Common: if ``M`` takes away what columns explain
        and ``Z`` tells which row is in which group, squares of sums over groups add up to
        ``own tr(Z'MZ) + common |Z'MZ|^2``.
        """
        n, sizes = len(left), groups.sizes
        basis = basis_of(np.column_stack([np.ones(n), columns]))
        sums = groups.sums(basis)
        trace = n - np.square(sums).sum()
        square = np.square(sizes).sum() - 2 * sizes @ np.square(sums).sum(axis=1)
        square += np.square(sums.T @ sums).sum()
        own = _within(groups, left, columns)
        of_groups = np.square(groups.sums(left)).sum()
        common = max((of_groups - own * trace) / square, 0.0) if square > _ROUNDING * n else 0.0
        if not common:
            own = left @ left / (n - basis.shape[1])
        return cls(common, max(own, _LEAST_OWN * common, least))

    @property
    def share(self) -> float:
        """Of the variance, in common."""
        return self.common / (self.common + self.own)


def _within(groups: Groups, left: FloatArray, columns: FloatArray) -> float:
    """The variance within groups of what columns leave there."""
    deviations = basis_of(columns - groups.means(columns)[groups.codes])
    apart = left - groups.means(left)[groups.codes]
    apart -= deviations @ (deviations.T @ apart)
    degrees = max(len(left) - groups.count - deviations.shape[1], 1)
    return float(apart @ apart / degrees)


class GroupedTest:
    """Products of two residuals, for standardised columns, whose rows belong to groups."""

    def __init__(
        self, model: Model, columns: FloatArray, y: FloatArray, weight: FloatArray, groups: Groups
    ) -> None:
        parts = Parts.of(groups, model.left, columns, _ROUNDING * float(y.var()))
        self._tests = [
            _Counted(model, columns, weight, groups, parts, alike=alike)
            for alike in _ways_to_count(y, groups)
        ]

    def of_each(self, columns: IntArray) -> FloatArray:
        """P-values of single columns."""
        return self._of_all_ways([each.of_each(columns) for each in self._tests])

    def of_block(self, columns: IntArray) -> float:
        """The p-value of several columns as one."""
        return float(self._of_all_ways([np.array(each.of_block(columns)) for each in self._tests]))

    def _of_all_ways(self, p: list[FloatArray]) -> FloatArray:
        """Bonferroni's: what one of them proves, the number of them may have made up."""
        smallest: FloatArray = np.minimum(len(p) * np.min(p, axis=0), 1.0)
        return smallest


def _ways_to_count(y: FloatArray, groups: Groups) -> list[bool]:
    """Whether all groups count alike: of an outcome that is nearly, but not quite, theirs both."""
    if groups.have_in_common(y):
        return [True]
    return [True, False] if is_nearly_of_groups(y, groups) else [False]


def is_nearly_of_groups(y: FloatArray, groups: Groups) -> bool:
    """Whether rows of a group have nearly all of an outcome's variance in common."""
    return Parts.of(groups, y - y.mean(), np.empty((len(y), 0))).share > _OF_WHOLE_GROUPS


class _Counted:
    """The same in one way to count groups: all alike, or as much as their means are certain."""

    def __init__(
        self,
        model: Model,
        columns: FloatArray,
        weight: FloatArray,
        groups: Groups,
        parts: Parts,
        *,
        alike: bool,
    ) -> None:
        self._model, self._weight, self._groups = model, weight, groups
        self._parts, self._alike = parts, alike
        self._columns = self._without_constant(self._levelled(columns))

    def _levelled(self, values: FloatArray) -> FloatArray:
        """Values of groups that count alike, or whose means count as much as they are certain."""
        groups, common, own = self._groups, self._parts.common, self._parts.own
        if self._alike:
            return (values.T / np.sqrt(groups.sizes)[groups.codes]).T
        taken = (1 - np.sqrt(own / (own + groups.sizes * common))) / groups.sizes
        levelled: FloatArray = values - (groups.sums(values).T * taken).T[groups.codes]
        return levelled

    @cached_property
    def _constant(self) -> FloatArray:
        return self._levelled(np.ones(len(self._weight)))

    def _without_constant(self, columns: FloatArray) -> FloatArray:
        """Columns that have nothing in common with a constant, of variance 1."""
        weighted = self._weight * self._constant
        left = columns - np.outer(self._constant, weighted @ columns / (weighted @ self._constant))
        spread = np.sqrt(np.average(np.square(left), axis=0, weights=self._weight))
        standard: FloatArray = left / np.where(spread > _NOTHING_LEFT, spread, 1.0)
        return standard

    @cached_property
    def _basis(self) -> FloatArray:
        both = np.column_stack([self._constant, self._columns])
        return basis_of(both * np.sqrt(self._weight)[:, None])

    @cached_property
    def _say(self) -> FloatArray:
        """Of the mean of each group in its own prediction."""
        squares = np.square(self._groups.sums(self._basis)).sum(axis=1)
        say: FloatArray = squares / self._groups.sizes
        return say

    @cached_property
    def _degrees(self) -> tuple[float, float]:
        """Of freedom that are left between groups and within them."""
        (n, rank), n_groups, of_groups = self._basis.shape, self._groups.count, self._say.sum()
        return n_groups - of_groups, max(n - n_groups - (rank - of_groups), 1.0)

    @cached_property
    def _seen(self) -> FloatArray:
        """What is left, its mean in each group as of groups that were left out."""
        left, groups, root = self._levelled(self._model.left), self._groups, np.sqrt(self._weight)
        left = left - self._basis @ (self._basis.T @ (left * root)) / root
        lost = 1 / np.maximum(1 - self._say, 1 - _MOST_SAY) - 1
        seen: FloatArray = left + (lost * groups.means(left))[groups.codes]
        return seen

    def of_each(self, columns: IntArray) -> FloatArray:
        """P-values of single columns."""
        n, d = self._columns.shape
        weighted = self._columns.T * self._weight
        inverse = np.linalg.inv(weighted @ self._columns + _SAME * n * np.eye(d))
        size = max(1, _NUMBERS_AT_A_TIME // n)
        p = []
        for some in (columns[first : first + size] for first in range(0, len(columns), size)):
            own = self._columns @ inverse[:, some] / inverse[some, some]
            scores = np.broadcast_to(self._model.without_each(some).scores, own.shape)
            p += [self._p_value(own[:, [k]], scores[:, k]) for k in range(len(some))]
        return np.array(p)

    def of_block(self, columns: IntArray) -> float:
        """The p-value of several columns as one."""
        rest, some = np.delete(self._columns, columns, axis=1), self._columns[:, columns]
        weighted = rest.T * self._weight
        square = weighted @ rest + _SAME * len(rest) * np.eye(rest.shape[1])
        own = some - rest @ np.linalg.solve(square, weighted @ some)
        return self._p_value(own, self._model.without(columns).scores[:, 0])

    def _p_value(self, own: FloatArray, scores: FloatArray) -> float:
        """Of the part of some columns that others do not have."""
        basis = own_directions(own)
        if not basis.shape[1] or self._degrees[0] < 1:
            return 1.0
        products = self._weight[:, None] * basis
        total, n_columns = self._levelled(scores) @ products, basis.shape[1]
        levelled = self._levelled(products)
        expected, is_blind = self._expected(levelled), self._say > _MOST_SAY
        unseen = self._expected(levelled * is_blind[self._groups.codes, None])
        seen = self._groups.sums(products * self._seen[:, None])[~is_blind]
        variance = (expected + unseen + seen.T @ seen) / 2
        size = total @ np.linalg.pinv(variance, hermitian=True) @ total / n_columns
        return float(stats.f.sf(size, n_columns, self._freedom(levelled, expected)))

    def _expected(self, products: FloatArray) -> FloatArray:
        """The variance of sums of products that the two parts let expect."""
        sums = self._groups.sums(products)
        expected: FloatArray = self._parts.own * products.T @ products
        return expected + self._parts.common * sums.T @ sums

    def _freedom(self, products: FloatArray, expected: FloatArray) -> float:
        """Degrees of freedom of the variance: those of its parts between and within groups.

        By Satterthwaite. What is seen has about as many as groups have a say in the sum.
        """
        groups, k = self._groups, products.shape[1]
        unit, sums = np.linalg.pinv(expected, hermitian=True) / k, groups.sums(products)
        of_rows = groups.sums(((products @ unit) * products).sum(axis=1))
        of_sums = ((sums @ unit) * sums).sum(axis=1)
        share = (self._parts.own / groups.sizes + self._parts.common) @ of_sums
        between, within = self._degrees
        degrees = 1 / (share**2 / between + (1 - share) ** 2 / within)
        says = self._parts.own * of_rows + self._parts.common * of_sums
        of_seen = max(1 / np.square(says).sum() - k, 1.0)
        return float(min(degrees, 4 / (1 / degrees + 1 / of_seen)))


def p_of_ranks(ranks: FloatArray, scores: FloatArray, weight: FloatArray, groups: Groups) -> float:
    """How often chance would tell as much as some columns do, if nothing is beside them."""
    weight = weight / weight.mean()
    degrees = max(1, len(scores) - 1 - ranks.shape[1])
    model = LeastSquares(ranks, scores, weight, degrees)
    every = np.arange(ranks.shape[1])
    return GroupedTest(model, ranks, scores, weight, groups).of_block(every)
