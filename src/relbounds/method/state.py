"""What was asked, and what does a fitted model remember, so that more can be asked of it?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import (
    TIGHT,
    Auto,
    Bound,
    Corners,
    Engine,
    FeasibleSet,
    Model,
    Restriction,
    Walk,
    WeightRange,
    unit_goal,
)
from relbounds.exceptions import InfeasibleError
from relbounds.method.balance import Balance
from relbounds.method.best_model import BestModel
from relbounds.method.decision import ChanceRule
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import Feature, Table, TrainingData
from relbounds.problems import Layout, Problem
from relbounds.results.records import Evidence
from relbounds.results.result import RelevanceResult

_NEAR_AN_END = 0.99  # of the way from the best model: beyond, hardly any budget is left
_MOST_KEPT = 4_000_000  # numbers of walks; beyond, they begin anew for each question
_MOST_ABSENCES = 64  # of which evidence is remembered
_ROUNDING = 1e-9  # of the budget: where constraints meet, answers may move thousands of times that


@dataclass(frozen=True, eq=False)
class KnownModels:
    """The best model, and those at the ends of weights' ranges.

    Good models are convex: all between the best one and an end is good, and better than the end.

    Attributes
    ----------
    best : Model
    ends : dict
        Bounds of the smallest (-1) and the largest (1) value of each weight, whose models are kept.
    """

    best: Model
    ends: dict[tuple[int, int], Bound]

    @classmethod
    def of(cls, best: Model, ranges: Sequence[WeightRange]) -> "KnownModels":
        found = {(k, -1): each.low for k, each in enumerate(ranges)}
        found |= {(k, 1): each.high for k, each in enumerate(ranges)}
        return cls(best, {key: bound for key, bound in found.items() if bound.model is not None})

    @cached_property
    def _models(self) -> list[Model]:
        return [bound.model for bound in self.ends.values() if bound.model is not None]

    @cached_property
    def _weights(self) -> FloatArray:
        """Of the models at the ends, a line each."""
        weights = np.array([model.weights for model in self._models])
        return weights.reshape(-1, len(self.best.weights))

    def ends_within(
        self, feasible: FeasibleSet, restriction: Restriction
    ) -> dict[tuple[int, int], Bound]:
        """The ends whose models keep a restriction on the set: they are ends as before."""
        kept = restriction.is_kept_by(self._weights)
        nearly = restriction.is_kept_by(self._weights, TIGHT * feasible.scale)
        found = {}
        for (key, bound), model, keeps, is_near in zip(
            self.ends.items(), self._models, kept, nearly, strict=True
        ):
            if keeps:
                found[key] = bound
            elif is_near:
                weights = np.clip(model.weights, restriction.low, restriction.high)
                moved = _moved(key, bound, Model(weights, model.offsets), feasible)
                if moved and restriction.is_kept_by(weights):
                    found[key] = moved
        return found

    def keeping(self, restriction: Restriction) -> Model | None:
        """The first model that keeps a restriction on the ways from the best to the ends."""
        if restriction.is_kept_by(self.best.weights):
            return self.best
        least, most = self._shares_within(restriction)
        for of, limit in restriction.totals:
            least = np.maximum(least, self._shares_below(of, limit))
        for end in np.argsort(least):
            if least[end] <= min(most[end], _NEAR_AN_END):
                model = self._between(float(least[end]), int(end), restriction)
                if restriction.is_kept_by(model.weights):
                    return model
        return None

    def _shares_within(self, restriction: Restriction) -> tuple[FloatArray, FloatArray]:
        """From where and up to where each way lies within the limits of all weights."""
        limited = np.isfinite(restriction.low) | np.isfinite(restriction.high)
        start = self.best.weights[limited]
        way = self._weights[:, limited] - start
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack([restriction.low[limited] - start, restriction.high[limited] - start])
            reached = np.sort(ends[:, None] / way, axis=0)
        stays = (ends[0] <= 0) & (ends[1] >= 0)
        still = np.where(stays, -np.inf, np.inf)
        least = np.where(way == 0, still, reached[0])
        most = np.where(way == 0, -still, reached[1])
        return least.max(axis=1, initial=0.0), most.min(axis=1, initial=1.0)

    def _shares_below(self, of: IntArray, limit: float) -> FloatArray:
        """From where, at the latest, a total is within its limit: it is convex along each way."""
        start = np.abs(self.best.weights[of]).sum()
        saved = start - np.abs(self._weights[:, of]).sum(axis=1)
        shares: FloatArray = np.full(len(saved), 0.0 if start <= limit else np.inf)
        if start > limit:
            np.divide(start - limit, saved, out=shares, where=saved > 0)
        return shares

    def _between(self, share: float, end: int, restriction: Restriction) -> Model:
        """So far on the way to an end; rounding does not break the limits of weights."""
        model = self.best.towards(self._models[end], share)
        return Model(np.clip(model.weights, restriction.low, restriction.high), model.offsets)


def _moved(key: tuple[int, int], end: Bound, model: Model, feasible: FeasibleSet) -> Bound | None:
    """An end with a model that differs by rounding, if that is good and reaches nearly as far."""
    k, sign = key
    violation = feasible.violation(model)
    moved = Bound.by(model, float(sign * model.weights[k]), end.outer, violation)
    return moved if violation <= _ROUNDING and moved.is_tight(feasible.scale) else None


@dataclass(frozen=True)
class Settings:
    """All that a user may set, and that the answer depends on.

    Attributes
    ----------
    task : str
    problems : tuple of Problem
        The learning problems to choose from.
    C : float or None
        None: to be tuned.
    gammas : tuple
        What gamma may be; None alone if there are no privileged features.
    balances : tuple of Balance
        How much classes may count in the loss.
    slack : str or None
        "privileged" or "mixed"; None if there are no privileged features.
    free_slack_price : float or None
        What free slack costs with mixed slacks; None: from the data.
    rule : GoodnessRule
        What a good model is.
    probes : str
        How a probe enters the model,
    n_probes : int
        and how many are drawn at least.
    chance : ChanceRule
        What counts as more than chance.
    exact : bool
        Whether ends of all weights are computed, even of idle features of a wide table.
    """

    task: str
    problems: tuple[Problem, ...]
    C: float | None
    gammas: tuple[float | None, ...]
    balances: tuple[Balance, ...]
    slack: str | None
    free_slack_price: float | None
    rule: GoodnessRule
    probes: str
    n_probes: int
    chance: ChanceRule
    exact: bool = False

    @property
    def asks_for_all(self) -> bool:
        """Whether no weight may be left bounded: the paper's line rests on weights alone."""
        return self.exact or self.chance.is_papers

    @property
    def is_open(self) -> bool:
        """Whether anything is left to tune."""
        choices = (self.gammas, self.problems, self.balances)
        return self.C is None or any(len(each) > 1 for each in choices)


