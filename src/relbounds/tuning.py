"""Which C (and epsilon)? Cross-validation, with a rule that leaves nothing to chance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.baseline import best_model
from relbounds.engine import Engine, MarginRows
from relbounds.parallel import Workers
from relbounds.problems import Problem
from relbounds.records import Record

_DECADES = 4
_STEPS_A_DECADE = 4

Split = tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class Candidate(Record):
    """One line of the score table.

    Attributes
    ----------
    C : float
    epsilon : float or None
        None where the problem has no tube.
    errors : array
        The error in each fold; smaller is better.
    has_weights : bool
        Whether the models of most folds use any feature.
    """

    C: float
    epsilon: float | None
    errors: FloatArray
    has_weights: bool

    @classmethod
    def given(cls, C: float, epsilon: float | None) -> "Candidate":
        """What the user chose, without scores."""
        return cls(C, epsilon, errors=np.empty(0), has_weights=True)

    @property
    def hyperparameters(self) -> dict[str, float]:
        return {"C": self.C} if self.epsilon is None else {"C": self.C, "epsilon": self.epsilon}

    @property
    def mean(self) -> float:
        return float(self.errors.mean())

    @property
    def standard_error(self) -> float:
        if len(self.errors) < 2:
            return 0.0
        return float(self.errors.std(ddof=1) / np.sqrt(len(self.errors)))


def choose(candidates: Sequence[Candidate]) -> Candidate:
    """The simplest model that is as good as the best: the one-standard-error rule.

    1. Best is the smallest mean error; among equals the smaller C, then the smaller epsilon.
    2. Chosen is the smallest C, at the best one's epsilon, whose mean error is at most one
       standard error (over the folds) above the best.
    3. If the best model uses features, one without any is never chosen.
    """
    best = min(candidates, key=lambda each: (each.mean, each.C, each.epsilon or 0.0))
    limit = best.mean + best.standard_error
    as_good = [
        each
        for each in candidates
        if each.epsilon == best.epsilon
        and each.mean <= limit
        and (each.has_weights or not best.has_weights)
    ]
    return min(as_good, key=lambda each: each.C)


@dataclass(frozen=True, eq=False)
class Sampled:
    """Points with their targets and weights."""

    points: FloatArray
    y: FloatArray
    weight: FloatArray

    def __getitem__(self, chosen: IntArray) -> "Sampled":
        return Sampled(self.points[chosen], self.y[chosen], self.weight[chosen])

    def rows(self, problem: Problem) -> MarginRows:
        return problem.margin_rows(self.y).weighted(self.weight)


def grid(problem: Problem, sampled: Sampled) -> FloatArray:
    """Four decades of C upwards from a value below which no model can have weights.

    A weight is worth its price only if ``C * sum_r weight_r |x_r|`` exceeds 1/2. So the grid
    follows the size and the scale of the data.
    """
    rows = sampled.rows(problem)
    load = np.bincount(rows.point, rows.weight, minlength=len(sampled.y)) @ np.abs(sampled.points)
    lowest = 0.5 / load.max() if load.any() else 1.0
    Cs: FloatArray = lowest * np.logspace(0, _DECADES, _DECADES * _STEPS_A_DECADE + 1)
    return Cs


def score_table(
    engine: Engine,
    problems: dict[float | None, Problem],
    sampled: Sampled,
    *,
    Cs: FloatArray,
    splits: Sequence[Split],
    workers: Workers,
) -> list[Candidate]:
    """The error of every C and every problem (by its epsilon) in every fold."""
    jobs = list(product(problems, range(len(splits))))
    paths = workers.map(
        _errors_along_path,
        [(engine, problems[epsilon], sampled, Cs, splits[fold]) for epsilon, fold in jobs],
        "tuning",
    )
    by_epsilon = {
        epsilon: np.array(
            [path for job, path in zip(jobs, paths, strict=True) if job[0] == epsilon]
        )
        for epsilon in problems
    }
    return [
        Candidate(
            float(C),
            epsilon,
            errors=by_epsilon[epsilon][:, step, 0],
            has_weights=bool(by_epsilon[epsilon][:, step, 1].mean() > 0.5),
        )
        for epsilon in problems
        for step, C in enumerate(Cs)
    ]


def _errors_along_path(
    engine: Engine, problem: Problem, sampled: Sampled, Cs: FloatArray, split: Split
) -> list[tuple[float, bool]]:
    """(error, has weights) of one fold for ascending C, each solution starting the next."""
    train, test = sampled[split[0]], sampled[split[1]]
    coded, decode = problem.code(train.y)
    train = replace(train, y=coded)
    path = engine.path(train.points, train.rows(problem))
    found = []
    for C in Cs:
        model = best_model(path, C)
        predicted = decode(problem.predict(test.points @ model.weights, model.offsets))
        found.append((problem.error(test.y, predicted, test.weight), model.has_weights))
    return found
