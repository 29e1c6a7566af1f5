"""Which model is the best on all of the data, and has it learned anything?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import FeasibleSet, ModelSpace
from relbounds.engine.optimum import Solution, best_model, canonical_best_model, has_weights
from relbounds.engine.protocols import Engine
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import Sampled
from relbounds.problems import Composition, Problem, SlackModel
from relbounds.results.parts import Baseline, Candidate, Tolerances

_LEAST_GAIN = 1e-3  # of what the model without regular weights loses
FREE_SLACK_PRICE = 10.0
"""What free slack costs beside slack that is read from privileged features, if that leaves
anything to learn: a function is worth having that covers nine of ten samples."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The best model at the chosen hyperparameters.

    Attributes
    ----------
    chosen : Candidate
    composition : Composition
    best : Solution
    idle : Solution or None
        The best model without regular weights, where slacks are read from privileged features.
    """

    chosen: Candidate
    composition: Composition
    best: Solution
    idle: Solution | None

    @classmethod
    def of(cls, engine: Engine, composition: Composition, chosen: Candidate) -> "Fit":
        composition = composition.at(chosen.gamma)
        best = canonical_best_model(engine.path(composition.space), chosen.C)
        has_privileged = len(composition.sides) > 1
        without = composition.without_regular
        idle = canonical_best_model(engine.path(without), chosen.C) if has_privileged else None
        return cls(chosen, composition, best, idle)

    @property
    def has_learned(self) -> bool:
        """Whether the model uses any regular feature, and gains by it more than next to nothing."""
        gains = self.idle is None or self.best.loss < (1 - _LEAST_GAIN) * self.idle.loss
        return gains and has_weights(self.composition.predictor(self.best.model).weights)

    def feasible_set(
        self, rule: GoodnessRule, sample_weight: FloatArray
    ) -> tuple[FeasibleSet, Tolerances]:
        """The models that a rule calls as good as this one."""
        return rule.feasible_set(
            self.composition,
            sample_weight,
            self.best,
            self.chosen.C,
            None if self.idle is None else self.idle.loss,
        )

    @property
    def baseline(self) -> Baseline:
        """The best model, its parts told apart; weights that are only rounding are none."""
        model, predictor = self.best.model, self.composition.predictor(self.best.model)
        weights = predictor.weights if has_weights(predictor.weights) else 0 * predictor.weights
        privileged = self.composition.sides[1:]
        return Baseline(
            weights=weights,
            offsets=predictor.offsets,
            norm=float(np.abs(weights).sum()),
            loss=self.best.loss,
            gap=self.best.gap,
            privileged_weights=privileged[0].of_features(model.weights) if privileged else None,
            privileged_offsets=model.offsets[len(predictor.offsets) :] if privileged else None,
        )


def fit(
    engine: Engine,
    problems: Mapping[float | None, Problem],
    sampled: Sampled,
    candidates: Sequence[Candidate],
) -> Fit:
    """The best model of the first candidate that learns anything, or of the first if none does.

    What has weights in most folds may have none on all of the data.
    """
    fits = []
    for candidate in candidates:
        composition = sampled.compose(problems[candidate.epsilon])
        fits.append(Fit.of(engine, composition, candidate))
        if fits[-1].has_learned:
            return fits[-1]
    return fits[0]


def mixed_slack(
    engine: Engine, problem: Problem, sampled: Sampled, largest: Candidate
) -> SlackModel:
    """Free slack at its usual price, unless that leaves nothing to learn; then at a safe one.

    Let the best model with free slack (at the largest C) have the share ``r`` of the loss of one
    without weights. At price 1 no slack function is worth its weights; from the price ``1 / r`` on,
    the model without weights may win, all of its slack read from a constant function. Safe is the
    geometric mean of both.
    """
    usual = SlackModel(FREE_SLACK_PRICE)
    if Fit.of(engine, replace(sampled, slack=usual).compose(problem), largest).has_learned:
        return usual
    free = replace(sampled, privileged=None).compose(problem)
    loss = best_model(engine.path(free.space), largest.C).loss
    ratio = loss_without_weights(engine, free) / loss if loss else np.inf
    return SlackModel(min(FREE_SLACK_PRICE, float(np.sqrt(ratio))))


def loss_without_weights(engine: Engine, composition: Composition) -> float:
    """The least loss of a model that uses no feature at all."""
    space = ModelSpace.unpriced(np.empty((len(composition.space.points), 0)), composition.rows)
    return best_model(engine.path(space), 1.0).loss
