"""Which C and epsilon are chosen, and from which folds."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold
from small_fits import ESTIMATORS, PROBES, estimator, table
from small_sets import training_data

from relbounds import OrdinalRelevance, RegressionRelevance
from relbounds.engine import Simplex
from relbounds.engine.optimum import best_model, has_weights
from relbounds.exceptions import FewSamplesWarning
from relbounds.method import tuning
from relbounds.method.tuning import Choice, grid, simplest_first
from relbounds.problems import (
    ClassificationProblem,
    OrdinalProblem,
    RegressionProblem,
    SlackModel,
)
from relbounds.results.records import Candidate


def candidate(
    C: float,
    *errors: float,
    gamma: float | None = None,
    epsilon: float | None = None,
    balance: float | None = None,
    has_weights: bool = True,
) -> Candidate:
    return Candidate(C, gamma, epsilon, np.array(errors), has_weights, balance)


def as_good(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The scores of what is as good as the best, the simplest first."""
    choices = [Choice(OrdinalProblem(), SlackModel(), each) for each in candidates]
    return [each.scored for each in simplest_first(choices)]


def choose(candidates: Sequence[Candidate]) -> Candidate:
    return as_good(candidates)[0]


# The rule


def test_the_smallest_error_wins_where_it_is_clearly_smaller() -> None:
    table_ = [candidate(1, 0.5, 0.5), candidate(2, 0.1, 0.1), candidate(4, 0.3, 0.3)]
    assert choose(table_).C == 2


def test_of_equally_good_candidates_the_smaller_c_wins() -> None:
    assert choose([candidate(4, 0.2, 0.2), candidate(2, 0.2, 0.2), candidate(8, 0.2, 0.2)]).C == 2


def test_a_smaller_c_within_one_standard_error_is_preferred() -> None:
    """Errors 0.1 and 0.3 have mean 0.2, standard deviation 0.1 sqrt(2), standard error 0.1."""
    best = candidate(8, 0.1, 0.3)
    just_within, just_outside = candidate(2, 0.2999, 0.2999), candidate(1, 0.3001, 0.3001)
    assert best.standard_error == pytest.approx(0.1)
    assert choose([just_outside, just_within, best]) is just_within


def test_the_spread_of_the_best_counts_not_that_of_the_others() -> None:
    """The best has no spread, so nothing worse is as good, however uncertain."""
    assert choose([candidate(1, 0.0, 0.5), candidate(8, 0.2, 0.2)]).C == 8


def test_a_model_without_weights_is_never_chosen_over_a_best_one_with() -> None:
    empty, small, best = (
        candidate(1, 0.25, 0.25, has_weights=False),
        candidate(2, 0.25, 0.25),
        candidate(8, 0.1, 0.3),
    )
    assert choose([empty, small, best]) is small


def test_a_model_without_weights_is_chosen_if_it_is_best() -> None:
    empty, other = candidate(1, 0.2, 0.2, has_weights=False), candidate(2, 0.3, 0.3)
    assert choose([other, empty]) is empty


def test_epsilon_is_the_best_ones_and_the_smaller_of_equals() -> None:
    tubes = [candidate(C, 0.2, 0.2, epsilon=epsilon) for epsilon in (0.5, 0.1) for C in (2.0, 1.0)]
    chosen = choose(tubes)
    assert (chosen.C, chosen.epsilon) == (1, 0.1)
    best = candidate(8, 0.0, 0.2, epsilon=0.5)
    chosen = choose([candidate(1, 0.15, 0.15, epsilon=0.1), best])
    assert chosen is best, "a smaller C at another epsilon is another model"


def test_of_equally_good_candidates_the_gamma_nearest_to_one_wins() -> None:
    """Whatever its C, since C means another thing at another gamma."""
    table_ = [candidate(C, 0.2, 0.2, gamma=gamma) for gamma in (0.1, 1.0, 10.0) for C in (1.0, 2.0)]
    assert [(each.gamma, each.C) for each in as_good(table_)[:2]] == [(1, 1), (1, 2)]
    best = candidate(4, 0.1, 0.1, gamma=10.0)
    assert choose([*table_, best]) is best, "the others are not as good"


def test_of_equally_good_candidates_classes_that_count_alike_win() -> None:
    """As they do in the error; gamma has the first say, C the last."""
    table_ = [candidate(C, 0.2, 0.2, balance=each) for each in (0.0, 1.0, 0.5) for C in (1.0, 2.0)]
    assert [each.balance for each in as_good(table_)] == [1, 1, 0.5, 0.5, 0, 0]
    best = candidate(4, 0.1, 0.1, balance=0.0)
    assert choose([*table_, best]) is best, "the others are not as good"
    near, far = (candidate(1, 0.2, gamma=gamma, balance=0.5) for gamma in (1.0, 10.0))
    alike = candidate(1, 0.2, gamma=10.0, balance=1.0)
    assert as_good([far, alike, near]) == [near, alike, far]


