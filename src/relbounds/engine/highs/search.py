"""The exact search: which price of a direction spends just the budget?

Let *cost* be what the budget limits once its norm limit, if it has one of its own, is kept as a
constraint: the loss for a split budget, ``|w|_1 / 2 + C loss`` for a joint one. The pairs (gain,
cost) with ``gain = goal.w`` that models can have form a convex set, and its lower edge is traced
by Lagrangian steps, ``min cost - price * gain``. A price is too low if the model of its step costs
less than the limit, too high if it costs more. Once no price between the two leads anywhere new,
the answer lies on the line that joins them. And every single step proves that no good model gains
more than ``gain + (limit - cost) / price``.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.box import Box
from relbounds.engine.feasible_set import FeasibleSet, Model, unit_goal
from relbounds.engine.polishing import polished
from relbounds.engine.proof import ADVICE, TIGHT, Bound, WeightRange, certify
from relbounds.exceptions import SolverError

_EXACT = 1e-8  # of the scale: a tenth of what a proof may leave open
_ROUNDING = 1e-10  # of a cost: a model this little over the limit is within it; or as much over
# it as a proof may leave open, where that cannot have gained more than a proof may leave open
_MOST_PRICES = 100
_FIRST_PRICE = 25.0  # times spare budget / norm: where to begin with no better guess
_BEYOND = 1.05  # aim a little past the guess, so that the answer lies in between


@dataclass(frozen=True, eq=False)
class LagrangianStep:
    """The minimum of ``cost - price * gain`` at one price."""

    price: float
    gain: float
    cost: float
    model: Model
    multipliers: FloatArray

    def proves(self, limit: float) -> float:
        """What no model within the limit can gain more than."""
        return self.gain + (limit - self.cost) / self.price if self.price else np.inf


class Reached(NamedTuple):
    """The model of the largest gain, the multipliers that prove it, and the price it has."""

    model: Model
    multipliers: FloatArray
    price: float


def largest_gain(
    step: Callable[[float], LagrangianStep],
    cheapest: LagrangianStep,
    limit: float,
    *,
    norm_limit: float,
    scale: float,
    cost_unit: float,
    first_price: float | None = None,
    unless_above: float = -np.inf,
) -> Reached:
    """A model of the largest gain within the limit, and multipliers that prove it.

    Parameters
    ----------
    step : callable
        From a positive price to the minimum at it.
    cheapest : LagrangianStep
        Any model within the limit; the cheapest is best.
    limit : float
    norm_limit : float
        What no gain can exceed.
    scale, cost_unit : float
        The size of gains; the size of costs where there is nothing to spare.
    first_price : float, optional
        Where to begin; answers of one set have prices of similar size.
    unless_above : float
        Stop as soon as it is proved that no model gains more than this.
    """
    limit = max(limit, cheapest.cost)
    spare = limit + _ROUNDING * cost_unit - cheapest.cost
    price = first_price
    if price is None:
        price = _FIRST_PRICE * (spare if spare > _EXACT * cost_unit else cost_unit) / scale
    low, high = cheapest, None
    best = replace(cheapest, gain=norm_limit, price=np.inf)  # no weight exceeds the norm
    for attempt in range(_MOST_PRICES):
        last = step(price)
        best = min(best, last, key=lambda each: each.proves(limit))
        rounding = max(_ROUNDING * cost_unit, _EXACT * min(cost_unit, price * scale))
        low, high = (last, high) if last.cost <= limit + rounding else (low, last)
        share = max(0.0, limit - low.cost) / (high.cost - low.cost) if high else 0.0
        gain = low.gain + share * (high.gain - low.gain) if high else low.gain
        if best.proves(limit) <= max(gain + _EXACT * scale, unless_above):
            break
        if high and high.gain <= low.gain:  # rounding: dearer, but no better
            break
        if high is None:
            price *= _growth(low.cost - cheapest.cost, spare, attempt)
        elif attempt == 0:
            price *= max(np.sqrt(share) / _BEYOND, 0.05)
        else:
            price = (high.cost - low.cost) / (high.gain - low.gain)
    model = low.model.towards(high.model, share) if high else low.model
    return Reached(model, best.multipliers / best.price, last.price)


def _growth(spent: float, spare: float, attempt: int) -> float:
    """By how much to raise a price that has spent too little, at most tenfold.

    Costs grow like the square of the price, or not at all for a while: the longer it takes, the
    larger the step.
    """
    expected = np.sqrt(spare / max(spent, 1e-4 * spare))
    return float(min(_BEYOND * max(expected, 2.0 ** (attempt - 1)), 10.0))


class Solver(Protocol):
    """A feasible set that an engine has made ready to be asked about many directions."""

    @property
    def feasible(self) -> FeasibleSet:
        """The set itself."""

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

    @property
    def box(self) -> Box | None:
        """A box around the good models, where one is worth its programs."""


def extreme(
    prepared: Solver, goal: FloatArray, unless_above: float = -np.inf, known: Bound | None = None
) -> Bound:
    """The largest ``goal.w`` over the good models, proved, or ``SolverError``.

    With ``unless_above``, a proof that no good model exceeds it is answer enough. What is ``known``
    counts too: one answer may reach further, and another prove more.

    HiGHS is known to call wrong answers optimal after warm starts (its issues #3194 and
    #3294), so an answer that fails its proof is asked for once more from scratch. What fails then
    lacks precision, and is proved within a box.
    """
    feasible, scale = prepared.feasible, prepared.feasible.scale

    def is_proved(bound: Bound) -> bool:
        return bound.is_tight(scale) or bound.outer <= unless_above + TIGHT * scale

    tried: list[FloatArray] = []
    for cold in (False, True):
        try:
            model, multipliers = prepared.solve(goal, cold=cold, unless_above=unless_above)
        except SolverError:
            if cold:
                raise
            continue
        tried += [multipliers]
        bound = certify(feasible, goal, model, multipliers)
        if not is_proved(bound):
            tried += [polished(feasible.space, multipliers, goal, feasible.budget.norm_share)]
            bound = min(
                bound, certify(feasible, goal, model, tried[-1]), key=lambda each: each.outer
            )
        if is_proved(bound):
            return bound
        known = bound.joined(known)
        if is_proved(known):
            return known
    if prepared.box is not None:
        outer = [prepared.box.within(prepared.box.exact(goal, each)) for each in tried]
        bound = replace(bound, outer=float(np.fmin.reduce(outer)[0])).joined(known)
        if is_proved(bound):
            return bound
    size = max(scale, abs(bound.inner))
    raise SolverError(
        f"{_in_words(goal)} could not be proved: the gap between inner and outer value is "
        f"{bound.gap / size:.1e} of {size:.3g}, and the budget is exceeded by the share "
        f"{bound.violation:.1e}, where {TIGHT:.0e} is allowed of each. {ADVICE}"
    )


def _in_words(goal: FloatArray) -> str:
    weights = np.flatnonzero(goal).tolist()
    if len(weights) > 1:
        return f"The most that weights {', '.join(map(str, weights))} make together"
    return f"The {'largest' if goal.max() > 0 else 'smallest'} value of weight {weights[0]}"


def full_range(prepared: Solver, k: int) -> WeightRange:
    """Two programs: the least and the largest ``w_k``."""
    low, high = (extreme(prepared, unit_goal(prepared.feasible.space, k, sign)) for sign in (-1, 1))
    return WeightRange(low, high)


def relevance_range(prepared: Solver, k: int) -> WeightRange:
    """What the least and the largest ``|w_k|`` take: the end further from zero, and the other.

    The sign that probably reaches further goes first. Where a good model is known that has the
    other sign, or none, that end only has to be shown to fall short, which seldom takes a whole
    program.
    """
    sign, feasible, model = prepared.likely_sign(k), prepared.feasible, prepared.known_model
    goal = unit_goal(feasible.space, k, sign)
    first = extreme(prepared, goal)
    known = -sign * float(model.weights[k])
    second = extreme(prepared, -goal, first.inner if known >= 0 else -np.inf)
    if second.inner < known:
        second = replace(second, inner=known, violation=feasible.violation(model))
    return WeightRange(second, first) if sign > 0 else WeightRange(first, second)
