"""The engine on sets solved by hand, its proofs, and facts that hold for every set."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
    unpriced_set,
)

from relbounds.arrays import relevance_of
from relbounds.engine import (
    Bound,
    Budget,
    FeasibleSet,
    Model,
    ModelSpace,
    Simplex,
    Solver,
    extreme,
    relevance_range,
    unit_goal,
)
from relbounds.engine.optimum import best_model, has_weights
from relbounds.engine.proof import certify
from relbounds.engine.protocols import Path
from relbounds.exceptions import InfeasibleError, SolverError
from relbounds.problems import (
    ClassificationProblem,
    OrdinalProblem,
    Problem,
    RegressionProblem,
)

BUDGETS = ("split", "joint")
CLASSES = [OrdinalProblem("explicit"), OrdinalProblem("implicit"), ClassificationProblem()]

deterministic = settings(deadline=None, derandomize=True, max_examples=200)


# ---------------------------------------------------------------------------------------------
# Solved by hand
# ---------------------------------------------------------------------------------------------

PAIR = np.array([[-1.0], [1.0]])
PAIR_ROWS = ClassificationProblem().margin_rows(np.array([0.0, 1.0]))
PAIR_SPACE = ModelSpace.unpriced(PAIR, PAIR_ROWS)


def pair_set(budget: Budget) -> FeasibleSet:
    """x = -1 of class 0 and x = +1 of class 1, whose loss is ``2 max(0, 1 - w)``.

    The rows are ``w + b + s >= 1`` and ``w - b + s >= 1``; added up, ``s + s' >= 2 - 2w``, and
    b = 0 reaches that.
    """
    return unpriced_set(PAIR, PAIR_ROWS, budget, scale=1.0)


@pytest.mark.parametrize(("C", "weight", "loss"), [(0.2, 0, 2), (0.3, 1, 0), (5.0, 1, 0)])
def test_pair_is_learned_once_the_loss_costs_more_than_a_quarter(
    C: float, weight: float, loss: float
) -> None:
    """``w/2 + 2C(1 - w)`` falls in w up to 1 if C > 1/4, and rises from 0 if C < 1/4."""
    found = fitted(free_slack(PAIR, PAIR_ROWS), C)
    assert found.model.weights == pytest.approx([weight], abs=1e-9)
    assert found.norm == pytest.approx(weight, abs=1e-9)
    assert found.loss == pytest.approx(loss, abs=1e-9)
    assert has_weights(found.model.weights) == (weight > 0)


def test_tie_is_broken_towards_the_smallest_loss() -> None:
    """At C = 1/4 every w from 0 to 1 costs 1/2; w = 1 is the one without loss."""
    found = fitted(free_slack(PAIR, PAIR_ROWS), 0.25)
    assert found.model.weights == pytest.approx([1.0], abs=1e-9)
    assert found.loss == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("budget", "low", "high"),
    [
        (Budget.split(1.5, 0.5), 0.75, 1.5),  # 2(1 - w) <= 0.5, and the norm itself
        (Budget.split(1.0, 0.0), 1.0, 1.0),  # the best model alone
        (Budget.split(1.5, 4.0), -1.0, 1.5),  # 2(1 - w) <= 4
        (Budget.joint(1.0, 0.65), 0.9, 1.3),  # w/2 + 2(1 - w) <= 0.65 and w/2 <= 0.65
        (Budget.joint(1.0, 0.5), 1.0, 1.0),
    ],
)
def test_range_of_the_pair(budget: Budget, low: float, high: float) -> None:
    """The limits follow from the loss ``2 max(0, 1 - w)``."""
    assert ranges(pair_set(budget))[0] == pytest.approx([low, high], abs=PROVED)


@pytest.mark.parametrize(("norm", "low", "high"), [(1.0, 0.0, 1.0), (1.5, -0.25, 1.5)])
def test_range_of_a_feature_and_its_twin(norm: float, low: float, high: float) -> None:
    """Without loss ``w + w' >= 1``, and ``|w| + |w'| <= norm``.

    So w alone may take the whole norm, and w = -t needs w' = 1 + t, hence 1 + 2t <= norm.
    """
    feasible = unpriced_set(np.hstack([PAIR, PAIR]), PAIR_ROWS, Budget.split(norm, 0.0), scale=1.0)
    assert ranges(feasible) == pytest.approx(np.array([[low, high]] * 2), abs=PROVED)
    assert relevance_of(ranges(feasible))[:, 0] == pytest.approx([0, 0], abs=PROVED)


@pytest.mark.parametrize(
    ("one", "other"), [((0.3, 0.8), (0.3, -1.3)), ((0.5, 0.25), (0.5, -1.75)), ((0, 0), (0, -0.7))]
)
def test_separable_set_without_any_loss(
    one: tuple[float, float], other: tuple[float, float]
) -> None:
    """Two points that differ by h in the second feature only are separated iff ``|w2| >= 2/h``.

    With a tenth more norm than that, w2 may be a tenth larger, or w1 take that tenth.
    """
    X, needed = np.array([one, other], dtype=np.float64), 2 / (one[1] - other[1])
    feasible = unpriced_set(X, PAIR_ROWS, Budget.split(1.1 * needed, 0.0), scale=needed)
    tenth = 0.1 * needed
    expected = np.array([[-tenth, tenth], [-needed - tenth, -needed]])
    assert ranges(feasible) == pytest.approx(expected, abs=PROVED * needed)


@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_three_classes_in_a_row(order: str) -> None:
    """x = -2, 0, 2: the middle one asks for ``b0 <= -1`` and ``b1 >= 1``, the others for w >= 1.

    Each offset loses ``2 max(0, 1 - w)``, so loss 1 allows ``w >= 3/4``; and ``w/2 + 4C(1 - w)``
    has its minimum at w = 1 if C > 1/8. Rows about the farther offset ask for less.
    """
    X, y = np.array([[-2.0], [0.0], [2.0]]), np.arange(3.0)
    rows = OrdinalProblem(order).margin_rows(y)
    best = fitted(free_slack(X, rows), 0.2).model
    assert best.weights == pytest.approx([1.0], abs=1e-9)
    assert best.offsets == pytest.approx([-1.0, 1.0], abs=1e-9)
    feasible = unpriced_set(X, rows, Budget.split(1.5, 1.0), scale=1.0)
    assert ranges(feasible)[0] == pytest.approx([0.75, 1.5], abs=PROVED)


def test_regression_through_two_points() -> None:
    """(0, 0) and (1, 1) with a tube of 0: the loss is ``|1 - w|``, so loss 0.1 gives 0.9..1.1.

    The line errs by ``|b|`` at one point and ``|w - b - 1|`` at the other, which add up to
    ``|w - 1|`` at least. A tube of 0.2 leaves ``max(0, |1 - w| - 0.4)``.
    """
    X, y = np.array([[0.0], [1.0]]), np.array([0.0, 1.0])
    thin, wide = (RegressionProblem(epsilon).margin_rows(y) for epsilon in (0.0, 0.2))
    for rows, weight, range_ in [(thin, 1.0, [0.9, 1.1]), (wide, 0.6, [0.5, 1.5])]:
        best = fitted(free_slack(X, rows), 1.0).model
        assert best.weights == pytest.approx([weight], abs=1e-9)
        feasible = unpriced_set(X, rows, Budget.split(2.0, 0.1), scale=1.0)
        assert ranges(feasible)[0] == pytest.approx(range_, abs=PROVED)


@pytest.mark.parametrize("budget", [Budget.split(0.5, 0.0), Budget.joint(1.0, 0.4)])
def test_empty_set_is_refused(budget: Budget) -> None:
    """Half the norm cannot avoid all loss, and no model of the pair costs less than 1/2."""
    with pytest.raises(InfeasibleError, match="No model stays within the budget"):
        Simplex().prepare(pair_set(budget))


# ---------------------------------------------------------------------------------------------
# Budgets and proofs
# ---------------------------------------------------------------------------------------------

positive = st.floats(1e-3, 1e3)
worth = st.floats(0, 1e3)


@deterministic
@given(
    st.one_of(
        st.builds(Budget.split, positive, positive), st.builds(Budget.joint, positive, positive)
    ),
    worth,
    worth,
)
def test_most_is_the_largest_worth_on_the_edge_of_the_budget(
    budget: Budget, norm_worth: float, loss_worth: float
) -> None:
    """Brute force: for every norm, all the loss that is left. 1e-12 is rounding."""
    norms = np.linspace(0.0, budget.norm_limit, 101)
    losses = (budget.limit - budget.norm_price * norms) / budget.loss_price
    expected = (norm_worth * norms + loss_worth * losses).max()
    assert budget.most(norm_worth, loss_worth) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def random_set(
    problem: Problem, budget: str = "split", tolerance: float = 0.1, seed: int = 0
) -> FeasibleSet:
    """The good models of a noisy sample with one pair of similar features."""
    X, y = random_sample(problem, seed)
    return feasible_set(free_slack(X, problem.margin_rows(y)), 1.0, budget, tolerance)


def far_off_set(budget: str) -> FeasibleSet:
    """A regression whose offset is near -100, so that what is left of its price counts."""
    problem = RegressionProblem(0.1)
    X, y = random_sample(problem)
    near = random_set(problem, budget)
    return unpriced_set(X, problem.margin_rows(y + 100), near.budget, near.scale)


SMALL = {budget: Simplex().prepare(random_set(OrdinalProblem(), budget)) for budget in BUDGETS}
FAR_OFF = {budget: Simplex().prepare(far_off_set(budget)) for budget in BUDGETS}
PROBLEMS = [*CLASSES, RegressionProblem(0.1)]
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=str)
every_budget = pytest.mark.parametrize("budget", BUDGETS)


@deterministic
@given(
    prepared=st.sampled_from([*SMALL.values(), *FAR_OFF.values()]),
    question=st.tuples(st.integers(0, 4), st.sampled_from([-1, 1])),
    size=st.floats(-9, 3).map(lambda exponent: 10**exponent),
    share=st.floats(0, 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_outer_value_holds_for_any_multipliers(
    prepared: Solver, question: tuple[int, int], size: float, share: float, seed: int
) -> None:
    """Right ones in any share, and garbage of any size for some rows, some of it negative."""
    rng = np.random.default_rng(seed)
    goal = unit_goal(prepared.feasible.space, *question)
    model, right = prepared.solve(goal, cold=False, unless_above=-np.inf)
    hit = rng.random(len(right)) < 0.2
    garbage = share * right + hit * size * rng.uniform(-0.2, 1.0, size=len(right))
    bound = certify(prepared.feasible, goal, model, garbage)
    # The model itself may exceed the budget by what a proof allows.
    assert bound.outer >= bound.inner - PROVED * prepared.feasible.scale


def test_model_beyond_the_budget_is_told() -> None:
    """The pair's w = 3 exceeds the norm 1.5 by its whole, w = 0.5 the loss 0.5 by another half.

    Costs are measured in typical missed margins, here 1.
    """
    feasible = pair_set(Budget.split(1.5, 0.5))
    nothing = np.zeros(2)
    for weight, violation in [(3.0, 1.0), (0.5, 0.5), (1.5, 0.0)]:
        bound = certify(feasible, np.ones(1), Model(np.array([weight]), np.zeros(1)), nothing)
        assert bound.inner == weight
        assert bound.violation == pytest.approx(violation, abs=1e-12)


Answer = tuple[Model, Array]


def double_weights(answer: Answer) -> Answer:
    model, multipliers = answer
    return Model(2 * model.weights, model.offsets), multipliers


def no_weights(answer: Answer) -> Answer:
    model, multipliers = answer
    return Model(0 * model.weights, model.offsets), multipliers


def no_multipliers(answer: Answer) -> Answer:
    model, multipliers = answer
    return model, 0 * multipliers


every_fault = pytest.mark.parametrize("spoil", [double_weights, no_weights, no_multipliers])


@dataclass
class Faulty:
    """A prepared set, or a path, that spoils its first answers and notes which were cold."""

    sound: Solver | Path
    spoil: Callable[[Answer], Answer]
    n_faults: int
    asked_cold: list[bool] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        return getattr(self.sound, name)

    def solve(self, *question: float, cold: bool, **options: float) -> Answer:
        self.asked_cold.append(cold)
        answer = self.sound.solve(*question, cold=cold, **options)
        return self.spoil(answer) if len(self.asked_cold) <= self.n_faults else answer

    def solve_many(self, Cs: Array) -> list[Answer]:
        return [self.solve(C, cold=False) for C in Cs.tolist()]


@every_fault
def test_answer_without_proof_is_asked_again_from_scratch(spoil: Callable[..., Answer]) -> None:
    """The smallest weight of the pair within loss 0.5 is 3/4, whatever was said first."""
    faulty = Faulty(Simplex().prepare(pair_set(Budget.split(1.5, 0.5))), spoil, n_faults=1)
    assert extreme(faulty, np.array([-1.0])).inner == pytest.approx(-0.75, abs=PROVED)
    assert faulty.asked_cold == [False, True]


@every_fault
def test_answer_that_stays_without_proof_is_an_error(spoil: Callable[..., Answer]) -> None:
    faulty = Faulty(Simplex().prepare(pair_set(Budget.split(1.5, 0.5))), spoil, n_faults=2)
    with pytest.raises(
        SolverError,
        match=r"smallest value of weight 0 could not be proved: .* 1e-07 is allowed of each",
    ):
        extreme(faulty, np.array([-1.0]))
    assert faulty.asked_cold == [False, True]


@every_fault
def test_best_model_without_proof_is_asked_again_from_scratch(
    spoil: Callable[..., Answer],
) -> None:
    faulty = Faulty(Simplex().path(PAIR_SPACE), spoil, n_faults=1)
    assert best_model(faulty, 1.0).model.weights == pytest.approx([1.0], abs=1e-9)
    assert faulty.asked_cold == [False, True]


@every_fault
def test_best_model_that_stays_without_proof_is_an_error(spoil: Callable[..., Answer]) -> None:
    faulty = Faulty(Simplex().path(PAIR_SPACE), spoil, n_faults=2)
    with pytest.raises(SolverError, match="best model at C=1 could not be proved"):
        best_model(faulty, 1.0)
    assert faulty.asked_cold == [False, True]


# ---------------------------------------------------------------------------------------------
# Ways of asking that change nothing
# ---------------------------------------------------------------------------------------------


def ask(prepared: Solver, questions: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Bound]:
    space = prepared.feasible.space
    return {question: extreme(prepared, unit_goal(space, *question)) for question in questions}


@every_budget
@every_problem
@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_order_of_questions_changes_not_a_bit(
    problem: Problem, budget: str, tolerance: float
) -> None:
    """Also not if some questions were asked before, or from scratch in between."""
    feasible = random_set(problem, budget, tolerance)
    questions = [(feature, sign) for feature in range(feasible.space.n_weights) for sign in (-1, 1)]
    expected = ask(Simplex().prepare(feasible), questions)
    other = Simplex().prepare(feasible)
    other.solve(unit_goal(feasible.space, 2, 1), cold=True, unless_above=-np.inf)
    assert ask(other, reversed(questions)) == expected


@every_budget
@every_problem
@pytest.mark.parametrize("kind", ["permuted", "twin", "mirrored twin", "noise"])
def test_start_of_a_smaller_set_leads_to_the_same_answers(
    problem: Problem, budget: str, kind: str
) -> None:
    feasible, rng = random_set(problem, budget), np.random.default_rng(1)
    first = feasible.space.points[:, [0]]
    column = {
        "permuted": rng.permutation(first),
        "twin": first,
        "mirrored twin": -first,
        "noise": rng.normal(size=first.shape),
    }[kind]
    larger = feasible.over(feasible.space.with_columns(column, 1.0))
    from_smaller = ranges(larger, Simplex().prepare(feasible).start)
    assert from_smaller == pytest.approx(ranges(larger), abs=TWO_PROVED * feasible.scale)


@every_budget
@pytest.mark.parametrize("margin", [-0.2, -1e-3, 1e-3, 0.2])
def test_stopping_early_proves_what_was_asked(budget: str, margin: float) -> None:
    """Above the largest weight a proof of ``outer <= unless_above`` suffices; below, none is."""
    prepared = SMALL[budget]
    for feature, sign in product(range(prepared.feasible.space.n_weights), (-1, 1)):
        goal = unit_goal(prepared.feasible.space, feature, sign)
        full = extreme(prepared, goal)
        asked = full.inner + margin * prepared.feasible.scale
        found = extreme(prepared, goal, unless_above=asked)
        assert found.violation <= PROVED
        if margin > 0:
            assert found.outer <= asked
        else:
            assert found.inner == pytest.approx(
                full.inner, abs=TWO_PROVED * prepared.feasible.scale
            )


@dataclass
class Guessing:
    """A prepared set whose guess of the likely sign is given."""

    sound: Solver
    sign: int

    def __getattr__(self, name: str) -> object:
        return getattr(self.sound, name)

    def likely_sign(self, feature: int) -> int:
        return self.sign


@every_budget
@every_problem
def test_likely_sign_does_not_change_the_largest_relevance(problem: Problem, budget: str) -> None:
    feasible = random_set(problem, budget)
    prepared = Simplex().prepare(feasible)
    expected = relevance_of(ranges(feasible))[:, 1]
    for guess in (prepared, Guessing(prepared, -1), Guessing(prepared, 1)):
        found = [relevance_range(guess, k).relevance[1] for k in range(feasible.space.n_weights)]
        assert found == pytest.approx(expected, abs=TWO_PROVED * feasible.scale)


# ---------------------------------------------------------------------------------------------
# Facts about every set
# ---------------------------------------------------------------------------------------------


@every_budget
@every_problem
@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.2])
def test_intervals_are_ordered_within_the_norm_budget_and_hold_the_best_model(
    problem: Problem, budget: str, tolerance: float
) -> None:
    for seed in range(3):
        X, y = random_sample(problem, seed)
        composition = free_slack(X, problem.margin_rows(y))
        best = fitted(composition, 1.0).model
        feasible = feasible_set(composition, 1.0, budget, tolerance)
        room = PROVED * feasible.scale
        found = ranges(feasible)
        (low, high), (minrel, maxrel) = found.T, relevance_of(found).T
        assert (minrel >= 0).all()
        assert (minrel <= maxrel).all()
        assert (maxrel <= feasible.budget.norm_limit + room).all()
        assert (low - room <= best.weights).all()
        assert (best.weights <= high + room).all()


@every_budget
@every_problem
def test_ranges_nest_as_the_tolerance_grows(problem: Problem, budget: str) -> None:
    found = [random_set(problem, budget, tolerance) for tolerance in (0.0, 0.01, 0.1, 0.5)]
    room = TWO_PROVED * found[0].scale
    for inside, outside in pairwise(map(ranges, found)):
        assert (outside[:, 0] <= inside[:, 0] + room).all()
        assert (inside[:, 1] <= outside[:, 1] + room).all()


def with_points(feasible: FeasibleSet, points: Array) -> FeasibleSet:
    return unpriced_set(points, feasible.space.rows, feasible.budget, feasible.scale)


@every_budget
@every_problem
def test_permuting_features_permutes_ranges(problem: Problem, budget: str) -> None:
    feasible, order = random_set(problem, budget), [3, 1, 4, 0, 2]
    permuted = with_points(feasible, feasible.space.points[:, order])
    assert ranges(permuted) == pytest.approx(
        ranges(feasible)[order], abs=TWO_PROVED * feasible.scale
    )


@every_budget
@every_problem
def test_permuting_samples_changes_nothing(problem: Problem, budget: str) -> None:
    X, y = random_sample(problem)
    order = np.random.default_rng(0).permutation(len(y))
    feasible = random_set(problem, budget)
    permuted = unpriced_set(
        X[order], problem.margin_rows(y[order]), feasible.budget, feasible.scale
    )
    assert ranges(permuted) == pytest.approx(ranges(feasible), abs=TWO_PROVED * feasible.scale)


@every_budget
@every_problem
def test_flipping_a_column_mirrors_its_range_and_no_other(problem: Problem, budget: str) -> None:
    feasible = random_set(problem, budget)
    sign = np.array([1.0, 1.0, -1.0, 1.0, 1.0])
    expected = ranges(feasible)
    expected[2] = -expected[2, ::-1]
    flipped = ranges(with_points(feasible, feasible.space.points * sign))
    assert flipped == pytest.approx(expected, abs=TWO_PROVED * feasible.scale)


@every_budget
@every_problem
def test_shifting_columns_changes_nothing(problem: Problem, budget: str) -> None:
    """The offsets take up what is added to a column."""
    feasible = random_set(problem, budget)
    shifted = ranges(with_points(feasible, feasible.space.points + np.arange(5.0)))
    assert shifted == pytest.approx(ranges(feasible), abs=TWO_PROVED * feasible.scale)


@every_budget
@every_problem
def test_reversing_the_target_mirrors_every_range(problem: Problem, budget: str) -> None:
    """Reversed ranks, exchanged classes, or the negative of a number."""
    X, y = random_sample(problem)
    feasible = random_set(problem, budget)
    rows = problem.margin_rows(-y if isinstance(problem, RegressionProblem) else y.max() - y)
    reversed_set = unpriced_set(X, rows, feasible.budget, feasible.scale)
    mirrored = -ranges(feasible)[:, ::-1]
    assert ranges(reversed_set) == pytest.approx(mirrored, abs=TWO_PROVED * feasible.scale)


@every_budget
@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_two_ordered_classes_are_a_classification(order: str, budget: str) -> None:
    X, y = random_sample(ClassificationProblem())
    expected = random_set(ClassificationProblem(), budget)
    feasible = feasible_set(free_slack(X, OrdinalProblem(order).margin_rows(y)), 1.0, budget)
    assert_same_budget(feasible.budget, expected.budget)
    assert ranges(feasible) == pytest.approx(ranges(expected), abs=TWO_PROVED * feasible.scale)


@pytest.mark.parametrize("problem", CLASSES, ids=str)
def test_only_the_order_of_the_labels_counts(problem: Problem) -> None:
    """Growing labels of any size have the same codes, and the codes lead back to them."""
    _, y = random_sample(problem)
    labels = np.array([-3.0, 0.5, 40.0])[y.astype(int)]
    codes, back = problem.code(labels)
    assert (codes == y).all()
    assert (back(codes) == labels).all()


@every_problem
def test_weight_of_a_sample_is_how_often_it_counts(problem: Problem) -> None:
    X, y = random_sample(problem)
    counts = np.random.default_rng(0).integers(1, 4, size=len(y))
    weighted = problem.margin_rows(y).weighted(counts.astype(np.float64))
    repeated = problem.margin_rows(np.repeat(y, counts))
    long_X = np.repeat(X, counts, axis=0)
    best = fitted(free_slack(X, weighted), 0.5)
    same = fitted(free_slack(long_X, repeated), 0.5)
    assert best.norm / 2 + 0.5 * best.loss == pytest.approx(
        same.norm / 2 + 0.5 * same.loss, rel=TWO_PROVED
    )
    budget = Budget.split(1.1 * best.norm, 1.1 * best.loss)
    feasible = unpriced_set(X, weighted, budget, best.norm)
    long = unpriced_set(long_X, repeated, budget, best.norm)
    assert ranges(feasible) == pytest.approx(ranges(long), abs=TWO_PROVED * best.norm)


@every_budget
@every_problem
@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_twins_need_not_be_used_and_reach_equally_far(
    problem: Problem, budget: str, tolerance: float
) -> None:
    """Each can do what the other does, so neither has to, and both can do as much."""
    for seed in range(3):
        X, y = random_sample(problem, seed)
        composition = free_slack(np.column_stack([X, X[:, 2]]), problem.margin_rows(y))
        feasible = feasible_set(composition, 1.0, budget, tolerance)
        minrel, maxrel = relevance_of(ranges(feasible)).T
        assert minrel[[2, 5]] == pytest.approx([0, 0], abs=PROVED * feasible.scale)
        assert maxrel[2] == pytest.approx(maxrel[5], abs=TWO_PROVED * feasible.scale)
        assert maxrel[2] > 0
