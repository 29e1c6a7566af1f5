"""Which C (gamma, epsilon)? Cross-validation, with a rule that leaves nothing to chance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.optimum import best_models, has_weights
from relbounds.engine.protocols import Engine
from relbounds.method.parallel import Workers
from relbounds.method.training_data import Sampled, Split
from relbounds.problems import Problem
from relbounds.results.parts import Candidate

_DECADES = 4
_STEPS_A_DECADE = 4
_ENOUGH_TO_SCORE = 1e-5  # of the objective, that a model may exceed the best by
GAMMAS = (0.1, 1.0, 10.0)
"""What ``gamma=None`` chooses from: the price of privileged weights, regular ones costing one."""


def simplest_first(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that are as good as the best, the simplest first: the one-standard-error rule.

    1. Best is the smallest mean error; among equals the smaller C, then the gamma nearer to 1,
       then the smaller epsilon.
    2. As good is whatever has its epsilon and a mean error of at most one standard error (over
       the folds) above it. If the best model uses features, one without any is not as good.
    3. Of those, a gamma nearer to 1 comes first (privileged weights cost as much as regular
       ones), and then a smaller C.
    """
    best = min(
        candidates, key=lambda each: (each.mean, each.C, each.gamma_distance, each.epsilon or 0.0)
    )
    as_good = [
        each
        for each in candidates
        if each.epsilon == best.epsilon
        and each.mean <= best.mean + best.standard_error
        and (each.has_weights or not best.has_weights)
    ]
    return sorted(as_good, key=lambda each: (each.gamma_distance, each.C))


def grid(problem: Problem, sampled: Sampled) -> FloatArray:
    """Four decades of C upwards from a value below which no model can have weights.

    A weight is worth its price only if ``C * sum_r weight_r |x_r|`` exceeds 1/2. So the grid
    follows the size and the scale of the data.
    """
    rows = sampled.rows(problem)
    counted = rows.sign != 0
    load = np.bincount(rows.point[counted], rows.weight[counted], minlength=len(sampled.y))
    load = load @ np.abs(sampled.points)
    lowest = 0.5 / load.max() if load.any() else 1.0
    Cs: FloatArray = lowest * np.logspace(0, _DECADES, _DECADES * _STEPS_A_DECADE + 1)
    return Cs


def score_table(
    engine: Engine,
    problems: dict[float | None, Problem],
    sampled: Sampled,
    *,
    Cs: FloatArray,
    gammas: Sequence[float | None],
    splits: Sequence[Split],
    workers: Workers,
) -> list[Candidate]:
    """The error of every C, gamma and problem (by its epsilon) in every fold."""
    pieces = list(product(problems.values(), gammas, splits))
    paths = iter(workers.map(_along_path, (engine, sampled, Cs), pieces, "tuning"))
    table = []
    for epsilon, gamma in product(problems, gammas):
        folds = [next(paths) for _ in splits]
        for C, *found in zip(Cs.tolist(), *folds, strict=True):
            errors = np.array([each.error for each in found])
            most_have = bool(np.mean([each.has_weights for each in found]) > 0.5)
            table.append(Candidate(C, gamma, epsilon, errors=errors, has_weights=most_have))
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
    weights : array
        All of them.
    """

    error: float
    has_weights: bool
    weights: FloatArray


def fold_model(
    engine: Engine, problem: Problem, sampled: Sampled, chosen: Candidate, split: Split
) -> FoldModel:
    """The best model of one candidate in a fold."""
    return _along_path(engine, sampled, np.array([chosen.C]), (problem, chosen.gamma, split))[0]


def _along_path(
    engine: Engine, sampled: Sampled, Cs: FloatArray, piece: tuple[Problem, float | None, Split]
) -> list[FoldModel]:
    """The best models of one fold, with one gamma, for each C."""
    problem, gamma, split = piece
    train, test = sampled[split[0]], sampled[split[1]]
    coded, decode = problem.code(train.y)
    composition = replace(train, y=coded).compose(problem).at(gamma)
    found = []
    for best in best_models(engine.path(composition.space), Cs, _ENOUGH_TO_SCORE):
        model = composition.predictor(best.model)
        predicted = decode(problem.predict(test.points @ model.weights, model.offsets))
        error = problem.error(test.y, predicted, test.weight)
        found.append(FoldModel(error, has_weights(model.weights), best.model.weights))
    return found
