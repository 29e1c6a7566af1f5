"""Of copies of a column one is enough: ranges, relevances and models are those of all."""

import numpy as np
import oracle
import pytest
from oracle import Array
from oracle_cases import PROBLEMS, best_model_with_weights, check_certificates, target
from small_sets import TWO_PROVED, set_around

from relbounds.engine import Copies, Interior, WeightRange
from relbounds.engine.interior.by_copies import CopySearch
from relbounds.problems import Composition, SlackModel

GAMMA = 0.5
TOLERANCE = 0.2
AGREE = 1e-6
"""With the oracle, as a share of the norm."""


def columns() -> Array:
    """The first has three copies, one of them turned; the third has one; all others none."""
    a, b, c = np.random.default_rng(0).normal(size=(3, 20))
    return np.column_stack([a, b, c, -a, a, -c, a])


def test_copies_know_their_first_their_second_and_their_sign() -> None:
    copies = Copies.of(columns())
    assert copies.first.tolist() == [0, 1, 2, 0, 0, 2, 0]
    assert copies.second.tolist() == [3, 1, 5, 3, 3, 5, 3]
    assert copies.sign.tolist() == [1, 1, 1, -1, 1, -1, 1]
    assert copies.is_first.tolist() == [True, True, True, False, False, False, False]
    assert copies.have_copies.tolist() == [True, False, True, True, True, True, True]


def test_the_first_is_the_first_in_the_order_of_columns_however_turned() -> None:
    copies = Copies.of(-columns()[:, ::-1])
    assert copies.first.tolist() == [0, 1, 0, 0, 1, 5, 0]
    assert copies.sign.tolist() == [1, 1, 1, -1, -1, 1, 1]


def test_what_differs_a_little_or_has_another_price_is_no_copy() -> None:
    table = columns()
    table[3, 4] *= 1 + 1e-12
    assert Copies.of(table).first.tolist() == [0, 1, 2, 0, 4, 2, 0]
    prices = np.array([1.0, 1, 1, 1, 1, 1, 2])
    assert Copies.of(columns(), prices).first.tolist() == [0, 1, 2, 0, 0, 2, 6]


def test_empty_columns_are_copies_of_each_other() -> None:
    copies = Copies.of(np.zeros((5, 3)))
    assert copies.first.tolist() == [0, 0, 0]
    assert copies.sign.tolist() == [1, 1, 1]


@pytest.mark.parametrize("column", range(7))
def test_scores_stay_when_weights_are_folded_and_given(column: int) -> None:
    table, copies = columns(), Copies.of(columns())
    weights = np.random.default_rng(1).normal(size=7)
    folded = copies.folded(weights)
    np.testing.assert_allclose(table @ folded, table @ weights)
    assert folded[copies.first != np.arange(7)].tolist() == [0, 0, 0, 0]
    given = copies.given(folded, column, 0.3)
    expected = table @ folded + 0.3 * table[:, copies.first[column]]
    if copies.have_copies[column]:
        np.testing.assert_allclose(table @ given, expected)
        assert given[column] == copies.sign[column] * 0.3


@pytest.mark.parametrize(("column", "least"), [(0, 0.5), (3, 0.5), (6, 0.5), (1, 0.0), (5, 0.5)])
def test_two_copies_gain_for_ever_below_half_of_what_one_gains(column: int, least: float) -> None:
    """One goes up and another down: two units of the norm for one of the goal."""
    assert Copies.of(columns()).least_norm_price(np.eye(7)[column]) == least


class Sample:
    """Copies on both sides, good models of the library, and the oracle's program of them."""

    def __init__(self, problem: str, slack: str) -> None:
        rng = np.random.default_rng(len(problem))
        base, noise = rng.normal(size=(24, 2)), 0.4 * rng.normal(size=24)
        score = base @ [1.0, 0.6] + noise
        self.X = np.column_stack([base, -base[:, 0], base[:, 0], base[:, 0]])
        told = np.abs(noise) + 0.1 * rng.normal(size=24)
        self.X_star = np.column_stack([told, told, rng.normal(size=24), -told])
        self.y, self.slack = target(problem, score), slack
        self.library, self.oracle = PROBLEMS[problem]
        self.composition = self.composed(self.X, self.X_star)
        best, C = best_model_with_weights(self.composition, 0.5)
        self.feasible = set_around(self.composition, best, C, "joint", TOLERANCE)
        self.budget = oracle.joint_budget(best.norm, best.loss, TOLERANCE, C)

    def composed(self, X: Array, X_star: Array) -> Composition:
        tables = [X] if self.slack == "free" else [X, X_star]
        composition = SlackModel().compose(self.library.margin_rows(self.y), tables)
        return composition if self.slack == "free" else composition.at(GAMMA)

    def program(self, X: Array, X_star: Array) -> oracle.Program:
        problem = self.oracle(X, self.y, np.ones(len(X)))
        if self.slack == "free":
            return oracle.with_free_slack(problem)
        return oracle.with_privileged_slack(problem, X_star, GAMMA)

    def expected(self, X: Array, X_star: Array, k: int, side: int) -> list[tuple[float, float]]:
        program = self.program(X, X_star)
        if side == 0:
            return [oracle.weight_range(program, self.budget, k)]
        return oracle.privileged_ranges(program, self.budget, k)


