"""Slacks that are read from privileged features: toys solved by hand, and facts about all sets.

A row below an offset (chi) or above it (xi) has the slack ``f(x*) = u.x* + d >= 0``, with a
function for each kind, and in the mixed model free slack at a price. A model costs ``norm = |w|_1 +
gamma (|u_chi|_1 + |u_xi|_1)`` and ``loss``, the sum of all slacks.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import oracle
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle_cases import PROBLEMS
from small_sets import (
    PROVED,
    TWO_PROVED,
    Array,
    assert_same_budget,
    feasible_set,
    fitted,
    free_slack,
    random_sample,
    ranges,
    training_data,
)

from relbounds.arrays import relevance_of
from relbounds.engine import (
    Bound,
    Budget,
    FeasibleSet,
    Model,
    Simplex,
    Solver,
    dual_bound,
    extreme,
    polished,
    unit_goal,
)
from relbounds.engine.optimum import has_weights
from relbounds.engine.proof import certify
from relbounds.method.best_model import BestModel
from relbounds.method.probes import ProbeSetting, append
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.tuning import Choice
from relbounds.problems import (
    ClassificationProblem,
    Composition,
    OrdinalProblem,
    RegressionProblem,
    SlackModel,
)

deterministic = settings(deadline=None, derandomize=True, max_examples=200)
BUDGETS = ("split", "joint")
# At three times the price free slack and functions are both worth having, beside thirty samples.
SLACKS = {"privileged": SlackModel(), "mixed": SlackModel(3.0)}

every_problem = pytest.mark.parametrize("problem", PROBLEMS)
every_slack = pytest.mark.parametrize("slack", SLACKS)
every_budget = pytest.mark.parametrize("budget", BUDGETS)


# ---------------------------------------------------------------------------------------------
# Solved by hand
# ---------------------------------------------------------------------------------------------


def set_of(composition: Composition, budget: Budget) -> FeasibleSet:
    return FeasibleSet(composition.space, budget, scale=1.0)


PAIR_ROWS = ClassificationProblem().margin_rows(np.array([0.0, 1.0]))
PAIR = np.array([[-1.0], [1.0]])


@pytest.mark.parametrize("gamma", [0.5, 1.0, 4.0])
@every_slack
def test_one_sample_of_a_kind_has_all_the_slack_it_wants(slack: str, gamma: float) -> None:
    """x = -1 of class 0 and x = +1 of class 1 lose ``2 max(0, 1 - w)``, as with free slack.

    Each function has one value to take, which its constant can do alone. So loss 1/2 asks for
    ``w >= 3/4``, and what that leaves of the norm 3/2 may be spent on any privileged weight.
    """
    composition = SLACKS[slack].compose(PAIR_ROWS, [PAIR, np.array([[2.0], [-3.0]])]).at(gamma)
    idle = 0.75 / gamma
    expected = np.array([[0.75, 1.5], [-idle, idle], [-idle, idle]])
    found = ranges(set_of(composition, Budget.split(1.5, 0.5)))
    assert found == pytest.approx(expected, abs=PROVED * max(1, idle))


HARD_ROWS = ClassificationProblem().margin_rows(np.array([0.0, 0.0, 1.0, 1.0]))
HARD_X = np.array([[-1.0], [0.0], [1.0], [1.0]])
HARD_X_STAR = np.array([[0.0], [1.0], [0.0], [0.0]])


def hard_sample(slack: SlackModel) -> Composition:
    """Class 0 at x = -1 and 0, class 1 twice at 1, and a teacher who marks the one at 0 as hard.

    With ``f = d + u x*`` for class 0 and ``e`` for class 1 the rows are

        w + b + d >= 1,   b + (d + u) >= 1,   w - b + e >= 1 (twice),

    so that ``d + u + e >= 2 - w``: what w lacks of 2 is taken up by u, which costs as much in loss
    and a quarter (gamma) of it in norm, or by d or e, which cost twice as much in loss and nothing
    in norm. Below w = 1 the first row asks for more.
    """
    return slack.compose(HARD_ROWS, [HARD_X, HARD_X_STAR]).at(0.25)


@pytest.mark.parametrize(("C", "w", "u"), [(0.3, 1, 1), (0.4, 2, 0)])
def test_hard_sample_is_excused_if_loss_is_cheap(C: float, w: float, u: float) -> None:
    """``(w + u/4) / 2 + C u`` with ``w = 2 - u`` is ``1 + (C - 3/8) u``: u = 1 if C < 3/8, else 0.

    d or e would be worth it if C < 1/4, and w < 1, which costs 3 for each unit, if C < 1/6.
    """
    best = fitted(hard_sample(SLACKS["privileged"]), C)
    assert best.model.weights == pytest.approx([w, u, 0], abs=1e-9)
    assert best.norm == pytest.approx(w + u / 4, abs=1e-9)
    assert best.loss == pytest.approx(u, abs=1e-9)


def test_range_of_the_hard_sample() -> None:
    """Norm 1.6 and loss 1.

    - w is at least 1, where u takes up all of the other 1; at most 1.6, where d or e take up 0.4
      at a loss of 0.8.
    - u is at most 1, the loss. For u = -v, d has to be v more than elsewhere, which makes a loss of
      ``v + 2 (2 - w)``, and ``w <= 1.6 - v/4``: so 3/2 v <= 1/5.
    - The other function is the same for all that read it. It may waste what (1, 1) leaves of the
      norm: ``1.6 - 1.25``, at a quarter each.
    """
    feasible = set_of(hard_sample(SLACKS["privileged"]), Budget.split(1.6, 1.0))
    expected = np.array([[1.0, 1.6], [-2 / 15, 1.0], [-1.4, 1.4]])
    assert ranges(feasible) == pytest.approx(expected, abs=TWO_PROVED)


def test_range_of_the_hard_sample_without_any_tolerance() -> None:
    """Within norm 1.25 and loss 1 there is only w = 1, u = 1.

    If u takes up p and the others r, ``p + 2r <= 1`` and ``3/4 p + r >= 3/4`` leave only p = 1.
    """
    feasible = set_of(hard_sample(SLACKS["privileged"]), Budget.split(1.25, 1.0))
    assert ranges(feasible) == pytest.approx(np.array([[1, 1], [1, 1], [0, 0]]), abs=TWO_PROVED)


@pytest.mark.parametrize(("C", "u", "loss"), [(0.3, 1, 1), (0.2, 0, 1.5)])
def test_free_slack_takes_the_place_of_a_function_that_costs_more(
    C: float, u: float, loss: float
) -> None:
    """Free slack s at 3/2: what u takes up gains ``3/8 - C``, what s takes up ``1/2 - 3/2 C``.

    Both are positive, so w = 1; s gains more if C < 1/4.
    """
    best = fitted(hard_sample(SlackModel(1.5)), C)
    assert best.model.weights == pytest.approx([1, u, 0], abs=1e-9)
    assert best.loss == pytest.approx(loss, abs=1e-9)


def test_range_of_the_hard_sample_with_free_slack() -> None:
    """As before, but for u = -v: s takes up ``2 - w`` at 3/2 instead of d at 2.

    ``v + 3/2 (2 - w) <= 1`` with ``w <= 1.6 - v/4`` leaves ``v <= 16/55``.
    """
    feasible = set_of(hard_sample(SlackModel(1.5)), Budget.split(1.6, 1.0))
    expected = np.array([[1.0, 1.6], [-16 / 55, 1.0], [-1.4, 1.4]])
    assert ranges(feasible) == pytest.approx(expected, abs=TWO_PROVED)


@pytest.mark.parametrize(("X_star", "allowed"), [([0.0, 0.0], 0.05), ([0.0, 1.0], 0.1)])
def test_regression_without_hints_pays_for_the_worst_error_twice(
    X_star: list[float], allowed: float
) -> None:
    """(0, 0) and (1, 1) with a tube of 0, and a loss of 0.1.

    Without hints both samples have the same slack on each side, which makes ``2 |1 - w|``. If x*
    tells them apart, only one has to have any. Privileged weights are nearly free.
    """
    rows = RegressionProblem(0.0).margin_rows(np.array([0.0, 1.0]))
    columns = [np.array([[0.0], [1.0]]), np.array(X_star)[:, None]]
    composition = SlackModel().compose(rows, columns)
    feasible = set_of(composition.at(1e-3), Budget.split(2.0, 0.1))
    assert ranges(feasible)[0] == pytest.approx([1 - allowed, 1 + allowed], abs=TWO_PROVED)


# ---------------------------------------------------------------------------------------------
# Compositions
# ---------------------------------------------------------------------------------------------

GAMMA = 0.7


def sample_of(problem: str, seed: int = 0) -> tuple[Array, Array, Array]:
    """Clean columns for the teacher, three of them with noise for all, and the target."""
    clean, y = random_sample(PROBLEMS[problem][0], seed)
    rng = np.random.default_rng(seed + 1)
    X = clean[:, :3] + 0.1 * rng.normal(size=(len(y), 3))
    return X, clean[:, [2, 0]], y


def composed(problem: str, slack: str, seed: int = 0) -> Composition:
    X, X_star, y = sample_of(problem, seed)
    return SLACKS[slack].compose(PROBLEMS[problem][0].margin_rows(y), [X, X_star]).at(GAMMA)


@cache
def set_at(problem: str, slack: str, budget: str, tolerance: float = 0.1) -> FeasibleSet:
    """The good models at C = 1, which many tests start from."""
    return feasible_set(composed(problem, slack), 1.0, budget, tolerance)


@cache
def ranges_at(problem: str, slack: str, budget: str, tolerance: float = 0.1) -> Array:
    """What they reach; not to be written to."""
    found = ranges(set_at(problem, slack, budget, tolerance))
    found.setflags(write=False)
    return found


def with_columns(composition: Composition, X: Array, X_star: Array) -> Composition:
    return Composition.of(composition.space.rows, composition.layouts, [X, X_star])


def both(composition: Composition, of_weights: Array) -> tuple[Array, Array]:
    """Values of regular features and, for each function, of privileged ones."""
    regular, privileged = (side.of_features(of_weights) for side in composition.layouts)
    return regular[:, 0], privileged


@every_problem
@every_slack
def test_samples_here_have_something_to_say(slack: str, problem: str) -> None:
    """The best model uses regular features, privileged ones, and free slack if there is any."""
    composition = composed(problem, slack)
    model = fitted(composition, 1.0).model
    regular, privileged = both(composition, model.weights)
    assert has_weights(regular)
    assert has_weights(privileged)
    missed = composition.space.shortfalls(model)[~composition.space.rows.must_hold]
    assert (missed.max(initial=0.0) > 0.01) == (slack == "mixed")


def test_points_are_those_of_the_docstring() -> None:
    """The pair with x* = 5 and 7: two margin points, then two slack points."""
    composition = SlackModel().compose(PAIR_ROWS, [PAIR, np.array([[5.0], [7.0]])])
    assert composition.space.points.tolist() == [[-1, -5, 0], [1, 0, 7], [0, 5, 0], [0, 0, 7]]
    rows = composition.space.rows
    assert rows.offset_matrix.toarray().tolist() == [[1, 1, 0], [-1, 0, 1], [0, 1, 0], [0, 0, 1]]
    assert rows.margin.tolist() == [1, 1, 0, 0]
    assert rows.weight.tolist() == [np.inf] * 4
    assert rows.surplus_weight.tolist() == [0, 0, 1, 1]


@every_slack
@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_samples_of_a_single_class_have_no_points(order: str, slack: str) -> None:
    """As in a fold that lacks the others: there is no offset to lie below or above."""
    rows = OrdinalProblem(order).margin_rows(np.zeros(3))
    space = SLACKS[slack].compose(rows, [np.ones((3, 2)), np.ones((3, 1))]).space
    assert space.points.shape == (0, 4)
    assert len(space.rows) == 0


@every_problem
@every_slack
def test_loss_of_any_model_is_the_sum_of_its_slacks(slack: str, problem: str) -> None:
    """Written down anew: ``f`` on every row, and where it is too small free slack at its price."""
    X, X_star, y = sample_of(problem)
    rng = np.random.default_rng(2)
    weight = rng.uniform(0.2, 3.0, size=len(y))
    rows = PROBLEMS[problem][0].margin_rows(y).weighted(weight)
    composition = SLACKS[slack].compose(rows, [X, X_star]).at(GAMMA)
    expected = PROBLEMS[problem][1](X, y, weight)
    k = expected.T.shape[1]
    price = SLACKS[slack].free_slack_price if slack != "privileged" else 0.0
    for _ in range(5):
        w, u, b = rng.normal(size=3), 0.2 * rng.normal(size=(2, 2)), np.sort(rng.normal(size=k))
        d = -(X_star @ u).min(axis=0)  # neither function is negative
        f = (X_star @ u + d)[expected.sample, (expected.side > 0).astype(int)]
        missed = expected.margin - expected.A @ w - expected.T @ b - f
        slacks = expected.weight * (f + price * np.maximum(missed, 0))
        model = Model(np.concatenate([w, *u.T]), np.concatenate([b, d]))
        assert composition.space.loss(model) == pytest.approx(slacks.sum())
        by_sample = np.bincount(expected.sample, slacks)
        assert composition.sample_losses(model, len(y)) == pytest.approx(by_sample, abs=1e-12)
        norm = np.abs(w).sum() + GAMMA * np.abs(u).sum()
        assert composition.space.norm(model) == pytest.approx(norm)
        worst = max(0, missed.max()) if slack == "privileged" else 0
        size = np.abs(expected.margin).max()
        assert composition.space.row_violation(model) == pytest.approx(worst / size, abs=1e-12)


@every_slack
def test_functions_that_are_negative_where_they_are_used_break_a_row(slack: str) -> None:
    """f_chi(x*) = x* - 2 is -3/2 for a sample of class 0; nobody reads it for class 1."""
    composition = SLACKS[slack].compose(PAIR_ROWS, [PAIR, np.array([[0.5], [-9.0]])])
    # Both margins are kept with 1 to spare, were it not for the slacks.
    model = Model(np.array([3.5, 1.0, 0.0]), np.array([0.0, -2.0, 0.0]))
    assert composition.space.row_violation(model) == pytest.approx(1.5)


@every_slack
def test_weights_stand_where_their_positions_say(slack: str) -> None:
    composition = composed("explicit", slack)
    numbers = np.arange(float(composition.space.n_weights))
    for side in composition.layouts:
        expected = [side.positions(feature).tolist() for feature in range(side.n_features)]
        assert side.of_features(numbers).tolist() == expected
    regular, privileged = composition.layouts
    assert composition.space.prices[regular.positions(1)].tolist() == [1.0]
    assert composition.space.prices[privileged.positions(1)].tolist() == [GAMMA, GAMMA]


def test_predictor_has_neither_privileged_weights_nor_constants() -> None:
    composition = composed("explicit", "privileged")
    model = Model(np.arange(7.0), np.arange(4.0))
    predictor = composition.predictor(model)
    assert predictor.weights.tolist() == [0, 1, 2]
    assert predictor.offsets.tolist() == [0, 1]


# ---------------------------------------------------------------------------------------------
# Special cases
# ---------------------------------------------------------------------------------------------


@every_problem
@every_budget
@pytest.mark.parametrize("gamma", [0.1, 1.0, 10.0])
def test_free_slack_at_no_higher_price_is_all_that_regular_features_see(
    gamma: float, budget: str, problem: str
) -> None:
    """At price 1 no function is worth its norm: the regular ranges are those of free slack.

    A model (w, b, u, d) has slacks ``f + s`` that are at least the free ones of (w, b), at the same
    price. So (w, b, 0, 0) has no more norm and no more loss, and both sets have the same (w, b).
    """
    X, X_star, y = sample_of(problem)
    rows = PROBLEMS[problem][0].margin_rows(y)
    free, mixed = free_slack(X, rows), SlackModel(1.0).compose(rows, [X, X_star]).at(gamma)
    expected, best = fitted(free, 1.0), fitted(mixed, 1.0)
    assert best.norm == pytest.approx(expected.norm, rel=1e-6)
    assert best.loss == pytest.approx(expected.loss, rel=1e-6)
    feasible = feasible_set(free, 1.0, budget)
    found, _ = both(mixed, ranges(feasible.over(mixed.space)))
    assert found == pytest.approx(ranges(feasible), abs=TWO_PROVED * feasible.scale)


@every_problem
@every_budget
def test_ranges_shrink_to_the_pure_ones_as_free_slack_grows_dearer(
    budget: str, problem: str
) -> None:
    """A set without free slack lies in one with dear slack, and that in one with cheap slack.

    Slack that costs more than the multiplier of any row is not used at all, here from 100 on.
    """
    pure = set_at(problem, "privileged", budget)
    expected, room = ranges_at(problem, "privileged", budget), TWO_PROVED * pure.scale
    X, X_star, y = sample_of(problem)
    rows = PROBLEMS[problem][0].margin_rows(y)
    inside = expected
    for price in (1e4, 100, 10, 3, 1):
        mixed = SlackModel(price).compose(rows, [X, X_star]).at(GAMMA)
        found = ranges(pure.over(mixed.space))
        assert (found[:, 0] <= inside[:, 0] + room).all()
        assert (inside[:, 1] <= found[:, 1] + room).all()
        if price >= 100:
            assert found == pytest.approx(expected, abs=room)
        inside = found


@every_budget
@every_slack
@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_two_ordered_classes_are_a_classification(order: str, slack: str, budget: str) -> None:
    X, X_star, y = sample_of("classification")
    expected = set_at("classification", slack, budget)
    rows = OrdinalProblem(order).margin_rows(y)
    composition = SLACKS[slack].compose(rows, [X, X_star]).at(GAMMA)
    feasible = feasible_set(composition, 1.0, budget)
    assert_same_budget(feasible.budget, expected.budget)
    reached = ranges_at("classification", slack, budget)
    assert ranges(feasible) == pytest.approx(reached, abs=TWO_PROVED * feasible.scale)


@every_problem
@every_slack
def test_weight_of_a_sample_is_how_often_it_counts(slack: str, problem: str) -> None:
    X, X_star, y = sample_of(problem)
    counts = np.random.default_rng(0).integers(1, 4, size=len(y))
    X_long, X_star_long, y_long = (np.repeat(each, counts, axis=0) for each in (X, X_star, y))
    rows = PROBLEMS[problem][0].margin_rows
    weighted = SLACKS[slack].compose(rows(y).weighted(counts.astype(np.float64)), [X, X_star])
    repeated = SLACKS[slack].compose(rows(y_long), [X_long, X_star_long])
    feasible = feasible_set(weighted.at(GAMMA), 0.5)
    long = feasible.over(repeated.at(GAMMA).space)
    assert ranges(feasible) == pytest.approx(ranges(long), abs=TWO_PROVED * feasible.scale)


@every_problem
@every_slack
def test_privileged_weights_that_cost_too_much_are_as_good_as_none(
    slack: str, problem: str
) -> None:
    """What functions of weights below norm / gamma can tell vanishes as gamma grows.

    Without hints the best model may be w = 0, so the budget leaves room for others.
    """
    composition = composed(problem, slack)
    X, X_star, _ = sample_of(problem)
    without_hints = with_columns(composition, X, 0 * X_star)
    best = fitted(without_hints, 1.0)
    feasible = set_of(without_hints, Budget.split(max(1.0, 1.05 * best.norm), 1.05 * best.loss))
    expected, _ = both(composition, ranges(feasible))
    found, _ = both(composition, ranges(feasible.over(composition.at(1e5).space)))
    assert (expected[:, 1] > 1e-2).any()
    assert found == pytest.approx(expected, abs=1e-3)


# ---------------------------------------------------------------------------------------------
# What changes nothing, and what changes only names
# ---------------------------------------------------------------------------------------------

every_set = [every_problem, every_slack, every_budget]


def for_every_set(test: object) -> object:
    for mark in every_set:
        test = mark(test)
    return test


@for_every_set
def test_ranges_hold_the_best_model_within_the_norm(problem: str, slack: str, budget: str) -> None:
    """No privileged weight exceeds norm / gamma."""
    for tolerance in (0.0, 0.1):
        composition = composed(problem, slack)
        best = fitted(composition, 1.0).model
        feasible = set_at(problem, slack, budget, tolerance)
        low, high = ranges_at(problem, slack, budget, tolerance).T
        room = PROVED * feasible.scale
        assert (low - room <= best.weights).all()
        assert (best.weights <= high + room).all()
        limit = feasible.budget.norm_limit / composition.space.prices
        assert (np.maximum(-low, high) <= limit + room).all()


@for_every_set
def test_ranges_nest_as_the_tolerance_grows(problem: str, slack: str, budget: str) -> None:
    found = [ranges_at(problem, slack, budget, tolerance) for tolerance in (0.0, 0.01, 0.1, 0.5)]
    room = TWO_PROVED * set_at(problem, slack, budget).scale
    for inside, outside in pairwise(found):
        assert (outside[:, 0] <= inside[:, 0] + room).all()
        assert (inside[:, 1] <= outside[:, 1] + room).all()


@for_every_set
def test_shifting_privileged_columns_changes_nothing(problem: str, slack: str, budget: str) -> None:
    """The functions' constants take up what is added to a column."""
    composition, (X, X_star, _) = composed(problem, slack), sample_of(problem)
    feasible = set_at(problem, slack, budget)
    shifted = with_columns(composition, X, X_star + np.array([2.0, -3.0]))
    found = ranges(feasible.over(shifted.space))
    expected = ranges_at(problem, slack, budget)
    assert found == pytest.approx(expected, abs=TWO_PROVED * feasible.scale)


