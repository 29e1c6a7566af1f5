"""The answer along the tolerance is that of fits with each tolerance."""

import json

import numpy as np
import pandas as pd
import pytest
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds.questions.tolerance_path import TOLERANCES
from relbounds.results.answers import RelevancePath


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_intervals_are_those_of_a_fit_with_that_tolerance(task: str) -> None:
    X, y, _ = table(task)
    model = estimator(task).fit(X, y)
    path = model.tolerance_path([0.02, 0.2])
    assert path.used == model.result_.tolerances.norm
    np.testing.assert_allclose(
        path.intervals[path.tolerances == path.used][0], model.intervals_, rtol=2e-7, atol=2e-7
    )
    for tolerance in (0.02, 0.2):
        other = estimator(task, tolerance=tolerance).fit(X, y)
        found = path.intervals[path.tolerances == tolerance][0]
        np.testing.assert_allclose(found, other.intervals_, rtol=2e-7, atol=2e-7)


def test_intervals_grow_with_the_tolerance_and_strong_ends_at_the_price() -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    path = model.tolerance_path()
    assert set(TOLERANCES) < set(path.tolerances.tolist())
    assert (np.diff(path.intervals[..., 0], axis=0) <= 2e-7).all()
    assert (np.diff(path.intervals[..., 1], axis=0) >= -2e-7).all()
    assert_strong_ends_at_its_tolerance(path)
    np.testing.assert_allclose(path.strong_until, model.prices()["price"], atol=1e-6)


@pytest.mark.parametrize(("C", "loss_tolerance"), [(1.0, 1.0), (0.03, 0.0), (0.03, "auto")])
def test_a_loss_tolerance_of_its_own_stays_along_the_path(
    C: float, loss_tolerance: float | str
) -> None:
    X, y, _ = table()
    own = {"C": C, "loss_tolerance": loss_tolerance}
    model = estimator("ordinal", tolerance=0.05, **own).fit(X, y)
    path = model.tolerance_path([0.0, 0.04, 0.06, 0.3])
    assert (np.diff(path.intervals[..., 0], axis=0) <= 2e-7).all()
    assert (np.diff(path.intervals[..., 1], axis=0) >= -2e-7).all()
    assert_strong_ends_at_its_tolerance(path)
    other = estimator("ordinal", tolerance=0.3, **own).fit(X, y)
    np.testing.assert_allclose(path.intervals[-1], other.intervals_, atol=2e-7)


def assert_strong_ends_at_its_tolerance(path: RelevancePath) -> None:
    needed = path.intervals[..., 0] > 1e-6
    later = path.tolerances[:, None] > path.strong_until * (1 + 1e-4) + 1e-4
    earlier = path.tolerances[:, None] < path.strong_until * (1 - 1e-4) - 1e-4
    assert not needed[later].any()
    assert needed[earlier].all()


def test_a_table_has_a_column_for_each_tolerance() -> None:
    X, y, _ = table()
    frame = estimator("ordinal").fit(X, y).tolerance_path([0.1]).to_frame()
    assert frame.columns[-1] == "strong_until"
    assert "0.1" in frame.columns
    assert set(frame["0.1"]) <= {"strong", "weak", "irrelevant"}


def test_at_its_own_tolerance_the_path_has_the_fits_classes() -> None:
    X, y, _ = table()
    for seed in (5, 10, 11):
        model = estimator("ordinal", random_state=seed, loss_tolerance=0.3).fit(X, y)
        path = model.tolerance_path([])
        assert path.relevance.tolist() == [model.relevance_.tolist()]


def test_probes_along_the_path_are_drawn_anew_with_another_seed() -> None:
    X, y, _ = table()
    thresholds = []
    for seed in (0, 1):
        model = estimator("ordinal", tolerance=0.05, random_state=seed).fit(X, y)
        first, again = (model.tolerance_path([0.3]).thresholds for _ in range(2))
        assert first.tolist() == again.tolist()
        thresholds.append(first[-1])
    assert thresholds[0] != thresholds[1]


@pytest.mark.parametrize("wrong", [-0.1, np.nan, np.inf, "auto"])
def test_a_tolerance_that_is_none_is_refused(wrong: object) -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    with pytest.raises(ValueError, match="A tolerance must be a number of at least 0"):
        model.tolerance_path([wrong])


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_privileged_features_have_a_path_of_their_own(task: str) -> None:
    X, y, X_priv, *_ = privileged_table(task)
    model = told_estimator(task).fit(X, y, X_priv=X_priv)
    path = model.tolerance_path([0.02])
    told = path.privileged
    assert told is not None
    assert told.feature_names == model.result_.privileged.feature_names
    at_fit = int(np.flatnonzero(told.tolerances == told.used)[0])
    assert told.relevance[at_fit].tolist() == model.relevance_priv_.tolist()
    other = told_estimator(task, tolerance=0.02).fit(X, y, X_priv=X_priv)
    found = told.intervals[told.tolerances == 0.02][0]
    np.testing.assert_allclose(found, other.result_.privileged.intervals, rtol=2e-7, atol=2e-7)
    np.testing.assert_allclose(told.strong_until, model.prices()["price"].iloc[X.shape[1] :])


def test_a_path_goes_to_json_and_back_and_its_table_has_both_sides() -> None:
    X, y, X_priv, *_ = privileged_table()
    path = told_estimator("ordinal").fit(X, y, X_priv=X_priv).tolerance_path([0.02])
    restored = RelevancePath.from_dict(json.loads(json.dumps(path.to_dict())))
    assert restored.to_dict() == path.to_dict()
    pd.testing.assert_frame_equal(restored.to_frame(), path.to_frame())
    assert len(path.to_frame()) == X.shape[1] + X_priv.shape[1]
