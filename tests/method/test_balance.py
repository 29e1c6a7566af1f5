"""Classes that count: in the loss by a power of their size, in all else as they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.class_weight import compute_sample_weight
from small_fits import PROBES, assert_same, estimator, facts, privileged_table, table

from benchmarks.unbalanced import Cell
from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.exceptions import DegenerateModelWarning
from relbounds.method.balance import POWERS, Balance, balances_for
from relbounds.method.tuning import Choice, simplest_first
from relbounds.problems import OrdinalProblem, SlackModel
from relbounds.results.result import RelevanceResult

TASKS = {"ordinal": OrdinalRelevance, "classification": ClassificationRelevance}


def uneven(task: str, n_samples: int = 300, share: float = 0.1, seed: int = 0):
    """One true feature, four idle ones, and few samples above the lowest class."""
    rng = np.random.RandomState(seed)
    X = rng.standard_normal((n_samples, 5))
    rank = np.argsort(np.argsort(1.5 * X[:, 0] + rng.logistic(size=n_samples))) / n_samples
    cuts = [1 - share] if task == "classification" else [1 - share, 1 - 0.4 * share]
    return X, np.digitize(rank, cuts)


# What classes count


def test_at_power_one_all_classes_weigh_the_same() -> None:
    """Of 90 and 10 samples each class is to weigh 50: 50 / 90 and 50 / 10."""
    np.testing.assert_allclose(Balance(1.0).of_classes(np.array([90.0, 10.0])), [5 / 9, 5])


def test_at_power_one_half_ratios_are_roots() -> None:
    """Of 36 and 4 samples the latter count three times as much: 36 a + 4 (3 a) = 40."""
    np.testing.assert_allclose(Balance(0.5).of_classes(np.array([36.0, 4.0])), [40 / 48, 120 / 48])


def test_a_class_without_samples_counts_nothing() -> None:
    np.testing.assert_allclose(Balance(1.0).of_classes(np.array([3.0, 0, 1])), [2 / 3, 0, 2])
    given = Balance(given=(1.0, 5.0, 2.0))
    assert given.of_classes(np.array([3.0, 0, 1])).tolist() == [1, 0, 2]
    assert given.in_loss(np.array([0.0, 0, 2]), np.array([1.0, 3, 1])).tolist() == [1, 3, 2]


@given(
    st.lists(st.floats(0.01, 1e6), min_size=2, max_size=6),
    st.sampled_from(POWERS),
)
def test_samples_count_one_on_average_and_rare_ones_no_less(sizes, power: float) -> None:
    sizes = np.sort(sizes)
    weights = Balance(power).of_classes(sizes)
    assert weights @ sizes == pytest.approx(sizes.sum())
    assert (np.diff(weights) <= 1e-9 * weights[:-1]).all()


def test_power_zero_changes_no_weight() -> None:
    weight = np.random.RandomState(0).uniform(size=5)
    assert Balance(0.0).in_loss(np.arange(5.0) % 2, weight) is weight


def test_there_is_nothing_to_choose_where_classes_are_of_nearly_the_same_size() -> None:
    assert balances_for(np.array([100.0, 110.0])) == (Balance(),)
    assert [each.power for each in balances_for(np.array([100.0, 111.0]))] == list(POWERS)


# In the loss, and nowhere else


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 7.5, 2: 2.0}], ids=str)
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_class_weights_are_sample_weights_of_the_loss(class_weight, budget: str) -> None:
    """Columns are not scaled here: class weights, unlike those of samples, have no say in that."""
    X, y = uneven("ordinal")
    given = {"standardize": False, "budget": budget}
    by_class = estimator("ordinal", class_weight=class_weight, **given).fit(X, y).result_
    weight = compute_sample_weight(class_weight, y)
    by_sample = estimator("ordinal", class_weight=None, **given).fit(X, y, sample_weight=weight)
    assert by_class.tolerances.norm == pytest.approx(by_sample.result_.tolerances.norm)
    assert_same(by_class.weight_ranges, by_sample.result_.weight_ranges)
    np.testing.assert_allclose(
        by_class.class_weights, weight[[np.argmax(y == k) for k in (0, 1, 2)]]
    )


def test_class_weights_are_sample_weights_of_read_slacks_too() -> None:
    X, y, X_priv, *_ = privileged_table()
    weights = {0: 1.0, 1: 3.0, 2: 2.0}
    given = {"C": 0.2, "gamma": 0.5, "standardize": False, "slack": "mixed"}
    by_class = estimator("ordinal", class_weight=weights, **given).fit(X, y, X_priv).result_
    weight = compute_sample_weight(weights, y)
    by_sample = estimator("ordinal", **given).fit(X, y, X_priv, sample_weight=weight).result_
    assert by_class.hyperparameters == pytest.approx(by_sample.hyperparameters)
    assert_same(by_class.weight_ranges, by_sample.weight_ranges)
    assert_same(by_class.privileged.weight_ranges, by_sample.privileged.weight_ranges)


def test_class_weights_and_sample_weights_multiply() -> None:
    X, y = uneven("classification")
    own = np.random.RandomState(1).uniform(0.5, 2, len(y))
    both = estimator("classification", class_weight={0: 1, 1: 4}, standardize=False)
    one = estimator("classification", class_weight=None, standardize=False)
    found = both.fit(X, y, sample_weight=own).result_
    expected = one.fit(X, y, sample_weight=own * np.where(y == 1, 4, 1)).result_
    assert_same(found.weight_ranges, expected.weight_ranges)


@pytest.mark.parametrize("task", TASKS)
def test_a_class_may_have_a_weight_though_its_samples_have_none(task: str) -> None:
    """Samples of weight zero are left out, and with them the third class."""
    X, y = uneven("ordinal", share=0.4)
    weights, counted = {0: 1.0, 1: 3.0, 2: 9.0}, y < 2
    found = estimator(task, class_weight=weights).fit(X, y, sample_weight=counted.astype(float))
    expected = estimator(task, class_weight={0: 1.0, 1: 3.0}).fit(X[counted], y[counted])
    assert facts(found) == facts(expected)
    assert found.result_.class_weights.tolist() == [1, 3]


def test_all_classes_times_ten_are_c_times_ten() -> None:
    X, y, _ = table("classification")
    heavy = estimator("classification", class_weight={0: 10, 1: 10}).fit(X, y).result_
    strict = estimator("classification", C=10.0).fit(X, y).result_
    assert_same(heavy.weight_ranges, strict.weight_ranges)


@pytest.mark.parametrize("task", TASKS)
def test_what_features_prove_alone_and_beside_others_has_no_class_weights(task: str) -> None:
    X, y = uneven(task, share=0.4)
    as_they_come, alike = (
        estimator(task, class_weight=asked).fit(X, y).result_ for asked in (None, "balanced")
    )
    np.testing.assert_array_equal(as_they_come.p_alone, alike.p_alone)
    np.testing.assert_array_equal(as_they_come.p_needed, alike.p_needed)


def test_a_confidence_interval_can_have_class_weights() -> None:
    X, y = uneven("classification")
    settings = {"tolerance": "confidence", "budget": "joint", "class_weight": "balanced"}
    result = estimator("classification", **settings).fit(X, y).result_
    low, high = result.weight_ranges[0]
    assert 0 < low < result.baseline.weights[0] < high
    assert result.class_weights is not None


# Tuning


@pytest.mark.parametrize("task", TASKS)
def test_even_classes_give_the_same_answer_at_the_same_cost(task: str) -> None:
    X, y, _ = table(task)
    auto, plain = (TASKS[task](class_weight=each, **PROBES).fit(X, y) for each in ("auto", None))
    assert facts(auto) == facts(plain)
    assert len(auto.result_.tuning) == 17
    assert auto.result_.class_weights is None


@pytest.mark.parametrize("task", TASKS)
def test_uneven_classes_are_tuned_by_the_rule_of_all_settings(task: str) -> None:
    X, y = uneven(task)
    result = TASKS[task](**PROBES).fit(X, y).result_
    assert {each.balance for each in result.tuning} == set(POWERS)
    table_ = [Choice(OrdinalProblem(), SlackModel(), each) for each in result.tuning]
    chosen = simplest_first(table_)[0].scored
    assert result.chosen is chosen
    everywhere = [each for each in result.tuning if each.balance == chosen.balance]
    assert len(everywhere) == 17, "the balance that is chosen is scored at every C"
    assert result.programs["tuning"] == 5 * len(result.tuning)
    assert result.data.class_sizes.tolist() == np.bincount(y).tolist()


def test_sample_weights_can_make_classes_even() -> None:
    X, y = uneven("classification")
    weight = compute_sample_weight("balanced", y)
    result = ClassificationRelevance(**PROBES).fit(X, y, sample_weight=weight).result_
    assert "balance" not in result.hyperparameters
    assert len(result.tuning) == 17


def test_what_is_told_of_classes_goes_by_the_weight_of_samples() -> None:
    X, y = uneven("classification", share=0.25)
    plain = estimator("classification").fit(X, y).result_.data
    assert (plain.class_shares, plain.is_even) == (None, False)
    even = estimator("classification").fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0)).result_
    assert even.data.class_sizes.tolist() == [225, 75]
    assert (even.data.class_shares.tolist(), even.data.is_even) == ([0.5, 0.5], True)
    again = RelevanceResult.from_dict(even.to_dict()).data
    assert again.class_shares.tolist() == [0.5, 0.5]


def test_where_c_is_given_classes_count_as_they_come() -> None:
    X, y = uneven("classification", share=0.4)
    auto, plain = (
        estimator("classification", class_weight=each).fit(X, y) for each in ("auto", None)
    )
    assert facts(auto) == facts(plain)
    assert auto.result_.tuning == ()


def test_with_privileged_features_other_balances_are_tried_at_one_gamma() -> None:
    X, y, X_priv, *_ = privileged_table(n_samples=40)
    y = np.where(y > 1, 1, 0)
    model = ClassificationRelevance(slack="mixed", cv=2, **PROBES).fit(X, y, X_priv)
    of_others = [each for each in model.result_.tuning if each.balance != 1]
    assert len([each for each in model.result_.tuning if each.balance == 1]) == 3 * 17
    assert {each.balance for each in of_others} == set(POWERS) - {1}


def test_prices_are_those_of_the_chosen_balance() -> None:
    X, y = uneven("classification")
    model = ClassificationRelevance(**PROBES).fit(X, y)
    price = model.price("x0")
    assert price.error == pytest.approx(model.result_.chosen.mean, rel=1e-9)
    assert price.error_without > price.error


def test_a_result_with_class_weights_survives_json() -> None:
    X, y = uneven("ordinal")
    result = OrdinalRelevance(**PROBES).fit(X, y).result_
    again = RelevanceResult.from_dict(result.to_dict())
    assert again.class_weights.tolist() == result.class_weights.tolist()
    assert again.data.class_sizes.tolist() == result.data.class_sizes.tolist()
    assert again.chosen.balance == result.chosen.balance


# Something to learn


@pytest.mark.parametrize("task", TASKS)
def test_the_majority_does_not_win_by_being_many(task: str) -> None:
    """A tenth of 300 samples above the lowest class: as classes come, no C has weights."""
    X, y = uneven(task)
    with pytest.warns(DegenerateModelWarning, match="Yet 1 of 5 features tells .*: x0"):
        TASKS[task](class_weight=None, **PROBES).fit(X, y)
    model = TASKS[task](**PROBES).fit(X, y)
    assert not model.result_.is_degenerate
    assert model.relevance_.tolist() == [2, 0, 0, 0, 0]
    assert len(np.unique(model.predict(X))) > 1


def many_zeros():
    """Three of four outcomes are 0, which is their median: naming it errs least."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((300, 4))
    return X, np.where(X[:, 0] + rng.standard_normal(300) > 1, rng.exponential(size=300), 0.0)


