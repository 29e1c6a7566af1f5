"""The least tolerance at which a good model exists, by hand and by the oracle."""

from itertools import product
from typing import Any

import numpy as np
import oracle
import oracle_constraints as by_force
import pytest
from oracle_cases import PROBLEMS, target
from small_sets import free_slack

from relbounds.engine import (
    ENGINES,
    Budget,
    FeasibleSet,
    ModelSpace,
    RestrictedModels,
    Restriction,
)
from relbounds.problems import ClassificationProblem, SlackModel
from relbounds.questions.feasibility import Shortage, joint_shortage, split_shortage

INF = np.inf


def two_points() -> ModelSpace:
    """Samples at 1 and -1, one of each class.

    By symmetry the offset is 0, and a model of weight w loses ``2 max(0, 1 - w)``. So the edge of
    pairs (norm, loss) is the line ``loss = 2 - 2 norm`` from (0, 2) to (1, 0).
    """
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, 0.0])
    return ModelSpace.unpriced(X, ClassificationProblem().margin_rows(y))


def limited(low: float, high: float) -> ModelSpace:
    """The same with ``low <= w <= high``."""
    feasible = FeasibleSet(two_points(), Budget.split(1.0, 1.0), 1.0)
    restriction = Restriction(np.array([low]), np.array([high]))
    return RestrictedModels.of(feasible, restriction).feasible.space


@pytest.fixture(params=ENGINES)
def engine(request: Any) -> Any:
    return ENGINES[request.param]()


@pytest.mark.parametrize(
    ("norm", "loss", "expected"),
    [
        (0.5, 1.0, 0.0),  # on the edge
        (0.5, 0.5, 1 / 3),  # (1 + t)(0.5 + 2 * 0.5) = 2
        (1.0, 2.0, -0.5),
        (0.25, 1.5, 0.0),
        (0.01, 4.0, 2 / 4.02 - 1),
        (4.0, 0.01, 2 / 8.01 - 1),
    ],
)
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_the_line_through_both_limits_meets_the_edge(
    engine: Any, C: float, norm: float, loss: float, expected: float
) -> None:
    """Where ``(1 + t) loss = 2 - 2 (1 + t) norm``, so that ``1 + t = 2 / (loss + 2 norm)``."""
    space = two_points()
    found = split_shortage(engine.path(space), C, norm, loss)
    assert found.tolerance == pytest.approx(expected, abs=1e-6)
    check(found, space, norm, loss)


@pytest.mark.parametrize("loss", [0.01, 0.5, 1.0, 1.9, 4.0])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_where_only_the_norm_may_grow_the_loss_is_met_as_it_is(
    engine: Any, C: float, loss: float
) -> None:
    """``2 - 2 norm <= loss`` takes a norm of ``1 - loss / 2``, and none from a loss of 2 on."""
    space = two_points()
    found = split_shortage(engine.path(space), C, 0.5, loss, loss_grows=False)
    assert found.tolerance == pytest.approx(max(0.0, 2 - loss) - 1, abs=1e-6)
    assert found.proved == pytest.approx(found.tolerance, abs=2e-6)
    assert space.loss(found.model) <= loss * (1 + 1e-9)


def test_a_loss_that_cannot_be_avoided_and_may_not_grow_takes_more_than_norm(engine: Any) -> None:
    """``w <= 1/2`` loses at least 1."""
    space = limited(-INF, 0.5)
    found = split_shortage(engine.path(space), 1.0, 1.0, 0.9, loss_grows=False)
    assert found.tolerance == INF
    assert found.model is None
    found = split_shortage(engine.path(space), 1.0, 1.0, 1.1, loss_grows=False)
    assert found.tolerance == pytest.approx(0.45 - 1, abs=1e-6)


def check(found: Shortage, space: ModelSpace, norm: float, loss: float) -> None:
    """The model is as good as is said, and the proof says that none is better."""
    room = 1 + found.tolerance
    assert space.norm(found.model) <= room * norm * (1 + 1e-9) + 1e-12
    assert space.loss(found.model) <= room * loss * (1 + 1e-9) + 1e-9
    assert space.row_violation(found.model) <= 1e-7
    assert found.tolerance - 1e-6 * room <= found.proved <= found.tolerance + 1e-9 * room


def test_without_loss_the_norm_has_to_be_enough(engine: Any) -> None:
    """Only ``w >= 1`` makes no loss."""
    for norm in (0.5, 1.0, 4.0):
        found = split_shortage(engine.path(two_points()), 1.0, norm, 0.0)
        assert found.tolerance == pytest.approx(1 / norm - 1, abs=1e-6)


def test_no_tolerance_is_enough_where_a_loss_cannot_be_avoided(engine: Any) -> None:
    found = split_shortage(engine.path(limited(-INF, 0.5)), 1.0, 1.0, 0.0)
    assert found.tolerance == found.proved == INF
    assert found.model is None


def test_a_weight_that_may_not_grow_leaves_the_loss_to_pay_for(engine: Any) -> None:
    """``w <= 1/2`` loses at least 1: with a limit of 1/2 it takes twice that, whatever the norm."""
    space = limited(-INF, 0.5)
    found = split_shortage(engine.path(space), 1.0, 1.0, 0.5)
    assert found.tolerance == pytest.approx(1.0, abs=1e-6)
    check(found, space, 1.0, 0.5)


