"""Best models of small problems: a simplex method that is written for few weights."""

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import kernels
from relbounds.engine.model_space import Model, ModelSpace
from relbounds.engine.simplex import BaselinePath
from relbounds.exceptions import SolverError

_NORM_PRICE = 0.5
_SLACK = 1e-10  # of a variable's limits, by which it may exceed them
_STEPS = 20  # that a variable may cost
_MOST_WEIGHTS, _MOST_COEFFICIENTS = 300, 700_000  # beyond, interior points are as fast


class DensePath:
    """Minimisers of ``norm / 2 + C loss``, by their dual (see ``PricedProgram``)::

        max margin.alpha   with   A'alpha = u in [-1/2, 1/2],   T'alpha = 0,
                                  -C surplus_weight <= alpha <= C weight

    Reduced costs of ``u`` are the weights, and those of the zeros are the offsets.
    """

    @staticmethod
    def suits(space: ModelSpace) -> bool:
        """Whether this is the fastest way to a space's best models, and at hand."""
        d = space.n_weights
        few = d <= _MOST_WEIGHTS and d * len(space.rows) <= _MOST_COEFFICIENTS
        return few and kernels.dense_simplex is not None

    def __init__(self, space: ModelSpace) -> None:
        self.space, rows = space, space.rows
        points = space.points / space.prices
        coefficients = np.hstack(
            [rows.sign[:, None] * points[rows.point], rows.offset_matrix.toarray()]
        )
        cost = np.r_[-rows.margin, np.zeros(coefficients.shape[1])]
        self._tableau = kernels.dense_simplex.Tableau.of(np.ascontiguousarray(coefficients.T), cost)
        finite = np.where(rows.must_hold, 0.0, rows.weight)
        self._most = float((finite + rows.surplus_weight).sum())

    def solve(self, C: float, *, cold: bool) -> tuple[Model, FloatArray]:
        """The best model at C and the rows' multipliers, unproved; if cold, by HiGHS."""
        return BaselinePath(self.space).solve(C, cold=True) if cold else self._solve(C)

    def solve_many(self, Cs: FloatArray) -> list[tuple[Model, FloatArray]]:
        """Each solution starts the next."""
        return [self._solve(C) for C in Cs.tolist()]

    def _solve(self, C: float) -> tuple[Model, FloatArray]:
        tableau, m, d = self._tableau, len(self.space.rows), self.space.n_weights
        self._set_limits(C)
        try:
            solved = kernels.dense_simplex.resolve(tableau, _STEPS * len(tableau.value))
        except np.linalg.LinAlgError:
            solved = False
        if not solved:
            raise SolverError(f"The dense simplex method found no best model at C={C:g}.")
        prices = -tableau.reduced[m:]
        return Model(prices[:d] / self.space.prices, prices[d:].copy()), tableau.value[:m].copy()

    def _set_limits(self, C: float) -> None:
        """A row that has to be kept pulls at most as much as all others can."""
        tableau, rows, d = self._tableau, self.space.rows, self.space.n_weights
        m, most = len(rows), C * self._most
        tableau.lower[:m] = -C * rows.surplus_weight
        tableau.upper[:m] = np.where(rows.must_hold, most, C * rows.weight)
        tableau.upper[m : m + d] = _NORM_PRICE
        tableau.lower[m : m + d] = -_NORM_PRICE
        tableau.slack[:] = _SLACK * (tableau.upper - tableau.lower)
        tableau.slack[m + d :] = _SLACK * most / m