def test_a_best_model_that_learned_nothing_is_believed_only_if_no_feature_tells_anything() -> None:
    X, y = many_zeros()
    result = RegressionRelevance(**PROBES).fit(X, y).result_
    assert not result.is_degenerate
    assert result.relevance[0] > 0
    assert result.errs_more_than_a_constant
    with pytest.warns(DegenerateModelWarning, match="the target may have nothing to do with"):
        nothing = RegressionRelevance(**PROBES).fit(X[:, 1:], y).result_
    assert nothing.is_degenerate


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.1, 0.03])
@pytest.mark.parametrize("task", TASKS)
def test_what_a_rank_test_finds_is_found_and_models_have_weights(task: str, share: float) -> None:
    """30 draws of 600 samples, and 4 idle features in each."""
    found, idle = [], []
    for seed in range(30):
        X, y = uneven(task, 600, share, seed)
        model = TASKS[task](**PROBES).fit(X, y)
        assert not model.result_.is_degenerate
        found.append(model.relevance_[0] > 0)
        idle += (model.relevance_[1:] > 0).tolist()
    assert np.mean(found) >= 0.95
    assert np.mean(idle) <= 0.025


@pytest.mark.slow
def test_every_bound_of_many_samples_of_five_uneven_classes_is_proved() -> None:
    """No offset tells rare classes apart, interior points fail, and the exact engine is asked.

    Its usual precision, summed over 20,000 rows, was not enough for a proof.
    """
    X, y = Cell(20_000, 5, 0.1).sample(0.7, seed=0, n_idle=8)
    model = OrdinalRelevance(random_state=0, n_probes=10).fit(X, y)
    assert model.relevance_.tolist() == [2] + [0] * 8
    assert model.result_.certificate_gaps.max() <= 1e-7 * model.result_.norm
