"""The result is plain frozen data that survives a trip through JSON."""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest
from small_fits import ESTIMATORS, estimator, table

from relbounds import RelevanceResult

TASKS = list(ESTIMATORS)


def result_of(task: str = "ordinal", **settings) -> RelevanceResult:
    X, y, _ = table(task)
    return estimator(task, **settings).fit(X, y).result_


@pytest.fixture(scope="module")
def result() -> RelevanceResult:
    return result_of(C=None)


@pytest.mark.parametrize("settings", [{}, {"C": None}, {"budget": "joint"}], ids=str)
@pytest.mark.parametrize("task", TASKS)
def test_a_result_survives_a_trip_through_json(task: str, settings: dict) -> None:
    original = result_of(task, **settings)
    restored = RelevanceResult.from_dict(json.loads(json.dumps(original.to_dict())))
    assert restored.to_dict() == original.to_dict()
    assert type(restored.baseline) is type(original.baseline)
    assert restored.weight_ranges.dtype == np.float64
    assert restored.thresholds == original.thresholds
    pd.testing.assert_frame_equal(restored.to_frame(), original.to_frame())
    if task != "regression":
        assert restored.generalization_bound() == original.generalization_bound()


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_a_result_without_weights_survives_it_too() -> None:
    original = result_of(C=1e-6)
    written = json.dumps(original.to_dict(), allow_nan=False)
    restored = RelevanceResult.from_dict(json.loads(written))
    assert restored.is_degenerate
    assert (restored.probes, restored.tolerances, restored.thresholds) == (None, None, None)
    pd.testing.assert_frame_equal(restored.to_frame(), original.to_frame())


def test_labels_of_text_survive_it_too() -> None:
    X, y, _ = table(n_classes=3)
    levels = ["low", "mid", "high"]
    model = estimator("ordinal", classes=levels).fit(X, np.array(levels)[y])
    restored = RelevanceResult.from_dict(json.loads(json.dumps(model.result_.to_dict())))
    assert restored.data.classes == tuple(levels)


def test_json_holds_no_value_that_is_not_plain(result: RelevanceResult) -> None:
    """``json.dumps`` would take numpy's float64 for a float; we do not."""

    def kinds(value) -> set[type]:
        if isinstance(value, dict):
            return set().union({dict}, *map(kinds, value), *map(kinds, value.values()))
        if isinstance(value, list):
            return set().union({list}, *map(kinds, value))
        return {type(value)}

    assert kinds(result.to_dict()) <= {dict, list, str, int, float, bool, type(None)}


def test_missing_and_unknown_fields_are_named(result: RelevanceResult) -> None:
    values = result.to_dict()
    del values["weight_ranges"], values["task"]
    with pytest.raises(ValueError, match=r"missing here: \['task', 'weight_ranges'\]"):
        RelevanceResult.from_dict(values)
    with pytest.raises(ValueError, match=r"not known: \['colour'\]"):
        RelevanceResult.from_dict(result.to_dict() | {"colour": "red"})
    values = result.to_dict()
    del values["baseline"]["norm"]
    with pytest.raises(ValueError, match=r"A Baseline has .*missing here: \['norm'\]"):
        RelevanceResult.from_dict(values)


def test_a_result_is_frozen(result: RelevanceResult) -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'task'"):
        result.task = "another"


def test_the_frame_has_a_row_for_each_feature(result: RelevanceResult) -> None:
    frame = result.to_frame()
    assert frame.columns.tolist() == [
        "side",
        "relevance",
        "minrel",
        "maxrel",
        "sign",
        "low",
        "high",
        "minrel_over_threshold",
        "maxrel_over_threshold",
    ]
    assert frame.index.name == "feature"
    assert frame.index.tolist() == list(result.feature_names)
    assert frame["relevance"].cat.categories.tolist() == ["irrelevant", "weak", "strong"]
    assert frame["relevance"].cat.codes.tolist() == result.relevance.tolist()
    assert frame["relevance"].max() == "strong"
    np.testing.assert_array_equal(frame[["minrel", "maxrel"]], result.intervals)
    np.testing.assert_array_equal(frame[["low", "high"]], result.weight_ranges)
    limits = [result.thresholds.minrel, result.thresholds.maxrel]
    over = frame[["minrel_over_threshold", "maxrel_over_threshold"]].to_numpy()
    np.testing.assert_array_equal(over, result.intervals - limits)


