"""Random programs, many of them degenerate, on which all engines have to agree."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from small_sets import training_data

from relbounds.engine import (
    TIGHT,
    Bound,
    FeasibleSet,
    Interior,
    MarginRows,
    Model,
    ModelSpace,
    Simplex,
    WeightRange,
)
from relbounds.exceptions import SolverError
from relbounds.method.best_model import BestModel
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import TrainingData
from relbounds.method.tuning import Choice
from relbounds.problems import (
    ClassificationProblem,
    Composition,
    OrdinalProblem,
    Problem,
    RegressionProblem,
    SlackModel,
)

Array = NDArray[np.float64]

AGREE = 1e-6
"""By how much engines may differ, as a share of the baseline's norm (or of the end itself, where
that is larger: a weight that is cheap in the norm can exceed it)."""

PROBLEMS: dict[str, Problem] = {
    "explicit": OrdinalProblem("explicit"),
    "implicit": OrdinalProblem("implicit"),
    "classification": ClassificationProblem(),
    "regression": RegressionProblem(0.1),
}
SLACKS = ("free", "weighted", "privileged", "mixed")
BUDGETS = ("split", "joint")
PRESETS = (None, "at least", "at most")
NOISY = ("noisy", "random labels", "heavy tails")
FAMILIES = (
    *NOISY,
    "separable",
    "twins",
    "one-hot",
    "constant",
    "whole numbers",
    "repeated rows",
    "scales",
    "wide",
    "units",
    "outliers",
    "sparse",
)


@dataclass(frozen=True)
class Case:
    """One table, one task, one idea of what is good."""

    family: str
    problem: str
    slack: str
    budget: str
    C: float
    tolerance: float
    seed: int
    n: int = 30
    d: int = 5
    preset: str | None = None
    gamma: float = 1.0

    def __str__(self) -> str:
        return (
            f"{self.family}-{self.problem}-{self.slack}-{self.budget}-C{self.C:g}"
            f"-t{self.tolerance:g}-{self.preset}-g{self.gamma:g}-n{self.n}-d{self.d}-s{self.seed}"
        )


def table(case: Case) -> tuple[Array, Array]:
    """Columns and the score that the target is made of."""
    rng = np.random.default_rng([case.seed, FAMILIES.index(case.family)])
    n, d = case.n, case.d
    X = rng.normal(size=(n, d))
    if case.family == "heavy tails":
        X = rng.standard_t(1.5, size=(n, d))
    if case.family == "twins":
        X[:, d // 2 :] = X[:, : d - d // 2] * rng.choice([-1.0, 1.0], size=d - d // 2)
    if case.family == "one-hot":
        half = max(d // 2, 1)
        groups = [np.eye(size)[rng.integers(size, size=n)] for size in (half, d - half) if size]
        X = np.hstack(groups)
    if case.family == "constant":
        X[:, 0], X[:, -1] = rng.choice([0.0, 1.0, 1e3]), 1.0
    if case.family == "whole numbers":
        X = rng.integers(-2, 3, size=(n, d)).astype(np.float64)
    if case.family == "repeated rows":
        X = X[rng.integers(max(n // 4, 2), size=n)]
    noise = 0.0 if case.family == "separable" else 0.5
    score = X[:, 0] + X[:, d // 2] + noise * rng.normal(size=n)
    if case.family == "random labels":
        score = rng.normal(size=n)
    if case.family == "scales":
        X = X * 10 ** rng.permutation(np.linspace(-6, 6, d))
    if case.family == "units":
        X = X * 10 ** rng.uniform(-3, 3, size=d)
    if case.family == "outliers":
        X = np.where(rng.random((n, d)) < 0.03, 100 * X, X)
    if case.family == "sparse":
        X = np.where(rng.random((n, d)) < 0.8, 0.0, X)
    return X, score


def target(problem: str, score: Array) -> Array:
    """Classes of nearly equal size, or the score itself."""
    if problem == "regression":
        return score / (np.abs(score).max() or 1.0)
    n_classes = 2 if problem == "classification" else 3
    rank = np.argsort(np.argsort(score, kind="stable"), kind="stable")
    return (rank * n_classes // len(score)).astype(np.float64)


def data_of(case: Case) -> TrainingData:
    """Columns, those of a teacher where slacks are read from them, target and weights."""
    rng = np.random.default_rng([case.seed, 1])
    X, score = table(case)
    y, weight = target(case.problem, score), np.ones(case.n)
    if case.slack == "weighted":
        weight = 10 ** rng.uniform(-2, 2, size=case.n)
    if case.slack in ("free", "weighted"):
        return training_data(y, X, weight=weight)
    told = np.column_stack([np.abs(score), rng.normal(size=case.n)])
    told += 0.1 * rng.normal(size=told.shape)
    return training_data(y, X, told, weight=weight)


def choice_of(case: Case) -> Choice:
    slack = SlackModel(3.0) if case.slack == "mixed" else SlackModel()
    gamma = None if case.slack in ("free", "weighted") else case.gamma
    return Choice.given(PROBLEMS[case.problem], slack, case.C, gamma)


def composed(case: Case) -> tuple[Composition, Array]:
    """The rows of a case with their slacks, and what samples weigh."""
    data = data_of(case)
    return choice_of(case).compose(data), data.weight


def best_of(case: Case) -> tuple[BestModel, Array]:
    """The exact best model of a case, and what samples weigh."""
    composition, weight = composed(case)
    return BestModel.of(Simplex(), composition, choice_of(case)), weight


def set_of(case: Case) -> FeasibleSet | None:
    """The good models of a case; None if its best model has no weights to speak of."""
    best, weight = best_of(case)
    if not best.has_learned:
        return None
    feasible, _ = GoodnessRule(case.budget, case.tolerance).feasible_set(best, weight)
    return feasible if case.preset is None else with_preset(feasible, case.preset)


def with_preset(feasible: FeasibleSet, preset: str) -> FeasibleSet:
    """The same set cut at the middle of the most used weight's range.

    A preset is one more row that has to be kept, about a point that has nothing but that weight.
    The mean of the models at all ends is known to be good, and far from all limits.
    """
    assert feasible.witness is not None
    k = int(np.argmax(np.abs(feasible.witness.weights)))
    low, high = Simplex().prepare(feasible).ranges([k])[0].ends
    sign = 1 if preset == "at least" else -1
    cut = cut_set(feasible, k, sign, sign * (low + high) / 2)
    exact = Simplex().prepare(cut)
    models = [
        exact.solve(end * unit, cold=False, unless_above=-np.inf)[0]
        for unit in np.eye(cut.space.n_weights)
        for end in (-1.0, 1.0)
    ]
    weights, offsets = (
        np.mean([getattr(model, part) for model in models], axis=0)
        for part in ("weights", "offsets")
    )
    return replace(cut, witness=Model(weights, offsets))


def cut_set(feasible: FeasibleSet, k: int, sign: int, least: float) -> FeasibleSet:
    """The good models with ``sign * w_k >= least``, none of them known."""
    space = feasible.space
    row = MarginRows(
        np.array([len(space.points)]),
        np.array([float(sign)]),
        sparse.csr_array((1, space.rows.n_offsets)),
        np.array([least]),
        np.array([np.inf]),
        np.zeros(1),
    )
    points = np.vstack([space.points, np.eye(space.n_weights)[k]])
    return feasible.over(ModelSpace(points, space.rows.followed_by(row), space.prices))


@dataclass
class Tally:
    """What came of asking fast engines, and the exact one, about many cases."""

    engines: tuple[Interior, ...] = (Interior(), Interior(walks=True))
    programs: int = 0
    fallbacks: int = 0
    without_weights: int = 0
    refused: list[str] = field(default_factory=list)
    """Cases that the exact engine, the yardstick, raised ``SolverError`` for."""
    wrong: list[str] = field(default_factory=list)
    """Cases whose answers differ, or are not proved, or not given at all."""
    largest: float = 0.0

    @property
    def answered(self) -> int:
        """Programs that were solved without the exact engine's help."""
        return self.programs - self.fallbacks

    @classmethod
    def of(cls, cases: Iterable[Case], *engines: Interior) -> "Tally":
        """Of all fast engines, unless some are named."""
        tally = cls(engines or cls.engines)
        for case in cases:
            tally.add(case)
        return tally

    def add(self, case: Case) -> None:
        """Ask all engines of a case about all of its weights."""
        try:
            feasible = set_of(case)
            if feasible is None:
                self.without_weights += 1
                return
            exact = Simplex().prepare(feasible).ranges(range(feasible.space.n_weights))
        except SolverError as error:
            self.refused.append(f"{case}: {error}")
            return
        for engine in self.engines:
            try:
                found = engine.prepare(feasible).ranges(range(feasible.space.n_weights))
            except SolverError as error:
                self.wrong.append(f"{case}: {error}")
            else:
                self.compare(case, feasible, exact, found)

    def compare(
        self, case: Case, feasible: FeasibleSet, exact: list[WeightRange], found: list[WeightRange]
    ) -> None:
        self.programs += 2 * len(found)
        self.fallbacks += sum(each.fallbacks for each in found)
        difference = furthest_apart(feasible, exact, found)
        self.largest = max(self.largest, difference)
        if not difference <= AGREE:
            self.wrong.append(f"{case}: {difference:.1e} apart")
        if not all(is_proved(feasible, bound) for bound in bounds_of([*exact, *found])):
            self.wrong.append(f"{case}: not proved")
        if not are_consistent(feasible, exact, found):
            self.wrong.append(f"{case}: one engine reaches what the other calls out of reach")


