"""Which model is the best at a price of the loss, and what proves it?"""

from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import Model, ModelSpace
from relbounds.engine.proof import TIGHT, outer_value, polished
from relbounds.engine.protocols import Path
from relbounds.engine.rows import MarginRows
from relbounds.exceptions import SolverError

Box = tuple[FloatArray, FloatArray]
_ZERO = 1e-9
_TIE_BREAK = 1e-6


@dataclass(frozen=True, eq=False)
class Solution:
    """A minimiser of ``norm / 2 + C * loss``.

    Attributes
    ----------
    model : Model
    norm, loss : float
    gap : float
        By how much, relatively, the objective may exceed the true optimum (proved).
    """

    model: Model
    norm: float
    loss: float
    gap: float


def best_model(path: Path, C: float) -> Solution:
    """The best model at C, proved optimal by weak duality, or ``SolverError``."""
    return best_models(path, np.array([C]))[0]


def best_models(path: Path, Cs: FloatArray, allowed: float = TIGHT) -> list[Solution]:
    """The best model at each C, proved optimal by weak duality, or ``SolverError``.

    ``allowed``: by how much, relatively, the objective may exceed the optimum.
    """
    space = path.space
    if len(space.rows) == 0:
        nothing = Model(np.zeros(space.n_weights), np.zeros(space.rows.n_offsets))
        return [Solution(nothing, norm=0.0, loss=0.0, gap=0.0) for _ in Cs]
    try:
        alone = len(Cs) == 1
        solutions = [path.solve(float(Cs[0]), cold=False)] if alone else path.solve_many(Cs)
    except SolverError:
        return [_from_scratch(path, C, allowed) for C in Cs.tolist()]
    priced = [
        _Priced(space, C, model) for C, (model, _) in zip(Cs.tolist(), solutions, strict=True)
    ]
    box = space.offset_box(
        max(2 * each.objective for each in priced), max(each.objective / each.C for each in priced)
    )
    return [
        each.proved(multipliers, box, allowed) or _from_scratch(path, each.C, allowed)
        for each, (_, multipliers) in zip(priced, solutions, strict=True)
    ]


def _from_scratch(path: Path, C: float, allowed: float) -> Solution:
    model, multipliers = path.solve(C, cold=True)
    priced = _Priced(path.space, C, model)
    box = path.space.offset_box(2 * priced.objective, priced.objective / C)
    best = priced.proved(multipliers, box, allowed)
    if best is None:
        raise SolverError(
            f"The best model at C={C:g} could not be proved: its objective may be "
            f"{priced.gap(multipliers, box, allowed):.1e} above the optimum, and it misses a row "
            f"that has to be kept by {priced.row_violation:.1e}, where {allowed:.0e} and "
            f"{TIGHT:.0e} are allowed. Columns "
            "or sample weights of very different size and a very large C make programs hard: scale "
            "the columns (standardize=True), or choose a smaller C."
        )
    return best


class _Priced:
    """A model, what it costs at C, and what proves that there is no better one."""

    def __init__(self, space: ModelSpace, C: float, model: Model) -> None:
        self.C, self._space, self._model = C, space, model
        missed = space.shortfalls(model)
        self.row_violation = space.rows.row_violation(missed)
        self._norm, self._loss = space.norm(model), float(space.rows.losses(missed).sum())
        self.objective = self._norm / 2 + C * self._loss

    def proved(self, multipliers: FloatArray, box: Box, allowed: float) -> Solution | None:
        """The model, if multipliers prove it the best."""
        gap = self.gap(multipliers, box, allowed)
        if not (gap <= allowed and self.row_violation <= TIGHT):
            return None
        return Solution(self._model, self._norm, self._loss, gap)

    def gap(self, multipliers: FloatArray, box: Box, allowed: float) -> float:
        """By how much, relatively, the objective may exceed the least one."""
        if without_rounding(self.objective / self.C, self._space.rows) == 0:
            return 0.0
        gap = 1 - self._least(multipliers, box) / self.objective
        if gap > allowed:
            exact = polished(self._space, multipliers, np.zeros(self._space.n_weights))
            gap = min(gap, 1 - self._least(exact, box) / self.objective)
        return gap

    def _least(self, multipliers: FloatArray, box: Box) -> float:
        """A value that no model's objective falls below."""
        nothing = np.zeros(self._space.n_weights)
        norm_worth, loss_worth, rest = outer_value(self._space, multipliers, nothing, box)
        price = max(2 * norm_worth, loss_worth / self.C)
        return -rest / price if price else 0.0


def canonical_best_model(path: Path, C: float) -> Solution:
    """The best model at C with the smallest loss, whichever vertex a solver would find.

    Norm and loss of the optimum are unique except at isolated values of C, where the
    optimum just above C has the smallest loss. So C is raised by one part in a million.
    """
    return best_model(path, C * (1 + _TIE_BREAK))


def has_weights(weights: FloatArray) -> bool:
    """Whether a model uses any feature."""
    return bool(np.abs(weights).sum() > _ZERO)


def without_rounding(loss: float, rows: MarginRows) -> float:
    """A loss that is no more than rounding of margins is none."""
    return 0.0 if loss <= _ZERO * rows.typical_price * rows.margin_size * len(rows) else loss
