"""Small sets of good models, and how to ask them: what the tests of engine and slacks share."""

from dataclasses import astuple

import numpy as np
import pytest
from numpy.typing import NDArray

from relbounds.engine import Budget, FeasibleSet, MarginRows, ModelSpace, Simplex, full_range
from relbounds.engine.optimum import Solution, canonical_best_model
from relbounds.method.best_model import BestModel
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import Table, TrainingData
from relbounds.method.tuning import Choice
from relbounds.problems import (
    ClassificationProblem,
    Composition,
    Problem,
    RegressionProblem,
    SlackModel,
)

Array = NDArray[np.float64]

PROVED = 1e-7  # what an answer may be off, as a share of the scale: the library's own promise
TWO_PROVED = 2 * PROVED  # by how much two answers to one question may differ


def random_sample(problem: Problem, seed: int = 0, n: int = 30, d: int = 5) -> tuple[Array, Array]:
    """A noisy target and columns of which the first two are similar."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1] = X[:, 0] + 0.3 * rng.normal(size=n)
    score = X[:, 0] + X[:, 2] + 0.5 * rng.normal(size=n)
    if isinstance(problem, RegressionProblem):
        return X, score
    n_classes = 2 if isinstance(problem, ClassificationProblem) else 3
    return X, (np.argsort(np.argsort(score)) * n_classes // n).astype(np.float64)


def free_slack(X: Array, rows: MarginRows) -> Composition:
    """Every row has a slack of its own."""
    return SlackModel().compose(rows, [X])


def training_data(y: Array, *columns: Array, weight: Array | None = None) -> TrainingData:
    """Samples whose columns are scaled already: those of regular features, and of a teacher."""
    tables = [
        Table(tuple(f"x{k}" for k in range(each.shape[1])), each, np.ones(each.shape[1], bool))
        for each in columns
    ]
    return TrainingData(tuple(tables), y, np.ones(len(y)) if weight is None else weight, None)


def fitted(composition: Composition, C: float) -> Solution:
    return canonical_best_model(Simplex().path(composition.space), C)


def feasible_set(
    composition: Composition, C: float, budget: str = "split", tolerance: float = 0.1
) -> FeasibleSet:
    """The good models around the best one at C."""
    return set_around(composition, fitted(composition, C), C, budget, tolerance)


def set_around(
    composition: Composition, solution: Solution, C: float, budget: str, tolerance: float
) -> FeasibleSet:
    """The good models around one; of what was chosen, only C has a say in that."""
    choice = Choice.given(ClassificationProblem(), SlackModel(), C, None)
    best = BestModel(choice, composition, solution, without_regular=None)
    weight = np.ones(composition.regular.sample.max() + 1)
    return GoodnessRule(budget, tolerance).feasible_set(best, weight)[0]


def unpriced_set(X: Array, rows: MarginRows, budget: Budget, scale: float) -> FeasibleSet:
    """A set with a slack for each row in which every weight counts the same."""
    return FeasibleSet(ModelSpace.unpriced(X, rows), budget, scale)


def ranges(feasible: FeasibleSet, start: object = None) -> Array:
    """``[lo, hi]`` of every weight."""
    prepared = Simplex().prepare(feasible, start)
    return np.array([full_range(prepared, k).ends for k in range(feasible.space.n_weights)])


def assert_same_budget(found: Budget, expected: Budget) -> None:
    """Of two best models that are each proved, so that norm and loss may end in other digits."""
    assert astuple(found) == pytest.approx(astuple(expected), rel=TWO_PROVED)