def none_to_speak_of(space: ModelSpace) -> float:
    """The loss that the library calls rounding: a billionth of missing every margin."""
    rows = space.rows
    return 1e-9 * rows.typical_price * rows.margin_size * len(rows)


def bounds_of(ranges: Sequence[WeightRange]) -> Iterator[Bound]:
    for each in ranges:
        yield from (each.low, each.high)


def is_proved(feasible: FeasibleSet, bound: Bound) -> bool:
    """Both values within the library's promise of each other, from a model that is good."""
    room = TIGHT * max(feasible.scale, abs(bound.inner))
    return abs(bound.outer - bound.inner) <= room and bound.violation <= TIGHT


def are_consistent(
    feasible: FeasibleSet, ones: Sequence[WeightRange], others: Sequence[WeightRange]
) -> bool:
    """No engine reaches a value that the other has proved out of reach."""
    return all(
        max(one.inner - other.outer, other.inner - one.outer)
        <= 2 * TIGHT * max(feasible.scale, abs(one.inner))
        for one, other in zip(bounds_of(ones), bounds_of(others), strict=True)
    )


def furthest_apart(
    feasible: FeasibleSet, ones: Sequence[WeightRange], others: Sequence[WeightRange]
) -> float:
    """The largest difference of ends, as a share of the norm or of the end."""
    one, other = (np.array([each.ends for each in ranges]) for ranges in (ones, others))
    return float((np.abs(one - other) / np.maximum(feasible.scale, np.abs(one))).max())


def settings(rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """All pairs of problem and slack in turn, with everything else drawn at random."""
    for problem, slack in cycle(product(PROBLEMS, SLACKS)):
        yield {
            "problem": problem,
            "slack": slack,
            "budget": str(rng.choice(BUDGETS)),
            "C": float(10 ** rng.uniform(-4, 4)),
            "tolerance": float(rng.choice([0.0, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1.0])),
            "preset": PRESETS[rng.choice(3, p=[0.8, 0.1, 0.1])],
            "gamma": float(rng.choice([0.1, 1.0, 10.0])),
            "seed": int(rng.integers(10**6)),
        }


def cases(family: str, count: int, seed: int = 0) -> Iterator[Case]:
    """Random small cases of one family."""
    rng = np.random.default_rng([seed, FAMILIES.index(family)])
    for setting in islice(settings(rng), count):
        n, d = int(rng.integers(12, 61)), int(rng.integers(2, 9))
        if family == "wide":
            n, d = int(rng.integers(6, 12)), int(rng.integers(12, 25))
        if family == "one-hot":
            d = max(d, 4)
        yield Case(family=family, n=n, d=d, **setting)