def test_derived_facts_follow_from_the_ranges(result: RelevanceResult) -> None:
    low, high = result.weight_ranges.T
    minrel = [0 if a <= 0 <= b else min(abs(a), abs(b)) for a, b in zip(low, high, strict=True)]
    np.testing.assert_array_equal(result.raw_intervals[:, 0], minrel)
    np.testing.assert_array_equal(result.raw_intervals[:, 1], np.maximum(abs(low), abs(high)))
    np.testing.assert_array_equal(result.intervals, result.raw_intervals / result.baseline.norm)
    np.testing.assert_array_equal(
        result.probe_intervals, result.probes.intervals / result.baseline.norm
    )
    assert (result.signs[minrel == np.zeros(6)] == 0).all()
    assert result.signs[:2].tolist() == [1, 1]


# The generalisation bound


def bound_by_hand(result: RelevanceResult, X, norm: float, loss: float, tau: float) -> float:
    """``l (L/n + 4 |w| R sqrt(2 log(2d) / n) + 2 sqrt(2 log(2 / tau) / n))``."""
    n, d = X.shape
    largest = np.abs((X - X.mean(axis=0)) / X.std(axis=0)).max()
    complexity = 4 * norm * largest * np.sqrt(2 * np.log(2 * d) / n)
    chance = 2 * np.sqrt(2 * np.log(2 / tau) / n)
    return len(result.data.classes) * (loss / n + complexity + chance)


@pytest.mark.parametrize("task", ["ordinal", "classification"])
def test_the_bound_is_that_of_the_largest_norm_and_loss(task: str) -> None:
    X = table(task).X
    result = result_of(task, tolerance=0.1, loss_tolerance=0.3)
    norm, loss = 1.1 * result.baseline.norm, 1.3 * result.baseline.loss
    assert result.generalization_bound(0.9) == pytest.approx(
        bound_by_hand(result, X, norm, loss, 0.1)
    )


def test_the_bound_is_the_papers_where_the_loss_has_no_tolerance() -> None:
    """There only the norm of good models may grow, by ``1 + tolerance``."""
    result = result_of(tolerance=0.1, loss_tolerance=0)
    norm, loss = 1.1 * result.baseline.norm, result.baseline.loss
    expected = bound_by_hand(result, table().X, norm, loss, 0.05)
    assert result.generalization_bound() == pytest.approx(expected)


def test_the_bound_of_the_best_model_alone_is_smaller() -> None:
    """And with tolerance 0 it is the bound of all good models."""
    result = result_of(tolerance=0.1)
    alone = result.generalization_bound(baseline_only=True)
    expected = bound_by_hand(result, table().X, result.baseline.norm, result.baseline.loss, 0.05)
    assert alone == pytest.approx(expected)
    assert alone < result.generalization_bound()
    exact = result_of(tolerance=0)
    assert exact.generalization_bound() == pytest.approx(alone)


def test_more_confidence_costs_a_larger_bound(result: RelevanceResult) -> None:
    assert result.generalization_bound(0.5) < result.generalization_bound(0.99)


def test_there_is_no_bound_for_regression() -> None:
    with pytest.raises(ValueError, match="speaks of classes; there is none for regression"):
        result_of("regression").generalization_bound()


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_is_a_share(result: RelevanceResult, confidence: float) -> None:
    with pytest.raises(ValueError, match=f"must lie between 0 and 1; got {confidence}"):
        result.generalization_bound(confidence)
