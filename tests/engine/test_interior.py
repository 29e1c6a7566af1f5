"""The interior point engine: sets solved by hand, facts about all sets, and spoiled answers."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from engine_cases import (
    AGREE,
    BUDGETS,
    PROBLEMS,
    Array,
    Case,
    bounds_of,
    cut_set,
    furthest_apart,
    is_proved,
    set_of,
)
from small_sets import PROVED, training_data, unpriced_set

from benchmarks.mixed import flights
from relbounds import OrdinalRelevance
from relbounds.engine import (
    ENGINES,
    Budget,
    FeasibleSet,
    Interior,
    Model,
    ModelSpace,
    Simplex,
    WeightRange,
    kernels,
    unit_goal,
)
from relbounds.engine.highs import engine as highs
from relbounds.engine.interior import path as interior_path
from relbounds.engine.interior import search as interior
from relbounds.engine.interior.program import Iterate
from relbounds.engine.optimum import best_model, best_models
from relbounds.exceptions import InfeasibleError
from relbounds.method.balance import Balance
from relbounds.method.best_model import BestModel
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.tuning import Choice
from relbounds.problems import (
    ClassificationProblem,
    OrdinalProblem,
    RegressionProblem,
    SlackModel,
)

SAME = 2 * PROVED  # by how much two proved answers to one question may differ


def ends(feasible: FeasibleSet) -> Array:
    prepared = Interior().prepare(feasible)
    return np.array([each.ends for each in prepared.ranges(range(feasible.space.n_weights))])


def exact_ranges(feasible: FeasibleSet) -> list[WeightRange]:
    return Simplex().prepare(feasible).ranges(range(feasible.space.n_weights))


# ---------------------------------------------------------------------------------------------
# Solved by hand
# ---------------------------------------------------------------------------------------------

PAIR = np.array([[-1.0], [1.0]])
PAIR_ROWS = ClassificationProblem().margin_rows(np.array([0.0, 1.0]))


def pair_set(budget: Budget, best: float = 1.0) -> FeasibleSet:
    """x = -1 of class 0 and x = +1 of class 1, whose loss is ``2 max(0, 1 - w)``.

    The rows are ``w + b + s >= 1`` and ``w - b + s >= 1``; added up, ``s + s' >= 2 - 2w``, and
    b = 0 reaches that.
    """
    feasible = unpriced_set(PAIR, PAIR_ROWS, budget, scale=1.0)
    return replace(feasible, witness=Model(np.array([best]), np.zeros(1)))


@pytest.mark.parametrize("known", [True, False], ids=["witness", "no witness"])
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
def test_range_of_the_pair(budget: Budget, low: float, high: float, known: bool) -> None:
    """The limits follow from the loss ``2 max(0, 1 - w)``."""
    feasible = pair_set(budget)
    feasible = feasible if known else replace(feasible, witness=None)
    assert ends(feasible)[0] == pytest.approx([low, high], abs=PROVED)


def test_room_around_the_witness_is_enough_for_an_interior_point() -> None:
    """The pair's w = 1 is away from all limits of loss 0.5 and norm 1.5."""
    (found,) = Interior().prepare(pair_set(Budget.split(1.5, 0.5))).ranges([0])
    assert found.fallbacks == 0


@pytest.mark.parametrize(("norm", "low", "high"), [(1.0, 0.0, 1.0), (1.5, -0.25, 1.5)])
def test_range_of_a_feature_and_its_twin(norm: float, low: float, high: float) -> None:
    """Without loss ``w + w' >= 1``, and ``|w| + |w'| <= norm``.

    So w alone may take the whole norm, and w = -t needs w' = 1 + t, hence 1 + 2t <= norm.
    """
    feasible = unpriced_set(np.hstack([PAIR, PAIR]), PAIR_ROWS, Budget.split(norm, 0.0), scale=1.0)
    assert ends(feasible) == pytest.approx(np.array([[low, high]] * 2), abs=PROVED)


def test_loss_zero_needs_no_help() -> None:
    """Two points that differ by 2.1 in the second feature only are separated iff |w2| >= 2/2.1.

    With a tenth more norm than that, w2 may be a tenth larger, or w1 take that tenth.
    """
    X, needed = np.array([[0.3, 0.8], [0.3, -1.3]]), 2 / 2.1
    feasible = unpriced_set(X, PAIR_ROWS, Budget.split(1.1 * needed, 0.0), scale=needed)
    middle = Model(np.array([0.0, -needed]), np.array([0.25 * needed]))
    feasible = replace(feasible, witness=middle)
    tenth = 0.1 * needed
    expected = np.array([[-tenth, tenth], [-needed - tenth, -needed]])
    assert ends(feasible) == pytest.approx(expected, abs=PROVED * needed)
    assert sum(each.fallbacks for each in Interior().prepare(feasible).ranges([0, 1])) == 0


