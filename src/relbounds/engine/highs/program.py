"""Linear programs with prices, on HiGHS: the only user of highspy."""

from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np

from relbounds.arrays import FloatArray, IntArray, SideArray
from relbounds.engine.feasible_set import Model, ModelSpace
from relbounds.engine.proof import ADVICE
from relbounds.engine.rows import MarginRows
from relbounds.exceptions import SolverError

_INFINITY = highspy.kHighsInf
_BASIC = int(highspy.HighsBasisStatus.kBasic)
_NONBASIC = int(highspy.HighsBasisStatus.kLower)
_STATUSES = {int(status): status for status in highspy.HighsBasisStatus.__members__.values()}
_SIDE_ROUNDING = 1e-9  # of a margin
_TOLERANCES = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")
_SMALLEST_TOLERANCE = 1e-10  # that HiGHS takes
_OPTIONS: dict[str, bool | float | str | int] = {
    "output_flag": False,
    **dict.fromkeys(_TOLERANCES, 1e-9),
    "simplex_scale_strategy": 0,  # points come scaled; measured 10 to 25 % fewer pivots without
    "presolve": "off",  # warm starts would undo it
}


@dataclass(frozen=True, eq=False)
class Vertex:
    """Where searches in a set start: a basis, its model and multipliers, and a first price.

    ``distances`` says of each row how far it is from its hinge, in moves of a typical search:
    positive with slack, negative without.

    Plain arrays, so that it can travel to other processes.
    """

    columns: IntArray
    rows: IntArray
    model: Model
    multipliers: FloatArray
    distances: FloatArray
    price: float | None = None

    def with_weight(self) -> "Vertex":
        """The same vertex in a feasible set with one more weight, which is zero there.

        In a program with a norm limit the new weight's ``z`` and its two limits join the basis.
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
    """``min norm_price * norm + loss_price * loss - tilt.w`` with ``norm <= norm_limit``, dualised.

    The dual has a row for each weight, not for each sample: ``max margin.alpha - norm_limit nu``
    over ``-loss_price * surplus_weight <= alpha <= loss_price * weight``, ``nu >= 0`` and, with
    ``A = diag(sign) X[point]`` and the offsets' coefficients ``T``::

           alpha    z     nu
        [   A'     -I         ]  = -tilt          its multipliers are the weights
        [   T'                ]  = 0              and these the offsets
        [           I    -1   ]  <= norm_price
        [           I     1   ]  >= -norm_price

    Without a norm limit ``z`` and ``nu`` are left out, and the first row says
    ``-norm_price <= A'alpha + tilt <= norm_price``. The price of the loss and the tilt only move
    limits of rows and columns, so the dual simplex method goes on from where it was.

    Weights are counted in units of their own price in the norm, which makes them all cost one and
    keeps HiGHS's tolerances meaningful.

    Rows with a side are outside the working set: their ``alpha`` is fixed at the end that belongs
    to it. That can only make the loss look smaller; so a solution that keeps to all sides solves
    the whole program.
    """

    def __init__(
        self,
        space: ModelSpace,
        *,
        norm_price: float,
        loss_price: float,
        norm_limit: float = np.inf,
        sides: SideArray | None = None,
    ) -> None:
        self.space, rows = space, space.rows
        self.sides = np.zeros(len(rows), dtype=np.int8) if sides is None else sides
        self._open = np.flatnonzero(self.sides == 0)
        self._fixed_alpha = np.zeros(len(rows))
        for side, end in ((1, rows.weight), (-1, -rows.surplus_weight)):
            self._fixed_alpha[self.sides == side] = loss_price * end[self.sides == side]
        self._columns = space.points / space.prices
        self._fixed_gradient = rows.gradient(self._columns, self._fixed_alpha)
        self._row_limit = 0.0 if np.isfinite(norm_limit) else norm_price
        self._tilt = np.zeros(space.n_weights)
        self._highs = highspy.Highs()
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        program = _program(
            self._columns, rows.subset(self._open), norm_price, loss_price, norm_limit
        )
        if self._highs.passModel(*program) == highspy.HighsStatus.kError:
            raise SolverError("HiGHS refused the program: are all numbers of the data finite?")
        if len(self._open) < len(rows):
            self._account_for_sides()

    def _account_for_sides(self) -> None:
        """Move to the right-hand side the gradient of rows outside the working set."""
        rows, limit = self.space.rows, self._row_limit
        limits = np.r_[np.full(self.space.n_weights, limit), np.zeros(rows.n_offsets)]
        gradients = np.r_[self._fixed_gradient, rows.offset_gradient(self._fixed_alpha)]
        for row, (limit, gradient) in enumerate(zip(limits, gradients, strict=True)):
            self._highs.changeRowBounds(row, -limit - gradient, limit - gradient)

    def be_precise(self) -> None:
        """Leave nothing to rounding that can be helped: of many rows, a little each is too much."""
        for option in _TOLERANCES:
            self._highs.setOptionValue(option, _SMALLEST_TOLERANCE)

    def price_loss(self, loss_price: float) -> None:
        """Another price for the loss, in a program of all rows."""
        rows = self.space.rows
        self._highs.changeColsBounds(
            len(rows),
            np.arange(len(rows), dtype=np.int32),
            -loss_price * rows.surplus_weight,
            loss_price * rows.weight,
        )

    def tilt(self, worth: FloatArray) -> None:
        """Make ``worth.w`` worth having, and nothing else."""
        tilt = worth / self.space.prices
        for row in np.flatnonzero((tilt != 0) | (self._tilt != 0)).tolist():
            moved = tilt[row] + self._fixed_gradient[row]
            self._highs.changeRowBounds(row, -self._row_limit - moved, self._row_limit - moved)
        self._tilt = tilt

    def forget(self) -> None:
        """Start the next solution from scratch."""
        self._highs.clearSolver()

    def start_from(self, columns: IntArray, rows: IntArray) -> None:
        """Start the next solution from a basis of the program with all rows."""
        basis = highspy.HighsBasis()
        columns = np.r_[columns[self._open], columns[len(self.space.rows) :]]
        basis.col_status = [_STATUSES[code] for code in columns.tolist()]
        basis.row_status = [_STATUSES[code] for code in rows.tolist()]
        basis.valid = True
        self._highs.setBasis(basis)

    def solve(self) -> tuple[Model, FloatArray]:
        """The optimum as HiGHS has it; whether it is one is for others to prove."""
        if not self._run():
            status = self._highs.modelStatusToString(self._highs.getModelStatus())
            raise SolverError(f"HiGHS gave up on a program ({status}). {ADVICE}")
        solution = self._highs.getSolution()
        alpha, duals = np.array(solution.col_value), -np.array(solution.row_dual)
        d, k = self.space.n_weights, self.space.rows.n_offsets
        multipliers = self._fixed_alpha.copy()
        multipliers[self._open] = alpha[: len(self._open)]
        return Model(duals[:d] / self.space.prices, duals[d : d + k]), multipliers

    def _run(self) -> bool:
        """Whether HiGHS came to an end, if need be from scratch: warm starts fail now and then."""
        if self._highs.run() == highspy.HighsStatus.kError:
            self.forget()
            return bool(self._highs.run() != highspy.HighsStatus.kError)
        return True

    def contradicted(self, missed: FloatArray) -> IntArray:
        """The rows that a model of these shortfalls has on the other side than assumed."""
        if len(self._open) == len(missed):
            return np.empty(0, dtype=np.int64)
        against = -self.sides * missed
        return np.flatnonzero(against > _SIDE_ROUNDING * self.space.rows.margin_size)

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
    d, k = points.shape[1], rows.n_offsets
    alpha = rows.coefficients(points)
    taken = alpha != 0
    indices, values = [np.nonzero(taken)[1]], [alpha[taken]]
    lengths, cost = [taken.sum(axis=1)], [-rows.margin]
    column_lower, column_upper = [-loss_price * rows.surplus_weight], [loss_price * rows.weight]
    lower = [np.full(d, -norm_price), np.zeros(k)]
    upper = [np.full(d, norm_price), np.zeros(k)]
    if np.isfinite(norm_limit):
        each, unlimited = np.arange(d), np.full(d, _INFINITY)
        above, below = d + k + each, 2 * d + k + each
        indices += [np.column_stack([each, above, below]).ravel(), above, below]
        values += [np.tile([-1.0, 1.0, 1.0], d), np.repeat([-1.0, 1.0], d)]
        lengths += [np.full(d, 3), np.array([2 * d])]
        cost += [np.zeros(d), np.array([norm_limit])]
        column_lower += [-unlimited, np.zeros(1)]
        column_upper += [unlimited, np.array([_INFINITY])]
        lower = [np.zeros(d + k), -unlimited, np.full(d, -norm_price)]
        upper = [np.zeros(d + k), np.full(d, norm_price), unlimited]
    starts = np.r_[0, np.cumsum(np.concatenate(lengths))].astype(np.int32)
    # Raw arrays: filling a HighsLp object takes ten times as long.
    return (
        len(starts) - 1,
        sum(map(len, lower)),
        int(starts[-1]),
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMinimize),
        0.0,
        np.concatenate(cost),
        np.concatenate(column_lower),
        np.concatenate(column_upper),
        np.concatenate(lower),
        np.concatenate(upper),
        starts,
        np.concatenate(indices).astype(np.int32),
        np.concatenate(values),
        np.zeros(len(starts) - 1, dtype=np.int32),
    )
