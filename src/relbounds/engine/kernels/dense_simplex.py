"""The dual simplex method for programs of few rows, compiled: no array is sparse, none is long.

    min cost.x   with   Z x' = x"   and   lower <= x <= upper,   x = (x', x")

for q rows and m columns of Z, all limits finite. What limits a variable may move at any time: the
next solution goes on from the last one. A step lets variables change over to their other limit as
long as that pays (the long-step rule), and leaves in the direction of steepest edge.

General solvers spend 15 to 60 microseconds on a step of such a program, this one 5 to 30.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import njit

from relbounds.arrays import BoolArray, FloatArray, IntArray

_ROUNDING = 1e-10  # by which rows and reduced costs may be off before all is computed anew,
_PIVOT_ROUNDING = 1e-6  # and by which pivots may be, relatively
_SMALLEST_PIVOT = 1e-9
_TIE = 1e-11
_SMALLEST_EDGE = 1e-4
_STEPS_TILL_RESTORED = 150
_FIRST_SHIFT = 1e-6  # of costs, where steps gain nothing
_GOLDEN = 0.6180339887498949

Function = TypeVar("Function", bound=Callable[..., Any])
_compiled = njit(cache=True, nogil=True, error_model="numpy")


def _inner(function: Function) -> Function:
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


@_compiled
def resolve(t: Tableau, most_steps: int) -> bool:
    """Whether the solution for the present limits was found within so many steps."""
    q, m = t.rows.shape
    row, leaving_row, moved, column = np.empty(m + q), np.empty(q), np.empty(q), np.empty(q)
    candidates, ratios = np.empty(m + q, dtype=np.int64), np.empty(m + q)
    true_cost, shift, idle = t.cost.copy(), _FIRST_SHIFT, 0
    _settle(t)
    age = _STEPS_TILL_RESTORED if _is_off(t) else 0
    for _ in range(most_steps):
        if age >= _STEPS_TILL_RESTORED:
            _restore(t)
            age = 0
        if idle > q:
            _shift(t, shift)
            shift, idle = shift / 10, 0
        place = _leaving(t)
        if place < 0:
            is_shifted = shift < _FIRST_SHIFT and (t.cost != true_cost).any()
            if not is_shifted and (age == 0 or not _is_off(t)):
                return True
            _copy(true_cost, t.cost)
            age = _STEPS_TILL_RESTORED
            continue
        leaving = t.basis[place]
        above = t.value[leaving] > t.upper[leaving]
        for p in range(q):
            leaving_row[p] = t.inverse[p, place]
        _fill_row(t, leaving_row, row)
        entering = _entering(t, leaving, above, row, candidates, ratios, moved)
        if entering < 0:
            break
        _let_move(t, moved, column)
        _fill_column(t, entering, moved, column)
        if age > 0 and abs(column[place] - row[entering]) > _PIVOT_ROUNDING * abs(row[entering]):
            age = _STEPS_TILL_RESTORED
            continue
        idle = idle + 1 if abs(t.reduced[entering]) <= _TIE else 0
        _times(t, leaving_row, moved)
        _exchange(t, place, entering, above, row, column, moved)
        age += 1
    _copy(true_cost, t.cost)
    return False


@_inner
def _copy(source: FloatArray, target: FloatArray) -> None:
    """Written out: assigning slices takes numba seconds to compile."""
    for j in range(len(source)):
        target[j] = source[j]


@_inner
def _shift(t: Tableau, size: float) -> None:
    """Costs a little further from those at which a variable would change over, each by its own."""
    for j in range(len(t.cost)):
        if not t.is_basic[j]:
            share = (j * _GOLDEN) % 1.0
            change = size * (1 + share) * (-1.0 if t.at_upper[j] else 1.0)
            t.cost[j] += change
            t.reduced[j] += change


@_inner
def _settle(t: Tableau) -> None:
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
    _times(t, rest, values)
    for i in range(q):
        t.value[t.basis[i]] = -values[i]


@_inner
def _restore(t: Tableau) -> None:
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
    _settle(t)


@_inner
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
        _fill_column(t, j, scratch, column)
        place = -1
        for i in range(q):
            is_free = t.basis[i] == m + i and not t.is_basic[m + i]
            if is_free and (place < 0 or abs(column[i]) > abs(column[place])):
                place = i
        if abs(column[place]) > _SMALLEST_PIVOT:
            _pivot(t.inverse, place, column)
            t.basis[place] = j
        else:
            t.is_basic[j] = False
    for i in range(q):
        t.is_basic[t.basis[i]] = True
        t.edge[i] = edges[t.basis[i]]


@_inner
def _times(t: Tableau, vector: FloatArray, out: FloatArray) -> None:
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


@_inner
def _pivot(inverse: FloatArray, place: int, column: FloatArray) -> None:
    """The inverse after a column of the basis was replaced; ``column``: it times the new one."""
    for p in range(len(column)):
        share = inverse[p, place] / column[place]
        if share != 0:
            for i in range(len(column)):
                inverse[p, i] -= share * column[i]
            inverse[p, place] = share


@_inner
def _is_off(t: Tableau) -> bool:
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


@_inner
def _leaving(t: Tableau) -> int:
    """The place in the basis whose variable exceeds its limits most, along its edge; -1: none."""
    place, most = -1, 0.0
    for i in range(len(t.basis)):
        j = t.basis[i]
        excess = max(t.value[j] - t.upper[j], t.lower[j] - t.value[j])
        if excess > t.slack[j] and excess * excess > most * t.edge[i]:
            place, most = i, excess * excess / t.edge[i]
    return place


@_inner
def _fill_row(t: Tableau, leaving_row: FloatArray, row: FloatArray) -> None:
    q, m = t.rows.shape
    row[:m] = 0.0
    for p in range(q):
        share = leaving_row[p]
        if share != 0:
            for j in range(m):
                row[j] += share * t.rows[p, j]
        row[m + p] = -share


@_inner
def _fill_column(t: Tableau, entering: int, scratch: FloatArray, column: FloatArray) -> None:
    m = t.rows.shape[1]
    if entering < m:
        for p in range(len(scratch)):
            scratch[p] = t.rows[p, entering]
        _times(t, scratch, column)
    else:
        for i in range(len(column)):
            column[i] = -t.inverse[entering - m, i]


@_inner
def _entering(
    t: Tableau,
    leaving: int,
    above: bool,
    row: FloatArray,
    candidates: IntArray,
    ratios: FloatArray,
    moved: FloatArray,
) -> int:
    """The variable that enters, and in ``moved`` what rows gain by those that change over."""
    n = _candidates(t, above, row, candidates, ratios)
    moved[:] = 0.0
    lack = t.value[leaving] - t.upper[leaving] if above else t.lower[leaving] - t.value[leaving]
    while n > 0:
        chosen = _nearest(row, candidates, ratios, n)
        j = int(candidates[chosen])
        lack -= abs(row[j]) * (t.upper[j] - t.lower[j])
        if lack <= 0 or n == 1:
            return j
        _change_over(t, j, moved)
        n -= 1
        candidates[chosen], ratios[chosen] = candidates[n], ratios[n]
    return -1


@_inner
def _candidates(
    t: Tableau, above: bool, row: FloatArray, candidates: IntArray, ratios: FloatArray
) -> int:
    """How many variables would help the leaving one; which, and at what price they do."""
    n = 0
    for j in range(len(row)):
        if t.is_basic[j] or t.upper[j] == t.lower[j]:
            continue
        pull = row[j] if above else -row[j]
        if (pull > _SMALLEST_PIVOT and not t.at_upper[j]) or (
            pull < -_SMALLEST_PIVOT and t.at_upper[j]
        ):
            candidates[n], ratios[n] = j, max(t.reduced[j] / pull, 0.0)
            n += 1
    return n


@_inner
def _nearest(row: FloatArray, candidates: IntArray, ratios: FloatArray, n: int) -> int:
    """The place of the candidate with the least price; among equals that of the largest pivot."""
    chosen, least, size = 0, np.inf, 0.0
    for c in range(n):
        if ratios[c] <= least + _TIE:
            pull = abs(row[candidates[c]])
            if ratios[c] < least - _TIE or pull > size:
                chosen, least, size = c, ratios[c], pull
    return chosen


@_inner
def _change_over(t: Tableau, j: int, moved: FloatArray) -> None:
    """A variable goes to its other limit."""
    m = t.rows.shape[1]
    change = t.lower[j] - t.upper[j] if t.at_upper[j] else t.upper[j] - t.lower[j]
    t.at_upper[j] = not t.at_upper[j]
    t.value[j] += change
    if j < m:
        for p in range(len(moved)):
            moved[p] += change * t.rows[p, j]
    else:
        moved[j - m] -= change


@_inner
def _let_move(t: Tableau, moved: FloatArray, scratch: FloatArray) -> None:
    """Basic variables make up for what rows have gained."""
    if moved.any():
        _times(t, moved, scratch)
        for i in range(len(scratch)):
            t.value[t.basis[i]] -= scratch[i]


@_inner
def _exchange(
    t: Tableau,
    place: int,
    entering: int,
    above: bool,
    row: FloatArray,
    column: FloatArray,
    across: FloatArray,
) -> None:
    """The variable at a place of the basis goes to its limit, and another takes the place.

    ``across``: the inverse times its own row at that place.
    """
    leaving, pivot, q = t.basis[place], column[place], len(column)
    price = t.reduced[entering] / row[entering]
    for j in range(len(row)):
        t.reduced[j] -= price * row[j]
    limit = t.upper[leaving] if above else t.lower[leaving]
    step = (t.value[leaving] - limit) / pivot
    for i in range(q):
        t.reduced[t.basis[i]] = 0.0
        t.value[t.basis[i]] -= step * column[i]
    t.reduced[entering], t.reduced[leaving] = 0.0, -price
    t.value[entering] += step
    t.value[leaving] = limit
    t.at_upper[leaving] = above
    t.is_basic[leaving], t.is_basic[entering] = False, True
    t.basis[place] = entering
    if entering >= t.rows.shape[1]:
        t.place[entering - t.rows.shape[1]] = place
    _pivot(t.inverse, place, column)
    for i in range(q):
        share = column[i] / pivot
        length = t.edge[i] - 2 * share * across[i] + share * share * across[place]
        t.edge[i] = max(length, _SMALLEST_EDGE)
    t.edge[place] = max(across[place] / (pivot * pivot), _SMALLEST_EDGE)
