"""The compiled loop of the interior point: the same answers as Python's, proved, on all kinds.

What it says is held against the exact engine in test_engines_agree; here Python's loop, which does
the same where nothing is compiled, is held against both.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from engine_cases import FAMILIES, Case, Tally, cases, set_of
from scipy.optimize import linprog

from relbounds.engine import FeasibleSet, Interior, kernels
from relbounds.engine.interior import compiled
from relbounds.engine.interior.point import analytic_centre, anywhere, minimise, reach, towards
from relbounds.engine.interior.program import Iterate, Own, Point, Program

pytestmark = pytest.mark.skipif(
    kernels.interior is None, reason="installed without a C compiler: there is one loop only"
)
CASES_A_FAMILY = 8
ENOUGH, SAME = 1e-7, 1e-6
NO_LIMITS = np.empty((0, 2)), np.empty(0)
SPLIT = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([3.0, 40.0])
JOINT = np.array([[0.5, 0.1], [1.0, 0.0]]), np.array([4.0, 3.0])
LOSSLESS = np.array([[1.0, 0.0]]), np.array([3.0])


@pytest.fixture
def in_python(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From the call on nothing suits the compiled loop."""
    return lambda: monkeypatch.setattr(compiled, "suits", lambda program: False)


def rows_of(kind: str, m: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """Coefficients of d weights and one offset; or of three, of which half of the rows have two."""
    rows = np.column_stack([rng.normal(size=(m, d)), rng.choice([-1.0, 1.0], m)])
    if kind == "alike":
        rows = rows[rng.integers(max(m // 3, 1), size=m)] * rng.choice([-1.0, 1.0], (m, 1))
    if kind == "offsets":
        signs, at = rows[:, d], rng.integers(3, size=m)
        rows = np.column_stack([rows[:, :d], signs[:, None] * np.eye(3)[at]])
        rows[::2, d:] -= signs[::2, None] * np.eye(3)[(at[::2] + 1) % 3]
    if kind == "kinds":  # thirds that share some weights, and rows of the offset alone
        rows[0::3, : d // 3] = 0.0
        rows[1::3, d // 3 : d] = 0.0
        rows[2::3, 2 * d // 3 : d] = 0.0
        rows[::9, :d] = 0.0
    if kind == "blocks":
        rows[: m // 2, : (d + 1) // 2] = 0.0
        rows[m // 2 :, (d + 1) // 2 :] = 0.0
    return rows


def random_program(
    kind: str, m: int, d: int, limits: tuple[np.ndarray, np.ndarray], rng: np.random.Generator
) -> Program:
    """A program that models without weights keep, if losses are allowed."""
    soft = 0 if limits is LOSSLESS else m - m // 8
    margin = rng.uniform(0.2, 1.0, m)
    margin[soft:] = -1.0  # what has to be kept is kept by a model without weights
    rows = rows_of(kind, m, d, rng)
    return Program(
        rows,
        margin,
        rng.uniform(0.01, 0.5, soft),
        0.1 * rng.normal(size=rows.shape[1]) * (soft > 0),
        0.0,
        rng.uniform(0.5, 2.0, d),
        *limits,
    )


def own_of(program: Program, batch: int, e: int, rng: np.random.Generator) -> Own:
    """Own columns, each zero outside of a span of rows."""
    columns = rng.normal(size=(batch, e, program.n_rows))
    for k in range(e):
        columns[:, k, : k * program.n_rows // 4] = 0.0
    return Own(columns, 0.01 * rng.normal(size=(batch, e)), 1.5)


def start_of(program: Program) -> Point:
    none = np.zeros(program.n_weights), np.zeros(program.n_shared - program.n_weights)
    centre = analytic_centre(program, *none, program.loss(*none))
    assert centre is not None
    return centre


def values(answers: list[Iterate], goals: np.ndarray) -> np.ndarray:
    return np.array([goal @ each.weights for goal, each in zip(goals, answers, strict=True)])


def largest(program: Program, own: Own, line: int, goal: np.ndarray) -> float:
    """The largest ``goal.w`` as linprog finds it: over w+, w-, offsets, and slacks."""
    d, soft, m = program.n_weights, program.n_soft, program.n_rows
    weights = np.hstack([program.coefficients[:, :d], own.columns[line].T])
    offsets, slacks = program.coefficients[:, d:], np.eye(m, soft)
    nothing = np.zeros(offsets.shape[1])
    of_norm = np.r_[program.prices, np.full(own.n_weights, own.price)]
    of_loss = np.r_[program.linear[:d], own.linear[line]]
    norm = np.r_[of_norm, of_norm, nothing, np.zeros(soft)]
    loss = np.r_[of_loss, -of_loss, program.linear[d:], program.slack_price]
    best = linprog(
        np.r_[-goal, goal, nothing, np.zeros(soft)],
        A_ub=np.vstack(
            [-np.hstack([weights, -weights, offsets, slacks]), program.shares @ [norm, loss]]
        ),
        b_ub=np.r_[-program.margin, program.limits],
        bounds=[(0, None)] * 2 * len(goal) + [(None, None)] * len(nothing) + [(0, None)] * soft,
    )
    return -float(best.fun)


shapes = pytest.mark.parametrize(
    ("kind", "m", "d"),
    [
        ("dense", 5, 1),
        ("dense", 50, 7),
        ("dense", 131, 12),
        ("dense", 160, 61),  # more lines than are factored at once
        ("alike", 90, 6),
        ("blocks", 90, 9),
        ("kinds", 120, 9),
        ("offsets", 90, 7),
    ],
)


# ---------------------------------------------------------------------------------------------
# Beside Python's loop and linprog
# ---------------------------------------------------------------------------------------------


@shapes
@pytest.mark.parametrize("limits", [SPLIT, JOINT, LOSSLESS], ids=["split", "joint", "lossless"])
@pytest.mark.parametrize("e", [0, 1, 3])
def test_directions_reach_as_far(
    kind: str,
    m: int,
    d: int,
    limits: tuple[np.ndarray, np.ndarray],
    e: int,
    in_python: Callable[[], None],
) -> None:
    rng = np.random.default_rng([m, d, e])
    program = random_program(kind, m, d, limits, rng)
    goals, own = rng.normal(size=(6, d + e)), own_of(program, 6, e, rng)
    start = towards(program, own, start_of(program), goals)
    assert compiled.suits(program)
    found = values(reach(program, own, start, goals, enough=ENOUGH), goals)
    in_python()
    by_python = values(reach(program, own, start, goals, enough=ENOUGH), goals)
    expected = [largest(program, own, line, goal) for line, goal in enumerate(goals)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=SAME)
    np.testing.assert_allclose(by_python, expected, rtol=0, atol=SAME)


@shapes
def test_best_models_cost_as_little(
    kind: str, m: int, d: int, in_python: Callable[[], None]
) -> None:
    rng = np.random.default_rng([m, d])
    program = random_program(kind, m, d, NO_LIMITS, rng)
    program = replace(program, linear=np.zeros(program.n_shared), constant=1.0)
    prices = np.column_stack([np.full(4, 0.5), 10.0 ** np.arange(-2, 2)])

    def costs() -> list[float]:
        answers = minimise(program, anywhere(program, prices), prices, enough=ENOUGH)
        return [
            norm_price * program.prices @ np.abs(each.weights)
            + loss_price * (program.loss(each.weights, each.offsets) + program.constant)
            for each, (norm_price, loss_price) in zip(answers, prices, strict=True)
        ]

    found = costs()
    in_python()
    np.testing.assert_allclose(found, costs(), rtol=SAME)


@shapes
@pytest.mark.parametrize("limits", [SPLIT, JOINT, LOSSLESS], ids=["split", "joint", "lossless"])
def test_centres_are_the_same(
    kind: str,
    m: int,
    d: int,
    limits: tuple[np.ndarray, np.ndarray],
    in_python: Callable[[], None],
) -> None:
    """Newton's steps are, and so are the points that they lead to."""
    program = random_program(kind, m, d, limits, np.random.default_rng([m, d]))
    found = start_of(program)
    in_python()
    expected = start_of(program)
    np.testing.assert_allclose(found.primal, expected.primal, rtol=1e-6)
    np.testing.assert_allclose(found.dual, expected.dual, rtol=1e-6)


def test_a_set_without_interior_has_no_centre() -> None:
    """``w >= 1`` and ``-w >= -1`` have to be kept: no model is strictly inside."""
    program = Program(
        np.array([[1.0, 0.0], [-1.0, 0.0]]),
        np.array([1.0, -1.0]),
        np.empty(0),
        np.zeros(2),
        0.0,
        np.ones(1),
        *LOSSLESS,
    )
    assert compiled.suits(program)
    assert analytic_centre(program, np.ones(1), np.zeros(1), 0.0) is None


# ---------------------------------------------------------------------------------------------
# Pairs, company, threads
# ---------------------------------------------------------------------------------------------


def asked(m: int = 60, d: int = 6) -> tuple[Program, Own, Point, np.ndarray]:
    """Both ends of every weight, and of an own one."""
    rng = np.random.default_rng(3)
    program = random_program("dense", m, d, SPLIT, rng)
    goals = np.array([sign * unit for unit in np.eye(d + 1) for sign in (-1.0, 1.0)])
    own = own_of(program, len(goals), 1, rng)
    return program, own, towards(program, own, start_of(program), goals), goals


def test_the_further_one_of_a_pair_is_as_far_as_alone() -> None:
    program, own, start, goals = asked()
    alone = values(reach(program, own, start, goals, enough=ENOUGH), goals).reshape(-1, 2)
    paired = reach(program, own, start, goals, enough=ENOUGH, paired=True)
    together = values(paired, goals).reshape(-1, 2)
    np.testing.assert_allclose(together.max(axis=1), alone.max(axis=1), atol=SAME)
    assert (together <= alone + SAME).all()
    assert (together.min(axis=1) < alone.min(axis=1) - 10 * SAME).any()


def test_an_answer_does_not_depend_on_its_company() -> None:
    """Digit by digit, which makes any division of work the same."""
    program, own, start, goals = asked()
    together = reach(program, own, start, goals, enough=ENOUGH)
    for line in (0, 7):
        one = slice(line, line + 1)
        point = Point(start.primal[one], start.dual[one], start.offsets[one], start.gap[one])
        [alone] = reach(program, own[one], point, goals[one], enough=ENOUGH)
        np.testing.assert_array_equal(alone.weights, together[line].weights)
        np.testing.assert_array_equal(alone.multipliers, together[line].multipliers)


def test_threads_do_not_disturb_one_another() -> None:
    """Each works in room of its own, and what they share is only read."""
    program, own, start, goals = asked(120, 20)
    expected = values(reach(program, own, start, goals, enough=ENOUGH), goals)
    with ThreadPoolExecutor(4) as pool:
        at_once = [pool.submit(reach, program, own, start, goals, enough=ENOUGH) for _ in range(8)]
        for each in at_once:
            np.testing.assert_array_equal(values(each.result(), goals), expected)


def test_where_a_start_is_stays() -> None:
    program, own, start, goals = asked()
    before = start.primal.copy(), start.dual.copy(), start.offsets.copy()
    reach(program, own, start, goals, enough=ENOUGH)
    for then, now in zip(before, (start.primal, start.dual, start.offsets), strict=True):
        np.testing.assert_array_equal(now, then)


# ---------------------------------------------------------------------------------------------
# Whole questions, on hostile tables of all tasks
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_pythons_loop_agrees_with_the_exact_engine(
    family: str, in_python: Callable[[], None]
) -> None:
    in_python()
    found = Tally.of(cases(family, CASES_A_FAMILY, seed=4))
    assert found.wrong == []
    assert found.answered > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_probes_weigh_the_same_by_both_loops(family: str, in_python: Callable[[], None]) -> None:
    """Own columns, in pairs, of both budgets; answers are proved to 1e-7 of the norm."""
    sets = [
        set_of(Case(family, problem, "free", budget, 1.0, 0.1, seed=5))
        for problem, budget in product(("explicit", "regression"), ("split", "joint"))
    ]
    feasible_sets = [each for each in sets if each is not None]
    assert feasible_sets
    found = [relevances(feasible) for feasible in feasible_sets]
    in_python()
    for feasible, one in zip(feasible_sets, found, strict=True):
        np.testing.assert_allclose(one, relevances(feasible), rtol=0, atol=3e-7 * feasible.scale)


def relevances(feasible: FeasibleSet) -> list[tuple[float, float]]:
    """Of permuted columns."""
    rng, points = np.random.default_rng(6), feasible.space.points
    columns = [rng.permutation(points[:, :1]) * feasible.space.prices[0] for _ in range(3)]
    ranges = Interior().prepare(feasible).appended(columns, 1.0)
    return [each.relevance for of_column in ranges for each in of_column]
