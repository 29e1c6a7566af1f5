"""Are answers true? Data whose truth is known, the same classes for any seed, error rates."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_diabetes, load_wine
from small_fits import ESTIMATORS

from relbounds import OrdinalRelevance
from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import Outcome, p_beside_others


def diabetes() -> tuple[Any, np.ndarray]:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return X, np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))


def wine() -> tuple[Any, np.ndarray]:
    return load_wine(return_X_y=True, as_frame=True)


@pytest.mark.parametrize("data", [diabetes, wine])
def test_classes_of_a_real_table_are_the_same_for_any_seed(data: Callable) -> None:
    found = [OrdinalRelevance(random_state=seed).fit(*data()).result_ for seed in range(4)]
    first, *others = found
    for other in others:
        assert other.relevance.tolist() == first.relevance.tolist()
        assert other.needed.tolist() == first.needed.tolist()
        assert other.hyperparameters == first.hyperparameters, "folds are always the same"
        np.testing.assert_array_equal(other.p_alone, first.p_alone)
        np.testing.assert_array_equal(other.p_needed, first.p_needed)
    assert not np.array_equal(first.probes.intervals, others[0].probes.intervals)


def test_what_the_diabetes_table_proves_is_found() -> None:
    """Least squares has p = 0.0003 for sex, a rank correlation p = 8e-14 for blood sugar (s6)."""
    result = OrdinalRelevance(random_state=0).fit(*diabetes()).result_
    frame = result.to_frame()
    assert {"bmi", "bp", "s5", "sex"} <= set(frame.index[frame["needed"]])
    assert frame.loc["bmi", "relevance"] == "strong"
    assert frame.loc["s6", "relevance"] == "weak"
    proved = frame[["p_alone", "p_in_models", "p_needed"]].min(axis=1) <= 0.001
    assert ((frame["relevance"] != "irrelevant") == proved).all()


@pytest.mark.parametrize("task", ESTIMATORS)
def test_one_rare_column_does_not_raise_the_line_for_the_others(task: str) -> None:
    """A dummy that is 1 in three of 400 samples: no probe is a copy of it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    score = X[:, 0] + 0.4 * X[:, 1] + rng.normal(size=400)
    y = score if task == "regression" else (score > 0).astype(int)
    rare = np.zeros(400)
    rare[[3, 140, 333]] = 1
    tube = {"epsilon": 0.2} if task == "regression" else {}
    model = ESTIMATORS[task](C=0.1, random_state=0, **tube)
    plain = model.fit(X, y).result_
    beside = model.fit(np.column_stack([X, rare]), y).result_
    assert beside.relevance[:5].tolist() == plain.relevance.tolist() == [2, 2, 0, 0, 0]
    assert beside.relevance[5] == 0
    assert beside.thresholds.maxrel == pytest.approx(plain.thresholds.maxrel, rel=0.3)


@pytest.mark.parametrize("task", ESTIMATORS)
def test_a_small_sure_effect_is_needed_although_good_models_do_without(task: str) -> None:
    """0.2 beside 1, n = 3,000, independent: nothing can stand in for it."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 4))
    score = X[:, 0] + 0.2 * X[:, 1] + rng.logistic(size=3000)
    y = score if task == "regression" else np.digitize(score, [-1, 1] if task == "ordinal" else [0])
    tube = {"epsilon": 0.2} if task == "regression" else {}
    result = ESTIMATORS[task](C=0.05, n_probes=10, random_state=0, **tube).fit(X, y).result_
    assert result.needed.tolist() == [True, True, False, False]
    assert (result.relevance[:2] > 0).all()


Design = Callable[[np.random.Generator, int], np.ndarray]


def independent(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.normal(size=(n, 8))


def neighbours(rng: np.random.Generator, n: int) -> np.ndarray:
    """Each correlated 0.9 with the next, idle ones with needed ones."""
    X = rng.normal(size=(n, 8))
    for k in range(1, 8):
        X[:, k] = 0.9 * X[:, k - 1] + np.sqrt(1 - 0.81) * X[:, k]
    return X


def group(rng: np.random.Generator, n: int) -> np.ndarray:
    """Four idle columns that share a factor."""
    X = rng.normal(size=(n, 8))
    X[:, 4:] = np.sqrt(0.9) * rng.normal(size=(n, 1)) + np.sqrt(0.1) * X[:, 4:]
    return X


def rare(rng: np.random.Generator, n: int) -> np.ndarray:
    """Idle dummies that are 1 in one of ten or one of thirty samples."""
    X = rng.normal(size=(n, 8))
    X[:, 4:6], X[:, 6:] = X[:, 4:6] > 1.28, X[:, 6:] > 1.83
    return X


DESIGNS = [independent, neighbours, group, rare]
NEEDED, IDLE = np.arange(4), np.arange(4, 8)


def drawn(
    design: Design, n: int, task: str, noise: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The first four of eight columns matter, with weights of either sign."""
    rng = np.random.default_rng(seed)
    X = design(rng, n)
    score = X[:, :4] @ (rng.choice([-1, 1], 4) * rng.uniform(0.3, 1, 4)) + noise * rng.normal(
        size=n
    )
    if task == "regression":
        return X, score
    n_classes = 2 if task == "classification" else 5
    return X, np.argsort(np.argsort(score)) * n_classes // n


