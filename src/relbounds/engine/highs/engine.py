"""The exact engine: the simplex method. The yardstick that others are measured against."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, SideArray
from relbounds.engine.box import MOST_WEIGHTS, Box
from relbounds.engine.feasible_set import NORM_PRICE, FeasibleSet, Model, ModelSpace, unit_goal
from relbounds.engine.highs.program import PricedProgram, Vertex
from relbounds.engine.highs.search import (
    LagrangianStep,
    Reached,
    extreme,
    full_range,
    largest_gain,
    relevance_range,
)
from relbounds.engine.proof import ADVICE, TIGHT, Bound, WeightRange, dual_bound
from relbounds.engine.working_set import WINDOW, sides_beyond
from relbounds.exceptions import InfeasibleError, SolverError

_BLOCK = 4  # weights: few, so that many workers have something to do
_SMALL = 30_000  # coefficients, up to which warm starts win along a path


class HighsSearch:
    """Good models, ready to be asked how far each weight reaches (see ``search``).

    Every search starts from the same vertex, not where the last one ended: answers depend on
    neither the order of questions nor the number of workers. Measured no slower.
    """

    def __init__(self, feasible: FeasibleSet, start: Vertex | None) -> None:
        self.feasible = feasible
        if start is None:
            start = self._expecting(self._cheapest())
        while len(start.model.weights) < feasible.space.n_weights:
            start = start.with_weight()
        self.start = start
        self._program = self._priced(self._sides(WINDOW))

    def _sides(self, window: float) -> SideArray:
        return sides_beyond(window, self.start.distances, self.feasible.space.rows)

    def _priced(self, sides: SideArray | None = None) -> PricedProgram:
        budget = self.feasible.budget
        return PricedProgram(
            self.feasible.space,
            norm_price=budget.norm_price,
            loss_price=budget.loss_price,
            norm_limit=budget.norm_limit,
            sides=sides,
        )

    def _cheapest(self) -> Vertex:
        """The model of least cost; raises ``InfeasibleError`` if even that exceeds the budget."""
        program, space = self._priced(), self.feasible.space
        model, multipliers = program.solve()
        if self.feasible.violation(model) > TIGHT:
            nothing = np.zeros((1, space.n_weights))
            bound = dual_bound(space, multipliers[None], nothing, self.feasible.offset_box)
            if bound.within(self.feasible.budget)[0] < 0:
                raise InfeasibleError("No model stays within the budget.")
            raise SolverError(
                f"HiGHS found no model within the budget and no proof of there being none. {ADVICE}"
            )
        return Vertex(*program.basis(), model, multipliers, np.zeros(len(space.rows)))

    def _expecting(self, cheapest: Vertex) -> Vertex:
        """What one answer tells of the others: its price, and how far it moves the rows.

        Asked of an appended column, one moved down by half its length: features that replace one
        another have prices far below all others'.
        """
        space = self.feasible.space
        column = np.zeros((len(space.points), 1))
        on_margins = np.unique(space.rows.point[space.rows.margin != 0])
        column[on_margins, 0] = np.roll(space.points[on_margins, 0], len(on_margins) // 2)
        among = HighsSearch(self.feasible.over(space.with_columns(column, 1.0)), cheapest)
        asked = among.likely_sign(space.n_weights)
        reached = among._search(unit_goal(among.feasible.space, space.n_weights, asked))
        here = space.shortfalls(cheapest.model)
        there = among.feasible.space.shortfalls(reached.model)
        near = np.abs(here) <= space.rows.margin_size
        moved = np.sqrt(np.square(there - here)[near].mean()) if near.any() else 0.0
        distances = here / moved if moved else np.zeros_like(here)
        return replace(cheapest, distances=distances, price=reached.price)

    def solve(
        self, goal: FloatArray, *, cold: bool, unless_above: float
    ) -> tuple[Model, FloatArray]:
        reached = self._search(goal, cold=cold, unless_above=unless_above)
        return reached.model, reached.multipliers

    def _search(
        self, goal: FloatArray, *, cold: bool = False, unless_above: float = -np.inf
    ) -> Reached:
        feasible, space, window = self.feasible, self.feasible.space, WINDOW
        program = self._priced() if cold else self._program
        if cold:
            program.be_precise()
        else:
            program.forget()  # a new basis alone leaves traces of the last search behind
            program.start_from(self.start.columns, self.start.rows)

        def step(price: float) -> LagrangianStep:
            nonlocal program, window
            while True:
                program.tilt(price * goal)
                model, multipliers = program.solve()
                missed = space.shortfalls(model)
                wrong = program.contradicted(missed)
                if len(wrong) == 0:
                    gain, cost = goal @ model.weights, feasible.cost_of(space.norm(model), missed)
                    return LagrangianStep(price, float(gain), float(cost), model, multipliers)
                window *= 2
                sides = np.where(self._sides(window) == 0, 0, program.sides)
                sides[wrong] = 0
                program = self._priced(sides)
                program.start_from(self.start.columns, self.start.rows)

        start = self.start
        gain, cost = float(goal @ start.model.weights), feasible.cost(start.model)
        most_a_norm = float(np.max(np.abs(goal) / space.prices))
        return largest_gain(
            step,
            LagrangianStep(0.0, gain, cost, start.model, start.multipliers),
            limit=feasible.budget.limit,
            norm_limit=feasible.budget.norm_limit * most_a_norm,
            scale=feasible.scale,
            cost_unit=feasible.cost_unit,
            first_price=start.price and start.price / most_a_norm,
            unless_above=unless_above,
        )

    def ranges(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, both ends proved."""
        return [full_range(self, k) for k in weights]

    def extremes(self, goals: FloatArray) -> list[Bound]:
        """The largest ``goal.w`` for each goal, proved."""
        return [extreme(self, goal) for goal in goals]

    def relevances(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, as far as the least and largest ``|w|`` need it."""
        return [relevance_range(self, k) for k in weights]

    @property
    def known_model(self) -> Model:
        return self.start.model

    @cached_property
    def box(self) -> Box | None:
        """A box around the good models, where one is worth its programs."""
        if self.feasible.space.n_weights > MOST_WEIGHTS:
            return None
        return Box.around(self.feasible, lambda goal: self._search(goal).multipliers)

    def appended(
        self, columns: Sequence[FloatArray], price: float, asked: Sequence[int] | None = None
    ) -> list[list[WeightRange]]:
        """The same for some weights of columns that join the set, each (n, e) for itself."""
        asked = range(columns[0].shape[1]) if asked is None else asked
        return [self._ranges_of_appended(each, price, asked) for each in columns]

    def _ranges_of_appended(
        self, columns: FloatArray, price: float, asked: Sequence[int]
    ) -> list[WeightRange]:
        space = self.feasible.space.with_columns(columns, price)
        among = HighsSearch(self.feasible.over(space), self.start)
        return [relevance_range(among, self.feasible.space.n_weights + k) for k in asked]

    def likely_sign(self, k: int) -> int:
        space, alpha = self.feasible.space, self.start.multipliers
        return 1 if space.rows.gradient(space.points[:, [k]], alpha)[0] > 0 else -1


class HighsPath:
    """Minimisers of ``norm / 2 + C loss``: C only moves limits of the dual."""

    @staticmethod
    def suits(space: ModelSpace) -> bool:
        """Whether interior points are no faster."""
        return len(space.rows) * space.n_weights < _SMALL

    def __init__(self, space: ModelSpace) -> None:
        self._program = PricedProgram(space, norm_price=NORM_PRICE, loss_price=1.0)

    @property
    def space(self) -> ModelSpace:
        return self._program.space

    def solve_many(self, Cs: FloatArray) -> list[tuple[Model, FloatArray]]:
        """Each solution starts the next; one without weights may be the next."""
        found: list[tuple[Model, FloatArray]] = []
        for C, before in zip(Cs.tolist(), [np.inf, *Cs.tolist()], strict=False):
            still = self._still_without_weights(*found[-1], C / before) if found else None
            found.append(still or self.solve(C, cold=False))
        return found

    def _still_without_weights(
        self, model: Model, multipliers: FloatArray, growth: float
    ) -> tuple[Model, FloatArray] | None:
        """The same model, if it has no weights and its multipliers, grown, want none."""
        if model.weights.any():
            return None
        multipliers = growth * multipliers
        gradients = (
            np.abs(self.space.rows.gradient(self.space.points, multipliers)) / self.space.prices
        )
        return (model, multipliers) if gradients.max(initial=0.0) <= NORM_PRICE else None

    def solve(self, C: float, *, cold: bool) -> tuple[Model, FloatArray]:
        self._program.price_loss(C)
        if cold:
            self._program.forget()
            self._program.be_precise()
        return self._program.solve()


class Simplex:
    """Prepares feasible sets and paths of best models for HiGHS."""

    def block_size(self, feasible: FeasibleSet) -> int:
        return _BLOCK

    def prepare(self, feasible: FeasibleSet, start: Vertex | None = None) -> HighsSearch:
        return HighsSearch(feasible, start)

    def path(self, space: ModelSpace) -> HighsPath:
        return HighsPath(space)
