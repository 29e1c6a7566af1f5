"""Rows and weights that leave a program: wrong guesses cost time, never truth.

Thresholds are lowered so that small sets are reduced like large ones.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from engine_cases import (
    AGREE,
    PROBLEMS,
    Array,
    Case,
    bounds_of,
    composed,
    furthest_apart,
    is_proved,
    set_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from small_sets import PROVED

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_PRIVILEGED_SETS
from relbounds.engine import FeasibleSet, Interior, Model, Simplex, working_set
from relbounds.engine.interior import path as interior_path
from relbounds.engine.interior import search as interior
from relbounds.engine.interior.program import Program
from relbounds.engine.optimum import best_models
from relbounds.engine.working_set import WorkingSet, budget_shares

deterministic = settings(deadline=None, derandomize=True, max_examples=200)
NO_LIMITS = np.empty((0, 2)), np.empty(0)
every_problem = pytest.mark.parametrize("problem", PROBLEMS)
every_slack = pytest.mark.parametrize("slack", ["free", "weighted", "mixed"])


def set_with_weights(
    problem: str,
    slack: str = "free",
    tolerance: float = 0.02,
    n: int = 120,
    d: int = 6,
    budget: str = "split",
) -> FeasibleSet:
    case = Case("noisy", problem, slack, budget, C=1.0, tolerance=tolerance, seed=1, n=n, d=d)
    feasible = set_of(case)
    assert feasible is not None
    return feasible


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Everything is large enough to be reduced."""
    monkeypatch.setattr(working_set, "_FEW_ROWS", 5)
    monkeypatch.setattr(working_set, "FEW_WEIGHTS", 1)
    monkeypatch.setattr(working_set, "_MOST_USED", 1.0)
    monkeypatch.setattr(working_set, "WINDOW", 1.0)
    return monkeypatch


def assert_right(feasible: FeasibleSet, weights: Sequence[int] | None = None) -> None:
    """The reduced engine's answers about some weights, or all, are the exact ones, and proved."""
    asked = range(feasible.space.n_weights) if weights is None else weights
    exact = Simplex().prepare(feasible).ranges(asked)
    found = Interior().prepare(feasible).ranges(asked)
    assert furthest_apart(feasible, exact, found) <= AGREE
    assert all(is_proved(feasible, bound) for bound in bounds_of(found))


@every_problem
@every_slack
def test_reduced_sets_reach_as_far(problem: str, slack: str, eager: pytest.MonkeyPatch) -> None:
    """With a window as narrow as one typical move many guesses are wrong at first."""
    assert_right(set_with_weights(problem, slack))


@every_problem
@every_slack
def test_rows_and_weights_are_really_left_out(
    problem: str, slack: str, eager: pytest.MonkeyPatch
) -> None:
    """Rows that have to be kept are outside as kept, never as missed.

    Weights stay that the baseline has, and those that the first few questions turn out to need.
    """
    feasible = set_with_weights(problem, slack)
    assert feasible.witness is not None
    used = set(np.flatnonzero(feasible.witness.weights))
    assert set(WorkingSet.around(feasible, feasible.witness).weights) == used
    start = Interior().prepare(feasible).start
    decided = start.working_set.sides != 0
    assert np.count_nonzero(decided) > 10
    assert start.program.n_rows == np.count_nonzero(~decided)
    assert not (start.working_set.sides[feasible.space.rows.must_hold] > 0).any()
    assert set(start.working_set.weights) >= used


@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_most_weights_of_wide_tables_are_left_out(problem: str) -> None:
    """Two of three, of 400; of about a hundred, the first questions let in nearly all."""
    case = Case("wide", problem, "free", "split", C=1.0, tolerance=0.1, seed=8, n=25, d=400)
    feasible = set_of(case)
    assert feasible is not None
    assert len(Interior().prepare(feasible).start.working_set.weights) < 200
    assert_right(feasible, [0, 1, 200, 399])


@every_problem
def test_a_working_set_changes_no_answer(problem: str, eager: pytest.MonkeyPatch) -> None:
    """Each is proved to 1e-7 of the scale."""
    feasible = set_with_weights(problem)
    reduced = Interior().prepare(feasible)
    eager.setattr(working_set, "_FEW_ROWS", 10**9)
    eager.setattr(working_set, "FEW_WEIGHTS", 10**9)
    whole = Interior().prepare(feasible)
    assert whole.start.program.n_rows > reduced.start.program.n_rows
    columns = list(np.random.default_rng(0).normal(size=(4, len(feasible.space.points), 1)))
    of_appended = [
        [each[0] for each in prepared.appended(columns, 1.0)] for prepared in (reduced, whole)
    ]
    for one, other in [
        (reduced.ranges(range(6)), whole.ranges(range(6))),
        (reduced.relevances(range(6)), whole.relevances(range(6))),
        of_appended,
    ]:
        for first, second in zip(one, other, strict=True):
            assert first.relevance == pytest.approx(
                second.relevance, rel=0, abs=2 * PROVED * feasible.scale
            )


