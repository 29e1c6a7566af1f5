"""How much tolerance does a set of models need, and what does it cost to do without features?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.engine import TIGHT, FeasibleSet, Model, Path, RestrictedModels, Restriction
from relbounds.engine.optimum import Solution, best_models, without_rounding
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study, learned_set
from relbounds.method.training_data import Feature, Split, TrainingData
from relbounds.method.tuning import FoldModel, fold_model
from relbounds.questions.constraints import Reader
from relbounds.results.answers import Price

INSIDE = 1e-6
"""How much less than the budget a model has to cost to start from."""
_ENOUGH = 1e-6
_MOST_PRICES = 200
_LARGEST_PRICE = 1e6  # of the loss, in units of C; the smallest is as many times smaller
_FIRST_FACTOR, _FACTOR = 1.2, 10.0  # mostly the price is near, and models at near ones are alike
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


def split_shortage(
    path: Path, C: float, norm: float, loss: float, *, loss_grows: bool = True
) -> Shortage:
    """The least ``t`` with ``|w| <= (1 + t) norm`` and ``sum s <= (1 + t) loss`` for some model.

    Unless the limit of the loss grows, ``sum s <= loss``.

    The best models at all prices C form the lower edge of the convex set of pairs (norm, loss).
    The answer is where it meets the line that both limits move along. Two models, one on each side
    of the line, cost the same at one price; if none is cheaper at that, the answer lies between the
    two, else the cheaper one takes the place of one of them. Every price proves that no model costs
    less than its best one, and so that limits which cost less are too narrow.
    """
    if loss == 0:
        return _without_loss(path, C, norm)
    below: Solution | None = None
    above: Solution | None = None
    limits = _Limits(norm, loss, loss_grows)
    found, price, factor = Shortage(np.inf, -1.0, None), C, _FIRST_FACTOR
    for _ in range(_MOST_PRICES):
        best = best_models(path, np.array([price]), _ENOUGH)[0]
        found = replace(found, proved=max(found.proved, limits.proved(best, price)))
        if limits.excess_loss(best) > 0:
            below = best
        else:
            above = best
        mixed = _between(below, above, limits)
        if mixed.tolerance < found.tolerance:
            found = replace(mixed, proved=found.proved)
        last, price = price, _next_price(below, above, price, factor)
        price, factor = _within_prices(price, C), min(factor**2, _FACTOR)
        if price == last or 1 + found.proved >= (1 - _ENOUGH) * (1 + found.tolerance):
            break
    return found


def _cost(best: Solution, price: float) -> float:
    return best.norm / 2 + price * best.loss


@dataclass(frozen=True)
class _Limits:
    """Limits of norm and loss: that of the norm grows with the tolerance, the other may."""

    norm: float
    loss: float
    loss_grows: bool

    def proved(self, best: Solution, price: float) -> float:
        """The tolerance from which on limits cost as much as the best model at a price."""
        fixed = 0.0 if self.loss_grows else price * self.loss
        growing = self.norm / 2 + price * self.loss - fixed
        return (_cost(best, price) - fixed) / growing - 1

    def excess_loss(self, model: Solution) -> float:
        """Of the limit, beyond what is allowed at the tolerance that the model's norm needs."""
        return model.loss / self.loss - (model.norm / self.norm if self.loss_grows else 1.0)

    def tolerance(self, model: Solution) -> float:
        """What a model needs; infinite if no tolerance is enough."""
        if self.excess_loss(model) <= 0:
            return model.norm / self.norm - 1
        return model.loss / self.loss - 1 if self.loss_grows else np.inf


def _within_prices(price: float, C: float) -> float:
    return min(max(price, C / _LARGEST_PRICE), C * _LARGEST_PRICE)


def _next_price(
    below: Solution | None, above: Solution | None, price: float, factor: float
) -> float:
    """Where both sides cost the same; as long as one is missing, in its direction."""
    if below is None or above is None:
        return price * factor if above is None else price / factor
    saved = below.loss - above.loss
    return (above.norm - below.norm) / (2 * saved) if saved > 0 else np.inf


def _between(below: Solution | None, above: Solution | None, limits: _Limits) -> Shortage:
    """The mixture of two models that keeps both limits at the same tolerance."""
    only = below or above
    assert only is not None, "at least one price was tried"
    if below is None or above is None:
        return Shortage(limits.tolerance(only), -1.0, only.model)
    first, second = limits.excess_loss(below), -limits.excess_loss(above)
    share = first / (first + second)
    model = below.model.towards(above.model, share)
    norm = (1 - share) * below.norm + share * above.norm
    return Shortage(norm / limits.norm - 1, -1.0, model)


