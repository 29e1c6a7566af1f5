"""What do the programs of a batch have in common, what of their own, and where does it all stand?

See ``newton`` for the form of a program and the names of things.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse.csgraph import connected_components

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine.interior.kinds import Kind, kinds_of
from relbounds.engine.interior.squares import Squares, alike, squares_of

_SOME = 200  # rows
_MANY = 1.5  # times the rows: with more weights, equations are solved in the space of rows


@dataclass(frozen=True, eq=False)
class Program:
    """What the programs of a batch share.

    Attributes
    ----------
    coefficients : (m, d + k) array
        Of the weights and offsets in each row.
    margin : (m,) array
    slack_price : (soft,) array
        What the loss grows by with a unit of slack in each of the first rows; all others have to
        be kept.
    linear : (d + k,) array
        The part of the loss that is linear,
    constant : float
        and its constant; limits have it taken off already.
    prices : (d,) array
        What weights count in the norm.
    shares : (j, 2) array
        Of norm and loss in each limit.
    limits : (j,) array
    """

    coefficients: FloatArray
    margin: FloatArray
    slack_price: FloatArray
    linear: FloatArray
    constant: float
    prices: FloatArray
    shares: FloatArray
    limits: FloatArray

    @property
    def n_rows(self) -> int:
        return len(self.margin)

    @property
    def n_soft(self) -> int:
        return len(self.slack_price)

    @property
    def n_weights(self) -> int:
        return len(self.prices)

    @property
    def n_shared(self) -> int:
        """Weights and offsets that all programs of a batch have."""
        return int(self.coefficients.shape[1])

    def loss(self, weights: FloatArray, offsets: FloatArray) -> float:
        """The loss of a model, without the constant."""
        model = np.r_[weights, offsets]
        missed = (self.margin - self.coefficients @ model)[: self.n_soft]
        return float(self.slack_price @ np.maximum(missed, 0) + self.linear @ model)

    def thinned(
        self, n_rows: int, weights: FloatArray, offsets: FloatArray
    ) -> tuple["Program", IntArray]:
        """A sample of the rows that may be missed, standing for all, and which rows they are.

        Of what is linear around one model nothing is left to chance: there the sample's loss, up to
        a constant that limits account for, and its slope are those of all rows.
        """
        chosen = np.sort(np.random.RandomState(0).permutation(self.n_soft)[:n_rows])
        rows = np.r_[chosen, self.n_soft : self.n_rows]
        price = self.slack_price[chosen] * (self.n_soft / len(chosen))
        missed = self.margin - self.coefficients @ np.r_[weights, offsets] > 0
        slope = np.where(missed[: self.n_soft], self.slack_price, 0.0)
        slope[chosen] -= price * missed[chosen]
        sample = replace(
            self,
            coefficients=self.coefficients[rows],
            margin=self.margin[rows],
            slack_price=price,
            linear=self.linear - slope @ self.coefficients[: self.n_soft],
        )
        wrong = sample.loss(weights, offsets) - self.loss(weights, offsets)
        return replace(sample, limits=self.limits + self.shares[:, 1] * wrong), rows

    @cached_property
    def _blocks(self) -> list[tuple[slice | IntArray, IntArray, Squares]]:
        """Rows and columns that have nothing to do with others, as those of different classes."""
        used = self.coefficients != 0
        if used.all(axis=0).any() and used.any(axis=0).all():  # a column that all rows have
            return []
        for some in (used[:: max(1, self.n_rows // _SOME)], used):  # few rows may connect all
            n_blocks, label = connected_components(some.T.astype(np.float32) @ some > 0)
            if n_blocks == 1:
                return []
        of_columns = [np.flatnonzero(label == block) for block in range(n_blocks)]
        of_rows = [np.flatnonzero(used[:, columns].any(axis=1)) for columns in of_columns]
        return [
            (_slice_of(rows), columns, self._squares_of(rows, columns))
            for rows, columns in zip(of_rows, of_columns, strict=True)
        ]

    def _squares_of(self, rows: IntArray, columns: IntArray) -> Squares:
        n_offsets = int(np.count_nonzero(columns >= self.n_weights))
        return squares_of(self.coefficients[np.ix_(rows, columns)], n_offsets)

    @property
    def has_many_weights(self) -> bool:
        """More than rows: Newton's equations are solved in the space of rows."""
        return self.n_weights > _MANY * self.n_rows

    @property
    def parts(self) -> list[tuple[slice | IntArray, IntArray, Squares]]:
        """Blocks of rows and columns with their squares; if there are none, all of them."""
        every = slice(0, self.n_rows), np.arange(self.n_shared), self._squares
        return self._blocks or [every]

    @cached_property
    def distinct(self) -> tuple[FloatArray, IntArray, IntArray]:
        """Rows of the weights that differ in more than their sign, and where their copies stand.

        In ``order``, rows are the same from each of the ``first`` on.
        """
        of_weights, each = self.coefficients[:, : self.n_weights], np.arange(self.n_rows)
        order, first = alike(of_weights) or (each, each)
        return of_weights[order[first]], order, first

    @cached_property
    def kinds(self) -> list[Kind]:
        """Rows that speak of the same weights; those of a sample are alike up to their sign."""
        found, every = [], np.arange(self.n_rows)
        for rows, columns, _ in self.parts:
            of_weights = columns[columns < self.n_weights]
            part = self.coefficients[rows]
            part = part[:, : len(of_weights)] if not self._blocks else part[:, of_weights]
            each = np.arange(len(part))
            order, first = alike(part, fewer=1.0) or (each, each)
            whole = Kind(every[rows][order], first, columns)
            found += kinds_of(self.coefficients, self.n_weights, whole)
        return found

    @cached_property
    def _squares(self) -> Squares:
        return squares_of(self.coefficients, self.n_shared - self.n_weights)

    def gram(self, theta: FloatArray, *, rough: bool = False) -> FloatArray:
        """``Z' diag(theta) Z`` for each line of theta; roughly, in half the time of a long one."""
        if not self._blocks:
            return self._squares.gram(theta, rough=rough)
        grams = np.zeros((len(theta), self.n_shared, self.n_shared))
        for rows, columns, squares in self._blocks:
            grams[:, columns[:, None], columns] = squares.gram(theta[:, rows], rough=rough)
        return grams

    def back(self, values: FloatArray) -> FloatArray:
        """``Z'`` times values of the first rows."""
        m = values.shape[1]
        if self._blocks or self._squares.uses_all:
            return values @ self.coefficients[:m]
        rest = np.zeros((len(values), self.n_rows - m))
        return self._squares.back(
            np.concatenate([values, rest], axis=1) if m < self.n_rows else values
        )

    def forth(self, models: FloatArray, rows: FloatArray) -> None:
        """``Z`` times weights and offsets, into values of the rows."""
        if self._blocks or self._squares.uses_all:
            np.matmul(models, self.coefficients.T, out=rows)
        else:
            rows[:] = self._squares.forth(models)