@for_every_set
def test_permuting_privileged_columns_permutes_ranges(
    problem: str, slack: str, budget: str
) -> None:
    composition, (X, X_star, _) = composed(problem, slack), sample_of(problem)
    feasible = set_at(problem, slack, budget)
    permuted = with_columns(composition, X, X_star[:, ::-1])
    expected = both(composition, ranges_at(problem, slack, budget))
    found = both(composition, ranges(feasible.over(permuted.space)))
    assert found[0] == pytest.approx(expected[0], abs=TWO_PROVED * feasible.scale)
    assert found[1] == pytest.approx(expected[1][::-1], abs=TWO_PROVED * feasible.scale)


@for_every_set
def test_flipping_a_privileged_column_mirrors_its_ranges_and_no_other(
    problem: str, slack: str, budget: str
) -> None:
    composition, (X, X_star, _) = composed(problem, slack), sample_of(problem)
    feasible = set_at(problem, slack, budget)
    flipped = with_columns(composition, X, X_star * np.array([1.0, -1.0]))
    expected = ranges_at(problem, slack, budget).copy()
    mirrored = composition.layouts[1].positions(1)
    expected[mirrored] = -expected[mirrored, ::-1]
    found = ranges(feasible.over(flipped.space))
    assert found == pytest.approx(expected, abs=TWO_PROVED * feasible.scale)


