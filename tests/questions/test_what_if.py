"""Constrained intervals are the oracle's, conflicts are minimal, and nothing else changes."""

import copy
import json
import pickle
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import oracle_constraints as by_force
import pandas as pd
import pytest
from oracle import Array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from small_fits import (
    ESTIMATORS,
    FIXED,
    estimator,
    facts,
    privileged_table,
    table,
    told_estimator,
)
from what_if_cases import (
    BORDER,
    BUDGETS,
    DATA,
    KINDS,
    SEVERAL,
    SINGLE,
    SLACKS,
    TASKS,
    Fitted,
    Setting,
    Settings,
    fitted,
    question,
    told,
)

from relbounds.exceptions import (
    ConstantFeatureWarning,
    DegenerateModelWarning,
    InfeasibleError,
)
from relbounds.results.answers import ConstrainedResult

AGREES = 1e-6  # of the norm: how far library and oracle may be apart
TWICE_PROVED = 2e-7  # of the norm: how far two answers of the library may be apart


class Case(NamedTuple):
    setting: Setting
    kind: str

    def __str__(self) -> str:
        return "-".join(map(str, (*self.setting, self.kind)))


def settings(repeats: range) -> list[tuple[int, Setting]]:
    """All tasks, budgets and slacks; data, tolerance and sample weights go round."""
    return [
        (
            repeat,
            Setting(
                task,
                budget,
                slack,
                data=list(DATA)[(i // 3 + repeat) % 3],
                tolerance=("auto", 0.4)[(i // 3 + i + repeat) % 2],
                weighted=(i + repeat) % 4 == 0,
                seed=1000 * i + repeat,
            ),
        )
        for i, (task, budget, slack) in enumerate(product(TASKS, BUDGETS, SLACKS))
        for repeat in repeats
    ]


CASES = [Case(each, kind) for repeat, each in settings(range(3)) for kind in KINDS[repeat::3]]


@cache
def drawn(case: Case) -> tuple[Fitted, Settings]:
    fit, rng = fitted(case.setting), np.random.default_rng([case.setting.seed, *case.kind.encode()])
    return fit, question(fit, case.kind, rng)


def test_there_are_more_than_two_hundred_cases_of_every_kind_in_every_setting() -> None:
    assert len(set(CASES)) == len(CASES) >= 200
    met = {(each.setting[:3], each.kind) for each in CASES}
    assert met == set(product(product(TASKS, BUDGETS, SLACKS), KINDS))
    assert {
        (each.setting.slack, each.setting.data, each.setting.weighted) for each in CASES
    } == set(product(SLACKS, DATA, (False, True)))


@pytest.mark.slow
def test_many_cases_are_possible_and_many_are_not() -> None:
    """Where zero is not allowed, several have room on both sides of it. Every fourth case is seen:
    six of each kind, and some of each setting."""
    some = CASES[::4]
    possible = [case for case in some if drawn(case)[1].is_possible]
    assert len(possible) >= len(some) / 2
    assert len(some) - len(possible) >= len(some) / 5
    assert {case.kind for case in possible} == set(KINDS)
    unions = [case for case in possible if case.kind in ("at_least", "pinned", SEVERAL)]
    assert sum(len(answer(case).regular.ends) > 1 for case in unions) >= 3


def answer(case: Case) -> ConstrainedResult:
    fit, asked = drawn(case)
    found: ConstrainedResult = fit.model.what_if(asked.constraints)
    return found


@pytest.mark.parametrize(
    "case",
    [
        # what is left has all kinds and settings
        pytest.param(
            case, id=str(case), marks=pytest.mark.slow if (place + place // 36) % 3 else ()
        )
        for place, case in enumerate(CASES)
    ],
)
def test_constrained_intervals_are_those_of_the_oracle(case: Case) -> None:
    check(*drawn(case))


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [Case(each, kind) for _, each in settings(range(3, 13)) for kind in KINDS],
    ids=str,
)
def test_thousands_of_constrained_intervals_are_those_of_the_oracle(case: Case) -> None:
    check(*drawn(case))


def check(fit: Fitted, asked: Settings) -> None:
    """What the library says of a question, against the oracle."""
    if asked.is_possible:
        check_intervals(fit, asked, fit.model.what_if(asked.constraints))
        return
    with pytest.raises(InfeasibleError, match="No good model keeps") as raised:
        fit.model.what_if(asked.constraints)
    check_conflict(fit, asked, raised.value)


def check_intervals(fit: Fitted, asked: Settings, found: ConstrainedResult) -> None:
    """Signed ranges and intervals of all features; in each function, of privileged ones."""
    cases = list(by_force.constrained_ranges(fit.program, fit.budget, asked.asked).values())
    features = range(len(found.feature_names))
    assert_near(
        found.weight_ranges, [by_force.constrained_range(cases, ("w", k)) for k in features], found
    )
    assert_near(
        found.raw_intervals,
        [by_force.constrained_interval(cases, by_force.regular(k)) for k in features],
        found,
    )
    if found.privileged is None:
        return
    features = range(len(found.privileged.feature_names))
    ranges = [
        [by_force.constrained_range(cases, weight) for weight in by_force.privileged(k)]
        for k in features
    ]
    assert_near(found.privileged.weight_ranges, ranges, found)
    assert_near(
        found.privileged.raw_intervals,
        [by_force.constrained_interval(cases, by_force.privileged(k)) for k in features],
        found,
    )


def assert_near(found: Array, expected: Any, result: ConstrainedResult) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=AGREES * result.norm)


def check_conflict(fit: Fitted, asked: Settings, error: InfeasibleError) -> None:
    """The conflict is one, it is minimal, and the tolerance is the least that helps."""
    by_text = {
        told(fit, key, asks): each
        for (key, asks), each in zip(asked.constraints.items(), asked.asked, strict=True)
    }
    conflict = [by_text[_parts(text)] for text in error.conflict]
    assert len(set(error.conflict)) == len(conflict) >= 1
    assert excess(fit, conflict) > -BORDER
    for size in range(1, len(conflict)):
        for fewer in combinations(conflict, size):
            assert excess(fit, fewer) < BORDER
    needed = by_force.least_tolerance(fit.program, fit.best_cost, asked.asked)
    assert error.tolerance == pytest.approx(needed, rel=AGREES, abs=AGREES)


def excess(fit: Fitted, asked: Any) -> float:
    return by_force.least_tolerance(fit.program, fit.budget, asked)


def _parts(text: str) -> tuple[frozenset[str], str]:
    """Names, in any order, and what is asked of them."""
    names, asks = text.split(": ")
    return frozenset(names.split(", ")), asks


# What would help


@pytest.mark.parametrize(
    ("task", "budget", "slack"), list(product(TASKS, BUDGETS, ("free", "mixed")))
)
def test_the_tolerance_of_an_error_is_just_enough(task: str, budget: str, slack: str) -> None:
    """Fitted anew with a little more the constraints can be kept, with a little less not."""
    fit = fitted(Setting(task, budget, slack, "noisy", "auto", False, 7))
    asked, error = impossible(fit)
    for factor, enough in ((1 + 1e-4, True), (1 - 1e-3, False)):
        tolerance = factor * error.tolerance
        model = fit.refitted(
            tolerance=tolerance, loss_tolerance=tolerance if budget == "split" else None
        )
        if enough:
            model.what_if(asked.constraints)
        else:
            with pytest.raises(InfeasibleError):
                model.what_if(asked.constraints)


def impossible(fit: Fitted) -> tuple[Settings, Any]:
    """Constraints that no good model keeps, but one that is not so good does."""
    rng = np.random.default_rng(0)
    for kind in KINDS * 5:
        asked = question(fit, kind, rng)
        if not asked.is_possible and np.isfinite(asked.excess):
            with pytest.raises(InfeasibleError, match=r"A tolerance of .* would make") as raised:
                fit.model.what_if(asked.constraints)
            return asked, raised.value
    raise AssertionError("All that was drawn is possible.")


@pytest.fixture(scope="module")
def model() -> Any:
    """Six features: two strong ones, two that replace each other, and two idle ones."""
    X, y, _ = table(n_samples=30, noise=0.1)
    return estimator("ordinal", tolerance=0.5).fit(X, y)


@pytest.fixture(scope="module")
def told_model() -> Any:
    """Four features and four privileged ones."""
    data = privileged_table()
    return told_estimator("ordinal", tolerance=0.3).fit(data.X, data.y, X_priv=data.X_priv)


@pytest.mark.parametrize(
    ("constraints", "conflict"),
    [
        (
            {2: ("signed", 0.2, 0.3), "x2": "negative"},
            ("x2: weight from 0.2 to 0.3", "x2: negative"),
        ),
        ({2: "absent", "x2": (0.1, 1)}, ("x2: absent", "x2: relevance from 0.1 to 1")),
        (
            {2: (0.2, 1), 3: (0.2, 1), ("x2", "x3"): 0.3},
            (
                "x2: relevance from 0.2 to 1",
                "x3: relevance from 0.2 to 1",
                "x2, x3: at most 0.3 in total",
            ),
        ),
        (
            {1: "positive", 2: (0.2, 0.3), "x2": (0.4, 0.5), 4: (0, 9)},
            ("x2: relevance from 0.2 to 0.3", "x2: relevance from 0.4 to 0.5"),
        ),
    ],
)
def test_no_tolerance_helps_constraints_that_contradict_themselves(
    model: Any, constraints: dict[Any, Any], conflict: tuple[str, ...]
) -> None:
    with pytest.raises(InfeasibleError, match="No tolerance would make") as raised:
        model.what_if(constraints)
    assert raised.value.conflict == conflict
    assert raised.value.tolerance == np.inf


def test_an_error_tells_the_conflict_and_what_would_help(model: Any) -> None:
    with pytest.raises(InfeasibleError) as raised:
        model.what_if({"x4": "positive", "x0": "absent"})
    error, used = raised.value, model.result_.tolerances.norm
    assert str(error).startswith("No good model keeps x0: absent. A tolerance of ")
    assert f"A tolerance of {error.tolerance:.3g} would make " in str(error)
    assert str(error).endswith(f" (used: {used:.3g}).")
    assert error.conflict == ("x0: absent",)
    assert error.tolerance > used


def test_the_tolerance_of_an_error_is_enough_for_all_that_was_asked(model: Any) -> None:
    """Two conflicts, of which one is named: fitted anew, both are gone."""
    constraints = {"x0": "absent", "x1": "negative"}
    needed = [_needed(model, {key: asked}) for key, asked in constraints.items()]
    together = _needed(model, constraints)
    assert together > max(needed)
    X, y, _ = table(n_samples=30, noise=0.1)
    enough = 1.001 * together
    again = estimator("ordinal", tolerance=enough, loss_tolerance=enough).fit(X, y)
    assert again.what_if(constraints).intervals[0].tolist() == [0, 0]


def _needed(model: Any, constraints: dict[Any, Any]) -> float:
    with pytest.raises(InfeasibleError) as raised:
        model.what_if(constraints)
    assert raised.value.tolerance is not None
    return raised.value.tolerance


def test_an_error_names_several_constraints_as_a_conflict() -> None:
    """Either of two copies of the only useful feature can go, but not both."""
    X, y, _ = table(n_samples=30, n_strong=0, n_irrelevant=1, noise=0.0)
    found = estimator("ordinal", tolerance=0.2).fit(X, y)
    with pytest.raises(
        InfeasibleError,
        match="together, and any of them could be kept without the others: x0: absent; x1: absent",
    ):
        found.what_if({0: "absent", 2: "positive", 1: "absent"})
    assert found.what_if({0: "absent"}).became("strong") == ["x1"]


def test_lossless_models_stay_lossless() -> None:
    """Without loss there is none to add to: no tolerance brings the only good feature's weight
    below what all margins need."""
    X = np.linspace(-1, 1, 12)[:, None]
    y = (X[:, 0] > 0).astype(int)
    model = ESTIMATORS["classification"](**FIXED | {"C": 100.0}).fit(X, y)
    assert model.result_.loss_limit == 0
    with pytest.raises(InfeasibleError, match="No tolerance would make"):
        model.what_if({0: (0, 0.99)})
    np.testing.assert_allclose(model.what_if({0: (1.05, 2)}).intervals, [[1.05, 1.1]], atol=1e-6)


@pytest.mark.parametrize("slack", ["privileged", "mixed"])
def test_lossless_models_with_privileged_features_stay_lossless(slack: str) -> None:
    """A huge price of the loss need not be proved to the last digit to show that some is left."""
    fit = fitted(Setting("implicit", "split", slack, "lossless", "auto", False, 7000))
    assert fit.model.result_.loss_limit == 0
    for asks in ("absent", "positive", "negative"):
        for key in fit.features:
            check(fit, as_question(fit, {key: asks}))


def test_two_pinned_weights_leave_a_set_without_interior() -> None:
    """Newton's equations are singular there: the exact engine answers."""
    fit = fitted(Setting("implicit", "joint", "privileged", "twins", 0.4, False, 10001))
    norm = fit.model.result_.norm
    sizes = {"x0": 0.049027992928657636, "x1": 0.880172864881692}
    asked: list[by_force.Asked] = [
        by_force.Relevance((fit.features[name],), size * norm, size * norm)
        for name, size in sizes.items()
    ]
    asked.append(by_force.Signed((fit.features["x3"],), 0.0, 0.0))
    constraints: dict[Any, Any] = {name: (size, size) for name, size in sizes.items()}
    thin = Settings(constraints | {"x3": "absent"}, asked, excess(fit, asked))
    assert thin.is_possible
    check(fit, thin)


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_a_pinned_weight_needs_no_other_engine(task: str) -> None:
    """It leaves the set no room in one direction, where an interior point needs a little."""
    X, y, _ = table(task)
    model = estimator(task, engine="interior", tolerance=0.1).fit(X, y)
    low, high = model.result_.weight_ranges[2] / model.result_.norm
    value = 0.3 * low + 0.7 * high
    found = model.what_if({2: ("signed", value, value)})
    assert found.fallbacks == 0
    exact = estimator(task, engine="simplex", tolerance=0.1).fit(X, y)
    np.testing.assert_allclose(
        found.intervals, exact.what_if({2: ("signed", value, value)}).intervals, atol=TWICE_PROVED
    )
    np.testing.assert_allclose(
        found.weight_ranges[2] / found.norm, value, rtol=0, atol=TWICE_PROVED
    )


def as_question(fit: Fitted, constraints: dict[str, str]) -> Settings:
    ends = {"absent": (0.0, 0.0), "positive": (0.0, np.inf), "negative": (-np.inf, 0.0)}
    asked: list[by_force.Asked] = [
        by_force.Signed((fit.features[key],), *ends[asks]) for key, asks in constraints.items()
    ]
    return Settings(constraints, asked, excess(fit, asked))


# Nothing else changes


CONSTRAINTS: dict[Any, Any] = {"x0": (0.1, 0.4), 2: "positive", ("x3", "x4"): 0.5}
TOLD_CONSTRAINTS: dict[Any, Any] = {1: "positive", "priv0": (0.1, 0.6), ("priv1", "x2"): 0.5}


def same_numbers(found: ConstrainedResult, other: ConstrainedResult) -> bool:
    """All that was found except the time it took."""
    first, second = (
        each.to_dict() | {"seconds": None, "before": each.before.to_dict() | {"seconds": None}}
        for each in (found, other)
    )
    return first == second


def test_the_fitted_model_is_left_as_it_was(model: Any) -> None:
    X = table(n_samples=30).X
    result, before, predicted = model.result_, facts(model), model.predict(X)
    support, parameters = model.support_.copy(), model.get_params()
    model.what_if(CONSTRAINTS)
    with pytest.raises(InfeasibleError):
        model.what_if({0: "absent"})
    assert model.result_ is result
    assert facts(model) == before
    assert model.get_params() == parameters
    np.testing.assert_array_equal(model.support_, support)
    np.testing.assert_array_equal(model.predict(X), predicted)


def test_probes_thresholds_and_baseline_are_those_of_the_fit(told_model: Any) -> None:
    found, before = told_model.what_if(TOLD_CONSTRAINTS), told_model.result_
    assert found.before is before
    assert found.probes is before.probes
    assert found.privileged.probes is before.privileged.probes
    assert found.thresholds == before.thresholds
    assert found.privileged.thresholds == before.privileged.thresholds
    assert found.baseline is before.baseline
    assert found.tolerances is before.tolerances
    assert (found.norm_limit, found.loss_limit) == (before.norm_limit, before.loss_limit)
    assert found.hyperparameters == before.hyperparameters


def test_nothing_is_drawn_for_an_answer() -> None:
    random_state = np.random.RandomState(0)
    X, y, _ = table(n_samples=30)
    found = estimator("ordinal", random_state=random_state).fit(X, y)
    states = [
        each.get_state(legacy=False)["state"] for each in (random_state, np.random.mtrand._rand)
    ]
    found.what_if(CONSTRAINTS)
    for each, state in zip((random_state, np.random.mtrand._rand), states, strict=True):
        assert each.get_state(legacy=False)["state"]["pos"] == state["pos"]
        np.testing.assert_array_equal(each.get_state(legacy=False)["state"]["key"], state["key"])


def test_an_answer_is_frozen(told_model: Any) -> None:
    found = told_model.what_if(TOLD_CONSTRAINTS)
    for array in (
        found.weight_ranges,
        found.regular.ends,
        found.raw_intervals,
        found.intervals,
        found.relevance,
        found.privileged.intervals,
        found.privileged.ends,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_an_answer_goes_to_json_and_back(told_model: Any) -> None:
    found = told_model.what_if(TOLD_CONSTRAINTS)
    restored = ConstrainedResult.from_dict(json.loads(json.dumps(found.to_dict())))
    assert restored.to_dict() == found.to_dict()
    np.testing.assert_array_equal(restored.intervals, found.intervals)
    pd.testing.assert_frame_equal(restored.changes(), found.changes())


@pytest.mark.parametrize("engine", ["auto", "interior", "simplex"])
def test_asked_twice_the_answer_is_the_same(engine: str) -> None:
    """Whatever was asked in between."""
    X, y, _ = table(n_samples=30)
    model = estimator("ordinal", engine=engine).fit(X, y)
    first = model.what_if(CONSTRAINTS)
    model.what_if({1: (0.01, 1)})
    assert same_numbers(first, model.what_if(CONSTRAINTS))
    again = estimator("ordinal", engine=engine).fit(X, y)
    assert same_numbers(first, again.what_if(CONSTRAINTS))


@pytest.mark.parametrize("engine", ["auto", "simplex"])
def test_the_number_of_workers_changes_no_digit(engine: str) -> None:
    """More weights than one worker is asked about: 102 for the fast engine, 6 for the other."""
    n_irrelevant = 98 if engine == "auto" else 2
    X, y, _ = table(n_samples=15, n_irrelevant=n_irrelevant)
    constraints = {2: (0.05, 1), 0: "positive"}
    model = estimator("ordinal", engine=engine, n_jobs=1).fit(X, y)
    answers = [model.set_params(n_jobs=n_jobs).what_if(constraints) for n_jobs in (1, 2)]
    assert len(answers[0].regular.ends) > 1
    assert same_numbers(*answers)


def test_engines_agree_on_constrained_intervals(model: Any) -> None:
    X, y, _ = table(n_samples=30)
    found = [
        estimator("ordinal", engine=engine).fit(X, y).what_if(CONSTRAINTS).intervals
        for engine in ("interior", "simplex")
    ]
    np.testing.assert_allclose(*found, rtol=0, atol=TWICE_PROVED)


def test_name_and_index_ask_the_same(model: Any, told_model: Any) -> None:
    by_name = model.what_if({"x2": (0.05, 0.4), ("x3", "x0"): 0.9})
    by_index = model.what_if({np.int64(2): [0.05, 0.4], frozenset({3, 0}): 0.9})
    np.testing.assert_array_equal(by_name.intervals, by_index.intervals)
    assert by_name.constraints[0] == by_index.constraints[0] == "x2: relevance from 0.05 to 0.4"
    assert told_model.what_if({3: "absent"}).constraints == ("x3: absent",)


def test_columns_of_frames_are_asked_for_by_name() -> None:
    data = privileged_table()
    X = pd.DataFrame(data.X, columns=["age", "weight", "height", "sex"])
    X_priv = pd.DataFrame(data.X_priv[:, :2], columns=["later", "much later"])
    model = told_estimator("ordinal", tolerance=0.3).fit(X, data.y, X_priv=X_priv)
    found = model.what_if({"sex": "absent", "much later": "absent"})
    np.testing.assert_array_equal(found.intervals[3], [0, 0])
    np.testing.assert_array_equal(found.privileged.intervals[1], [0, 0])
    assert found.constraints == ("sex: absent", "much later: absent")


def test_constraints_that_hold_anyway_leave_all_intervals_unchanged(model: Any) -> None:
    result = model.result_
    low, high = result.weight_ranges.T / result.norm
    outside: dict[Any, Any] = {
        k: ("signed", lo - 1e-3, hi + 1e-3)
        for k, (lo, hi) in enumerate(zip(low, high, strict=True))
    }
    relevant: dict[Any, Any] = {
        name: (max(0.0, lo - 1e-3), hi + 1e-3)
        for name, (lo, hi) in zip(result.feature_names, result.intervals, strict=True)
    }
    everything = {result.feature_names: 1.01 * result.norm_limit / result.norm}
    signs = {
        k: "positive" if sign > 0 else "negative" for k, sign in enumerate(result.signs) if sign
    }
    assert len(signs) >= 2
    for constraints in (outside, relevant, everything, signs, outside | relevant | everything):
        found = model.what_if(constraints)
        np.testing.assert_allclose(found.intervals, result.intervals, rtol=0, atol=TWICE_PROVED)
        np.testing.assert_allclose(
            found.weight_ranges, result.weight_ranges, rtol=0, atol=TWICE_PROVED * result.norm
        )
        assert found.changes().empty
        np.testing.assert_array_equal(found.relevance, result.relevance)


def test_privileged_constraints_that_hold_anyway_leave_all_intervals_unchanged(
    told_model: Any,
) -> None:
    result = told_model.result_
    frame = result.to_frame()
    relevant = {
        name: (max(0.0, lo - 1e-3), hi + 1e-3)
        for name, lo, hi in frame[["minrel", "maxrel"]].itertuples()
    }
    found = told_model.what_if(relevant).to_frame()
    np.testing.assert_allclose(
        found[["minrel", "maxrel"]], frame[["minrel", "maxrel"]], rtol=0, atol=TWICE_PROVED
    )


@pytest.mark.parametrize("budget", BUDGETS)
def test_with_no_tolerance_a_constraint_that_the_best_model_keeps_changes_nothing(
    budget: str,
) -> None:
    """The set has no interior then."""
    X, y, _ = table(n_samples=30)
    model = estimator("ordinal", tolerance=0.0, budget=budget).fit(X, y)
    found = model.what_if({0: "positive", 2: (0, 1)})
    np.testing.assert_allclose(found.intervals, model.intervals_, rtol=0, atol=AGREES)


@pytest.mark.parametrize(
    ("task", "budget", "slack"), list(product(TASKS, BUDGETS, ("free", "privileged", "mixed")))
)
def test_every_further_constraint_shrinks_intervals(task: str, budget: str, slack: str) -> None:
    fit = fitted(Setting(task, budget, slack, "noisy", 0.4, False, 11))
    constraints, before = several_possible(fit), fit.model.result_.to_frame()
    for count in range(1, len(constraints) + 1):
        found = fit.model.what_if(dict(list(constraints.items())[:count])).to_frame()
        assert (found["minrel"] >= before["minrel"] - TWICE_PROVED).all()
        assert (found["maxrel"] <= before["maxrel"] + TWICE_PROVED).all()
        before = found


def several_possible(fit: Fitted) -> dict[Any, Any]:
    rng = np.random.default_rng(3)
    for _ in range(50):
        asked = question(fit, SEVERAL, rng)
        if asked.is_possible and len(asked.constraints) > 1:
            return asked.constraints
    raise AssertionError("Nothing that was drawn is possible.")


# What the answer says


def test_where_zero_is_not_allowed_the_answer_is_the_union_of_both_signs(model: Any) -> None:
    """x2 can be replaced by x3, so that it may be as large on either side."""
    both = model.what_if({2: (0.05, 0.1)})
    sides = [model.what_if({2: ("signed", *ends)}) for ends in ((0.05, 0.1), (-0.1, -0.05))]
    assert len(both.regular.ends) == 2
    np.testing.assert_allclose(both.intervals[2], [0.05, 0.1], rtol=0, atol=TWICE_PROVED)
    np.testing.assert_allclose(
        both.weight_ranges[2] / both.norm, [-0.1, 0.1], rtol=0, atol=TWICE_PROVED
    )
    assert both.signs[2] == 0
    lows, highs = (np.array([each.intervals[:, end] for each in sides]) for end in (0, 1))
    expected = np.column_stack([lows.min(axis=0), highs.max(axis=0)])
    np.testing.assert_allclose(both.intervals, expected, rtol=0, atol=TWICE_PROVED)


def test_a_privileged_feature_is_large_if_one_of_its_functions_makes_it_so(told_model: Any) -> None:
    """In each case one function does; no case asks it of both."""
    before = told_model.result_.privileged.intervals[1]
    assert before[0] < 0.1
    assert before[1] > 0.3
    found = told_model.what_if({"priv1": (0.2, 1)}).privileged
    assert found.intervals[1, 0] == pytest.approx(0.2, abs=TWICE_PROVED)
    sizes = np.abs(found.ends[:, 1]).max(axis=-1).max(axis=-1) / found.norm
    assert (sizes >= 0.2 - TWICE_PROVED).all()
    in_each = found.weight_ranges[1] / found.norm
    assert (in_each[:, 0] <= 1e-6).all()
    assert (in_each[:, 1] >= -1e-6).all()


def test_changes_tell_class_and_movement_of_what_moved(model: Any) -> None:
    found = model.what_if({"x3": "absent"})
    every = found.changes(all_features=True)
    np.testing.assert_allclose(every["minrel"], found.intervals[:, 0], rtol=0, atol=0)
    moved = found.intervals - model.intervals_
    np.testing.assert_array_equal(every[["minrel_moved", "maxrel_moved"]], moved)
    assert every["before"].tolist() == model.result_.to_frame()["relevance"].tolist()
    assert every["now"].tolist() == found.to_frame()["relevance"].tolist()
    listed = found.changes()
    assert "x3" in listed.index
    assert (np.abs(moved[[name not in listed.index for name in every.index]]) <= 1e-6).all()


def test_without_a_feature_its_substitute_becomes_strong() -> None:
    X, y, _ = table(n_samples=80, noise=0.0)
    model = estimator("ordinal", tolerance=0.1).fit(X, y)
    assert model.relevance_.tolist() == [2, 2, 1, 1, 0, 0]
    found = model.what_if({"x2": "absent"})
    assert found.became("strong") == ["x3"]
    assert found.became("irrelevant") == ["x2"]
    assert found.became("weak") == []
    assert found.programs.keys() == {"what if"}
    assert found.constraints == ("x2: absent",)
    assert not model.needed_[[2, 3]].any(), "each has the other"
    assert found.needed.tolist() == [True, True, False, True, False, False]


@pytest.mark.parametrize("task", ESTIMATORS)
def test_without_a_feature_only_its_twin_is_needed_in_its_place(task: str) -> None:
    X, y, _ = table(task, n_samples=200)
    X[:, 3] = X[:, 2]
    model = estimator(task, C=0.1, tolerance=0.1).fit(X, y)
    before, found = model.result_, model.what_if({"x2": "absent"})
    assert before.p_needed[2] == before.p_needed[3] == found.p_needed[2] == 1
    assert found.p_needed[3] < 1e-3
    assert found.needed[3]
    assert not found.needed[2]
    unrelated = [0, 1, 4, 5]
    assert found.needed[unrelated].tolist() == before.needed[unrelated].tolist()
    assert found.p_alone[2] == 1, "what is absent proves nothing"
    np.testing.assert_array_equal(np.delete(found.p_alone, 2), np.delete(before.p_alone, 2))


def test_only_absence_changes_what_features_prove_by_themselves(model: Any) -> None:
    for asks in ({"x0": "positive"}, {"x4": (0, 0.1)}):
        found = model.what_if(asks)
        np.testing.assert_array_equal(found.p_needed, model.result_.p_needed)
        np.testing.assert_array_equal(found.p_alone, model.result_.p_alone)


def test_a_feature_is_not_absent_because_one_of_its_name_is_on_the_other_side() -> None:
    X, y, X_priv, *_ = privileged_table(n_samples=60)
    told = pd.DataFrame(X_priv, columns=["x3", "a", "b", "c"])
    settings = {"tolerance": 0.3, "n_probes": 50, "selection": "evidence"}
    model = told_estimator("ordinal", **settings).fit(X, y, told)
    assert model.relevance_priv_.tolist() == [1, 0, 0, 0]
    found = model.what_if({3: "absent"})
    assert found.intervals[3].tolist() == [0, 0]
    assert found.privileged.relevance.tolist() == [1, 0, 0, 0]


def test_without_any_feature_all_intervals_are_zero() -> None:
    """Possible only if no weights at all are good enough; else that is what the error says."""
    X, y, _ = table(n_samples=30)
    nothing = {tuple(range(6)): "absent"}
    with pytest.raises(InfeasibleError, match="A tolerance of") as raised:
        estimator("ordinal", tolerance=0.1).fit(X, y).what_if(nothing)
    enough = 1.01 * raised.value.tolerance
    model = estimator("ordinal", tolerance=enough, loss_tolerance=enough).fit(X, y)
    found = model.what_if(nothing)
    np.testing.assert_array_equal(found.intervals, np.zeros((6, 2)))
    assert found.relevance.tolist() == [0] * 6
    for zero in ({tuple(range(6)): 0.0}, {tuple(range(6)): (0, 0)}):
        np.testing.assert_allclose(model.what_if(zero).intervals, 0, atol=TWICE_PROVED)


def test_without_any_feature_classes_without_order_have_no_intervals_either() -> None:
    X = np.random.default_rng(0).normal(size=(30, 1))
    model = ESTIMATORS["classification"](C=1.0, tolerance=5.0, n_probes=10, random_state=0)
    model.fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    assert not model.what_if({"x0": "absent"}).intervals.any()


@pytest.mark.parametrize("size", [1e-4, 1e4])
@pytest.mark.parametrize("engine", ["interior", "simplex"])
def test_the_unit_of_columns_changes_no_answer(size: float, engine: str) -> None:
    """Weights get smaller as columns get larger; what is asked of them is relative."""
    X, y, _ = table(n_samples=30)
    found = [
        estimator("ordinal", C=C, standardize=False, engine=engine, tolerance=0.3)
        .fit(table_, y)
        .what_if(CONSTRAINTS)
        .intervals
        for table_, C in ((X, 1.0), (size * X, 1.0 / size))
    ]
    np.testing.assert_allclose(*found, rtol=0, atol=AGREES)


# Constant features have no weight


@pytest.fixture(scope="module")
def model_with_a_constant() -> Any:
    X, y, _ = table(n_samples=30)
    X[:, 4] = 3.0
    with pytest.warns(ConstantFeatureWarning):
        return estimator("ordinal").fit(X, y)


@pytest.mark.parametrize(
    "asks", ["absent", "positive", "negative", (0, 0.5), ("signed", -0.1, 0.2), ("signed", 0, 1)]
)
def test_a_constant_feature_keeps_what_zero_keeps(model_with_a_constant: Any, asks: Any) -> None:
    found = model_with_a_constant.what_if({4: asks})
    np.testing.assert_allclose(
        found.intervals, model_with_a_constant.intervals_, rtol=0, atol=TWICE_PROVED
    )
    np.testing.assert_array_equal(found.intervals[4], [0, 0])


@pytest.mark.parametrize("asks", [(0.1, 0.5), ("signed", 0.1, 0.2), ("signed", -0.2, -0.1)])
def test_a_constant_feature_cannot_have_a_weight(model_with_a_constant: Any, asks: Any) -> None:
    with pytest.raises(InfeasibleError, match="No tolerance would make") as raised:
        model_with_a_constant.what_if({4: asks, 0: "positive"})
    assert len(raised.value.conflict) == 1
    assert raised.value.conflict[0].startswith("x4: ")


def test_a_constant_feature_adds_nothing_to_a_total(model_with_a_constant: Any) -> None:
    with_it = model_with_a_constant.what_if({(0, 2, 4): 0.6})
    without = model_with_a_constant.what_if({(0, 2): 0.6})
    np.testing.assert_array_equal(with_it.intervals, without.intervals)
    np.testing.assert_array_equal(with_it.intervals[4], [0, 0])
    alone = model_with_a_constant.what_if({(4, "x4"): 0.0})
    np.testing.assert_allclose(
        alone.intervals, model_with_a_constant.intervals_, rtol=0, atol=TWICE_PROVED
    )


# Who cannot be asked


def test_an_estimator_that_is_not_fitted_cannot_be_asked(model: Any) -> None:
    for unfitted in (estimator("ordinal"), clone(model)):
        with pytest.raises(NotFittedError):
            unfitted.what_if({0: "absent"})


@pytest.mark.parametrize("copied", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_an_estimator_that_was_pickled_or_copied_says_that_its_data_are_gone(
    model: Any, copied: Any
) -> None:
    other = copied(model)
    with pytest.raises(
        ValueError,
        match=r"This OrdinalRelevance was pickled or copied, which leaves the training data behind,"
        r" and further questions need them; call fit again\.",
    ):
        other.what_if({4: "absent"})
    X, y, _ = table(n_samples=30, noise=0.1)
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    assert same_numbers(other.fit(X, y).what_if({4: "absent"}), model.what_if({4: "absent"}))


@pytest.mark.parametrize("task", ESTIMATORS)
def test_a_model_that_has_learned_nothing_says_so(task: str) -> None:
    X, y, _ = table(task, n_samples=30)
    with pytest.warns(DegenerateModelWarning):
        model = estimator(task, C=1e-6).fit(X, y)
    with pytest.raises(
        InfeasibleError, match=r"There is nothing to ask about\. The best model uses no"
    ):
        model.what_if({0: "positive"})


def test_a_teachers_model_that_has_learned_nothing_says_so() -> None:
    data = privileged_table()
    with pytest.warns(DegenerateModelWarning):
        model = told_estimator("ordinal", C=1e-6).fit(data.X, data.y, X_priv=data.X_priv)
    with pytest.raises(InfeasibleError, match="The best model gains next to nothing"):
        model.what_if({"priv0": "absent"})


def test_single_kinds_draw_what_their_names_say() -> None:
    """The generator itself: keys are names, indices and sets of both sides."""
    fit = fitted(Setting("explicit", "split", "mixed", "noisy", 0.4, False, 5))
    rng = np.random.default_rng(0)
    keys = [draw(fit, rng)[0] for draw in SINGLE.values() for _ in range(20)]
    assert {type(key) for key in keys} == {str, int, tuple, frozenset}
    assert any("priv" in key for key in keys if isinstance(key, str))


@pytest.mark.parametrize("loss", [0.0, 0.02])
def test_the_tolerance_that_helps_leaves_that_of_the_loss_as_it_is(loss: float) -> None:
    X, y, _ = table()
    own = {"C": 0.03, "loss_tolerance": loss}
    model = estimator("ordinal", tolerance=0.01, **own).fit(X, y)
    asked = {"x0": (0, 0.9 * model.intervals_[0, 0])}
    with pytest.raises(InfeasibleError, match=f"possible with loss_tolerance={loss:g}") as caught:
        model.what_if(asked)
    enough = caught.value.tolerance
    assert 0.01 < enough < np.inf
    estimator("ordinal", tolerance=enough * (1 + 1e-3), **own).fit(X, y).what_if(asked)
    with pytest.raises(InfeasibleError, match="No good model keeps"):
        estimator("ordinal", tolerance=enough * (1 - 1e-3), **own).fit(X, y).what_if(asked)


def test_what_was_gathered_without_a_feature_serves_the_next_question_too() -> None:
    """Who takes a feature away pulls at others next: the same answer as from a model asked once."""
    sample = table()
    asked = [{2: "absent"}, {2: "absent", 4: (0.0, 0.01)}, {3: "absent"}, {2: "absent"}]
    once = [estimator("ordinal").fit(sample.X, sample.y).what_if(each) for each in asked]
    model = estimator("ordinal").fit(sample.X, sample.y)
    for each, alone in zip(asked, once, strict=True):
        evidence = model.what_if(each).sides[0].decision.evidence
        np.testing.assert_array_equal(evidence.needed, alone.sides[0].decision.evidence.needed)
    assert not np.array_equal(
        once[0].sides[0].decision.evidence.needed, once[2].sides[0].decision.evidence.needed
    )
