"""The paper's programs, written down row by row and solved densely by scipy.

Shares no code with relbounds. A problem is ``A w + T b + s >= margin`` with slacks ``s >= 0``
and, for the explicit order, ``b_j <= b_(j+1)``; the variables of every program are
``(w, w_hat, b, s)`` with ``w_hat >= |w|``. Scores ``x.w`` are compared with offsets ``b``, so
the rows hold ``x.w - b`` where the paper's classification and regression have ``x.w + b``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Array = NDArray[np.float64]

# Bodies of tolerance 0 have no interior, and there HiGHS's own 1e-7 would move the answers.
_OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_ROOM = 1 + 1e-11  # without it scipy finds no model that is as good as the best it found itself
_OPTIMAL, _INFEASIBLE = 0, 2


@dataclass(frozen=True, eq=False)
class Problem:
    """``A w + T b + s >= margin``; the loss is ``weight . s``."""

    A: Array
    T: Array
    margin: Array
    weight: Array
    ordered: bool = False


def ordinal_explicit(X: Array, y: Array, weight: Array) -> Problem:
    """A sample of rank j lies below ``b_j`` and above ``b_(j-1)``, and the offsets ascend."""
    return _ordinal(X, y, weight, lambda rank, j: j in (rank, rank - 1), ordered=True)


def ordinal_implicit(X: Array, y: Array, weight: Array) -> Problem:
    """A sample of rank j lies below ``b_j, b_(j+1), ...`` and above every other offset."""
    return _ordinal(X, y, weight, lambda rank, j: True, ordered=False)


def _ordinal(
    X: Array, y: Array, weight: Array, speaks_of: Callable[[int, int], bool], ordered: bool
) -> Problem:
    n_offsets = int(y.max())
    A, T, weights = [], [], []
    for x, rank, each in zip(X, y.astype(int), weight, strict=True):
        for j in range(n_offsets):
            if speaks_of(rank, j):
                side = 1.0 if rank > j else -1.0
                A.append(side * x)
                T.append(-side * np.eye(n_offsets)[j])
                weights.append(each)
    return Problem(np.array(A), np.array(T), np.ones(len(A)), np.array(weights), ordered)


def classification(X: Array, y: Array, weight: Array) -> Problem:
    """``side (x.w - b) + s >= 1`` with side +1 for class 1 and -1 for class 0."""
    side = np.where(y == 1, 1.0, -1.0)
    return Problem(side[:, None] * X, -side[:, None], np.ones(len(y)), weight)


def regression(X: Array, y: Array, weight: Array, epsilon: float) -> Problem:
    """``x.w - b + s >= y - epsilon`` and ``-(x.w - b) + s >= -y - epsilon``."""
    ones = np.ones((len(y), 1))
    return Problem(
        np.vstack([X, -X]),
        np.vstack([-ones, ones]),
        np.concatenate([y - epsilon, -y - epsilon]),
        np.concatenate([weight, weight]),
    )


class Limit(NamedTuple):
    """``norm_price |w|_1 + loss_price loss <= most``; a budget is a list of them."""

    norm_price: float
    loss_price: float
    most: float


class Best(NamedTuple):
    """Norm and loss of the best model with the smallest loss, and the optimal value."""

    norm: float
    loss: float
    mu: float


def baseline(problem: Problem, C: float) -> Best:
    """``mu = min |w|_1 / 2 + C loss``; then, among the models that reach it, the least loss."""
    loss = _expression(problem, loss=1.0)
    objective = _expression(problem, norm=0.5, loss=C)
    mu = float(objective @ _minimise(problem, objective, []))
    chosen = _minimise(problem, loss, [Limit(0.5, C, _ROOM * mu)])
    return Best(float(_expression(problem, norm=1.0) @ chosen), float(loss @ chosen), mu)


def interval(problem: Problem, budget: list[Limit], feature: int) -> tuple[float, float]:
    """The paper's three programs: minrel*, and maxrel* as the larger of a pos and a neg one."""
    w, w_hat = (_unit(problem, block, feature) for block in ("w", "w_hat"))
    minrel = w_hat @ _minimise(problem, w_hat, budget)
    sides = [_try_to_minimise(problem, -w_hat, budget, w_hat - sign * w) for sign in (1, -1)]
    return float(minrel), max(float(w_hat @ found) for found in sides if found is not None)


def weight_range(problem: Problem, budget: list[Limit], feature: int) -> tuple[float, float]:
    """``[min w_k, max w_k]``."""
    w = _unit(problem, "w", feature)
    low, high = (w @ _minimise(problem, sign * w, budget) for sign in (1, -1))
    return float(low), float(high)


def _expression(problem: Problem, norm: float = 0.0, loss: float = 0.0) -> Array:
    """``norm |w|_1 + loss * (weight . s)`` as a row over ``(w, w_hat, b, s)``."""
    d, k = problem.A.shape[1], problem.T.shape[1]
    return np.concatenate([np.zeros(d), np.full(d, norm), np.zeros(k), loss * problem.weight])


def _unit(problem: Problem, block: str, feature: int) -> Array:
    d = problem.A.shape[1]
    row = np.zeros(2 * d + problem.T.shape[1] + len(problem.A))
    row[feature if block == "w" else d + feature] = 1.0
    return row


def _minimise(problem: Problem, cost: Array, budget: list[Limit]) -> Array:
    found = _try_to_minimise(problem, cost, budget)
    if found is None:
        raise RuntimeError("The oracle's program has no solution.")
    return found


def _try_to_minimise(
    problem: Problem, cost: Array, budget: list[Limit], not_positive: Array | None = None
) -> Array | None:
    """A minimiser within the budget and where ``not_positive . v <= 0``, or None."""
    (m, d), k = problem.A.shape, problem.T.shape[1]
    eye, order = np.eye(d), np.eye(k)[:-1] - np.eye(k)[1:]
    rows = [
        np.hstack([eye, -eye, np.zeros((d, k + m))]),
        np.hstack([-eye, -eye, np.zeros((d, k + m))]),
        np.hstack([-problem.A, np.zeros((m, d)), -problem.T, -np.eye(m)]),
        *(_expression(problem, limit.norm_price, limit.loss_price)[None] for limit in budget),
    ]
    upper = [np.zeros(2 * d), -problem.margin, np.array([limit.most for limit in budget])]
    if problem.ordered:
        rows.append(np.hstack([np.zeros((k - 1, 2 * d)), order, np.zeros((k - 1, m))]))
        upper.append(np.zeros(k - 1))
    if not_positive is not None:
        rows.append(not_positive[None])
        upper.append(np.zeros(1))
    bounds = [(None, None)] * d + [(0, None)] * d + [(None, None)] * k + [(0, None)] * m
    answer = linprog(
        cost, np.vstack(rows), np.concatenate(upper), None, None, bounds, "highs", options=_OPTIONS
    )
    if answer.status not in (_OPTIMAL, _INFEASIBLE):
        raise RuntimeError(f"scipy could not solve the oracle's program: {answer.message}")
    return answer.x if answer.status == _OPTIMAL else None
