"""What a fit with privileged features finds, and what it does not need them for."""

import pickle
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from small_fits import (
    ESTIMATORS,
    PROVED,
    assert_same,
    estimator,
    facts,
    privileged_table,
    table,
    told_estimator,
)

from relbounds import OrdinalRelevance, Relevance
from relbounds.datasets import (
    PAPER_PRIVILEGED_SETS,
    PrivilegedSample,
    make_ordinal,
    make_privileged,
    make_semantic,
)
from relbounds.exceptions import ConstantFeatureWarning, DegenerateModelWarning, TooFewProbesError
from relbounds.method.decision import folded_prediction_limit
from relbounds.method.tuning import GAMMAS, Choice, simplest_first
from relbounds.metrics import selection_scores
from relbounds.problems import RegressionProblem, SlackModel

TASKS = list(ESTIMATORS)
ORDERS = [
    ("ordinal", {"order": "explicit"}),
    ("ordinal", {"order": "implicit"}),
    ("classification", {}),
    ("regression", {}),
]
# At six times the price, free slack and slack functions are both used on the small table.
SLACKS: dict[str, dict[str, Any]] = {
    "privileged": {"slack": "privileged"},
    "mixed": {"slack": "mixed", "free_slack_price": 6.0},
}
SETTINGS = [
    pytest.param(
        task, order | slack | {"budget": budget}, id="-".join([task, *order.values(), name, budget])
    )
    for (task, order), (name, slack), budget in product(ORDERS, SLACKS.items(), ("split", "joint"))
]
every_setting = pytest.mark.parametrize(("task", "settings"), SETTINGS)
# Every task and order meets both slack models and both budgets, but not all four pairs of them.
half_the_settings = pytest.mark.parametrize(("task", "settings"), SETTINGS[::4] + SETTINGS[3::4])
every_task_and_slack = pytest.mark.parametrize(
    ("task", "slack"),
    [
        pytest.param(task, slack, id=f"{task}-{name}")
        for task, (name, slack) in product(TASKS, SLACKS.items())
    ],
)
one_slack_each = pytest.mark.parametrize(
    ("task", "slack"),
    [
        pytest.param(task, SLACKS[name], id=f"{task}-{name}")
        for task, name in zip(TASKS, ("privileged", "mixed", "mixed"), strict=True)
    ],
)
every_task = pytest.mark.parametrize("task", TASKS)
PRIVILEGED_NAMES = (
    "intervals_priv_",
    "relevance_priv_",
    "support_priv_",
    "weight_ranges_priv_",
    "n_features_priv_in_",
    "feature_names_priv_in_",
)


def fit(model: Any, sample: PrivilegedSample, **more: Any) -> Any:
    return model.fit(sample.X, sample.y, sample.X_priv, **more)


def fitted(task: str, **settings: Any) -> Any:
    """The small table's fit, which tests read and leave alone."""
    return _fitted(task, tuple(sorted(told_estimator(task, **settings).get_params().items())))


@cache
def _fitted(task: str, parameters: tuple[tuple[str, Any], ...]) -> Any:
    return fit(ESTIMATORS[task](**dict(parameters)), privileged_table(task))


def both_ranges(model: Any) -> tuple[np.ndarray, np.ndarray]:
    return model.weight_ranges_, model.weight_ranges_priv_


# The same answer


@one_slack_each
def test_refit_gives_the_same_answer(task: str, slack: dict) -> None:
    sample = privileged_table(task)
    model = told_estimator(task, C=None, gamma=None, cv=2, **slack)
    first = facts(fit(model, sample))
    assert facts(fit(model, sample)) == first
    assert facts(fit(clone(model), sample)) == first


@one_slack_each
def test_any_number_of_jobs_gives_the_same_answer(task: str, slack: dict) -> None:
    """To the last bit."""
    sample = privileged_table(task)
    settings = slack | {"C": None, "gamma": None, "cv": 2, "selection": "evidence"}
    alone = facts(fit(told_estimator(task, **settings), sample))
    for n_jobs in (1, 2):
        assert facts(fit(told_estimator(task, n_jobs=n_jobs, **settings), sample)) == alone


def test_another_random_state_gives_other_probes_but_the_same_ranges() -> None:
    one, other = (fitted("ordinal", random_state=seed) for seed in (0, 1))
    probes = [model.result_.privileged.probes.intervals for model in (one, other)]
    assert not np.array_equal(*probes)
    np.testing.assert_array_equal(one.weight_ranges_priv_, other.weight_ranges_priv_)


# Facts that hold whatever the data


@every_setting
def test_intervals_are_ordered_and_hold_the_best_model(task: str, settings: dict) -> None:
    result = fitted(task, **settings).result_
    baseline, gamma = result.baseline, result.hyperparameters["gamma"]
    slack = PROVED * (baseline.norm + gamma * np.abs(baseline.privileged_weights).sum())
    for ranges, weights, price in (
        (result.weight_ranges, baseline.weights, 1),
        (result.privileged.weight_ranges, baseline.privileged_weights, gamma),
    ):
        low, high = ranges[..., 0], ranges[..., 1]
        assert (low <= weights + slack).all()
        assert (weights <= high + slack).all()
        assert (price * np.abs(ranges) <= result.norm_limit + slack).all()
    for side in (result, result.privileged, result.privileged.in_every_function):
        minrel, maxrel = side.intervals.T
        assert (minrel >= 0).all()
        assert (minrel <= maxrel).all()
        assert maxrel.max() > 0


