"""The best model, and how much worse a good one may be."""

from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import (
    TIGHT,
    Budget,
    Engine,
    GoodModels,
    MarginRows,
    Model,
    ModelSpace,
    Path,
    outer_value,
    polished,
)
from relbounds.exceptions import SolverError
from relbounds.problems import Composition
from relbounds.records import Record

Box = tuple[FloatArray, FloatArray]
_ZERO = 1e-9
_TIE_BREAK = 1e-6
TOLERANCE_WITHOUT_LOSS = 0.1
"""``tolerance="auto"`` where the best model makes no loss, so that its standard error says
nothing: the value that the method's authors used throughout."""
TOLERANCE_OF_GAIN = 0.2
"""``tolerance="auto"`` with privileged features: a good model may lose this share more, or lack
this share of what the best model gains over one without regular weights, whichever is less."""


@dataclass(frozen=True, eq=False)
class BestModel:
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

    def surrounded(self, space: ModelSpace, budget: Budget) -> GoodModels:
        """All models within a budget."""
        cost = budget.norm_price * self.norm + budget.loss_price * self.loss
        return GoodModels(space, budget, self.norm, self.model, cost)


def best_model(path: Path, C: float) -> BestModel:
    """The best model at C, proved optimal by weak duality, or ``SolverError``."""
    return best_models(path, np.array([C]))[0]


def best_models(path: Path, Cs: FloatArray, allowed: float = TIGHT) -> list[BestModel]:
    """The best model at each C, proved optimal by weak duality, or ``SolverError``.

    ``allowed``: by how much, relatively, the objective may exceed the optimum.
    """
    space = path.space
    if len(space.rows) == 0:
        nothing = Model(np.zeros(space.n_weights), np.zeros(space.rows.n_offsets))
        return [BestModel(nothing, norm=0.0, loss=0.0, gap=0.0) for _ in Cs]
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


def _from_scratch(path: Path, C: float, allowed: float) -> BestModel:
    model, multipliers = path.solve(C, cold=True)
    priced = _Priced(path.space, C, model)
    box = path.space.offset_box(2 * priced.objective, priced.objective / C)
    best = priced.proved(multipliers, box, allowed)
    if best is None:
        raise SolverError(
            f"The best model at C={C:g} could not be proved: its objective may be "
            f"{priced.gap(multipliers, box, allowed):.1e} above the optimum, and it misses a row "
            f"that has to be kept by {priced.breach:.1e}, where {allowed:.0e} and "
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
        self.breach = space.rows.breach(missed)
        self._norm, self._loss = space.norm(model), float(space.rows.losses(missed).sum())
        self.objective = self._norm / 2 + C * self._loss

    def proved(self, multipliers: FloatArray, box: Box, allowed: float) -> BestModel | None:
        """The model, if multipliers prove it the best."""
        gap = self.gap(multipliers, box, allowed)
        if not (gap <= allowed and self.breach <= TIGHT):
            return None
        return BestModel(self._model, self._norm, self._loss, gap)

    def gap(self, multipliers: FloatArray, box: Box, allowed: float) -> float:
        """By how much, relatively, the objective may exceed the least one."""
        if _without_rounding(self.objective / self.C, self._space.rows) == 0:
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


def canonical_best_model(path: Path, C: float) -> BestModel:
    """The best model at C with the smallest loss, whichever vertex a solver would find.

    Norm and loss of the optimum are unique except at isolated values of C, where the
    optimum just above C has the smallest loss. So C is raised by one part in a million.
    """
    return best_model(path, C * (1 + _TIE_BREAK))


def has_weights(weights: FloatArray) -> bool:
    """Whether a model uses any feature."""
    return bool(np.abs(weights).sum() > _ZERO)


@dataclass(frozen=True, eq=False)
class Baseline(Record):
    """The best model as users see it, in the form with the smallest loss.

    Attributes
    ----------
    weights, offsets : arrays
    norm : float
        ``|w|_1``, of regular weights alone.
    loss : float
    gap : float
        By how much, relatively, the objective may exceed the true optimum (proved).
    privileged_weights : (q, 2) array or None
        Of each privileged feature in the two slack functions.
    privileged_offsets : (2,) array or None
    """

    weights: FloatArray
    offsets: FloatArray
    norm: float
    loss: float
    gap: float
    privileged_weights: FloatArray | None = None
    privileged_offsets: FloatArray | None = None


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
        composition: Composition,
        sample_weight: FloatArray,
        best: BestModel,
        C: float,
        idle_loss: float | None = None,
    ) -> tuple[GoodModels, Tolerances]:
        """The body of good models around the best one.

        ``idle_loss`` is that of the best model without regular weights; it is asked for where
        slacks are read from privileged features. Such slacks are large in every model, so that the
        standard error of their sum says nothing about the part of it that weights can avoid.
        """
        space, loss = composition.space, _without_rounding(best.loss, composition.rows)
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


def _without_rounding(loss: float, rows: MarginRows) -> float:
    """A loss that is no more than rounding of margins is none."""
    return 0.0 if loss <= _ZERO * rows.typical_price * rows.margin_size * len(rows) else loss


def _chosen(asked: float | str, auto: float) -> float:
    return auto if isinstance(asked, str) else float(asked)


def loss_without_weights(engine: Engine, composition: Composition) -> float:
    """The least loss of a model that uses no feature at all."""
    space = ModelSpace.unpriced(np.empty((len(composition.space.points), 0)), composition.rows)
    return best_model(engine.path(space), 1.0).loss


def standard_error(losses: FloatArray, sample_weight: FloatArray) -> float:
    """Standard error of the total of weighted losses of independent samples.

    With equal weights it is ``sqrt(n)`` times the standard deviation of a sample's loss.
    Weights do not pretend to be more samples: those that vary make the error larger, and
    multiplying them all by one number multiplies the error by it.
    """
    mean = losses.sum() / sample_weight.sum()
    return float(np.sqrt(np.square(losses - sample_weight * mean).sum()))
