"""Limits of weights become rows; engines answer for any direction over what they leave."""

from itertools import product
from typing import Any

import numpy as np
import oracle
import oracle_constraints as by_force
import pytest
from oracle import Array
from oracle_cases import PROBLEMS, best_model_with_weights, target
from small_sets import free_slack, set_around

from relbounds.engine import (
    Budget,
    FeasibleSet,
    Interior,
    Model,
    ModelSpace,
    RestrictedModels,
    Restriction,
    Simplex,
)
from relbounds.problems import ClassificationProblem, SlackModel

INF = np.inf
ENGINES = {"interior": Interior(), "simplex": Simplex()}
GAMMA = 0.7
SLACKS = {"free": None, "privileged": SlackModel(), "mixed": SlackModel(4.0)}


def positions(*numbers: int) -> Any:
    return np.array(numbers, dtype=np.int64)


def box(low: list[float], high: list[float]) -> Restriction:
    return Restriction(np.array(low), np.array(high))


# What restrictions say


def test_nothing_is_restricted_at_first() -> None:
    nothing = Restriction.none(2)
    assert nothing.low.tolist() == [-INF, -INF]
    assert nothing.high.tolist() == [INF, INF]
    assert not nothing.contradicts_itself
    np.testing.assert_array_equal(nothing.least, [0, 0])


def test_further_limits_meet_and_totals_add_up() -> None:
    first = box([-1, 0], [1, INF]).at_most(positions(0, 1), 3.0)
    both = first.within(np.array([-2, 1]), np.array([0.5, 2])).at_most(positions(1), 2.0)
    assert both.low.tolist() == [-1, 1]
    assert both.high.tolist() == [0.5, 2]
    assert [limit for _, limit in both.totals] == [3.0, 2.0]
    assert first.low.tolist() == [-1, 0]
    assert len(first.totals) == 1


def test_the_least_size_is_the_distance_of_limits_from_zero() -> None:
    limits = box([-INF, -1, 0, 0.5, -2, -INF], [INF, 2, 0, 3, -1.5, -0.25])
    np.testing.assert_array_equal(limits.least, [0, 0, 0, 0.5, 1.5, 0.25])


@pytest.mark.parametrize(
    ("restriction", "contradicts"),
    [
        (box([0, 1], [0, 1]), False),
        (box([0.1, 0], [0, 0]), True),
        (box([0, 0], [INF, INF]).at_most(positions(0, 1), 0.0), False),
        (box([0.25, -INF], [1, -0.5]).at_most(positions(0, 1), 0.75), False),
        (box([0.25, -INF], [1, -0.5]).at_most(positions(0, 1), 0.7), True),
        (box([0.25, -INF], [1, -0.5]).at_most(positions(0), 0.3), False),
        (box([0.25, -INF], [1, INF]).at_most(positions(1), 0).at_most(positions(0), 0.2), True),
        (Restriction.none(2).at_most(positions(), 0.0), False),
        (Restriction.none(2).at_most(positions(), -1.0), True),
    ],
)
def test_what_no_weights_can_keep_contradicts_itself(
    restriction: Restriction, contradicts: bool
) -> None:
    assert restriction.contradicts_itself is contradicts


# What they leave of a set


def line_of_points() -> FeasibleSet:
    """Three weights over four samples of two classes, norm at most 3 and loss at most 8."""
    X = np.array([[1.0, 2.0, 0.5], [2.0, -1.0, 0.0], [-1.0, 0.5, 1.0], [-2.0, 1.0, -1.0]])
    rows = ClassificationProblem().margin_rows(np.array([1.0, 1.0, 0.0, 0.0]))
    return FeasibleSet(
        ModelSpace(X, rows, np.array([1.0, 1.0, 2.0])), Budget.split(norm=3.0, loss=8.0), 1.0
    )


def same_models(restricted: RestrictedModels, weights: Array, feasible: FeasibleSet) -> Array:
    """Own weights of a model in the restricted set that has these weights and costs the same."""
    found: Array = np.linalg.lstsq(restricted.weights, weights, rcond=None)[0]
    model, own = Model(weights, np.zeros(1)), Model(found, np.zeros(1))
    np.testing.assert_allclose(restricted.weights @ found, weights)
    assert restricted.feasible.space.loss(own) == pytest.approx(feasible.space.loss(model))
    return found


