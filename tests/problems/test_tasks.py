"""What tasks make of scores: predictions and errors, of one model and of several at once."""

import numpy as np
import pytest

from relbounds.metrics import macro_mean_absolute_error
from relbounds.problems import (
    ClassificationProblem,
    OrdinalProblem,
    Problem,
    RegressionProblem,
    UnorderedProblem,
)

PROBLEMS = {
    "ordinal": OrdinalProblem(),
    "classification": ClassificationProblem(),
    "unordered": UnorderedProblem(),
    "regression": RegressionProblem(),
}
rng = np.random.default_rng(0)
SCORES = {"unordered": rng.normal(size=(4, 30, 3))}
OFFSETS = {
    "ordinal": np.sort(rng.normal(size=(4, 2))),
    "unordered": rng.normal(size=(4, 3)),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_several_models_at_once_say_what_each_says(name: str) -> None:
    problem: Problem = PROBLEMS[name]
    scores = SCORES.get(name, rng.normal(size=(4, 30)))
    offsets = OFFSETS.get(name, rng.normal(size=(4, 1)))
    together = problem.predict(scores, offsets)
    for line, one, beside in zip(together, scores, offsets, strict=True):
        np.testing.assert_array_equal(line, problem.predict(one, beside))


@pytest.mark.parametrize("name", PROBLEMS)
def test_errors_of_several_predictions_are_those_of_each(name: str) -> None:
    y, weight = rng.integers(0, 2, 30).astype(float), rng.uniform(0, 2, 30)
    predicted = rng.integers(0, 2, (4, 30)).astype(float)
    together = PROBLEMS[name].errors(y, predicted, weight)
    for error, line in zip(together, predicted, strict=True):
        [alone] = PROBLEMS[name].errors(y, line[None], weight)
        assert error == alone


@pytest.mark.parametrize("name", ["ordinal", "classification"])
def test_errors_are_those_of_users_metric_where_a_class_is_missing(name: str) -> None:
    y, predicted = np.array([0.0, 0.0, 2.0, 2.0]), np.array([0.0, 1.0, 2.0, 0.0])
    weight = np.array([1.0, 3.0, 1.0, 2.0])
    [error] = PROBLEMS[name].errors(y, predicted[None], weight)
    assert error == macro_mean_absolute_error(y, predicted, sample_weight=weight)
