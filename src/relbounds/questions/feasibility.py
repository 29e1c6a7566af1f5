"""How much tolerance does it take for a set of models to hold a good one?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from relbounds.engine import TIGHT, FeasibleSet, Model, RestrictedModels, Restriction
from relbounds.engine.optimum import Solution, best_models
from relbounds.engine.protocols import Path
from relbounds.method.state import Study, learned_set
from relbounds.questions.constraints import Feature

_ENOUGH = 1e-6
_MOST_PRICES = 200
_LARGEST_PRICE = 1e6  # of the loss, in units of C; the smallest is as many times smaller
_FACTOR = 10.0
_NO_LOSS = 1e-9
_ROUGHLY = 1e-3  # proves that a loss remains, whose price makes the cost huge


@dataclass(frozen=True, eq=False)
class Shortage:
    """The least tolerance at which a good model exists, and that model.

    Tolerance is by how much, relatively, limits of norm and loss have to be exceeded (for a joint
    budget the one limit); it is negative where they need not be reached.

    Attributes
    ----------
    tolerance : float
        At which the model is good. Infinite where no tolerance is enough.
    proved : float
        Below which there is none.
    model : Model or None
    """

    tolerance: float
    proved: float
    model: Model | None


def joint_shortage(path: Path, C: float, limit: float) -> Shortage:
    """By how much the least ``norm / 2 + C loss`` exceeds a limit."""
    best = best_models(path, np.array([C]))[0]
    tolerance = _cost(best, C) / limit - 1
    return Shortage(tolerance, tolerance, best.model)


def split_shortage(path: Path, C: float, norm: float, loss: float) -> Shortage:
    """The least ``t`` with ``|w| <= (1 + t) norm`` and ``sum s <= (1 + t) loss`` for some model.

    The best models at all prices C form the lower edge of the convex set of pairs (norm, loss).
    The answer is where it meets the line through the origin and both limits. Two models, one on
    each side of the line, cost the same at one price; if none is cheaper at that, the answer lies
    between the two, else the cheaper one takes the place of one of them. Every price proves that
    ``1 + t >= cost / (norm / 2 + price * loss)``.
    """
    if loss == 0:
        return _without_loss(path, C, norm)
    below: Solution | None = None
    above: Solution | None = None
    found, price = Shortage(np.inf, -1.0, None), C
    for _ in range(_MOST_PRICES):
        best = best_models(path, np.array([price]), _ENOUGH)[0]
        proved = _cost(best, price) / (norm / 2 + price * loss) - 1
        found = replace(found, proved=max(found.proved, proved))
        if best.norm * loss <= best.loss * norm:
            below = best
        else:
            above = best
        mixed = _between(below, above, norm, loss)
        if mixed.tolerance < found.tolerance:
            found = replace(mixed, proved=found.proved)
        price = _next_price(below, above, price)
        is_enough = found.tolerance - found.proved <= _ENOUGH * (1 + found.tolerance)
        if is_enough or not 1 / _LARGEST_PRICE <= price / C <= _LARGEST_PRICE:
            break
    return found


def _cost(best: Solution, price: float) -> float:
    return best.norm / 2 + price * best.loss


def _next_price(below: Solution | None, above: Solution | None, price: float) -> float:
    """Where both sides cost the same; as long as one is missing, in its direction."""
    if below is None or above is None:
        return price * _FACTOR if above is None else price / _FACTOR
    saved = below.loss - above.loss
    return (above.norm - below.norm) / (2 * saved) if saved > 0 else np.inf


def _between(below: Solution | None, above: Solution | None, norm: float, loss: float) -> Shortage:
    """The mixture of two models that has norm and loss in the same proportion as the limits."""
    only = below or above
    assert only is not None, "at least one price was tried"
    if below is None or above is None:
        return Shortage(max(only.norm / norm, only.loss / loss) - 1, -1.0, only.model)
    first = below.loss / loss - below.norm / norm
    second = above.norm / norm - above.loss / loss
    share = first / (first + second)
    model = Model(
        (1 - share) * below.model.weights + share * above.model.weights,
        (1 - share) * below.model.offsets + share * above.model.offsets,
    )
    return Shortage(((1 - share) * below.norm + share * above.norm) / norm - 1, -1.0, model)


def _without_loss(path: Path, C: float, norm: float) -> Shortage:
    """Where the best model makes no loss, a good one makes none either."""
    price, rows = C, path.space.rows
    none = _NO_LOSS * rows.typical_price * rows.margin_size * len(rows)
    while price <= C * _LARGEST_PRICE:
        best = best_models(path, np.array([price]), _ROUGHLY)[0]
        if best.loss <= none:
            tolerance = best.norm / norm - 1
            return Shortage(tolerance, (1 - best.gap) * best.norm / norm - 1, best.model)
        price *= _FACTOR
    return Shortage(np.inf, np.inf, None)


INSIDE = 1e-6  # how much less than the budget a model has to cost to start from


def over_budget(study: Study, feasible: FeasibleSet) -> Shortage:
    """By how much the limits themselves would have to grow; negative if there is room."""
    budget, path, C = feasible.budget, study.engine.path(feasible.space), study.fit.chosen.C
    if study.result.budget == "joint":
        return joint_shortage(path, C, budget.limit)
    return split_shortage(path, C, budget.norm_limit, budget.loss_limit)


def over_baseline(study: Study, restrictions: Sequence[Restriction]) -> float:
    """The least tolerance at which a model exists that keeps one of the restrictions."""
    feasible, best, C = learned_set(study), study.fit.best, study.fit.chosen.C
    loss = best.loss if feasible.budget.loss_limit else 0.0
    needed = [np.inf]
    for restriction in restrictions:
        if restriction.is_kept_by(best.model.weights, TIGHT * best.norm):
            return 0.0
        path = study.engine.path(RestrictedModels.of(feasible, restriction).feasible.space)
        if study.result.budget == "joint":
            found = joint_shortage(path, C, best.norm / 2 + C * loss)
        else:
            found = split_shortage(path, C, best.norm, loss)
        needed.append(found.tolerance if found.tolerance > INSIDE else 0.0)
    return min(needed)


def is_unkept(study: Study, restriction: Restriction, price: float) -> bool:
    """Whether no good model keeps a restriction, whose price is known.

    A price lets norm and loss grow alike; where their tolerances differ it does not tell.
    """
    feasible, used = learned_set(study), study.result.tolerances
    assert used is not None, "something was learned"
    if used.loss in (None, used.norm):
        return price > used.norm + INSIDE
    return over_budget(study, RestrictedModels.of(feasible, restriction).feasible).proved > INSIDE


def absence(study: Study, features: Iterable[Feature]) -> Restriction:
    """The models without some features."""
    absent = Restriction.none(study.fit.composition.space.n_weights)
    for each in features:
        absent.low[each.positions] = absent.high[each.positions] = 0.0
    return absent
