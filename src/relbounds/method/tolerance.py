"""How much worse than the best may a good model be?"""

from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import Budget, FeasibleSet
from relbounds.engine.optimum import Solution, without_rounding
from relbounds.problems import Composition
from relbounds.results.parts import Tolerances

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
    tolerance : float or "auto"
    loss_tolerance : float, "auto" or None
        None: the same as ``tolerance``.
    """

    budget: str = "split"
    tolerance: float | str = "auto"
    loss_tolerance: float | str | None = None

    def feasible_set(
        self,
        composition: Composition,
        sample_weight: FloatArray,
        best: Solution,
        C: float,
        idle_loss: float | None = None,
    ) -> tuple[FeasibleSet, Tolerances]:
        """The set of good models around the best one.

        ``idle_loss`` is that of the best model without regular weights; it is asked for where
        slacks are read from privileged features. Such slacks are large in every model, so that the
        standard error of their sum says nothing about the part of it that weights can avoid.
        """
        space, loss = composition.space, without_rounding(best.loss, composition.rows)
        if idle_loss is None:
            losses = composition.sample_losses(best.model)
            spare = standard_error(losses, sample_weight) if loss else 0.0
        else:
            spare = TOLERANCE_OF_GAIN * min(loss, max(idle_loss - loss, 0.0))
        auto = spare / loss if spare else TOLERANCE_WITHOUT_LOSS
        if self.budget == "joint":
            mu = best.norm / 2 + C * loss
            of_all = C * spare / mu if spare and idle_loss is None else auto
            tolerance = _chosen(self.tolerance, of_all)
            budget = Budget.joint(C, (1 + tolerance) * mu)
            return best.surrounded(space, budget), Tolerances(tolerance, None)
        tolerance = _chosen(self.tolerance, auto)
        loss_tolerance = _chosen(
            self.tolerance if self.loss_tolerance is None else self.loss_tolerance, auto
        )
        budget = Budget.split(
            norm=(1 + tolerance) * best.norm,
            loss=(1 + loss_tolerance) * loss,
            loss_unit=composition.rows.typical_price,
        )
        return best.surrounded(space, budget), Tolerances(tolerance, loss_tolerance)


def _chosen(asked: float | str, auto: float) -> float:
    return auto if isinstance(asked, str) else float(asked)


def standard_error(losses: FloatArray, sample_weight: FloatArray) -> float:
    """Standard error of the total of weighted losses of independent samples.

    With equal weights it is ``sqrt(n)`` times the standard deviation of a sample's loss.
    Weights do not pretend to be more samples: those that vary make the error larger, and
    multiplying them all by one number multiplies the error by it.
    """
    mean = losses.sum() / sample_weight.sum()
    return float(np.sqrt(np.square(losses - sample_weight * mean).sum()))
