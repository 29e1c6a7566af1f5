"""Which good model, of those that were met, keeps a restriction?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import TIGHT, Bound, GoodModels, Model, Restriction, WeightRange

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
        self, body: GoodModels, restriction: Restriction
    ) -> dict[tuple[int, int], Bound]:
        """The ends whose models keep a restriction on the body: they are ends as before."""
        kept = restriction.is_kept_by(self._weights)
        nearly = restriction.is_kept_by(self._weights, TIGHT * body.scale)
        found = {}
        for (key, bound), model, keeps, is_near in zip(
            self.ends.items(), self._models, kept, nearly, strict=True
        ):
            if keeps:
                found[key] = bound
            elif is_near:
                weights = np.clip(model.weights, restriction.low, restriction.high)
                moved = _moved(key, bound, Model(weights, model.offsets), body)
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


def _moved(key: tuple[int, int], end: Bound, model: Model, body: GoodModels) -> Bound | None:
    """An end with a model that differs by rounding, if that is good and reaches nearly as far."""
    k, sign = key
    violation = body.violation(model)
    moved = Bound.by(model, float(sign * model.weights[k]), end.outer, violation)
    return moved if violation <= _ROUNDING and moved.is_tight(body.scale) else None
