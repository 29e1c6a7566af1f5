"""Which model is the best on all of the data, and has it learned anything?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import Engine, ModelSpace
from relbounds.engine.optimum import Solution, best_model, canonical_best_model, has_weights
from relbounds.method.training_data import Table, TrainingData
from relbounds.method.tuning import Choice
from relbounds.problems import Composition, SlackModel
from relbounds.results.records import Baseline

_LEAST_GAIN = 1e-3  # of what the model without regular weights loses
FREE_SLACK_PRICE = 10.0
"""What free slack costs beside slack that is read from privileged features, if that leaves
anything to learn: a function is worth having that covers nine of ten samples."""


@dataclass(frozen=True, eq=False)
class BestModel:
    """The best model of a choice.

    Attributes
    ----------
    choice : Choice
    composition : Composition
    solution : Solution
    without_regular : Solution or None
        The best model without regular weights, where slacks are read from privileged features.
    """

    choice: Choice
    composition: Composition
    solution: Solution
    without_regular: Solution | None

    @classmethod
    def of(cls, engine: Engine, composition: Composition, choice: Choice) -> "BestModel":
        solution = canonical_best_model(engine.path(composition.space), choice.C)
        without = None
        if len(composition.layouts) > 1:
            without = canonical_best_model(engine.path(composition.without_regular), choice.C)
        return cls(choice, composition, solution, without)

    @property
    def has_learned(self) -> bool:
        """Whether the model uses any regular feature, and gains by it more than next to nothing."""
        without = self.without_regular
        gains = without is None or self.solution.loss < (1 - _LEAST_GAIN) * without.loss
        return gains and has_weights(self.composition.predictor(self.solution.model).weights)

    @property
    def has_a_score_a_class(self) -> bool:
        """Whether classes have no order, and each is told from the rest."""
        return self.composition.regular.n_functions > 1

    @property
    def _regular_weights(self) -> FloatArray:
        """Those that are only rounding are none."""
        weights = self.composition.predictor(self.solution.model).weights
        return weights if has_weights(weights) else 0 * weights

    @property
    def norm(self) -> float:
        """Of regular weights alone."""
        return float(np.abs(self._regular_weights).sum())

    def baseline(self, regular: Table) -> Baseline:
        """The model for users, its parts told apart."""
        model = self.solution.model
        predictor, privileged = self.composition.predictor(model), self.composition.layouts[1:]
        return Baseline(
            weights=regular.placed(self._regular_weights),
            offsets=predictor.offsets,
            norm=self.norm,
            loss=self.solution.loss,
            gap=self.solution.gap,
            privileged_weights=privileged[0].of_features(model.weights) if privileged else None,
            privileged_offsets=model.offsets[len(predictor.offsets) :] if privileged else None,
        )


def first_that_learns(engine: Engine, data: TrainingData, choices: Sequence[Choice]) -> BestModel:
    """The best model of the first choice that learns anything, or of the first if none does.

    What has weights in most folds may have none on all of the data.
    """
    found: list[BestModel] = []
    for choice in choices:
        found.append(BestModel.of(engine, choice.compose(data), choice))
        if found[-1].has_learned:
            return found[-1]
    return found[0]


def mixed_slack(engine: Engine, data: TrainingData, choice: Choice) -> SlackModel:
    """Free slack at its usual price, unless that leaves nothing to learn; then at a safe one.

    Let the best model with free slack (at the largest C) have the share ``r`` of the loss of one
    without weights. At price 1 no slack function is worth its weights; from the price ``1 / r`` on,
    the model without weights may win, all of its slack read from a constant function. Safe is the
    geometric mean of both.
    """
    usual = replace(choice, slack=SlackModel(FREE_SLACK_PRICE))
    if BestModel.of(engine, usual.compose(data), usual).has_learned:
        return usual.slack
    free = data.without_privileged.compose(choice.problem, SlackModel(), choice.in_loss(data))
    loss = best_model(engine.path(free.space), choice.C).loss
    ratio = null_loss(engine, free) / loss if loss else np.inf
    return SlackModel(min(FREE_SLACK_PRICE, float(np.sqrt(ratio))))


def null_loss(engine: Engine, composition: Composition) -> float:
    """The least loss of a model that uses no feature at all."""
    points = np.empty((len(composition.space.points), 0))
    space = ModelSpace.unpriced(points, composition.space.rows)
    return best_model(engine.path(space), 1.0).loss