def kept(p: np.ndarray, limits: dict[float, float]) -> None:
    """Shares below levels are at most so much, plus three standard errors of a share."""
    for level, most in limits.items():
        share = np.mean(p < level)
        assert share <= most + 3 * np.sqrt(most * (1 - most) / len(p)), f"{share} below {level}"


LIMITS = {0.05: 0.06, 0.01: 0.015, 0.001: 0.003}


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 400])
@pytest.mark.parametrize("noise", [0.3, 1.5])
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("task", ESTIMATORS)
def test_idle_features_have_p_values_beside_the_others_as_chance_has(
    task: str, design: Design, noise: float, n: int
) -> None:
    """600 draws of four idle columns; in groups they are not independent, so one of each counts."""
    found = []
    for seed in range(600):
        X, y = drawn(design, n, task, noise, seed)
        X = X - X.mean(axis=0)
        if (spread := X.std(axis=0)).min() == 0:
            continue
        n_classes = None if task == "regression" else len(np.unique(y))
        outcome, every = Outcome(y.astype(float), n_classes, np.ones(n)), np.arange(8)
        sets = [each[None] for each in every]
        p = p_beside_others(outcome, X / spread, sets, present=every, likely=every)
        found.append(p[IDLE[:1]] if design is group else p[IDLE])
    kept(np.concatenate(found), LIMITS)


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 400])
@pytest.mark.parametrize("task", ESTIMATORS)
def test_features_that_tell_nothing_alone_have_p_values_as_chance_has(task: str, n: int) -> None:
    """Numbers, ties and rare values; uniform where nothing is rare."""
    found, spread_out = [], []
    for seed in range(1500):
        X, _ = drawn(rare, n, task, 1.0, seed)
        _, y = drawn(independent, n, task, 1.0, 10_000 + seed)
        p = p_alone(X, y.astype(float), np.ones(n), [np.array([k]) for k in (3, 4, 7)])
        spread_out.append(p[0])
        found.append(p)
    kept(np.concatenate(found), LIMITS)
    assert stats.kstest(spread_out, "uniform").pvalue > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("weighted", ["alone", "beside others"])
def test_weights_that_follow_a_feature_keep_error_rates(weighted: str) -> None:
    """Samples that count five times as much where an idle column is large."""
    p = []
    for seed in range(800):
        X, y = drawn(independent, 200, "ordinal", 1.0, seed)
        weight = np.where(X[:, 5] > 0, 5.0, 1.0)
        if weighted == "alone":
            y = np.random.default_rng(seed + 10**6).permutation(y)
            p.append(p_alone(X, y.astype(float), weight, [np.array([5]), np.array([6])]))
        else:
            every, sets = np.arange(8), [np.array([5]), np.array([6])]
            outcome = Outcome(y.astype(float), 5, weight)
            X = (X - np.average(X, axis=0, weights=weight)) / X.std(axis=0)
            p.append(p_beside_others(outcome, X, sets, present=every, likely=every))
    kept(np.concatenate(p), LIMITS)


@pytest.mark.slow
@pytest.mark.parametrize("design", [independent, group, rare])
@pytest.mark.parametrize("task", ESTIMATORS)
def test_idle_features_are_hardly_ever_called_relevant(task: str, design: Design) -> None:
    """40 draws of four idle columns, which depend on no other: of 160 at most two.

    P-values by weight: at most as many below 0.05 as chance has.
    """
    called, p = 0, []
    for seed in range(40):
        X, y = drawn(design, 150, task, 0.5, 5000 + seed)
        result = ESTIMATORS[task](random_state=seed).fit(X, y).result_
        called += int((result.relevance[IDLE] > 0).sum())
        p.append(result.p_in_models[IDLE[:1]] if design is group else result.p_in_models[IDLE])
    assert called <= 2
    kept(np.concatenate(p), {0.05: 0.07, 0.01: 0.02, 0.001: 0.004})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
@pytest.mark.parametrize("task", ESTIMATORS)
def test_an_outcome_of_mere_chance_makes_nothing_relevant(task: str) -> None:
    """25 tables of eight idle columns: of 200 at most two."""
    cuts = {"ordinal": [-0.5, 0.5], "classification": [0.0]}
    called = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 8)), rng.normal(size=100)
        target = y if task == "regression" else np.digitize(y, cuts[task])
        model = ESTIMATORS[task](random_state=seed).fit(X, target)
        called += int((model.relevance_ > 0).sum())
    assert called <= 2
