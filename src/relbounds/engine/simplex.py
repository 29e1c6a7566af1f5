"""The exact engine: HiGHS's simplex method. The yardstick, and the only user of highspy."""

from dataclasses import dataclass, replace
from typing import Any

import highspy
import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.bound import TIGHT, Model, Multipliers, outer_value
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.pricing import Deal, Purchase, largest_gain
from relbounds.exceptions import InfeasibleError, SolverError

_INFINITY = highspy.kHighsInf
_BASIC = int(highspy.HighsBasisStatus.kBasic)
_NONBASIC = int(highspy.HighsBasisStatus.kLower)
_STATUSES = {int(status): status for status in highspy.HighsBasisStatus.__members__.values()}
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

    Plain arrays, so that it can travel to other processes.
    """

    columns: IntArray
    rows: IntArray
    model: Model
    multipliers: Multipliers
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
    """

    def __init__(
        self,
        points: FloatArray,
        rows: MarginRows,
        *,
        norm_price: float,
        loss_price: float,
        norm_limit: float = np.inf,
    ) -> None:
        self.points, self.rows = points, rows
        self.n_features = points.shape[1]
        self._row_limit = 0.0 if np.isfinite(norm_limit) else norm_price
        self._tilted = 0
        self._highs = highspy.Highs()
        for option, value in _OPTIONS.items():
            self._highs.setOptionValue(option, value)
        program = _program(points, rows, norm_price, loss_price, norm_limit)
        if self._highs.passModel(*program) == highspy.HighsStatus.kError:
            raise SolverError("HiGHS refused the program: are all numbers of the data finite?")

    def price_loss(self, loss_price: float) -> None:
        m = len(self.rows)
        self._highs.changeColsBounds(
            m, np.arange(m, dtype=np.int32), np.zeros(m), loss_price * self.rows.weight
        )

    def tilt(self, feature: int, amount: float) -> None:
        """Make ``amount * w_feature`` worth having, and no other weight."""
        self._highs.changeRowBounds(self._tilted, -self._row_limit, self._row_limit)
        self._highs.changeRowBounds(feature, -self._row_limit - amount, self._row_limit - amount)
        self._tilted = feature

    def forget(self) -> None:
        """Start the next solution from scratch."""
        self._highs.clearSolver()

    def start_from(self, basis: highspy.HighsBasis) -> None:
        self._highs.setBasis(basis)

    def solve(self) -> tuple[Model, Multipliers]:
        """The optimum as HiGHS has it; whether it is one is for others to prove."""
        if self._highs.run() == highspy.HighsStatus.kError:
            status = self._highs.modelStatusToString(self._highs.getModelStatus())
            raise SolverError(f"HiGHS gave up on a program ({status}); choose a smaller C.")
        solution = self._highs.getSolution()
        alpha, duals = np.array(solution.col_value), -np.array(solution.row_dual)
        m, d, k = len(self.rows), self.n_features, self.rows.n_offsets
        return (
            Model(duals[:d], duals[d : d + k]),
            Multipliers(alpha[:m], alpha[m : m + self.rows.n_order_rows]),
        )

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


