"""The dense simplex method: right by itself, without the proofs and fall-backs around it."""

import numpy as np
import pytest
from engine_cases import FAMILIES, PROBLEMS, SLACKS, Case, composed, none_to_speak_of
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from relbounds.engine import (
    ENGINES,
    TIGHT,
    MarginRows,
    Model,
    ModelSpace,
    Simplex,
    dual_bound,
    kernels,
    polished,
)
from relbounds.engine.dense import DensePath, DenseProgram
from relbounds.engine.optimum import best_models
from relbounds.exceptions import SolverError

pytestmark = pytest.mark.skipif(
    kernels.dense_simplex is None, reason="installed without a C compiler"
)

Array = NDArray[np.float64]
CS = np.logspace(-4, 3, 8)

every_kind = pytest.mark.parametrize("family", FAMILIES)
every_problem = pytest.mark.parametrize("problem", PROBLEMS)
every_slack = pytest.mark.parametrize("slack", SLACKS)


def space_of(family: str, problem: str, slack: str, n: int = 40, d: int = 6) -> ModelSpace:
    case = Case(family, problem, slack, "split", C=1.0, tolerance=0.1, seed=3, n=n, d=d)
    return composed(case)[0].space


def cost(space: ModelSpace, model: Model, prices: tuple[float, float], goal: Array) -> float:
    norm_price, loss_price = prices
    gain = float(goal @ model.weights)
    return norm_price * space.norm(model) + loss_price * space.loss(model) - gain


def least_cost(space: ModelSpace, C: float, multipliers: Array, most: float) -> float:
    """No model costs less, by weak duality; those above ``most`` need not be thought of."""
    nothing = np.zeros((2, space.n_weights))
    proofs = np.array([multipliers, polished(space, multipliers, nothing[0], 1 / (2 * C))])
    bound = dual_bound(space, proofs, nothing, space.offset_box(2 * most, most / C))
    prices = np.maximum(2 * bound.norm_worth, bound.loss_worth / C)
    return max(
        -rest / price if price else 0.0 for price, rest in zip(prices, bound.rest, strict=True)
    )


def blurred(space: ModelSpace, multipliers: Array) -> float:
    """The share of a least cost that is lost where multipliers are rounded to doubles.

    They weigh columns of a million with a thousand, and gradients may not exceed a half.
    """
    rows = space.rows
    by_point = np.bincount(rows.point, np.abs(rows.sign * multipliers), len(space.points))
    gradient = by_point @ np.abs(space.points / space.prices)
    return float(np.finfo(np.float64).eps * gradient.max(initial=0.0) / 0.5)


@every_slack
@every_problem
@every_kind
def test_best_models_are_proved_and_no_worse_than_those_of_highs(
    family: str, problem: str, slack: str
) -> None:
    """Seven decades of C, one solution starting the next.

    Neither method is taken at its word: multipliers of either prove what no model can cost less
    than, and a model within ``TIGHT`` of that is the best whoever found it.
    """
    space = space_of(family, problem, slack)
    nothing, none = np.zeros(space.n_weights), none_to_speak_of(space)
    for C, found, exact in zip(
        CS.tolist(),
        DensePath(space).solve_many(CS),
        Simplex().path(space).solve_many(CS),
        strict=True,
    ):
        ours, theirs = (cost(space, model, (0.5, C), nothing) for model, _ in (found, exact))
        most = max(ours, theirs)
        least = max(0.0, *(least_cost(space, C, proof, most) for _, proof in (found, exact)))
        blur = min(blurred(space, proof) for _, proof in (found, exact))
        for reached in (ours, theirs):
            gap = reached - least
            assert -(TIGHT * least + C * none) <= gap <= (TIGHT + blur) * reached + C * none
        assert ours <= (1 + TIGHT) * theirs + C * none
        assert max(space.row_violation(model) for model, _ in (found, exact)) <= TIGHT


@pytest.mark.parametrize("seed", range(5))
def test_goals_are_those_of_an_oracle(seed: int) -> None:
    """Written out with split weights and slacks, for SciPy: ``norm + 3 loss - goal.w``."""
    rng = np.random.default_rng(seed)
    space = space_of("noisy", "explicit", "free", n=20, d=4)
    rows, d, k = space.rows, space.n_weights, space.rows.n_offsets
    goal, m = rng.uniform(-0.9, 0.9, size=d), len(rows)
    soft = ~rows.must_hold
    coefficients = rows.sign[:, None] * space.points[rows.point]
    left = np.hstack(
        [coefficients, -coefficients, rows.offset_matrix.toarray(), np.diag(1.0 * soft)]
    )
    oracle = linprog(
        np.r_[1 - goal, 1 + goal, np.zeros(k), np.where(soft, 3 * rows.weight, 0.0)],
        A_ub=-left,
        b_ub=-rows.margin,
        bounds=[(0, None)] * (2 * d) + [(None, None)] * k + [(0, None)] * m,
    )
    model, multipliers = DenseProgram(space).solve(1.0, 3.0, goal)
    reached = cost(space, model, (1.0, 3.0), goal)
    assert multipliers @ rows.margin == pytest.approx(reached, rel=TIGHT), "no duality gap"
    assert reached == pytest.approx(oracle.fun, rel=2 * TIGHT)