@every_setting
def test_every_end_is_proved(task: str, settings: dict) -> None:
    """To 1e-7 of the best model's norm, or of the weight itself where that is larger."""
    result = fitted(task, **settings).result_
    gamma = result.hyperparameters["gamma"]
    norm = result.baseline.norm + gamma * np.abs(result.baseline.privileged_weights).sum()
    for side in (result, result.privileged):
        assert side.certificate_gaps.shape == side.weight_ranges.shape
        assert (side.certificate_gaps <= 1e-7 * np.maximum(norm, np.abs(side.weight_ranges))).all()


@every_setting
def test_a_privileged_feature_is_as_relevant_as_the_function_that_needs_it_most(
    task: str, settings: dict
) -> None:
    """Or least, in the stricter reading: the larger or the smaller of both functions' ends."""
    result = fitted(task, **settings).result_
    low, high = np.moveaxis(result.privileged.weight_ranges, -1, 0)
    least = np.where((low <= 0) & (high >= 0), 0, np.minimum(np.abs(low), np.abs(high)))
    most = np.maximum(np.abs(low), np.abs(high))
    for reading, side in (
        (np.max, result.privileged),
        (np.min, result.privileged.in_every_function),
    ):
        expected = np.column_stack([reading(least, axis=1), reading(most, axis=1)])
        np.testing.assert_array_equal(side.raw_intervals, expected)
        np.testing.assert_allclose(side.intervals, expected / result.baseline.norm, rtol=1e-12)


@every_task
def test_attributes_are_those_of_the_result(task: str) -> None:
    model = fitted(task)
    told = model.result_.privileged
    n_features = privileged_table(task).X_priv.shape[1]
    np.testing.assert_array_equal(model.intervals_priv_, told.intervals)
    np.testing.assert_array_equal(model.weight_ranges_priv_, told.weight_ranges)
    np.testing.assert_array_equal(model.relevance_priv_, told.relevance)
    np.testing.assert_array_equal(model.support_priv_, told.relevance > Relevance.IRRELEVANT)
    assert model.intervals_priv_.shape == (n_features, 2)
    assert model.weight_ranges_priv_.shape == (n_features, 2, 2)
    assert model.support_.shape == model.relevance_.shape == (privileged_table(task).X.shape[1],)
    assert model.n_features_priv_in_ == n_features


