"""``Z' diag(theta) Z``, ``Z' v`` and ``Z x`` for many theta, v and x; what repeats counts once."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.copies import random_direction

_MOST_PRODUCTS = 3_000_000  # numbers: beyond, the table of products no longer pays
_FEWER = 0.8  # of the rows: as many are different
_NUMBERS_AT_A_TIME = 20_000  # of rows that are compared
_ROUNDING = 1e-9  # of a number that is a sum of others: what is further apart is different
_FEW_LINES, _IN_CACHE = 6, 400_000  # for few lines a table that is not in the cache is too slow
_USUAL = 0.7  # of the rows: a column that has the same value there is stored without it
_SOME = 200  # rows, that tell whether it is worth while to look at all of them
_DEARER = 20  # times: a product of two stored numbers, beside one in a dense matrix
_MUCH = 0.5  # of what it takes with all numbers: less, and leaving usual values out pays


class Squares(Protocol):
    """Squares and products of the columns of a matrix, and products with it."""

    @property
    def uses_all(self) -> bool:
        """Whether no number is left out."""
        ...

    def gram(self, theta: FloatArray, *, rough: bool) -> FloatArray:
        """``Z' diag(theta) Z`` for each line of theta; roughly, in half the time of a long one."""
        ...

    def back(self, rows: FloatArray) -> FloatArray:
        """``Z' v`` for each line of values of the rows."""
        ...

    def forth(self, models: FloatArray) -> FloatArray:
        """``Z x`` for each line of weights and offsets."""
        ...


def squares_of(coefficients: FloatArray, n_offsets: int) -> Squares:
    """The squares of rows of coefficients, the last ones of offsets, as they are found fastest."""
    merged = _Merged.of(coefficients, n_offsets)
    if merged is not None:
        return merged
    return _WithoutUsual.of(coefficients, n_offsets) or _Dense(coefficients)


@dataclass(frozen=True, eq=False)
class _Merged:
    """Where rows are alike up to their sign: both rows of a number, and those of like samples.

    Rows are put in ``order`` for it, and from each of the ``first`` on they are the same. Each row
    is the different one that ``same_as`` says, times its ``sign``.
    """

    squares: Squares
    order: IntArray
    first: IntArray
    same_as: IntArray
    sign: FloatArray

    @classmethod
    def of(cls, coefficients: FloatArray, n_offsets: int) -> "_Merged | None":
        """None unless rows that differ in more than their sign are far fewer."""
        found = alike(coefficients)
        if found is None:
            return None
        order, first = found
        different = coefficients[order[first]]
        squares = _WithoutUsual.of(different, n_offsets) or _Dense(different)
        same_as = np.empty_like(order)
        same_as[order] = np.repeat(np.arange(len(first)), np.diff(first, append=len(order)))
        is_positive = coefficients @ random_direction(coefficients.shape[1]) >= 0
        turned = is_positive != is_positive[order[first]][same_as]
        return cls(squares, order, first, same_as, np.where(turned, -1.0, 1.0))

    @property
    def uses_all(self) -> bool:
        return self.squares.uses_all

    def gram(self, theta: FloatArray, *, rough: bool) -> FloatArray:
        together = np.add.reduceat(theta[:, self.order], self.first, axis=1)
        return self.squares.gram(together, rough=rough)

    def back(self, rows: FloatArray) -> FloatArray:
        turned = (rows * self.sign)[:, self.order]
        return self.squares.back(np.add.reduceat(turned, self.first, axis=1))

    def forth(self, models: FloatArray) -> FloatArray:
        rows: FloatArray = self.squares.forth(models)[:, self.same_as]
        rows *= self.sign
        return rows