def test_all_that_is_as_good_follows_the_choice_and_nothing_else() -> None:
    best, simpler = candidate(8, 0.1, 0.3), candidate(2, 0.25, 0.25)
    assert as_good([candidate(1, 0.5, 0.5), best, simpler]) == [simpler, best]


def test_a_single_fold_has_no_standard_error() -> None:
    assert candidate(1, 0.2).standard_error == 0
    assert choose([candidate(1, 0.3), candidate(2, 0.2)]).C == 2


candidates = st.lists(
    st.builds(
        lambda C, errors, has_weights: candidate(C, *errors, has_weights=has_weights),
        st.sampled_from([2.0**power for power in range(6)]),
        st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5]), min_size=3, max_size=3),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda each: each.C,
)


@given(candidates, st.randoms())
def test_the_choice_depends_on_no_order_and_is_as_good_as_the_best(table_, random) -> None:
    chosen = choose(table_)
    best = min(table_, key=lambda each: (each.mean, each.C))
    assert chosen.mean <= best.mean + best.standard_error
    assert chosen.C <= best.C
    assert chosen.has_weights or not best.has_weights
    shuffled = list(table_)
    random.shuffle(shuffled)
    assert choose(shuffled) is chosen


# The grid

PROBLEMS = [
    OrdinalProblem("explicit"),
    OrdinalProblem("implicit"),
    ClassificationProblem(),
    RegressionProblem(0.1),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=str)
@settings(max_examples=15, deadline=None)  # programs of any size take their time
@given(seed=st.integers(0, 10_000))
def test_the_lowest_c_of_the_grid_gives_no_weights(problem, seed: int) -> None:
    """Whatever the size, scale and weights of the data; and the grid goes four decades up."""
    rng = np.random.RandomState(seed)
    n, d = rng.randint(6, 30), rng.randint(1, 5)
    y = np.arange(n) % 2 if isinstance(problem, ClassificationProblem) else np.arange(n) % 3
    X = rng.standard_normal((n, d)) * 10.0 ** rng.randint(-3, 4)
    data = training_data(y.astype(np.float64), X, weight=rng.uniform(0.1, 10, n))
    Cs = grid(problem, data)
    best = best_model(Simplex().path(data.compose(problem, SlackModel()).space), Cs[0])
    assert not has_weights(best.model.weights)
    assert Cs[-1] / Cs[0] == pytest.approx(1e4)
    assert (np.diff(Cs) > 0).all()


@pytest.mark.parametrize("task", ESTIMATORS)
def test_tuning_chooses_a_model_with_weights_where_there_is_something_to_learn(task: str) -> None:
    """Without an own C, at the scale of the data: times 1000 and unscaled included."""
    X, y, _ = table(task)
    for scale in (1, 1000):
        model = ESTIMATORS[task](**PROBES, standardize=False).fit(scale * X, y)
        assert model.support_[:2].all()


# The score table


def test_the_result_has_the_score_of_every_candidate_in_every_fold() -> None:
    X, y, _ = table()
    result = OrdinalRelevance(cv=3, **PROBES).fit(X, y).result_
    assert len(result.tuning) == 17
    assert all(each.errors.shape == (3,) for each in result.tuning)
    assert all(np.isfinite(each.errors).all() for each in result.tuning)
    assert result.hyperparameters == {"C": choose(result.tuning).C}
    assert not result.tuning[0].has_weights