@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_three_classes_in_a_row(order: str) -> None:
    """x = -2, 0, 2: each offset loses ``2 max(0, 1 - w)``, so loss 1 allows ``w >= 3/4``."""
    X, y = np.array([[-2.0], [0.0], [2.0]]), np.arange(3.0)
    rows = OrdinalProblem(order).margin_rows(y)
    feasible = unpriced_set(X, rows, Budget.split(1.5, 1.0), scale=1.0)
    assert ends(feasible)[0] == pytest.approx([0.75, 1.5], abs=PROVED)


@pytest.mark.parametrize(("epsilon", "low", "high"), [(0.0, 0.9, 1.1), (0.2, 0.5, 1.5)])
def test_regression_through_two_points(epsilon: float, low: float, high: float) -> None:
    """(0, 0) and (1, 1): the loss is ``max(0, |1 - w| - 2 epsilon)``, and may be 0.1."""
    rows = RegressionProblem(epsilon).margin_rows(np.array([0.0, 1.0]))
    feasible = unpriced_set(np.array([[0.0], [1.0]]), rows, Budget.split(2.0, 0.1), scale=1.0)
    assert ends(feasible)[0] == pytest.approx([low, high], abs=PROVED)


@pytest.mark.parametrize(
    ("sign", "least", "low", "high"),
    [(1, 1.0, 1.0, 1.5), (-1, -1.0, 0.75, 1.0), (1, 0.1, 0.75, 1.5)],
)
def test_preset_cuts_the_pair(sign: int, least: float, low: float, high: float) -> None:
    """The pair with loss 0.5 and norm 1.5 has w from 0.75 to 1.5; w >= 0.1 takes nothing away."""
    feasible = cut_set(pair_set(Budget.split(1.5, 0.5)), 0, sign, least)
    assert ends(feasible)[0] == pytest.approx([low, high], abs=PROVED)


@pytest.mark.parametrize("budget", [Budget.split(0.5, 0.0), Budget.joint(1.0, 0.4)])
def test_empty_set_is_refused(budget: Budget) -> None:
    """Half the norm cannot avoid all loss, and no model of the pair costs less than 1/2."""
    with pytest.raises(InfeasibleError, match="No model stays within the budget"):
        Interior().prepare(replace(pair_set(budget), witness=None))


# ---------------------------------------------------------------------------------------------
# Facts about all sets
# ---------------------------------------------------------------------------------------------


def noisy(problem: str = "explicit", tolerance: float = 0.1, budget: str = "split") -> FeasibleSet:
    case = Case("noisy", problem, "free", budget, C=1.0, tolerance=tolerance, seed=0, n=40, d=5)
    feasible = set_of(case)
    assert feasible is not None
    return feasible


every_problem = pytest.mark.parametrize("problem", PROBLEMS)
every_budget = pytest.mark.parametrize("budget", BUDGETS)


@every_problem
@every_budget
def test_ranges_nest_as_the_tolerance_grows(problem: str, budget: str) -> None:
    sets = [noisy(problem, tolerance, budget) for tolerance in (0, 1e-3, 0.01, 0.1, 0.5, 1)]
    for inner, outer in pairwise(map(ends, sets)):
        rounding = 2 * PROVED * sets[0].scale
        assert (outer[:, 0] <= inner[:, 0] + rounding).all()
        assert (inner[:, 1] <= outer[:, 1] + rounding).all()


@every_problem
def test_baseline_is_inside_its_ranges(problem: str) -> None:
    feasible = noisy(problem)
    assert feasible.witness is not None
    low, high = ends(feasible).T
    rounding = PROVED * feasible.scale
    assert (low - rounding <= feasible.witness.weights).all()
    assert (feasible.witness.weights <= high + rounding).all()


@every_problem
def test_flipped_column_mirrors_its_range(problem: str) -> None:
    feasible = noisy(problem)
    assert feasible.witness is not None
    flip = np.array([1, -1, 1, 1, -1])
    space = replace(feasible.space, points=feasible.space.points * flip)
    witness = replace(feasible.witness, weights=feasible.witness.weights * flip)
    mirrored = np.sort(ends(feasible) * flip[:, None], axis=1)
    found = ends(replace(feasible, space=space, witness=witness))
    assert found == pytest.approx(mirrored, rel=0, abs=2 * PROVED * feasible.scale)


