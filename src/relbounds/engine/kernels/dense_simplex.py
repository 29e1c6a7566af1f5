"""The dual simplex method for programs of few rows, compiled: no array is sparse, none is long.

    min cost.x   with   Z x' = x"   and   lower <= x <= upper,   x = (x', x")

for q rows and m columns of Z, all limits finite. What limits a variable may move at any time: the
next solution goes on from the last one.

General solvers spend 15 to 60 microseconds on a step of such a program, this one 5 to 30.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine.kernels import native

_ROUNDING = 1e-10  # of reduced costs
_MOVING = "basis", "is_basic", "at_upper", "value", "reduced", "place", "inverse", "edge"


class Tableau(NamedTuple):
    """A program and where its solution is; arrays are changed in place.

    Attributes
    ----------
    rows : (q, m) array
        Z.
    cost, lower, upper, slack : (m + q,) arrays
        ``slack``: by how much a variable may exceed its limits.
    basis : (q,) int array
        The variables that are not at a limit.
    is_basic, at_upper : (m + q,) bool arrays
    value, reduced : (m + q,) arrays
        Of the variables, and their reduced costs.
    place : (q,) int array
        Where in the basis the variables ``x"`` are that are in it.
    inverse : (q, q) array
        Of the columns of the basis, transposed.
    edge : (q,) array
        Squared lengths of the edges that the basic variables leave along.
    """

    rows: FloatArray
    cost: FloatArray
    lower: FloatArray
    upper: FloatArray
    slack: FloatArray
    basis: IntArray
    is_basic: BoolArray
    at_upper: BoolArray
    value: FloatArray
    reduced: FloatArray
    place: IntArray
    inverse: FloatArray
    edge: FloatArray

    @classmethod
    def of(cls, rows: FloatArray, cost: FloatArray) -> "Tableau":
        """All of ``x'`` at the limits that their costs prefer, and limits still to be given."""
        q, m = rows.shape
        is_basic = np.arange(m + q) >= m
        lower, upper, slack, value = np.zeros((4, m + q))
        return cls(
            rows, cost, lower, upper, slack, np.arange(m, m + q), is_basic, cost < 0, value,
            cost.copy(), np.arange(q), -np.eye(q), np.ones(q),
        )  # fmt: skip

    def at(self, basis: IntArray, at_upper: BoolArray) -> "Tableau":
        """The same program at another basis, from which all else follows.

        Variables whose reduced cost is zero stay at the limits that are given.
        """
        (q, m), place = self.rows.shape, np.zeros(len(basis), dtype=np.int64)
        columns = np.zeros((q, q))
        of_rows = basis < m
        columns[:, of_rows] = self.rows[:, basis[of_rows]]
        columns[basis[~of_rows] - m, ~of_rows] = -1.0
        place[basis[~of_rows] - m] = np.flatnonzero(~of_rows)
        inverse = np.linalg.inv(columns)
        prices = self.cost[basis] @ inverse
        reduced = self.cost + np.concatenate([-prices @ self.rows, prices])
        reduced[basis] = 0.0
        is_basic = np.zeros(m + q, dtype=bool)
        is_basic[basis] = True
        return self._replace(
            basis=basis.copy(),
            is_basic=is_basic,
            at_upper=np.where(np.abs(reduced) > _ROUNDING, reduced < 0, at_upper),
            reduced=reduced,
            place=place,
            inverse=np.ascontiguousarray(inverse.T),
            edge=np.square(inverse).sum(axis=1),
        )

    def with_lines(self, lines: FloatArray, before: int) -> "Tableau":
        """A copy with more lines of Z, the first of them in this place; their variables are basic.

        With S the basic columns of the new lines, the inverse of the basis grows to::

            [   B^-1     0 ]
            [ S B^-1    -1 ]
        """
        (q, m), more = self.rows.shape, len(lines)
        first, last = m + before, before + more
        inverse = np.zeros((q + more, q + more))
        inverse[:before, :q], inverse[last:, :q] = self.inverse[:before], self.inverse[before:]
        inverse[before:last, q:] = -np.eye(more)

        def widened(values: NDArray[Any], new: Any) -> NDArray[Any]:
            return np.concatenate([values[:first], np.full(more, new), values[first:]])

        basis = np.where(self.basis < first, self.basis, self.basis + more)
        wider = Tableau(
            rows=np.concatenate([self.rows[:before], lines, self.rows[before:]]),
            cost=widened(self.cost, 0.0),
            lower=widened(self.lower, 0.0),
            upper=widened(self.upper, 0.0),
            slack=widened(self.slack, 0.0),
            basis=np.concatenate([basis, np.arange(first, first + more)]),
            is_basic=widened(self.is_basic, new=True),
            at_upper=widened(self.at_upper, new=False),
            value=widened(self.value, 0.0),
            reduced=widened(self.reduced, 0.0),
            place=np.concatenate(
                [self.place[:before], np.arange(q, q + more), self.place[before:]]
            ),
            inverse=inverse,
            edge=np.concatenate([self.edge, np.ones(more)]),
        )
        self.put_lines(lines, before, wider)
        return wider

    def put_lines(self, lines: FloatArray, before: int, wider: "Tableau") -> None:
        """Other lines into what ``with_lines`` gave, which has not moved since."""
        (q, m), last = self.rows.shape, before + len(lines)
        shared = np.where(self.basis < m, lines[:, np.minimum(self.basis, m - 1)], 0.0)
        of_new = self.inverse @ shared.T
        wider.rows[before:last] = lines
        wider.inverse[:before, q:], wider.inverse[last:, q:] = of_new[:before], of_new[before:]
        wider.edge[q:] = 1 + np.square(of_new).sum(axis=0)

    @property
    def at_its_beginning(self) -> "Tableau":
        """The same program, whose solution moves without this one."""
        moving = {name: getattr(self, name).copy() for name in _MOVING}
        return self._replace(**moving)

    def begin_at(self, other: "Tableau") -> None:
        """Goes to where another one is, with which it shares the program."""
        for own, others in zip(self, other, strict=True):
            if own is not others:
                own[...] = others


def resolve(tableau: Tableau, most_steps: int) -> bool:
    """Whether the solution for the present limits was found within so many steps."""
    return bool(native.resolve(*tableau, most_steps))