def test_a_weight_that_has_to_be_large_leaves_the_norm_to_pay_for(engine: Any) -> None:
    """``w >= 2`` has a norm of at least 2 and loses nothing."""
    space = limited(2.0, INF)
    for loss in (1.0, 0.0):
        found = split_shortage(engine.path(space), 1.0, 1.0, loss)
        assert found.tolerance == pytest.approx(1.0, abs=1e-6)


def test_a_weight_of_the_wrong_sign_costs_norm_and_loss(engine: Any) -> None:
    """``w <= -1`` loses at least 4 at a norm of 1; limits (1, 1) have to grow fourfold."""
    space = limited(-INF, -1.0)
    found = split_shortage(engine.path(space), 1.0, 1.0, 1.0)
    assert found.tolerance == pytest.approx(3.0, abs=1e-6)
    check(found, space, 1.0, 1.0)


def test_a_model_without_weights_may_be_all_there_is(engine: Any) -> None:
    """It loses 2, and its norm is nothing."""
    feasible = FeasibleSet(two_points(), Budget.split(1.0, 1.0), 1.0)
    space = RestrictedModels.of(feasible, Restriction(np.zeros(1), np.zeros(1))).feasible.space
    found = split_shortage(engine.path(space), 1.0, 1.0, 0.5)
    assert found.tolerance == pytest.approx(3.0, abs=1e-6)
    joint = joint_shortage(engine.path(space), 1.0, 1.0)
    assert joint.tolerance == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(("C", "least"), [(0.1, 0.2), (1.0, 0.5), (0.25, 0.5)])
def test_a_joint_limit_is_exceeded_by_the_least_cost(engine: Any, C: float, least: float) -> None:
    """``w / 2 + 2C (1 - w)`` is least at ``w = 1`` if C is at least 1/4, else at ``w = 0``."""
    for limit in (0.25, 1.0):
        found = joint_shortage(engine.path(two_points()), C, limit)
        assert found.tolerance == pytest.approx(least / limit - 1, abs=1e-6)
        assert found.proved == pytest.approx(found.tolerance, abs=1e-6)


# Against the oracle


def random_program(problem: str, slack: str, seed: int) -> tuple[Any, oracle.Program, Any]:
    """A composition, the oracle's program of the same data, and what is left to draw from."""
    rng = np.random.default_rng(seed)
    n, d = 14, 4
    X = rng.normal(size=(n, d))
    y = target(problem, X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n))
    weight = rng.uniform(0.5, 2.0, size=n)
    rows, expected = PROBLEMS[problem]
    margins, problem_rows = rows.margin_rows(y).weighted(weight), expected(X, y, weight)
    if slack == "free":
        return free_slack(X, margins), oracle.with_free_slack(problem_rows), rng
    price, X_star = 4.0 if slack == "mixed" else INF, rng.normal(size=(n, 2))
    composition = SlackModel(price).compose(margins, [X, X_star]).at(0.7)
    free = None if slack == "privileged" else price
    return composition, oracle.with_privileged_slack(problem_rows, X_star, 0.7, free), rng


@pytest.mark.parametrize(
    ("problem", "slack"), list(product(PROBLEMS, ("free", "privileged", "mixed")))
)
def test_the_least_tolerance_is_the_oracles(problem: str, slack: str) -> None:
    """Of all models, of those without the first feature, and of those where it is large.

    Prices have limits, so that the proof may lag behind where one of norm and loss is all that is
    too large; it never goes beyond.
    """
    composition, program, rng = random_program(problem, slack, seed=len(problem + slack))
    space, d = composition.space, composition.space.n_weights
    feasible = FeasibleSet(space, Budget.split(1.0, 1.0), 1.0)
    ends = np.full(d, -INF), np.full(d, INF)
    for first in ((-INF, INF), (0.0, 0.0), (0.8, INF), (-INF, -0.3)):
        low, high = (np.r_[end, others[1:]] for end, others in zip(first, ends, strict=True))
        path = ENGINES["auto"]().path(
            RestrictedModels.of(feasible, Restriction(low, high)).feasible.space
        )
        asked = [by_force.Signed((by_force.regular(0),), *first)]
        for norm, loss in rng.uniform(0.2, 4.0, size=(3, 2)) * (1.0, 4.0):
            split = [oracle.Limit(1, 0, norm), oracle.Limit(0, 1, loss)]
            expected = by_force.least_tolerance(program, split, asked)
            found = split_shortage(path, 1.0, norm, loss)
            assert found.tolerance == pytest.approx(expected, abs=1e-6 * (1 + expected))
            assert -1e-4 <= (found.proved - expected) / (1 + expected) <= 1e-6
            joint = [oracle.Limit(0.5, norm, loss)]
            expected = by_force.least_tolerance(program, joint, asked)
            found = joint_shortage(path, norm, loss)
            assert found.tolerance == pytest.approx(expected, abs=1e-6 * (1 + expected))
