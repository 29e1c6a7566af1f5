"""The result is plain frozen data that survives a trip through JSON."""

import json
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pandas as pd
import pytest
from small_fits import ESTIMATORS, estimator, privileged_table, table, told_estimator

from relbounds import RelevanceResult
from relbounds.method.decision import ChanceRule
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import Evidence, Probes
from relbounds.results.suspicion import Suspect

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
    del values["sides"], values["task"]
    with pytest.raises(ValueError, match=r"missing here: \['sides', 'task'\]"):
        RelevanceResult.from_dict(values)
    with pytest.raises(ValueError, match=r"not known: \['colour'\]"):
        RelevanceResult.from_dict(result.to_dict() | {"colour": "red"})
    values = result.to_dict()
    del values["baseline"]["norm"]
    with pytest.raises(ValueError, match=r"A Baseline has .*missing here: \['norm'\]"):
        RelevanceResult.from_dict(values)


def test_documents_of_earlier_versions_lack_what_has_a_default(result: RelevanceResult) -> None:
    values = result.to_dict()
    del values["suspects"], values["data"]["n_groups"]
    assert RelevanceResult.from_dict(values).to_dict() == result.to_dict()


def test_suspects_survive_a_trip_through_json(result: RelevanceResult) -> None:
    suspected = replace(result, suspects=(Suspect("town", ("town=a", "town=b"), 0.01),))
    assert through_json(suspected).suspects == suspected.suspects


def test_a_result_is_frozen(result: RelevanceResult) -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'task'"):
        result.task = "another"


def test_the_frame_has_a_row_for_each_feature(result: RelevanceResult) -> None:
    frame = result.to_frame()
    assert frame.columns.tolist() == [
        "side",
        "relevance",
        "needed",
        "minrel",
        "maxrel",
        "sign",
        "low",
        "high",
        "minrel_over_threshold",
        "maxrel_over_threshold",
        "p_alone",
        "p_in_models",
        "p_needed",
    ]
    assert frame.index.name == "feature"
    assert frame.index.tolist() == list(result.feature_names)
    assert set(frame["side"]) == {"regular"}
    assert frame["relevance"].cat.categories.tolist() == ["irrelevant", "weak", "strong"]
    assert frame["relevance"].cat.codes.tolist() == result.relevance.tolist()
    assert frame["relevance"].max() == "strong"
    np.testing.assert_array_equal(frame[["minrel", "maxrel"]], result.intervals)
    np.testing.assert_array_equal(frame[["low", "high"]], result.weight_ranges)
    limits = np.stack([np.full(6, result.thresholds.minrel), result.chance], axis=1)
    over = frame[["minrel_over_threshold", "maxrel_over_threshold"]].to_numpy()
    np.testing.assert_array_equal(over, result.intervals - limits)
    assert frame["needed"].tolist() == result.needed.tolist()
    told = frame[["p_alone", "p_in_models", "p_needed"]].to_numpy()
    np.testing.assert_array_equal(told, result.regular.p_of_kinds)


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


# Privileged features


def told_result(task: str = "ordinal", **settings) -> RelevanceResult:
    X, y, X_priv, *_ = privileged_table(task)
    return told_estimator(task, **settings).fit(X, y, X_priv).result_


def through_json(original: RelevanceResult) -> RelevanceResult:
    return RelevanceResult.from_dict(json.loads(json.dumps(original.to_dict(), allow_nan=False)))


@pytest.mark.parametrize(
    ("task", "settings"),
    [
        ("ordinal", {"C": None, "gamma": None, "cv": 2}),
        ("classification", {"budget": "joint"}),
        ("regression", {"slack": "mixed"}),
    ],
)
def test_privileged_findings_survive_a_trip_through_json(task: str, settings: dict) -> None:
    original = told_result(task, **settings)
    restored = through_json(original)
    assert restored.to_dict() == original.to_dict()
    assert type(restored.privileged) is Findings
    assert restored.privileged.weight_ranges.shape == (4, 2, 2)
    assert restored.privileged.probes.intervals.shape == (10, 2, 2)
    assert restored.privileged.thresholds == original.privileged.thresholds
    assert restored.hyperparameters == original.hyperparameters
    np.testing.assert_array_equal(restored.privileged.needed, original.privileged.needed)
    np.testing.assert_array_equal(
        restored.privileged.in_every_function.intervals,
        original.privileged.in_every_function.intervals,
    )
    np.testing.assert_array_equal(
        restored.baseline.privileged_weights, original.baseline.privileged_weights
    )
    pd.testing.assert_frame_equal(restored.to_frame(), original.to_frame())


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
@pytest.mark.parametrize("slack", ["privileged", "mixed"])
def test_a_collapse_survives_it_too(slack: str) -> None:
    original = told_result(C=1e-6, slack=slack)
    restored = through_json(original)
    assert restored.to_dict() == original.to_dict()
    assert restored.is_degenerate
    assert restored.slack == slack
    assert (restored.privileged.probes, restored.privileged.thresholds) == (None, None)
    assert restored.privileged.intervals.shape == (4, 2)
    pd.testing.assert_frame_equal(restored.to_frame(), original.to_frame())


