"""The dual simplex method for programs of few rows, compiled: no array is sparse, none is long.

    min cost.x   with   Z x' = x"   and   lower <= x <= upper,   x = (x', x")

for q rows and m columns of Z, all limits finite. What limits a variable may move at any time: the
next solution goes on from the last one. A step lets variables change over to their other limit as
long as that pays (the long-step rule), and leaves in the direction of steepest edge.

General solvers spend 15 to 60 microseconds on a step of such a program, this one 5 to 30.
"""

import numpy as np
from numba import njit

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels.tableau import (
    SMALLEST_PIVOT,
    Tableau,
    fill_column,
    inner,
    is_off,
    pivot,
    restore,
    settle,
    times,
)

_PIVOT_ROUNDING = 1e-6  # by which a pivot may be off, relatively, before all is computed anew
_TIE = 1e-11
_SMALLEST_EDGE = 1e-4
_STEPS_TILL_RESTORED = 150
_FIRST_SHIFT = 1e-6  # of costs, where steps gain nothing
_GOLDEN = 0.6180339887498949

_compiled = njit(cache=True, nogil=True, error_model="numpy")


@_compiled
def resolve(t: Tableau, most_steps: int) -> bool:
    """Whether the solution for the present limits was found within so many steps."""
    q, m = t.rows.shape
    row, leaving_row, moved, column = np.empty(m + q), np.empty(q), np.empty(q), np.empty(q)
    candidates, ratios = np.empty(m + q, dtype=np.int64), np.empty(m + q)
    true_cost, shift, idle = t.cost.copy(), _FIRST_SHIFT, 0
    settle(t)
    age = _STEPS_TILL_RESTORED if is_off(t) else 0
    for _ in range(most_steps):
        if age >= _STEPS_TILL_RESTORED:
            restore(t)
            age = 0
        if idle > q:
            _shift(t, shift)
            shift, idle = shift / 10, 0
        place = _leaving(t)
        if place < 0:
            is_shifted = shift < _FIRST_SHIFT and (t.cost != true_cost).any()
            if not is_shifted and (age == 0 or not is_off(t)):
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
        fill_column(t, entering, moved, column)
        if age > 0 and abs(column[place] - row[entering]) > _PIVOT_ROUNDING * abs(row[entering]):
            age = _STEPS_TILL_RESTORED
            continue
        idle = idle + 1 if abs(t.reduced[entering]) <= _TIE else 0
        times(t, leaving_row, moved)
        _exchange(t, place, entering, above, row, column, moved)
        age += 1
    _copy(true_cost, t.cost)
    return False


@inner
def _copy(source: FloatArray, target: FloatArray) -> None:
    """Written out: assigning slices takes numba seconds to compile."""
    for j in range(len(source)):
        target[j] = source[j]


@inner
def _shift(t: Tableau, size: float) -> None:
    """Costs a little further from those at which a variable would change over, each by its own."""
    for j in range(len(t.cost)):
        if not t.is_basic[j]:
            share = (j * _GOLDEN) % 1.0
            change = size * (1 + share) * (-1.0 if t.at_upper[j] else 1.0)
            t.cost[j] += change
            t.reduced[j] += change


@inner
def _leaving(t: Tableau) -> int:
    """The place in the basis whose variable exceeds its limits most, along its edge; -1: none."""
    place, most = -1, 0.0
    for i in range(len(t.basis)):
        j = t.basis[i]
        excess = max(t.value[j] - t.upper[j], t.lower[j] - t.value[j])
        if excess > t.slack[j] and excess * excess > most * t.edge[i]:
            place, most = i, excess * excess / t.edge[i]
    return place


@inner
def _fill_row(t: Tableau, leaving_row: FloatArray, row: FloatArray) -> None:
    q, m = t.rows.shape
    row[:m] = 0.0
    for p in range(q):
        share = leaving_row[p]
        if share != 0:
            for j in range(m):
                row[j] += share * t.rows[p, j]
        row[m + p] = -share


@inner
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


@inner
def _candidates(
    t: Tableau, above: bool, row: FloatArray, candidates: IntArray, ratios: FloatArray
) -> int:
    """How many variables would help the leaving one; which, and at what price they do."""
    n = 0
    for j in range(len(row)):
        if t.is_basic[j] or t.upper[j] == t.lower[j]:
            continue
        gradient = row[j] if above else -row[j]
        if (gradient > SMALLEST_PIVOT and not t.at_upper[j]) or (
            gradient < -SMALLEST_PIVOT and t.at_upper[j]
        ):
            candidates[n], ratios[n] = j, max(t.reduced[j] / gradient, 0.0)
            n += 1
    return n


@inner
def _nearest(row: FloatArray, candidates: IntArray, ratios: FloatArray, n: int) -> int:
    """The place of the candidate with the least price; among equals that of the largest pivot."""
    chosen, least, size = 0, np.inf, 0.0
    for c in range(n):
        if ratios[c] <= least + _TIE:
            gradient = abs(row[candidates[c]])
            if ratios[c] < least - _TIE or gradient > size:
                chosen, least, size = c, ratios[c], gradient
    return chosen


@inner
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


@inner
def _let_move(t: Tableau, moved: FloatArray, scratch: FloatArray) -> None:
    """Basic variables make up for what rows have gained."""
    if moved.any():
        times(t, moved, scratch)
        for i in range(len(scratch)):
            t.value[t.basis[i]] -= scratch[i]


@inner
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
    leaving, size, q = t.basis[place], column[place], len(column)
    price = t.reduced[entering] / row[entering]
    for j in range(len(row)):
        t.reduced[j] -= price * row[j]
    limit = t.upper[leaving] if above else t.lower[leaving]
    step = (t.value[leaving] - limit) / size
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
    pivot(t.inverse, place, column)
    for i in range(q):
        share = column[i] / size
        length = t.edge[i] - 2 * share * across[i] + share * share * across[place]
        t.edge[i] = max(length, _SMALLEST_EDGE)
    t.edge[place] = max(across[place] / (size * size), _SMALLEST_EDGE)
