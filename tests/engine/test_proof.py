"""Weak duality is written for batches: each line proves what it would alone, and no more."""

from dataclasses import replace

import numpy as np
import pytest
from engine_cases import SLACKS, Case, composed, set_of
from numpy.typing import NDArray

from relbounds.arrays import relevance_of
from relbounds.engine import FeasibleSet, Model, ModelSpace, dual_bound
from relbounds.engine.proof import Bound, Claims, certify, prove

Array = NDArray[np.float64]
every_slack = pytest.mark.parametrize("slack", SLACKS)


def some_set(slack: str) -> FeasibleSet:
    case = Case("noisy", "explicit", slack, "split", 1.0, 0.1, seed=2, gamma=0.5)
    feasible = set_of(case)
    assert feasible is not None
    return feasible


def lines(feasible: FeasibleSet, n: int = 5) -> tuple[Array, Array]:
    """Directions and multipliers that prove something, though not much."""
    rng, space = np.random.default_rng(0), feasible.space
    return rng.normal(size=(n, space.n_weights)), rng.uniform(-0.1, 1, size=(n, len(space.rows)))


@every_slack
def test_every_line_of_a_batch_proves_what_it_does_alone(slack: str) -> None:
    feasible = some_set(slack)
    goals, multipliers = lines(feasible)
    together = dual_bound(feasible.space, multipliers, goals, feasible.offset_box)
    for line, (goal, alpha) in enumerate(zip(goals, multipliers, strict=True)):
        alone = dual_bound(feasible.space, alpha[None], goal[None], feasible.offset_box)
        for one, several in zip(alone, together, strict=True):
            assert several[line] == pytest.approx(one[0], rel=1e-12)


@every_slack
@pytest.mark.parametrize("size", [1.0, 100.0])
def test_own_columns_count_like_columns_of_the_set(size: float, slack: str) -> None:
    """Of several lines together the offsets may move as far as any line's columns let them."""
    feasible, price = some_set(slack), 2.0
    space, rng = feasible.space, np.random.default_rng(1)
    columns = size * rng.normal(size=(3, 2, len(space.points)))
    goals, weights = rng.normal(size=(2, 3, space.n_weights + 2))
    offsets = rng.normal(size=(3, space.rows.n_offsets))
    multipliers = rng.uniform(0, 1, size=(3, len(space.rows)))
    claims = Claims(goals, weights, offsets, multipliers, np.ones((3, 2)), columns, price)
    together = claims.dual_bound(feasible).within(feasible.budget)
    for line, claim in enumerate(claims):
        larger = feasible.over(space.with_columns(columns[line].T, price))
        model = Model(weights[line], offsets[line])
        expected = certify(larger, goals[line], model, multipliers[line])
        [outer] = claim.dual_bound(feasible).within(feasible.budget)
        [found] = prove(feasible, claim).bounds
        assert outer == pytest.approx(expected.outer)
        assert together[line] >= outer * (1 - 1e-12)
        assert (found.inner, found.violation) == pytest.approx((expected.inner, expected.violation))


def test_of_a_pair_only_what_may_pass_the_other_is_balanced() -> None:
    """Multipliers that are off at the offsets prove little, but may prove enough."""
    feasible, rng = some_set("free"), np.random.default_rng(2)
    space = feasible.space
    goals, weights = rng.normal(size=(2, 4, space.n_weights))
    weights[2] = 1e9 * goals[2]
    claims = Claims(
        goals,
        weights,
        rng.normal(size=(4, space.rows.n_offsets)),
        rng.uniform(0, 1, size=(4, len(space.rows))),
        np.ones((4, 2)),
        np.empty((4, 0, len(space.points))),
        1.0,
    )
    as_they_are = claims.dual_bound(feasible).within(feasible.budget)
    balanced = [bound.outer for bound in prove(feasible, claims).bounds]
    in_pairs = [bound.outer for bound in prove(feasible, claims, paired=True).bounds]
    assert (np.array(balanced)[[0, 1, 3]] < as_they_are[[0, 1, 3]]).all()
    np.testing.assert_array_equal(in_pairs[:2], balanced[:2])
    assert in_pairs[3] == as_they_are[3] < claims.reached[2]


