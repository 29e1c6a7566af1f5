"""Tables that once gave a wrong answer or none, each found by hand."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from small_fits import ESTIMATORS, estimator, table

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.datasets import make_ordinal
from relbounds.exceptions import RelboundsWarning
from relbounds.metrics import macro_mean_absolute_error


def test_probe_that_reaches_equally_far_both_ways_is_solved() -> None:
    """The second sign is shown to fall short, which a tie does only up to rounding."""
    X = [[2], [0], [0], [1], [2], [1], [0], [1]]
    y = [1, 0, 0, 0, 1, 1, 0, 1]
    model = ClassificationRelevance(C=1, tolerance=0.1, n_probes=10, random_state=0).fit(X, y)
    assert model.result_.probes.solved == 10


@pytest.mark.parametrize("task", ESTIMATORS)
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.RelboundsWarning")  # the point here
def test_table_of_constants_still_predicts_one_value_a_sample(task: str) -> None:
    _, y, _ = table(task)
    X = np.ones((len(y), 2))
    model = estimator(task).fit(X, y)
    assert model.result_.baseline.weights.shape == (2,)
    assert model.predict(X).shape == y.shape


def test_column_constant_up_to_rounding_counts_as_constant() -> None:
    X, y, _ = table("ordinal")
    jitter = 0.1 + 1.4e-17 * (np.arange(len(X)) % 2)
    with pytest.warns(RelboundsWarning, match="one value only"):
        model = estimator("ordinal").fit(np.column_stack([X, jitter]), y)
    alone = estimator("ordinal").fit(X, y)
    np.testing.assert_allclose(model.weight_ranges_[:-1], alone.weight_ranges_, atol=1e-6)


@pytest.mark.parametrize("factor", [1e-200, 1e160])
def test_scale_of_a_column_never_matters(factor: float) -> None:
    X, y, _ = table("ordinal")
    scaled = X * np.r_[factor, np.ones(X.shape[1] - 1)]
    expected = estimator("ordinal").fit(X, y).weight_ranges_
    # both answers are proved to 1e-7 of the norm only
    np.testing.assert_allclose(
        estimator("ordinal").fit(scaled, y).weight_ranges_, expected, atol=1e-5
    )


@pytest.mark.parametrize("factor", [1e-12, 1e-8, 1e8])
def test_multiplying_all_weights_changes_nothing_where_C_is_tuned(factor: float) -> None:
    X, y, _ = table("ordinal")
    weight = np.linspace(1, 2, len(y))
    plain, scaled = (
        OrdinalRelevance(random_state=0, n_probes=10).fit(X, y, sample_weight=each)
        for each in (weight, factor * weight)
    )
    np.testing.assert_allclose(scaled.intervals_, plain.intervals_, atol=1e-6)


@pytest.mark.parametrize("keep", [[False, True], np.array([True, False]), 3, 1.5])
def test_keep_takes_names_and_indices_only(keep: object) -> None:
    X, y, _ = table("ordinal")
    with pytest.raises(ValueError, match="keep must be a list of names or of indices"):
        estimator("ordinal", keep=keep).fit(X, y)


def test_result_of_intervals_as_labels_is_json_ready() -> None:
    X, y, _ = make_ordinal(80, task="regression", noise=0.3, random_state=0)
    result = estimator("ordinal").fit(X, pd.qcut(y, 3)).result_
    assert "(" in json.loads(json.dumps(result.to_dict()))["data"]["classes"][0]


def test_result_refuses_to_be_changed() -> None:
    X, y, _ = table("ordinal")
    result = estimator("ordinal").fit(X, y).result_
    with pytest.raises(ValueError, match="read-only"):
        result.relevance[0] = 5
    with pytest.raises(ValueError, match="read-only"):
        result.baseline.weights[0] = 5


def test_nullable_integers_come_back_as_integers() -> None:
    X, y, _ = table("ordinal")
    model = estimator("ordinal").fit(X, pd.Series(y, dtype="Int64"))
    assert model.predict(X).dtype.kind == "i"


def test_polars_enum_brings_its_order() -> None:
    X, y, _ = table("ordinal")
    names = ["poor", "fair", "good", "great", "best"][: int(y.max()) + 1]
    series = pl.Series([names[rank] for rank in y], dtype=pl.Enum(names))
    assert estimator("ordinal").fit(X, series).classes_.tolist() == names


def test_tube_follows_the_targets_spread_where_nothing_is_standardised() -> None:
    X, y, _ = make_ordinal(80, task="regression", noise=0.3, random_state=0)
    fits = [
        RegressionRelevance(standardize=False, random_state=0, n_probes=10).fit(X, factor * y)
        for factor in (1.0, 1000.0)
    ]
    narrow, wide = (fit.result_.hyperparameters["epsilon"] for fit in fits)
    assert wide == pytest.approx(1000 * narrow)
    np.testing.assert_allclose(fits[1].intervals_, fits[0].intervals_, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: estimator("ordinal", C=None, cv=[]).fit(X, y), "cv yields no splits"),
        (lambda X, y: estimator("ordinal", standardize="no").fit(X, y), "standardize must be one"),
        (
            lambda X, y: estimator("ordinal").fit(
                pd.DataFrame({"day": pd.date_range("2026-01-01", periods=len(y))}), y
            ),
            r"\['day'\] hold dates",
        ),
        (lambda X, y: make_ordinal(n_classes=1), "n_classes must be at least 2"),
        (lambda X, y: make_ordinal(noise=-1), "noise at least 0"),
        (lambda X, y: macro_mean_absolute_error(y, y, sample_weight=0 * y), "zero for every"),
    ],
)
def test_odd_request_gets_one_clear_sentence(call, message: str) -> None:
    X, y, _ = table("ordinal")
    with pytest.raises(ValueError, match=message):
        call(X, y)
