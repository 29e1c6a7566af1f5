"""The passes compiled, a line at a time: what ``plain`` does, without arrays in between.

Without fastmath: with it, last digits depended on where arrays happen to lie in memory.
"""

import numpy as np
from numba import njit

from relbounds.arrays import FloatArray
from relbounds.engine.kernels import plain

_SMALL = 32  # matrices up to this size are not worth a call of LAPACK

_compiled = njit(cache=True, nogil=True, error_model="numpy")


@_compiled
def divide(
    primal: FloatArray,
    dual: FloatArray,
    slack_price: FloatArray,
    ratio: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
) -> FloatArray:
    batch, size = primal.shape
    m, soft = theta.shape[1], len(slack_price)
    stiff = np.empty(batch)
    for b in range(batch):
        total = 0.0
        for i in range(size):
            ratio[b, i] = primal[b, i] / dual[b, i]
        for i in range(soft):
            theta[b, i] = 1 / (ratio[b, i] + ratio[b, m + i])
            lean[b, i] = slack_price[i] * ratio[b, m + i] * theta[b, i]
            total += slack_price[i] * lean[b, i] * ratio[b, i]
        for i in range(soft, m):
            theta[b, i] = 1 / ratio[b, i]
        stiff[b] = total
    return stiff


@_compiled
def wish(
    wanted: FloatArray,
    gap: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
    slack_price: FloatArray,
    rows: FloatArray,
    weighted: FloatArray,
) -> FloatArray:
    batch, m = theta.shape
    soft = len(slack_price)
    cost = np.empty(batch)
    for b in range(batch):
        total = 0.0
        for i in range(m):
            rows[b, i] = wanted[b, i]
        if gap.shape[1] == m:
            for i in range(m):
                rows[b, i] += gap[b, i]
        for i in range(soft):
            rows[b, i] -= wanted[b, m + i]
            total += slack_price[i] * wanted[b, m + i] + lean[b, i] * rows[b, i]
        for i in range(m):
            weighted[b, i] = theta[b, i] * rows[b, i]
        cost[b] = total
    return cost


@_compiled
def row_duals(
    rows: FloatArray,
    moved: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
    loss_price: FloatArray,
    slack_price: FloatArray,
    out: FloatArray,
) -> None:
    batch, m = theta.shape
    soft = len(slack_price)
    for b in range(batch):
        price = loss_price[b]
        for i in range(m):
            out[b, i] = theta[b, i] * (rows[b, i] - moved[b, i])
        for i in range(soft):
            out[b, i] += lean[b, i] * price
            out[b, m + i] = price * slack_price[i] - out[b, i]


@_compiled
def foresee(
    primal: FloatArray, dual: FloatArray, d_dual: FloatArray, product: FloatArray
) -> FloatArray:
    batch, size = primal.shape
    after = np.empty(batch)
    for b in range(batch):
        least, most, first, second = 0.0, 0.0, 0.0, 0.0
        for i in range(size):
            relative = d_dual[b, i] / dual[b, i]
            least, most = min(least, relative), max(most, relative)
            change = primal[b, i] * d_dual[b, i]
            first += change
            second += (1 + relative) * change
        dual_step, primal_step = 1 / max(1.0, -least), 1 / max(1.0, 1 + most)
        after[b] = (1 - primal_step) * product[b] + (dual_step - primal_step) * first
        after[b] -= primal_step * dual_step * second
    return after


@_compiled
def correct(
    primal: FloatArray,
    dual: FloatArray,
    ratio: FloatArray,
    d_dual: FloatArray,
    aim: FloatArray,
    wanted: FloatArray,
) -> None:
    batch, size = primal.shape
    for b in range(batch):
        for i in range(size):
            product = (ratio[b, i] * d_dual[b, i] + primal[b, i]) * d_dual[b, i]
            wanted[b, i] = (aim[b] + product) / dual[b, i] - primal[b, i]


@_compiled
def steps(
    primal: FloatArray, dual: FloatArray, ratio: FloatArray, wanted: FloatArray, d_dual: FloatArray
) -> FloatArray:
    batch, size = primal.shape
    found = np.empty((2, batch))
    for b in range(batch):
        of_primal, of_dual, total = 0.0, 0.0, 0.0
        for i in range(size):
            wanted[b, i] -= ratio[b, i] * d_dual[b, i]
            of_primal = min(of_primal, wanted[b, i] / primal[b, i])
            of_dual = min(of_dual, d_dual[b, i] / dual[b, i])
            total += wanted[b, i]
        found[0, b], found[1, b] = 1 / max(1.0, -of_primal), 1 / max(1.0, -of_dual)
        if not abs(total) < np.inf:  # what is not a number compares as false
            found[:, b] = np.nan
    return found


@_compiled
def move(values: FloatArray, step: FloatArray, change: FloatArray) -> None:
    for b in range(values.shape[0]):
        for i in range(values.shape[1]):
            values[b, i] += step[b] * change[b, i]


def factor(matrices: FloatArray) -> None:
    if matrices.shape[1] <= _SMALL:
        _factor(matrices)
        return
    try:  # NumPy's lets other threads work meanwhile, SciPy's does not
        matrices[:] = np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        plain.factor(matrices)


@_compiled
def _factor(matrices: FloatArray) -> None:
    batch, size, _ = matrices.shape
    for b in range(batch):
        matrix = matrices[b]
        for j in range(size):
            for i in range(j, size):
                total = matrix[i, j]
                for k in range(j):
                    total -= matrix[i, k] * matrix[j, k]
                if i == j:
                    matrix[j, j] = np.sqrt(total)
                else:
                    matrix[i, j] = total / matrix[j, j]


@_compiled
def solve(factors: FloatArray, rhs: FloatArray) -> None:
    batch, size, columns = rhs.shape
    values = np.empty(size)
    for b in range(batch):
        matrix = factors[b]
        for c in range(columns):
            for i in range(size):
                values[i] = rhs[b, i, c]
            for i in range(size):
                values[i] = (values[i] - _product(matrix[i], values, i)) / matrix[i, i]
            for i in range(size - 1, -1, -1):
                values[i] /= matrix[i, i]
                for k in range(i):
                    values[k] -= matrix[i, k] * values[i]
            for i in range(size):
                rhs[b, i, c] = values[i]


@_compiled
def _product(ones: FloatArray, others: FloatArray, length: int) -> float:
    """Of the first numbers of two arrays, in four sums: one alone would wait for itself."""
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    whole = length - length % 4
    for k in range(0, whole, 4):
        first += ones[k] * others[k]
        second += ones[k + 1] * others[k + 1]
        third += ones[k + 2] * others[k + 2]
        fourth += ones[k + 3] * others[k + 3]
    for k in range(whole, length):
        first += ones[k] * others[k]
    return (first + second) + (third + fourth)
