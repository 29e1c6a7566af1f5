"""More than chance? Thresholds and classes, by hand and by law."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relbounds import Relevance
from relbounds.method.decision import (
    ChanceRule,
    classify,
    folded_prediction_limit,
    prediction_limit,
    thresholds,
)
from relbounds.results.findings import Bounds
from relbounds.results.records import RESOLUTION, Probes, Thresholds

LIMITS = Thresholds(minrel=0.1, maxrel=0.2)

values = st.lists(st.floats(-100, 100), min_size=2, max_size=30).map(np.array)
confidences = st.floats(0.5, 0.9999)


def test_relevance_is_a_number_and_grows_with_relevance() -> None:
    assert [*map(int, Relevance)] == [0, 1, 2]
    assert Relevance.IRRELEVANT < Relevance.WEAK < Relevance.STRONG
    assert Relevance(2).name == "STRONG"


def test_prediction_limit_of_two_values_by_hand() -> None:
    """Mean 1, standard deviation sqrt(2), factor sqrt(3/2).

    Student's distribution with one degree of freedom is Cauchy's: ``T(p) = tan(pi (p - 1/2))``,
    so ``T(0.75) = 1`` and the limit is ``1 + sqrt(3)``.
    """
    assert prediction_limit(np.array([0.0, 2.0]), 0.75) == pytest.approx(1 + np.sqrt(3))


@given(values, confidences)
def test_the_limit_lies_above_the_mean(values: np.ndarray, confidence: float) -> None:
    # Rounding of the mean itself, in units of the largest value.
    assert prediction_limit(values, confidence) >= values.mean() - 1e-12


@given(values, confidences, st.floats(0.01, 100), st.floats(-100, 100))
def test_the_limit_follows_units(
    values: np.ndarray, confidence: float, unit: float, shift: float
) -> None:
    moved = prediction_limit(unit * values + shift, confidence)
    expected = unit * prediction_limit(values, confidence) + shift
    # Sums of up to 30 values of size 1e4, whose quantile for one degree of freedom is 3e3.
    assert moved == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_values_that_are_all_equal_have_themselves_as_limit() -> None:
    assert prediction_limit(np.zeros(10), 0.999) == 0


def test_one_more_value_stays_below_the_limit_as_often_as_promised() -> None:
    """5 % of 4000 draws are 200, give or take 14: five standard deviations are allowed."""
    draws = np.random.RandomState(0).standard_normal((4000, 11))
    above = sum(row[-1] > prediction_limit(row[:-1], 0.95) for row in draws)
    assert abs(above - 200) < 5 * 14


def test_the_larger_of_two_ends_stays_below_its_limit_as_often_as_promised() -> None:
    """Weights of probes range from ``bZ - a`` to ``bZ + a``; of 4000 the same 200 may exceed.

    The normal limit, which takes ``maxrel`` for normal, is exceeded too often.
    """
    b, a = 0.3, 2.0
    middles = b * np.random.RandomState(0).standard_normal((4000, 21))
    maxrel = np.maximum(middles + a, a - middles)
    above = sum(row[-1] > folded_prediction_limit(row[:-1], 0.95) for row in maxrel)
    assert abs(above - 200) < 5 * 14
    assert sum(row[-1] > prediction_limit(row[:-1], 0.95) for row in maxrel) > above


def test_folded_limit_of_two_values_by_hand() -> None:
    """As above with ``T(3/4) = 1``; ``|Z|`` has mean sqrt(2/pi) and variance 1 - 2/pi."""
    b = np.sqrt(2) / np.sqrt(1 - 2 / np.pi)
    a = 1 - b * np.sqrt(2 / np.pi)
    limit = folded_prediction_limit(np.array([0.0, 2.0]), 0.5)
    assert limit == pytest.approx(a + b * np.sqrt(3 / 2))


def test_both_ends_have_their_own_threshold() -> None:
    intervals = np.random.RandomState(0).uniform(size=(20, 2))
    found = thresholds(intervals, 0.9)
    assert found.minrel == prediction_limit(intervals[:, 0], 0.9)
    assert found.maxrel == folded_prediction_limit(intervals[:, 1], 0.9)


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ((0.0, 0.0), Relevance.IRRELEVANT),
        ((0.0, 0.15), Relevance.IRRELEVANT),
        ((0.05, 0.5), Relevance.WEAK),
        ((0.3, 0.5), Relevance.STRONG),
        # minrel cannot make relevant what maxrel does not
        ((0.15, 0.19), Relevance.IRRELEVANT),
        # on a threshold is not above it
        ((0.1, 0.5), Relevance.WEAK),
        ((0.1, 0.2), Relevance.IRRELEVANT),
        # and rounding is no relevance
        ((0.1 + RESOLUTION / 2, 0.5), Relevance.WEAK),
        ((0.1 + RESOLUTION * 2, 0.5), Relevance.STRONG),
        ((0.0, 0.2 + RESOLUTION / 2), Relevance.IRRELEVANT),
        ((0.0, 0.2 + RESOLUTION * 2), Relevance.WEAK),
    ],
)
def test_classes_of_intervals(interval: tuple[float, float], expected: Relevance) -> None:
    assert classify(np.array([interval]), LIMITS).tolist() == [expected]


def bounds(ranges: list[list[float]]) -> Bounds:
    """Of regular features beside ten probes that all reach ``LIMITS``."""
    ends = np.array(ranges)[None, :, None]
    return Bounds(
        side="regular",
        feature_names=tuple(f"x{k}" for k in range(len(ranges))),
        ends=ends,
        gaps=np.zeros(ends.shape[1:]),
        probes=Probes("replace", 10, 0, np.array([[LIMITS.minrel, LIMITS.maxrel]] * 10)),
        norm=1.0,
        over_functions="max",
    )


def test_distances_are_signed() -> None:
    found = ChanceRule().decide(bounds([[0.0, 0.5], [-0.4, -0.3], [0.05, 0.1]]))
    expected = [[-0.1, 0.3], [0.2, 0.2], [-0.05, -0.1]]
    np.testing.assert_allclose(found.threshold_distances, expected)


def test_a_sign_is_stable_where_no_good_model_has_the_other() -> None:
    ranges = [[0.1, 0.2], [-0.2, -0.1], [-0.1, 0.1], [0.0, 0.2], [-0.2, 0.0], [1e-9, 1]]
    assert bounds(ranges).signs.tolist() == [1, -1, 0, 0, 0, 0]


@pytest.mark.parametrize("selection", ["probe", "fdr", "fwer"])
def test_constant_features_are_irrelevant_without_a_test(selection: str) -> None:
    """Beside ten probes the least p-value is 1/11: at 1/10 enough for one test, not for two."""
    found, rule = bounds([[0.3, 0.9], [0.0, 0.0]]), ChanceRule(selection, level=0.1)
    assert rule.decide(found, constant=["x1"]).relevance.tolist() == [Relevance.STRONG, 0]
    expected = Relevance.STRONG if selection == "probe" else Relevance.IRRELEVANT
    assert rule.decide(found).relevance.tolist() == [expected, 0]