def test_a_result_without_privileged_features_has_none_in_json(result: RelevanceResult) -> None:
    values = result.to_dict()
    assert (len(values["sides"]), values["slack"]) == (1, None)
    assert values["sides"][0]["decision_in_every"] is None
    assert values["baseline"]["privileged_weights"] is None
    assert through_json(result).privileged is None


@pytest.mark.parametrize("side", [0, 1])
def test_missing_fields_of_findings_are_named(side: int) -> None:
    values = told_result().to_dict()
    del values["sides"][side]["probes"]
    with pytest.raises(ValueError, match=r"A Findings has .*missing here: \['probes'\]"):
        RelevanceResult.from_dict(values)


def test_the_frame_has_privileged_features_last() -> None:
    result = told_result()
    frame, told = result.to_frame(), result.privileged
    assert frame["side"].tolist() == ["regular"] * 4 + ["privileged"] * 4
    assert frame.index.tolist() == [*result.feature_names, *told.feature_names]
    assert frame.index.name == "feature"
    assert frame["relevance"].cat.ordered
    assert frame["relevance"].cat.codes.tolist() == [*result.relevance, *told.relevance]
    for side, found in (("regular", result), ("privileged", told)):
        rows = frame[frame["side"] == side]
        np.testing.assert_array_equal(rows[["minrel", "maxrel"]], found.intervals)
        np.testing.assert_array_equal(
            rows[["minrel_over_threshold", "maxrel_over_threshold"]], found.threshold_distances
        )
        np.testing.assert_array_equal(rows["sign"], found.signs)
    low, high = (told.weight_ranges[..., end] for end in (0, 1))
    np.testing.assert_array_equal(frame["low"][4:], low.min(axis=1))
    np.testing.assert_array_equal(frame["high"][4:], high.max(axis=1))


RANGES = {
    "one": [[-0.2, 0.6], [0.3, 0.5]],
    "two": [[-0.4, -0.1], [0.1, 0.2]],
    "three": [[-0.4, -0.1], [-0.7, -0.2]],
}
"""Of three features in chi and xi."""


def findings_by_hand(
    ranges: dict[str, list[list[float]]] = RANGES, p_needed: tuple[float, ...] = (1e-9, 1.0, 1e-9)
) -> Findings:
    """Privileged features beside ten probes that are all alike; two are proved to be needed.

    Divided by the norm of 2, chance reaches exactly 0.025 and 0.25 in the usual reading (the larger
    of both functions), and 0 and 0.15 in the stricter one (the smaller).
    """
    probe = [[0.0, 0.5], [0.05, 0.3]]
    bounds = Bounds(
        side="privileged",
        feature_names=tuple(ranges),
        ends=np.array([list(ranges.values())]),
        gaps=np.zeros((len(ranges), 2, 2)),
        probes=Probes("append", 10, 0, np.array([probe] * 10)),
        shadows=(),
        norm=2.0,
        over_functions="max",
    )
    evidence = Evidence(None, np.array(p_needed[: len(ranges)]))
    return ChanceRule(confidence=0.999).decide(bounds, evidence)


