"""Best models by interior point: many prices of the loss in one batch, and a million samples."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.feasible_set import NORM_PRICE, Model, ModelSpace
from relbounds.engine.highs.engine import HighsPath
from relbounds.engine.interior.point import anywhere, minimise
from relbounds.engine.interior.program import Iterate, Program
from relbounds.engine.proof import TIGHT
from relbounds.engine.protocols import Proposal
from relbounds.engine.working_set import NEARLY, WorkingSet

_ENOUGH = 1e-4 * TIGHT  # of the objective: an interior point's own gap at which it stops,
_ENOUGH_FOR_MANY = 0.01 * TIGHT  # and where many models are looked for
_BATCH = 200_000  # numbers in an array of a batch: larger ones leave the cache
_MANY_ROWS = 20_000  # beyond, a sample of the rows tells which of them matter
_ROWS_OF_SAMPLE = 5_000
_GUESS = 1e-6  # of the objective: an interior point's own gap, where a guess will do
_SHARE_OF_ROWS = 0.1  # that stay at first, those nearest to their hinge
_MANY_WEIGHTS = 400  # beyond, most weights are outside the working set
_FIRST_WEIGHTS = 50
_MOST_WEIGHTS_A_ROUND = 100
_EXCESS = 1e-9  # of the price: by which the gradient of a weight outside may exceed it
_MOST_ROUNDS = 30
_TINY = 1e-5, 1e-3
_NO_LIMITS = np.empty((0, 2)), np.empty(0)


class InteriorPath:
    """Minimisers of ``norm / 2 + C loss``."""

    def __init__(self, space: ModelSpace) -> None:
        self.space = space
        self._kept: IntArray | None = None

    def solve(self, C: float, *, cold: bool) -> Proposal:
        """The best model at C and the rows' multipliers, unproved; if cold, by the exact engine.

        So are small ones: offsets are not always unique, and all engines should name the same.
        """
        if cold or HighsPath.suits(self.space):
            return HighsPath(self.space).solve(C, cold=True)
        return self._solve(np.array([C]), _ENOUGH)[0]

    def solve_many(self, Cs: FloatArray) -> Iterator[Proposal]:
        """The same for many values of C, together unless the working set has few of the weights."""
        size = 2 * (len(self.space.rows) + self.space.n_weights)
        lines = 1 if self.space.n_weights > _MANY_WEIGHTS else max(1, _BATCH // size)
        for first in range(0, len(Cs), lines):
            yield from self._solve(Cs[first : first + lines], _ENOUGH_FOR_MANY)

    def _solve(self, Cs: FloatArray, enough: float) -> list[Proposal]:
        """Solve with some rows and weights, and let in those that turn out to matter."""
        working_set = self._first_guess(Cs)
        for _ in range(_MOST_ROUNDS):
            iterates = _follow(working_set, Cs, enough)
            solutions = [_whole(working_set, iterate) for iterate in iterates]
            rows, weights = self._missing(working_set, solutions)
            if not len(rows) and not len(weights):
                break
            working_set = working_set.with_more(rows, weights)
        if len(working_set.weights) < self.space.n_weights:
            self._kept = working_set.weights
        return [
            (_without_rounding(self.space, *solution, C, 5 * enough), solution[1])
            for solution, C in zip(solutions, Cs, strict=True)
        ]

    def _first_guess(self, Cs: FloatArray) -> WorkingSet:
        whole = WorkingSet.whole(self.space)
        if self.space.n_weights > _MANY_WEIGHTS:
            whole = replace(whole, weights=self._likely_weights(Cs))
        if len(self.space.rows) > _MANY_ROWS:
            whole = self._likely_rows(whole, Cs)
        return whole

    def _likely_weights(self, Cs: FloatArray) -> IntArray:
        """Those of the last solution, or those that a model without weights wants most."""
        if self._kept is not None:
            return self._kept
        none = WorkingSet(self.space, np.zeros(len(self.space.rows), dtype=np.int8), _NONE)
        _, multipliers = _whole(none, _follow(none, Cs[:1], _ENOUGH)[0])
        return np.sort(np.argsort(-_wanted(self.space, multipliers))[:_FIRST_WEIGHTS])

    def _likely_rows(self, whole: WorkingSet, Cs: FloatArray) -> WorkingSet:
        """The rows that are nearest to their hinge in what samples make of the best model.

        A sample that is right to first order around the first one's model corrects it.
        """
        rows = self.space.rows
        soft, others = np.flatnonzero(~rows.must_hold), np.flatnonzero(rows.must_hold)
        if len(others) > len(soft):
            return whole
        step = len(soft) // _ROWS_OF_SAMPLE
        chosen = np.random.RandomState(0).permutation(soft)[: len(soft) // step]
        sample = replace(self.space, rows=rows.subset(np.sort(np.r_[chosen, others])))
        C = float(np.sqrt(Cs[0] * Cs[-1]))
        model, _ = InteriorPath(sample).solve(C * len(soft) / len(chosen), cold=False)
        shortfalls = self.space.shortfalls(self._corrected(model, C))[None]
        return whole.nearest(shortfalls, int(_SHARE_OF_ROWS * len(soft)))

    def _corrected(self, model: Model, C: float) -> Model:
        program, _ = self._everything.thinned(_ROWS_OF_SAMPLE, model.weights, model.offsets)
        prices = np.array([[NORM_PRICE, C]])
        [best] = minimise(program, anywhere(program, prices), prices, enough=_GUESS)
        return Model(best.weights, best.offsets)

    @cached_property
    def _everything(self) -> Program:
        return WorkingSet.whole(self.space).program(*_NO_LIMITS)

    def _missing(
        self, working_set: WorkingSet, solutions: list[Proposal]
    ) -> tuple[IntArray, IntArray]:
        """Rows outside the working set on another side than it says, weights that are wanted."""
        space, rows, weights = self.space, _NONE, _NONE
        for model, multipliers in solutions:
            if working_set.sides.any():
                wrong = np.flatnonzero(working_set.contradicted(space.shortfalls(model)[None]))
                rows = np.union1d(rows, wrong)
            if len(working_set.weights) < space.n_weights:
                gradients = _wanted(space, multipliers)
                gradients[working_set.weights] = 0
                if gradients.max() > 1 + _EXCESS:
                    wanted = np.argsort(-gradients)[:_MOST_WEIGHTS_A_ROUND]
                    weights = np.union1d(weights, wanted[gradients[wanted] > 1 - NEARLY])
        return rows.astype(np.int64), weights.astype(np.int64)


_NONE = np.empty(0, dtype=np.int64)


def _follow(working_set: WorkingSet, Cs: FloatArray, enough: float) -> list[Iterate]:
    program = working_set.program(*_NO_LIMITS)
    prices = np.column_stack([np.full(len(Cs), NORM_PRICE), Cs])
    return minimise(program, anywhere(program, prices), prices, enough=enough)


def _whole(working_set: WorkingSet, iterate: Iterate) -> Proposal:
    weights = np.zeros(working_set.space.n_weights)
    weights[working_set.weights] = iterate.weights
    return Model(weights, iterate.offsets), working_set.multipliers_of([iterate])[0]


def _wanted(space: ModelSpace, multipliers: FloatArray) -> FloatArray:
    """The gradient of each weight, as a share of what it may be."""
    gradient = space.rows.gradient(space.points, multipliers)
    return np.abs(gradient) / (NORM_PRICE * space.prices)


def _without_rounding(
    space: ModelSpace, model: Model, multipliers: FloatArray, C: float, rounding: float
) -> Model:
    """The model without weights that are only what an interior point leaves of zero.

    A weight or its reduced price is zero: the weight, if it is very much smaller in its own units;
    or just much smaller, and the objective no worse without it.
    """
    spare = NORM_PRICE * (1 - _wanted(space, multipliers))

    def objective(model: Model) -> float:
        return NORM_PRICE * space.norm(model) + C * space.loss(model)

    size = space.prices * np.abs(model.weights) / objective(model)
    surely, probably = (
        Model(np.where(size <= tiny * spare, 0.0, model.weights), model.offsets) for tiny in _TINY
    )
    return probably if objective(probably) <= (1 + rounding) * objective(surely) else surely