@for_every_set
def test_mirroring_data_and_target_exchanges_the_functions(
    problem: str, slack: str, budget: str
) -> None:
    """With -x and the reversed order, w stays, b becomes -b, and below is above."""
    X, X_star, y = sample_of(problem)
    composition = composed(problem, slack)
    feasible = set_at(problem, slack, budget)
    rows = PROBLEMS[problem][0].margin_rows(-y if problem == "regression" else y.max() - y)
    mirrored = SLACKS[slack].compose(rows, [-X, X_star]).at(GAMMA)
    expected = both(composition, ranges_at(problem, slack, budget))
    found = both(composition, ranges(feasible.over(mirrored.space)))
    assert found[0] == pytest.approx(expected[0], abs=TWO_PROVED * feasible.scale)
    assert found[1] == pytest.approx(expected[1][:, ::-1], abs=TWO_PROVED * feasible.scale)


@for_every_set
def test_units_of_privileged_columns_and_gamma_go_together(
    problem: str, slack: str, budget: str
) -> None:
    """With x*/4 and gamma/4, 4u is the same function at the same price."""
    composition, (X, X_star, _) = composed(problem, slack), sample_of(problem)
    feasible = set_at(problem, slack, budget)
    scaled = with_columns(composition, X, X_star / 4).at(GAMMA / 4)
    expected = both(composition, ranges_at(problem, slack, budget))
    found = both(composition, ranges(feasible.over(scaled.space)))
    assert found[0] == pytest.approx(expected[0], abs=TWO_PROVED * feasible.scale)
    assert found[1] == pytest.approx(4 * expected[1], abs=4 * TWO_PROVED * feasible.scale)