class PreparedBody:
    """Good models, ready to be asked how far each weight reaches (see ``pricing``).

    Every search starts from the same vertex, not where the last one ended: answers depend on
    neither the order of questions nor the number of workers. Measured no slower.
    """

    def __init__(self, body: GoodModels, start: Vertex | None) -> None:
        self.body = body
        self._program = PricedProgram(
            body.points,
            body.rows,
            norm_price=body.budget.norm_price,
            loss_price=body.budget.loss_price,
            norm_limit=body.budget.norm_limit,
        )
        if start is None:
            self._start_at(self._cheapest())
            self._start_at(replace(self.start, price=self._typical_price()))
        else:
            known = len(start.model.weights) == body.n_features
            self._start_at(start if known else start.with_feature())

    def _start_at(self, start: Vertex) -> None:
        self.start, self._basis = start, _highs_basis(start)

    def _cheapest(self) -> Vertex:
        """The model of least cost; raises ``InfeasibleError`` if even that exceeds the budget."""
        model, multipliers = self._program.solve()
        if self.body.violation(model.weights, model.offsets) > TIGHT:
            norm_worth, loss_worth, rest = outer_value(
                self.body.points,
                self.body.rows,
                multipliers,
                goal=np.zeros(self.body.n_features),
                budget=self.body.budget,
            )
            if self.body.budget.most(norm_worth, loss_worth) + rest < 0:
                raise InfeasibleError("No model stays within the budget.")
            raise SolverError(
                "HiGHS found no model within the budget and no proof of there being none."
            )
        return Vertex(*self._program.basis(), model, multipliers)

    def _typical_price(self) -> float:
        """The price of one answer: others' are much the same, and found more quickly for it.

        Asked of a stranger, a column moved down by half its length: features that replace one
        another have prices far below all others'.
        """
        stranger = np.roll(self.body.points[:, 0], len(self.body.points) // 2)
        among = PreparedBody(self.body.with_column(stranger), self.start)
        d = self.body.n_features
        return among._search(d, among.likely_sign(d)).price

    def solve(
        self, feature: int, sign: int, *, cold: bool, unless_above: float
    ) -> tuple[Model, Multipliers]:
        deal = self._search(feature, sign, cold=cold, unless_above=unless_above)
        return deal.model, deal.multipliers

    def _search(
        self, feature: int, sign: int, *, cold: bool = False, unless_above: float = -np.inf
    ) -> Deal:
        self._program.forget()  # a new basis alone leaves traces of the last search behind
        if not cold:
            self._program.start_from(self._basis)
        body = self.body

        def bought(price: float, model: Model, multipliers: Multipliers) -> Purchase:
            gain, cost = sign * model.weights[feature], body.cost(model.weights, model.offsets)
            return Purchase(price, float(gain), cost, model, multipliers)

        def buy(price: float) -> Purchase:
            self._program.tilt(feature, sign * price)
            return bought(price, *self._program.solve())

        cheapest = bought(0.0, self.start.model, self.start.multipliers)
        deal = largest_gain(
            buy,
            cheapest,
            limit=body.budget.limit,
            norm_limit=body.budget.norm_limit,
            scale=body.scale,
            cost_unit=body.cost_unit,
            first_price=self.start.price,
            unless_above=unless_above,
        )
        self._program.tilt(feature, 0.0)
        return deal

    def likely_sign(self, feature: int) -> int:
        alpha = self.start.multipliers.rows
        return 1 if self.body.rows.pull(self.body.points[:, [feature]], alpha)[0] > 0 else -1


def _highs_basis(vertex: Vertex) -> highspy.HighsBasis:
    basis = highspy.HighsBasis()
    basis.col_status = [_STATUSES[code] for code in vertex.columns.tolist()]
    basis.row_status = [_STATUSES[code] for code in vertex.rows.tolist()]
    basis.valid = True
    return basis


class BaselinePath:
    """Minimisers of ``|w|_1 / 2 + C loss``: only the boxes of the dual change with C."""

    def __init__(self, points: FloatArray, rows: MarginRows) -> None:
        self.points, self.rows = points, rows
        self._program = PricedProgram(points, rows, norm_price=0.5, loss_price=0.0)

    def solve(self, C: float, *, cold: bool) -> tuple[Model, Multipliers]:
        self._program.price_loss(C)
        if cold:
            self._program.forget()
        return self._program.solve()


class Simplex:
    """Prepares bodies and baseline paths for HiGHS."""

    def prepare(self, body: GoodModels, start: Vertex | None = None) -> PreparedBody:
        return PreparedBody(body, start)

    def path(self, points: FloatArray, rows: MarginRows) -> BaselinePath:
        return BaselinePath(points, rows)