def test_an_absent_weight_has_no_column() -> None:
    feasible = line_of_points()
    restricted = RestrictedModels.of(feasible, box([-INF, 0, -INF], [INF, 0, INF]))
    np.testing.assert_array_equal(restricted.weights, [[1, 0], [0, 0], [0, 1]])
    np.testing.assert_array_equal(
        restricted.feasible.space.points, feasible.space.points[:, [0, 2]]
    )
    assert restricted.feasible.space.prices.tolist() == [1, 2]
    assert len(restricted.feasible.space.rows) == len(feasible.space.rows)
    same_models(restricted, np.array([0.5, 0, -0.25]), feasible)


def test_limits_are_rows_that_have_to_be_kept() -> None:
    """``w_0 >= -1``, ``w_2 >= 1/2``, ``w_0 <= 1/2``: in that order, after the rows there were."""
    feasible = line_of_points()
    restricted = RestrictedModels.of(feasible, box([-1, -INF, 0.5], [0.5, INF, INF]))
    np.testing.assert_array_equal(restricted.weights, np.eye(3))
    space, known = restricted.feasible.space, len(feasible.space.rows)
    np.testing.assert_array_equal(space.points[4:], [[1, 0, 0], [0, 0, 1], [-1, 0, 0]])
    np.testing.assert_array_equal(space.rows.margin[known:], [-1, 0.5, -0.5])
    assert space.rows.must_hold[known:].all()
    for weights, row_violation in (
        ([0, 9, 0.5], 0),
        ([0.75, 9, 0.5], 0.25),
        ([-1.5, 0, 1], 0.5),
        ([0, 0, 0], 0.5),
    ):
        model = Model(np.array(weights, dtype=np.float64), np.zeros(1))
        assert space.row_violation(model) == pytest.approx(row_violation)


def test_a_large_limit_is_scaled_so_that_a_row_violation_means_the_same() -> None:
    """Margins are 1 here: a weight of 150 misses a limit of 100 by half of it."""
    restricted = RestrictedModels.of(line_of_points(), box([-INF] * 3, [100, INF, INF]))
    space = restricted.feasible.space
    assert space.rows.margin_size == 1
    assert space.row_violation(Model(np.array([150.0, 0, 0]), np.zeros(1))) == pytest.approx(0.5)


def test_a_weight_in_a_total_has_two_columns() -> None:
    """``w_0 = p_0 - q_0``, ``w_2 = p_2 - q_2``, all at least 0, and ``sum p + q <= 3/4``."""
    feasible = line_of_points()
    restricted = RestrictedModels.of(feasible, Restriction.none(3).at_most(positions(0, 2), 0.75))
    np.testing.assert_array_equal(
        restricted.weights, [[1, 0, 0, -1, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, -1]]
    )
    space, X = restricted.feasible.space, feasible.space.points
    np.testing.assert_array_equal(space.points[:4], np.column_stack([X, -X[:, 0], -X[:, 2]]))
    assert space.prices.tolist() == [1, 1, 2, 1, 2]
    np.testing.assert_array_equal(
        space.points[4:],
        [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [-1, 0, -1, -1, -1]],
    )
    np.testing.assert_array_equal(space.rows.margin[-5:], [0, 0, 0, 0, -0.75])
    assert space.rows.must_hold[-5:].all()
    kept = Model(np.array([0.25, 9, 0, 0, 0.5]), np.zeros(1))
    assert space.row_violation(kept) == 0
    assert space.norm(kept) == pytest.approx(0.25 + 9 + 2 * 0.5)
    same_models(restricted, np.array([0.25, 1, -0.5]), feasible)