def test_models_that_use_few_weights_miss_rows_as_any_do() -> None:
    random, d = np.random.RandomState(0), 300
    space = replace(
        some_set("free").space, points=random.normal(size=(len(some_set("free").space.points), d))
    )
    weights = np.zeros((2, d + 1))
    weights[:, [3, 120, d]] = random.normal(size=(2, 3))
    offsets = random.normal(size=(2, space.rows.n_offsets))
    own = random.normal(size=(2, 1, len(space.points)))
    claims = Claims(weights, weights, offsets, np.empty((2, 0)), np.empty((2, 2)), own, 1.0)
    scores = weights[:, :d] @ space.points.T + own[:, 0] * weights[:, d:]
    expected = space.rows.shortfalls(scores, offsets)
    np.testing.assert_allclose(claims.shortfalls(space), expected, rtol=0, atol=1e-12)


def test_rows_that_cost_nothing_do_not_spoil_a_proof() -> None:
    """Samples of weight zero have rows of price zero, and 0 / 0 for a multiplier not used."""
    space = composed(Case("noisy", "classification", "free", "split", 1.0, 0.1, seed=2))[0].space
    weight = np.ones(len(space.points))
    weight[:5] = 0.0
    idle = ModelSpace(space.points, space.rows.weighted(weight), space.prices)
    multipliers = np.where(idle.rows.weight > 0, 0.5, 0.0)[None]
    nothing, box = np.zeros((1, space.n_weights)), space.offset_box(1.0, 1.0)
    bound = dual_bound(idle, multipliers, nothing, box)
    assert bound.loss_worth == pytest.approx([0.5])


@pytest.mark.parametrize("place", [0, -1])
def test_multipliers_that_are_no_numbers_prove_nothing(place: int) -> None:
    feasible = some_set("privileged")
    goals, multipliers = lines(feasible, 2)
    multipliers[1, place] = np.nan
    within = dual_bound(feasible.space, multipliers, goals, feasible.offset_box).within(
        feasible.budget
    )
    assert np.isnan(within).tolist() == [False, True]


@pytest.mark.parametrize(
    ("ends", "relevance"),
    [
        ((-2.0, 3.0), (0.0, 3.0)),
        ((1.0, 3.0), (1.0, 3.0)),
        ((-3.0, -1.0), (1.0, 3.0)),
        ((-3.0, 0.0), (0.0, 3.0)),
        ((-0.0, 0.0), (0.0, 0.0)),
    ],
)
def test_relevance_is_how_small_and_large_a_weight_can_be(
    ends: tuple[float, float], relevance: tuple[float, float]
) -> None:
    found = relevance_of(np.array(ends))
    assert found.tolist() == list(relevance)
    assert not np.signbit(found).any()


def test_a_share_of_the_way_to_another_model() -> None:
    here, there = (Model(np.full(2, value), np.full(1, -value)) for value in (1.0, 3.0))
    between = here.towards(there, 0.25)
    assert (between.weights.tolist(), between.offsets.tolist()) == ([1.5, 1.5], [-1.5])


@pytest.mark.parametrize(
    ("first", "second", "inner", "outer"),
    [
        (Bound(1.0, 3.0, 0.0), Bound(2.0, 4.0, 0.0), 2.0, 3.0),
        (Bound(2.0, 4.0, 0.0), Bound(1.0, 3.0, 0.0), 2.0, 3.0),
        (Bound(1.0, 3.0, 0.0), Bound(2.5, 2.7, 1.0), 1.0, 2.7),
        (Bound(2.5, 2.7, 1.0), Bound(1.0, 3.0, 0.0), 1.0, 2.7),
        (Bound(np.nan, np.nan, np.nan), Bound(1.0, 3.0, 0.0), 1.0, 3.0),
    ],
    ids=["the second reaches further", "the first does", "not good", "not good either", "nothing"],
)
def test_two_answers_prove_together_what_the_better_of_them_does(
    first: Bound, second: Bound, inner: float, outer: float
) -> None:
    """A model that exceeds the budget reaches nothing; its multipliers prove all the same."""
    joined = first.joined(second)
    assert (joined.inner, joined.outer, joined.violation) == (inner, outer, 0.0)
    assert first.joined(None) is first


def test_of_two_answers_the_one_that_exceeds_what_is_proved_does_not_count() -> None:
    """It exceeds a budget by rounding, and so it would seem to be refuted."""
    exact, beyond = Bound(1.0, 1.0, 1e-12), Bound(1.0 + 1e-6, np.inf, 9e-8)
    assert exact.joined(beyond) == beyond.joined(exact) == exact
    lost = Bound(np.nan, 1.0, 0.0)
    assert lost.joined(exact) == exact.joined(lost) == exact
