"""What a fit finds: invariants, budgets, probes, labels, selection."""

from itertools import pairwise
from linecache import getline

import numpy as np
import pandas as pd
import pytest
from small_fits import ESTIMATORS, FIXED, PROBES, PROVED, assert_same, estimator, facts, table

from relbounds import OrdinalRelevance, Relevance
from relbounds.datasets import make_ordinal
from relbounds.engine import ENGINES
from relbounds.exceptions import (
    ConstantFeatureWarning,
    DegenerateModelWarning,
    TooFewProbesError,
)
from relbounds.method.scaling import Scaling
from relbounds.method.training_data import Table

TASKS = list(ESTIMATORS)
SETTINGS = [
    pytest.param(task, {"budget": budget} | order, id="-".join([task, budget, *order.values()]))
    for task, order in [
        ("ordinal", {"order": "explicit"}),
        ("ordinal", {"order": "implicit"}),
        ("classification", {}),
        ("regression", {}),
    ]
    for budget in ("split", "joint")
]


def ranges(task: str, X, y, **settings) -> np.ndarray:
    return estimator(task, **settings).fit(X, y).weight_ranges_


# The same answer


@pytest.mark.parametrize("task", TASKS)
def test_refit_gives_the_same_answer(task: str) -> None:
    X, y, _ = table(task)
    model = ESTIMATORS[task](**PROBES)
    assert (
        facts(model.fit(X, y))
        == facts(model.fit(X, y))
        == facts(ESTIMATORS[task](**PROBES).fit(X, y))
    )


@pytest.mark.parametrize("task", TASKS)
def test_any_number_of_jobs_gives_the_same_answer(task: str) -> None:
    """To the last bit: work is cut into the same pieces whoever does them."""
    X, y, _ = table(task)
    alone = facts(ESTIMATORS[task](**PROBES).fit(X, y))
    for n_jobs in (1, 2):
        assert facts(ESTIMATORS[task](**PROBES, n_jobs=n_jobs).fit(X, y)) == alone


def test_another_random_state_gives_other_probes_but_the_same_ranges() -> None:
    X, y, _ = table()
    one, other = (estimator("ordinal", random_state=seed).fit(X, y).result_ for seed in (0, 1))
    assert not np.array_equal(one.probes.intervals, other.probes.intervals)
    np.testing.assert_array_equal(one.weight_ranges, other.weight_ranges)


def test_a_random_state_object_goes_on_from_fit_to_fit() -> None:
    X, y, _ = table()
    model = estimator("ordinal", random_state=np.random.RandomState(0))
    first = model.fit(X, y).result_.probes.intervals
    assert not np.array_equal(first, model.fit(X, y).result_.probes.intervals)


# Facts that hold whatever the data


@pytest.mark.parametrize(("task", "settings"), SETTINGS)
def test_intervals_are_ordered_and_hold_the_best_model(task: str, settings: dict) -> None:
    X, y, _ = table(task)
    result = estimator(task, **settings).fit(X, y).result_
    minrel, maxrel = result.raw_intervals.T
    low, high = result.weight_ranges.T
    slack = PROVED * result.baseline.norm
    assert (minrel >= 0).all()
    assert (minrel <= maxrel).all()
    assert (maxrel <= result.norm_limit + slack).all()
    assert (low <= result.baseline.weights + slack).all()
    assert (result.baseline.weights <= high + slack).all()
    assert result.baseline.norm == pytest.approx(np.abs(result.baseline.weights).sum())
    assert (result.certificate_gaps <= 1e-7 * result.baseline.norm).all()


@pytest.mark.parametrize("task", TASKS)
def test_attributes_are_those_of_the_result(task: str) -> None:
    X, y, _ = table(task)
    model = estimator(task).fit(X, y)
    result = model.result_
    np.testing.assert_array_equal(model.intervals_, result.raw_intervals / result.baseline.norm)
    np.testing.assert_array_equal(model.weight_ranges_, result.weight_ranges)
    np.testing.assert_array_equal(model.relevance_, result.relevance)
    np.testing.assert_array_equal(model.support_, result.relevance > Relevance.IRRELEVANT)


