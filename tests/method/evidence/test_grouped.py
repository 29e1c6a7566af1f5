"""What rows prove that belong together: a toy, symmetries, textbook tests, and error rates."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import Outcome, p_beside_others
from relbounds.method.evidence.grouped import Parts
from relbounds.method.groups import Groups

Array = NDArray[np.float64]
KINDS = ("two classes", "ordered classes", "numbers")
SIZES = {"equal": np.full(40, 10), "unequal": np.random.default_rng(0).integers(1, 31, 100)}


def sample(
    kind: str, sizes: Array, seed: int = 0, *, of_groups: bool = False, apart: float = 1.0
) -> tuple[Outcome, Array]:
    """Columns 0 (of groups) and 4 (of rows) matter; 1 to 3 are of groups, 5 to 6 of rows, idle.

    ``apart``: how much groups differ, the noise of rows being 1.
    """
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    whole, rows = rng.normal(size=(len(sizes), 4)), rng.normal(size=(len(codes), 3))
    rows[:, 2] += rng.normal(size=len(sizes))[codes]
    X = np.column_stack([whole[codes], rows])
    score = apart * (0.8 * whole[:, 0] + rng.normal(size=len(sizes)))[codes]
    if not of_groups:
        score = score + 0.4 * rows[:, 0] + rng.normal(size=len(codes))
    groups, ones = Groups.of(codes), np.ones(len(codes))
    if kind == "numbers":
        return Outcome(score, None, ones, groups), X
    limits = [0.5] if kind == "two classes" else [0.25, 0.5, 0.75]
    y = np.searchsorted(np.quantile(score, limits), score).astype(float)
    return Outcome(y, len(limits) + 1, ones, groups), X


def p_of(outcome: Outcome, X: Array, sets: Any = None) -> tuple[Array, Array]:
    """Alone, and beside all others."""
    every = np.arange(X.shape[1])
    asked = [np.atleast_1d(each) for each in (every if sets is None else sets)]
    alone = p_alone(X, outcome.y, outcome.weight, asked, outcome.groups)
    return alone, p_beside_others(outcome, X, asked, present=every, likely=every)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def test_parts_of_balanced_groups_are_those_of_an_analysis_of_variance() -> None:
    """Three groups of two: mean squares 24 between groups (2 degrees) and 2 within them (3)."""
    values = np.array([-5.0, -3.0, -1.0, 1.0, 3.0, 5.0])
    parts = Parts.of(Groups.of(np.array([0, 0, 1, 1, 2, 2])), values, np.empty((6, 0)))
    between = 2 * np.square([-4, 0, 4]).sum() / 2
    assert parts.own == pytest.approx(2.0)
    assert parts.common == pytest.approx((between - 2.0) / 2)


def test_parts_are_right_on_average_beside_columns_of_both_kinds() -> None:
    sizes = SIZES["unequal"][:30]
    groups = Groups.of(np.repeat(np.arange(30), sizes))
    found = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        columns = np.column_stack(
            [rng.normal(size=(30, 5))[groups.codes], rng.normal(size=(len(groups.codes), 3))]
        )
        y = 1.5 * rng.normal(size=30)[groups.codes] + rng.normal(size=len(groups.codes))
        design = np.column_stack([np.ones(len(y)), columns])
        left = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
        parts = Parts.of(groups, left, columns)
        found.append([parts.common, parts.own])
    np.testing.assert_allclose(np.mean(found, axis=0), [2.25, 1.0], rtol=0.06)


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_names_of_groups_and_order_of_rows_mean_nothing(kind: str, sizes: Array) -> None:
    outcome, X = sample(kind, sizes)
    rng = np.random.default_rng(1)
    rows, names = rng.permutation(len(X)), rng.permutation(len(sizes))
    moved = Outcome(
        outcome.y[rows],
        outcome.n_classes,
        outcome.weight,
        Groups.of(names[outcome.groups.codes[rows]]),
    )
    for before, after in zip(p_of(outcome, X), p_of(moved, X[rows]), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-12)


def test_signs_and_scales_of_columns_mean_nothing(kind: str) -> None:
    outcome, X = sample(kind, SIZES["equal"])
    scaled = X * np.array([-1, 3, 1, -0.1, 1, 100, -1]) + 5
    for before, after in zip(p_of(outcome, X), p_of(outcome, scaled), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_what_matters_is_found_whoever_has_it(kind: str, sizes: Array) -> None:
    for p in p_of(*sample(kind, sizes)):
        assert (p[[0, 4]] < 0.005).all()


@pytest.mark.parametrize("apart", [3, 10, 30])
@pytest.mark.parametrize("sizes", SIZES.values(), ids=SIZES)
def test_what_differs_within_groups_is_found_however_much_groups_differ(
    sizes: Array, apart: float
) -> None:
    for p in p_of(*sample("numbers", sizes, apart=apart)):
        assert p[4] < 1e-4


def test_least_squares_within_groups_is_the_limit_of_groups_that_differ_ever_more() -> None:
    """Half of the variance is that of the t-test of deviations from means of groups."""
    outcome, X = sample("numbers", SIZES["equal"], apart=1000)
    codes, rows = outcome.groups.codes, X[:, 4:]
    deviations, y = (each - outcome.groups.means(each)[codes] for each in (rows, outcome.y))
    weights, [left], *_ = np.linalg.lstsq(deviations, y, rcond=None)
    degrees = len(y) - 40 - 3
    error = np.sqrt(np.diag(np.linalg.inv(deviations.T @ deviations)) * left / degrees)
    t_test = stats.norm.isf(stats.t.sf(np.abs(weights / error), degrees))
    ours = stats.norm.isf(p_of(outcome, X)[1][4:] / 4)  # counted in two ways
    np.testing.assert_allclose(ours, t_test, rtol=0.15, atol=0.1)


def test_an_outcome_that_is_nearly_of_groups_tells_of_both(kind: str) -> None:
    """What groups have as a whole is found beside groups that differ by little else."""
    outcome, X = sample(kind, np.full(200, 10), apart=4)
    for p in p_of(outcome, X):
        assert (p[[0, 4]] < 0.005).all()


def test_more_rows_of_the_same_patients_prove_no_more(kind: str) -> None:
    """An outcome of patients, and columns of patients, in two and in ten rows each."""
    many, X = sample(kind, np.full(40, 10), of_groups=True)
    two = np.tile(many.groups.first, 2)
    few = Outcome(many.y[two], many.n_classes, many.weight[two], many.groups[two])
    for p, again in zip(p_of(few, X[two, :4]), p_of(many, X[:, :4]), strict=True):
        np.testing.assert_allclose(again, p, rtol=0.1)  # the ridge counts rows


def test_alone_of_groups_as_a_whole_is_the_test_of_a_row_each(kind: str) -> None:
    outcome, X = sample(kind, SIZES["unequal"], of_groups=True)
    one, single = outcome.groups.first, [np.array([k]) for k in range(4)]
    expected = p_alone(X[one], outcome.y[one], np.ones(len(one)), single)
    np.testing.assert_array_equal(p_of(outcome, X, range(4))[0], expected)


def test_numbers_of_balanced_groups_are_close_to_least_squares_of_means() -> None:
    """Half of the variance is that of the t-test of 40 means, half is seen by groups."""
    outcome, X = sample("numbers", SIZES["equal"])
    means, y = outcome.groups.means(X[:, :4]), outcome.groups.means(outcome.y)
    design = np.column_stack([np.ones(40), means])
    weights, [left], *_ = np.linalg.lstsq(design, y, rcond=None)
    error = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * left / 35)
    t_test = stats.norm.isf(stats.t.sf(np.abs(weights / error)[1:], 35))
    ours = stats.norm.isf(p_of(outcome, X[:, :4])[1] / 2)
    np.testing.assert_allclose(ours, t_test, rtol=0.15, atol=0.1)


def test_a_block_of_one_column_is_that_column(kind: str) -> None:
    outcome, X = sample(kind, SIZES["equal"])
    _, single = p_of(outcome, X)
    _, [with_copy] = p_of(outcome, np.column_stack([X, X[:, 0]]), [[0, 7]])
    assert with_copy == pytest.approx(single[0], rel=0.05)


def test_a_copy_adds_nothing(kind: str) -> None:
    outcome, X = sample(kind, SIZES["equal"])
    _, p = p_of(outcome, np.column_stack([X, X[:, 0]]))
    assert p[[0, 7]].tolist() == [1, 1]


def test_weights_say_which_samples_count_more_not_how_many_there_are(kind: str) -> None:
    outcome, X = sample(kind, SIZES["unequal"])
    heavy = Outcome(outcome.y, outcome.n_classes, 7 * outcome.weight, outcome.groups)
    for before, after in zip(p_of(outcome, X), p_of(heavy, X), strict=True):
        np.testing.assert_allclose(after, before, rtol=1e-6)


def test_an_outcome_that_columns_explain_fully_leaves_no_doubt() -> None:
    outcome, X = sample("numbers", SIZES["unequal"])
    exact = Outcome(X[:, 0] + X[:, 4], None, outcome.weight, outcome.groups)
    alone, beside = p_of(exact, X)
    assert (beside[[0, 4]] < 1e-12).all()
    assert p_of(Outcome(X[:, 4], None, outcome.weight, outcome.groups), X)[0][4] < 1e-12
    assert ((alone >= 0) & (alone <= 1) & (beside >= 0) & (beside <= 1)).all()


def test_two_groups_prove_nothing_of_what_they_have_as_a_whole(kind: str) -> None:
    outcome, X = sample(kind, np.full(2, 60))
    alone, beside = p_of(outcome, X)
    assert (alone[:4] == 1).all()
    assert (beside == 1).all()


def test_nothing_is_proved_by_fewer_groups_than_parameters(kind: str) -> None:
    """Six groups cannot tell four columns of groups apart; rows are many, but that is no help."""
    outcome, X = sample(kind, np.full(6, 30))
    assert (p_of(outcome, X)[1][:4] == 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("apart", [3, 10])
@pytest.mark.parametrize("sizes", [*SIZES.values(), np.full(15, 10)], ids=[*SIZES, "few"])
def test_idle_columns_beside_groups_that_differ_much(kind: str, sizes: Array, apart: float) -> None:
    """The same rates as below, where the outcome is nearly that of whole groups."""
    below, far_below = [], []
    for seed in range(100):
        p = np.array(p_of(*sample(kind, sizes, seed, apart=apart)))
        below.append(p[:, [1, 2, 3, 5, 6]] < 0.05)
        far_below.append(p[:, [1, 2, 3, 5, 6]] < 0.001)
    assert np.mean(below, axis=(0, 2)).max() <= 0.07
    assert np.mean(far_below) <= 0.005


@pytest.mark.slow
@pytest.mark.parametrize("of_groups", [False, True], ids=["of rows", "of groups"])
@pytest.mark.parametrize("sizes", [*SIZES.values(), np.full(15, 10)], ids=[*SIZES, "few"])
def test_idle_columns_are_rarely_thought_to_matter(
    kind: str, sizes: Array, of_groups: bool
) -> None:
    """At most 7 % of p-values below 0.05, and next to none below 0.001, for any kind of column."""
    below, far_below = [], []
    for seed in range(100):
        p = np.array(p_of(*sample(kind, sizes, seed, of_groups=of_groups)))
        below.append(p[:, [1, 2, 3, 5, 6]] < 0.05)
        far_below.append(p[:, [1, 2, 3, 5, 6]] < 0.001)
    assert np.mean(below, axis=(0, 2)).max() <= 0.07
    assert np.mean(far_below) <= 0.005


def test_without_groups_the_same_columns_would_seem_to_matter(kind: str) -> None:
    """Naive p-values take every row of a patient for a patient: far too many are small."""
    with_groups, naive = [], []
    for seed in range(20):
        outcome, X = sample(kind, SIZES["equal"], seed)
        with_groups.append(np.array(p_of(outcome, X))[:, 1:4] < 0.05)
        independent = Outcome(outcome.y, outcome.n_classes, outcome.weight)
        naive.append(np.array(p_of(independent, X))[:, 1:4] < 0.05)
    assert np.mean(naive) > 0.25
    assert np.mean(with_groups) < 0.12