def test_scores_of_many_samples_are_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their paths are cut in two, so that no worker waits for the fifth fold."""
    X, y, _ = table()
    whole = OrdinalRelevance(**PROBES).fit(X, y).result_.tuning
    lengths, along_path = [], tuning._along_path

    def noted(*given):
        _, _, Cs = given[-1]
        lengths.append(len(Cs))
        return along_path(*given)

    monkeypatch.setattr(tuning, "_MANY_SAMPLES", len(y))
    monkeypatch.setattr(tuning, "_along_path", noted)
    in_two = OrdinalRelevance(**PROBES).fit(X, y).result_.tuning
    assert lengths == [9, 8] * 5
    assert [each.C for each in in_two] == [each.C for each in whole]
    for one, other in zip(in_two, whole, strict=True):
        np.testing.assert_array_equal(one.errors, other.errors)


def test_epsilon_is_tuned_together_with_c() -> None:
    X, y, _ = table("regression")
    result = RegressionRelevance(**PROBES).fit(X, y).result_
    tubes = {each.epsilon for each in result.tuning}
    assert len(tubes) > 1
    assert len(result.tuning) == 17 * len(tubes)
    chosen = choose(result.tuning)
    assert result.hyperparameters == {"C": chosen.C, "epsilon": chosen.epsilon}


@pytest.mark.parametrize(
    ("name", "value", "left_open"), [("C", 1.0, "epsilon"), ("epsilon", 0.2, "C")]
)
def test_what_is_given_is_not_tuned(name: str, value: float, left_open: str) -> None:
    X, y, _ = table("regression")
    result = RegressionRelevance(**PROBES, **{name: value}).fit(X, y).result_
    assert {getattr(each, name) for each in result.tuning} == {value}
    assert len({getattr(each, left_open) for each in result.tuning}) > 1
    assert result.hyperparameters[name] == value


def test_nothing_is_tuned_where_all_is_given() -> None:
    X, y, _ = table("regression")
    result = estimator("regression").fit(X, y).result_
    assert result.tuning == ()
    assert result.hyperparameters == {"C": 1.0, "epsilon": 0.1}


# Folds

HALVES = [(np.arange(40), np.arange(40, 80)), (np.arange(40, 80), np.arange(40))]


@pytest.mark.parametrize(
    ("cv", "n_folds"),
    [
        (None, 5),
        (3, 3),
        (np.int64(4), 4),
        (KFold(4), 4),
        (StratifiedKFold(3), 3),
        (ShuffleSplit(6, random_state=0), 6),
        (HALVES, 2),
    ],
    ids=["default", "int", "numpy int", "KFold", "StratifiedKFold", "ShuffleSplit", "splits"],
)
def test_cv_takes_numbers_splitters_and_splits(cv, n_folds: int) -> None:
    """Classes can be stratified; a regression takes all the others."""
    for task in ["ordinal"] if isinstance(cv, StratifiedKFold) else ["ordinal", "regression"]:
        X, y, _ = table(task)
        result = estimator(task, C=None, cv=cv).fit(X, y).result_
        assert {len(each.errors) for each in result.tuning} == {n_folds}


def test_default_folds_are_stratified_shuffled_and_the_same_for_any_random_state() -> None:
    """Rows sorted by class are no harm, and what is drawn later does not change what is chosen."""
    X, y, _ = table()
    order = np.argsort(y, kind="stable")
    one, other = (
        OrdinalRelevance(n_probes=10, random_state=seed).fit(X[order], y[order]).result_
        for seed in (0, 1)
    )
    errors = [each.errors for each in one.tuning]
    np.testing.assert_array_equal(errors, [each.errors for each in other.tuning])
    assert one.hyperparameters == other.hyperparameters
    # A fold without some class would leave its samples at least one rank off.
    assert min(error.mean() for error in errors) < 0.5


def test_the_error_of_a_fold_is_the_mean_over_classes() -> None:
    """A model without weights gives one class c to all: the mean of |class - c| over 0..4."""
    X, y, _ = table()
    result = OrdinalRelevance(**PROBES).fit(X, y).result_
    constant = [np.abs(np.arange(5) - each).mean() for each in range(5)]
    assert all(min(np.abs(error - constant)) < 1e-12 for error in result.tuning[0].errors)


@pytest.mark.parametrize("order", ["explicit", "implicit"])
@pytest.mark.parametrize("missing", [0, 2, 4])
def test_folds_that_lack_a_class_are_scored_all_the_same(order: str, missing: int) -> None:
    """Be it the lowest, the highest or one in between."""
    X, y, _ = table()
    without, rest = np.flatnonzero(y != missing), np.flatnonzero(y == missing)
    test = np.r_[rest, without[::2]]
    splits = [(without[1::2], test), (test, without[1::2])]
    result = OrdinalRelevance(order, cv=splits, **PROBES).fit(X, y).result_
    assert all(np.isfinite(each.errors).all() for each in result.tuning)
    assert result.relevance[:2].tolist() == [2, 2]


def test_a_training_part_of_one_class_is_scored_all_the_same() -> None:
    X, y, _ = table("classification")
    upper, rest = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    splits = [(upper[:20], np.r_[upper[20:], rest]), (np.arange(1, 80), np.arange(1))]
    result = estimator("classification", C=None, cv=splits).fit(X, y).result_
    assert all(np.isfinite(each.errors).all() for each in result.tuning)


def test_a_class_with_fewer_samples_than_folds_still_gets_a_score() -> None:
    X, y, _ = table()
    rows = np.r_[np.flatnonzero(y < 4), np.flatnonzero(y == 4)[:1]]
    with pytest.warns(FewSamplesWarning, match="class 4 has 1; some folds do without"):
        result = OrdinalRelevance(**PROBES).fit(X[rows], y[rows]).result_
    assert all(np.isfinite(each.errors).all() for each in result.tuning)


def test_weights_count_in_the_scores() -> None:
    X, y, _ = table()
    weight = np.linspace(0.1, 3, 80)
    plain, weighted = (
        OrdinalRelevance(cv=HALVES, **PROBES).fit(X, y, sample_weight=each).result_.tuning
        for each in (None, weight)
    )
    assert any(a.mean != b.mean for a, b in zip(plain, weighted, strict=True))
