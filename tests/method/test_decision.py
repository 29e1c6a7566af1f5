"""What is proved? Thresholds, p-values and classes, by hand and by law."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relbounds import ClassificationRelevance, Relevance
from relbounds.exceptions import ConstantFeatureWarning
from relbounds.method.decision import (
    ChanceRule,
    benjamini_hochberg,
    chance_of_each,
    folded_p_values,
    folded_prediction_limit,
    holm,
    prediction_limit,
    thresholds,
)
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import RESOLUTION, Evidence, Probes, Shadows, Thresholds

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


@given(values, st.floats(0.5, 0.9999))
def test_what_reaches_a_limit_has_the_p_value_of_its_confidence(
    values: np.ndarray, confidence: float
) -> None:
    """Where chance varies more than what counts as rounding."""
    limit = folded_prediction_limit(values, confidence)
    if values.std(ddof=1) < 1e-3 or limit - values.mean() < 1e-3:
        return
    [p] = folded_p_values(np.array([limit]) + RESOLUTION, values)
    assert p == pytest.approx(1 - confidence, rel=1e-6)


@given(values, st.lists(st.floats(-200, 200), min_size=2, max_size=9).map(sorted))
def test_who_reaches_further_has_no_larger_p_value(values: np.ndarray, found: list) -> None:
    """Up to the rounding of a sum of two tails."""
    p = folded_p_values(np.array(found), values)
    assert (np.diff(p) <= 1e-15).all()
    assert ((p >= 0) & (p <= 1)).all()


def test_chance_that_never_varies_is_exceeded_or_not() -> None:
    """Equal values of chance: what lies above by more than rounding has p zero."""
    p = folded_p_values(np.array([0.1, 0.2, 0.2 + RESOLUTION / 2, 0.21]), np.full(10, 0.2))
    assert (p[0], p[-1]) == (1, 0)
    assert (p[1:-1] > 0.5).all()


def bounds(ranges: list[list[float]], **others: object) -> Bounds:
    """Of regular features beside ten probes that all reach ``LIMITS``."""
    ends = np.array(ranges)[None, :, None]
    of_probes = np.array([[LIMITS.minrel, LIMITS.maxrel]] * 10)
    given = {
        "side": "regular",
        "feature_names": tuple(f"x{k}" for k in range(len(ranges))),
        "ends": ends,
        "gaps": np.zeros(ends.shape[1:]),
        "probes": Probes("replace", 10, 0, of_probes),
        "shadows": (),
        "norm": 1.0,
        "over_functions": "max",
    }
    return Bounds(**given | others)


UNPROVED = 1.0


def decided(
    rule: ChanceRule,
    ranges: list[list[float]],
    alone: list[float] | None = None,
    needed: list[float] | None = None,
    untested: tuple[str, ...] = (),
) -> Findings:
    """What a rule makes of ranges and p-values; those that are not given prove nothing."""
    nothing = np.full(len(ranges), UNPROVED)
    evidence = Evidence(
        nothing if alone is None else np.array(alone),
        nothing if needed is None else np.array(needed),
    )
    return rule.decide(bounds(ranges), evidence, untested)


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
@pytest.mark.parametrize("p", [0.0, 1.0])
def test_in_the_paper_classes_are_those_of_intervals_whatever_else_is_known(
    interval: tuple[float, float], expected: Relevance, p: float
) -> None:
    found = decided(ChanceRule("probe"), [list(interval)], [p], [p])
    assert found.relevance.tolist() == [expected]
    assert found.needed.tolist() == [p == 0 and expected != Relevance.IRRELEVANT]


CHANCE, USEFUL, USED = [0.0, 0.15], [0.0, 0.5], [0.3, 0.5]
"""Ranges that chance reaches, that it does not, and that every good model shares besides."""


@pytest.mark.parametrize(
    ("interval", "alone", "needed", "expected", "is_needed"),
    [
        # none of the three
        (CHANCE, 0.0011, 0.0011, Relevance.IRRELEVANT, False),
        # each of the three by itself
        (CHANCE, 0.001, 1, Relevance.WEAK, False),
        (USEFUL, 1, 1, Relevance.WEAK, False),
        (CHANCE, 1, 0.001, Relevance.WEAK, True),
        # every good model uses it, but nothing proves that it adds to the others
        (USED, 0, 0.06, Relevance.WEAK, False),
        # every good model uses it, and it adds to the others
        (USED, 1, 0.04, Relevance.STRONG, True),
        # it adds to the others, but good models do without
        (USEFUL, 1, 0.0001, Relevance.WEAK, True),
        # needed by its error rate, but of no use by any evidence: not needed
        (CHANCE, 1, 0.01, Relevance.IRRELEVANT, False),
        # ... and proved to be of use alone
        (CHANCE, 0.0001, 0.01, Relevance.WEAK, True),
    ],
)
def test_classes_of_one_feature_follow_from_evidence(
    interval: list[float], alone: float, needed: float, expected: Relevance, is_needed: bool
) -> None:
    found = decided(ChanceRule(), [interval], [alone], [needed])
    assert found.relevance.tolist() == [expected]
    assert found.needed.tolist() == [is_needed]


def test_privileged_features_have_no_evidence_of_their_own_for_the_outcome() -> None:
    side = bounds([CHANCE, USED], side="privileged")
    found = ChanceRule().decide(side, Evidence(None, np.array([0.0, 0.0])))
    assert found.relevance.tolist() == [Relevance.WEAK, Relevance.STRONG]
    assert np.isnan(found.p_alone).all()


@pytest.mark.parametrize(
    ("selection", "expected"),
    [("fdr", [1, 1, 1, 0]), ("fwer", [1, 0, 0, 0]), ("evidence", [0, 0, 0, 0])],
)
def test_error_rates_are_those_of_the_best_evidence_times_three(
    selection: str, expected: list[int]
) -> None:
    """Smallest p-values 0.004, 0.008, 0.012, 0.5: times three 0.012, 0.024, 0.036, 1.

    Limits of Benjamini and Hochberg 0.0125, 0.025, 0.0375, 0.05; of Holm 0.0125, 0.0167.
    """
    alone, needed = [0.004, 0.9, 0.012, 0.5], [0.3, 0.008, 0.4, 0.6]
    rule = ChanceRule(selection, level=0.05)
    assert decided(rule, [CHANCE] * 4, alone, needed).relevance.tolist() == expected


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("evidence", [True, True, True, False]),
        ("fdr", [True, True, True, False]),
        ("fwer", [True, False, False, False]),
        ("probe", [True, True, True, False]),
    ],
)
def test_what_is_needed_keeps_the_error_rate_over_all_features(
    selection: str, expected: list[bool]
) -> None:
    """Of features that are all of use; limits as above."""
    needed = [0.012, 0.024, 0.036, 0.06]
    found = decided(ChanceRule(selection), [USED] * 4, [0.0] * 4, needed)
    assert found.needed.tolist() == expected
    strong = [True] * 4 if selection == "probe" else expected
    assert (found.relevance == Relevance.STRONG).tolist() == strong


@given(
    st.sampled_from(["evidence", "fdr", "fwer", "probe"]),
    st.lists(
        st.tuples(
            st.sampled_from([CHANCE, USEFUL, USED]),
            st.sampled_from([0, 1e-4, 0.002, 0.02, 1]),
            st.sampled_from([0, 1e-4, 0.002, 0.02, 1]),
            st.booleans(),
        ),
        min_size=1,
        max_size=8,
    ),
)
def test_classes_and_evidence_never_contradict_each_other(selection: str, features: list) -> None:
    intervals, alone, needed, is_tested = map(list, zip(*features, strict=True))
    gone = tuple(f"x{k}" for k, each in enumerate(is_tested) if not each)
    found = decided(ChanceRule(selection), intervals, alone, needed, gone)
    assert not found.relevance[~np.array(is_tested)].any()
    assert (found.relevance[found.needed] > 0).all()
    strong = found.relevance == Relevance.STRONG
    assert found.in_every_model[strong].all()
    if selection != "probe":
        assert found.needed[strong].all()
        others = decided(ChanceRule("fwer"), intervals, alone, needed, gone)
        if selection == "fdr":
            assert (found.relevance >= others.relevance).all()


def test_distances_are_signed() -> None:
    found = decided(ChanceRule(), [[0.0, 0.5], [-0.4, -0.3], [0.05, 0.1]])
    expected = [[-0.1, 0.3], [0.2, 0.2], [-0.05, -0.1]]
    np.testing.assert_allclose(found.threshold_distances, expected)
    assert found.in_every_model.tolist() == [False, True, False]


def test_a_sign_is_stable_where_no_good_model_has_the_other() -> None:
    ranges = [[0.1, 0.2], [-0.2, -0.1], [-0.1, 0.1], [0.0, 0.2], [-0.2, 0.0], [1e-9, 1]]
    assert bounds(ranges).signs.tolist() == [1, -1, 0, 0, 0, 0]


@pytest.mark.parametrize("selection", ["evidence", "fdr", "fwer", "probe"])
def test_what_cannot_be_used_is_irrelevant_without_a_test(selection: str) -> None:
    """A p-value of 0.015, times three, keeps 0.05 as the only test, and not as one of two."""
    ranges, p = [[0.0, 0.1], [0.0, 0.0]], [0.015, 1.0]
    expected = int(selection in {"fdr", "fwer"})
    rule = ChanceRule(selection)
    assert decided(rule, ranges, p, p, ("x1",)).relevance.tolist() == [expected, 0]
    assert decided(rule, ranges, p, p).relevance.tolist() == [0, 0]
    absent = decided(rule, [USED], [0.0], [0.0], ("x0",))
    assert (absent.relevance.tolist(), absent.needed.tolist()) == ([0], [False])


def test_a_features_own_shadows_count_more_than_probes() -> None:
    company = Shadows(1, np.tile([0.0, 0.7], (8, 1, 1)))
    side = bounds([[0.0, 0.5], [0.0, 0.5]], shadows=(company,))
    chance, p = chance_of_each(side, 0.999)
    np.testing.assert_allclose(chance, [0.2, 0.7])
    assert p.tolist() == [0, 1]


def test_columns_of_rare_values_give_no_probes_but_in_the_paper() -> None:
    """``4 p (1 - p)`` of a column of two values is 0.2 where one in 19 has the rarer one."""
    rng = np.random.RandomState(0)
    dummies = np.array([np.arange(1000) < 1000 * share for share in (0.5, 0.1, 0.04, 0.001)]).T
    columns = np.column_stack([rng.normal(size=1000), dummies])
    columns = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    assert ChanceRule().give_probes(columns).tolist() == [0, 1, 2]
    assert ChanceRule("fdr").give_probes(-3 * columns).tolist() == [0, 1, 2]
    assert ChanceRule("probe").give_probes(columns).tolist() == [0, 1, 2, 3, 4]
    assert ChanceRule().give_probes(columns[:, 3:]).tolist() == [0, 1], "where all are rare"


def test_where_all_columns_are_rare_or_constant_rare_ones_give_probes() -> None:
    X = np.zeros((120, 3))
    X[:5, 0] = X[20:26, 1] = 1
    y = np.arange(120) % 2
    with pytest.warns(ConstantFeatureWarning):
        model = ClassificationRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)
    assert model.result_.probes.solved == 10
    assert np.isfinite(model.result_.chance).all()
    assert model.relevance_[2] == 0


@pytest.mark.parametrize("level", np.random.default_rng(0).uniform(size=200).tolist())
def test_p_values_on_the_line_of_both_error_rates_are_found_by_both(level: float) -> None:
    """Where lines are the same number, for the smallest and the largest of p-values, they are."""
    for n in (2, 3, 7):
        smallest = np.r_[level / n, np.ones(n - 1)]
        assert benjamini_hochberg(smallest, level)[0]
        assert holm(smallest, level)[0]
        largest = np.full(n, level) / np.arange(n, 0, -1)
        assert holm(largest, level).all()
        assert benjamini_hochberg(largest, level).all()