@for_every_set
def test_privileged_twins_need_not_be_used_and_reach_equally_far(
    problem: str, slack: str, budget: str
) -> None:
    X, X_star, y = sample_of(problem)
    rows = PROBLEMS[problem][0].margin_rows(y)
    X_star = np.column_stack([X_star, X_star[:, 0]])
    composition = SLACKS[slack].compose(rows, [X, X_star]).at(GAMMA)
    feasible = feasible_set(composition, 1.0, budget)
    _, privileged = both(composition, ranges(feasible))
    minrel, maxrel = np.moveaxis(relevance_of(privileged), -1, 0)
    assert minrel[[0, 2]] == pytest.approx(np.zeros((2, 2)), abs=PROVED * feasible.scale)
    assert maxrel[0] == pytest.approx(maxrel[2], abs=TWO_PROVED * feasible.scale)
    assert (maxrel[0] > 0).all()


@for_every_set
def test_order_of_questions_changes_not_a_bit(problem: str, slack: str, budget: str) -> None:
    feasible = set_at(problem, slack, budget)
    questions = [(k, sign) for k in range(feasible.space.n_weights) for sign in (-1, 1)]
    first, second = Simplex().prepare(feasible), Simplex().prepare(feasible)
    second.solve(unit_goal(feasible.space, 4, 1), cold=True, unless_above=-np.inf)

    def asked(prepared: Solver, order: int) -> dict[tuple[int, int], Bound]:
        return {
            each: extreme(prepared, unit_goal(feasible.space, *each)) for each in questions[::order]
        }

    assert asked(second, -1) == asked(first, 1)


