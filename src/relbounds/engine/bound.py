"""How far does a direction reach, and what proves it?

A solver's word is never taken. From the point it names we recompute the value that is
reached (*inner*), from its multipliers a value that no good model can pass (*outer*).
"""

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.model_space import Model, ModelSpace
from relbounds.exceptions import SolverError

TIGHT = 1e-7
"""An answer counts as proved if its gap is at most this share of the body's scale (or of the
answer, where that is larger), and its violation at most this share of the budget."""
_MOST_KEPT = 200  # weights, up to which models at the ends are kept
_SAME_PULL = 1e-4  # pulls that differ by no more, relatively, count as equal


@dataclass(frozen=True)
class Bound:
    """``inner <= max goal.w <= outer`` over the good models.

    ``inner`` is the value of a model that exceeds the budget by the share ``violation``
    (rounding, at most ``TIGHT``); ``outer`` holds by weak duality whatever the solver did.
    ``fell_back``: another engine had to be asked for it. ``model`` is the one that reaches it, kept
    where weights are few, since it may start what is asked later.
    """

    inner: float
    outer: float
    violation: float
    fell_back: bool = False
    model: Model | None = field(default=None, compare=False)

    @classmethod
    def by(cls, model: Model, inner: float, outer: float, violation: float) -> "Bound":
        """What a model reaches, and what is proved of that."""
        kept = model if len(model.weights) <= _MOST_KEPT else None
        return cls(inner, outer, violation, model=kept)

    @property
    def gap(self) -> float:
        return self.outer - self.inner

    def is_tight(self, scale: float) -> bool:
        return abs(self.gap) <= TIGHT * max(scale, abs(self.inner)) and self.violation <= TIGHT


@dataclass(frozen=True)
class WeightRange:
    """The signed range of one weight, each end with its proof."""

    low: Bound
    high: Bound

    @classmethod
    def zero(cls) -> "WeightRange":
        """Of a weight that is absent."""
        return cls(Bound(0.0, 0.0, 0.0), Bound(0.0, 0.0, 0.0))

    @property
    def ends(self) -> tuple[float, float]:
        """``(min w, max w)``; rounding never turns them around."""
        low, high = -self.low.inner, self.high.inner
        return min(low, high), max(low, high)

    @property
    def gaps(self) -> tuple[float, float]:
        return abs(self.low.gap), abs(self.high.gap)

    @property
    def relevance(self) -> tuple[float, float]:
        """The least and the largest ``|w|``.

        For that an end on the other side of zero may be proved no further than not to exceed
        the larger one.
        """
        ends = [min(end.inner, end.outer) for end in (self.low, self.high)]
        return max(0.0, -min(ends)), max(ends)

    @property
    def fallbacks(self) -> int:
        """How many ends another engine had to be asked for."""
        return self.low.fell_back + self.high.fell_back


class Prepared(Protocol):
    """A body that an engine has made ready to be asked about many directions."""

    @property
    def body(self) -> GoodModels:
        """The body itself."""

    def solve(
        self, goal: FloatArray, *, cold: bool, unless_above: float
    ) -> tuple[Model, FloatArray]:
        """A model that maximises ``goal.w`` and the rows' multipliers, unproved.

        Cold: from scratch. May stop once its multipliers prove that ``unless_above`` is not
        exceeded.
        """

    def likely_sign(self, k: int) -> int:
        """The sign with which the weight probably reaches further."""

    @property
    def known_model(self) -> Model:
        """One of the good models."""


def outer_value(
    space: ModelSpace,
    multipliers: FloatArray,
    goal: FloatArray,
    offset_box: tuple[FloatArray, FloatArray],
) -> tuple[float, float, float]:
    """Weak duality: what the rows' multipliers prove about ``goal . w``.

    A multiplier ``alpha_r`` may be negative only where a surplus costs something, and positive
    always. For every model that keeps the rows it has to, with ``value_r = a_r.w + t_r.b``::

        goal.w = (goal + A'alpha).w + (T'alpha).b + alpha.(margin - value) - alpha.margin
              <= norm_worth * norm  +  rest of b  +  loss_worth * loss     - alpha.margin

    Returns ``(norm_worth, loss_worth, rest)``. The offsets' coefficient vanishes up to
    rounding; what is left of it is paid for with the widest values that offsets can have, which
    the box says.
    """
    rows, alpha = space.rows, _allowed(space.rows, multipliers)
    residual = rows.offset_pull(alpha)
    low, high = offset_box
    with np.errstate(invalid="ignore"):
        left_over = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
    pull = np.abs(goal + rows.pull(space.points, alpha)) / space.prices
    return (
        float(pull.max(initial=0.0)),
        _loss_worth(rows, alpha),
        float(left_over.sum() - alpha @ rows.margin),
    )


def _allowed(rows: MarginRows, multipliers: FloatArray) -> FloatArray:
    return np.where(rows.surplus_weight > 0, multipliers, np.maximum(multipliers, 0.0))


