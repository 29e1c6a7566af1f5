"""What the comparisons with the oracle share: problems, targets, and a best model worth asking."""

from collections.abc import Callable, Iterable

import numpy as np
import oracle
from oracle import Array
from small_sets import PROVED

from relbounds.engine import Simplex, WeightRange
from relbounds.engine.optimum import Solution, canonical_best_model
from relbounds.problems import (
    ClassificationProblem,
    Composition,
    OrdinalProblem,
    Problem,
    RegressionProblem,
)

EPSILON = 0.1
N_CLASSES = 3

PROBLEMS: dict[str, tuple[Problem, Callable[[Array, Array, Array], oracle.Problem]]] = {
    "explicit": (OrdinalProblem("explicit"), oracle.ordinal_explicit),
    "implicit": (OrdinalProblem("implicit"), oracle.ordinal_implicit),
    "classification": (ClassificationProblem(), oracle.classification),
    "regression": (
        RegressionProblem(EPSILON),
        lambda X, y, weight: oracle.regression(X, y, weight, EPSILON),
    ),
}


def target(problem: str, score: Array) -> Array:
    """Coded targets: classes of nearly equal size, each with a sample, or the score itself."""
    if problem == "regression":
        return score
    n_classes = 2 if problem == "classification" else N_CLASSES
    rank = np.argsort(np.argsort(score, kind="stable"), kind="stable")
    return (rank * n_classes // len(score)).astype(np.float64)


class NoWeightsError(AssertionError):
    """The case says nothing."""


def best_model_with_weights(composition: Composition, C: float) -> tuple[Solution, float]:
    """The best model at the first of C, 2C, 4C, ... that uses a regular feature."""
    path = Simplex().path(composition.space)
    for _ in range(12):
        best = canonical_best_model(path, C)
        if np.abs(composition.predictor(best.model).weights).sum() > 1e-3:
            return best, C
        C *= 2
    raise NoWeightsError("No C gives the best model any weight: the case says nothing.")


def check_certificates(found: Iterable[WeightRange], scale: float) -> None:
    """Every answer is proved: inner and outer value close, the budget kept."""
    for bound in (bound for each in found for bound in (each.low, each.high)):
        assert abs(bound.gap) <= PROVED * max(scale, abs(bound.inner))  # as ``TIGHT`` promises
        assert bound.violation <= PROVED
