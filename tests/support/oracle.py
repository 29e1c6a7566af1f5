"""The paper's programs, written down row by row and solved densely by scipy.

Shares no code with relbounds. A problem is ``A w + T b + slack >= margin`` and, for the explicit
order, ``b_j <= b_(j+1)``. Scores ``x.w`` are compared with offsets ``b``, so the rows hold
``x.w - b`` where the paper's classification and regression have ``x.w + b``. A program is a problem
with its slacks, over the variables

- ``(w, w_hat, b, s)`` where each row has a slack ``s >= 0`` of its own,
- ``(w, w_hat, b, u_chi, u_chi_hat, u_xi, u_xi_hat, d, s)`` where slacks are functions of privileged
  features, the paper's ``w*`` being ``u`` here and ``d = (d_chi, d_xi)``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Array = NDArray[np.float64]

# Sets of tolerance 0 have no interior, and there HiGHS's own 1e-7 would move the answers.
_OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_ROOM = 1 + 1e-11  # without it scipy finds no model that is as good as the best it found itself
_OPTIMAL, _INFEASIBLE = 0, 2
_CHI, _XI = "u_chi", "u_xi"


# The problems


@dataclass(frozen=True, eq=False)
class Problem:
    """``A w + T b + slack >= margin``; a unit of slack costs ``weight``.

    A row is about one sample, ``A = side * x``, and keeps it above (+1) or below (-1) an offset.
    """

    A: Array
    T: Array
    margin: Array
    weight: Array
    sample: NDArray[np.int64]
    side: Array
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
    A, T, samples, sides = [], [], [], []
    for sample, rank in enumerate(y.astype(int)):
        for j in range(n_offsets):
            if speaks_of(rank, j):
                side = 1.0 if rank > j else -1.0
                A.append(side * X[sample])
                T.append(-side * np.eye(n_offsets)[j])
                samples.append(sample)
                sides.append(side)
    return Problem(
        np.array(A),
        np.array(T),
        np.ones(len(A)),
        weight[samples],
        np.array(samples),
        np.array(sides),
        ordered,
    )


def classification(X: Array, y: Array, weight: Array) -> Problem:
    """``side (x.w - b) + slack >= 1`` with side +1 for class 1 and -1 for class 0."""
    side, n = np.where(y == 1, 1.0, -1.0), len(y)
    return Problem(side[:, None] * X, -side[:, None], np.ones(n), weight, np.arange(n), side)


def unordered(X: Array, y: Array, weight: Array) -> Problem:
    """``side (x.w_k - b_k) + slack >= 1`` for each class k, side +1 for its own samples, else -1.

    The weights of the first class stand first. Slacks of a class's own samples count half as often
    as there are classes, K / 2, those of the others K / 2 divided by the K - 1 classes they are of.
    """
    n_classes, d = int(y.max()) + 1, X.shape[1]
    A, T, samples, sides = [], [], [], []
    for k in range(n_classes):
        for sample, own in enumerate(y.astype(int)):
            side = 1.0 if own == k else -1.0
            A.append(
                np.concatenate([side * X[sample] * (k == other) for other in range(n_classes)])
            )
            T.append(-side * np.eye(n_classes)[k])
            samples.append(sample)
            sides.append(side)
    assert len(A[0]) == n_classes * d
    return Problem(
        np.array(A),
        np.array(T),
        np.ones(len(A)),
        weight[samples] * [n_classes / 2 / (1 if side > 0 else n_classes - 1) for side in sides],
        np.array(samples),
        np.array(sides),
    )


def regression(X: Array, y: Array, weight: Array, epsilon: float) -> Problem:
    """``x.w - b + slack >= y - epsilon`` and ``-(x.w - b) + slack >= -y - epsilon``."""
    n = len(y)
    ones = np.ones((n, 1))
    return Problem(
        np.vstack([X, -X]),
        np.vstack([-ones, ones]),
        np.concatenate([y - epsilon, -y - epsilon]),
        np.concatenate([weight, weight]),
        np.tile(np.arange(n), 2),
        np.repeat([1.0, -1.0], n),
    )


# The programs


@dataclass(frozen=True, eq=False)
class Program:
    """Variables ``v`` in named blocks, with ``matrix v <= upper`` and some of them ``>= 0``.

    ``norm . v`` and ``loss . v`` are what budgets limit.
    """

    sizes: dict[str, int]
    not_negative: tuple[str, ...]
    matrix: Array
    upper: Array
    norm: Array
    loss: Array

    def unit(self, block: str, k: int) -> Array:
        """The row that reads one variable."""
        return _row(self.sizes, **{block: np.eye(self.sizes[block])[[k]]})[0]

    @property
    def signs(self) -> Array:
        """Bounds of each variable: at least 0, or none."""
        least = [0.0 if name in self.not_negative else -np.inf for name in self.sizes]
        low = np.repeat(least, list(self.sizes.values()))
        return np.column_stack([low, np.full(len(low), np.inf)])


def with_free_slack(problem: Problem) -> Program:
    """Each row has a slack of its own: ``norm = |w|_1``, ``loss = weight . s``."""
    (m, d), k = problem.A.shape, problem.T.shape[1]
    sizes = {"w": d, "w_hat": d, "b": k, "s": m}
    rows = [
        *_absolute_values(sizes, "w"),
        (_row(sizes, w=-problem.A, b=-problem.T, s=-np.eye(m)), -problem.margin),
        *_order(sizes, problem),
    ]
    return Program(
        sizes,
        ("w_hat", "s"),
        *_stacked(rows),
        norm=_row(sizes, w_hat=np.ones((1, d)))[0],
        loss=_row(sizes, s=problem.weight[None])[0],
    )


def with_privileged_slack(
    problem: Problem, X_star: Array, gamma: float, free_slack_weight: float | None = None
) -> Program:
    """The slack of a row is ``f(x*) = u.x* + d >= 0``, with ``s >= 0`` added if that is allowed.

    Rows that keep a sample below an offset read their slack from the function chi, those that keep
    it above from xi. With a row for each time that a sample is kept on a side::

        A w + T b + f(x*) + s >= margin,   f(x*) >= 0,   s >= 0
        norm = |w|_1 + gamma (|u_chi|_1 + |u_xi|_1)
        loss = sum over rows of weight (f(x*) + free_slack_weight s)

    The paper has no free slack: ``free_slack_weight=None``.
    """
    (m, d), k, q = problem.A.shape, problem.T.shape[1], X_star.shape[1]
    free = 0 if free_slack_weight is None else m
    sizes = {"w": d, "w_hat": d, "b": k}
    sizes |= {_CHI: q, f"{_CHI}_hat": q, _XI: q, f"{_XI}_hat": q, "d": 2, "s": free}
    of_kind = np.column_stack([problem.side < 0, problem.side > 0]).astype(np.float64)
    read = X_star[problem.sample]
    function = _row(
        sizes, **{_CHI: of_kind[:, [0]] * read, _XI: of_kind[:, [1]] * read, "d": of_kind}
    )
    slack = function + _row(sizes, s=np.eye(m)[:, :free], height=m)
    rows = [
        *_absolute_values(sizes, "w", _CHI, _XI),
        (-_row(sizes, w=problem.A, b=problem.T) - slack, -problem.margin),
        (-function, np.zeros(m)),
        *_order(sizes, problem),
    ]
    prices = {"w_hat": np.ones((1, d)), f"{_CHI}_hat": np.full((1, q), gamma)}
    prices[f"{_XI}_hat"] = prices[f"{_CHI}_hat"]
    loss = problem.weight @ function
    if free_slack_weight is not None:
        loss += free_slack_weight * _row(sizes, s=problem.weight[None])[0]
    return Program(
        sizes,
        ("w_hat", f"{_CHI}_hat", f"{_XI}_hat", "s"),
        *_stacked(rows),
        norm=_row(sizes, **prices)[0],
        loss=loss,
    )


Rows = tuple[Array, Array]


def _row(sizes: dict[str, int], height: int = 0, **blocks: Array) -> Array:
    """Rows over all variables, zero outside the blocks that are given."""
    height = height or len(next(iter(blocks.values())))
    return np.hstack([blocks.get(name, np.zeros((height, size))) for name, size in sizes.items()])


def _stacked(rows: list[Rows]) -> Rows:
    return np.vstack([matrix for matrix, _ in rows]), np.concatenate([upper for _, upper in rows])


def _absolute_values(sizes: dict[str, int], *names: str) -> list[Rows]:
    """``v <= v_hat`` and ``-v <= v_hat``."""
    return [
        (_row(sizes, **{name: sign * eye, f"{name}_hat": -eye}), np.zeros(len(eye)))
        for name in names
        for sign, eye in ((1, np.eye(sizes[name])), (-1, np.eye(sizes[name])))
    ]


def _order(sizes: dict[str, int], problem: Problem) -> list[Rows]:
    """``b_j <= b_(j+1)``."""
    k = sizes["b"]
    if not problem.ordered or k == 1:
        return []
    return [(_row(sizes, b=np.eye(k)[:-1] - np.eye(k)[1:]), np.zeros(k - 1))]


# The questions


class Limit(NamedTuple):
    """``norm_price norm + loss_price loss <= most``; a budget is a list of them."""

    norm_price: float
    loss_price: float
    most: float


def split_budget(norm: float, loss: float, tolerance: float) -> list[Limit]:
    """Norm and loss each at most ``1 + tolerance`` times the best model's."""
    room = (1 + tolerance) * _ROOM
    return [Limit(1.0, 0.0, room * norm), Limit(0.0, 1.0, room * loss)]


