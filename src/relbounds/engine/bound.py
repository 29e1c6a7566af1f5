"""How far does a direction reach, and what proves it?

A solver's word is never taken. From the point it names we recompute the value that is
reached (*inner*), from its multipliers a value that no good model can pass (*outer*).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.budget import Budget
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.exceptions import SolverError

TIGHT = 1e-7
"""An answer counts as proved if its gap is at most this share of the body's scale (or of the
answer, where that is larger), and its violation at most this share of the budget."""


@dataclass(frozen=True, eq=False)
class Model:
    """Weights and offsets."""

    weights: FloatArray
    offsets: FloatArray


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Prices of the margin rows and of the order rows; the proof's raw material."""

    rows: FloatArray
    order: FloatArray


@dataclass(frozen=True)
class Bound:
    """``inner <= max sign * w_feature <= outer`` over the good models.

    ``inner`` is the value of a model that exceeds the budget by the share ``violation``
    (rounding, at most ``TIGHT``); ``outer`` holds by weak duality whatever the solver did.
    """

    inner: float
    outer: float
    violation: float

    @property
    def gap(self) -> float:
        return self.outer - self.inner

    def is_tight(self, scale: float) -> bool:
        return abs(self.gap) <= TIGHT * max(scale, abs(self.inner)) and self.violation <= TIGHT


class Prepared(Protocol):
    """A body that an engine has made ready to be asked about many directions."""

    @property
    def body(self) -> GoodModels:
        """The body itself."""

    def solve(
        self, feature: int, sign: int, *, cold: bool, unless_above: float
    ) -> tuple[Model, Multipliers]:
        """A model that maximises ``sign * w_feature``, unproved; cold: from scratch.

        May stop once its multipliers prove that ``unless_above`` is not exceeded.
        """

    def likely_sign(self, feature: int) -> int:
        """The sign with which the feature probably reaches further."""


def outer_value(
    points: FloatArray,
    rows: MarginRows,
    multipliers: Multipliers,
    goal: FloatArray,
    budget: Budget,
) -> tuple[float, float, float]:
    """Weak duality: what the multipliers prove about ``goal . w``.

    For every model within the budget that keeps the rows, and non-negative
    ``alpha`` and ``lam``, adding ``alpha`` times the rows' and ``lam`` times the order rows'
    surplus can only help::

        goal.w <= (goal + A'alpha).w + (T'alpha + D'lam).b + alpha.s - alpha.margin
               <= norm_worth * |w|_1  +  loss_worth * loss  +  rest

    Returns ``(norm_worth, loss_worth, rest)``. The offsets' coefficient vanishes up to
    rounding; what is left of it is paid for with the widest values that offsets can have.
    """
    alpha = np.maximum(multipliers.rows, 0.0)
    lam = np.maximum(multipliers.order, 0.0)
    residual = rows.offset_pull(alpha, lam)
    low, high = rows.offset_box(points, budget.norm_limit, budget.loss_limit)
    with np.errstate(invalid="ignore"):
        left_over = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
    norm_worth = float(np.abs(goal + rows.pull(points, alpha)).max(initial=0.0))
    loss_worth = float((alpha / rows.weight).max(initial=0.0))
    return norm_worth, loss_worth, float(left_over.sum() - alpha @ rows.margin)


def certify(
    body: GoodModels, feature: int, sign: int, model: Model, multipliers: Multipliers
) -> Bound:
    """Recompute what an engine's answer proves about the largest ``sign * w_feature``."""
    budget, rows = body.budget, body.rows
    violation = body.violation(model.weights, rows.in_order(model.offsets))
    goal = np.zeros(body.n_features)
    goal[feature] = sign
    norm_worth, loss_worth, rest = outer_value(body.points, rows, multipliers, goal, budget)
    outer = budget.most(norm_worth, loss_worth) + rest
    return Bound(float(sign * model.weights[feature]), outer, violation)


def extreme(prepared: Prepared, feature: int, sign: int, unless_above: float = -np.inf) -> Bound:
    """The largest ``sign * w_feature`` over the good models, proved, or ``SolverError``.

    With ``unless_above``, a proof that no good model exceeds it is answer enough.

    HiGHS is known to call wrong answers optimal after warm starts (its issues #3194 and
    #3294), so an answer that fails its proof is asked for once more from scratch.
    """
    scale = prepared.body.scale
    for cold in (False, True):
        answer = prepared.solve(feature, sign, cold=cold, unless_above=unless_above)
        bound = certify(prepared.body, feature, sign, *answer)
        if bound.is_tight(scale) or bound.outer <= unless_above + TIGHT * scale:
            return bound
    raise SolverError(
        f"The {'largest' if sign > 0 else 'smallest'} weight of feature {feature} could not be "
        f"proved: the gap between inner and outer value is {bound.gap:.1e} and the budget is "
        f"exceeded by {bound.violation:.1e}, where {TIGHT:.0e} of {scale:.3g} is allowed. "
        "Columns or sample weights of very different size and a very large C or tolerance make "
        "programs hard: scale the columns (standardize=True), or choose smaller values."
    )
