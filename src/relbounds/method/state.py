"""What does a fitted model remember, so that more can be asked of it?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import TIGHT, Bound, FeasibleSet, Model, Restriction, WeightRange
from relbounds.engine.protocols import Engine
from relbounds.exceptions import InfeasibleError
from relbounds.method.best_model import Fit
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import Sampled, Split
from relbounds.problems import Problem, Side
from relbounds.questions.constraints import Feature, Reader
from relbounds.results.result import RelevanceResult

_NEAR_AN_END = 0.99  # of the way from the best model: beyond, hardly any budget is left
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
        best, last = self.best, self._models[end]
        weights = (1 - share) * best.weights + share * last.weights
        offsets = (1 - share) * best.offsets + share * last.offsets
        return Model(np.clip(weights, restriction.low, restriction.high), offsets)


def _moved(key: tuple[int, int], end: Bound, model: Model, feasible: FeasibleSet) -> Bound | None:
    """An end with a model that differs by rounding, if that is good and reaches nearly as far."""
    k, sign = key
    violation = feasible.violation(model)
    moved = Bound.by(model, float(sign * model.weights[k]), end.outer, violation)
    return moved if violation <= _ROUNDING and moved.is_tight(feasible.scale) else None


@dataclass(frozen=True, eq=False)
class Study:
    """A result, and the set of good models that it speaks of.

    Attributes
    ----------
    result : RelevanceResult
    engine : Engine
    fit : Fit
    feasible : FeasibleSet or None
        None if the best model has learned nothing.
    known : KnownModels
        Good models that were met.
    problem : Problem
    sampled : Sampled
        The data, scaled, without constant features.
    splits : tuple
        Folds of cross-validation; empty if nothing was tuned.
    varying : (d,) bool array
        Which regular features have a column.
    rule : GoodnessRule
        What the user calls a good model.
    seed : int
        Where further questions draw from.
    """

    result: RelevanceResult
    engine: Engine
    fit: Fit
    feasible: FeasibleSet | None
    known: KnownModels
    problem: Problem
    sampled: Sampled
    splits: tuple[Split, ...]
    varying: BoolArray
    rule: GoodnessRule
    seed: int

    @property
    def own_loss_tolerance(self) -> float | None:
        """How much more than the best a good model may lose, if that was set for itself."""
        used = self.result.tolerances
        return used.loss if used and self.rule.loss_tolerance is not None else None

    @property
    def sides(self) -> tuple[Side, ...]:
        return self.fit.composition.sides

    @cached_property
    def reader(self) -> Reader:
        """Reads constraints on features, by name or by index, privileged ones last."""
        n_weights = self.fit.composition.space.n_weights
        return Reader(self._features(), n_weights, self.result.norm)

    @cached_property
    def ends(self) -> FloatArray:
        """The least and the largest value of each weight over the good models."""
        found, told = np.zeros((self.fit.composition.space.n_weights, 2)), self.result.privileged
        ranges = [*self.result.weight_ranges, *(told.weight_ranges if told else ())]
        for feature, each in zip(self.reader.known, ranges, strict=True):
            found[feature.positions] = each
        return found

    def columns(self, features: Iterable[Feature]) -> tuple[IntArray, IntArray]:
        """Columns of features: among the regular points, and among the privileged ones."""
        of, n = np.concatenate([each.positions for each in features]), self.sides[0].n_features
        if self.sampled.privileged is None:
            return of.astype(np.int64), np.empty(0, np.int64)
        told = of[(of >= n) & (of < n + self.sampled.privileged.shape[1])] - n
        return of[of < n].astype(np.int64), told.astype(np.int64)

    def _features(self) -> list[Feature]:
        regular, place = [], iter(range(self.sides[0].n_features))
        for name, varies in zip(self.result.feature_names, self.varying, strict=True):
            positions = self.sides[0].positions(next(place)) if varies else np.empty(0, np.int64)
            regular.append(Feature(name, positions))
        if self.result.privileged is None:
            return regular
        names = self.result.privileged.feature_names
        return regular + [Feature(name, self.sides[1].positions(k)) for k, name in enumerate(names)]


def learned_set(study: Study) -> FeasibleSet:
    """The set of good models, if there is one."""
    if study.feasible is None:
        raise InfeasibleError(f"There is nothing to ask about. {study.result.why_degenerate}")
    return study.feasible