@pytest.mark.parametrize("task", TASKS)
def test_truth_is_found_under_a_noisy_target(task: str) -> None:
    """The copies are exact ones: noise in them would make each of them worth having."""
    X, score, truth = table("regression", n_samples=100, noise=0)
    score += 0.3 * np.random.RandomState(1).standard_normal(100)
    cuts = {"ordinal": [0.2, 0.4, 0.6, 0.8], "classification": [0.5]}
    y = np.digitize(score, np.quantile(score, cuts[task])) if task in cuts else score
    model = ESTIMATORS[task](random_state=0).fit(X, y)
    assert model.relevance_.tolist() == truth.tolist()
    assert model.transform(X).shape == (100, 4)


@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_two_ordered_classes_are_a_classification(order: str, budget: str) -> None:
    X, y, _ = table("classification")
    ordinal = estimator("ordinal", order=order, budget=budget).fit(X, y)
    plain = estimator("classification", budget=budget).fit(X, y)
    assert_same(ordinal.weight_ranges_, plain.weight_ranges_)
    assert_same(ordinal.intervals_, plain.intervals_)
    np.testing.assert_array_equal(ordinal.predict(X), plain.predict(X))
    # One minus the distance in ranks is the balanced accuracy.
    assert 1 + ordinal.score(X, y) == pytest.approx(plain.score(X, y))


@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_only_the_order_of_classes_counts(order: str) -> None:
    X, y, _ = table()
    labels = np.array([-7, 1, 2, 10, 50])
    plain = estimator("ordinal", order=order).fit(X, y)
    renamed = estimator("ordinal", order=order).fit(X, labels[y])
    np.testing.assert_array_equal(renamed.weight_ranges_, plain.weight_ranges_)
    np.testing.assert_array_equal(renamed.relevance_, plain.relevance_)
    np.testing.assert_array_equal(renamed.predict(X), labels[plain.predict(X)])
    assert renamed.score(X, labels[y]) == plain.score(X, y)


@pytest.mark.parametrize(("task", "settings"), SETTINGS)
def test_reversing_the_order_mirrors_the_ranges(task: str, settings: dict) -> None:
    X, y, _ = table(task)
    forward = ranges(task, X, y, **settings)
    backward = ranges(task, X, y.max() - y, **settings)
    assert_same(backward, -forward[:, ::-1])


@pytest.mark.parametrize(("task", "settings"), SETTINGS)
def test_permuting_columns_permutes_ranges(task: str, settings: dict) -> None:
    X, y, _ = table(task)
    order = np.array([3, 5, 0, 1, 4, 2])
    assert_same(ranges(task, X[:, order], y, **settings), ranges(task, X, y, **settings)[order])


@pytest.mark.parametrize(("task", "settings"), SETTINGS)
def test_flipping_a_sign_mirrors_one_range_and_changes_no_interval(
    task: str, settings: dict
) -> None:
    X, y, _ = table(task)
    flip = np.array([-1, 1, 1, -1, 1, 1])
    plain, flipped = (estimator(task, **settings).fit(each, y) for each in (X, X * flip))
    mirrored = np.sort(plain.weight_ranges_ * flip[:, None], axis=1)
    assert_same(flipped.weight_ranges_, mirrored)
    assert_same(flipped.intervals_, plain.intervals_)


@pytest.mark.parametrize("task", TASKS)
def test_units_of_columns_do_not_matter(task: str) -> None:
    """Unless columns are to be taken as they are."""
    X, y, _ = table(task)
    units = np.array([1000, 1, 1, 0.001, 1, 1])
    assert_same(ranges(task, X * units + 5, y), ranges(task, X, y))
    as_given, rescaled = (ranges(task, each, y, standardize=False) for each in (X, X * units))
    assert not np.allclose(as_given, rescaled, atol=1e-3)


def test_units_of_a_regression_target_do_not_matter() -> None:
    X, y, _ = table("regression")
    metres = estimator("regression").fit(X, y)
    kilometres = estimator("regression").fit(X, y / 1000 + 7)
    assert_same(kilometres.weight_ranges_, metres.weight_ranges_)
    # Predictions follow from certified weights, but offsets are free within the tube.
    np.testing.assert_allclose(kilometres.predict(X), metres.predict(X) / 1000 + 7, rtol=1e-6)


def test_without_standardising_weights_are_those_of_the_given_columns() -> None:
    """A standardised table is the same table."""
    X, y, _ = table()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert_same(ranges("ordinal", X, y, standardize=False), ranges("ordinal", X, y))


