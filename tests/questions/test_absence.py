"""What it costs to do without features."""

import numpy as np
import pandas as pd
import pytest
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds.datasets import Sample
from relbounds.exceptions import ConstraintError, DegenerateModelWarning, InfeasibleError

TASKS = ("ordinal", "classification", "regression")


def data(task: str) -> Sample:
    """So many samples that the models of folds have only one best place for each offset."""
    return table(task, n_samples=100)


@pytest.fixture(scope="module", params=TASKS)
def model(request):
    X, y, _ = data(request.param)
    return estimator(request.param, C=None).fit(X, y)


def test_a_price_above_the_tolerance_is_what_makes_a_feature_needed(model) -> None:
    found = model.prices()
    needed = model.result_.intervals[:, 0] > 1e-6
    assert found["indispensable"].tolist() == needed.tolist()
    assert 0 < needed.sum() < len(needed)


def test_a_model_refitted_with_that_tolerance_does_without_and_with_less_does_not(model) -> None:
    task, C = model._task, model.result_.hyperparameters["C"]
    X, y, _ = data(task)
    price = model.price("x0").tolerance
    assert price > model.result_.tolerances.norm
    given = {
        name: value for name, value in model.result_.hyperparameters.items() if name == "epsilon"
    }
    for share, is_needed in ((1 - 1e-3, True), (1 + 1e-3, False)):
        other = estimator(task, C=C, tolerance=share * price, **given).fit(X, y)
        assert (other.result_.intervals[0, 0] > 1e-6) == is_needed


def test_doing_without_more_is_never_cheaper(model) -> None:
    single = model.prices()["price"]
    for first, second in ((0, 1), (2, 3), (1, 4)):
        both = model.price([first, second]).tolerance
        assert both >= max(single.iloc[first], single.iloc[second]) - 1e-6


def test_a_copy_can_be_missed_but_not_both() -> None:
    X, y, _ = table(noise=0)
    model = estimator("ordinal", C=1.0).fit(X, y)
    assert model.price("x2").tolerance < 1e-6
    assert model.price(["x2", "x3"]).is_indispensable
    assert np.isnan(model.price("x2").error), "nothing was tuned, so there are no folds"


def test_the_error_without_is_that_of_a_fit_without(model) -> None:
    X, y, _ = data(model._task)
    price = model.price("x1")
    chosen = model.result_.hyperparameters
    best = next(each for each in model.result_.tuning if each.hyperparameters == chosen)
    assert price.error == pytest.approx(best.mean, rel=1e-9)
    settings = {name: chosen[name] for name in ("epsilon",) if name in chosen}
    without = estimator(model._task, C=None, **settings).fit(np.delete(X, 1, axis=1), y)
    nearest = min(without.result_.tuning, key=lambda each: abs(np.log(each.C / chosen["C"])))
    assert price.error_without == pytest.approx(nearest.mean, abs=0.1)
    assert price.score_fall > 0


def test_privileged_features_have_prices_by_name() -> None:
    X, y, X_priv, *_ = privileged_table()
    model = told_estimator("ordinal").fit(X, y, X_priv)
    found = model.prices()
    assert found.index.tolist() == ["x0", "x1", "x2", "x3", "priv0", "priv1", "priv2", "priv3"]
    needed = model.result_.privileged.intervals[:, 0] > 1e-6
    assert found["indispensable"][4:].tolist() == needed.tolist()


def test_unknown_features_are_named(model) -> None:
    with pytest.raises(ConstraintError, match="There is no feature 'age'; name one of x0, x1"):
        model.price(["x0", "age"])


def test_nothing_can_be_asked_of_a_model_that_has_learned_nothing() -> None:
    X, y, _ = table()
    with pytest.warns(DegenerateModelWarning):
        model = estimator("ordinal", C=1e-9).fit(X, y)
    with pytest.raises(InfeasibleError, match="There is nothing to ask about"):
        model.prices()


def test_a_feature_is_needed_or_not_whatever_the_two_tolerances_are() -> None:
    """A price lets norm and loss grow alike; a fit may have another tolerance for each."""
    X, y, _ = table(noise=0.3)
    for norm, loss in ((0.05, 2.0), (2.0, 0.02)):
        model = estimator("ordinal", tolerance=norm, loss_tolerance=loss).fit(X, y)
        needed = model.result_.intervals[:, 0] > 1e-6
        assert model.prices()["indispensable"].tolist() == needed.tolist()


def test_rounding_makes_no_copy_indispensable() -> None:
    X, y, _ = table(noise=0)
    model = estimator("ordinal", C=1.0, tolerance=0).fit(X, y)
    assert not model.price("x2").is_indispensable
    assert model.price("x2").tolerance == 0


def test_features_may_come_as_arrays_and_indexes() -> None:
    X, y, _ = table()
    frame = pd.DataFrame(X).add_prefix("f")
    model = estimator("ordinal").fit(frame, y)
    assert model.price(frame.columns[:2]).features == ("f0", "f1")
    assert model.price(np.array([0, 1])).features == ("f0", "f1")
    assert model.price(range(2)).features == ("f0", "f1")