def joint_budget(norm: float, loss: float, tolerance: float, C: float) -> list[Limit]:
    """``norm / 2 + C loss`` at most ``1 + tolerance`` times the best model's."""
    return [Limit(0.5, C, (1 + tolerance) * _ROOM * (norm / 2 + C * loss))]


class Best(NamedTuple):
    """Norm and loss of the best model with the smallest loss, and the optimal value."""

    norm: float
    loss: float
    mu: float


def baseline(program: Program, C: float) -> Best:
    """``mu = min norm / 2 + C loss``; then, among the models that reach it, the least loss."""
    objective = program.norm / 2 + C * program.loss
    mu = float(objective @ _minimise(program, objective, []))
    chosen = _minimise(program, program.loss, [Limit(0.5, C, _ROOM * mu)])
    return Best(float(program.norm @ chosen), float(program.loss @ chosen), mu)


def interval(
    program: Program, budget: list[Limit], k: int, block: str = "w"
) -> tuple[float, float]:
    """The paper's three programs: minrel*, and maxrel* as the larger of a pos and a neg one."""
    w, w_hat = (program.unit(name, k) for name in (block, f"{block}_hat"))
    minrel = w_hat @ _minimise(program, w_hat, budget)
    same = [((w_hat - sign * w)[None], np.zeros(1)) for sign in (1, -1)]
    sides = [_try_to_minimise(program, -w_hat, budget, rows) for rows in same]
    return float(minrel), max(float(w_hat @ found) for found in sides if found is not None)


