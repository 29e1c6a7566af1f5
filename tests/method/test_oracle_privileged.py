"""The library and the oracle agree where slacks are read from privileged features."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import oracle
import pytest
from oracle import Array
from oracle_cases import (
    PROBLEMS,
    NoWeightsError,
    best_model_with_weights,
    check_certificates,
    target,
)
from small_sets import TWO_PROVED, set_around

from relbounds.arrays import relevance_of
from relbounds.engine import Simplex, full_range
from relbounds.engine.optimum import Solution
from relbounds.problems import Composition, SlackModel

# What free slack costs; the paper has none. At 4 most samples here use it, and functions as well.
SLACKS = {"privileged": None, "mixed at 4": 4.0, "mixed at 10": 10.0}
BUDGETS = ("split", "joint")
LEAST_TOLERANCES, LARGER_TOLERANCES = (0.0, 1e-3), (0.05, 0.3)
GAMMAS = (0.1, 1.0, 10.0)


@dataclass(frozen=True)
class Case:
    """One problem, named by all that makes it."""

    problem: str
    kind: str
    slack: str
    budget: str
    tolerance: float
    gamma: float
    weighted: bool
    seed: int

    def __str__(self) -> str:
        weights = "weighted" if self.weighted else "unweighted"
        parts = (self.problem, self.kind, self.slack, self.budget, self.tolerance, self.gamma)
        return "-".join(map(str, (*parts, weights, self.seed)))


# The kinds of data. Each returns regular and privileged columns and the score behind the target.

Columns = tuple[Array, Array, Array]


def copies(rng: np.random.Generator) -> Columns:
    """Privileged columns are clean ones, regular columns the same with noise."""
    n, d, q = _shape(rng)
    clean = rng.normal(size=(n, max(d, q)))
    X = clean[:, :d] + rng.uniform(0.1, 0.3) * rng.normal(size=(n, d))
    return X, clean[:, :q], clean[:, :d] @ rng.uniform(0.5, 1.0, size=d)


def noise(rng: np.random.Generator) -> Columns:
    """Privileged columns have nothing to say."""
    n, d, q = _shape(rng)
    X = rng.normal(size=(n, d))
    score = X @ rng.normal(size=d)
    return X, rng.normal(size=(n, q)), score + 0.15 * score.std() * rng.normal(size=n)


def twins(rng: np.random.Generator) -> Columns:
    """The last privileged column repeats the first, which tells how hard a sample is."""
    n, d, q = _shape(rng)
    X, errors = rng.normal(size=(n, d)), 0.5 * rng.normal(size=n)
    X_star = np.column_stack([np.abs(errors), rng.normal(size=(n, q - 1)), np.abs(errors)])
    return X, X_star, X @ rng.choice([-1.0, 1.0], size=d) + errors


def integers(rng: np.random.Generator) -> Columns:
    """Columns of -1, 0 and 1 and a score of quarters: full of ties."""
    n, d, q = _shape(rng)
    X, X_star = (rng.integers(-1, 2, size=(n, k)).astype(np.float64) for k in (d, q))
    return X, X_star, X[:, 0] + X[:, 1] + X_star[:, 0] / 4


def _shape(rng: np.random.Generator) -> tuple[int, int, int]:
    return int(rng.integers(12, 21)), int(rng.integers(2, 5)), int(rng.integers(1, 4))


KINDS = {kind.__name__: kind for kind in (copies, noise, twins, integers)}


def cases() -> Iterator[Case]:
    """Every problem with every kind of data, slack and budget, each at three tolerances.

    Gamma goes round, so that it meets all of slack, budget and tolerance.
    """
    seed = 0
    for i, (problem, kind) in enumerate(product(PROBLEMS, KINDS)):
        tolerances = (LEAST_TOLERANCES[i // 3 % 2], *LARGER_TOLERANCES)
        for slack, budget, (j, tolerance) in product(SLACKS, BUDGETS, enumerate(tolerances)):
            gamma, weighted = GAMMAS[(i + j) % 3], seed % 5 < 2
            yield Case(problem, kind, slack, budget, tolerance, gamma, weighted, seed)
            seed += 1


CASES = list(cases())


@dataclass(frozen=True, eq=False)
class Sample:
    """The data of a case with the best model at some C, which uses a regular feature."""

    X: Array
    X_star: Array
    y: Array
    weight: Array
    composition: Composition
    best: Solution
    C: float


def slack_model(case: Case) -> SlackModel:
    price = SLACKS[case.slack]
    return SlackModel() if price is None else SlackModel(price)


def draw(case: Case) -> Sample:
    """The first of ten samples in which no collapse to ``w = 0`` happens at every C.

    That is the rule in noise, since a function of ``x*`` has to cover the worst sample of its kind.
    """
    rng = np.random.default_rng(case.seed)
    for _ in range(10):
        X, X_star, score = KINDS[case.kind](rng)
        y = target(case.problem, score)
        weight = rng.uniform(0.2, 3.0, size=len(X)) if case.weighted else np.ones(len(X))
        rows = PROBLEMS[case.problem][0].margin_rows(y).weighted(weight)
        composition = slack_model(case).compose(rows, [X, X_star]).at(case.gamma)
        try:
            best, C = best_model_with_weights(composition, 10 ** rng.uniform(-1.5, 0.5))
        except NoWeightsError:
            continue
        return Sample(X, X_star, y, weight, composition, best, C)
    raise AssertionError("No sample gives the best model any weight: the case says nothing.")


def test_there_are_hundreds_of_cases_and_all_settings_meet() -> None:
    """Each of them counts: a case fails unless its best model has regular weights."""
    assert len(set(CASES)) == len(CASES) >= 250
    met = {(each.slack, each.budget, each.tolerance, each.gamma) for each in CASES}
    assert met == set(product(SLACKS, BUDGETS, LEAST_TOLERANCES + LARGER_TOLERANCES, GAMMAS))
    assert {(each.problem, each.weighted) for each in CASES} == set(
        product(PROBLEMS, (False, True))
    )


def test_most_best_models_read_slacks_from_privileged_features() -> None:
    """At a price of 4 most use free slack, and many both at once."""
    read: dict[str, list[bool]] = {slack: [] for slack in SLACKS}
    free: dict[str, list[bool]] = {slack: [] for slack in SLACKS}
    for case in CASES:
        sample = draw(case)
        composition, model = sample.composition, sample.best.model
        read[case.slack].append(
            np.abs(composition.layouts[1].of_features(model.weights)).max() > 1e-6
        )
        missed = composition.space.shortfalls(model)[~composition.space.rows.must_hold]
        free[case.slack].append(missed.max(initial=0.0) > 1e-6)
    assert np.mean(read["privileged"]) > 0.5
    assert np.mean(free["mixed at 4"]) > 0.5
    assert np.mean(np.logical_and(read["mixed at 4"], free["mixed at 4"])) > 0.25


def is_left_to_the_slow_tests(case: Case) -> bool:
    """Two of three, so that those that are left have all pairs of settings."""
    place = CASES.index(case)
    return (place + place // 8) % 3 > 0


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.slow if is_left_to_the_slow_tests(case) else ())
        for case in CASES
    ],
    ids=str,
)
def test_library_agrees_with_the_oracle(case: Case) -> None:
    sample = draw(case)
    best, C = sample.best, sample.C
    rows = PROBLEMS[case.problem][1](sample.X, sample.y, sample.weight)
    program = oracle.with_privileged_slack(
        rows, sample.X_star, case.gamma, free_slack_weight=SLACKS[case.slack]
    )

    _, loss, mu = oracle.baseline(program, C)
    assert best.norm / 2 + C * best.loss == pytest.approx(mu, rel=TWO_PROVED)
    assert C * best.loss == pytest.approx(C * loss, abs=1e-6 * mu)

    feasible = set_around(sample.composition, best, C, case.budget, case.tolerance)
    prepared = Simplex().prepare(feasible)
    found = [full_range(prepared, k) for k in range(feasible.space.n_weights)]
    for each in found:  # a weight whose price is below one may exceed the norm
        check_certificates([each], max(feasible.scale, *np.abs(each.ends)))

    limits = (
        oracle.split_budget(best.norm, best.loss, case.tolerance)
        if case.budget == "split"
        else oracle.joint_budget(best.norm, best.loss, case.tolerance, C)
    )
    ranges = np.array([each.ends for each in found])
    regular, privileged = (side.of_features(ranges) for side in sample.composition.layouts)
    check_regular(regular[:, 0], program, limits, best.norm)
    check_privileged(privileged, program, limits, best.norm)


def check_regular(
    ranges: Array, program: oracle.Program, limits: list[oracle.Limit], norm: float
) -> None:
    """Signed ranges and intervals are the oracle's, to 1e-6 of the best model's norm."""
    features = range(len(ranges))
    expected = np.array([oracle.weight_range(program, limits, k) for k in features])
    np.testing.assert_allclose(ranges, expected, rtol=0, atol=1e-6 * norm)
    expected = np.array([oracle.interval(program, limits, k) for k in features])
    np.testing.assert_allclose(relevance_of(ranges), expected, rtol=0, atol=1e-6 * norm)


def check_privileged(
    ranges: Array, program: oracle.Program, limits: list[oracle.Limit], norm: float
) -> None:
    """So are those in each function, and the larger of both functions' intervals."""
    features = range(len(ranges))
    expected = np.array([oracle.privileged_ranges(program, limits, k) for k in features])
    np.testing.assert_allclose(ranges, expected, rtol=0, atol=1e-6 * norm)
    expected = np.array([oracle.privileged_interval(program, limits, k) for k in features])
    found = relevance_of(ranges).max(axis=1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * norm)