@pytest.mark.parametrize(("task", "settings"), SETTINGS)
def test_twins_are_never_strong(task: str, settings: dict) -> None:
    """Each can stand in for the other, so neither is needed, and both reach equally far."""
    X, y, _ = table(task, weak_groups=(), n_strong=3)
    model = estimator(task, **settings).fit(np.column_stack([X, X[:, 0]]), y)
    first, last = model.intervals_[[0, -1]]
    assert first[0] == pytest.approx(0, abs=PROVED)
    assert last[0] == pytest.approx(0, abs=PROVED)
    assert first[1] == pytest.approx(last[1], abs=PROVED)
    assert model.relevance_[[0, -1]].tolist() == [Relevance.WEAK, Relevance.WEAK]


@pytest.mark.parametrize(("task", "settings"), SETTINGS)
def test_intervals_grow_with_the_tolerance(task: str, settings: dict) -> None:
    X, y, _ = table(task)
    nested = [ranges(task, X, y, tolerance=each, **settings) for each in (0, 0.01, 0.1, 0.5)]
    for narrow, wide in pairwise(nested):
        slack = PROVED * np.abs(wide).max()
        assert (wide[:, 0] <= narrow[:, 0] + slack).all()
        assert (narrow[:, 1] <= wide[:, 1] + slack).all()


# Budgets


def standardised(X) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


def hinge_losses(result, X, y) -> np.ndarray:
    """Losses of the best model for two classes, by hand."""
    scores = standardised(X) @ result.baseline.weights - result.baseline.offsets[0]
    return np.maximum(0, 1 - np.where(y == 1, 1, -1) * scores)


def test_automatic_tolerance_is_the_standard_error_of_the_mean_loss() -> None:
    X, y, _ = table("classification")
    result = estimator("classification").fit(X, y).result_
    losses = hinge_losses(result, X, y)
    expected = losses.std() / np.sqrt(len(losses)) / losses.mean()
    assert result.tolerances.norm == result.tolerances.loss == pytest.approx(expected)
    assert result.norm_limit == pytest.approx((1 + expected) * result.baseline.norm)
    assert result.loss_limit == pytest.approx((1 + expected) * losses.sum())


def test_automatic_joint_tolerance_is_c_times_the_standard_error_of_the_total_loss() -> None:
    X, y, _ = table("classification")
    C = 0.7
    result = estimator("classification", budget="joint", C=C).fit(X, y).result_
    losses = hinge_losses(result, X, y)
    objective = result.baseline.norm / 2 + C * losses.sum()
    extra = C * losses.std() * np.sqrt(len(losses))
    assert result.tolerances.norm == pytest.approx(extra / objective)
    assert result.tolerances.loss is None
    assert result.norm_limit == pytest.approx(2 * (objective + extra))
    assert result.loss_limit == pytest.approx((objective + extra) / C)


def test_a_number_as_tolerance_is_used_as_it_is() -> None:
    X, y, _ = table()
    result = estimator("ordinal", tolerance=0.05).fit(X, y).result_
    assert (result.tolerances.norm, result.tolerances.loss) == (0.05, 0.05)
    assert result.norm_limit == pytest.approx(1.05 * result.baseline.norm)
    assert result.loss_limit == pytest.approx(1.05 * result.baseline.loss)


def test_loss_tolerance_is_for_the_loss_alone() -> None:
    X, y, _ = table()
    result = estimator("ordinal", tolerance=0.05, loss_tolerance=0.2).fit(X, y).result_
    assert result.norm_limit == pytest.approx(1.05 * result.baseline.norm)
    assert result.loss_limit == pytest.approx(1.2 * result.baseline.loss)
    result = estimator("ordinal", tolerance=0.05, loss_tolerance="auto").fit(X, y).result_
    automatic = estimator("ordinal").fit(X, y).result_
    assert result.tolerances.norm == 0.05
    assert result.tolerances.loss == automatic.tolerances.loss


@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("task", TASKS)
def test_data_without_loss_get_the_documented_tolerance(task: str, budget: str) -> None:
    """A standard error of nothing says nothing, so it is 0.1, and 0 stays the loss limit."""
    X, y, truth = table(task, noise=0, n_samples=150)
    tube = {"epsilon": 0.5} if task == "regression" else {}
    model = estimator(task, C=1000.0, budget=budget, n_probes=50, **tube).fit(X, y)
    result = model.result_
    assert result.baseline.loss == pytest.approx(0, abs=1e-9 * len(y))
    assert result.tolerances.norm == 0.1
    if budget == "split":
        assert result.loss_limit == 0
    np.testing.assert_array_equal(result.relevance, truth)


