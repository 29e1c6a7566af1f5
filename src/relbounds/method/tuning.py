"""Which C (gamma, epsilon)? Cross-validation, with a rule that leaves nothing to chance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import Engine
from relbounds.engine.optimum import best_models, has_weights
from relbounds.method.parallel import Workers
from relbounds.method.training_data import Split, TrainingData
from relbounds.problems import Composition, Problem, SlackModel
from relbounds.results.records import Candidate

_DECADES = 4
_STEPS_A_DECADE = 4
_ENOUGH_TO_SCORE = 1e-5  # of the objective, that a model may exceed the best by
GAMMAS = (0.1, 1.0, 10.0)
"""What ``gamma=None`` chooses from: the price of privileged weights, regular ones costing one."""


@dataclass(frozen=True, eq=False)
class Choice:
    """All that has to be chosen before a model can be fitted.

    Attributes
    ----------
    problem : Problem
    slack : SlackModel
    scored : Candidate
        C and gamma, and how well they do if that was asked.
    """

    problem: Problem
    slack: SlackModel
    scored: Candidate

    @classmethod
    def given(cls, problem: Problem, slack: SlackModel, C: float, gamma: float | None) -> "Choice":
        """What the user chose, without scores."""
        unscored = Candidate(C, gamma, problem.epsilon, errors=np.empty(0), has_weights=True)
        return cls(problem, slack, unscored)

    @property
    def C(self) -> float:  # noqa: N802 - the paper's letter
        return self.scored.C

    def at(self, C: float) -> "Choice":
        """The same at another C, unscored."""
        return self.given(self.problem, self.slack, C, self.scored.gamma)

    @property
    def hyperparameters(self) -> dict[str, float]:
        return self.scored.hyperparameters | self.slack.hyperparameters

    def compose(self, data: TrainingData) -> Composition:
        """The space of models."""
        return data.compose(self.problem, self.slack).at(self.scored.gamma)


def simplest_first(choices: Sequence[Choice]) -> list[Choice]:
    """Those that are as good as the best, the simplest first: the one-standard-error rule.

    1. Best is the smallest mean error; among equals the smaller C, then the gamma nearer to 1,
       then the smaller epsilon.
    2. As good is whatever has its epsilon and a mean error of at most one standard error (over
       the folds) above it. If the best model uses features, one without any is not as good.
    3. Of those, a gamma nearer to 1 comes first (privileged weights cost as much as regular
       ones), and then a smaller C.
    """
    best = min(
        (each.scored for each in choices),
        key=lambda each: (each.mean, each.C, each.gamma_distance, each.epsilon or 0.0),
    )
    as_good = [
        each
        for each in choices
        if each.scored.epsilon == best.epsilon
        and each.scored.mean <= best.mean + best.standard_error
        and (each.scored.has_weights or not best.has_weights)
    ]
    return sorted(as_good, key=lambda each: (each.scored.gamma_distance, each.C))


def grid(problem: Problem, data: TrainingData) -> FloatArray:
    """Four decades of C upwards from a value below which no model can have weights.

    A weight is worth its price only if ``C * sum_r weight_r |x_r|`` exceeds 1/2. So the grid
    follows the size and the scale of the data.
    """
    rows = data.rows(problem)
    counted = rows.sign != 0
    load = np.bincount(rows.point[counted], rows.weight[counted], minlength=len(data.y))
    load = load @ np.abs(data.regular.columns)
    lowest = 0.5 / load.max() if load.any() else 1.0
    Cs: FloatArray = lowest * np.logspace(0, _DECADES, _DECADES * _STEPS_A_DECADE + 1)
    return Cs


def score_table(
    engine: Engine,
    problems: Sequence[Problem],
    data: TrainingData,
    slack: SlackModel,
    *,
    Cs: FloatArray,
    gammas: Sequence[float | None],
    workers: Workers,
) -> list[Choice]:
    """The error of every C, gamma and problem in every fold."""
    pieces = list(product(problems, gammas, data.folds))
    paths = iter(workers.map(_along_path, (engine, data, slack, Cs), pieces, "tuning"))
    table = []
    for problem, gamma in product(problems, gammas):
        folds = [next(paths) for _ in data.folds]
        for C, *found in zip(Cs.tolist(), *folds, strict=True):
            errors = np.array([each.error for each in found])
            most_have = bool(np.mean([each.has_weights for each in found]) > 0.5)
            scored = Candidate(C, gamma, problem.epsilon, errors=errors, has_weights=most_have)
            table.append(Choice(problem, slack, scored))
    return table


@dataclass(frozen=True, eq=False)
class FoldModel:
    """The best model of one fold.

    Attributes
    ----------
    error : float
        Of the samples that were held out.
    has_weights : bool
        Whether it uses any regular feature.
    uses : tuple of bool arrays
        Which columns of each table it gives any weight.
    """

    error: float
    has_weights: bool
    uses: tuple[BoolArray, ...]


def fold_model(engine: Engine, data: TrainingData, choice: Choice, split: Split) -> FoldModel:
    """The best model of one choice in a fold."""
    piece = (choice.problem, choice.scored.gamma, split)
    return _along_path(engine, data, choice.slack, np.array([choice.C]), piece)[0]


def _along_path(
    engine: Engine,
    data: TrainingData,
    slack: SlackModel,
    Cs: FloatArray,
    piece: tuple[Problem, float | None, Split],
) -> list[FoldModel]:
    """The best models of one fold, with one gamma, for each C."""
    problem, gamma, split = piece
    train, test = data[split[0]], data[split[1]]
    coded, decode = problem.code(train.y)
    composition = replace(train, y=coded).compose(problem, slack).at(gamma)
    found = []
    for best in best_models(engine.path(composition.space), Cs, _ENOUGH_TO_SCORE):
        model = composition.predictor(best.model)
        scores = test.regular.columns @ model.weights
        predicted = decode(problem.predict(scores, model.offsets))
        error = problem.error(test.y, predicted, test.weight)
        found.append(FoldModel(error, has_weights(model.weights), composition.uses(best.model)))
    return found
