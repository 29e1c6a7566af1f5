"""What a feature adds to all others: symmetries, copies, blocks, and too many columns."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from relbounds.method.evidence.beside_others import Outcome, p_beside_others
from relbounds.method.groups import Groups

Array = NDArray[np.float64]
TASKS = ("two classes", "ordered classes", "numbers")


def sample(task: str, n: int = 150, weighted: bool = False) -> tuple[Outcome, Array]:
    """The first two columns matter; the third is like the second, the rest are idle."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 6))
    X[:, 2] = X[:, 1] + 0.5 * X[:, 2]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    score = 0.5 * X[:, 0] + 0.7 * X[:, 1] + rng.logistic(size=n)
    weight = rng.uniform(0.5, 2, n) if weighted else np.ones(n)
    if task == "numbers":
        return Outcome(score, None, weight), X
    n_classes = 2 if task == "two classes" else 4
    ranks = np.argsort(np.argsort(score)) * n_classes // n
    return Outcome(ranks.astype(float), n_classes, weight), X


def p_of(outcome: Outcome, X: Array, sets: list | None = None, **known: Any) -> Array:
    every = np.arange(X.shape[1])
    asked = [np.atleast_1d(each) for each in (every if sets is None else sets)]
    return p_beside_others(outcome, X, asked, **{"present": every, "likely": every} | known)


@pytest.fixture(params=TASKS)
def task(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=[False, True], ids=["equal", "weighted"])
def case(task: str, request: pytest.FixtureRequest) -> tuple[Outcome, Array]:
    return sample(task, weighted=request.param)


def test_what_matters_is_found_beside_what_is_like_it(task: str) -> None:
    p = p_of(*sample(task, n=600))
    assert (p[:2] < 5e-3).all()
    assert (p[2:] > 0.01).all()


def test_a_copy_adds_nothing_and_leaves_nothing_to_its_original(case: Any) -> None:
    """The others' p-values stay, up to the ridge, of which two copies feel half."""
    outcome, X = case
    p = p_of(outcome, np.column_stack([X, X[:, 0], -2 * X[:, 1]]))
    assert p[[0, 1, 6, 7]].tolist() == [1, 1, 1, 1]
    np.testing.assert_allclose(p[2:6], p_of(outcome, X)[2:6], rtol=1e-2)


def test_what_others_make_up_together_adds_nothing(case: Any) -> None:
    outcome, X = case
    total = X[:, 0] + X[:, 3] - X[:, 4]
    p = p_of(outcome, np.column_stack([X, total / total.std()]))
    assert p[[0, 3, 4, 6]].tolist() == [1, 1, 1, 1]
    assert (p[[1, 2, 5]] < 1).all()


def test_permuting_columns_permutes(case: Any) -> None:
    outcome, X = case
    order = [4, 0, 5, 2, 1, 3]
    np.testing.assert_allclose(p_of(outcome, X[:, order]), p_of(outcome, X)[order], rtol=1e-3)


def test_signs_of_columns_change_nothing(case: Any) -> None:
    outcome, X = case
    np.testing.assert_allclose(
        p_of(outcome, X * [1, -1, 1, -1, -1, 1]), p_of(outcome, X), rtol=1e-3
    )


def test_samples_may_come_in_any_order(case: Any) -> None:
    outcome, X = case
    order = np.random.default_rng(0).permutation(len(X))
    other = Outcome(outcome.y[order], outcome.n_classes, outcome.weight[order])
    np.testing.assert_allclose(p_of(other, X[order]), p_of(outcome, X), rtol=1e-3)


def test_reversing_the_order_changes_nothing(case: Any) -> None:
    outcome, X = case
    last = 0 if outcome.n_classes is None else outcome.n_classes - 1
    mirrored = Outcome(last - outcome.y, outcome.n_classes, outcome.weight)
    np.testing.assert_allclose(p_of(mirrored, X), p_of(outcome, X), rtol=1e-3)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_unit_and_origin_of_numbers_change_nothing(weighted: bool) -> None:
    outcome, X = sample("numbers", weighted=weighted)
    other = Outcome(100 - 3 * outcome.y, None, outcome.weight)
    np.testing.assert_allclose(p_of(other, X), p_of(outcome, X), rtol=1e-6)