def _without_loss(path: Path, C: float, norm: float) -> Shortage:
    """Where the best model makes no loss, a good one makes none either."""
    price = C
    while price <= C * _LARGEST_PRICE:
        best = best_models(path, np.array([price]), _ROUGHLY)[0]
        if not without_rounding(best.loss, path.space.rows):
            tolerance = best.norm / norm - 1
            return Shortage(tolerance, (1 - best.gap) * best.norm / norm - 1, best.model)
        price *= _FACTOR
    return Shortage(np.inf, np.inf, None)


def over_budget(study: Study, feasible: FeasibleSet) -> Shortage:
    """By how much the limits themselves would have to grow; negative if there is room."""
    budget, path, C = feasible.budget, study.engine.path(feasible.space), study.best.choice.C
    if study.result.budget == "joint":
        return joint_shortage(path, C, budget.limit)
    return split_shortage(path, C, budget.norm_limit, budget.loss_limit)


def over_baseline(
    study: Study, restrictions: Sequence[Restriction], loss_tolerance: float | None = None
) -> float:
    """The least tolerance at which a model exists that keeps one of the restrictions.

    Of norm and loss alike; of the norm alone if the loss has a tolerance of its own.
    """
    feasible, best, C = learned_set(study), study.best.solution, study.best.choice.C
    loss = best.loss if feasible.budget.loss_limit else 0.0
    needed = [np.inf]
    for restriction in restrictions:
        if restriction.is_kept_by(best.model.weights, TIGHT * best.norm):
            return 0.0
        if loss_tolerance is None and (walked := _walked(study, restriction)) is not None:
            needed.append(walked)
            continue
        path = study.engine.path(RestrictedModels.of(feasible, restriction).feasible.space)
        if study.result.budget == "joint":
            found = joint_shortage(path, C, best.norm / 2 + C * loss)
        else:
            limit = (1 + (loss_tolerance or 0.0)) * loss
            found = split_shortage(path, C, best.norm, limit, loss_grows=loss_tolerance is None)
        needed.append(found.tolerance if found.tolerance > INSIDE else 0.0)
    return min(needed)


def _walked(study: Study, restriction: Restriction) -> float | None:
    """The least tolerance that a restriction needs, if a walk from the best model proves it."""
    begun = study.walk_to_least_tolerance
    if begun is None:
        return None
    growing, walk = begun
    cut = growing.cut(restriction)
    ended = cut.led_on(walk).go_on()
    if not ended.is_at_end:
        return None
    tolerance, proved = cut.least_tolerance(ended)
    if not 1 + proved >= (1 - _ENOUGH) * (1 + tolerance):
        return None
    return tolerance if tolerance > INSIDE else 0.0


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
    absent = Restriction.none(study.best.composition.space.n_weights)
    for each in features:
        absent.low[each.positions] = absent.high[each.positions] = 0.0
    return absent


@ONE_BLAS_THREAD
def price(study: Study, features: Any, workers: Workers) -> Price:
    """What it costs to do without all of these features at once."""
    return prices_of(study, [Reader.of(study).features(features)], workers)[0]


@ONE_BLAS_THREAD
def prices(study: Study, workers: Workers) -> pd.DataFrame:
    """What it costs to do without each single feature."""
    found = prices_of(study, [[each] for each in study.features], workers)
    columns = {
        "price": [each.tolerance for each in found],
        "indispensable": [each.is_indispensable for each in found],
        "error_without": [each.error_without for each in found],
        "score_fall": [each.score_fall for each in found],
    }
    names = pd.Index([each.features[0] for each in found], name="feature")
    return pd.DataFrame(columns, index=names)


def prices_of(study: Study, absences: Sequence[Sequence[Feature]], workers: Workers) -> list[Price]:
    """What it costs to do without each of several sets of features."""
    learned_set(study)
    folds = [_fold_model(study, study.data, split) for split in study.data.folds]
    return workers.map(_price, (study, folds), list(absences), "prices")


def _price(study: Study, folds: Sequence[FoldModel], features: Sequence[Feature]) -> Price:
    absent = absence(study, features)
    needed = over_baseline(study, [absent])
    return Price(
        tuple(each.name for each in features),
        needed,
        is_unkept(study, absent, needed),
        _mean([each.error for each in folds]),
        _mean(_errors_without(study, folds, features)),
    )


def _mean(errors: Sequence[float]) -> float:
    return float(np.mean(errors)) if errors else np.nan


def _errors_without(
    study: Study, folds: Sequence[FoldModel], features: Sequence[Feature]
) -> list[float]:
    """The error in each fold; a model that uses none of the features is the best without, too."""
    data = study.data.without(features)
    gone = [(each.side, each.column) for each in features if each.column is not None]
    return [
        _fold_model(study, data, split).error
        if any(each.uses[side][column] for side, column in gone)
        else each.error
        for each, split in zip(folds, study.data.folds, strict=True)
    ]


def _fold_model(study: Study, data: TrainingData, split: Split) -> FoldModel:
    return fold_model(study.engine, data, study.best.choice, split)