def standardised(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


def rows_by_hand(model: Any, sample: PrivilegedSample) -> tuple[np.ndarray, np.ndarray]:
    """Slack that each row needs, and that which it reads: ``(rows, 2)``, chi and xi.

    NaN where a sample has no such row.
    """
    baseline, y = model.result_.baseline, sample.y
    read = standardised(sample.X_priv) @ baseline.privileged_weights + baseline.privileged_offsets
    score = standardised(sample.X) @ baseline.weights
    if isinstance(model, ESTIMATORS["regression"]):
        error = standardised(y) - (score - baseline.offsets[0])
        return np.column_stack([-error, error]) - model.epsilon, read
    explicit = getattr(model, "order", "explicit") == "explicit"
    needed, offered = [], []
    for j, offset in enumerate(baseline.offsets):
        below = (y == j) if explicit else (y <= j)
        above = (y == j + 1) if explicit else (y > j)
        rows = [
            np.where(below, 1 + (score - offset), np.nan),
            np.where(above, 1 - (score - offset), np.nan),
        ]
        needed.append(np.column_stack(rows))
        offered.append(np.where(np.isnan(needed[-1]), np.nan, read))
    return np.vstack(needed), np.vstack(offered)


@every_setting
def test_the_best_models_loss_is_what_its_functions_read_and_free_slack_on_top(
    task: str, settings: dict
) -> None:
    """By hand from the weights; functions are not negative where they are read."""
    model = fitted(task, **settings)
    needed, read = rows_by_hand(model, privileged_table(task))
    free = np.fmax(needed - read, 0)
    price = model.result_.hyperparameters.get("free_slack_price", 0)
    assert np.nanmin(read) >= -PROVED
    if settings["slack"] == "privileged":
        assert np.nanmax(free) <= PROVED
    assert model.result_.baseline.loss == pytest.approx(
        np.nansum(read) + price * np.nansum(free), rel=PROVED
    )


@pytest.mark.parametrize(("task", "order"), ORDERS)
def test_the_small_table_uses_functions_and_free_slack(task: str, order: dict) -> None:
    """So that what is tested on it is tested on both."""
    model = fitted(task, **order, **SLACKS["mixed"])
    needed, read = rows_by_hand(model, privileged_table(task))
    assert np.nanmax(needed - read) > 0.01
    for slack in SLACKS.values():
        weights = fitted(task, **order, **slack).result_.baseline.privileged_weights
        assert np.abs(weights).max() > 0.01


@half_the_settings
def test_permuting_privileged_columns_permutes_their_ranges(task: str, settings: dict) -> None:
    sample = privileged_table(task)
    order = np.array([3, 0, 2, 1])
    permuted = fit(
        told_estimator(task, **settings), sample._replace(X_priv=sample.X_priv[:, order])
    )
    plain = fitted(task, **settings)
    assert_same(permuted.weight_ranges_, plain.weight_ranges_)
    assert_same(permuted.weight_ranges_priv_, plain.weight_ranges_priv_[order])
    assert_same(permuted.intervals_priv_, plain.intervals_priv_[order])


@half_the_settings
def test_the_order_of_rows_does_not_matter(task: str, settings: dict) -> None:
    sample = privileged_table(task)
    rows = np.random.RandomState(1).permutation(len(sample.y))
    shuffled = told_estimator(task, **settings).fit(
        sample.X[rows], sample.y[rows], sample.X_priv[rows]
    )
    for found, expected in zip(
        both_ranges(shuffled), both_ranges(fitted(task, **settings)), strict=True
    ):
        assert_same(found, expected)


@half_the_settings
def test_sign_and_unit_of_a_privileged_column_do_not_matter(task: str, settings: dict) -> None:
    """Its ranges are mirrored, and no interval is changed."""
    sample = privileged_table(task)
    factor = np.array([-1000, 1, -1, 0.01])
    changed = fit(
        told_estimator(task, **settings), sample._replace(X_priv=sample.X_priv * factor + 7)
    )
    plain = fitted(task, **settings)
    mirrored = np.sort(plain.weight_ranges_priv_ * np.sign(factor)[:, None, None], axis=-1)
    assert_same(changed.weight_ranges_priv_, mirrored)
    assert_same(changed.intervals_priv_, plain.intervals_priv_)
    assert_same(changed.weight_ranges_, plain.weight_ranges_)


@half_the_settings
def test_a_unit_of_privileged_columns_is_worth_its_price(task: str, settings: dict) -> None:
    """As they are, columns four times as large at four times the gamma ask for a quarter."""
    sample = privileged_table(task)
    small = fit(told_estimator(task, standardize=False, **settings), sample)
    large = fit(
        told_estimator(task, standardize=False, gamma=2.0, **settings),
        sample._replace(X_priv=4 * sample.X_priv),
    )
    assert_same(large.weight_ranges_, small.weight_ranges_)
    assert_same(large.weight_ranges_priv_, small.weight_ranges_priv_ / 4)
    of_large, of_small = (each.result_.privileged.probes.intervals for each in (large, small))
    proved = PROVED * small.result_.norm / 4
    np.testing.assert_allclose(of_large, of_small / 4, rtol=0, atol=proved)


@half_the_settings
def test_reversing_the_order_mirrors_regular_ranges_and_swaps_the_functions(
    task: str, settings: dict
) -> None:
    """What keeps a sample below an offset keeps it above one then; slacks stay what they are."""
    sample = privileged_table(task)
    backward = fit(told_estimator(task, **settings), sample._replace(y=sample.y.max() - sample.y))
    plain = fitted(task, **settings)
    assert_same(backward.weight_ranges_, -plain.weight_ranges_[:, ::-1])
    assert_same(backward.weight_ranges_priv_, plain.weight_ranges_priv_[:, ::-1])
    assert_same(backward.intervals_priv_, plain.intervals_priv_)


@one_slack_each
def test_ranges_grow_with_the_tolerance(task: str, slack: dict) -> None:
    nested = [fitted(task, tolerance=each, **slack) for each in (0.01, 0.1)]
    for narrow, wide in pairwise(nested):
        for inner, outer in zip(both_ranges(narrow), both_ranges(wide), strict=True):
            rounding = PROVED * np.abs(outer).max()
            assert (outer[..., 0] <= inner[..., 0] + rounding).all()
            assert (inner[..., 1] <= outer[..., 1] + rounding).all()


@every_task_and_slack
def test_privileged_twins_are_never_needed(task: str, slack: dict) -> None:
    """Each can stand in for the other in every function, and both reach equally far."""
    sample = privileged_table(task, weak_groups=())
    sample = sample._replace(X_priv=np.column_stack([sample.X_priv, sample.X_priv[:, 0]]))
    model = fit(told_estimator(task, **slack), sample)
    first, last = model.weight_ranges_priv_[[0, -1]]
    assert_same(first, last)
    assert model.intervals_priv_[[0, -1], 0] == pytest.approx(0, abs=PROVED)
    assert (model.relevance_priv_[[0, -1]] < Relevance.STRONG).all()


@pytest.mark.parametrize("slack", SLACKS.values(), ids=SLACKS)
@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_two_ordered_classes_are_a_classification(order: str, slack: dict) -> None:
    plain = fitted("classification", **slack)
    ordinal = fit(
        told_estimator("ordinal", order=order, **slack), privileged_table("classification")
    )
    for found, expected in zip(both_ranges(ordinal), both_ranges(plain), strict=True):
        assert_same(found, expected)


@pytest.mark.parametrize(("task", "order"), ORDERS)
def test_where_free_slack_costs_no_more_regular_ranges_are_those_without_a_teacher(
    task: str, order: dict
) -> None:
    """No function is worth its weights then."""
    sample = privileged_table(task)
    told = fitted(task, slack="mixed", free_slack_price=1, tolerance=0.1, **order)
    plain = told_estimator(task, tolerance=0.1, **order).fit(sample.X, sample.y)
    assert not told.result_.baseline.privileged_weights.any()
    assert told.result_.baseline.loss == pytest.approx(plain.result_.baseline.loss, rel=PROVED)
    assert_same(told.weight_ranges_, plain.weight_ranges_)


def test_a_feature_that_one_function_needs_is_relevant_and_not_in_every_function() -> None:
    """Only samples of the lower class are ever hard, and a teacher knows how hard."""
    rng = np.random.RandomState(0)
    score = np.r_[rng.uniform(-3, -1, 30), rng.uniform(1, 3, 30)]
    hardness = np.where(score < 0, rng.exponential(1.0, 60), 0.0)
    X = np.column_stack([score + 2 * hardness, rng.standard_normal(60)])
    X_priv = np.column_stack([hardness, rng.standard_normal(60)])
    model = estimator("classification", gamma=0.1).fit(X, score > 0, X_priv)
    told = model.result_.privileged
    assert told.relevance.tolist() == [Relevance.STRONG, Relevance.IRRELEVANT]
    assert told.weight_ranges[0, 0, 0] > 0.1, "more slack below the offset, the harder"
    assert told.needed.tolist() == [True, False]
    assert told.in_every_model.tolist() == [True, False]
    assert told.in_every_function.in_every_model.tolist() == [False, False]
    assert (told.in_every_function.relevance < Relevance.STRONG).all()


def test_constant_regular_columns_are_passed_over() -> None:
    sample = privileged_table()
    frame = pd.DataFrame(sample.X, columns=list("abcd"))
    frame.insert(1, "still", 3.0)
    with pytest.warns(ConstantFeatureWarning, match="1 feature.*: still"):
        model = told_estimator("ordinal").fit(frame, sample.y, sample.X_priv)
    plain = fitted("ordinal")
    assert not model.weight_ranges_[1].any()
    assert_same(np.delete(model.weight_ranges_, 1, axis=0), plain.weight_ranges_)
    assert_same(model.weight_ranges_priv_, plain.weight_ranges_priv_)


# Budgets


@one_slack_each
def test_a_number_as_tolerance_is_of_the_whole_norm_and_loss(task: str, slack: dict) -> None:
    """Privileged weights count gamma times in the norm."""
    result = fitted(task, tolerance=0.1, **slack).result_
    baseline = result.baseline
    norm = baseline.norm + 0.5 * np.abs(baseline.privileged_weights).sum()
    assert (result.tolerances.norm, result.tolerances.loss) == pytest.approx((0.1, 0.1))
    assert result.norm_limit == pytest.approx(1.1 * norm)
    assert result.loss_limit == pytest.approx(1.1 * baseline.loss)
    assert baseline.norm == pytest.approx(np.abs(baseline.weights).sum())


@pytest.mark.parametrize("slack", SLACKS.values(), ids=SLACKS)
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize(("C", "gains_more_than_it_loses"), [(1.0, True), (0.2, False)])
def test_the_automatic_tolerance_is_a_fifth_of_the_loss_or_of_what_the_best_model_gains(
    C: float, gains_more_than_it_loses: bool, budget: str, slack: dict
) -> None:
    """Whichever is less, as a share of the loss; and the same share of the norm.

    Without regular weights two classes of n/2 lose ``d_chi + d_xi = 2`` a pair, n together.
    """
    result = fitted("classification", C=C, budget=budget, **slack).result_
    baseline, n = result.baseline, 30
    assert (n - baseline.loss > baseline.loss) == gains_more_than_it_loses
    norm = baseline.norm + 0.5 * np.abs(baseline.privileged_weights).sum()
    share = 0.2 * min(1, n / baseline.loss - 1)
    assert result.tolerances.norm == pytest.approx(share)
    if budget == "split":
        assert result.norm_limit == pytest.approx((1 + share) * norm)
        assert result.loss_limit == pytest.approx((1 + share) * baseline.loss)
    else:
        limit = (1 + share) * (norm / 2 + C * baseline.loss)
        assert result.norm_limit == pytest.approx(2 * limit)
        assert result.loss_limit == pytest.approx(limit / C)


# Tuning


@pytest.mark.parametrize("slack", ["privileged", "mixed"])
def test_gamma_is_tuned_together_with_c(slack: str) -> None:
    sample = privileged_table("regression")
    model = estimator("regression", C=None, epsilon=None, cv=2, slack=slack)
    result = fit(model, sample).result_
    tubes = {each.epsilon for each in result.tuning}
    assert len(result.tuning) == 17 * len(GAMMAS) * len(tubes)
    assert {each.gamma for each in result.tuning} == set(GAMMAS)
    table_ = [Choice(RegressionProblem(each.epsilon), SlackModel(), each) for each in result.tuning]
    as_good = [each.hyperparameters for each in simplest_first(table_)]
    chosen = dict(result.hyperparameters)
    assert (chosen.pop("free_slack_price", None) is None) == (slack == "privileged")
    assert chosen in as_good
    assert result.programs["tuning"] == 2 * len(result.tuning)


@pytest.mark.parametrize(
    ("given", "n_candidates"),
    [({"C": 0.2}, 3), ({"gamma": 0.5}, 17), ({"C": 0.2, "gamma": 0.5}, 0)],
)
def test_what_is_given_is_not_tuned(given: dict, n_candidates: int) -> None:
    result = fit(estimator("ordinal", cv=2, **{"C": None} | given), privileged_table()).result_
    assert len(result.tuning) == n_candidates
    assert result.hyperparameters.items() >= given.items()
    assert set(result.hyperparameters) == {"C", "gamma"}


# The largest gamma leaves nothing to learn.
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_scores_are_those_of_models_fitted_to_the_training_part() -> None:
    """At every gamma; the test part is scored without a teacher."""
    sample = privileged_table(n_samples=60, noise=0.1)
    train, test = np.arange(40), np.arange(40, 60)
    settings = {"C": 0.5, "standardize": False}
    result = fit(estimator("ordinal", cv=[(train, test)], **settings), sample).result_
    assert [each.gamma for each in result.tuning] == list(GAMMAS)
    for candidate in result.tuning:
        alone = estimator("ordinal", gamma=candidate.gamma, **settings).fit(
            sample.X[train], sample.y[train], sample.X_priv[train]
        )
        expected = -alone.score(sample.X[test], sample.y[test])
        assert candidate.errors == pytest.approx([expected], abs=1e-9)
    assert len({each.mean for each in result.tuning}) == len(GAMMAS), "gamma makes a difference"


def test_a_given_price_of_free_slack_is_used_and_told() -> None:
    assert fitted("ordinal", **SLACKS["mixed"]).result_.hyperparameters["free_slack_price"] == 6
    dear, cheap = (
        fitted("ordinal", slack="mixed", free_slack_price=price).result_ for price in (10.0, 1.5)
    )
    assert cheap.baseline.loss < dear.baseline.loss


def test_settings_for_a_teacher_change_nothing_without_one() -> None:
    X, y, _ = table()
    plain = facts(estimator("ordinal").fit(X, y))
    for settings in ({"gamma": 10.0}, {"slack": "mixed", "free_slack_price": 2.0}):
        assert facts(estimator("ordinal", **settings).fit(X, y)) == plain
    assert plain["slack"] is None
    assert [side["side"] for side in plain["sides"]] == ["regular"]


@pytest.mark.parametrize("slack", SLACKS)
def test_the_result_names_its_slack_model(slack: str) -> None:
    assert fitted("ordinal", **SLACKS[slack]).result_.slack == slack


# Probes


@pytest.mark.parametrize("selection", ["evidence", "probe"])
@pytest.mark.parametrize("task", TASKS)
def test_each_side_has_thresholds_from_its_own_probes(task: str, selection: str) -> None:
    """Prediction limits for one more permuted feature of that side; those of maxrel are folded.

    Features that have shadows of their own are compared with those.
    """
    result = fitted(task, n_probes=12, confidence=0.9, selection=selection).result_
    one_sided, two_sided = stats.t.ppf([0.9, 0.95], 11) * np.sqrt(1 + 1 / 12)
    quantiles = [one_sided, (two_sided - stats.halfnorm.mean()) / stats.halfnorm.std()]
    limits = []
    for side in (result.regular, result.privileged, result.privileged.in_every_function):
        values = side.probes.intervals / result.baseline.norm
        if side is result.privileged:
            values = values.max(axis=1)
        elif side is not result.regular:
            values = values.min(axis=1)
        expected = values.mean(axis=0) + quantiles * values.std(axis=0, ddof=1)
        limits.append((side.thresholds.minrel, side.thresholds.maxrel))
        assert limits[-1] == pytest.approx(expected)
        chance = np.full(4, side.thresholds.maxrel)
        for each in side.shadows:
            own = side.shadow_intervals(each)[:, 1]
            chance[each.feature] = own.max() if len(own) < 8 else folded_prediction_limit(own, 0.9)
        least = np.full(4, side.thresholds.minrel)
        distances = side.intervals - np.column_stack([least, chance])
        np.testing.assert_allclose(side.threshold_distances, distances)
        assert not side.shadows or selection == "evidence"
    assert len({maxrel for _, maxrel in limits}) == 3


@pytest.mark.parametrize("slack", SLACKS.values(), ids=SLACKS)
@pytest.mark.parametrize("mode", ["append", "replace", "refit"])
def test_probes_of_every_mode_are_counted(mode: str, slack: dict) -> None:
    """One of four regular features is needed: in its place, a probe leaves nothing good."""
    sample = privileged_table(n_samples=40, weak_groups=(), n_irrelevant=3)
    model = fit(told_estimator("ordinal", probes=mode, n_probes=20, **slack), sample)
    for side in (model.result_, model.result_.privileged):
        assert (side.probes.mode, side.probes.asked) == (mode, 20)
        assert side.probes.solved + side.probes.infeasible == 20
        assert side.probe_intervals.shape == (side.probes.solved, 2)
        if mode == "append":
            assert side.probes.infeasible == 0
    assert (model.result_.probes.infeasible > 0) == (mode != "append")
    assert model.result_.privileged.probes.intervals.shape[1:] == (2, 2)
    assert model.relevance_.tolist() == [2, 0, 0, 0]


def test_replacing_needed_features_leaves_too_few_probes() -> None:
    sample = privileged_table(weak_groups=(), n_irrelevant=0, n_strong=2)
    model = told_estimator("ordinal", probes="replace", n_probes=20, tolerance=0.001)
    with pytest.raises(
        TooFewProbesError, match=r"Only \d of 20 probes of regular features .* probes='append'"
    ):
        fit(model, sample)
    assert not hasattr(model, "n_features_priv_in_")


@every_task_and_slack
def test_probes_that_are_appended_can_always_be_done_without(task: str, slack: dict) -> None:
    told = fitted(task, **slack).result_.privileged
    assert not told.probe_intervals[:, 0].any()
    assert told.thresholds.minrel == 0
    assert told.probe_intervals[:, 1].min() > 0


def test_programs_are_counted() -> None:
    """Two for each weight: four regular ones, and four in each of two functions."""
    result = fitted("ordinal", selection="evidence").result_
    shadows = [*result.regular.shadows, *result.privileged.shadows]
    assert {each.intervals.shape[1] for each in result.privileged.shadows} == {2}
    assert result.programs == {
        "tuning": 0,
        "baseline": 1,
        "intervals": 2 * (4 + 2 * 4),
        "probes": 10 * 2 + 10 * 4,
        "shadows": sum(2 * each.intervals[..., 0].size for each in shadows),
    }
    assert fitted("ordinal", selection="probe").result_.programs["shadows"] == 0


# What is found


@every_task_and_slack
def test_privileged_noise_is_irrelevant(task: str, slack: dict) -> None:
    """And does not keep strong regular features from being found."""
    shape = {"n_strong": 2, "weak_groups": (), "n_irrelevant": 1, "n_classes": 3, "noise": 0.05}
    for seed in range(3):
        X, y, truth = make_ordinal(40, task=task, random_state=seed, **shape)
        noise = np.random.RandomState(100 + seed).standard_normal((40, 3))
        model = estimator(task, gamma=1.0, n_probes=15, random_state=seed, **slack)
        model.fit(X, y, noise)
        assert model.relevance_.tolist() == truth.tolist()
        assert model.relevance_priv_.tolist() == [0, 0, 0]
        assert not model.support_priv_.any()


def test_truth_is_found_on_both_sides() -> None:
    """Idle features of both sides are irrelevant, all others are not."""
    sample = make_privileged(100, n_strong=2, weak_groups=(), n_irrelevant=2, random_state=0)
    model = fit(OrdinalRelevance(random_state=0), sample)
    assert model.relevance_.tolist() == sample.truth.tolist() == [2, 2, 0, 0]
    assert model.support_priv_.tolist() == [True, True, False, False]


# Nothing to say


@pytest.mark.parametrize("selection", ["evidence", "probe"])
@pytest.mark.parametrize("seed", range(3))
def test_a_collapse_is_told_once_with_its_reason_and_what_can_be_done(
    seed: int, selection: str
) -> None:
    """No linear function of clean columns can cover unit noise.

    By the paper's rule nothing is relevant then; what features tell without a model counts.
    """
    sample = make_privileged(
        60, n_strong=2, weak_groups=(), n_irrelevant=1, noise=1.0, random_state=seed
    )
    model = OrdinalRelevance(n_probes=10, selection=selection, random_state=0)
    with pytest.warns(
        DegenerateModelWarning,
        match=r"next to nothing from regular features: slacks .* cover every .* slack='mixed'",
    ) as told:
        fit(model, sample)
    assert [warning.filename for warning in told] == [__file__]
    result = model.result_
    assert result.is_degenerate
    assert (result.tolerances, result.slack) == (None, "privileged")
    proved = np.fmin(result.p_alone, result.p_needed) <= 0.001
    assert model.support_.tolist() == (proved & (selection == "evidence")).tolist()
    if selection == "probe":
        assert not model.support_priv_.any()
    for side in (result, result.privileged, result.privileged.in_every_function):
        assert side.probes is None
        assert side.thresholds is None
        assert side.probe_intervals.shape == (0, 2)
        assert side.intervals.shape == (3, 2)
        assert not side.intervals.any()
        assert not side.weight_ranges.any()
        assert (side.relevance < Relevance.STRONG).all()
        assert (side.relevance[side.needed] > 0).all()
        assert not side.in_every_model.any()
        assert np.isnan(side.threshold_distances).all()
    assert len(np.unique(model.predict(sample.X))) == 1


@pytest.mark.parametrize("seed", range(3))
def test_the_same_data_do_not_collapse_with_mixed_slack(seed: int) -> None:
    """And no warning is given."""
    sample = make_privileged(
        120, n_strong=2, weak_groups=(), n_irrelevant=1, noise=1.0, random_state=seed
    )
    model = fit(OrdinalRelevance(slack="mixed", n_probes=10, random_state=0), sample)
    assert not model.result_.is_degenerate
    assert model.support_.tolist() == [True, True, False]
    assert model.score(sample.X, sample.y) > -1.2, "which is what one class for all would get"


def test_a_collapse_with_mixed_slack_has_another_reason() -> None:
    """The way out has been taken already."""
    model = told_estimator("ordinal", C=1e-6, slack="mixed")
    with pytest.warns(DegenerateModelWarning, match="uses no regular feature") as told:
        fit(model, privileged_table())
    assert len(told) == 1
    assert "mixed" not in str(told[0].message)
    assert not model.relevance_priv_.any()


# Sample weights


@one_slack_each
def test_a_sample_of_weight_zero_is_no_sample(task: str, slack: dict) -> None:
    """Whatever the teacher says of it."""
    sample = privileged_table(task)
    weight = np.ones(len(sample.y))
    weight[::7] = 0
    counted = weight > 0
    X_priv = np.where(counted[:, None], sample.X_priv, 1e6)
    with_zeros = told_estimator(task, **slack).fit(sample.X, sample.y, X_priv, sample_weight=weight)
    without = told_estimator(task, **slack).fit(
        sample.X[counted], sample.y[counted], sample.X_priv[counted]
    )
    assert facts(with_zeros) == facts(without)


@pytest.mark.parametrize(("task", "settings"), SETTINGS[::8] + SETTINGS[6::8])
def test_whole_weights_are_repeated_rows(task: str, settings: dict) -> None:
    """At the automatic tolerance too, which knows no standard error here."""
    sample = privileged_table(task)
    weight = np.arange(len(sample.y)) % 3 + 1
    weighted = fit(told_estimator(task, **settings), sample, sample_weight=weight)
    repeated = told_estimator(task, **settings).fit(
        *(each.repeat(weight, axis=0) for each in (sample.X, sample.y, sample.X_priv))
    )
    for name in ("norm", "loss"):
        once, often = (getattr(each.result_.baseline, name) for each in (weighted, repeated))
        assert once == pytest.approx(often, rel=PROVED)
    for found, expected in zip(both_ranges(weighted), both_ranges(repeated), strict=True):
        assert_same(found, expected)


@pytest.mark.parametrize(("factor", "slack"), [(1e-8, "privileged"), (1e8, "mixed")])
def test_multiplying_all_weights_changes_nothing_where_c_is_tuned(
    factor: float, slack: str
) -> None:
    sample = privileged_table()
    weight = np.linspace(1, 2, len(sample.y))
    plain, scaled = (
        fit(told_estimator("ordinal", C=None, cv=2, slack=slack), sample, sample_weight=each)
        for each in (weight, factor * weight)
    )
    assert_same(scaled.intervals_, plain.intervals_)
    assert_same(scaled.intervals_priv_, plain.intervals_priv_)
    assert scaled.relevance_priv_.tolist() == plain.relevance_priv_.tolist()


# Names

NAMES, TOLD_NAMES = ["age", "bmi", "weight", "idle"], ["scan", "notes", "<script>", "mood"]


def frame_of(kind: str, values: np.ndarray, names: list[str]) -> Any:
    columns = dict(zip(names, values.T, strict=True))
    return {"pandas": pd.DataFrame, "polars": pl.DataFrame}[kind](columns)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_names_of_frames_come_out_again(kind: str) -> None:
    """And the answer is that of arrays."""
    sample = privileged_table()
    model = told_estimator("ordinal", selection="probe").fit(
        frame_of(kind, sample.X, NAMES), sample.y, frame_of(kind, sample.X_priv, TOLD_NAMES)
    )
    assert model.feature_names_in_.tolist() == NAMES
    assert model.feature_names_priv_in_.tolist() == TOLD_NAMES
    assert model.result_.privileged.feature_names == tuple(TOLD_NAMES)
    assert model.result_.to_frame().index.tolist() == NAMES + TOLD_NAMES
    assert model.get_feature_names_out().tolist() == NAMES[:3]
    np.testing.assert_array_equal(model.intervals_priv_, fitted("ordinal").intervals_priv_)


def test_privileged_arrays_have_names_by_number() -> None:
    names = ["priv0", "priv1", "priv2", "priv3"]
    assert fitted("ordinal").feature_names_priv_in_.tolist() == names
    assert fitted("ordinal").result_.privileged.feature_names == tuple(names)


def test_a_frame_and_an_array_go_together() -> None:
    sample = privileged_table()
    frame = frame_of("pandas", sample.X, NAMES)
    model = told_estimator("ordinal").fit(frame, sample.y, sample.X_priv.tolist())
    assert model.result_.to_frame().index.tolist() == [*NAMES, "priv0", "priv1", "priv2", "priv3"]
    np.testing.assert_array_equal(model.intervals_priv_, fitted("ordinal").intervals_priv_)


def test_names_by_number_are_no_namesakes() -> None:
    """A regular column called priv1 is known from a privileged one that has no name."""
    sample = privileged_table()
    frame = frame_of("pandas", sample.X, ["priv1", *NAMES[1:]])
    model = told_estimator("ordinal").fit(frame, sample.y, sample.X_priv)
    assert model.result_.to_frame().loc["priv1", "side"].tolist() == ["regular", "privileged"]
    np.testing.assert_array_equal(model.predict(frame), fitted("ordinal").predict(sample.X))
    np.testing.assert_array_equal(model.transform(frame), fitted("ordinal").transform(sample.X))


# What an estimator remembers


@every_task
def test_fit_changes_no_parameter_and_a_clone_forgets_the_fit(task: str) -> None:
    model = told_estimator(task, C=None, gamma=None, cv=2, slack="mixed")
    before = dict(model.get_params())
    assert fit(model, privileged_table(task)).get_params() == before
    assert clone(model).get_params() == before
    assert not hasattr(clone(model), "n_features_priv_in_")


def test_parameters_that_are_set_are_used() -> None:
    model = told_estimator("ordinal").set_params(gamma=0.7, slack="mixed", free_slack_price=6.0)
    expected = fitted("ordinal", gamma=0.7, slack="mixed", free_slack_price=6.0)
    assert facts(fit(model, privileged_table())) == facts(expected)
    assert facts(expected) != facts(fitted("ordinal", **SLACKS["mixed"])), "gamma counts"


@every_task
def test_a_refit_without_a_teacher_forgets_the_teacher(task: str) -> None:
    sample = privileged_table(task)
    model = fit(told_estimator(task), sample)
    assert all(hasattr(model, name) for name in PRIVILEGED_NAMES)
    model.fit(sample.X, sample.y)
    assert not any(hasattr(model, name) for name in PRIVILEGED_NAMES)
    assert facts(model) == facts(told_estimator(task).fit(sample.X, sample.y))
    for name in PRIVILEGED_NAMES[:4]:
        with pytest.raises(
            AttributeError,
            match=r"fitted without privileged features; call fit\(X, y, X_priv=\.\.\.\)",
        ):
            getattr(model, name)


@pytest.mark.parametrize("name", PRIVILEGED_NAMES[:4])
def test_unfitted_estimators_say_so(name: str) -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(told_estimator("ordinal"), name)


def test_a_refit_with_another_teacher_remembers_the_last() -> None:
    sample = privileged_table()
    model = fit(told_estimator("ordinal"), sample)
    model.fit(sample.X, sample.y, frame_of("pandas", sample.X_priv[:, :2], TOLD_NAMES[:2]))
    assert model.n_features_priv_in_ == len(model.intervals_priv_) == 2
    assert model.feature_names_priv_in_.tolist() == TOLD_NAMES[:2]


@every_task_and_slack
def test_pickle_keeps_all_that_was_found(task: str, slack: dict) -> None:
    model, sample = fitted(task, **slack), privileged_table(task)
    restored = pickle.loads(pickle.dumps(model))
    assert facts(restored) == facts(model)
    assert restored.feature_names_priv_in_.tolist() == model.feature_names_priv_in_.tolist()
    np.testing.assert_array_equal(restored.intervals_priv_, model.intervals_priv_)
    np.testing.assert_array_equal(restored.predict(sample.X), model.predict(sample.X))


# New samples have no teacher


@one_slack_each
def test_new_samples_need_no_teacher(task: str, slack: dict) -> None:
    sample = privileged_table(task, n_samples=60)
    train, new = np.arange(30), np.arange(30, 60)
    model = told_estimator(task, **slack).fit(
        sample.X[train], sample.y[train], sample.X_priv[train]
    )
    assert model.predict(sample.X[new]).shape == (30,)
    np.testing.assert_array_equal(model.transform(sample.X[new]), sample.X[new][:, model.support_])
    without_skill = {"ordinal": -2 / 3, "classification": 0.5, "regression": 0.0}
    assert model.score(sample.X[new], sample.y[new]) > without_skill[task] + 0.1


def test_selection_is_of_regular_features_alone() -> None:
    sample = privileged_table()
    model = told_estimator("ordinal", keep=["x3"], min_features=4)
    selected = model.fit_transform(sample.X, sample.y, X_priv=sample.X_priv)
    np.testing.assert_array_equal(selected, sample.X)
    assert model.get_support().tolist() == [True] * 4
    assert model.support_priv_.tolist() == fitted("ordinal").support_priv_.tolist()
    with pytest.raises(ValueError, match=r"keep must be a list of names .*; got 'priv0'"):
        fit(told_estimator("ordinal", keep=["priv0"]), sample)


def test_weights_can_follow_the_teacher_by_position() -> None:
    sample, weight = privileged_table(), np.linspace(1, 2, 30)
    by_name = fit(told_estimator("ordinal"), sample, sample_weight=weight)
    by_position = told_estimator("ordinal").fit(sample.X, sample.y, sample.X_priv, weight)
    assert facts(by_position) == facts(by_name)


# Over seeds


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")  # counted below
@pytest.mark.parametrize(("slack", "most_collapses"), [("privileged", 2), ("mixed", 0)])
def test_a_teacher_who_knows_which_samples_are_hard(slack: str, most_collapses: int) -> None:
    """The paper's example: the relevance of the noise ascends with its level.

    With the paper's slacks every good model needs even the least of it; some seeds collapse.
    """
    collapses = 0
    for seed in range(5):
        sample = make_semantic(random_state=seed)
        model = fit(OrdinalRelevance(slack=slack, random_state=seed), sample)
        if model.result_.is_degenerate:
            collapses += 1
            continue
        told = model.result_.privileged
        assert model.relevance_.tolist() == sample.truth.tolist() == [2, 2, 2, 0, 0, 0]
        assert (np.diff(told.intervals[:, 1]) > 0).all()
        assert told.relevance[1:].all()
        assert told.needed[1:].all()
        assert told.in_every_model[1:].all()
        if slack == "privileged":
            assert told.needed[0]
            assert told.in_every_model[0]
            assert told.relevance[0] == Relevance.STRONG
    assert collapses <= most_collapses


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 5, 7])
def test_the_papers_sets_are_recovered_on_both_sides(number: int) -> None:
    """The paper's F1 is 1.0 for these."""
    for seed in range(3):
        sample = PAPER_PRIVILEGED_SETS[number].make(random_state=seed)
        model = fit(OrdinalRelevance(random_state=seed), sample)
        assert selection_scores(sample.truth, model.relevance_).f1 == 1
        assert selection_scores(sample.truth_priv, model.relevance_priv_).f1 == 1