def test_limits_of_a_weight_in_a_total_speak_of_both_columns() -> None:
    restricted = RestrictedModels.of(
        line_of_points(), box([-INF, 0.5, 0], [INF, INF, 0]).at_most(positions(1, 2), 0.75)
    )
    np.testing.assert_array_equal(restricted.weights, [[1, 0, 0], [0, 1, -1], [0, 0, 0]])
    np.testing.assert_array_equal(
        restricted.feasible.space.points[4:], [[0, 1, -1], [0, 1, 0], [0, 0, 1], [0, -1, -1]]
    )


def test_nothing_restricted_leaves_the_set() -> None:
    feasible = line_of_points()
    restricted = RestrictedModels.of(feasible, Restriction.none(3))
    assert restricted.feasible.space.points is feasible.space.points
    assert restricted.feasible.space.rows is feasible.space.rows
    np.testing.assert_array_equal(restricted.weights, np.eye(3))


def test_the_budget_stays_and_no_good_model_is_known() -> None:
    feasible = line_of_points()
    restricted = RestrictedModels.of(feasible, box([0] * 3, [1] * 3)).feasible
    assert restricted.budget is feasible.budget
    assert restricted.scale == feasible.scale
    assert restricted.witness is None


def test_a_model_without_any_weight_is_left_if_all_are_absent() -> None:
    restricted = RestrictedModels.of(line_of_points(), box([0] * 3, [0] * 3))
    assert restricted.weights.shape == (3, 0)
    assert restricted.feasible.space.n_weights == 0


# How far any direction reaches


class Small:
    """A random set, and the oracle's program of the same data."""

    def __init__(self, problem: str, budget: str, slack: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(12, 18)), int(rng.integers(3, 6))
        X = rng.normal(size=(n, d))
        score = X[:, 0] + X[:, 1] + (0.4 if slack == "free" else 0.1) * rng.normal(size=n)
        y, weight = target(problem, score), rng.uniform(0.5, 2.0, size=n)
        rows, expected = (make for make in PROBLEMS[problem])
        margins, problem_rows = rows.margin_rows(y).weighted(weight), expected(X, y, weight)
        model = SLACKS[slack]
        if model is None:
            composition, self.program = free_slack(X, margins), oracle.with_free_slack(problem_rows)
        else:
            X_star = rng.normal(size=(n, 2))
            composition = model.compose(margins, [X, X_star]).at(GAMMA)
            price = 4.0 if slack == "mixed" else None
            self.program = oracle.with_privileged_slack(problem_rows, X_star, GAMMA, price)
        best, C = best_model_with_weights(composition, 0.3)
        self.feasible = set_around(composition, best, C, budget, 0.2)
        self.norm, self.rng = best.norm, rng
        self.limits = (
            oracle.split_budget(best.norm, best.loss, 0.2)
            if budget == "split"
            else oracle.joint_budget(best.norm, best.loss, 0.2, C)
        )

    def directions(self) -> Array:
        """Dense ones, one of two weights, and a sum of signs."""
        d = self.feasible.space.n_weights
        dense = self.rng.normal(size=(4, d))
        pair = np.where(np.arange(d) < 2, [[1.0], [-2.0]], 0.0)
        return np.vstack([dense, pair, self.rng.choice([-1.0, 1.0], size=(1, d))])


@pytest.mark.parametrize(
    ("problem", "budget", "slack"), list(product(PROBLEMS, ("split", "joint"), SLACKS))
)
def test_any_direction_reaches_as_far_as_the_oracle_says(
    problem: str, budget: str, slack: str
) -> None:
    """For both engines, and each answer is proved."""
    small = Small(problem, budget, slack, seed=len(problem + budget + slack))
    goals = small.directions()
    expected = np.array([by_force.largest(small.program, small.limits, goal) for goal in goals])
    for engine in ENGINES.values():
        found = engine.prepare(small.feasible).extremes(goals)
        np.testing.assert_allclose(
            [bound.inner for bound in found], expected, rtol=1e-6, atol=1e-6 * small.norm
        )
        assert all(bound.is_tight(small.feasible.scale) for bound in found)