@dataclass(frozen=True, eq=False)
class Study:
    """A result, and all that it was found with.

    Attributes
    ----------
    settings : Settings
    data : TrainingData
    engine : Engine
    best : BestModel
    feasible : FeasibleSet or None
        The set of good models; None if the best one has learned nothing.
    known : KnownModels
        Good models that were met.
    result : RelevanceResult
    seed : int
        Where further questions draw from.
    """

    settings: Settings
    data: TrainingData
    engine: Engine
    best: BestModel
    feasible: FeasibleSet | None
    known: KnownModels
    result: RelevanceResult
    seed: int

    @cached_property
    def features(self) -> list[Feature]:
        """All of them, privileged ones last."""
        return [
            feature
            for index, (table, layout) in enumerate(
                zip(self.data.tables, self.best.composition.layouts, strict=True)
            )
            for feature in _features(index, table, layout)
        ]

    @cached_property
    def ends(self) -> FloatArray:
        """The least and the largest value of each weight over the good models."""
        found = np.zeros((self.best.composition.space.n_weights, 2))
        ranges = [each for side in self.result.sides for each in side.ends[0]]
        for feature, each in zip(self.features, ranges, strict=True):
            found[feature.positions] = each[: len(feature.positions)]
        return found

    @cached_property
    def corners(self) -> Corners | None:
        """Of the good models, if these are to be walked."""
        is_chosen = isinstance(self.engine, Auto)
        if self.feasible is None or not is_chosen or not Corners.suit(self.feasible.space):
            return None
        return Corners.of(self.feasible)

    @cached_property
    def corners_without_tolerance(self) -> Corners | None:
        """Of the best models, if there are walks and the best one is the only one."""
        if self.corners is None or self.own_loss_tolerance is not None:
            return None
        rule, in_loss = (
            replace(self.settings.rule, tolerance=0.0),
            self.best.choice.in_loss(self.data),
        )
        return self.corners.within(rule.feasible_set(self.best, in_loss, self.data.groups)[0])

    @cached_property
    def walk_to_least_tolerance(self) -> tuple[Corners, Walk] | None:
        """To the best model, in the set that grows from it: for restrictions to go on from."""
        only_best = self.corners_without_tolerance
        if only_best is None or not only_best.feasible.budget.limit:
            return None
        growing = only_best.growing
        walk = growing.walk_to_least_tolerance(self.best.solution.model)
        return (growing, walk) if walk.is_at_end else None

    def walk(self, k: int, sign: int) -> Walk | None:
        """To the end of a weight's range that is known: for others to go on from."""
        end = self.known.ends.get((k, sign))
        if self.corners is None or end is None or end.model is None:
            return None
        if (k, sign) in self._walks:
            return self._walks[k, sign]
        walk = self.corners.walk(unit_goal(self.corners.feasible.space, k, sign), end.model)
        if len(self.known.ends) * len(walk.goal) ** 2 <= _MOST_KEPT:
            self._walks[k, sign] = walk
        return walk

    @cached_property
    def _walks(self) -> dict[tuple[int, int], Walk]:
        return {}

    def evidence_without(
        self, absent: Sequence[Feature], ask: Callable[[], Sequence[Evidence]]
    ) -> Sequence[Evidence]:
        """What the others tell without some features, remembered: who takes one away pulls on."""
        key = tuple((each.side, each.name) for each in absent)
        if key not in self._evidence:
            self._evidence[key] = ask()
        while len(self._evidence) > _MOST_ABSENCES:
            self._evidence.pop(next(iter(self._evidence)))
        return self._evidence[key]

    @cached_property
    def _evidence(self) -> dict[tuple[tuple[int, str], ...], Sequence[Evidence]]:
        return {}

    @property
    def own_loss_tolerance(self) -> float | None:
        """How much more than the best a good model may lose, if that was set for itself."""
        used = self.result.tolerances
        return used.loss if used and self.settings.rule.loss_tolerance is not None else None


def _features(index: int, table: Table, layout: Layout) -> Iterator[Feature]:
    columns = iter(range(layout.n_features))
    for name, varies in zip(table.names, table.varies, strict=True):
        column = next(columns) if varies else None
        positions = np.empty(0, np.int64) if column is None else layout.positions(column)
        yield Feature(name, index, column, positions)


def learned_set(study: Study) -> FeasibleSet:
    """The set of good models, if there is one."""
    if study.feasible is None:
        raise InfeasibleError(f"There is nothing to ask about. {study.result.why_degenerate}")
    return study.feasible
