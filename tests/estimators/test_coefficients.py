"""Coefficients, intercepts and decision functions are those that scikit-learn's users expect."""

import pickle

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_score
from small_fits import ESTIMATORS, assert_same, estimator, table

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.exceptions import ConstantFeatureWarning

TASKS = list(ESTIMATORS)
UNITS = np.array([1e-3, 1.0, 60.0, 1e4, 1.0, 2.0])
ZEROS = np.array([37.0, 0.0, -5.0, 1e5, 1.0, 0.0])
PLENTY = {"C": 100.0, "n_probes": 10, "random_state": 0}


def test_two_classes_by_hand() -> None:
    """Classes at 8 and 12 keep margins of one if a unit counts a half: x / 2 - 5 is -1 and 1."""
    model = ClassificationRelevance(**PLENTY).fit([[8.0], [8.0], [12.0], [12.0]], [0, 0, 1, 1])
    assert model.coef_ == pytest.approx(np.array([[0.5]]))
    assert model.intercept_ == pytest.approx(np.array([-5.0]))
    assert model.decision_function([[8.0], [12.0], [14.0]]) == pytest.approx([-1, 1, 2])


def test_ordered_classes_by_hand() -> None:
    """Classes at 0, 10 and 20 are two margins apart if a unit counts a fifth.

    Their scores are then 0, 2 and 4, with thresholds at 1 and 3. A score of 2.5 is 1.5 beyond the
    first class, 0.5 inside the second and 0.5 short of the third.
    """
    X, y = np.repeat([[0.0], [10.0], [20.0]], 3, axis=0), np.repeat(["low", "mid", "high"], 3)
    model = OrdinalRelevance(classes=["low", "mid", "high"], **PLENTY).fit(X, y)
    assert model.coef_ == pytest.approx(np.array([0.2]), rel=1e-5)
    assert model.thresholds_ == pytest.approx(np.array([1.0, 3.0]), rel=1e-5)
    assert model.decision_function([[12.5]]) == pytest.approx(
        np.array([[-1.5, 0.5, -0.5]]), rel=1e-5
    )


def test_numbers_by_hand() -> None:
    """Numbers on a line are explained by it."""
    x = np.arange(12.0)
    model = RegressionRelevance(epsilon=0.0, **PLENTY).fit(x[:, None], 3 * x - 7)
    assert model.coef_ == pytest.approx(np.array([3.0]), rel=1e-5)
    assert model.intercept_ == pytest.approx(-7.0, rel=1e-5)


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("task", TASKS)
def test_they_say_of_the_columns_as_given_what_the_model_says(task: str, standardize: bool) -> None:
    X, y, _ = table(task)
    X = ZEROS + UNITS * X if standardize else X
    model = estimator(task, standardize=standardize).fit(X, y)
    if task == "ordinal":
        ranks = (X @ model.coef_ > model.thresholds_[:, None]).sum(axis=0)
        np.testing.assert_array_equal(model.classes_[ranks], model.predict(X))
    else:
        says = model.predict(X) if task == "regression" else model.decision_function(X)
        np.testing.assert_allclose(X @ model.coef_.ravel() + model.intercept_, says, atol=1e-9)


@pytest.mark.parametrize(
    ("task", "shape"), [("ordinal", (6,)), ("classification", (1, 6)), ("regression", (6,))]
)
def test_they_follow_the_units_of_columns(task: str, shape: tuple[int, ...]) -> None:
    """A column in units that are sixty times as large counts sixty times as much a unit."""
    X, y, _ = table(task)
    as_given = estimator(task).fit(X, y)
    assert as_given.coef_.shape == shape
    assert_same(estimator(task).fit(ZEROS + UNITS * X, y).coef_ * UNITS, as_given.coef_)


def test_they_follow_the_units_of_a_number() -> None:
    X, y, _ = table("regression")
    hours, minutes = (estimator("regression").fit(X, unit * y + 3) for unit in (1, 60))
    assert_same(minutes.coef_, 60 * hours.coef_)
    assert minutes.intercept_ - 3 == pytest.approx(60 * (hours.intercept_ - 3), abs=1e-5)


@pytest.mark.parametrize("task", TASKS)
def test_a_constant_column_has_none(task: str) -> None:
    X, y, _ = table(task)
    with pytest.warns(ConstantFeatureWarning):
        model = estimator(task).fit(np.column_stack([np.full(len(y), 9.0), X]), y)
    assert model.coef_.ravel()[0] == 0
    assert_same(model.coef_.ravel()[1:], estimator(task).fit(X, y).coef_.ravel())


@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_ordered_samples_are_inside_the_class_that_is_predicted(order: str) -> None:
    X, y, _ = table()
    model = estimator("ordinal", order=order).fit(X, y)
    inside = model.decision_function(X)
    assert inside.shape == (len(y), 5)
    np.testing.assert_array_equal(model.classes_[inside.argmax(axis=1)], model.predict(X))
    assert ((inside > 0).sum(axis=1) == 1).all()


def test_two_ordered_classes_are_two_classes() -> None:
    X, y, _ = table("classification")
    ordered, two = (estimator(task).fit(X, y) for task in ("ordinal", "classification"))
    assert_same(ordered.decision_function(X), two.decision_function(X))
    assert_same(ordered.coef_, two.coef_[0])
    assert_same(-ordered.thresholds_, two.intercept_)


def test_positive_speaks_for_the_second_class() -> None:
    X, y, _ = table("classification")
    model = estimator("classification").fit(X, np.where(y > 0, "a yes", "no"))
    assert model.classes_.tolist() == ["a yes", "no"]
    np.testing.assert_array_equal(model.predict(X) == "no", model.decision_function(X) > 0)


def test_scorers_of_rankings_take_the_decision_function() -> None:
    X, y, _ = table("classification")
    model = estimator("classification")
    assert cross_val_score(model, X, y, cv=2, scoring="roc_auc").min() > 0.8
    fitted = model.fit(X, y)
    by_hand = roc_auc_score(y, X @ fitted.coef_[0])
    assert roc_auc_score(y, fitted.decision_function(X)) == pytest.approx(by_hand)


@pytest.mark.parametrize("task", ["classification", "ordinal"])
def test_probabilities_are_learned_by_calibration(task: str) -> None:
    """A margin has none of its own."""
    X, y, _ = table(task)
    assert not hasattr(estimator(task), "predict_proba")
    calibrated = CalibratedClassifierCV(estimator(task), cv=2).fit(X, y)
    probability = calibrated.predict_proba(X)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    assert (probability.argmax(axis=1) == y).mean() > 0.6


@pytest.mark.parametrize("task", TASKS)
def test_they_are_there_once_fitted_and_survive_a_pickle(task: str) -> None:
    X, y, _ = table(task)
    names = ["coef_", "thresholds_" if task == "ordinal" else "intercept_"]
    model = estimator(task)
    assert not any(hasattr(model, name) for name in names)
    copied = pickle.loads(pickle.dumps(model.fit(X, y)))
    for name in names:
        np.testing.assert_array_equal(getattr(copied, name), getattr(model, name))


@pytest.mark.parametrize("task", ["ordinal", "classification"])
def test_before_a_fit_there_is_nothing_to_decide_by(task: str) -> None:
    with pytest.raises(ValueError, match="not fitted yet"):
        estimator(task).decision_function(table(task).X)