def guess(
    monkeypatch: pytest.MonkeyPatch,
    feasible: FeasibleSet,
    sides: Array | None,
    weights: Array | None,
) -> None:
    """From now on sets are reduced like this."""
    whole = WorkingSet.whole(feasible.space)
    wrong = replace(
        whole,
        sides=whole.sides if sides is None else sides,
        weights=whole.weights if weights is None else weights,
    )
    monkeypatch.setattr(WorkingSet, "around", lambda *_: wrong)


@every_problem
@every_slack
@pytest.mark.parametrize("seed", range(3))
def test_random_sides_of_all_rows_end_in_the_right_answer(
    problem: str, slack: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    feasible = set_with_weights(problem, slack, n=40)
    rng = np.random.default_rng(seed)
    sides = np.where(
        feasible.space.rows.must_hold, 0, rng.choice([-1, 1], len(feasible.space.rows))
    )
    guess(monkeypatch, feasible, sides, None)
    assert_right(feasible)


@every_problem
@pytest.mark.parametrize("side", [-1, 1])
def test_rows_all_on_one_side_end_in_the_right_answer(
    problem: str, side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All exceeded: the loss seems to vanish. All missed: it seems linear."""
    feasible = set_with_weights(problem, n=40)
    guess(monkeypatch, feasible, np.where(feasible.space.rows.must_hold, 0, side), None)
    assert_right(feasible)


@every_problem
@every_slack
@pytest.mark.parametrize("kept", [0, 5])
def test_single_weight_ends_in_the_right_answer(
    problem: str, slack: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    feasible = set_with_weights(problem, slack, n=40)
    guess(monkeypatch, feasible, None, np.array([kept]))
    assert_right(feasible)


@every_problem
def test_appended_columns_of_a_wrongly_reduced_set(
    problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weight that is kept is none of those that matter, and all rows are on random sides."""
    feasible, rng = set_with_weights(problem, n=40), np.random.default_rng(0)
    columns = list(rng.normal(size=(3, 40, 1)))
    wide = [feasible.over(feasible.space.with_columns(column, 1.0)) for column in columns]
    exact = [np.abs(Simplex().prepare(each).ranges([6])[0].ends).max() for each in wide]
    sides = np.where(
        feasible.space.rows.must_hold, 0, rng.choice([-1, 1], len(feasible.space.rows))
    )
    guess(monkeypatch, feasible, sides, np.array([5]))
    found = Interior().prepare(feasible).appended(columns, 1.0)
    assert [each[0].relevance[1] for each in found] == pytest.approx(
        exact, rel=0, abs=AGREE * feasible.scale
    )


@every_problem
@pytest.mark.parametrize("seed", range(3))
def test_relevances_of_a_wrongly_reduced_set(
    problem: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models that only seem good do not make a needed feature dispensable."""
    feasible, rng = set_with_weights(problem, n=40), np.random.default_rng(seed)
    exact = [
        (max(0.0, low, -high), max(-low, high))
        for low, high in (each.ends for each in Simplex().prepare(feasible).ranges(range(6)))
    ]
    assert max(least for least, _ in exact) > 0.1 * feasible.scale
    sides = np.where(
        feasible.space.rows.must_hold, 0, rng.choice([-1, 1], len(feasible.space.rows))
    )
    guess(monkeypatch, feasible, sides, None)
    found = Interior().prepare(feasible).relevances(range(6))
    for each, expected in zip(found, exact, strict=True):
        assert each.relevance == pytest.approx(expected, rel=0, abs=AGREE * feasible.scale)


# ---------------------------------------------------------------------------------------------
# Large sets: a sample of the rows guesses, those near the guess prove
# ---------------------------------------------------------------------------------------------


def sampled(monkeypatch: pytest.MonkeyPatch, many: int, sample: int) -> None:
    """From now on sets of more rows than ``many`` are large."""
    monkeypatch.setattr(interior, "_MANY_ROWS", many)
    monkeypatch.setattr(interior, "_SAMPLE", sample)


def appended_to(feasible: FeasibleSet, n: int) -> list[Array]:
    """Columns of points, of which privileged ones come last and have no regular features."""
    columns = np.zeros((3, len(feasible.space.points), 1))
    columns[:, :n] = np.random.default_rng(0).normal(size=(3, n, 1))
    return list(columns)


def fallbacks_of_a_large_set(feasible: FeasibleSet, n: int) -> int:
    """How many of its programs fell back; all answers are the exact ones, and proved.

    Of both ends of a column that joins, the one that reaches less far no further than that.
    """
    prepared, exact = Interior().prepare(feasible), Simplex().prepare(feasible)
    assert prepared.start.sample is not None
    every = range(feasible.space.n_weights)
    found = prepared.ranges(every)
    assert furthest_apart(feasible, exact.ranges(every), found) <= AGREE
    assert all(is_proved(feasible, bound) for bound in bounds_of(found))
    columns = appended_to(feasible, n)
    asked, expected = prepared.appended(columns, 1.0), exact.appended(columns, 1.0)
    for (one,), (other,) in zip(asked, expected, strict=True):
        assert one.relevance == pytest.approx(other.relevance, rel=0, abs=AGREE * feasible.scale)
        shorter, longer = sorted((one.low, one.high), key=lambda end: end.inner)
        assert is_proved(feasible, longer)
        assert shorter.outer <= longer.inner + PROVED * feasible.scale
        found.append(one)
    return sum(each.fallbacks for each in found)


@every_problem
@every_slack
def test_large_sets_reach_as_far(problem: str, slack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of 80 rows, and about as many near its guess, hardly ever need the exact engine."""
    feasible = set_with_weights(problem, slack, n=250)
    open_rows = WorkingSet.around(feasible, feasible.witness).sides == 0
    soft = np.count_nonzero(open_rows & ~feasible.space.rows.must_hold)
    sampled(monkeypatch, min(100, soft - 1), min(80, soft // 2))
    assert fallbacks_of_a_large_set(feasible, 250) <= 2


@every_problem
@every_slack
def test_poor_samples_end_in_the_right_answer(
    problem: str, slack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """25 rows say next to nothing, and are often too few to limit offsets.

    Many answers are then the exact engine's.
    """
    feasible = set_with_weights(problem, slack, n=90)
    monkeypatch.setattr(working_set, "_FEW_ROWS", 300)  # none is left out before
    sampled(monkeypatch, 40, 25)
    fallbacks_of_a_large_set(feasible, 90)


@every_problem
def test_large_sets_of_joint_budgets_reach_as_far(
    problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever answers."""
    feasible = set_with_weights(problem, budget="joint", n=250)
    monkeypatch.setattr(working_set, "_FEW_ROWS", 300)  # none is left out before
    sampled(monkeypatch, 100, 80)
    fallbacks_of_a_large_set(feasible, 250)


@every_problem
def test_large_sets_of_joint_budgets_hardly_ever_fall_back(
    problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    feasible = set_with_weights(problem, budget="joint", tolerance=0.1, n=250)
    sampled(monkeypatch, 100, 80)
    found = Interior().prepare(feasible).ranges(range(6))
    assert sum(each.fallbacks for each in found) <= 2


@pytest.mark.parametrize("budget", ["split", "joint"])
def test_large_sets_whose_rows_must_all_hold(budget: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with slacks that are read: there is nothing to take a sample of."""
    feasible = set_with_weights("regression", "privileged", budget=budget, n=60, d=3)
    assert feasible.space.rows.must_hold.all()
    sampled(monkeypatch, 60, 25)
    assert_right(feasible)


@every_problem
@every_slack
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_sample_has_the_loss_and_slope_of_all_rows(problem: str, slack: str, budget: str) -> None:
    """At one model. What its loss is too large by at that model, its limits are as well."""
    feasible = set_with_weights(problem, slack, budget=budget, n=60)
    shares, limits, _ = budget_shares(feasible)
    program = WorkingSet.whole(feasible.space).program(shares, limits)
    rng = np.random.default_rng(0)
    weights = rng.normal(size=program.n_weights)
    offsets = rng.normal(size=program.n_shared - program.n_weights)
    sample, rows = program.thinned(20, weights, offsets)

    assert sample.n_soft == 20
    assert sample.n_rows == len(rows) == 20 + program.n_rows - program.n_soft
    np.testing.assert_array_equal(rows[20:], np.arange(program.n_soft, program.n_rows))
    np.testing.assert_array_equal(sample.coefficients, program.coefficients[rows])
    np.testing.assert_array_equal(sample.margin, program.margin[rows])

    left, left_of_sample = (
        each.limits - each.shares[:, 1] * each.loss(weights, offsets) for each in (program, sample)
    )
    np.testing.assert_allclose(left_of_sample, left, rtol=1e-9)
    slopes = slope(program, weights, offsets)
    size = np.abs(slopes).max()
    np.testing.assert_allclose(slope(sample, weights, offsets), slopes, rtol=0, atol=1e-5 * size)


def slope(program: Program, weights: Array, offsets: Array, step: float = 1e-6) -> Array:
    """Of the loss, by differences so small that no row changes sides."""
    model, d = np.r_[weights, offsets], len(weights)
    missed = program.margin - program.coefficients @ model
    assert (np.abs(missed) > step * np.abs(program.coefficients).max()).all()
    moved = [model + sign * step * each for each in np.eye(len(model)) for sign in (1, -1)]
    losses = np.array([program.loss(each[:d], each[d:]) for each in moved])
    found: Array = (losses[::2] - losses[1::2]) / (2 * step)
    return found


def test_sample_of_all_rows_is_the_program() -> None:
    feasible = set_with_weights("explicit", n=30)
    shares, limits, _ = budget_shares(feasible)
    program = WorkingSet.whole(feasible.space).program(shares, limits)
    assert feasible.witness is not None
    sample, rows = program.thinned(10**6, feasible.witness.weights, feasible.witness.offsets)
    np.testing.assert_array_equal(rows, np.arange(program.n_rows))
    for part in ("coefficients", "margin", "slack_price"):
        np.testing.assert_array_equal(getattr(sample, part), getattr(program, part))
    np.testing.assert_allclose(sample.linear, program.linear, rtol=0, atol=1e-12)
    np.testing.assert_allclose(sample.limits, program.limits, rtol=1e-12)


def test_rows_nearest_to_their_hinge_stay() -> None:
    """Those outside are on the side where they are."""
    feasible = set_with_weights("explicit", "mixed", n=60)
    whole, must_hold = WorkingSet.whole(feasible.space), feasible.space.rows.must_hold
    shortfalls = np.random.default_rng(0).normal(size=len(must_hold))
    sides = whole.nearest(shortfalls[None], 30).sides
    assert not sides[must_hold].any()
    stays = (sides == 0) & ~must_hold
    assert np.count_nonzero(stays) == 31
    distances = np.abs(shortfalls) / lengths_of(feasible)
    assert distances[stays].max() < distances[sides != 0].min()
    np.testing.assert_array_equal(sides[sides != 0], np.sign(shortfalls[sides != 0]))


def lengths_of(feasible: FeasibleSet) -> Array:
    """Of the coefficients of each row, an offset's being one."""
    space = feasible.space
    points = np.abs(space.rows.sign[:, None]) * space.points[space.rows.point] / space.prices
    lengths: Array = np.linalg.norm(np.column_stack([points, np.ones(len(points))]), axis=1)
    return lengths


def test_rows_of_a_rare_value_stay_from_further_away() -> None:
    """A column that is zero but for one point in a hundred moves its rows as far as it is large."""
    feasible = set_with_weights("explicit", n=100)
    space = feasible.space
    rare = np.zeros((len(space.points), 1))
    rare[0] = 10.0
    feasible = feasible.over(space.with_columns(rare, 1.0))
    whole, shortfalls = WorkingSet.whole(feasible.space), np.ones(len(space.rows))
    is_rare = (space.rows.point == 0) & (space.rows.sign != 0)
    shortfalls[is_rare] = 2.0
    sides = whole.nearest(shortfalls[None], int(is_rare.sum())).sides
    assert is_rare.any()
    assert not sides[is_rare].any()


def test_rows_that_models_are_at_odds_over_stay() -> None:
    """As near as the nearest of several models, and inside if two have them on different sides."""
    feasible = set_with_weights("explicit", n=60)
    whole, soft = WorkingSet.whole(feasible.space), ~feasible.space.rows.must_hold
    one, other = np.random.default_rng(0).normal(size=(2, len(soft)))
    sides = whole.nearest(np.array([one, other]), 5).sides
    assert not sides[one * other < 0].any()
    alike = soft & (one * other > 0)
    assert (sides[alike] != 0).any()
    decided = sides != 0
    np.testing.assert_array_equal(sides[decided], np.sign(one[decided]))


# ---------------------------------------------------------------------------------------------
# The reduced program
# ---------------------------------------------------------------------------------------------


@deterministic
@given(
    problem=st.sampled_from(list(PROBLEMS)),
    slack=st.sampled_from(["free", "weighted", "mixed"]),
    seed=st.integers(0, 2**32 - 1),
    size=st.floats(0, 3),
)
def test_reduced_loss_is_never_too_large(problem: str, slack: str, seed: int, size: float) -> None:
    """And right where no row is outside is on another side than its own.

    Rows that have to be kept count their surplus, which is negative in a model that breaks them.
    """
    case = Case("noisy", problem, slack, "split", C=1.0, tolerance=0.1, seed=0, n=12, d=3)
    space, rng = composed(case)[0].space, np.random.default_rng(seed)
    soft = ~space.rows.must_hold
    sides = np.where(soft, rng.integers(-1, 2, len(soft)), 0)
    weights, offsets = (size * rng.normal(size=k) for k in (space.n_weights, space.rows.n_offsets))
    kept = np.flatnonzero(rng.random(space.n_weights) < 0.7)
    weights[np.setdiff1d(np.arange(space.n_weights), kept)] = 0
    model = Model(weights, offsets)
    missed = space.shortfalls(model)
    loss = space.loss(model) - space.rows.surplus_weight[~soft] @ np.maximum(missed[~soft], 0)
    rounding = 1e-10 * (1 + space.rows.weight[soft].max()) * len(soft) * (1 + size)
    for chosen, exact in ((sides, False), (np.where(soft, np.sign(missed), 0).astype(int), True)):
        program = WorkingSet(space, chosen, kept).program(*NO_LIMITS)
        packed = np.r_[weights[kept], offsets]
        open_missed = (program.margin - program.coefficients @ packed)[: program.n_soft]
        reduced = program.slack_price @ np.maximum(open_missed, 0)
        reduced += program.linear @ packed + program.constant
        assert reduced <= loss + rounding
        if exact or not (chosen * missed < 0).any():
            assert reduced == pytest.approx(loss, rel=0, abs=rounding)


# ---------------------------------------------------------------------------------------------
# Paths
# ---------------------------------------------------------------------------------------------


@every_problem
@every_slack
@pytest.mark.parametrize(("rows", "weights"), [(20, 10**9), (10**9, 2), (20, 2)])
def test_reduced_paths_have_the_same_objectives(
    problem: str, slack: str, rows: int, weights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of rows, and a single weight to begin with."""
    monkeypatch.setattr(interior_path, "_MANY_ROWS", rows)
    monkeypatch.setattr(interior_path, "_ROWS_OF_SAMPLE", 15)
    monkeypatch.setattr(interior_path, "_MANY_WEIGHTS", weights)
    monkeypatch.setattr(interior_path, "_FIRST_WEIGHTS", 1)
    space = set_with_weights(problem, slack, n=80).space
    Cs = np.logspace(-2, 1, 7)
    exact, found = (best_models(engine.path(space), Cs) for engine in (Simplex(), Interior()))
    for C, one, other in zip(Cs.tolist(), exact, found, strict=True):
        expected = one.norm / 2 + C * one.loss
        assert other.norm / 2 + C * other.loss == pytest.approx(expected, rel=2e-7)


def test_rows_that_alone_limit_a_model_are_not_left_out() -> None:
    """Nothing but its rows keeps a slack function from falling; the nearest are all the other's."""
    data = PAPER_PRIVILEGED_SETS[7].make(random_state=0)
    model = OrdinalRelevance(C=0.5, gamma=1.0, tolerance=0.1, n_probes=10, random_state=0)
    found = model.fit(data.X, data.y, X_priv=data.X_priv).result_
    assert found.fallbacks == 0, "there is a centre to start from"


@pytest.mark.parametrize("missed", [1e-15, 0.5], ids=["by rounding", "by half a margin"])
def test_no_row_leaves_as_missed_where_nothing_may_be(
    missed: float, eager: pytest.MonkeyPatch
) -> None:
    """Programs that allow no loss do not count it: such a row would stay missed unnoticed."""
    feasible = set_with_weights("classification")
    lossless = replace(feasible, budget=replace(feasible.budget, limit=0.0))
    eager.setattr(working_set, "_ROWS_A_WEIGHT", 1)
    rows = feasible.space.rows
    model = Model(np.zeros(feasible.space.n_weights), np.zeros(rows.n_offsets))
    at_hinge = replace(feasible.space.rows, margin=np.full(len(rows), missed))
    space = replace(lossless.space, rows=at_hinge)
    found = WorkingSet.around(replace(lossless, space=space), model)
    assert (found.space.shortfalls(model) > 0).all()
    assert not (found.sides > 0).any()
