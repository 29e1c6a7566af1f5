"""Where a dense simplex method is: which variables are basic, and what all of them are worth."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import njit

from relbounds.arrays import BoolArray, FloatArray, IntArray

SMALLEST_PIVOT = 1e-9
_ROUNDING = 1e-10  # by which rows and reduced costs may be off before all is computed anew

Function = TypeVar("Function", bound=Callable[..., Any])


def inner(function: Function) -> Function:
    """Compiled for other compiled functions alone, which takes half as long."""
    options: dict[str, Any] = {"no_cpython_wrapper": True}
    compiled: Function = njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    return compiled


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


@inner
def settle(t: Tableau) -> None:
    """Values of all variables from which limit they are at."""
    q, m = t.rows.shape
    for j in range(m + q):
        if not t.is_basic[j]:
            t.value[j] = t.upper[j] if t.at_upper[j] else t.lower[j]
    rest = np.zeros(q)
    for j in range(m):
        if t.value[j] != 0 and not t.is_basic[j]:
            for p in range(q):
                rest[p] += t.rows[p, j] * t.value[j]
    for p in range(q):
        if not t.is_basic[m + p]:
            rest[p] -= t.value[m + p]
    values = np.empty(q)
    times(t, rest, values)
    for i in range(q):
        t.value[t.basis[i]] = -values[i]


@inner
def restore(t: Tableau) -> None:
    """All from the basis alone; variables go to the limits that their reduced costs prefer."""
    q, m = t.rows.shape
    _invert(t)
    for j in range(m):
        t.reduced[j] = t.cost[j]
    for p in range(q):
        price = 0.0
        for i in range(q):
            price += t.cost[t.basis[i]] * t.inverse[p, i]
        for j in range(m):
            t.reduced[j] -= price * t.rows[p, j]
        t.reduced[m + p] = t.cost[m + p] + price
    for i in range(q):
        t.reduced[t.basis[i]] = 0.0
    for j in range(m + q):
        if abs(t.reduced[j]) > _ROUNDING and not t.is_basic[j]:
            t.at_upper[j] = t.reduced[j] < 0
    settle(t)


@inner
def _invert(t: Tableau) -> None:
    """The inverse anew: one by one, columns of Z take the places of rows that left the basis.

    A column that depends on those before it leaves the basis itself.
    """
    q, m = t.rows.shape
    edges, column, scratch = np.ones(m + q), np.empty(q), np.empty(q)
    columns = t.basis.copy()
    for i in range(q):
        edges[t.basis[i]] = t.edge[i]
        t.basis[i], t.place[i] = m + i, i
        for p in range(q):
            t.inverse[i, p] = -1.0 if i == p else 0.0
    for j in columns:
        if j >= m:
            continue
        fill_column(t, j, scratch, column)
        place = -1
        for i in range(q):
            is_free = t.basis[i] == m + i and not t.is_basic[m + i]
            if is_free and (place < 0 or abs(column[i]) > abs(column[place])):
                place = i
        if abs(column[place]) > SMALLEST_PIVOT:
            pivot(t.inverse, place, column)
            t.basis[place] = j
        else:
            t.is_basic[j] = False
    for i in range(q):
        t.is_basic[t.basis[i]] = True
        t.edge[i] = edges[t.basis[i]]


@inner
def times(t: Tableau, vector: FloatArray, out: FloatArray) -> None:
    """The inverse times a vector; rows whose own variable is basic have one number in it."""
    m = t.rows.shape[1]
    out[:] = 0.0
    for p in range(len(vector)):
        share = vector[p]
        if share != 0 and t.is_basic[m + p]:
            out[t.place[p]] -= share
        elif share != 0:
            for i in range(len(out)):
                out[i] += share * t.inverse[p, i]


@inner
def pivot(inverse: FloatArray, place: int, column: FloatArray) -> None:
    """The inverse after a column of the basis was replaced; ``column``: it times the new one."""
    for p in range(len(column)):
        share = inverse[p, place] / column[place]
        if share != 0:
            for i in range(len(column)):
                inverse[p, i] -= share * column[i]
            inverse[p, place] = share


@inner
def is_off(t: Tableau) -> bool:
    """Whether rounding has added up in rows or reduced costs."""
    q, m = t.rows.shape
    reduced = t.cost[:m].copy()
    for p in range(q):
        total, size = 0.0, 1.0
        price = t.reduced[m + p] - t.cost[m + p]
        for j in range(m):
            term = t.rows[p, j] * t.value[j]
            total += term
            size += abs(term)
            reduced[j] -= price * t.rows[p, j]
        if abs(total - t.value[m + p]) > _ROUNDING * size:
            return True
    return bool((np.abs(reduced - t.reduced[:m]) > _ROUNDING * (1 + np.abs(t.cost[:m]))).any())


@inner
def fill_column(t: Tableau, entering: int, scratch: FloatArray, column: FloatArray) -> None:
    m = t.rows.shape[1]
    if entering < m:
        for p in range(len(scratch)):
            scratch[p] = t.rows[p, entering]
        times(t, scratch, column)
    else:
        for i in range(len(column)):
            column[i] = -t.inverse[entering - m, i]
