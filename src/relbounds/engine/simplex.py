"""The exact engine: the simplex method. The yardstick that others are measured against."""

from dataclasses import replace

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.bound import TIGHT, Model, Multipliers, outer_value
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.priced_program import PricedProgram, Vertex
from relbounds.engine.pricing import Deal, Purchase, largest_gain
from relbounds.exceptions import InfeasibleError, SolverError

_WINDOW = 4.0  # typical moves; beyond, a row is expected to stay on its side of the hinge


class PreparedBody:
    """Good models, ready to be asked how far each weight reaches (see ``pricing``).

    Every search starts from the same vertex, not where the last one ended: answers depend on
    neither the order of questions nor the number of workers. Measured no slower.
    """

    def __init__(self, body: GoodModels, start: Vertex | None) -> None:
        self.body = body
        if start is None:
            start = self._expecting(self._cheapest())
        elif len(start.model.weights) < body.n_features:
            start = start.with_feature()
        self.start = start
        self._program = self._priced(self._sides(_WINDOW))

    def _sides(self, window: float) -> IntArray:
        """Rows further from their hinge than the window are expected to stay on their side."""
        distances = self.start.distances
        return np.where(np.abs(distances) > window, np.sign(distances), 0).astype(np.int64)

    def _priced(self, sides: IntArray | None = None) -> PricedProgram:
        budget = self.body.budget
        return PricedProgram(
            self.body.points,
            self.body.rows,
            norm_price=budget.norm_price,
            loss_price=budget.loss_price,
            norm_limit=budget.norm_limit,
            sides=sides,
        )

    def _cheapest(self) -> Vertex:
        """The model of least cost; raises ``InfeasibleError`` if even that exceeds the budget."""
        program = self._priced()
        model, multipliers = program.solve()
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
                "HiGHS found no model within the budget and no proof of there being none; scale "
                "the columns (standardize=True), or choose a smaller C or a larger tolerance."
            )
        return Vertex(*program.basis(), model, multipliers, np.zeros(len(self.body.rows)))

    def _expecting(self, cheapest: Vertex) -> Vertex:
        """What one answer tells of the others: its price, and how far it moves the rows.

        Asked of a stranger, a column moved down by half its length: features that replace one
        another have prices far below all others'.
        """
        body, d = self.body, self.body.n_features
        stranger = np.roll(body.points[:, 0], len(body.points) // 2)
        among = PreparedBody(body.with_column(stranger), cheapest)
        deal = among._search(d, among.likely_sign(d))
        here = body.rows.shortfalls(body.points @ cheapest.model.weights, cheapest.model.offsets)
        there = body.rows.shortfalls(among.body.points @ deal.model.weights, deal.model.offsets)
        near = np.abs(here) <= np.abs(body.rows.margin)
        moved = np.sqrt(np.square(there - here)[near].mean()) if near.any() else 0.0
        distances = here / moved if moved else np.zeros_like(here)
        return replace(cheapest, distances=distances, price=deal.price)

    def solve(
        self, feature: int, sign: int, *, cold: bool, unless_above: float
    ) -> tuple[Model, Multipliers]:
        deal = self._search(feature, sign, cold=cold, unless_above=unless_above)
        return deal.model, deal.multipliers

    def _search(
        self, feature: int, sign: int, *, cold: bool = False, unless_above: float = -np.inf
    ) -> Deal:
        body, window = self.body, _WINDOW
        program = self._priced() if cold else self._program
        if not cold:
            program.forget()  # a new basis alone leaves traces of the last search behind
            program.start_from(self.start)

        def bought(price: float, model: Model, multipliers: Multipliers) -> Purchase:
            gain, cost = sign * model.weights[feature], body.cost(model.weights, model.offsets)
            return Purchase(price, float(gain), cost, model, multipliers)

        def buy(price: float) -> Purchase:
            nonlocal program, window
            while True:
                program.tilt(feature, sign * price)
                model, multipliers = program.solve()
                wrong = program.contradicted(model)
                if len(wrong) == 0:
                    return bought(price, model, multipliers)
                window *= 2
                sides = np.where(self._sides(window) == 0, 0, program.sides)
                sides[wrong] = 0
                program = self._priced(sides)
                program.start_from(self.start)

        cheapest = bought(0.0, self.start.model, self.start.multipliers)
        return largest_gain(
            buy,
            cheapest,
            limit=body.budget.limit,
            norm_limit=body.budget.norm_limit,
            scale=body.scale,
            cost_unit=body.cost_unit,
            first_price=None if cold else self.start.price,
            unless_above=unless_above,
        )

    def likely_sign(self, feature: int) -> int:
        alpha = self.start.multipliers.rows
        return 1 if self.body.rows.pull(self.body.points[:, [feature]], alpha)[0] > 0 else -1


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