SAMPLES = [
    pytest.param(problem, slack, id=f"{problem}-{slack}")
    for problem in ("explicit", "classification", "regression")
    for slack in ("free", "privileged")
]


def check(found: list[WeightRange], expected: list[tuple[float, float]], scale: float) -> None:
    check_certificates(found, scale)
    ends = [each.ends for each in found]
    np.testing.assert_allclose(ends, expected, rtol=0, atol=AGREE * scale)


@pytest.mark.parametrize(("problem", "slack"), SAMPLES)
def test_ranges_are_those_of_the_oracle_with_all_copies(problem: str, slack: str) -> None:
    sample = Sample(problem, slack)
    search = Interior().prepare(sample.feasible)
    assert isinstance(search, CopySearch)
    for side, layout in enumerate(sample.composition.layouts):
        for k in range(layout.n_features):
            found = search.ranges(layout.positions(k).tolist())
            check(found, sample.expected(sample.X, sample.X_star, k, side), sample.feasible.scale)


@pytest.mark.parametrize(("problem", "slack"), SAMPLES)
def test_models_have_all_weights_and_reach_their_ends(problem: str, slack: str) -> None:
    sample = Sample(problem, slack)
    space, scale = sample.feasible.space, sample.feasible.scale
    for k, each in enumerate(Interior().prepare(sample.feasible).ranges(range(space.n_weights))):
        for sign, bound in ((-1, each.low), (1, each.high)):
            assert bound.model is not None
            assert len(bound.model.weights) == space.n_weights
            assert abs(sign * bound.model.weights[k] - bound.inner) <= TWO_PROVED * scale
            assert sample.feasible.cost(bound.model) <= sample.feasible.budget.limit * (1 + 1e-6)


@pytest.mark.parametrize(("problem", "slack"), SAMPLES)
def test_columns_that_join_reach_as_far_as_beside_all_copies(problem: str, slack: str) -> None:
    """Both functions of a privileged column are asked about, which differ."""
    sample, rng = Sample(problem, slack), np.random.default_rng(1)
    search = Interior().prepare(sample.feasible)
    for side, layout in enumerate(sample.composition.layouts):
        joining = rng.normal(size=(2, len(sample.X)))
        asked = [layout.spread(each) for each in joining]
        for column, found in zip(joining, search.appended(asked, layout.price), strict=True):
            tables = [sample.X, sample.X_star]
            tables[side] = np.column_stack([tables[side], column])
            expected = np.array(sample.expected(*tables, tables[side].shape[1] - 1, side))
            furthest = [np.abs(each.ends).max() for each in found]
            np.testing.assert_allclose(
                furthest,
                np.abs(expected).max(axis=1),
                rtol=0,
                atol=AGREE * sample.feasible.scale,
            )


def test_goals_about_several_copies_are_asked_of_all() -> None:
    sample = Sample("explicit", "free")
    search, program = Interior().prepare(sample.feasible), sample.program(sample.X, sample.X_star)
    goals = np.array([[1.0, 0, 0, 1, 0], [1, 0, 1, 0, 0], [0, 1, 0, -1, 0.5]])
    for goal, bound in zip(goals, search.extremes(goals), strict=True):
        cost = -sum(g * program.unit("w", k) for k, g in enumerate(goal))
        matrix, upper = oracle.limited(program, sample.budget)
        solution = oracle.solved(cost, matrix, upper, program.signs)
        assert solution is not None
        assert abs(bound.inner + cost @ solution) <= AGREE * sample.feasible.scale