def alike(rows: FloatArray, fewer: float = _FEWER) -> tuple[IntArray, IntArray] | None:
    """An order of rows, and from where on in it they are the same up to their sign.

    None if rows that differ in more than that are more than this share of all.
    """
    size = np.abs(rows @ random_direction(rows.shape[1]))
    order = np.argsort(size, kind="stable")
    is_larger = np.diff(size[order]) > _ROUNDING * size[order[1:]]
    if np.count_nonzero(is_larger) >= fewer * len(order):
        return None
    is_first, likely = np.ones(len(order), dtype=bool), np.flatnonzero(~is_larger)
    lines = max(1, _NUMBERS_AT_A_TIME // max(1, rows.shape[1]))
    for begin in range(0, len(likely), lines):
        some = likely[begin : begin + lines]
        before, after = rows[order[some]], rows[order[some + 1]]
        same = (before == after).all(axis=1) | (before == -after).all(axis=1)
        is_first[some[same] + 1] = False
    first = np.flatnonzero(is_first)
    return None if len(first) > fewer * len(order) else (order, first)


@dataclass(frozen=True, eq=False)
class _Dense:
    """All numbers are used."""

    coefficients: FloatArray

    @property
    def uses_all(self) -> bool:
        return True

    @cached_property
    def _products(self) -> tuple[FloatArray, IntArray] | None:
        """Products of all pairs of coefficients, and where each pair stands."""
        m, q = self.coefficients.shape
        if q * (q + 1) // 2 * m > _MOST_PRODUCTS:
            return None
        first, second = np.triu_indices(q)
        position = np.empty((q, q), dtype=np.int64)
        position[first, second] = position[second, first] = np.arange(len(first))
        products = np.empty((m, len(first)))
        for k, column in enumerate(self.coefficients.T):  # in place: copies of it are the peak
            np.multiply(
                self.coefficients[:, k:],
                column[:, None],
                out=products[:, position[k, k] : position[k, q - 1] + 1],
            )
        return products, position

    @cached_property
    def _single(self) -> NDArray[np.float32]:
        return self.coefficients.astype(np.float32)

    def gram(self, theta: FloatArray, *, rough: bool) -> FloatArray:
        m, q = self.coefficients.shape
        few = len(theta) < _FEW_LINES and m * q**2 > _IN_CACHE
        if not few and self._products is not None:
            products, position = self._products
            return (theta @ products)[:, position]
        grams = np.empty((len(theta), q, q))
        coefficients = self._single if rough else self.coefficients
        for weights, gram in zip(np.sqrt(theta, dtype=coefficients.dtype), grams, strict=True):
            scaled = coefficients * weights[:, None]
            gram[:] = scaled.T @ scaled
        return grams

    def back(self, rows: FloatArray) -> FloatArray:
        return rows @ self.coefficients

    def forth(self, models: FloatArray) -> FloatArray:
        return models @ self.coefficients.T


@dataclass(frozen=True, eq=False)
class _WithoutUsual:
    """Where many columns have nearly always the same value, as those of rare values of a text.

    What offsets add to each row, ``p = Z 1`` over their columns, carries the usual values c of all
    others: ``Z = Z0 + p c'``, where Z0 is mostly zero. With ``G0 = Z0' diag(theta) Z0`` and
    ``g = G0 1`` over the offsets::

        Z' diag(theta) Z = G0 + g c' + c g' + (1'g) c c'

    Attributes
    ----------
    others : (m, q - s) array
        Columns that vary, offsets last.
    unusual : (s, m) sparse array
        What the s others are beyond their usual values.
    products : (pairs, m) sparse array
        Products of pairs of those, where there are any;
    pairs : (2, pairs) int array
        which ones.
    usual : (q,) array
        c, in the order of the columns; zeros of those that vary.
    is_usual : (q,) array
        Which columns are among the s.
    n_offsets : int
    """

    others: FloatArray
    unusual: sparse.csr_array
    products: sparse.csr_array
    pairs: IntArray
    usual: FloatArray
    is_usual: NDArray[np.bool_]
    n_offsets: int

    @classmethod
    def of(cls, coefficients: FloatArray, n_offsets: int) -> "_WithoutUsual | None":
        """None unless this is much faster."""
        m, q = coefficients.shape
        if n_offsets == 0 or q < 2 * n_offsets or m * q**2 < _IN_CACHE:
            return None
        usual, likely = _likely_usual(coefficients, n_offsets)
        if not len(likely):
            return None
        carrier = coefficients[:, q - n_offsets :].sum(axis=1)
        beyond = coefficients[:, likely] - np.outer(carrier, usual[likely])
        are_usual = np.count_nonzero(beyond, axis=0) <= (1 - _USUAL) * m
        is_usual = np.zeros(q, dtype=bool)
        is_usual[likely[are_usual]] = True
        unusual = sparse.csr_array(beyond[:, are_usual])
        stored = np.diff(unusual.indptr)
        n_others = q - int(np.count_nonzero(is_usual))
        effort = m * n_others**2 + _DEARER * (stored @ (n_others + stored / 2))
        if effort > _MUCH * m * q**2 or stored @ stored > 2 * _MOST_PRODUCTS:
            return None
        products, pairs = _products_of_pairs(unusual)
        return cls(
            np.ascontiguousarray(coefficients[:, ~is_usual]),
            unusual.T.tocsr(),
            products,
            pairs,
            np.where(is_usual, usual, 0.0),
            is_usual,
            n_offsets,
        )

    @property
    def uses_all(self) -> bool:
        return False

    def gram(self, theta: FloatArray, *, rough: bool) -> FloatArray:
        q, mostly = len(self.usual), np.flatnonzero(self.is_usual)
        others, offsets = np.flatnonzero(~self.is_usual), slice(q - self.n_offsets, q)
        first, second = mostly[self.pairs]
        grams = np.zeros((len(theta), q, q))
        of_pairs = (self.products @ theta.T).T
        for weights, each, gram in zip(theta, of_pairs, grams, strict=True):
            gram[first, second] = gram[second, first] = each
            weighted = self.others * weights[:, None]
            gram[np.ix_(others, others)] = self.others.T @ weighted
            across = self.unusual @ weighted
            gram[np.ix_(mostly, others)] = across
            gram[np.ix_(others, mostly)] = across.T
            carried = gram[:, offsets].sum(axis=1)
            added = np.outer(carried + carried[offsets].sum() / 2 * self.usual, self.usual)
            added += added.T
            np.add(gram, added, out=gram)
        return grams

    def back(self, rows: FloatArray) -> FloatArray:
        found = np.empty((len(rows), len(self.usual)))
        found[:, ~self.is_usual] = rows @ self.others
        found[:, self.is_usual] = (self.unusual @ rows.T).T
        carried = found[:, -self.n_offsets :].sum(axis=1)
        found += np.outer(carried, self.usual)
        return found

    def forth(self, models: FloatArray) -> FloatArray:
        of_others = models[:, ~self.is_usual]
        of_others[:, -self.n_offsets :] += (models @ self.usual)[:, None]
        moved: FloatArray = of_others @ self.others.T
        moved += (self.unusual.T @ models[:, self.is_usual].T).T
        return moved


def _likely_usual(coefficients: FloatArray, n_offsets: int) -> tuple[FloatArray, IntArray]:
    """Usual values in some of the rows, and of which columns they may be those of all rows.

    A value that nearly all rows have is the middle one of some as well as of all.
    """
    some = coefficients[:: max(1, len(coefficients) // _SOME)]
    usual, carrier = _usual_values(some, n_offsets), some[:, -n_offsets:].sum(axis=1)
    same = np.count_nonzero(some == np.outer(carrier, usual), axis=0)
    return usual, np.flatnonzero(same[:-n_offsets] > _USUAL / 2 * len(some))


def _usual_values(coefficients: FloatArray, n_offsets: int) -> FloatArray:
    """The value that more than half of the rows have, as multiples of what offsets add to a row.

    If there is none in a column, any number.
    """
    carrier = coefficients[:, -n_offsets:].sum(axis=1)
    rows = carrier != 0
    if not rows.any():
        return np.zeros(coefficients.shape[1])
    multiples = coefficients[rows] / carrier[rows, None]
    middle = len(multiples) // 2
    usual: FloatArray = np.partition(multiples, middle, axis=0)[middle]
    return usual


def _products_of_pairs(rows: sparse.csr_array) -> tuple[sparse.csr_array, IntArray]:
    """Products of the numbers that stand in the same row, ``(pairs, rows)``, and of which columns.

    Pairs that never meet are left out; of two columns the first is not behind the second.
    """
    m, columns = rows.shape
    rows.sort_indices()
    stored = np.diff(rows.indptr)
    behind = np.repeat(rows.indptr[1:], stored) - np.arange(rows.nnz)  # in its row, with itself
    first = np.repeat(np.arange(rows.nnz), behind)
    begins = np.repeat(np.cumsum(behind) - behind, behind)
    second = first + np.arange(len(first)) - begins
    row = np.repeat(np.repeat(np.arange(m), stored), behind)
    where = rows.indices[first] * np.int64(columns) + rows.indices[second]
    pairs, position = np.unique(where, return_inverse=True)
    values, shape = rows.data[first] * rows.data[second], (len(pairs), m)
    table = sparse.csr_array((values, (position, row)), shape=shape)
    return table, np.array([pairs // columns, pairs % columns])
