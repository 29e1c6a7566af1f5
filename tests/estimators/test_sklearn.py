"""The estimators behave as scikit-learn's own."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from small_fits import (
    ESTIMATORS,
    assert_same,
    estimator,
    facts,
    privileged_table,
    table,
    told_estimator,
)

from relbounds import OrdinalRelevance

TASKS = list(ESTIMATORS)
NAMES = ["age", "bmi", "weight", "mass", "noise", "<script>"]

OTHER_PROBES = {
    f"check_sample_weight_equivalence_on_{kind}_data": (
        "probes permute rows, so a table with repeated rows draws others; and weights say which "
        "samples count more, not how many there are, so that repeated rows prove more. Both may "
        "select others; best model and ranges agree (see test_estimators)"
    )
    for kind in ("dense", "sparse")
}
EXPECTED_FAILURES = {
    "ordinal": {
        "check_classifiers_classes": "text labels have no order unless classes= gives it",
        **OTHER_PROBES,
    },
    "classification": OTHER_PROBES,
    "regression": OTHER_PROBES,
}


def expected_failures(checked) -> dict[str, str]:
    return EXPECTED_FAILURES[checked._task]


# The checks' own tables are tiny, random or constant in parts, which is what we warn of.
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.RelboundsWarning")
@pytest.mark.filterwarnings("ignore:No features were selected:UserWarning")
@parametrize_with_checks(
    [estimator(task) for task in TASKS], expected_failed_checks=expected_failures
)
def test_check_of_scikit_learn(estimator, check) -> None:
    name, is_slow = check.func.__name__, estimator._task == "classification"
    if is_slow and name in OTHER_PROBES:  # by its probes it fails already, shadows take longer
        estimator.set_params(selection="probe")
    check(estimator)


@pytest.mark.parametrize("task", TASKS)
def test_clone_keeps_every_parameter(task: str) -> None:
    """Every setting is changed from its default first, so that none can be lost unseen."""
    original = ESTIMATORS[task]()
    changed = {name: f"not the default of {name}" for name in original.get_params()}
    original.set_params(**changed)
    assert clone(original).get_params() == changed


@pytest.mark.parametrize("task", TASKS)
def test_fit_changes_no_parameter(task: str) -> None:
    X, y, _ = table(task)
    model = estimator(task, C=None, keep=[0])
    before = dict(model.get_params())
    assert model.fit(X, y).get_params() == before


@pytest.mark.parametrize("task", TASKS)
def test_pickle_keeps_all_that_was_found(task: str) -> None:
    X, y, _ = table(task)
    model = estimator(task).fit(X, y)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.predict(X), model.predict(X))
    np.testing.assert_array_equal(restored.transform(X), model.transform(X))
    assert restored.result_.to_dict() == model.result_.to_dict()


@pytest.mark.parametrize("task", TASKS)
def test_settings_that_come_after_the_fit_change_no_prediction(
    task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, _ = table(task)
    model = estimator(task).fit(X, y)
    expected, score = model.predict(X), model.score(X, y)
    model.set_params(**{name: f"not the default of {name}" for name in model.get_params()})
    monkeypatch.delattr(type(model), "_problems")
    for same in (model, pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(same.predict(X), expected)
        assert same.score(X, y) == score


def test_tasks_are_known_to_scikit_learn() -> None:
    """Ordered classes are classes: splitters stratify them."""
    assert [is_classifier(estimator(task)) for task in TASKS] == [True, True, False]
    assert [is_regressor(estimator(task)) for task in TASKS] == [False, False, True]


def test_grid_search_over_settings_in_a_pipeline() -> None:
    X, y, _ = table()
    search = GridSearchCV(
        make_pipeline(estimator("ordinal", min_features=1), LogisticRegression()),
        {"ordinalrelevance__tolerance": [0.01, 0.1], "ordinalrelevance__C": [0.1, 1.0]},
        cv=2,
    ).fit(X, y)
    assert len(search.cv_results_["mean_test_score"]) == 4
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.predict(X).shape == y.shape


@pytest.mark.parametrize("task", TASKS)
def test_grid_search_by_the_own_score_prefers_a_model_with_weights(task: str) -> None:
    """At C = 1e-6 every model is constant, and the score says that it is worse."""
    X, y, _ = table(task)
    with pytest.warns(match="The best model uses no feature at all"):
        search = GridSearchCV(estimator(task), {"C": [1e-6, 1.0]}, cv=2).fit(X, y)
    assert search.best_params_ == {"C": 1.0}


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame(table().X, columns=NAMES)


def test_names_of_a_pandas_frame_come_out_again(frame: pd.DataFrame) -> None:
    model = estimator("ordinal").fit(frame, table().y)
    assert model.feature_names_in_.tolist() == NAMES
    assert model.result_.to_frame().index.tolist() == NAMES
    selected = [name for name, chosen in zip(NAMES, model.support_, strict=True) if chosen]
    assert model.get_feature_names_out().tolist() == selected == NAMES[:4]


def test_names_of_a_polars_frame_come_out_again(frame: pd.DataFrame) -> None:
    """And the answer is that of the pandas frame."""
    as_polars = pl.DataFrame({name: frame[name].to_numpy() for name in NAMES})
    model = estimator("ordinal").fit(as_polars, pl.Series(table().y))
    assert model.feature_names_in_.tolist() == NAMES
    expected = estimator("ordinal").fit(frame, table().y).result_.to_frame()
    pd.testing.assert_frame_equal(model.result_.to_frame(), expected)
    np.testing.assert_array_equal(model.transform(as_polars), as_polars[NAMES[:4]].to_numpy())


def test_arrays_have_names_by_number() -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    assert not hasattr(model, "feature_names_in_")
    assert model.get_feature_names_out().tolist() == ["x0", "x1", "x2", "x3"]
    assert model.get_support(indices=True).tolist() == [0, 1, 2, 3]
    assert model.result_.feature_names == ("x0", "x1", "x2", "x3", "x4", "x5")


@pytest.mark.parametrize(("kind", "expected"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output_gives_frames_with_names(kind: str, expected: type, frame: pd.DataFrame) -> None:
    model = estimator("ordinal").set_output(transform=kind).fit(frame, table().y)
    transformed = model.transform(frame)
    assert isinstance(transformed, expected)
    assert list(transformed.columns) == NAMES[:4]


def test_predict_refuses_columns_in_another_order(frame: pd.DataFrame) -> None:
    model = estimator("ordinal").fit(frame, table().y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[NAMES[::-1]])


@pytest.mark.parametrize("method", ["predict", "transform", "get_support"])
def test_unfitted_estimators_say_so(method: str) -> None:
    arguments = () if method == "get_support" else (table().X,)
    with pytest.raises(ValueError, match="not fitted yet"):
        getattr(estimator("ordinal"), method)(*arguments)


def test_all_settings_but_the_order_are_given_by_name() -> None:
    assert OrdinalRelevance("implicit").order == "implicit"
    with pytest.raises(TypeError, match="positional argument"):
        OrdinalRelevance("implicit", ["low", "high"])


# Privileged features on their way through scikit-learn


@pytest.fixture
def routed():
    """Metadata routing: who asks for ``X_priv`` gets it."""
    with config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("task", TASKS)
def test_a_search_splits_privileged_features_like_samples(task: str) -> None:
    """And its best model is refitted with all of them."""
    X, y, X_priv, *_ = privileged_table(task)
    search = GridSearchCV(told_estimator(task), {"gamma": [0.3, 0.5]}, cv=2)
    search.fit(X, y, X_priv=X_priv)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    alone = told_estimator(task, **search.best_params_).fit(X, y, X_priv)
    assert facts(search.best_estimator_) == facts(alone)
    np.testing.assert_array_equal(search.predict(X), alone.predict(X))


@pytest.mark.usefixtures("routed")
def test_a_pipeline_routes_privileged_features_to_who_asks_for_them() -> None:
    X, y, X_priv, *_ = privileged_table()
    asking = told_estimator("ordinal").set_fit_request(X_priv=True, sample_weight=False)
    pipeline = make_pipeline(StandardScaler(), asking, LogisticRegression())
    pipeline.fit(X, y, X_priv=X_priv)
    alone = told_estimator("ordinal").fit(X, y, X_priv)
    assert_same(pipeline[1].intervals_priv_, alone.intervals_priv_)
    assert pipeline.predict(X).shape == y.shape


@pytest.mark.usefixtures("routed")
def test_a_pipeline_routes_nothing_to_who_does_not_ask() -> None:
    X, y, X_priv, *_ = privileged_table()
    pipeline = make_pipeline(told_estimator("ordinal"), LogisticRegression())
    with pytest.raises(ValueError, match=r"\[X_priv\] are passed but are not explicitly set"):
        pipeline.fit(X, y, X_priv=X_priv)


@pytest.mark.usefixtures("routed")
def test_cross_validation_trains_with_and_scores_without_privileged_features() -> None:
    X, y, X_priv, *_ = privileged_table()
    asking = told_estimator("ordinal").set_fit_request(X_priv=True)
    found = cross_validate(
        asking, X, y, cv=2, params={"X_priv": X_priv}, return_estimator=True, return_indices=True
    )
    for model, train in zip(found["estimator"], found["indices"]["train"], strict=True):
        alone = told_estimator("ordinal").fit(X[train], y[train], X_priv[train])
        assert facts(model) == facts(alone)
    assert np.isfinite(found["test_score"]).all()