# ---------------------------------------------------------------------------------------------
# Probes
# ---------------------------------------------------------------------------------------------


@for_every_set
@pytest.mark.parametrize("side", [0, 1], ids=["regular", "privileged"])
def test_an_appended_probe_is_never_needed(
    side: int, problem: str, slack: str, budget: str
) -> None:
    """The best model does without it: its range holds 0, and reaches as far as the probe says."""
    X, X_star, y = sample_of(problem)
    data, rule = training_data(y, X, X_star), GoodnessRule(budget, 0.1)
    choice = Choice.given(PROBLEMS[problem][0], SLACKS[slack], 1.0, GAMMA)
    best = BestModel.of(Simplex(), choice.compose(data), choice)
    feasible, _ = rule.feasible_set(best, data.weight)
    start = Simplex().prepare(feasible).start
    setting = ProbeSetting(Simplex(), data, best, feasible, start, rule)
    probed, rng = best.composition.layouts[side], np.random.default_rng(0)
    drawn = [(k, rng.permutation(each)) for k, each in enumerate(data.tables[side].columns.T)]
    for (_, column), of_weights in zip(drawn, append(setting, side, drawn), strict=True):
        found = np.array([each.relevance for each in of_weights])
        larger = feasible.over(feasible.space.with_columns(probed.spread(column), probed.price))
        expected = relevance_of(ranges(larger)[feasible.space.n_weights :])
        assert (found[:, 0] == 0).all()
        assert found == pytest.approx(expected, abs=TWO_PROVED * feasible.scale)


