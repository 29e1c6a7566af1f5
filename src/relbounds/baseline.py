"""The best model, and how much worse a good one may be."""

from dataclasses import dataclass, replace

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import (
    TIGHT,
    Budget,
    GoodModels,
    MarginRows,
    Multipliers,
    Path,
    outer_value,
)
from relbounds.exceptions import SolverError
from relbounds.records import Record

_ZERO = 1e-9
_TIE_BREAK = 1e-6
TOLERANCE_WITHOUT_LOSS = 0.1
"""``tolerance="auto"`` where the best model makes no loss, so that its standard error says
nothing: the value that the method's authors used throughout."""


@dataclass(frozen=True, eq=False)
class Baseline(Record):
    """A minimiser of ``|w|_1 / 2 + C * loss``, in the form with the smallest loss.

    Attributes
    ----------
    weights, offsets : arrays
    norm, loss : float
        ``|w|_1`` and the weighted sum of slacks.
    gap : float
        By how much, relatively, the objective may exceed the true optimum (proved).
    """

    weights: FloatArray
    offsets: FloatArray
    norm: float
    loss: float
    gap: float

    @property
    def has_weights(self) -> bool:
        return self.norm > _ZERO

    def with_weights(self, weights: FloatArray) -> "Baseline":
        """The same model, its weights written for another set of columns."""
        return replace(self, weights=weights)


def best_model(path: Path, C: float) -> Baseline:
    """The best model at C, proved optimal by weak duality, or ``SolverError``."""
    if len(path.rows) == 0:
        return Baseline(np.zeros(path.points.shape[1]), np.zeros(path.rows.n_offsets), 0, 0, 0)
    for cold in (False, True):
        model, multipliers = path.solve(C, cold=cold)
        offsets = path.rows.in_order(model.offsets)
        slacks = path.rows.slacks(path.points @ model.weights, offsets)
        norm, loss = float(np.abs(model.weights).sum()), float(path.rows.weight @ slacks)
        objective = norm / 2 + C * loss
        unavoidable = _least_objective(path, C, objective, multipliers)
        gap = (objective - unavoidable) / objective if objective else 0.0
        if gap <= TIGHT:
            return Baseline(model.weights, offsets, norm, loss, gap)
    raise SolverError(
        f"The best model at C={C:g} could not be proved: its objective may be {gap:.1e} above "
        f"the optimum, where {TIGHT:.0e} is allowed. Columns or sample weights of very different "
        "size and a very large C make programs hard: scale the columns (standardize=True), or "
        "choose a smaller C."
    )


def canonical_best_model(path: Path, C: float) -> Baseline:
    """The best model at C with the smallest loss, whichever vertex a solver would find.

    Norm and loss of the optimum are unique except at isolated values of C, where the
    optimum just above C has the smallest loss. So C is raised by one part in a million.
    """
    return best_model(path, C * (1 + _TIE_BREAK))


def _least_objective(path: Path, C: float, objective: float, multipliers: Multipliers) -> float:
    """A value that no model's objective falls below."""
    norm_worth, loss_worth, rest = outer_value(
        path.points,
        path.rows,
        multipliers,
        goal=np.zeros(path.points.shape[1]),
        budget=Budget.joint(C, objective),
    )
    price = max(2 * norm_worth, loss_worth / C)
    return -rest / price if price else 0.0


@dataclass(frozen=True)
class Tolerances(Record):
    """How much worse than the best a good model may be, relatively.

    ``loss`` is None for the joint budget, where ``norm`` limits the whole objective.
    """

    norm: float
    loss: float | None


@dataclass(frozen=True)
class GoodnessRule:
    """What the user calls a good model.

    Attributes
    ----------
    budget : {"split", "joint"}
    tolerance : float or "auto"
    loss_tolerance : float, "auto" or None
        None: the same as ``tolerance``.
    """

    budget: str = "split"
    tolerance: float | str = "auto"
    loss_tolerance: float | str | None = None

    def good_models(
        self,
        points: FloatArray,
        rows: MarginRows,
        sample_weight: FloatArray,
        baseline: Baseline,
        C: float,
    ) -> tuple[GoodModels, Tolerances]:
        """The body of good models around a baseline."""
        slacks = rows.slacks(points @ baseline.weights, baseline.offsets)
        losses: FloatArray = np.bincount(
            rows.point, rows.weight * slacks, minlength=len(points)
        ).astype(np.float64)
        loss = 0.0 if losses.sum() <= _ZERO * (rows.weight @ np.abs(rows.margin)) else baseline.loss
        error = standard_error(losses, sample_weight) if loss else 0.0
        if self.budget == "joint":
            objective = baseline.norm / 2 + C * loss
            tolerance = _tolerance(self.tolerance, C * error / objective)
            budget = Budget.joint(C, (1 + tolerance) * objective)
            return GoodModels(points, rows, budget, baseline.norm), Tolerances(tolerance, None)
        relative = error / loss if loss else 0.0
        tolerance = _tolerance(self.tolerance, relative)
        loss_tolerance = _tolerance(
            self.tolerance if self.loss_tolerance is None else self.loss_tolerance, relative
        )
        budget = Budget.split(
            norm=(1 + tolerance) * baseline.norm,
            loss=(1 + loss_tolerance) * loss,
            loss_unit=float(rows.weight.mean()),
        )
        return GoodModels(points, rows, budget, baseline.norm), Tolerances(
            tolerance, loss_tolerance
        )


def _tolerance(asked: float | str, from_data: float) -> float:
    if isinstance(asked, str):
        return from_data if from_data > 0 else TOLERANCE_WITHOUT_LOSS
    return float(asked)


def standard_error(losses: FloatArray, sample_weight: FloatArray) -> float:
    """Standard error of the total of weighted losses of independent samples.

    With equal weights it is ``sqrt(n)`` times the standard deviation of a sample's loss.
    Weights do not pretend to be more samples: those that vary make the error larger, and
    multiplying them all by one number multiplies the error by it.
    """
    mean = losses.sum() / sample_weight.sum()
    return float(np.sqrt(np.square(losses - sample_weight * mean).sum()))