def test_auto_is_not_the_constant_where_there_is_loss() -> None:
    X, y, _ = table()
    assert estimator("ordinal").fit(X, y).result_.tolerances.norm != 0.1


# Nothing to say


@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("selection", ["evidence", "probe"])
def test_a_best_model_without_weights_is_told_once_and_weights_prove_nothing(
    task: str, budget: str, selection: str
) -> None:
    """By the paper's rule nothing is relevant then; what features tell without a model counts."""
    X, y, _ = table(task)
    with pytest.warns(DegenerateModelWarning, match="uses no feature at all") as told:
        model = estimator(task, C=1e-6, budget=budget, selection=selection).fit(X, y)
    assert [warning.filename for warning in told] == [__file__]
    result = model.result_
    assert result.is_degenerate
    assert result.thresholds is None
    assert result.probes is None
    assert result.tolerances is None
    assert not result.intervals.any()
    assert not result.weight_ranges.any()
    assert (result.p_in_models == 1).all()
    proved = (np.fmin(result.p_alone, result.p_needed) <= 0.001) & (selection == "evidence")
    assert result.relevance.tolist() == proved.astype(int).tolist(), "and nothing is strong"
    assert model.support_.tolist() == proved.tolist()
    assert proved.any() == (selection == "evidence")
    assert not result.in_every_model.any()
    assert result.to_frame()["maxrel_over_threshold"].isna().all()
    assert len(np.unique(model.predict(X))) == 1


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_min_features_fills_even_an_empty_selection() -> None:
    X, y, _ = table()
    model = estimator("ordinal", C=1e-6, min_features=2, selection="probe").fit(X, y)
    assert not model.relevance_.any()
    assert model.transform(X).shape == (len(X), 2)


# Random targets often leave the best model without any weight: that is the point.
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_pure_noise_selects_nothing_for_most_seeds() -> None:
    """With six features at a confidence of 0.999 one seed in ten is generous."""
    selected = 0
    for seed in range(10):
        rng = np.random.RandomState(seed)
        X, y = rng.standard_normal((60, 6)), rng.randint(0, 4, 60)
        selected += OrdinalRelevance(random_state=seed).fit(X, y).support_.any()
    assert selected <= 1


@pytest.mark.parametrize("C", [1.0, None])
def test_constant_columns_are_told_once_by_name_and_get_zero(C: float | None) -> None:
    X, y, _ = table()
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(b=3.0, g=0.1)
    with pytest.warns(ConstantFeatureWarning, match="2 feature.*: b, g") as told:
        model = estimator("ordinal", C=C).fit(frame, y)
    assert [getline(each.filename, each.lineno).strip() for each in told] == [
        'model = estimator("ordinal", C=C).fit(frame, y)'
    ]
    result = model.result_
    assert result.data.constant_features == ("b", "g")
    assert not result.weight_ranges[[1, 6]].any()
    assert not result.relevance[[1, 6]].any()
    np.testing.assert_array_equal(model.predict(frame), model.predict(frame.assign(b=99.0)))
    assert_same(
        np.delete(result.weight_ranges, [1, 6], axis=0),
        ranges("ordinal", np.delete(X, 1, axis=1), y, C=result.hyperparameters["C"]),
    )