def test_columns_spread_together_are_those_spread_one_by_one() -> None:
    privileged, (_, X_star, _) = (
        composed("explicit", "privileged").layouts[1],
        sample_of("explicit"),
    )
    for each, column in zip(privileged.each_spread(X_star.T), X_star.T, strict=True):
        np.testing.assert_array_equal(each, privileged.spread(column))


@for_every_set
def test_start_of_a_smaller_set_leads_to_the_same_answers(
    problem: str, slack: str, budget: str
) -> None:
    """A privileged probe has two weights, which join the basis one after the other."""
    privileged, (_, X_star, _) = composed(problem, slack).layouts[1], sample_of(problem)
    feasible = set_at(problem, slack, budget)
    columns = privileged.spread(np.random.default_rng(1).permutation(X_star[:, 0]))
    larger = feasible.over(feasible.space.with_columns(columns, privileged.price))
    from_smaller = ranges(larger, Simplex().prepare(feasible).start)
    assert from_smaller == pytest.approx(ranges(larger), abs=TWO_PROVED * feasible.scale)


# ---------------------------------------------------------------------------------------------
# Proofs
# ---------------------------------------------------------------------------------------------

PREPARED = [
    Simplex().prepare(set_at(problem, slack, budget))
    for problem in ("explicit", "regression")
    for slack in SLACKS
    for budget in BUDGETS
]