@pytest.mark.parametrize(("C", "weight"), [(0.1, 0.0), (0.24, 0.0), (0.26, 1.0), (100.0, 1.0)])
def test_two_samples_by_hand(C: float, weight: float) -> None:
    """Points -1 below and 1 above an offset cost ``w / 2 + C (2 - 2 w)``, for w between 0 and 1.

    So the weight is 0 as long as C is below 1/4, and 1 above; then the offset is 0.
    """
    rows = MarginRows(
        point=np.array([0, 1]),
        sign=np.array([-1.0, 1.0]),
        offset_matrix=sparse.csr_array([[1.0], [-1.0]]),
        margin=np.ones(2),
        weight=np.ones(2),
        surplus_weight=np.zeros(2),
    )
    space = ModelSpace.unpriced(np.array([[-1.0], [1.0]]), rows)
    model, multipliers = DensePath(space).solve(C, cold=False)
    assert model.weights == pytest.approx([weight], abs=1e-12)
    assert space.loss(model) == pytest.approx(2 - 2 * weight, abs=1e-12)
    assert multipliers == pytest.approx([min(C, 0.25)] * 2, abs=1e-12)


def test_order_of_prices_does_not_matter() -> None:
    """Prices go up and down, and goals come and go; each answer is that of a fresh program."""
    space = space_of("twins", "explicit", "free")
    asked = DenseProgram(space)
    rng = np.random.default_rng(0)
    for _ in range(30):
        norm_price, loss_price = 10 ** rng.uniform(-2, 2, size=2)
        goal = rng.uniform(-1, 1, size=space.n_weights) * norm_price
        prices = (float(norm_price), float(loss_price))
        costs = []
        for program in (asked, DenseProgram(space)):
            model, multipliers = program.solve(*prices, goal)
            costs.append(cost(space, model, prices, goal))
            assert multipliers @ space.rows.margin == pytest.approx(costs[-1], rel=TIGHT)
        assert costs[0] == pytest.approx(costs[1], rel=2 * TIGHT)


def test_steps_that_gain_nothing_come_to_an_end() -> None:
    """Equal costs and repeated columns: without shifted costs this goes round for ever."""
    space = space_of("twins", "explicit", "privileged", n=60, d=12)
    program = DenseProgram(space)
    for C in CS.tolist():
        model, multipliers = program.solve(0.5, C)
        least = float(multipliers @ space.rows.margin)
        assert cost(space, model, (0.5, C), np.zeros(space.n_weights)) == pytest.approx(
            least, rel=TIGHT
        )


def test_column_that_depends_on_others_leaves_the_basis() -> None:
    """A basis of twins has no inverse; what is left of it is completed, and steps go on from it."""
    space = space_of("noisy", "classification", "free", n=30, d=3)
    program = DenseProgram(space)
    model, _ = program.solve(0.5, 1.0)
    tableau = program._tableau
    columns = np.flatnonzero(tableau.is_basic[: len(space.rows)])
    assert len(columns) > 1
    tableau.rows[:, columns[1]] = tableau.rows[:, columns[0]]  # now twins
    tableau.value[:] = 0.0  # seen to be wrong, so all is computed anew
    assert program._simplex.resolve(tableau, 1_000)
    assert np.isfinite(tableau.inverse).all()
    assert model.weights.any()


def test_giving_up_is_said_and_leaves_the_work_to_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    space = space_of("noisy", "explicit", "free")
    exact = best_models(Simplex().path(space), CS)
    monkeypatch.setattr("relbounds.engine.dense._STEPS", 0)
    with pytest.raises(SolverError, match="gave up at a price of 1 for the loss"):
        DenseProgram(space).solve(0.5, 1.0)
    found = best_models(DensePath(space), CS)
    of_found, of_exact = (
        [each.norm / 2 + C * each.loss for C, each in zip(CS.tolist(), models, strict=True)]
        for models in (found, exact)
    )
    assert of_found == pytest.approx(of_exact, rel=2 * TIGHT)


def test_automatic_engine_uses_it_where_it_suits() -> None:
    small = space_of("noisy", "explicit", "free")
    assert isinstance(ENGINES["auto"]().path(small), DensePath)
    wide = ModelSpace.unpriced(np.ones((len(small.points), 1_001)), small.rows)
    assert not DenseProgram.suits(wide)


def test_automatic_engine_does_without_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "dense_simplex", None)
    small = space_of("noisy", "explicit", "free")
    assert not DenseProgram.suits(small)
    assert not isinstance(ENGINES["auto"]().path(small), DensePath)