def _slice_of(rows: IntArray) -> slice | IntArray:
    """Rows that follow one another without a copy."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


@dataclass(frozen=True, eq=False)
class Own:
    """Columns that only one program of a batch has.

    Attributes
    ----------
    columns : (batch, e, m) array
    linear : (batch, e) array
        Of each column in the linear part of the loss.
    price : float
        What their weights count in the norm.
    known_spans : tuple of slices or None
        ``spans``, if a larger batch knows them.
    """

    columns: FloatArray
    linear: FloatArray
    price: float
    known_spans: tuple[slice, ...] | None = None

    @classmethod
    def none(cls, batch: int, n_rows: int) -> "Own":
        return cls(np.empty((batch, 0, n_rows)), np.empty((batch, 0)), 1.0)

    @property
    def without_columns(self) -> "Own":
        return Own.none(len(self.columns), self.columns.shape[2])

    def __getitem__(self, chosen: BoolArray | slice) -> "Own":
        return Own(self.columns[chosen], self.linear[chosen], self.price, self.spans)

    @property
    def n_weights(self) -> int:
        return int(self.columns.shape[1])

    @cached_property
    def spans(self) -> tuple[slice, ...]:
        """The rows outside of which each column is zero: those of one class, for instance."""
        if self.known_spans is not None:
            return self.known_spans
        m = self.columns.shape[2]
        if self.n_weights < 2:
            return (slice(0, m),) * self.n_weights
        places = [np.flatnonzero(each) for each in (self.columns != 0).any(axis=0)]
        return tuple(
            slice(int(at[0]), int(at[-1]) + 1) if len(at) else slice(0, 0) for at in places
        )

    @cached_property
    def alike(self) -> list[tuple[slice, slice]]:
        """Columns that follow one another and have the same span, with that."""
        ends = [e for e in range(self.n_weights) if not e or self.spans[e] != self.spans[e - 1]]
        return [
            (slice(first, last), self.spans[first])
            for first, last in pairwise([*ends, self.n_weights])
        ]


@dataclass(frozen=True, eq=False)
class Places:
    """Where the parts of V and U stand, how many there are, and where weights are in a model.

    ``prices`` are those of all weights, own ones last.
    """

    rows: slice
    slacks: slice
    plus: slice
    minus: slice
    limits: slice
    size: int
    weights: IntArray
    prices: FloatArray

    @classmethod
    def of(cls, program: Program, own: Own) -> "Places":
        n_weights = program.n_weights + own.n_weights
        lengths = (program.n_rows, program.n_soft, n_weights, n_weights, len(program.limits))
        ends = np.cumsum((0, *lengths)).tolist()
        parts = [slice(*pair) for pair in pairwise(ends)]
        weights = np.r_[0 : program.n_weights, program.n_shared : program.n_shared + own.n_weights]
        prices = np.r_[program.prices, np.full(own.n_weights, own.price)]
        return cls(parts[0], parts[1], parts[2], parts[3], parts[4], ends[-1], weights, prices)


@dataclass(frozen=True, eq=False)
class Point:
    """A point strictly within all limits.

    Attributes
    ----------
    primal, dual : (batch, size) arrays
        V and U.
    offsets : (batch, k) array
    gap : (batch, m) array
        By how much ``y`` differs from what slack, weights and offsets make of it.
    """

    primal: FloatArray
    dual: FloatArray
    offsets: FloatArray
    gap: FloatArray


@dataclass(frozen=True, eq=False)
class Iterate:
    """A model, multipliers of the rows of a program, and the prices of norm and loss among them."""

    weights: FloatArray
    offsets: FloatArray
    multipliers: FloatArray
    prices: FloatArray