@deterministic
@given(
    prepared=st.sampled_from(PREPARED),
    question=st.tuples(st.integers(0, 6), st.sampled_from([-1, 1])),
    size=st.floats(-9, 3).map(lambda exponent: 10**exponent),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**32 - 1),
)
@example(prepared=PREPARED[0], question=(0, 1), size=0.0, share=0.0, seed=0)
def test_outer_value_holds_for_any_multipliers(
    prepared: Solver, question: tuple[int, int], size: float, share: float, seed: int
) -> None:
    """Right ones in any share, and garbage of any size and sign, or none; polished ones as well."""
    rng, (k, sign), feasible = np.random.default_rng(seed), question, prepared.feasible
    goal = unit_goal(feasible.space, k, sign)
    model, right = prepared.solve(goal, cold=False, unless_above=-np.inf)
    hit = rng.random(len(right)) < 0.2
    garbage = share * right + hit * size * rng.uniform(-1.0, 1.0, size=len(right))
    reached = sign * model.weights[k]
    # The model itself may exceed the budget by what a proof allows.
    room = PROVED * max(feasible.scale, abs(reached))
    assert certify(feasible, goal, model, garbage).outer >= reached - room
    for multipliers in (
        garbage,
        polished(feasible.space, garbage, goal, feasible.budget.norm_share),
    ):
        bound = dual_bound(feasible.space, multipliers[None], goal[None], feasible.offset_box)
        assert bound.within(feasible.budget)[0] >= reached - room


