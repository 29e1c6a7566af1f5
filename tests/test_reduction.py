"""Rows and weights that leave a program: wrong guesses cost time, never truth.

Thresholds are lowered so that small bodies are reduced like large ones.
"""

from dataclasses import replace

import numpy as np
import pytest
from engine_cases import (
    AGREE,
    PROBLEMS,
    Array,
    Case,
    body_of,
    bounds_of,
    composed,
    furthest_apart,
    is_proved,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from small_bodies import PROVED

from relbounds.baseline import best_models
from relbounds.engine import GoodModels, Interior, Model, Simplex, interior_path, reduction
from relbounds.engine.reduction import Reduction

deterministic = settings(deadline=None, derandomize=True, max_examples=200)
NO_LIMITS = np.empty((0, 2)), np.empty(0)
every_problem = pytest.mark.parametrize("problem", PROBLEMS)
every_slack = pytest.mark.parametrize("slack", ["free", "weighted", "mixed"])


def body_with_weights(
    problem: str, slack: str = "free", tolerance: float = 0.02, n: int = 120, d: int = 6
) -> GoodModels:
    case = Case("noisy", problem, slack, "split", C=1.0, tolerance=tolerance, seed=1, n=n, d=d)
    body = body_of(case)
    assert body is not None
    return body


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Everything is large enough to be reduced."""
    monkeypatch.setattr(reduction, "_FEW_ROWS", 5)
    monkeypatch.setattr(reduction, "_FEW_WEIGHTS", 1)
    monkeypatch.setattr(reduction, "_WINDOW", 1.0)
    return monkeypatch


def assert_right(body: GoodModels) -> None:
    """The reduced engine's answers are the exact ones, proved, and its own."""
    every = range(body.space.n_weights)
    exact = Simplex().prepare(body).ranges(every)
    found = Interior().prepare(body).ranges(every)
    assert furthest_apart(body, exact, found) <= AGREE
    assert all(is_proved(body, bound) for bound in bounds_of(found))


@every_problem
@every_slack
def test_reduced_bodies_reach_as_far(problem: str, slack: str, eager: pytest.MonkeyPatch) -> None:
    """With a window as narrow as one typical move many guesses are wrong at first."""
    assert_right(body_with_weights(problem, slack))


@every_problem
@every_slack
def test_rows_and_weights_are_really_left_out(
    problem: str, slack: str, eager: pytest.MonkeyPatch
) -> None:
    """Rows that have to be kept stay."""
    body = body_with_weights(problem, slack)
    assert body.witness is not None
    start = Interior().prepare(body).start
    decided = start.reduction.sides != 0
    assert np.count_nonzero(decided) > 10
    assert start.program.n_rows == np.count_nonzero(~decided)
    assert not decided[body.space.rows.must_hold].any()
    assert set(start.reduction.weights) == set(np.flatnonzero(body.witness.weights))


@every_problem
def test_reduction_changes_no_answer(problem: str, eager: pytest.MonkeyPatch) -> None:
    """Each is proved to 1e-7 of the scale."""
    body = body_with_weights(problem)
    reduced = Interior().prepare(body)
    eager.setattr(reduction, "_FEW_ROWS", 10**9)
    eager.setattr(reduction, "_FEW_WEIGHTS", 10**9)
    whole = Interior().prepare(body)
    assert whole.start.program.n_rows > reduced.start.program.n_rows
    columns = list(np.random.default_rng(0).normal(size=(4, len(body.space.points), 1)))
    of_strangers = [
        [each[0] for each in prepared.strangers(columns, 1.0)] for prepared in (reduced, whole)
    ]
    for one, other in [
        (reduced.ranges(range(6)), whole.ranges(range(6))),
        (reduced.relevances(range(6)), whole.relevances(range(6))),
        of_strangers,
    ]:
        for first, second in zip(one, other, strict=True):
            assert first.relevance == pytest.approx(
                second.relevance, rel=0, abs=2 * PROVED * body.scale
            )


def guess(
    monkeypatch: pytest.MonkeyPatch, body: GoodModels, sides: Array | None, weights: Array | None
) -> None:
    """From now on bodies are reduced like this."""
    whole = Reduction.whole(body.space)
    wrong = replace(
        whole,
        sides=whole.sides if sides is None else sides,
        weights=whole.weights if weights is None else weights,
    )
    monkeypatch.setattr(Reduction, "around", lambda *_: wrong)


@every_problem
@every_slack
@pytest.mark.parametrize("seed", range(3))
def test_random_sides_of_all_rows_end_in_the_right_answer(
    problem: str, slack: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = body_with_weights(problem, slack, n=40)
    rng = np.random.default_rng(seed)
    sides = np.where(body.space.rows.must_hold, 0, rng.choice([-1, 1], len(body.space.rows)))
    guess(monkeypatch, body, sides, None)
    assert_right(body)


@every_problem
@pytest.mark.parametrize("side", [-1, 1])
def test_rows_all_on_one_side_end_in_the_right_answer(
    problem: str, side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All exceeded: the loss seems to vanish. All missed: it seems linear."""
    body = body_with_weights(problem, n=40)
    guess(monkeypatch, body, np.where(body.space.rows.must_hold, 0, side), None)
    assert_right(body)


@every_problem
@every_slack
@pytest.mark.parametrize("kept", [0, 5])
def test_single_weight_ends_in_the_right_answer(
    problem: str, slack: str, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = body_with_weights(problem, slack, n=40)
    guess(monkeypatch, body, None, np.array([kept]))
    assert_right(body)


@every_problem
def test_strangers_of_a_wrongly_reduced_body(problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The weight that is kept is none of those that matter, and all rows are on random sides."""
    body, rng = body_with_weights(problem, n=40), np.random.default_rng(0)
    columns = list(rng.normal(size=(3, 40, 1)))
    wide = [body.over(body.space.with_columns(column, 1.0)) for column in columns]
    exact = [np.abs(Simplex().prepare(each).ranges([6])[0].ends).max() for each in wide]
    sides = np.where(body.space.rows.must_hold, 0, rng.choice([-1, 1], len(body.space.rows)))
    guess(monkeypatch, body, sides, np.array([5]))
    found = Interior().prepare(body).strangers(columns, 1.0)
    assert [each[0].relevance[1] for each in found] == pytest.approx(
        exact, rel=0, abs=AGREE * body.scale
    )


@every_problem
@pytest.mark.parametrize("seed", range(3))
def test_relevances_of_a_wrongly_reduced_body(
    problem: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models that only seem good do not make a needed feature dispensable."""
    body, rng = body_with_weights(problem, n=40), np.random.default_rng(seed)
    exact = [
        (max(0.0, low, -high), max(-low, high))
        for low, high in (each.ends for each in Simplex().prepare(body).ranges(range(6)))
    ]
    assert max(least for least, _ in exact) > 0.1 * body.scale
    sides = np.where(body.space.rows.must_hold, 0, rng.choice([-1, 1], len(body.space.rows)))
    guess(monkeypatch, body, sides, None)
    found = Interior().prepare(body).relevances(range(6))
    for each, expected in zip(found, exact, strict=True):
        assert each.relevance == pytest.approx(expected, rel=0, abs=AGREE * body.scale)


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
    """And right where no row is on another side than it was left out with.

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
        program = Reduction(space, chosen, kept).program(*NO_LIMITS)
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
    space = body_with_weights(problem, slack, n=80).space
    Cs = np.logspace(-2, 1, 7)
    exact, found = (best_models(engine.path(space), Cs) for engine in (Simplex(), Interior()))
    for C, one, other in zip(Cs.tolist(), exact, found, strict=True):
        expected = one.norm / 2 + C * one.loss
        assert other.norm / 2 + C * other.loss == pytest.approx(expected, rel=2e-7)
