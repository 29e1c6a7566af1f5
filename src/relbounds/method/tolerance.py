"""How much worse than the best may a good model be?"""

from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import Budget, FeasibleSet
from relbounds.engine.optimum import without_rounding
from relbounds.method.best_model import BestModel
from relbounds.method.groups import Groups
from relbounds.results.records import Tolerances

TOLERANCE_WITHOUT_LOSS = 0.1
"""``tolerance="auto"`` where the best model makes no loss, so that its standard error says
nothing: the value that the method's authors used throughout."""
TOLERANCE_OF_GAIN = 0.2
"""``tolerance="auto"`` with privileged features: a good model may lose this share more, or lack
this share of what the best model gains over one without regular weights, whichever is less."""


@dataclass(frozen=True)
class GoodnessRule:
    """What the user calls a good model.

    Attributes
    ----------
    budget : {"split", "joint"}
    tolerance : float, "auto" or "confidence"
        The last is settled to a number first: see ``method/confidence``.
    loss_tolerance : float, "auto" or None
        None: the same as ``tolerance``.
    coverage : float
        Of "confidence".
    """

    budget: str = "split"
    tolerance: float | str = "auto"
    loss_tolerance: float | str | None = None
    coverage: float = 0.9

    @property
    def is_about_chance(self) -> bool:
        """Whether good is what chance may have kept from being the best."""
        return self.tolerance == "confidence"

    def feasible_set(
        self, best: BestModel, sample_weight: FloatArray, groups: Groups | None = None
    ) -> tuple[FeasibleSet, Tolerances]:
        """The set of good models around the best one, and the tolerances as used."""
        solution, C, rows = best.solution, best.choice.C, best.composition.space.rows
        loss = without_rounding(solution.loss, rows)
        spare = self._spare_loss(best, loss, sample_weight, groups)
        auto = spare / loss if spare else TOLERANCE_WITHOUT_LOSS
        if self.budget == "joint":
            mu = solution.norm / 2 + C * loss
            of_all = C * spare / mu if spare and best.without_regular is None else auto
            tolerance = _chosen(self.tolerance, of_all)
            budget = Budget.joint(C, (1 + tolerance) * mu)
            return _around(best, budget), Tolerances(tolerance, None)
        tolerance = _chosen(self.tolerance, auto)
        loss_tolerance = _chosen(
            self.tolerance if self.loss_tolerance is None else self.loss_tolerance, auto
        )
        budget = Budget.split(
            norm=(1 + tolerance) * solution.norm,
            loss=(1 + loss_tolerance) * loss,
            loss_unit=rows.typical_price,
        )
        return _around(best, budget), Tolerances(tolerance, loss_tolerance)

    @staticmethod
    def _spare_loss(
        best: BestModel, loss: float, sample_weight: FloatArray, groups: Groups | None
    ) -> float:
        """What a good model may lose more: one standard error, or a share of the gain.

        Slacks that are read from privileged features are large in every model, so that the standard
        error of their sum says nothing about the part of it that weights can avoid. What regular
        weights gain does.
        """
        if best.without_regular is not None:
            return TOLERANCE_OF_GAIN * min(loss, max(best.without_regular.loss - loss, 0.0))
        losses = best.composition.sample_losses(best.solution.model, len(sample_weight))
        return standard_error(losses, sample_weight, groups) if loss else 0.0


def _around(best: BestModel, budget: Budget) -> FeasibleSet:
    """All models within a budget."""
    solution = best.solution
    cost = budget.norm_price * solution.norm + budget.loss_price * solution.loss
    return FeasibleSet(
        best.composition.space, budget, solution.norm, solution.model, cost, best.choice.C
    )


def _chosen(asked: float | str, auto: float) -> float:
    return auto if isinstance(asked, str) else float(asked)


def standard_error(
    losses: FloatArray, sample_weight: FloatArray, groups: Groups | None = None
) -> float:
    """Standard error of the total of weighted losses of independent samples.

    With equal weights it is ``sqrt(n)`` times the standard deviation of a sample's loss.
    Weights do not pretend to be more samples: those that vary make the error larger, and
    multiplying them all by one number multiplies the error by it. Where rows belong together,
    groups are independent, and their sums are what varies.
    """
    mean = losses.sum() / sample_weight.sum()
    apart = losses - sample_weight * mean
    return float(np.sqrt(np.square(apart if groups is None else groups.sums(apart)).sum()))
