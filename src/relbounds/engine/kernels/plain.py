"""The passes in NumPy. Arrays have a line for each program of a batch; names as in ``newton``.

Long arrays are written where the caller says: new memory costs as much as the arithmetic.
"""

import numpy as np
from scipy.linalg import lapack

from relbounds.arrays import FloatArray


def divide(
    primal: FloatArray,
    dual: FloatArray,
    slack_price: FloatArray,
    ratio: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
) -> FloatArray:
    """``V / U``, ``theta = 1 / (y / alpha + s / beta)`` and ``omega theta s / beta``.

    Returns the sum of ``omega^2 theta (s / beta) (y / alpha)``.
    """
    m, soft = theta.shape[1], len(slack_price)
    np.divide(primal, dual, out=ratio)
    slack_ratio = ratio[:, m : m + soft]
    theta[:] = ratio[:, :m]
    theta[:, :soft] += slack_ratio
    np.reciprocal(theta, out=theta)
    np.multiply(slack_ratio, theta[:, :soft], out=lean)
    np.multiply(lean, slack_price, out=lean)
    stiff: FloatArray = np.einsum("bm,bm->b", lean * slack_price, ratio[:, :soft])
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
    """What rows should change by if multipliers stay, and that times theta; returns its cost."""
    m, soft = theta.shape[1], lean.shape[1]
    np.add(wanted[:, :m], gap, out=rows)
    slacks = wanted[:, m : m + soft]
    rows[:, :soft] -= slacks
    np.multiply(theta, rows, out=weighted)
    cost: FloatArray = slacks @ slack_price
    cost += np.einsum("bm,bm->b", lean, rows[:, :soft])
    return cost


def row_duals(
    rows: FloatArray,
    moved: FloatArray,
    theta: FloatArray,
    lean: FloatArray,
    loss_price: FloatArray,
    slack_price: FloatArray,
    out: FloatArray,
) -> None:
    """``d alpha = theta (rows - moved) + lean d lambda``, and then ``d beta``, into ``out``."""
    m, soft = theta.shape[1], lean.shape[1]
    alpha, beta = out[:, :m], out[:, m : m + soft]
    np.subtract(rows, moved, out=alpha)
    alpha *= theta
    alpha[:, :soft] += lean * loss_price[:, None]
    np.subtract(loss_price[:, None] * slack_price, alpha[:, :soft], out=beta)


def foresee(
    primal: FloatArray, dual: FloatArray, d_dual: FloatArray, product: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The sum of products after the predictor's step, in which ``dV / V + dU / U = -1``.

    And how much of that step can be gone, by V and U both.
    """
    relative = d_dual / dual
    dual_step = 1 / np.maximum(1.0, -relative.min(axis=1))
    primal_step = 1 / np.maximum(1.0, 1 + relative.max(axis=1))
    first = np.einsum("bi,bi->b", primal, d_dual)
    relative += 1
    relative *= primal
    second = np.einsum("bi,bi->b", relative, d_dual)
    after: FloatArray = (1 - primal_step) * product + (dual_step - primal_step) * first
    after -= primal_step * dual_step * second
    return after, np.minimum(primal_step, dual_step)


def correct(
    primal: FloatArray,
    dual: FloatArray,
    ratio: FloatArray,
    d_dual: FloatArray,
    aim: FloatArray,
    share: FloatArray,
    wanted: FloatArray,
) -> None:
    """What V should change by if U stays: ``(aim - share dV dU) / U - V``."""
    np.multiply(ratio, d_dual, out=wanted)
    wanted += primal
    wanted *= d_dual
    wanted *= share[:, None]
    wanted += aim[:, None]
    wanted /= dual
    wanted -= primal


def steps(
    primal: FloatArray, dual: FloatArray, ratio: FloatArray, wanted: FloatArray, d_dual: FloatArray
) -> FloatArray:
    """How far V and U can go; turns ``wanted`` into ``dV = wanted - ratio dU``."""
    wanted -= ratio * d_dual
    worst = [(wanted / primal).min(axis=1), (d_dual / dual).min(axis=1)]
    found: FloatArray = 1 / np.maximum(1.0, -np.array(worst))
    found[:, ~np.isfinite(wanted.sum(axis=1))] = np.nan
    return found


def move(values: FloatArray, step: FloatArray, change: FloatArray) -> None:
    """``values += step * change``; ``change`` is used up."""
    change *= step[:, None]
    values += change


def factor(matrices: FloatArray) -> None:
    """Cholesky's factors of symmetric matrices, in their lower halves; NaN where there are none."""
    for matrix in matrices:
        _, failed = lapack.dpotrf(matrix.T, overwrite_a=1)
        if failed:
            matrix[:] = np.nan


def solve(factors: FloatArray, rhs: FloatArray) -> None:
    """Solutions, (batch, p, r), in the place of right-hand sides."""
    for matrix, each in zip(factors, rhs, strict=True):
        each[:] = lapack.dpotrs(matrix.T, each)[0]