def test_the_unit_of_weights_changes_nothing(task: str) -> None:
    for weighted in (False, True):
        outcome, X = sample(task, weighted=weighted)
        other = Outcome(outcome.y, outcome.n_classes, 40 * outcome.weight)
        np.testing.assert_allclose(p_of(other, X), p_of(outcome, X), rtol=1e-6)


def test_a_block_of_one_column_is_the_column(case: Any) -> None:
    """``F(1, m)`` is the square of Student's t with m degrees of freedom.

    A block is asked for together with an exact copy, which adds no rank to it.
    """
    outcome, X = case
    blocks = [[k, k + 6] for k in range(6)]
    twice = np.column_stack([X, X])
    expected = p_of(outcome, X)
    np.testing.assert_allclose(p_of(outcome, twice, blocks), expected, rtol=5e-3)


def test_a_block_does_not_depend_on_how_its_values_are_coded(task: str) -> None:
    """Three of four columns of 0 and 1 say as much as any other three, or as differences."""
    rng = np.random.default_rng(0)
    outcome, X = sample(task)
    value = rng.integers(4, size=len(X))
    dummies = (value[:, None] == np.arange(4)).astype(float)
    steps = (value[:, None] >= np.arange(1, 4)).astype(float)
    found = []
    for columns in (dummies[:, 1:], dummies[:, :3], steps, dummies):
        scaled = (columns - columns.mean(axis=0)) / columns.std(axis=0)
        block = 6 + np.arange(columns.shape[1])
        found.append(p_of(outcome, np.column_stack([X, scaled]), [block])[0])
    np.testing.assert_allclose(found, found[0], rtol=0.05)


def test_a_text_with_an_effect_is_needed_as_a_whole(task: str) -> None:
    """Each of its columns can be had from the others, so that none is needed by itself."""
    rng = np.random.default_rng(1)
    value = rng.integers(4, size=400)
    X = np.column_stack([value == k for k in range(4)]).astype(float)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    score = np.array([-0.7, 0.7, 0.0, 0.0])[value] + rng.logistic(size=400)
    y = score if task == "numbers" else (np.argsort(np.argsort(score)) * 2 // 400).astype(float)
    outcome = Outcome(y, None if task == "numbers" else 2, np.ones(400))
    [whole, *columns] = p_of(outcome, X, [range(4), 0, 1, 2, 3])
    assert whole < 1e-4
    assert columns == [1, 1, 1, 1]


def test_blocks_and_columns_can_be_asked_for_together(task: str) -> None:
    outcome, X = sample(task)
    asked = [[0, 1], 3, [4, 5], 0]
    together = p_of(outcome, X, asked)
    apart = [p_of(outcome, X, [each])[0] for each in asked]
    np.testing.assert_allclose(together, apart, rtol=1e-9)


def test_what_is_absent_is_not_needed_and_others_answer_for_it(task: str) -> None:
    outcome, X = sample(task, n=600)
    without = p_of(outcome, X, present=np.array([0, 2, 3, 4, 5]))
    assert without[1] == 1
    assert without[2] < 1e-4 < p_of(outcome, X)[2], "it is like the one that is gone"
    np.testing.assert_allclose(without[[0, 2, 3, 4, 5]], p_of(outcome, np.delete(X, 1, axis=1)))


def test_of_too_many_columns_only_likely_ones_are_proved(task: str) -> None:
    """Of 60 samples: 50 columns are too many, four that were chosen are not."""
    rng = np.random.default_rng(0)
    outcome, X = sample(task, n=60)
    wide = np.column_stack([X, rng.normal(size=(60, 44))])
    likely = np.array([30, 0, 1, 7])
    p = p_of(outcome, wide, likely=likely)
    assert (np.delete(p, likely) == 1).all()
    assert (p[likely] < 1).all()
    kept = np.sort(likely)
    np.testing.assert_allclose(p[kept], p_of(outcome, wide[:, kept]))


def test_models_have_at_most_half_as_many_parameters_as_samples() -> None:
    """29 columns and an offset are half of 60; of 30 columns those are left that are likely."""
    outcome, _ = sample("numbers", n=60)
    wide = np.random.default_rng(0).normal(size=(60, 30))
    nothing = np.array([], dtype=np.int64)
    assert (p_of(outcome, wide[:, :29], likely=nothing) < 1).all()
    assert (p_of(outcome, wide, likely=nothing) == 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 5])
