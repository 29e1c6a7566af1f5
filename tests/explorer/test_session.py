"""What a session answers is what the model answers, and nothing of the data."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.cli.demo import STAGES, diabetes_stages
from relbounds.exceptions import ConstraintError
from relbounds.explorer.session import Session
from relbounds.explorer.state import State


@cache
def diabetes() -> OrdinalRelevance:
    table = diabetes_stages()
    stage = table.pop("stage")
    return OrdinalRelevance(classes=list(STAGES), random_state=0).fit(table, stage)


@cache
def session() -> Session:
    return Session.of(diabetes())


def state(*constraints, tolerance=None) -> State:
    """As a page sends it: through JSON."""
    sent = {"constraints": [list(each) for each in constraints], "tolerance": tolerance}
    return State.read(json.loads(json.dumps(sent)))


CASES = {
    "absent": [[["HDL"], "absent"]],
    "two absent": [[["HDL"], "absent"], [["age"], "absent"]],
    "a group absent": [[["HDL", "age"], "absent"]],
    "a sign": [[["LDL"], "negative"]],
    "pinned": [[["bmi"], ["signed", 0.25, 0.25]]],
    "one end open": [[["bmi"], ["signed", None, 0.24]]],
    "a total": [[["HDL", "cholesterol/HDL", "LDL"], 0.1]],
    "by number": [[[2], ["signed", 0.2, 0.25]]],
}


@pytest.mark.parametrize("name", CASES)
def test_answers_are_those_of_what_if(name: str) -> None:
    asked = state(*CASES[name])
    found, expected = session().answer(asked), diabetes().what_if(asked.asked)
    ranges = expected.weight_ranges / expected.norm
    np.testing.assert_allclose(np.c_[found["low"], found["high"]], ranges, atol=1e-6)
    np.testing.assert_allclose(np.c_[found["least"], found["most"]], expected.intervals, atol=1e-6)
    assert found["relevance"] == expected.relevance.tolist()
    assert found["needed"] == expected.needed.tolist()


@pytest.mark.parametrize("constraints", [[], CASES["absent"]], ids=["free", "absent"])
@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.1])
def test_another_tolerance_is_what_a_fit_with_it_gives(constraints, tolerance: float) -> None:
    table = diabetes_stages()
    stage = table.pop("stage")
    C = diabetes().result_.hyperparameters["C"]
    fit = OrdinalRelevance(
        C=C, tolerance=tolerance, classes=list(STAGES), class_weight=None, random_state=0
    ).fit(table, stage)
    asked = state(*constraints, tolerance=tolerance)
    found = session().answer(asked)
    if tolerance == 0.0 and constraints:
        assert found["conflict"] == [0]
        return
    expected = fit.what_if(asked.asked) if constraints else fit.result_
    ranges = expected.weight_ranges / expected.norm
    np.testing.assert_allclose(np.c_[found["low"], found["high"]], ranges, atol=1e-6)
    assert found["tolerance"] == tolerance


def test_a_conflict_names_constraints_and_the_tolerance_that_would_do() -> None:
    asked = state([["age"], "positive"], [["bmi"], "absent"])
    found = session().answer(asked)
    assert found["conflict"] == [1]
    assert found["needs"] > diabetes().result_.tolerances.norm
    assert "low" not in found
    enough = session().answer(State(asked.constraints, 1.01 * found["needs"]))
    assert "conflict" not in enough


@pytest.mark.parametrize("name", CASES)
def test_the_model_that_was_reached_is_good_and_keeps_what_was_asked(name: str) -> None:
    asked = state(*CASES[name])
    model, result = session().model(asked), diabetes().result_
    weights = np.array(model["weights"])
    assert model["norm"] <= result.norm_limit / result.baseline.norm + 1e-9
    assert model["loss"] <= result.loss_limit / result.baseline.loss + 1e-9
    assert np.abs(weights).sum() == pytest.approx(model["norm"])
    answer = session().answer(asked)
    assert (weights >= np.array(answer["low"]) - 1e-6).all()
    assert (weights <= np.array(answer["high"]) + 1e-6).all()
    assert len(model["rows"]) == model["otherwise"]


def test_without_constraints_the_best_model_is_reached() -> None:
    model, best = session().start()["model"], diabetes().result_.baseline
    np.testing.assert_allclose(model["weights"], best.weights / best.norm, atol=1e-12)
    assert (model["otherwise"], model["norm"], model["loss"]) == (0, 1.0, 1.0)


def test_mixtures_of_the_models_that_a_page_gets_are_good() -> None:
    """Each is within the ranges, and reaches an end of one."""
    start = session().start()
    models, (low, high) = (
        np.array(start["models"]),
        (start["answer"][end] for end in ("low", "high")),
    )
    np.testing.assert_allclose(models.max(axis=0), high, atol=1e-6)
    np.testing.assert_allclose(models.min(axis=0), low, atol=1e-6)


def test_the_path_grows_from_the_best_model_and_passes_the_fit() -> None:
    steps = [session().path(step) for step in range(session().start()["steps"])]
    tolerances = [each["tolerance"] for each in steps]
    assert tolerances == sorted(tolerances)
    assert diabetes().result_.tolerances.norm in tolerances
    lows, highs = (np.array([each[end] for each in steps]) for end in ("low", "high"))
    assert (np.diff(lows, axis=0) <= 1e-6).all()
    assert (np.diff(highs, axis=0) >= -1e-6).all()
    expected = diabetes().tolerance_path(tolerances)
    np.testing.assert_allclose(
        [each["most"] for each in steps], expected.intervals[..., 1], atol=1e-6
    )
    assert [each["relevance"] for each in steps] == expected.relevance.tolist()
    np.testing.assert_allclose(session().prices(), expected.strong_until, rtol=1e-5, atol=1e-6)
    with pytest.raises(ConstraintError, match="There are 13 steps; got 13"):
        session().path(13)


def test_what_became_needed_is_said() -> None:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 3)), columns=["a", "b", "c"])
    table["twin"] = table["a"]
    y = table["a"] + table["b"]
    model = RegressionRelevance(C=1.0, random_state=0).fit(table, y)
    explored = Session.of(model)
    (said,) = explored.answer(state([["a"], "absent"]))["sentences"]
    assert said == "Without a, twin is indispensable."
    (said,) = explored.answer(state([["c"], "absent"]))["sentences"]
    assert said == "Without c, nothing else becomes needed."
    (group,) = explored.groups()
    assert group["members"] == [0, 3]
    assert explored.model(state([["a"], "absent"]))["otherwise"] is None


def test_no_cell_of_the_table_is_told() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3)).round(6)
    model = ClassificationRelevance(C=1.0, n_probes=10, random_state=0).fit(X, X[:, 0] > 0)
    explored = Session.of(model)
    told = json.dumps(
        [explored.start(), explored.model(state([["x1"], "absent"])), explored.prices()]
    )
    assert not any(str(abs(each)) in told for each in X.ravel())


def test_classes_without_order_and_privileged_features_are_explored_as_well() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 3))
    several = ClassificationRelevance(C=1.0, n_probes=10, random_state=0).fit(
        X, np.digitize(X[:, 0] + 0.2 * X[:, 1], [-0.5, 0.5])
    )
    told = OrdinalRelevance(C=1.0, gamma=1.0, tolerance=0.5, n_probes=10, random_state=0).fit(
        X, np.digitize(X[:, 0] + 0.5 * X[:, 2], [0.0]), X_priv=rng.normal(size=(120, 1))
    )
    for model, idle in ((several, "x2"), (told, "x1")):
        explored = Session.of(model)
        names = explored.start()["names"]
        asked = state([[idle], "absent"])
        expected = model.what_if({idle: "absent"})
        hulls = np.concatenate([side.hulls for side in expected.sides]) / expected.norm
        found = explored.answer(asked)
        np.testing.assert_allclose(np.c_[found["low"], found["high"]], hulls, atol=1e-6)
        assert len(explored.model(asked)["weights"]) == len(names)


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {"constraints": {}},
        {"other": 1},
        {"constraints": [["age", "absent"]]},
        {"constraints": [[[], "absent"]]},
        {"constraints": [[[True], "absent"]]},
        {"constraints": [[["age"], "absent"]] * 2},
        {"constraints": [[["age"], ["signed", 1]]]},
        {"constraints": [[["age"], [None, "x"]]]},
        {"constraints": [[[k], "absent"] for k in range(1000)]},
        {"tolerance": -1},
        {"tolerance": "auto"},
        {"tolerance": True},
        {"tolerance": float("nan")},
        {"tolerance": float("inf")},
    ],
    ids=repr,
)
def test_what_is_no_state_is_refused(sent) -> None:
    with pytest.raises(ConstraintError):
        State.read(sent)


def test_what_cannot_be_kept_or_broken_is_refused() -> None:
    with pytest.raises(ConstraintError, match="There is no feature 'nobody'"):
        session().answer(state([["nobody"], "absent"]))
    ranges = [[[k], [0.01, None]] for k in range(10)]
    with pytest.raises(ConstraintError, match="too many cases"):
        session().answer(state(*ranges))


@pytest.mark.parametrize("name", CASES)
def test_a_state_is_a_text_and_back(name: str) -> None:
    asked = state(*CASES[name], tolerance=0.25)
    assert State.read(json.loads(asked.text)) == asked


def test_what_is_no_model_cannot_be_explored() -> None:
    with pytest.raises(TypeError, match="explore takes a fitted estimator"):
        Session.of("model")


def test_a_report_of_what_is_asked_now() -> None:
    text = session().report(state([["HDL"], "absent"], tolerance=0.1))
    assert "Models keep HDL: absent." in text
    assert "The tolerance is 0.1." in text