def test_findings_solved_by_hand() -> None:
    """Intervals are [0.3, 0.6], [0.1, 0.4] and [0.2, 0.7] over 2.

    The second stays below what chance reaches at most (0.4 of 0.5), and nothing else speaks for it;
    yet no model does without it (0.1 of 0.05): in every model, but irrelevant.
    """
    found = findings_by_hand()
    expected = np.array([[0.3, 0.6], [0.1, 0.4], [0.2, 0.7]])
    np.testing.assert_allclose(found.raw_intervals, expected)
    np.testing.assert_allclose(found.intervals, expected / 2)
    assert (found.thresholds.minrel, found.thresholds.maxrel) == pytest.approx((0.025, 0.25))
    np.testing.assert_allclose(found.chance, 0.25)
    assert found.relevance.tolist() == [2, 0, 2]
    assert found.in_every_model.tolist() == [True, True, True]
    assert found.needed.tolist() == [True, False, True]
    assert np.isnan(found.p_alone).all(), "privileged features say nothing of the outcome"
    assert found.is_proved.tolist() == [[False, True, True], [False] * 3, [False, True, True]]
    np.testing.assert_allclose(found.hulls, [[-0.2, 0.6], [-0.4, 0.2], [-0.7, -0.1]])
    assert found.signs.tolist() == [0, 0, -1]


def test_findings_in_every_function_solved_by_hand() -> None:
    """Intervals are [0, 0.5], [0.1, 0.2] and [0.1, 0.4] over 2; ranges are what they were."""
    found = findings_by_hand().in_every_function
    expected = np.array([[0.0, 0.5], [0.1, 0.2], [0.1, 0.4]])
    np.testing.assert_allclose(found.raw_intervals, expected)
    np.testing.assert_allclose(found.intervals, expected / 2)
    assert (found.thresholds.minrel, found.thresholds.maxrel) == pytest.approx((0, 0.15))
    assert found.relevance.tolist() == [1, 0, 2]
    assert found.in_every_model.tolist() == [False, True, True]
    assert found.needed.tolist() == [True, False, True]
    assert found.signs.tolist() == [0, 0, -1]
    np.testing.assert_array_equal(found.weight_ranges, findings_by_hand().weight_ranges)


def test_what_is_not_needed_is_never_strong() -> None:
    found = findings_by_hand(p_needed=(1.0, 1.0, 1.0))
    assert found.in_every_model.all()
    assert found.relevance.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("rule", "limit"),
    [
        ({}, 0.001),
        ({"confidence": 0.9}, 0.1),
        ({"selection": "probe"}, 0.001),
        ({"selection": "fdr", "level": 0.09}, 0.09 * 2 / 3 / 2),
        ({"selection": "fwer", "level": 0.09}, 0.09 / 1 / 2),
    ],
)
def test_the_limit_of_proof_is_that_of_the_rule(rule: dict, limit: float) -> None:
    """Of three features with two kinds of evidence, two are found."""
    found = findings_by_hand()
    bounds = {each.name: getattr(found, each.name) for each in fields(Bounds)}
    decided = ChanceRule(**rule).decide(Bounds(**bounds), found.decision.evidence)
    assert (decided.relevance > 0).tolist() == [True, False, True]
    assert decided.proof_limit == pytest.approx(limit)


def test_a_call_is_close_from_a_third_of_the_limit_to_ten_times_that() -> None:
    for p, close in ((0.0002, False), (0.0004, True), (0.009, True), (0.011, False)):
        found = findings_by_hand(p_needed=(1e-9, p, 1e-9))
        assert found.is_close.tolist() == [False, close, False]
        assert found.relevance[1] == (2 if p <= 0.001 else 0)


def test_in_every_model_asks_for_more_than_rounding() -> None:
    """What exceeds chance by less than a millionth of the norm does not count."""
    for more, expected in ((1e-7, False), (1e-5, True)):
        least = 0.05 + 2 * more
        found = findings_by_hand({"one": [[least, 0.4], [0.0, 0.1]]})
        assert found.in_every_model.tolist() == [expected]


def test_a_record_leaves_its_makers_arrays_alone() -> None:
    mine = np.zeros((3, 2))
    probes = Probes("append", 3, 0, mine)
    assert mine.flags.writeable
    assert not probes.intervals.flags.writeable
    assert np.shares_memory(probes.intervals, mine)


def test_privileged_findings_are_frozen() -> None:
    found = findings_by_hand()
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'norm'"):
        found.norm = 1.0
    for values in (found.weight_ranges, found.intervals, found.relevance, found.needed):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


def test_the_bound_of_a_told_model_counts_privileged_weights_in_the_norm() -> None:
    """No regular norm of a good model is larger than the whole norm."""
    result = told_result(tolerance=0.1)
    told = 0.5 * np.abs(result.baseline.privileged_weights).sum()
    norm, loss = 1.1 * (result.baseline.norm + told), 1.1 * result.baseline.loss
    expected = bound_by_hand(result, privileged_table().X, norm, loss, 0.05)
    assert result.generalization_bound() == pytest.approx(expected)
