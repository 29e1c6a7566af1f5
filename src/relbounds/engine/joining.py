"""What does the best model cost if columns join its space?

Many sets of columns are asked about, each for itself. The best model without them is a few steps
away from the one with them, where programs are small enough for the dense simplex method.
"""

from collections.abc import Sequence

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine.dense import DensePath, DenseProgram
from relbounds.engine.feasible_set import NORM_PRICE, ModelSpace
from relbounds.engine.optimum import Solution, best_models, least_objectives
from relbounds.engine.proof import TIGHT, Claims
from relbounds.engine.protocols import Engine, Path
from relbounds.exceptions import SolverError


class Joining:
    """The best model at a price of the loss, which columns may join.

    ``allowed``: by how much, relatively, a cost may exceed the least one.
    """

    def __init__(self, engine: Engine, space: ModelSpace, C: float, allowed: float) -> None:
        self.space, self._engine, self._C, self._allowed = space, engine, C, allowed
        self._path = engine.path(space)
        self.without = self._best(self._path)

    def _best(self, path: Path) -> Solution:
        [found] = best_models(path, np.array([self._C]), self._allowed)
        return found

    def costs(self, columns: Sequence[FloatArray], price: float) -> FloatArray:
        """What the best model costs with each set of columns, (points, e), joined; proved."""
        costs, proved = np.full(len(columns), np.nan), np.zeros(len(columns), dtype=bool)
        if len(columns) and isinstance(self._path, DensePath):
            costs, proved = self._next_to_known(self._path.program, columns, price)
        for line in np.flatnonzero(~proved).tolist():
            wider = self.space.with_columns(columns[line], price)
            best = self._best(self._engine.path(wider))
            costs[line] = best.objective(self._C)
        return costs

    def _next_to_known(
        self, program: DenseProgram, columns: Sequence[FloatArray], price: float
    ) -> tuple[FloatArray, BoolArray]:
        """Costs of models that are reached from the one without columns, and which are proved."""
        try:
            claims = self._claims(program, columns, price)
        except SolverError:
            return np.full(len(columns), np.nan), np.zeros(len(columns), dtype=bool)
        space, C = self.space, np.full(len(columns), self._C)
        norms, missed = claims.norms(space), claims.shortfalls(space)
        losses, row_violations = space.rows.priced(missed)
        costs = NORM_PRICE * norms + self._C * losses
        most = float(np.fmax.reduce(costs))
        of_columns = np.abs(claims.columns).max(axis=(0, 1), initial=0.0) / price
        reach = np.maximum(space.reach, of_columns) * most / NORM_PRICE
        bound = claims.dual_bound_within(space, space.rows.offset_box(reach, most / self._C))
        gaps = 1 - least_objectives(bound, C) / costs
        return costs, (gaps <= self._allowed) & (row_violations <= TIGHT)

    def _claims(self, program: DenseProgram, columns: Sequence[FloatArray], price: float) -> Claims:
        joined = program.each_joined_by(columns, price)
        found = [each.solve(NORM_PRICE, self._C) for each in joined]
        weights = np.array([model.weights for model, _ in found])
        return Claims(
            np.zeros_like(weights),
            weights,
            np.array([model.offsets for model, _ in found]),
            np.array([multipliers for _, multipliers in found]),
            prices=np.empty((len(found), 0)),
            columns=np.array([each.T for each in columns]),
            price=price,
        )