@pytest.mark.parametrize("engine", ENGINES)
def test_directions_are_answered_one_by_one_as_together(engine: str) -> None:
    small = Small("explicit", "split", "free", seed=1)
    goals, prepared = small.directions(), ENGINES[engine].prepare(small.feasible)
    together = [bound.inner for bound in prepared.extremes(goals)]
    alone = [prepared.extremes(goal[None])[0].inner for goal in goals]
    np.testing.assert_allclose(together, alone, rtol=0, atol=2e-7 * small.norm)


@pytest.mark.parametrize("engine", ENGINES)
def test_twice_a_direction_reaches_twice_as_far(engine: str) -> None:
    small = Small("classification", "joint", "free", seed=2)
    goal, prepared = small.directions()[0], ENGINES[engine].prepare(small.feasible)
    once, twice = (bound.inner for bound in prepared.extremes(np.array([goal, 2 * goal])))
    assert twice == pytest.approx(2 * once, abs=4e-7 * small.norm)


@pytest.mark.parametrize("engine", ENGINES)
def test_single_weights_are_directions(engine: str) -> None:
    small = Small("regression", "split", "free", seed=3)
    prepared, d = ENGINES[engine].prepare(small.feasible), small.feasible.space.n_weights
    ranges = np.array([each.ends for each in prepared.ranges(range(d))])
    lows = [-bound.inner for bound in prepared.extremes(-np.eye(d))]
    highs = [bound.inner for bound in prepared.extremes(np.eye(d))]
    np.testing.assert_allclose(
        ranges, np.column_stack([lows, highs]), rtol=0, atol=2e-7 * small.norm
    )


@pytest.mark.parametrize(("problem", "engine"), list(product(PROBLEMS, ENGINES)))
def test_weights_of_restricted_models_reach_as_far_as_the_oracle_says(
    problem: str, engine: str
) -> None:
    """One absent, one at most half of what it could be, two limited in total."""
    small = Small(problem, "split", "free", seed=4)
    prepared, d = ENGINES[engine].prepare(small.feasible), small.feasible.space.n_weights
    ranges = np.array([each.ends for each in prepared.ranges(range(d))])
    most, total = 0.9 * ranges[1, 1], 0.9 * np.abs(ranges[:2]).max(axis=1).sum()
    restriction = Restriction.none(d).at_most(positions(0, 1), total)
    low, high = np.full(d, -INF), np.full(d, INF)
    low[2] = high[2] = 0.0
    high[1] = most
    asked: list[by_force.Asked] = [
        by_force.Signed((by_force.regular(2),), 0.0, 0.0),
        by_force.Signed((by_force.regular(1),), -INF, most),
        by_force.Total((by_force.regular(0), by_force.regular(1)), total),
    ]
    restricted = RestrictedModels.of(small.feasible, restriction.within(low, high))
    (expected,) = by_force.constrained_ranges(small.program, small.limits, asked).values()
    found = ENGINES[engine].prepare(restricted.feasible)
    for k in (k for k in range(d) if k != 2):
        goals = np.array([-restricted.weights[k], restricted.weights[k]])
        least, largest = (bound.inner for bound in found.extremes(goals))
        np.testing.assert_allclose(
            [-least, largest], expected["w", k], rtol=0, atol=1e-6 * small.norm
        )


def test_a_model_that_keeps_a_restriction_is_one_of_the_restricted_models() -> None:
    """``w = p - q`` in a total, no column where a weight is absent, the weight itself elsewhere."""
    feasible = line_of_points()
    d = feasible.space.n_weights
    assert d >= 3
    weights = np.linspace(-1, 1, d)
    weights[1] = 0.0
    none = Restriction.none(d)
    low, high = none.low.copy(), none.high.copy()
    low[1] = high[1] = 0.0
    restriction = Restriction(low, high).at_most(positions(0, d - 1), 5.0)
    assert restriction.is_kept_by(weights)
    assert not restriction.is_kept_by(weights + 0.5)
    assert not restriction.at_most(positions(0), 0.5).is_kept_by(weights)
    models = RestrictedModels.of(feasible, restriction)
    found = models.of_model(Model(weights, np.zeros(feasible.space.rows.n_offsets)))
    np.testing.assert_allclose(models.weights @ found.weights, weights)
    assert models.total(positions(0, d - 1)) @ found.weights == pytest.approx(2.0)