@pytest.mark.parametrize("seed", [36, 58, 126])
@pytest.mark.parametrize("engine", ENGINES)
def test_without_tolerance_columns_of_very_different_size_are_proved(
    engine: str, seed: int
) -> None:
    """Multipliers are large there, and a solver's tolerance of them too much for a proof."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(16, 2))
    y = X.sum(axis=1) + rng.normal(size=16) > 0
    model = estimator(
        "ordinal",
        order="implicit",
        budget="joint",
        tolerance=0,
        standardize=False,
        engine=engine,
    ).fit(X * [0.03, 700.0], y.astype(int))
    assert model.result_.certificate_gaps.max() <= 1e-7 * model.result_.norm


def test_to_ask_for_constant_columns_says_nothing() -> None:
    """Warnings are errors here."""
    X = np.array([[1.0, 2.0], [1.0, 3.0]])
    scaling = Scaling.of(X, np.ones(2), standardize=True)
    assert Table(("a", "b"), scaling.apply(X), scaling.varies).constant == ("a",)


@pytest.mark.parametrize("C", [1.0, None])
@pytest.mark.parametrize("task", TASKS)
def test_a_table_of_constant_columns_has_no_relevant_feature(task: str, C: float | None) -> None:
    X, y, _ = table(task)
    with (
        pytest.warns(ConstantFeatureWarning, match="6 feature"),
        pytest.warns(DegenerateModelWarning, match="uses no feature at all"),
    ):
        model = estimator(task, C=C).fit(np.ones_like(X), y)
    assert not model.relevance_.any()


# Sample weights


@pytest.mark.parametrize("task", TASKS)
def test_a_sample_of_weight_zero_is_no_sample(task: str) -> None:
    """Even if it alone has some class, or makes a column vary."""
    X, y, _ = table(task)
    weight = np.ones(len(y))
    weight[::7] = 0
    counted = weight > 0
    with_zeros = estimator(task).fit(X, y, sample_weight=weight)
    without = estimator(task).fit(X[counted], y[counted])
    assert facts(with_zeros) == facts(without)


def test_given_splits_may_be_masks() -> None:
    X, y, _ = table()
    even = np.arange(len(y)) % 2 == 0
    masks, numbers = [(even, ~even)], [(np.flatnonzero(even), np.flatnonzero(~even))]
    by_masks = OrdinalRelevance(cv=masks, **PROBES).fit(X, y)
    assert facts(by_masks) == facts(OrdinalRelevance(cv=numbers, **PROBES).fit(X, y))


def test_given_splits_speak_of_all_rows_where_some_have_no_weight() -> None:
    X, y, _ = table()
    weight = np.repeat([0.0, 1.0], [20, 60])
    rows = np.arange(80)
    splits = [(rows[rows % 2 == part], rows[rows % 2 != part]) for part in (0, 1)]
    weighted = OrdinalRelevance(cv=splits, **PROBES).fit(X, y, sample_weight=weight)
    splits = [(train[train >= 20] - 20, test[test >= 20] - 20) for train, test in splits]
    assert facts(weighted) == facts(OrdinalRelevance(cv=splits, **PROBES).fit(X[20:], y[20:]))


@pytest.mark.parametrize("task", TASKS)
def test_whole_weights_are_repeated_rows(task: str) -> None:
    """For the best model and, at a given tolerance, for the ranges. Probes permute rows."""
    X, y, _ = table(task)
    weight = np.arange(len(y)) % 3 + 1
    weighted = estimator(task, tolerance=0.1).fit(X, y, sample_weight=weight).result_
    repeated = (
        estimator(task, tolerance=0.1).fit(X.repeat(weight, axis=0), y.repeat(weight)).result_
    )
    assert weighted.baseline.norm == pytest.approx(repeated.baseline.norm, rel=PROVED)
    assert weighted.baseline.loss == pytest.approx(repeated.baseline.loss, rel=PROVED)
    assert_same(weighted.weight_ranges, repeated.weight_ranges)


@pytest.mark.parametrize("task", TASKS)
def test_weights_times_ten_are_c_times_ten(task: str) -> None:
    """Weights do not pretend to be more samples: the automatic tolerance stays the same."""
    X, y, _ = table(task)
    heavy = estimator(task).fit(X, y, sample_weight=np.full(len(y), 10.0)).result_
    strict = estimator(task, C=10.0).fit(X, y).result_
    assert heavy.tolerances.norm == pytest.approx(strict.tolerances.norm, rel=PROVED)
    assert_same(heavy.weight_ranges, strict.weight_ranges)


# Selection


def test_kept_features_are_selected_whatever_their_relevance() -> None:
    X, y, _ = table()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    for keep in (["f"], [5], np.array([5]), ("f", 0)):
        model = estimator("ordinal", keep=keep).fit(frame, y)
        assert model.relevance_[5] == Relevance.IRRELEVANT
        assert model.get_feature_names_out().tolist() == ["a", "b", "c", "d", "f"]


def test_min_features_adds_those_that_reach_furthest() -> None:
    X, y, _ = table()
    plain = estimator("ordinal").fit(X, y)
    more = estimator("ordinal", min_features=5).fit(X, y)
    added = np.flatnonzero(more.support_ & ~plain.support_)
    left = np.flatnonzero(~more.support_)
    assert more.support_.sum() == 5
    assert plain.intervals_[added, 1] >= plain.intervals_[left, 1].max()
    assert (
        estimator("ordinal", min_features=3).fit(X, y).support_.tolist() == plain.support_.tolist()
    )


# Probes


@pytest.mark.parametrize("mode", ["append", "replace", "refit"])
@pytest.mark.parametrize("task", TASKS)
def test_probes_of_every_mode_are_counted(task: str, mode: str) -> None:
    X, y, truth = table(task, weak_groups=(), n_strong=1, n_irrelevant=4)
    result = estimator(task, probes=mode, n_probes=30).fit(X, y).result_
    assert (result.probes.mode, result.probes.asked) == (mode, 30)
    assert result.probes.solved + result.probes.infeasible == 30
    assert result.probe_intervals.shape == (result.probes.solved, 2)
    assert result.relevance.tolist() == truth.tolist()
    if mode != "replace":
        assert result.probes.infeasible == 0


def test_replacing_a_strong_feature_leaves_no_good_model_and_is_counted() -> None:
    X, y, _ = make_ordinal(
        80, n_strong=1, weak_groups=(), n_irrelevant=4, noise=0.3, random_state=0
    )
    model = estimator("ordinal", probes="replace", n_probes=30, tolerance=0.01).fit(X, y)
    probes = model.result_.probes
    assert 0 < probes.infeasible < 20
    assert probes.solved == 30 - probes.infeasible


def test_too_few_solved_probes_are_an_error() -> None:
    """All features of clean data are needed, so every replaced one leaves no good model."""
    X, y, _ = make_ordinal(80, n_strong=6, weak_groups=(), n_irrelevant=0, random_state=0)
    model = OrdinalRelevance(C=10.0, tolerance=0.01, probes="replace", n_probes=30, random_state=0)
    with pytest.raises(TooFewProbesError, match=r"Only 0 of 30 probes .* probes='append'"):
        model.fit(X, y)
    assert not hasattr(model, "result_")


def test_probes_that_are_appended_can_always_be_done_without() -> None:
    X, y, _ = table()
    result = estimator("ordinal").fit(X, y).result_
    assert not result.probe_intervals[:, 0].any()
    assert result.thresholds.minrel == 0


def test_a_lower_confidence_lowers_the_threshold() -> None:
    X, y, _ = table()
    strict, lax = (
        estimator("ordinal", confidence=each).fit(X, y).result_.thresholds for each in (0.999, 0.9)
    )
    assert lax.maxrel < strict.maxrel


# Labels

LEVELS = ["low", "mid", "high"]


@pytest.mark.parametrize(
    ("labels", "settings"),
    [
        pytest.param(np.array(LEVELS), {"classes": LEVELS}, id="text in a given order"),
        pytest.param(np.array(LEVELS, dtype=object), {"classes": LEVELS}, id="objects"),
        pytest.param(np.array([1, 2, 3]), {}, id="from one"),
        pytest.param(np.array([-5, 0, 40], dtype=np.int8), {}, id="negatives and gaps"),
        pytest.param(np.array([1.0, 2.0, 4.0]), {}, id="whole floats"),
        pytest.param(np.array([1, 2, 3], dtype=object), {}, id="numbers as objects"),
        pytest.param(np.array([3, 1, 2]), {"classes": [3, 1, 2]}, id="numbers, another order"),
    ],
)
def test_labels_come_back_as_they_were_given(labels: np.ndarray, settings: dict) -> None:
    X, y, _ = table(n_classes=3)
    model = estimator("ordinal", **settings).fit(X, labels[y])
    plain = estimator("ordinal").fit(X, y)
    predicted = model.predict(X)
    assert predicted.dtype == labels.dtype
    np.testing.assert_array_equal(predicted, labels[plain.predict(X)])
    np.testing.assert_array_equal(model.classes_, labels)
    np.testing.assert_array_equal(model.weight_ranges_, plain.weight_ranges_)
    assert model.score(X, labels[y]) == plain.score(X, y)
    assert model.result_.data.classes == tuple(labels.tolist())


@pytest.mark.parametrize("wrap", [pd.Series, pd.Categorical])
def test_an_ordered_categorical_brings_its_order(wrap) -> None:
    """Not the alphabetical one, and without classes that do not occur."""
    X, y, _ = table(n_classes=3)
    levels = pd.CategoricalDtype(["none", *LEVELS], ordered=True)
    model = estimator("ordinal").fit(X, wrap(np.array(LEVELS)[y], dtype=levels))
    assert model.classes_.tolist() == LEVELS
    np.testing.assert_array_equal(model.weight_ranges_, ranges("ordinal", X, y))
    assert set(model.predict(X)) <= set(LEVELS)


def test_classes_that_do_not_occur_are_no_classes() -> None:
    X, y, _ = table(n_classes=3)
    text = np.array(LEVELS)[y]
    model = estimator("ordinal", classes=["none", "low", "mid", "high", "top"]).fit(X, text)
    assert model.classes_.tolist() == LEVELS
    np.testing.assert_array_equal(model.weight_ranges_, ranges("ordinal", X, y))


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [-1, 1], [10, 20]])
def test_a_classification_takes_any_two_labels(labels: list) -> None:
    X, y, _ = table("classification")
    labels = np.array(labels)
    model = estimator("classification").fit(X, labels[y])
    assert model.predict(X).dtype == labels.dtype
    assert set(model.predict(X)) <= set(labels)
    np.testing.assert_array_equal(model.weight_ranges_, ranges("classification", X, y))


def test_score_counts_labels_from_one_as_ranks() -> None:
    """The authors' code looked for the classes 0..k-1 only."""
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y + 1)
    by_class = [np.abs(model.predict(X[y == each]) - each - 1).mean() for each in range(5)]
    assert model.score(X, y + 1) == pytest.approx(-np.mean(by_class))