def privileged_interval(program: Program, budget: list[Limit], k: int) -> tuple[float, float]:
    """The paper's six: minrel* and maxrel* are the larger ones of both functions."""
    (min_chi, max_chi), (min_xi, max_xi) = (
        interval(program, budget, k, block) for block in (_CHI, _XI)
    )
    return max(min_chi, min_xi), max(max_chi, max_xi)


def weight_range(
    program: Program, budget: list[Limit], k: int, block: str = "w"
) -> tuple[float, float]:
    """``[min w_k, max w_k]``."""
    w = program.unit(block, k)
    low, high = (w @ _minimise(program, sign * w, budget) for sign in (1, -1))
    return float(low), float(high)


def least_of_largest(program: Program, budget: list[Limit], weights: list[int]) -> float:
    """The least ``t`` with ``|w_k| <= t`` for each of some weights."""
    matrix, upper = limited(program, budget)
    below = np.array([program.unit("w_hat", k) for k in weights])
    wider = np.hstack([matrix, np.zeros((len(matrix), 1))])
    more = np.hstack([below, -np.ones((len(weights), 1))])
    cost = np.r_[np.zeros(matrix.shape[1]), 1.0]
    bounds = np.vstack([program.signs, [[0.0, np.inf]]])
    found = solved(cost, np.vstack([wider, more]), np.r_[upper, np.zeros(len(weights))], bounds)
    if found is None:
        raise RuntimeError("The oracle's program has no solution.")
    return float(found[-1])


def privileged_ranges(program: Program, budget: list[Limit], k: int) -> list[tuple[float, float]]:
    """``[min u_k, max u_k]`` in the functions chi and xi."""
    return [weight_range(program, budget, k, block) for block in (_CHI, _XI)]


def _minimise(program: Program, cost: Array, budget: list[Limit]) -> Array:
    found = _try_to_minimise(program, cost, budget)
    if found is None:
        raise RuntimeError("The oracle's program has no solution.")
    return found


def _try_to_minimise(
    program: Program, cost: Array, budget: list[Limit], more: Rows | None = None
) -> Array | None:
    """A minimiser within the budget that keeps more rows, or None."""
    return solved(cost, *limited(program, budget, more), program.signs)


def limited(program: Program, budget: list[Limit], more: Rows | None = None) -> Rows:
    """The program's rows, those of the budget, and more."""
    rows = [(program.matrix, program.upper)]
    for norm_price, loss_price, most in budget:
        cost = norm_price * program.norm + loss_price * program.loss
        rows.append((cost[None], np.array([most])))
    return _stacked(rows if more is None else [*rows, more])


def solved(cost: Array, matrix: Any, upper: Array, bounds: Array) -> Array | None:
    """A minimiser of ``cost . v`` with ``matrix v <= upper``, or None if there is no such v."""
    answer = linprog(cost, matrix, upper, None, None, bounds, "highs", options=_OPTIONS)
    if answer.status not in (_OPTIMAL, _INFEASIBLE):
        raise RuntimeError(f"scipy could not solve the oracle's program: {answer.message}")
    return answer.x if answer.status == _OPTIMAL else None