@every_slack
@every_budget
@pytest.mark.parametrize("function", [0, 1], ids=["chi", "xi"])
def test_answer_with_a_negative_slack_is_told(function: int, budget: str, slack: str) -> None:
    """A function below 0 where it is used breaks a row, whatever that does to the loss."""
    feasible = set_at("explicit", slack, budget)
    goal = unit_goal(feasible.space, 0, 1)
    model, multipliers = Simplex().prepare(feasible).solve(goal, cold=False, unless_above=-np.inf)
    assert certify(feasible, goal, model, multipliers).is_tight(feasible.scale)
    offsets = model.offsets.copy()
    offsets[2 + function] -= 1e-3
    spoiled = certify(feasible, goal, Model(model.weights, offsets), multipliers)
    assert spoiled.violation > 1e-4
    assert not spoiled.is_tight(feasible.scale)


@pytest.mark.parametrize("gamma", [0.25, 4.0])
@every_slack
def test_offset_box_of_the_pair_is_as_wide_as_the_constants_reach(slack: str, gamma: float) -> None:
    """With norm 3/2 and loss 4, w = 0 is good and u may be ``1.5 / gamma``.

    ``f(2) = 2u + d >= 0`` lets d fall to -2u, and ``f(2) <= 4`` lets it rise to 4 + 2u for u < 0.
    The other function has x* = -3.
    """
    composition = SLACKS[slack].compose(PAIR_ROWS, [PAIR, np.array([[2.0], [-3.0]])]).at(gamma)
    low, high = composition.space.offset_box(norm=1.5, loss=4.0)
    u = 1.5 / gamma
    assert low[1:] == pytest.approx([-2 * u, -3 * u])
    assert high[1:] == pytest.approx([4 + 2 * u, 4 + 3 * u])


@every_problem
@every_slack
@every_budget
def test_offset_box_holds_the_offsets_of_all_good_models(
    budget: str, slack: str, problem: str
) -> None:
    """Even of those at the ends of an offset's range, which the oracle finds."""
    X, X_star, y = sample_of(problem)
    composition, C, tolerance = composed(problem, slack), 1.0, 0.3
    best = fitted(composition, C)
    feasible = feasible_set(composition, C, budget, tolerance)
    low, high = composition.space.offset_box(feasible.budget.norm_limit, feasible.budget.loss_limit)
    rows = PROBLEMS[problem][1](X, y, np.ones(len(y)))
    price = None if slack == "privileged" else SLACKS[slack].free_slack_price
    program = oracle.with_privileged_slack(rows, X_star, GAMMA, price)
    limits = (
        oracle.split_budget(best.norm, best.loss, tolerance)
        if budget == "split"
        else oracle.joint_budget(best.norm, best.loss, tolerance, C)
    )
    places = [("b", j) for j in range(rows.T.shape[1])] + [("d", 0), ("d", 1)]
    ends = np.array([oracle.weight_range(program, limits, j, block) for block, j in places])
    assert np.isfinite([low, high]).all()
    assert (low <= ends[:, 0] + PROVED * best.norm).all()
    assert (ends[:, 1] <= high + PROVED * best.norm).all()
