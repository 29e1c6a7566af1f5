"""The answer along the tolerance is that of fits with each tolerance."""

import numpy as np
import pytest
from small_fits import estimator, table

from relbounds.tolerance_path import TOLERANCES


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_intervals_are_those_of_a_fit_with_that_tolerance(task: str) -> None:
    X, y, _ = table(task)
    model = estimator(task).fit(X, y)
    path = model.tolerance_path([0.02, 0.2])
    assert path.used == model.result_.tolerances.norm
    np.testing.assert_allclose(
        path.intervals[path.tolerances == path.used][0], model.intervals_, atol=2e-7
    )
    for tolerance in (0.02, 0.2):
        other = estimator(task, tolerance=tolerance).fit(X, y)
        found = path.intervals[path.tolerances == tolerance][0]
        np.testing.assert_allclose(found, other.intervals_, atol=2e-7)


def test_intervals_grow_with_the_tolerance_and_strong_ends_at_the_price() -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    path = model.tolerance_path()
    assert set(TOLERANCES) < set(path.tolerances.tolist())
    assert (np.diff(path.intervals[..., 0], axis=0) <= 2e-7).all()
    assert (np.diff(path.intervals[..., 1], axis=0) >= -2e-7).all()
    needed = path.intervals[..., 0] > 1e-6
    later = path.tolerances[:, None] > path.strong_until * (1 + 1e-4) + 1e-4
    earlier = path.tolerances[:, None] < path.strong_until * (1 - 1e-4) - 1e-4
    assert not needed[later].any()
    assert needed[earlier].all()
    np.testing.assert_allclose(path.strong_until, model.prices()["price"], atol=1e-6)


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


@pytest.mark.parametrize("wrong", [-0.1, np.nan, np.inf, "auto"])
def test_a_tolerance_that_is_none_is_refused(wrong: object) -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    with pytest.raises(ValueError, match="A tolerance must be a number of at least 0"):
        model.tolerance_path([wrong])
