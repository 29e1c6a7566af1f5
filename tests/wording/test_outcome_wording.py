"""What is said of classes of different size, and of numbers that are odd."""

from dataclasses import replace

import numpy as np
import pytest
from report_cases import degenerate_result, tuned_result

from relbounds import RegressionRelevance
from relbounds.exceptions import DegenerateModelWarning
from relbounds.results.result import RelevanceResult
from relbounds.wording.first import on_a_bad_model
from relbounds.wording.outcome import on_classes, on_numbers
from relbounds.wording.relevance import summary


def sized(
    result: RelevanceResult, *sizes: int, weights: list[float] | None = None
) -> RelevanceResult:
    """The same result with classes of these sizes and weights."""
    data = replace(result.data, class_sizes=np.array(sizes), classes=tuple(range(len(sizes))))
    given = None if weights is None else np.array(weights)
    return replace(result, data=data, class_weights=given)


def weighing(result: RelevanceResult, *shares: float) -> RelevanceResult:
    """The same result of samples that differ in weight."""
    return replace(result, data=replace(result.data, class_shares=np.array(shares)))


def test_of_even_classes_nothing_is_said() -> None:
    assert on_classes(tuned_result()) == []
    assert on_classes(sized(tuned_result(), 100, 110)) == []


def test_sizes_and_weights_are_one_sentence() -> None:
    uneven = sized(tuned_result(), 900, 100, weights=[0.5, 4.5])
    [said] = on_classes(uneven)
    assert said == (
        "The classes differ in size (900 of 0, 100 of 1): in training, a sample of 1 counts 9 "
        "times as much as one of 0, as asked for."
    )
    tuned = tuple(replace(each, balance=power) for power in (0.0, 1.0) for each in uneven.tuning)
    assert "as one of 0, as cross-validation chose." in on_classes(replace(uneven, tuning=tuned))[0]


def test_weights_of_even_classes_are_told() -> None:
    [said] = on_classes(sized(tuned_result(), 100, 100, weights=[1.0, 3.0]))
    assert said.startswith("The classes are of nearly the same size (100 of 0, 100 of 1): in")


def test_samples_that_count_the_same_are_told() -> None:
    uneven = sized(tuned_result(), 900, 100)
    assert on_classes(uneven)[0].endswith(": each sample counts the same in training.")
    chosen = replace(uneven, hyperparameters=uneven.hyperparameters | {"balance": 0.0})
    assert on_classes(chosen)[0].endswith("the same in training, as cross-validation chose.")


def test_of_samples_that_differ_in_weight_shares_of_weight_are_told() -> None:
    """900 and 100 samples that weigh the same together are even; 500 and 500 need not be."""
    even = weighing(sized(tuned_result(), 900, 100), 0.5, 0.5)
    assert on_classes(even) == []
    asked = weighing(sized(tuned_result(), 500, 500, weights=[0.5, 2.0]), 0.962, 0.038)
    [said] = on_classes(asked)
    assert said == (
        "The classes differ in weight (96 % 0, 3.8 % 1): in training, a sample of 1 counts 4 times "
        "as much as one of 0 of the same weight, as asked for."
    )
    plain = weighing(sized(tuned_result(), 500, 500), 0.9, 0.1)
    assert on_classes(plain)[0].endswith(": each sample counts by its weight in training.")


def test_of_many_classes_the_smallest_and_the_largest_are_named() -> None:
    [said] = on_classes(sized(tuned_result(), 20, 30, 1500, 80, 60, 50, 5))
    assert "(from 5 of 6 to 1,500 of 2)" in said


def test_numbers_that_are_mostly_the_same_or_skewed_get_a_hint() -> None:
    """Of 100 numbers 60 are 0; of exponential ones the logarithm is near to normal."""
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((100, 2)), rng.standard_normal(100)
    settings = {"C": 1.0, "epsilon": 0.1, "n_probes": 10, "random_state": 0}
    plain = RegressionRelevance(**settings).fit(X, y + X[:, 0]).result_
    assert on_numbers(plain) == []
    assert plain.data.largest_tie == pytest.approx(0.01)
    assert abs(plain.data.skew) < 1
    tied = np.where(np.arange(100) < 60, 0.0, y + 5 * X[:, 0])
    [hint] = on_numbers(RegressionRelevance(**settings | {"C": 10.0}).fit(X, tied).result_)
    assert hint.startswith("60 % of the outcomes have the same value")
    [hint] = on_numbers(RegressionRelevance(**settings).fit(X, np.exp(y + X[:, 0])).result_)
    assert "far larger than the rest (skewness" in hint
    assert on_numbers(tuned_result()) == [], "of classes there is none"


def test_a_model_that_learns_nothing_of_mostly_the_same_numbers_says_so() -> None:
    X = np.random.RandomState(0).standard_normal((60, 2))
    y = np.where(np.arange(60) < 50, 0.0, X[:, 0])
    with pytest.warns(DegenerateModelWarning, match="Most outcomes have the same value"):
        RegressionRelevance(C=1e-4, epsilon=0.0, n_probes=10).fit(X, y)


def test_a_model_worse_than_a_constant_is_the_first_that_is_said() -> None:
    good = tuned_result()
    assert on_a_bad_model(good) == []
    bad = replace(good, tuning=tuple(replace(each, errors=np.full(5, 1.3)) for each in good.tuning))
    assert bad.errs_more_than_a_constant
    assert summary(bad)[0].startswith("The best model predicts worse than one that gives the same")
    assert summary(bad)[1:] == summary(good)


@pytest.mark.parametrize(
    ("weights", "powers", "said"),
    [
        (None, [], "and classes of different size counted as they come. class_weight='balanced'"),
        ([1.0, 3.0], [], "and classes counted by their weights. If C is too small"),
        (None, [0.0, 1.0], "rare classes that count as they come, up to as much as frequent ones"),
    ],
)
def test_where_nothing_was_learned_it_is_said_what_was_tried(weights, powers, said) -> None:
    nothing = sized(degenerate_result(), 70, 10, weights=weights)
    tuning = tuple(
        replace(each, balance=power) for power in powers for each in tuned_result().tuning
    )
    why = replace(nothing, tuning=tuning).why_degenerate
    assert said in why
    assert "nothing to do with" not in why
    assert ("17 values of C from" in why) == bool(powers)
