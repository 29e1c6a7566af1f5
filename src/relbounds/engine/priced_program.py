"""Linear programs with prices, on HiGHS: the only user of highspy."""

from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.bound import Model, Multipliers
from relbounds.engine.margin_rows import MarginRows
from relbounds.exceptions import SolverError

_INFINITY = highspy.kHighsInf
_BASIC = int(highspy.HighsBasisStatus.kBasic)
_NONBASIC = int(highspy.HighsBasisStatus.kLower)
_STATUSES = {int(status): status for status in highspy.HighsBasisStatus.__members__.values()}
_SIDE_ROUNDING = 1e-9  # of a margin
_OPTIONS: dict[str, bool | float | str | int] = {
    "output_flag": False,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
    "simplex_scale_strategy": 0,  # points come scaled; measured 10 to 25 % fewer pivots without
    "presolve": "off",  # warm starts would undo it
}


@dataclass(frozen=True, eq=False)
class Vertex:
    """Where searches in a body start: a basis, its model and multipliers, and a first price.

    ``distances`` says of each row how far it is from its hinge, in moves of a typical search:
    positive with slack, negative without.

    Plain arrays, so that it can travel to other processes.
    """

    columns: IntArray
    rows: IntArray
    model: Model
    multipliers: Multipliers
    distances: FloatArray
    price: float | None = None

    def with_feature(self) -> "Vertex":
        """The same vertex in a body with one more feature, which weighs nothing there.

        In a program with a norm limit the new feature's ``z`` and its two limits join the basis.
        """
        d = len(self.model.weights)
        return replace(
            self,
            columns=np.insert(self.columns, -1, _BASIC),
            rows=np.insert(
                self.rows, [d, len(self.rows) - d, len(self.rows)], [_NONBASIC, _BASIC, _BASIC]
            ),
            model=Model(np.append(self.model.weights, 0.0), self.model.offsets),
        )


class PricedProgram:
    """``min norm_price |w|_1 + loss_price loss - tilt.w`` with ``|w|_1 <= norm_limit``, dualised.

    The dual has a row for each weight, not for each sample: ``max margin.alpha - norm_limit nu``
    over ``0 <= alpha <= loss_price * weight``, ``lam >= 0``, ``nu >= 0`` and, with
    ``A = diag(sign) X[point]``::

           alpha    lam     z     nu
        [   A'             -I         ]  = -tilt          its multipliers are the weights
        [ -sign'    D'                ]  = 0              and these the offsets
        [                   I    -1   ]  <= norm_price
        [                   I     1   ]  >= -norm_price

    Without a norm limit ``z`` and ``nu`` are left out, and the first row says
    ``-norm_price <= A'alpha + tilt <= norm_price``. Prices and tilt only move limits of rows and
    columns, so the dual simplex method goes on from where it was.

    Rows with a side are left out, their ``alpha`` fixed at the end that belongs to it. That can
    only make the loss look smaller; so a solution that keeps to all sides solves the whole program.
    """

    def __init__(
        self,
        points: FloatArray,
        rows: MarginRows,
        *,
        norm_price: float,
        loss_price: float,
        norm_limit: float = np.inf,
        sides: IntArray | None = None,
    ) -> None:
        self.points, self.rows = points, rows
        self.n_features = points.shape[1]
        self.sides = np.zeros(len(rows), dtype=np.int64) if sides is None else sides
        self._open = np.flatnonzero(self.sides == 0)
        self._fixed_alpha = np.where(self.sides > 0, loss_price * rows.weight, 0.0)
        self._fixed_pull = rows.pull(points, self._fixed_alpha)
        self._row_limit = 0.0 if np.isfinite(norm_limit) else norm_price
        self._tilted = 0
        self._highs = highspy.Highs()
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        program = _program(points, rows.subset(self._open), norm_price, loss_price, norm_limit)
        if self._highs.passModel(*program) == highspy.HighsStatus.kError:
            raise SolverError("HiGHS refused the program: are all numbers of the data finite?")
        if len(self._open) < len(rows):
            self._account_for_sides()

    def _account_for_sides(self) -> None:
        """Move to the right-hand side what the rows that are left out pull."""
        rows, d = self.rows, self.n_features
        offset_pull = rows.offset_pull(self._fixed_alpha, np.zeros(rows.n_order_rows))
        limits = np.r_[np.full(d, self._row_limit), np.zeros(rows.n_offsets)]
        for row, (limit, pull) in enumerate(
            zip(limits, np.r_[self._fixed_pull, offset_pull], strict=True)
        ):
            self._highs.changeRowBounds(row, -limit - pull, limit - pull)

    def price_loss(self, loss_price: float) -> None:
        """Another price for the loss, in a program that leaves out no rows."""
        m = len(self.rows)
        self._highs.changeColsBounds(
            m, np.arange(m, dtype=np.int32), np.zeros(m), loss_price * self.rows.weight
        )

    def tilt(self, feature: int, amount: float) -> None:
        """Make ``amount * w_feature`` worth having, and no other weight."""
        for row, tilt in ((self._tilted, 0.0), (feature, amount)):
            moved = tilt + self._fixed_pull[row]
            self._highs.changeRowBounds(row, -self._row_limit - moved, self._row_limit - moved)
        self._tilted = feature

    def forget(self) -> None:
        """Start the next solution from scratch."""
        self._highs.clearSolver()

    def start_from(self, vertex: Vertex) -> None:
        basis = highspy.HighsBasis()
        columns = np.r_[vertex.columns[self._open], vertex.columns[len(self.rows) :]]
        basis.col_status = [_STATUSES[code] for code in columns.tolist()]
        basis.row_status = [_STATUSES[code] for code in vertex.rows.tolist()]
        basis.valid = True
        self._highs.setBasis(basis)

    def solve(self) -> tuple[Model, Multipliers]:
        """The optimum as HiGHS has it; whether it is one is for others to prove."""
        if self._highs.run() == highspy.HighsStatus.kError:
            status = self._highs.modelStatusToString(self._highs.getModelStatus())
            raise SolverError(
                f"HiGHS gave up on a program ({status}); scale the columns or lower C."
            )
        solution = self._highs.getSolution()
        alpha, duals = np.array(solution.col_value), -np.array(solution.row_dual)
        n_open, d, k = len(self._open), self.n_features, self.rows.n_offsets
        rows = self._fixed_alpha.copy()
        rows[self._open] = alpha[:n_open]
        return (
            Model(duals[:d], duals[d : d + k]),
            Multipliers(rows, alpha[n_open : n_open + self.rows.n_order_rows]),
        )

    def contradicted(self, model: Model) -> IntArray:
        """The rows that a model has on the other side than assumed."""
        if len(self._open) == len(self.rows):
            return np.empty(0, dtype=np.int64)
        missed = self.rows.shortfalls(self.points @ model.weights, model.offsets)
        return np.flatnonzero(self.sides * missed < -_SIDE_ROUNDING * np.abs(self.rows.margin))

    def basis(self) -> tuple[IntArray, IntArray]:
        """Statuses of columns and rows at the last solution."""
        basis = self._highs.getBasis()
        columns, rows = (
            [int(status) for status in part] for part in (basis.col_status, basis.row_status)
        )
        return np.array(columns), np.array(rows)


