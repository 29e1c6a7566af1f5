"""Tables as hostile as strangers': whole numbers, rare values, copies, ties, hardly any rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance

KINDS = ("normal", "whole", "indicators", "copies", "heavy", "rare", "mixed", "ties")
TASKS = ("explicit", "implicit", "two", "unordered", "regression")


@dataclass(frozen=True, eq=False)
class Hostile:
    """An estimator with settings of its own, and what it is given."""

    estimator: Any
    X: np.ndarray
    y: np.ndarray
    more: dict[str, np.ndarray]


def hostile(seed: int, *, most_rows: int = 150, most_columns: int = 150) -> Hostile:
    """A table of some kind, a task, and now and then weights, privileged features, a given C."""
    random = np.random.RandomState(seed)
    sizes = np.array([12, 20, 30, 50, 80, 150]), np.array([1, 2, 4, 8, 20, 60, 120, 150])
    n, d = (
        int(random.choice(each[each <= most]))
        for each, most in zip(sizes, (most_rows, most_columns), strict=True)
    )
    X = _columns(random, n, d)
    score = X[:, : max(1, d // 3)] @ random.normal(size=max(1, d // 3))
    score += random.choice([0.01, 0.3, 1, 5]) * random.normal(size=n)
    task = random.choice(TASKS)
    estimator, y = _asked(random, str(task), score)
    more = {}
    if task != "unordered" and random.rand() < 0.35 and d <= 60:
        told = random.rand(int(random.choice([1, 3, 6])))
        more["X_priv"] = random.normal(size=(n, len(told))) + np.outer(score / score.std(), told)
        estimator.set_params(slack=random.choice(["privileged", "mixed"]))
    if random.rand() < 0.2:
        estimator.set_params(budget="joint")
    if random.rand() < 0.15:
        more["sample_weight"] = random.exponential(size=n)
    if random.rand() < 0.3:
        estimator.set_params(C=float(10 ** random.uniform(-3, 2)))
    return Hostile(estimator.set_params(random_state=seed, n_probes=10), X, y, more)


def _columns(random: np.random.RandomState, n: int, d: int) -> np.ndarray:
    X, kind = random.normal(size=(n, d)), random.choice(KINDS)
    if kind == "whole":
        return random.randint(0, 4, (n, d)).astype(float)
    if kind == "indicators":
        return (random.rand(n, d) < random.uniform(0.05, 0.5, d)).astype(float)
    if kind == "copies":
        X[:, d - d // 2 :] = X[:, : d // 2] * random.choice([1, -1, 2], d // 2)
    if kind == "heavy":
        return random.standard_t(1, size=(n, d))
    if kind == "rare":
        return (random.rand(n, d) < 0.04).astype(float)
    if kind == "mixed":
        X[:, ::2] = X[:, ::2] > 1
        X[:, ::3] = np.exp(2 * X[:, ::3])
    return np.round(X) if kind == "ties" else X


def _asked(random: np.random.RandomState, task: str, score: np.ndarray) -> tuple[Any, np.ndarray]:
    """The estimator of a task, and the outcome as it wants it."""
    if task == "regression":
        return RegressionRelevance(), score if random.rand() < 0.7 else np.round(score, 1)
    if task == "two":
        return ClassificationRelevance(), score > np.quantile(score, random.choice([0.1, 0.5, 0.8]))
    n_classes = 3 if task == "unordered" else int(random.choice([3, 4, 5]))
    y = np.digitize(score, np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1]))
    if task == "unordered":
        return ClassificationRelevance(), (y + random.randint(0, 2, len(y))) % 3
    return OrdinalRelevance(order=task), y