def _loss_worth(rows: MarginRows, alpha: FloatArray) -> float:
    """The least price of the loss at which no multiplier is beyond its limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(alpha < 0, -alpha / rows.surplus_weight, alpha / rows.weight)
    return float(worth.max(initial=0.0))


def polished(space: ModelSpace, multipliers: FloatArray, goal: FloatArray) -> FloatArray:
    """Multipliers that pull at offsets not at all and at the most pulled weights all the same.

    That is what those of a vertex do, and a solver's nearly. Those that have room are moved in
    proportion to it.
    """
    rows, alpha = space.rows, _allowed(space.rows, multipliers)
    price = _loss_worth(rows, alpha)
    with np.errstate(invalid="ignore"):  # price 0 of a row that must hold
        room = np.fmin(alpha + price * rows.surplus_weight, price * rows.weight - alpha)
    free = np.flatnonzero(room > 0)
    pull = (goal + rows.pull(space.points, alpha)) / space.prices
    most_pulled = np.flatnonzero(np.abs(pull) >= (1 - _SAME_PULL) * np.abs(pull).max(initial=0.0))
    limit = np.median(np.abs(pull[most_pulled])) if len(most_pulled) else 0.0
    missing = np.sign(pull) * limit - pull
    chosen = rows.subset(free)
    coefficients = np.hstack(
        [
            chosen.offset_matrix.toarray(),
            chosen.sign[:, None] * (space.points / space.prices)[chosen.point][:, most_pulled],
        ]
    )
    change = np.r_[-rows.offset_pull(alpha), missing[most_pulled]]
    root = np.sqrt(room[free])
    alpha[free] += root * np.linalg.lstsq((root[:, None] * coefficients).T, change, rcond=None)[0]
    return alpha


def certify(body: GoodModels, goal: FloatArray, model: Model, multipliers: FloatArray) -> Bound:
    """Recompute what an engine's answer proves about the largest ``goal.w``."""
    norm_worth, loss_worth, rest = outer_value(body.space, multipliers, goal, body.offset_box)
    outer = body.budget.most(norm_worth, loss_worth) + rest
    return Bound.by(model, float(goal @ model.weights), outer, body.violation(model))


def unit_goal(space: ModelSpace, k: int, sign: int) -> FloatArray:
    """The goal of one weight, large or small."""
    goal = np.zeros(space.n_weights)
    goal[k] = sign
    return goal


def extreme(prepared: Prepared, goal: FloatArray, unless_above: float = -np.inf) -> Bound:
    """The largest ``goal.w`` over the good models, proved, or ``SolverError``.

    With ``unless_above``, a proof that no good model exceeds it is answer enough.

    HiGHS is known to call wrong answers optimal after warm starts (its issues #3194 and
    #3294), so an answer that fails its proof is asked for once more from scratch.
    """
    body, scale = prepared.body, prepared.body.scale

    def is_proved(bound: Bound) -> bool:
        return bound.is_tight(scale) or bound.outer <= unless_above + TIGHT * scale

    for cold in (False, True):
        try:
            model, multipliers = prepared.solve(goal, cold=cold, unless_above=unless_above)
        except SolverError:
            if cold:
                raise
            continue
        bound = certify(body, goal, model, multipliers)
        if not is_proved(bound):
            better = polished(body.space, multipliers, goal)
            bound = min(bound, certify(body, goal, model, better), key=lambda each: each.outer)
        if is_proved(bound):
            return bound
    raise SolverError(
        f"{_told(goal)} could not be "
        f"proved: the gap between inner and outer value is {bound.gap:.1e} and the budget is "
        f"exceeded by {bound.violation:.1e}, where {TIGHT:.0e} of {scale:.3g} is allowed. "
        "Columns or sample weights of very different size and a very large C or tolerance make "
        "programs hard: scale the columns (standardize=True), or choose smaller values."
    )


def _told(goal: FloatArray) -> str:
    """A goal in words."""
    weights = np.flatnonzero(goal).tolist()
    if len(weights) > 1:
        return f"The most that weights {', '.join(map(str, weights))} make together"
    return f"The {'largest' if goal.max() > 0 else 'smallest'} value of weight {weights[0]}"


def full_range(prepared: Prepared, k: int) -> WeightRange:
    """Two programs: the least and the largest ``w_k``."""
    low, high = (extreme(prepared, unit_goal(prepared.body.space, k, sign)) for sign in (-1, 1))
    return WeightRange(low, high)


def relevance_range(prepared: Prepared, k: int) -> WeightRange:
    """What the least and the largest ``|w_k|`` take: the end further from zero, and the other.

    The sign that probably reaches further goes first. Where a good model is known that has the
    other sign, or none, that end only has to be shown to fall short, which seldom takes a whole
    program.
    """
    sign, body, model = prepared.likely_sign(k), prepared.body, prepared.known_model
    goal = unit_goal(body.space, k, sign)
    first = extreme(prepared, goal)
    known = -sign * float(model.weights[k])
    second = extreme(prepared, -goal, first.inner if known >= 0 else -np.inf)
    if second.inner < known:
        second = replace(second, inner=known, violation=body.violation(model))
    return WeightRange(second, first) if sign > 0 else WeightRange(first, second)