def test_many_parameters_prove_nothing_by_themselves(n_classes: int) -> None:
    """Between a third and half as many as samples; four columns matter, all others are idle."""
    below = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(150, 60))
        score = X[:, :4].sum(axis=1) / 2 + rng.normal(size=150)
        limits = np.quantile(score, np.arange(1, n_classes) / n_classes)
        y = np.searchsorted(limits, score).astype(float)
        below.append(p_of(Outcome(y, n_classes, np.ones(150)), X)[4:])
    for level, most in ((0.05, 0.07), (0.01, 0.02), (0.001, 0.004)):
        assert np.mean(np.array(below) <= level) <= most


def test_of_columns_that_were_chosen_for_how_well_they_fit_fewer_are_tested() -> None:
    """An eighth of the samples, less an offset: what was chosen fits better than chance would."""
    outcome, _ = sample("numbers", n=64)
    wide = np.random.default_rng(0).normal(size=(64, 50))
    order = np.random.default_rng(1).permutation(50)
    p = p_of(outcome, wide, likely=order)
    assert set(np.flatnonzero(p < 1)) == set(order[:7])


def test_copies_count_once_among_parameters(task: str) -> None:
    """Thirty columns of rank six fit where thirty of full rank would not."""
    outcome, X = sample(task, n=60)
    p = p_of(outcome, np.column_stack([X, *[X[:, 1:]] * 5]), likely=np.array([], dtype=np.int64))
    assert p[0] == pytest.approx(p_of(outcome, X)[0], rel=1e-2)
    assert (p[1:] == 1).all()


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_handful_of_samples_proves_nothing(n: int) -> None:
    X = np.random.default_rng(0).normal(size=(n, 3))
    outcome = Outcome(np.arange(n) % 2 * 1.0, 2, np.ones(n))
    assert (p_of(outcome, X) > 0.05).all()


def test_classes_that_can_be_separated_prove_what_separates_them() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    outcome = Outcome((X[:, 0] > 0).astype(float), 2, np.ones(120))
    p = p_of(outcome, X)
    assert p[0] < 1e-6
    assert (p[1:] > 0.01).all()


def test_many_columns_are_worked_on_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, X = sample("ordered classes")
    expected = p_of(outcome, X)
    monkeypatch.setattr("relbounds.method.evidence.beside_others._NUMBERS_AT_A_TIME", 2 * len(X))
    np.testing.assert_allclose(p_of(outcome, X), expected, rtol=1e-3)


@pytest.mark.parametrize("grouped", [False, True], ids=["rows", "groups"])
def test_texts_with_the_same_gaps_have_as_many_directions_as_others_do_not_make_up(
    case: Any, grouped: bool
) -> None:
    """The values of a text make up those of no gap, which another text tells as well."""
    outcome, X = case
    n = len(X)
    rng = np.random.default_rng(0)
    is_gap = X[:, 1] > 0
    groups = Groups.of(np.arange(n) // 2) if grouped else None
    outcome = replace(outcome, groups=groups)
    first, second = (np.where(is_gap, 0, rng.integers(1, 4, n)) for _ in range(2))
    text = np.column_stack([first == value for value in (1, 2, 3)])
    beside = np.column_stack([second == value for value in (1, 2, 3)])
    both = np.column_stack([text, beside, X[:, 0]]).astype(float)
    fewer = np.delete(both, 2, axis=1)  # of the same span
    whole, without_one = p_of(outcome, both, [[0, 1, 2]]), p_of(outcome, fewer, [[0, 1]])
    np.testing.assert_allclose(whole, without_one, rtol=1e-3)
