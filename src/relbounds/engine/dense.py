"""Linear programs with prices again (see ``highs/program``), on a simplex method for few weights.

It is there where the kernels were compiled, and much faster than HiGHS on what it suits.
"""

from collections.abc import Iterable, Iterator
from copy import copy

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.feasible_set import NORM_PRICE, Model, ModelSpace
from relbounds.engine.highs.engine import HighsPath
from relbounds.exceptions import SolverError

_SLACK = 1e-10  # of a variable's limits, by which it may exceed them
_STEPS = 20  # that a variable may cost
_MOST_WEIGHTS, MOST_COEFFICIENTS = 1_000, 1_000_000  # beyond, interior points are as fast


class DenseProgram:
    """``min norm_price * norm + loss_price * loss - goal.w``, by its dual::

        max margin.alpha   with   u = A'alpha,   |u + goal| <= norm_price,   T'alpha = 0,
                                  -loss_price * surplus_weight <= alpha <= loss_price * weight

    Reduced costs of ``u`` are the weights, and those of the zeros are the offsets. Prices and goal
    only move limits, so that each solution starts the next.
    """

    @staticmethod
    def suits(space: ModelSpace) -> bool:
        """Whether this is the fastest way, and at hand."""
        d = space.n_weights
        few = d <= _MOST_WEIGHTS and d * len(space.rows) <= MOST_COEFFICIENTS
        return few and kernels.dense_simplex is not None

    def __init__(self, space: ModelSpace) -> None:
        assert kernels.dense_simplex is not None, "a program is made where it suits"
        self._simplex = kernels.dense_simplex
        self.space, rows = space, space.rows
        self._prices = space.prices
        coefficients = _transposed(space)
        cost = np.r_[-rows.margin, np.zeros(len(coefficients))]
        self._tableau = self._simplex.Tableau.of(coefficients, cost)
        finite = np.where(rows.must_hold, 0.0, rows.weight)
        self._most = float((finite + rows.surplus_weight).sum())
        self._weight = np.where(rows.must_hold, self._most, rows.weight)

    @property
    def corner(self) -> tuple[IntArray, BoolArray]:
        """Where the last solution is: its basis, and which variables are at their upper limits.

        Variables are rows, then weights and offsets.
        """
        return self._tableau.basis, self._tableau.at_upper

    def beginning_at(
        self, basis: IntArray, at_upper: BoolArray, margin: FloatArray | None = None
    ) -> "DenseProgram":
        """The same, perhaps with other margins, whose next solution starts from such a corner.

        ``SolverError`` if it is none.
        """
        other, tableau = copy(self), self._tableau
        if margin is not None:
            tableau = tableau._replace(cost=np.r_[-margin, tableau.cost[len(margin) :]])
        try:
            other._tableau = tableau.at(basis, at_upper)
        except np.linalg.LinAlgError as error:
            raise SolverError("These variables are no basis of the program.") from error
        return other

    def each_joined_by(self, sets: Iterable[FloatArray], price: float) -> Iterator["DenseProgram"]:
        """The program with more weights, which come last; it begins at the solution of this one.

        With each of several sets of as many columns, in the same room: one program is done with
        when the next is asked for.
        """
        rows, before, joined = self.space.rows, len(self._prices), copy(self)
        wider = None  # the room; what moves in it is joined's own
        for columns in sets:
            lines = (columns.T / price)[:, rows.point]
            lines *= rows.sign
            if wider is None:
                wider = self._tableau.with_lines(lines, before)
                joined._tableau = wider.at_its_beginning
                joined._prices = np.concatenate([self._prices, np.full(len(lines), price)])
            else:
                self._tableau.put_lines(lines, before, wider)
                joined._tableau.begin_at(wider)
            yield joined

    def solve(
        self, norm_price: float, loss_price: float, goal: FloatArray | float = 0.0
    ) -> tuple[Model, FloatArray]:
        """The best model and the rows' multipliers; whether they are is for others to prove."""
        tableau, m, d = self._tableau, len(self.space.rows), len(self._prices)
        self._set_limits(norm_price, loss_price, goal / self._prices)
        if not self._simplex.resolve(tableau, _STEPS * len(tableau.value)):
            raise SolverError(
                f"The dense simplex method gave up at a price of {loss_price:g} for the loss."
            )
        prices = -tableau.reduced[m:]
        return Model(prices[:d] / self._prices, prices[d:].copy()), tableau.value[:m].copy()

    def _set_limits(self, norm_price: float, loss_price: float, goal: FloatArray) -> None:
        """A row that has to be kept weighs at most as much as all others can."""
        tableau, rows, d = self._tableau, self.space.rows, len(self._prices)
        m = len(rows)
        tableau.lower[:m] = -loss_price * rows.surplus_weight
        tableau.upper[:m] = loss_price * self._weight
        tableau.lower[m : m + d] = -norm_price - goal
        tableau.upper[m : m + d] = norm_price - goal
        tableau.slack[:] = _SLACK * (tableau.upper - tableau.lower)
        tableau.slack[m + d :] = _SLACK * loss_price * self._most / m


def _transposed(space: ModelSpace) -> FloatArray:
    """Coefficients of weights, in units of their prices, and of offsets: a line for each."""
    rows, d = space.rows, space.n_weights
    coefficients = np.empty((d + rows.n_offsets, len(rows)))
    coefficients[d:] = rows.offset_matrix.toarray().T
    for line, column, price in zip(coefficients, space.points.T, space.prices, strict=False):
        np.multiply(rows.sign, (column / price)[rows.point], out=line)
    return coefficients


class DensePath:
    """Minimisers of ``norm / 2 + C loss``."""

    def __init__(self, space: ModelSpace) -> None:
        self.program = DenseProgram(space)

    @property
    def space(self) -> ModelSpace:
        return self.program.space

    def solve(self, C: float, *, cold: bool) -> tuple[Model, FloatArray]:
        """The best model at C and the rows' multipliers, unproved; if cold, by HiGHS."""
        if cold:
            return HighsPath(self.space).solve(C, cold=True)
        return self.program.solve(NORM_PRICE, C)

    def solve_many(self, Cs: FloatArray) -> Iterator[tuple[Model, FloatArray]]:
        """Each solution starts the next."""
        return (self.program.solve(NORM_PRICE, C) for C in Cs.tolist())