def test_a_regression_predicts_in_the_units_of_the_target() -> None:
    X, y, _ = table("regression", noise=0.05)
    model = estimator("regression", C=100.0, epsilon=0.0).fit(X, 1000 + 50 * y)
    assert model.score(X, 1000 + 50 * y) > 0.95


# Progress


def test_verbose_shows_what_is_being_solved(capsys: pytest.CaptureFixture[str]) -> None:
    X, y, _ = table()
    OrdinalRelevance(verbose=1, **PROBES).fit(X, y)
    shown = capsys.readouterr()
    assert all(stage in shown.err for stage in ("tuning", "intervals", "probes", "100%"))
    assert shown.out == ""


def test_nothing_is_shown_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    X, y, _ = table()
    OrdinalRelevance(**PROBES).fit(X, y)
    assert capsys.readouterr() == ("", "")


def test_stages_are_timed_and_programs_counted() -> None:
    X, y, _ = table()
    result = OrdinalRelevance(**PROBES).fit(X, y).result_
    stages = ["tuning", "baseline", "evidence", "intervals", "probes", "shadows"]
    assert list(result.seconds) == stages
    assert all(seconds >= 0 for seconds in result.seconds.values())
    assert result.programs == {
        "tuning": 5 * len(result.tuning),
        "baseline": 1,
        "intervals": 12,
        "probes": 20,
        "shadows": sum(2 * len(each.intervals) for each in result.regular.shadows),
    }
    assert OrdinalRelevance(**FIXED).fit(X, y).result_.programs["tuning"] == 0


def test_score_counts_a_class_never_seen_by_its_place_in_the_order() -> None:
    """Rare classes may miss from a training part; each of their samples is missed by ranks."""
    X, y, _ = table("ordinal")
    seen = y < y.max()
    model = estimator("ordinal").fit(X[seen], y[seen])
    missed = y.max() - model.predict(X[~seen])
    assert model.score(X[~seen], y[~seen]) == pytest.approx(-missed.mean())


def test_score_knows_declared_classes_that_were_never_seen() -> None:
    X, y, _ = table("ordinal")
    names = np.array(["a", "b", "c", "d", "e"])[: int(y.max()) + 1]
    seen = y < y.max()
    declared = estimator("ordinal").set_params(classes=list(names)).fit(X[seen], names[y[seen]])
    plain = estimator("ordinal").fit(X[seen], y[seen])
    assert declared.score(X, names[y]) == pytest.approx(plain.score(X, y))
