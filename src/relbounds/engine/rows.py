"""Which inequalities does a model obey, and what does it cost to miss or exceed them?"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray


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
    def _to_points(self) -> "_Sums":
        """From rows to points, with signs."""
        n_points = int(self.point.max(initial=-1)) + 1
        return _Sums(self.point, np.arange(len(self)), self.sign, (n_points, len(self)))

    @cached_property
    def _from_offsets(self) -> "_Sums":
        matrix = self.offset_matrix
        row = np.repeat(np.arange(len(self)), np.diff(matrix.indptr))
        return _Sums(row, matrix.indices, matrix.data, matrix.shape, by_row=True)

    @cached_property
    def _to_offsets(self) -> "_Sums":
        return self._from_offsets.transposed

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
            self.offset_matrix[chosen],
            self.margin[chosen],
            self.weight[chosen],
            self.surplus_weight[chosen],
        )

    def followed_by(self, other: "MarginRows") -> "MarginRows":
        """These rows and then others, about the same offsets."""
        return MarginRows(
            np.r_[self.point, other.point],
            np.r_[self.sign, other.sign],
            sparse.vstack([self.offset_matrix, other.offset_matrix], format="csr"),
            np.r_[self.margin, other.margin],
            np.r_[self.weight, other.weight],
            np.r_[self.surplus_weight, other.surplus_weight],
        )

    def coefficients(self, points: FloatArray) -> FloatArray:
        """Of the weights and then the offsets in each row."""
        return np.hstack([self.sign[:, None] * points[self.point], self.offset_matrix.toarray()])

    # What follows takes one model, or one vector of multipliers, or a line for each of several.

    def shortfalls(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        """By how much a model with these scores ``x . w`` misses each margin; negative: exceeds."""
        values = scores.take(self.point, axis=-1)
        values *= self.sign
        values += self._from_offsets.of(offsets)
        return np.subtract(self.margin, values, out=values)

    def losses(self, missed: FloatArray) -> FloatArray:
        """What each row costs a model that misses it by this, rows to be kept taken as kept."""
        costs = self.slopes(missed)
        costs *= missed
        return costs

    def slopes(self, missed: FloatArray) -> FloatArray:
        """What missing a row by a little more costs."""
        slopes: FloatArray = np.where(missed > 0, self.soft_weight, -self.surplus_weight)
        return slopes

    def row_violation(self, missed: FloatArray) -> FloatArray:
        """The most by which a row that has to be kept is missed, as a share of margins."""
        most: FloatArray = missed[..., self.must_hold].max(axis=-1, initial=0.0)
        return most / self.margin_size

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
        reach = reach[self.point] * np.abs(self.sign)
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = np.where(self.surplus_weight > 0, loss / self.surplus_weight, np.inf)
            least, most = self.margin - loss / self.weight - reach, self.margin + excess + reach
        entries = self._from_offsets
        row, column, value = entries.row, entries.column, entries.value
        up = value > 0
        low, high = np.full(self.n_offsets, -np.inf), np.full(self.n_offsets, np.inf)
        for _ in range(2):
            from_low, from_high = value * low[column], value * high[column]
            most_of_term = np.where(up, from_high, from_low)
            least_of_term = np.where(up, from_low, from_high)
            from_least = (least[row] - _sum_of_others(row, most_of_term, len(self))) / value
            from_most = (most[row] + _sum_of_others(row, -least_of_term, len(self))) / value
            np.maximum.at(low, column, np.where(up, from_least, from_most))
            np.minimum.at(high, column, np.where(up, from_most, from_least))
            if np.isfinite(low).all() and np.isfinite(high).all():
                break
        return low, high


def _sum_of_others(row: IntArray, term: FloatArray, n_rows: int) -> FloatArray:
    """For each term the sum of its row's other terms, some of which may be plus infinity."""
    unlimited = np.isinf(term)
    known = np.where(unlimited, 0.0, term)
    sums = np.bincount(row, known, n_rows)[row] - known
    some_unlimited = np.bincount(row, unlimited, n_rows)[row] > unlimited
    return np.where(some_unlimited, np.inf, sums)


@dataclass(frozen=True, eq=False)
class _Sums:
    """A sparse matrix by its entries, ready to be multiplied with vectors.

    They come in the order of rows (``by_row``) or else of columns.
    """

    row: IntArray
    column: IntArray
    value: FloatArray
    shape: tuple[int, int]
    by_row: bool = False

    @property
    def transposed(self) -> "_Sums":
        return _Sums(self.column, self.row, self.value, self.shape[::-1], not self.by_row)

    @cached_property
    def _matrix(self) -> sparse.csr_array | sparse.csc_array:
        """Put together by hand: scipy takes five times as long to sort what is in order."""
        kind, along, across = sparse.csc_array, self.column, self.row
        if self.by_row:
            kind, along, across = sparse.csr_array, self.row, self.column
        ends = np.searchsorted(along, np.arange(self.shape[0 if self.by_row else 1] + 1))
        return kind((self.value, across, ends), shape=self.shape)

    def of(self, vectors: FloatArray) -> FloatArray:
        """The product with a vector, or with each line of several."""
        if vectors.ndim > 1 and len(vectors) != 1:
            products: FloatArray = (self._matrix @ vectors.T).T
            return products
        # The exact engine asks for one at a time, and scipy's checks take longer than the sums.
        terms = self.value * vectors.reshape(-1)[self.column]
        sums: FloatArray = np.bincount(self.row, terms, self.shape[0]).astype(
            np.float64, copy=False
        )
        return sums.reshape(*vectors.shape[:-1], -1)
