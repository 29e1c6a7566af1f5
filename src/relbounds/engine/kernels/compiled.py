"""The passes compiled, a line at a time: what ``plain`` does, without arrays in between.

Other threads work meanwhile.
"""

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.kernels import native, plain

_SMALL = 32  # matrices up to this size are not worth a call of LAPACK

correct, row_duals = native.correct, native.row_duals


def divide(
    primal: FloatArray,
    dual: FloatArray,
    slack_price: FloatArray,
    ratio: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
) -> FloatArray:
    stiff = np.empty(len(primal))
    native.divide(primal, dual, slack_price, ratio, theta, lean, stiff)
    return stiff


def wish(
    wanted: FloatArray,
    gap: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
    slack_price: FloatArray,
    rows: FloatArray,
    weighted: FloatArray,
) -> FloatArray:
    cost = np.empty(len(wanted))
    native.wish(wanted, gap, theta, lean, slack_price, rows, weighted, cost)
    return cost


def foresee(
    primal: FloatArray, dual: FloatArray, d_dual: FloatArray, product: FloatArray
) -> tuple[FloatArray, FloatArray]:
    after, share = np.empty(len(primal)), np.empty(len(primal))
    native.foresee(primal, dual, d_dual, product, after, share)
    return after, share


def steps(
    primal: FloatArray, dual: FloatArray, ratio: FloatArray, wanted: FloatArray, d_dual: FloatArray
) -> FloatArray:
    found = np.empty((2, len(primal)))
    native.steps(primal, dual, ratio, d_dual, wanted, found)
    return found


def move(values: FloatArray, step: FloatArray, change: FloatArray) -> None:
    native.move(step, change, values)


def factor(matrices: FloatArray) -> None:
    if matrices.shape[1] <= _SMALL:
        native.factor(matrices)
        return
    try:  # NumPy's lets other threads work meanwhile, SciPy's does not
        matrices[:] = np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        plain.factor(matrices)


def solve(factors: FloatArray, rhs: FloatArray) -> None:
    native.solve(factors, np.empty(rhs.shape[1]), rhs)