def _program(
    points: FloatArray, rows: MarginRows, norm_price: float, loss_price: float, norm_limit: float
) -> tuple[Any, ...]:
    """The dual above, column by column, as arguments of ``Highs.passModel``."""
    d, m, k, q = points.shape[1], len(rows), rows.n_offsets, rows.n_order_rows
    each = np.arange(d)
    # One line of (row, value) pairs for each column of a block.
    alpha = (
        np.column_stack([np.tile(each, (m, 1)), d + rows.offset]),
        np.column_stack([rows.sign[:, None] * points[rows.point], -rows.sign]),
    )
    lam = d + np.add.outer(np.arange(q), [0, 1]), np.tile([-1.0, 1.0], (q, 1))
    blocks = [alpha, lam]
    cost = [-rows.margin, np.zeros(q)]
    lower = [np.full(d, -norm_price), np.zeros(k)]
    upper = [np.full(d, norm_price), np.zeros(k)]
    free = 0
    if np.isfinite(norm_limit):
        above, below = d + k + each, 2 * d + k + each
        blocks.append((np.column_stack([each, above, below]), np.tile([-1.0, 1.0, 1.0], (d, 1))))
        blocks.append((np.r_[above, below][None, :], np.repeat([-1.0, 1.0], d)[None, :]))
        cost += [np.zeros(d), np.array([norm_limit])]
        lower = [np.zeros(d + k), np.full(d, -_INFINITY), np.full(d, -norm_price)]
        upper = [np.zeros(d + k), np.full(d, norm_price), np.full(d, _INFINITY)]
        free = d
    lengths = np.concatenate([np.full(len(row), row.shape[1]) for row, _ in blocks])
    n_columns, n_rows, n_entries = len(lengths), sum(map(len, lower)), int(lengths.sum())
    column_lower = np.zeros(n_columns)
    column_lower[m + q : m + q + free] = -_INFINITY
    # Raw arrays: filling a HighsLp object takes ten times as long.
    return (
        n_columns,
        n_rows,
        n_entries,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMinimize),
        0.0,
        np.concatenate(cost),
        column_lower,
        np.r_[loss_price * rows.weight, np.full(n_columns - m, _INFINITY)],
        np.concatenate(lower),
        np.concatenate(upper),
        np.r_[0, np.cumsum(lengths)].astype(np.int32),
        np.concatenate([row.ravel() for row, _ in blocks]).astype(np.int32),
        np.concatenate([value.ravel() for _, value in blocks]),
        np.zeros(n_columns, dtype=np.int32),
    )