@every_problem
def test_permuted_columns_permute_ranges(problem: str) -> None:
    feasible = noisy(problem)
    assert feasible.witness is not None
    order = np.array([3, 1, 4, 0, 2])
    space = ModelSpace(
        feasible.space.points[:, order], feasible.space.rows, feasible.space.prices[order]
    )
    witness = replace(feasible.witness, weights=feasible.witness.weights[order])
    found = ends(replace(feasible, space=space, witness=witness))
    assert found == pytest.approx(ends(feasible)[order], rel=0, abs=2 * PROVED * feasible.scale)


@every_problem
@pytest.mark.parametrize("ask", ["ranges", "relevances"])
def test_company_in_a_batch_does_not_matter(
    problem: str, ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All at once, one by one, backwards, and in batches of two programs."""
    feasible = noisy(problem)
    prepared = Interior().prepare(feasible)

    def asked(weights: list[int]) -> Array:
        found = getattr(prepared, ask)(weights)
        return np.array([each.ends if ask == "ranges" else each.relevance for each in found])

    together = asked([0, 1, 2, 3, 4])
    one_by_one = np.vstack([asked([k]) for k in range(5)])
    backwards = asked([4, 3, 2, 1, 0])[::-1]
    monkeypatch.setattr(interior, "MOST_LINES", 2)
    in_pairs = asked([0, 1, 2, 3, 4])
    for other in (one_by_one, backwards, in_pairs):
        assert other == pytest.approx(together, rel=0, abs=SAME * feasible.scale)


@every_problem
def test_same_question_gets_the_same_digits(problem: str) -> None:
    feasible, columns = noisy(problem), np.random.default_rng(0).normal(size=(3, 40, 1))
    first, again = (Interior().prepare(feasible) for _ in range(2))
    assert first.ranges([0, 3]) == again.ranges([0, 3]) == first.ranges([0, 3])
    assert first.appended(list(columns), 1.0) == again.appended(list(columns), 1.0)


@every_problem
@every_budget
def test_tolerance_zero_is_left_to_the_exact_engine(problem: str, budget: str) -> None:
    """No model is strictly inside, so there is nothing to start from."""
    feasible = noisy(problem, 0.0, budget)
    found = Interior().prepare(feasible).ranges(range(5))
    assert all(bound.fell_back for bound in bounds_of(found))
    assert furthest_apart(feasible, exact_ranges(feasible), found) <= AGREE


# ---------------------------------------------------------------------------------------------
# Spoiled answers
# ---------------------------------------------------------------------------------------------

Spoil = Callable[[Iterate], Iterate]


def _changed(**parts: Callable[[Iterate], Array | float]) -> Spoil:
    return lambda answer: replace(answer, **{name: part(answer) for name, part in parts.items()})


rng = np.random.default_rng(0)
SPOILERS: dict[str, Spoil] = {
    "garbage multipliers": _changed(
        multipliers=lambda answer: rng.normal(size=len(answer.multipliers)),
        prices=lambda answer: rng.normal(size=2),
    ),
    "no multipliers": _changed(
        multipliers=lambda answer: 0 * answer.multipliers, prices=lambda answer: np.zeros(2)
    ),
    "huge multipliers": _changed(
        multipliers=lambda answer: 1e300 * answer.multipliers,
        prices=lambda answer: 1e300 * answer.prices,
    ),
    "NaN multipliers": _changed(multipliers=lambda answer: np.nan * answer.multipliers),
    "one NaN multiplier": _changed(
        multipliers=lambda answer: np.r_[np.nan, answer.multipliers[1:]]
    ),
    "NaN prices": _changed(
        prices=lambda answer: np.full(2, np.nan),
        multipliers=lambda answer: np.nan * answer.multipliers,
    ),
    "NaN weights": _changed(weights=lambda answer: np.nan * answer.weights),
    "infinite weights": _changed(weights=lambda answer: np.inf + answer.weights),
    "NaN offsets": _changed(offsets=lambda answer: np.nan * answer.offsets),
    "no weights": _changed(weights=lambda answer: 0 * answer.weights),
    "too large weights": _changed(weights=lambda answer: 1.001 * answer.weights),
    "moved offsets": _changed(offsets=lambda answer: answer.offsets + 1),
    "the other way round": _changed(weights=lambda answer: -answer.weights),
}


def spoil(
    monkeypatch: pytest.MonkeyPatch, spoiler: Spoil, lines: tuple[int, ...] | None = None
) -> None:
    """From now on some answers of interior points are spoiled, or all of them."""
    reach = interior.reach

    def spoiled(*arguments: object, **more: object) -> list[Iterate]:
        answers = reach(*arguments, **more)  # type: ignore[arg-type]
        return [
            spoiler(answer) if lines is None or line in lines else answer
            for line, answer in enumerate(answers)
        ]

    monkeypatch.setattr(interior, "reach", spoiled)


every_spoiler = pytest.mark.parametrize("spoiler", SPOILERS)
quietly = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # infinities


@quietly
@every_spoiler
@every_budget
def test_truth_comes_out_of_spoiled_answers(
    spoiler: str, budget: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that an interior point says is believed, so all of it is asked again."""
    feasible = noisy(budget=budget)
    spoil(monkeypatch, SPOILERS[spoiler])
    found = Interior().prepare(feasible).ranges(range(5))
    assert all(bound.fell_back for bound in bounds_of(found))
    assert furthest_apart(feasible, exact_ranges(feasible), found) <= AGREE
    assert all(is_proved(feasible, bound) for bound in bounds_of(found))


@pytest.mark.skipif(kernels.dense_simplex is None, reason="installed without a C compiler")
@every_budget
def test_right_prices_are_proof_enough(budget: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Multipliers that are garbage are found anew from the prices, without the exact engine."""
    feasible = noisy(budget=budget)
    spoil(
        monkeypatch, _changed(multipliers=lambda answer: rng.normal(size=len(answer.multipliers)))
    )
    found = Interior().prepare(feasible).ranges(range(5))
    assert not any(bound.fell_back for bound in bounds_of(found))
    assert furthest_apart(feasible, exact_ranges(feasible), found) <= AGREE
    assert all(is_proved(feasible, bound) for bound in bounds_of(found))


def test_one_spoiled_direction_is_told_and_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Line 5 is the largest value of the third weight."""
    feasible = noisy()
    alone = Interior().prepare(feasible).ranges(range(5))
    spoil(monkeypatch, SPOILERS["garbage multipliers"], lines=(5,))
    found = Interior().prepare(feasible).ranges(range(5))
    assert found[2].high.fell_back
    for k in (0, 1, 3, 4):
        assert found[k].fallbacks == 0
        assert found[k].ends == pytest.approx(alone[k].ends, rel=0, abs=SAME * feasible.scale)
    assert furthest_apart(feasible, exact_ranges(feasible), found) <= AGREE


@every_problem
@every_budget
def test_the_exact_engine_needs_only_the_weights_that_matter(
    problem: str, budget: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others join where they are missing; what is found is proved with all of them."""
    monkeypatch.setattr(interior, "FEW_WEIGHTS", 1)
    feasible = noisy(problem, budget=budget)
    weights = np.argsort(-np.abs(feasible.witness.weights))[:2]
    for k, exact in enumerate(exact_ranges(feasible)):
        for sign, end in ((-1, exact.low), (1, exact.high)):
            goal = unit_goal(feasible.space, k, sign)
            found = interior._exact_with_few(feasible, goal, weights)
            if found is not None:
                assert found.fell_back
                assert is_proved(feasible, found)
                assert found.inner == pytest.approx(end.inner, abs=AGREE * feasible.scale)
    all_of_them = interior._exact_with_few(feasible, goal, np.arange(5))
    assert all_of_them is not None
    assert all_of_them.inner == pytest.approx(end.inner, abs=AGREE * feasible.scale)


def test_too_few_weights_for_any_good_model_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interior, "FEW_WEIGHTS", 1)
    feasible = noisy(tolerance=1e-3)
    goal = unit_goal(feasible.space, 4, 1)
    assert interior._exact_with_few(feasible, goal, np.array([4])) is None


@quietly
@every_spoiler
def test_truth_comes_out_of_spoiled_answers_about_appended_columns(
    spoiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    feasible, columns = noisy(), list(np.random.default_rng(1).normal(size=(4, 40, 1)))
    wide = [feasible.over(feasible.space.with_columns(column, 1.0)) for column in columns]
    exact = [np.abs(Simplex().prepare(each).ranges([5])[0].ends).max() for each in wide]
    spoil(monkeypatch, SPOILERS[spoiler])
    found = [ranges[0] for ranges in Interior().prepare(feasible).appended(columns, 1.0)]
    assert [each.relevance[1] for each in found] == pytest.approx(
        exact, rel=0, abs=AGREE * feasible.scale
    )
    assert all(each.fallbacks for each in found)


def test_model_outside_the_set_is_no_witness_for_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair's w is at least 0.75; w = 0 loses 2, where 0.5 is allowed.

    Without multipliers the smallest ``w`` is proved to be -1.5 at least, which the largest, 1.5,
    matches: only the bad model says that w may vanish.
    """
    spoiler = _changed(
        weights=lambda answer: 0 * answer.weights, multipliers=lambda answer: 0 * answer.multipliers
    )
    without_price = _changed(prices=lambda answer: np.zeros(2))
    spoil(monkeypatch, lambda answer: without_price(spoiler(answer)), lines=(0,))
    (found,) = Interior().prepare(pair_set(Budget.split(1.5, 0.5))).relevances([0])
    assert found.relevance == pytest.approx((0.75, 1.5), abs=PROVED)


@pytest.mark.parametrize(
    "spoiler",
    [
        "garbage multipliers",
        "no multipliers",
        "NaN multipliers",
        "NaN weights",
        "too large weights",
        "the other way round",
    ],
)
@quietly
def test_truth_comes_out_of_spoiled_best_models(
    spoiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    minimise, space = interior_path.minimise, noisy().space

    def spoiled(*arguments: object, **more: object) -> list[Iterate]:
        return [SPOILERS[spoiler](each) for each in minimise(*arguments, **more)]  # type: ignore[arg-type]

    monkeypatch.setattr(interior_path, "minimise", spoiled)
    Cs = np.array([0.1, 1.0, 10.0])
    exact, found = (best_models(engine.path(space), Cs) for engine in (Simplex(), Interior()))
    for C, one, other in zip(Cs.tolist(), exact, found, strict=True):
        assert other.norm / 2 + C * other.loss == pytest.approx(
            one.norm / 2 + C * one.loss, rel=SAME
        )


# ---------------------------------------------------------------------------------------------
# Single baselines
# ---------------------------------------------------------------------------------------------


def interior_points_asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From now on, how many programs each batch of baselines has."""
    asked, minimise = [], interior_path.minimise

    def noted(*arguments: object, **more: object) -> list[Iterate]:
        answers = minimise(*arguments, **more)  # type: ignore[arg-type]
        asked.append(len(answers))
        return answers

    monkeypatch.setattr(interior_path, "minimise", noted)
    return asked


@pytest.mark.parametrize(("small", "batches"), [(10**9, 0), (0, 1)])
def test_small_single_programs_are_solved_by_the_exact_engine(
    small: int, batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highs, "_SMALL", small)
    asked = interior_points_asked(monkeypatch)
    Interior().path(noisy().space).solve(1.0, cold=False)
    assert len(asked) == batches


def test_small_single_baselines_are_solved_by_the_exact_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that both engines have the same baseline, of which offsets are not unique."""
    asked = interior_points_asked(monkeypatch)
    best_model(Interior().path(noisy().space), 1.0)
    assert asked == []


def test_rare_values_do_not_stop_interior_points() -> None:
    """Where steps can hardly be gone, a second-order term of whole steps would stop them."""
    X, y = flights(2_000, 0)
    X = X[:, X.std(axis=0) > 0]  # the rarest carrier may be absent
    model = OrdinalRelevance(C=0.1, class_weight="balanced", n_probes=10, random_state=0)
    result = model.fit(X, y).result_
    assert model.support_.any()
    assert result.fallbacks == 0


def test_many_rows_of_rare_values_do_not_stop_interior_points() -> None:
    """For dozens of steps some of these programs hardly move, and then end as others do."""
    X, y = flights(100_000, 0)
    data = training_data(y.astype(np.float64), (X - X.mean(axis=0)) / X.std(axis=0))
    problem, alike = OrdinalProblem("explicit"), Balance(1.0)
    choice = Choice.given(problem, SlackModel(), 3.5387400591737825e-4, None, alike)
    best = BestModel.of(ENGINES["auto"](), choice.compose(data), choice)
    feasible, _ = GoodnessRule("split", 0.00206588).feasible_set(best, choice.in_loss(data))
    ranges = Interior().prepare(feasible).ranges([25, 26])
    assert sum(each.fallbacks for each in ranges) == 0
