"""Which inequalities does a model obey, and what does it cost to miss or exceed them?"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import kernels

_NUMBERS_AT_A_TIME = 20_000  # of coefficients, which are put in place without a second copy
_ROWS_AT_A_TIME = 5_000  # of which limits of offsets are read


@dataclass(frozen=True, eq=False)
class MarginRows:
    """Rows ``sign_r * x_point(r) . w + t_r . b >= margin_r``, each with two prices.

    The loss of a model is::

        sum_r  weight_r * max(0, margin_r - value_r) + surplus_weight_r * max(0, value_r - margin_r)

    where ``value_r`` is the left-hand side. A row of infinite weight has to be kept. Every
    learning problem of the library, with every slack model, is of this form.

    Attributes
    ----------
    point : (m,) int array
        The point that a row speaks of.
    sign : (m,) float array
        With which sign the point's score enters: +1 above, -1 below an offset; 0 where a row
        speaks of offsets alone.
    offset_matrix : (m, k) sparse array
        The coefficients ``t_r`` of the offsets.
    margin, weight, surplus_weight : (m,) float arrays
    """

    point: IntArray
    sign: FloatArray
    offset_matrix: sparse.csr_array
    margin: FloatArray
    weight: FloatArray
    surplus_weight: FloatArray

    def __len__(self) -> int:
        return len(self.point)

    @property
    def n_offsets(self) -> int:
        return int(self.offset_matrix.shape[1])

    @cached_property
    def n_points(self) -> int:
        """Up to the last one that a row speaks of."""
        return int(self.point.max(initial=-1)) + 1

    @cached_property
    def parts(self) -> tuple[IntArray | FloatArray, ...]:
        """As compiled kernels read them."""
        matrix = self.offset_matrix
        whole = (np.ascontiguousarray(each, np.int64) for each in (matrix.indptr, matrix.indices))
        point = np.ascontiguousarray(self.point, np.int64)
        prices = self.margin, self.weight, self.surplus_weight
        numbers = (np.ascontiguousarray(each) for each in (matrix.data, *prices))
        return (point, np.ascontiguousarray(self.sign), *whole, *numbers)

    @cached_property
    def _to_points(self) -> "_Sums":
        """From rows to points, with signs."""
        each = np.arange(len(self) + 1)
        shape = self.n_points, len(self)
        matrix = sparse.csc_array((self.sign, self.point, each), shape=shape)
        return _Sums(self.point, each[:-1], self.sign, matrix)

    @cached_property
    def _from_offsets(self) -> "_Sums":
        matrix = self.offset_matrix
        row = np.repeat(np.arange(len(self)), np.diff(matrix.indptr))
        return _Sums(row, matrix.indices, matrix.data, matrix)

    @cached_property
    def _to_offsets(self) -> "_Sums":
        entries = self._from_offsets
        return _Sums(entries.column, entries.row, entries.value, self.offset_matrix.T)

    @cached_property
    def must_hold(self) -> BoolArray:
        """Whether a row has to be kept."""
        return np.isinf(self.weight)

    @cached_property
    def soft_weight(self) -> FloatArray:
        """What a unit of shortfall costs; nothing in rows that have to be kept."""
        return np.where(self.must_hold, 0.0, self.weight)

    @cached_property
    def margin_size(self) -> float:
        """The size of margins, and so of slacks."""
        return float(np.abs(self.margin).max(initial=0.0)) or 1.0

    @cached_property
    def typical_price(self) -> float:
        """What it costs a typical row to be off by one, on the side where it costs anything."""
        prices = np.where(self.must_hold, self.surplus_weight, self.weight)
        return float(prices[prices > 0].mean()) if (prices > 0).any() else 1.0

    def weighted(self, point_weight: FloatArray) -> "MarginRows":
        """The same rows, each counting as much as its point does."""
        return replace(
            self,
            weight=self.weight * point_weight[self.point],
            surplus_weight=self.surplus_weight * point_weight[self.point],
        )

    def subset(self, chosen: IntArray) -> "MarginRows":
        """Some of the rows, about all of the offsets."""
        return MarginRows(
            self.point[chosen],
            self.sign[chosen],
            self._offsets_of(chosen),
            self.margin[chosen],
            self.weight[chosen],
            self.surplus_weight[chosen],
        )

    def _offsets_of(self, chosen: IntArray) -> sparse.csr_array:
        """Lines of the offset matrix, by their places; scipy's way takes several times as long."""
        matrix = self.offset_matrix
        begins, counts = matrix.indptr[chosen], np.diff(matrix.indptr)[chosen]
        ends = np.concatenate([[0], np.cumsum(counts)])
        entries = np.repeat(begins - ends[:-1], counts) + np.arange(ends[-1])
        lines = matrix.data[entries], matrix.indices[entries], ends
        return sparse.csr_array(lines, shape=(len(chosen), self.n_offsets))

    def followed_by(self, other: "MarginRows") -> "MarginRows":
        """These rows and then others, about the same offsets."""
        return MarginRows(
            np.concatenate([self.point, other.point]),
            np.concatenate([self.sign, other.sign]),
            _one_below_the_other(self.offset_matrix, other.offset_matrix),
            np.concatenate([self.margin, other.margin]),
            np.concatenate([self.weight, other.weight]),
            np.concatenate([self.surplus_weight, other.surplus_weight]),
        )

    def coefficients(self, points: FloatArray) -> FloatArray:
        """Of the weights and then the offsets in each row; a few rows at a time are in place."""
        d = points.shape[1]
        coefficients = np.empty((len(self), d + self.n_offsets))
        coefficients[:, d:] = self.offset_matrix.toarray()
        lines = max(1, _NUMBERS_AT_A_TIME // max(1, d))
        for first in range(0, len(self), lines):
            some = slice(first, first + lines)
            on_rows = points[self.point[some]]
            np.multiply(self.sign[some, None], on_rows, out=coefficients[some, :d])
        return coefficients

    # What follows takes one model, or one vector of multipliers, or a line for each of several.

    def shortfalls(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        """By how much a model with these scores ``x . w`` misses each margin; negative: exceeds."""
        if kernels.margins is not None:
            given = np.atleast_2d(scores), np.atleast_2d(offsets)
            missed: FloatArray = kernels.margins.missed(self.parts, *given)
            return missed.reshape(*scores.shape[:-1], len(self))
        values = scores.take(self.point, axis=-1)
        values *= self.sign
        values += self.added(offsets)
        return np.subtract(self.margin, values, out=values)

    def added(self, offsets: FloatArray) -> FloatArray:
        """What offsets add to the value of each row."""
        return self._from_offsets.of(offsets)

    def losses(self, missed: FloatArray) -> FloatArray:
        """What each row costs a model that misses it by this, rows to be kept taken as kept."""
        costs = self.slopes(missed)
        costs *= missed
        return costs

    def slopes(self, missed: FloatArray) -> FloatArray:
        """What missing a row by a little more costs."""
        slopes: FloatArray = np.where(missed > 0, self.soft_weight, -self.surplus_weight)
        return slopes

    def priced(self, missed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What models lose in all that miss rows by this, and by how much they violate rows.

        The most by which a row that has to be kept is missed, as a share of margins.
        """
        if kernels.margins is not None:
            loss, worst = kernels.margins.priced(self.parts, np.atleast_2d(missed))
            shape = missed.shape[:-1]
            return loss.reshape(shape), worst.reshape(shape) / self.margin_size
        worst = missed[..., self.must_hold].max(axis=-1, initial=0.0)
        return self.losses(missed).sum(axis=-1), worst / self.margin_size

    def by_point(self, multipliers: FloatArray) -> FloatArray:
        """The multipliers of each point's rows, added up with their signs.

        Of points behind the last one that a row speaks of there are none.
        """
        return self._to_points.of(multipliers)

    def gradient(self, points: FloatArray, multipliers: FloatArray) -> FloatArray:
        """The multipliers' combination of the rows' coefficients of ``w``."""
        by_point = self.by_point(multipliers)
        gradient: FloatArray = by_point @ points[: by_point.shape[-1]]
        return gradient

    def offset_gradient(self, multipliers: FloatArray) -> FloatArray:
        """The multipliers' combination of the rows' coefficients of ``b``."""
        return self._to_offsets.of(multipliers)

    def offset_box(self, reach: FloatArray, loss: float) -> tuple[FloatArray, FloatArray]:
        """Limits that every offset keeps in a model of at most this loss.

        No score ``x . w`` of a point exceeds its ``reach`` in size. A row of one offset limits it
        by itself; a row of two limits one by the other.
        """
        box = np.array([[-np.inf], [np.inf]]).repeat(self.n_offsets, axis=1)
        for _ in range(2):
            box = self._narrowed(box, reach, loss)
            if np.isfinite(box).all():
                break
        return box[0], box[1]

    def _narrowed(self, known: FloatArray, reach: FloatArray, loss: float) -> FloatArray:
        """Limits of offsets by what is known of others."""
        if kernels.margins is not None:
            narrowed: FloatArray = kernels.margins.limited(self.parts, reach, loss, known)
            return narrowed
        box = known.copy()
        for first in range(0, len(self), _ROWS_AT_A_TIME):
            some = slice(first, min(first + _ROWS_AT_A_TIME, len(self)))
            self._narrow(box, known, some, *self._ends_of_values(some, reach, loss))
        return box

    def _ends_of_values(
        self, some: slice, reach: FloatArray, loss: float
    ) -> tuple[FloatArray, FloatArray]:
        """The least and the most that offsets add to some of the rows."""
        reach = reach[self.point[some]] * np.abs(self.sign[some])
        margin, surplus_weight = self.margin[some], self.surplus_weight[some]
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = np.where(surplus_weight > 0, loss / surplus_weight, np.inf)
            return margin - loss / self.weight[some] - reach, margin + excess + reach

    def _narrow(
        self,
        box: FloatArray,
        known: FloatArray,
        some: slice,
        least: FloatArray,
        most: FloatArray,
    ) -> None:
        """Limits of offsets, in place, by what is known of others and of some of the rows."""
        begin, end = self.offset_matrix.indptr[[some.start, some.stop]].tolist()
        entries, inside = self._from_offsets, slice(begin, end)
        row, column, value = (
            entries.row[inside] - some.start,
            entries.column[inside],
            entries.value[inside],
        )
        up, (low, high) = value > 0, (value * each[column] for each in known)
        most_of_term, least_of_term = np.where(up, high, low), np.where(up, low, high)
        from_least = (least[row] - _sum_of_others(row, most_of_term, len(least))) / value
        from_most = (most[row] + _sum_of_others(row, -least_of_term, len(least))) / value
        np.maximum.at(box[0], column, np.where(up, from_least, from_most))
        np.minimum.at(box[1], column, np.where(up, from_most, from_least))


def _sum_of_others(row: IntArray, term: FloatArray, n_rows: int) -> FloatArray:
    """For each term the sum of its row's other terms, some of which may be plus infinity."""
    unlimited = np.isinf(term)
    known = np.where(unlimited, 0.0, term)
    sums = np.bincount(row, known, n_rows)[row] - known
    some_unlimited = np.bincount(row, unlimited, n_rows)[row] > unlimited
    return np.where(some_unlimited, np.inf, sums)


def _one_below_the_other(one: sparse.csr_array, other: sparse.csr_array) -> sparse.csr_array:
    """What ``sparse.vstack`` gives, in a fraction of its time."""
    data, indices = (
        np.concatenate(pair) for pair in ((one.data, other.data), (one.indices, other.indices))
    )
    ends = np.concatenate([one.indptr, one.indptr[-1] + other.indptr[1:]])
    shape = one.shape[0] + other.shape[0], one.shape[1]
    return sparse.csr_array((data, indices, ends), shape=shape)


@dataclass(frozen=True, eq=False)
class _Sums:
    """A sparse matrix, and its entries, ready to be multiplied with vectors."""

    row: IntArray
    column: IntArray
    value: FloatArray
    matrix: sparse.csr_array | sparse.csc_array

    def of(self, vectors: FloatArray) -> FloatArray:
        """The product with a vector, or with each line of several."""
        if vectors.ndim > 1 and len(vectors) != 1:
            products: FloatArray = (self.matrix @ vectors.T).T
            return products
        # The exact engine asks for one at a time, and scipy's checks take longer than the sums.
        terms = self.value * vectors.reshape(-1)[self.column]
        sums: FloatArray = np.bincount(self.row, terms, self.matrix.shape[0]).astype(
            np.float64, copy=False
        )
        return sums.reshape(*vectors.shape[:-1], -1)
