"""Which C (gamma, epsilon)? Cross-validation, with a rule that leaves nothing to chance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import Engine
from relbounds.engine.optimum import has_weights, one_by_one
from relbounds.method.balance import Balance, sizes_of_classes
from relbounds.method.parallel import Workers
from relbounds.method.training_data import Split, TrainingData
from relbounds.problems import Composition, Problem, SlackModel
from relbounds.results.records import Candidate

_DECADES = 4
_STEPS_A_DECADE = 4
_COARSE = 4  # steps of C, where it is only to be seen whether another balance does better
_MANY_SAMPLES = 50_000  # from here on paths are cut in two: five folds leave one worker idle
_ENOUGH_TO_SCORE = 1e-5  # of the objective, that a model may exceed the best by
GAMMAS = (0.1, 1.0, 10.0)
"""What ``gamma=None`` chooses from: the price of privileged weights, regular ones costing one."""
_AS_THEY_COME = Balance()
_Piece = tuple[tuple[Problem, float | None, Balance], Split, FloatArray]


@dataclass(frozen=True, eq=False)
class Choice:
    """All that has to be chosen before a model can be fitted.

    Attributes
    ----------
    problem : Problem
    slack : SlackModel
    scored : Candidate
        C and gamma, and how well they do if that was asked.
    balance : Balance
        How much classes count in the loss.
    """

    problem: Problem
    slack: SlackModel
    scored: Candidate
    balance: Balance = _AS_THEY_COME

    @classmethod
    def given(
        cls,
        problem: Problem,
        slack: SlackModel,
        C: float,
        gamma: float | None,
        balance: Balance = _AS_THEY_COME,
    ) -> "Choice":
        """What the user chose, without scores."""
        unscored = Candidate(
            C,
            gamma,
            problem.epsilon,
            errors=np.empty(0),
            has_weights=True,
            balance=balance.power,
        )
        return cls(problem, slack, unscored, balance)

    @property
    def C(self) -> float:  # noqa: N802 - the paper's letter
        return self.scored.C

    def at(self, C: float) -> "Choice":
        """The same at another C, unscored."""
        return self.given(self.problem, self.slack, C, self.scored.gamma, self.balance)

    @property
    def hyperparameters(self) -> dict[str, float]:
        return self.scored.hyperparameters | self.slack.hyperparameters

    def in_loss(self, data: TrainingData) -> FloatArray:
        """What each sample counts in the loss."""
        return self.balance.in_loss(data.y, data.weight)

    def class_weights(self, data: TrainingData) -> FloatArray | None:
        """What a sample of each class counts in the loss; None: one."""
        if self.balance.is_plain:
            return None
        return self.balance.of_classes(sizes_of_classes(data.y, data.weight))

    def compose(self, data: TrainingData) -> Composition:
        """The space of models."""
        return data.compose(self.problem, self.slack, self.in_loss(data)).at(self.scored.gamma)


def simplest_first(choices: Sequence[Choice]) -> list[Choice]:
    """Those that are as good as the best, the simplest first: the one-standard-error rule.

    1. Best is the smallest mean error; among equals the smaller C, then the gamma and the balance
       nearer to 1, then the smaller epsilon.
    2. As good is whatever has its epsilon and a mean error of at most one standard error (over
       the folds) above it. If the best model uses features, one without any is not as good.
    3. Of those, a gamma nearer to 1 comes first (privileged weights cost as much as regular
       ones), then a balance nearer to 1 (classes count alike in training as they do in the
       error), and then a smaller C.
    """
    best = min(
        (each.scored for each in choices),
        key=lambda each: (
            each.mean,
            each.C,
            each.gamma_distance,
            each.balance_distance,
            each.epsilon or 0.0,
        ),
    )
    most = best.mean + best.standard_error
    as_good = [
        each
        for each in choices
        if each.scored.epsilon == best.epsilon
        and each.scored.mean <= most
        and (each.scored.has_weights or not best.has_weights)
    ]
    return sorted(
        as_good,
        key=lambda each: (each.scored.gamma_distance, each.scored.balance_distance, each.C),
    )


def by_error(choices: Sequence[Choice]) -> list[Choice]:
    """The best first; those that use no feature in most folds come last."""
    return sorted(
        choices,
        key=lambda each: (
            not each.scored.has_weights,
            each.scored.mean,
            each.scored.balance_distance,
            each.C,
        ),
    )


def grid(problem: Problem, data: TrainingData, balance: Balance = _AS_THEY_COME) -> FloatArray:
    """Four decades of C upwards from a value below which no model can have weights.

    A weight is worth its price only if ``C * sum_r weight_r |x_r|`` exceeds 1/2. So the grid
    follows the size and the scale of the data.
    """
    rows = data.rows(problem, balance.in_loss(data.y, data.weight))
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
    balances: Sequence[Balance],
    workers: Workers,
) -> list[Choice]:
    """The error of every C, gamma, balance and problem in every fold."""
    paths_of = list(product(problems, gammas, balances))
    parts = np.array_split(Cs, 2) if len(data.y) >= _MANY_SAMPLES else [Cs]
    pieces = list(product(paths_of, data.folds, parts))
    paths = iter(workers.map(_scores, (engine, data, slack), pieces, "tuning"))
    table = []
    for problem, gamma, balance in paths_of:
        folds = [[each for _ in parts for each in next(paths)] for _ in data.folds]
        for C, *found in zip(Cs.tolist(), *folds, strict=True):
            scored = Candidate(
                C,
                gamma,
                problem.epsilon,
                errors=np.array([error for error, _ in found]),
                has_weights=2 * sum(has for _, has in found) > len(found),
                balance=balance.power,
            )
            table.append(Choice(problem, slack, scored, balance))
    return table


def tuning_table(
    engine: Engine,
    problems: Sequence[Problem],
    data: TrainingData,
    slack: SlackModel,
    *,
    Cs: FloatArray,
    gammas: Sequence[float | None],
    balances: Sequence[Balance],
    workers: Workers,
) -> list[Choice]:
    """The error of every C, gamma and problem for the balance that is to be chosen.

    The first balance is the simplest. The others are scored at few C and at one gamma; one of them
    that would be chosen for that is scored everywhere.
    """
    score = partial(score_table, engine, problems, data, slack, workers=workers)
    (simplest, *others), known = balances, {balances[0]}
    table = score(Cs=Cs, gammas=gammas, balances=[simplest])
    if others:
        usual = gammas[len(gammas) // 2]
        table += score(Cs=Cs[_COARSE::_COARSE], gammas=[usual], balances=others)
    while (chosen := simplest_first(table)[0].balance) not in known:
        known.add(chosen)
        table = [each for each in table if each.balance != chosen]
        table += score(Cs=Cs, gammas=gammas, balances=[chosen])
    return table


class FoldModel(NamedTuple):
    """The best model of one fold.

    Attributes
    ----------
    error : float
        Of the samples that were held out.
    uses : tuple of bool arrays
        Which columns of each table it gives any weight.
    """

    error: float
    uses: tuple[BoolArray, ...]


def fold_model(engine: Engine, data: TrainingData, choice: Choice, split: Split) -> FoldModel:
    """The best model of one choice in a fold."""
    _, [uses], predicted = _along_path(engine, data, choice.slack, _piece(choice, split))
    held_out = split[1]
    [error] = choice.problem.errors(data.y[held_out], predicted, data.weight[held_out]).tolist()
    return FoldModel(error, uses())


def held_out_predictions(
    engine: Engine, data: TrainingData, choice: Choice, split: Split
) -> FloatArray:
    """What the best model of one choice in a fold says of the samples that were held out."""
    _, _, predicted = _along_path(engine, data, choice.slack, _piece(choice, split))
    of_choice: FloatArray = predicted[0]
    return of_choice


def _piece(choice: Choice, split: Split) -> _Piece:
    path = (choice.problem, choice.scored.gamma, choice.balance)
    return path, split, np.array([choice.C])


def _scores(
    engine: Engine, data: TrainingData, slack: SlackModel, piece: _Piece
) -> list[tuple[float, bool]]:
    """Errors of the best models of one fold for each C, and whether they use any feature."""
    (problem, _, _), (_, held_out), _ = piece
    weights, _, predicted = _along_path(engine, data, slack, piece)
    errors = problem.errors(data.y[held_out], predicted, data.weight[held_out])
    return list(zip(errors.tolist(), map(has_weights, weights), strict=True))


def _along_path(
    engine: Engine, data: TrainingData, slack: SlackModel, piece: _Piece
) -> tuple[list[FloatArray], list[Callable[[], tuple[BoolArray, ...]]], FloatArray]:
    """Weights of the best models of one fold, one for each C.

    And which columns they use, for whoever asks, and what they say of the held out, a line each.
    """
    (problem, gamma, balance), (kept, held_out), Cs = piece
    train = data[kept]
    in_loss = balance.in_loss(train.y, train.weight)
    coded, decode = problem.code(train.y)
    composition = replace(train, y=coded).compose(problem, slack, in_loss).at(gamma)
    space = composition.space
    found = one_by_one(engine.path(space.with_one_of_each), Cs, _ENOUGH_TO_SCORE)
    models = [space.with_all_copies(best.model) for best in found]
    predictors, points = [*map(composition.predictor, models)], data.regular.columns[held_out]
    scores = np.array([points @ each.weights for each in predictors])
    predicted = problem.predict(scores, np.array([each.offsets for each in predictors]))
    uses: list[Callable[[], tuple[BoolArray, ...]]] = [
        partial(composition.uses, each) for each in models
    ]
    return [each.weights for each in predictors], uses, decode(predicted)
