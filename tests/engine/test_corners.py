"""Walks from corner to corner end where the exact engine does, or say that they are lost."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from engine_cases import AGREE, FAMILIES, Case, best_of, cases
from numpy.typing import NDArray
from scipy import sparse

from relbounds.engine import (
    TIGHT,
    Bound,
    Budget,
    Corners,
    FeasibleSet,
    MarginRows,
    Model,
    ModelSpace,
    RestrictedModels,
    Restriction,
    Simplex,
    unit_goal,
)
from relbounds.exceptions import InfeasibleError, SolverError
from relbounds.method.tolerance import GoodnessRule

native = pytest.importorskip(
    "relbounds.engine.kernels.native", reason="installed without a C compiler"
)

Array = NDArray[np.float64]
MOSTLY = 0.75  # of the most degenerate families; what is lost, engines are asked for
SOLVED = [each for each in FAMILIES if each != "scales"]
"""Where scales differ by 1e12, the exact engine proves too little to compare with."""
TOLERANCES = (0.0, 0.003, 0.03, 0.1, 0.5)


def sets_of(case: Case) -> list[FeasibleSet]:
    """The good models at each tolerance; none if the best one has learned nothing."""
    best, weight = best_of(case)
    if not best.has_learned:
        return []
    return [GoodnessRule(case.budget, each).feasible_set(best, weight)[0] for each in TOLERANCES]


def agree(found: Bound, exact: Bound, scale: float) -> bool:
    return abs(found.inner - exact.inner) <= AGREE * max(scale, abs(exact.inner))


def some(family: str) -> Iterator[Case]:
    return (replace(case, preset=None) for case in cases(family, 16, seed=7))


@pytest.mark.parametrize("family", SOLVED)
def test_walks_along_the_tolerance_end_where_the_exact_engine_does(family: str) -> None:
    n_proved = n_asked = 0
    for case in some(family):
        sets = sets_of(case)
        if not sets:
            continue
        best, d = sets[0].witness, sets[0].space.n_weights
        assert best is not None
        corners = Corners.of(sets[0]).with_sum
        k, sign = case.seed % d, (-1, 1)[case.seed % 2]
        [walk] = corners.from_best([unit_goal(sets[0].space, k, sign)], best)
        for feasible in sets[1:]:
            corners = corners.within(feasible)
            walk.turn_to(corners.limits).go_on()
            [bound] = corners.bounds([walk])
            n_asked += 1
            if not walk.is_at_end or not bound.is_tight(feasible.scale):
                continue
            n_proved += 1
            [exact] = Simplex().prepare(feasible).ranges([k])
            assert agree(bound, exact.low if sign < 0 else exact.high, feasible.scale), str(case)
    assert n_proved >= MOSTLY * n_asked > 0


def restrictions(d: int, scale: float, rng: np.random.Generator) -> Iterator[Restriction]:
    none, k = Restriction.none(d), int(rng.integers(d))
    unit = np.eye(d)[k] > 0
    size = float(scale * rng.uniform(0.01, 0.5))
    yield none.within(np.where(unit, 0.0, -np.inf), np.where(unit, 0.0, np.inf))
    yield none.within(np.where(unit, 0.0, -np.inf), none.high)
    yield none.within(none.low, np.where(unit, -size, np.inf))
    yield none.within(np.where(unit, size, -np.inf), np.where(unit, 2 * size, np.inf))
    yield none.at_most(rng.permutation(d)[: max(1, d // 2)], size)


@pytest.mark.parametrize("family", SOLVED)
def test_walks_into_sets_that_were_cut_end_where_the_exact_engine_does(family: str) -> None:
    n_proved = n_asked = 0
    for case in some(family):
        sets = sets_of(case)
        if not sets:
            continue
        feasible, d = sets[3], sets[3].space.n_weights
        rng, corners = np.random.default_rng(case.seed), Corners.of(feasible)
        k, sign = int(rng.integers(d)), int(rng.choice([-1, 1]))
        goal = unit_goal(feasible.space, k, sign)
        [whole] = Simplex().prepare(feasible).extremes(goal[None])
        assert whole.model is not None
        walk = corners.walk(goal, whole.model)
        for restriction in restrictions(d, feasible.scale, rng):
            if not walk.is_at_end:
                continue
            cut = corners.cut(restriction)
            ended = cut.led_on(walk).go_on()
            [bound] = cut.bounds([ended])
            exact = exact_end(feasible, restriction, goal)
            n_asked += exact is not None
            if exact is not None and ended.is_at_end and bound.is_tight(feasible.scale):
                n_proved += 1
                assert agree(bound, exact, feasible.scale), str(case)
                assert restriction.is_kept_by(bound.model.weights, 1e-8 * feasible.scale)
    assert n_proved >= MOSTLY * n_asked > 0


def exact_end(feasible: FeasibleSet, restriction: Restriction, goal: Array) -> Bound | None:
    models = RestrictedModels.of(feasible, restriction)
    if not (goal @ models.weights).any():  # the weight itself is absent
        return None
    try:
        return Simplex().prepare(models.feasible).extremes((goal @ models.weights)[None])[0]
    except (InfeasibleError, SolverError):
        return None


def two_samples(norm: float, loss: float, offset: float = 1.0) -> FeasibleSet:
    """One weight, one offset, a sample at 1 above and one at -1 below it: w = 1 keeps margins 1."""
    rows = MarginRows(
        np.array([0, 1]),
        np.array([1.0, -1.0]),
        sparse.csr_array(np.array([[-offset], [offset]])),
        margin=np.ones(2),
        weight=np.ones(2),
        surplus_weight=np.zeros(2),
    )
    space = ModelSpace.unpriced(np.array([[1.0], [-1.0]]), rows)
    return FeasibleSet(space, Budget.split(norm, loss), scale=norm)


def test_a_toy_by_hand() -> None:
    """The loss is 2 - 2w up to w = 1: a loss of 1 leaves w from 1/2 on, a norm of 3 up to 3."""
    feasible = two_samples(norm=3.0, loss=1.0)
    corners, middle = Corners.of(feasible), Model(np.array([0.5]), np.zeros(1))
    walk = corners.walk(np.array([-1.0]), middle)
    [bound] = corners.bounds([walk])
    assert walk.is_at_end
    assert (bound.inner, bound.outer) == pytest.approx((-0.5, -0.5))
    narrower = corners.within(two_samples(norm=3.0, loss=0.5))
    [bound] = narrower.bounds([narrower.led_on(walk).go_on()])
    assert (bound.inner, bound.outer) == pytest.approx((-0.75, -0.75))


def test_what_nothing_keeps_has_no_corner() -> None:
    feasible = two_samples(norm=3.0, loss=1.0)
    corners = Corners.of(feasible)
    walk = corners.walk(np.array([-1.0]), Model(np.array([0.5]), np.zeros(1)))
    too_small = Restriction.none(1).within(np.array([-np.inf]), np.array([0.25]))
    ended = corners.cut(too_small).led_on(walk).go_on()
    assert not ended.is_at_end
    assert not ended.is_lost


def test_where_nothing_limits_an_offset_a_walk_is_lost_and_claims_nothing_wrong() -> None:
    corners = Corners.of(two_samples(norm=3.0, loss=1.0, offset=0.0))
    walk = corners.walk(np.array([-1.0]), Model(np.array([0.5]), np.zeros(1)))
    assert walk.is_lost
    assert walk.go_on().is_lost
    assert np.isfinite(walk.point).all()
    [bound] = corners.bounds([walk])
    assert bound.inner - 1e-12 <= -0.5 <= bound.outer + 1e-12


def test_kernels_refuse_what_is_no_number() -> None:
    corners = Corners.of(two_samples(norm=3.0, loss=1.0))
    walk = corners.walk(np.array([-1.0]), Model(np.array([0.5]), np.zeros(1)))
    with pytest.raises(TypeError, match="str"):
        native.ascend(*walk.corner, walk.goal, "many")
    with pytest.raises(TypeError, match="real number"):
        native.descend(*walk.corner, walk.goal, 1, "much")
    with pytest.raises(TypeError, match="Expected 12 arrays or numbers; got 11"):
        native.ascend(*walk.corner, walk.goal)
    assert walk.go_on().is_at_end


def test_a_walk_stops_where_it_is_known_to_fall_short() -> None:
    case = next(case for case in some("noisy") if sets_of(case))
    sets = sets_of(case)
    corners, best = Corners.of(sets[0]), sets[0].witness
    assert best is not None
    goal = unit_goal(sets[0].space, 0, 1)
    exact = Simplex().prepare(sets[-1]).ranges([0])[0].high
    wider = corners.within(sets[-1])
    above = exact.inner + 1e-3 * sets[-1].scale
    walk = corners.walk(goal, best).turn_to(wider.limits).go_on(above)
    assert walk.falls_short
    assert exact.inner <= wider.bounds([walk])[0].outer <= above + TIGHT * sets[-1].scale
    assert walk.go_on().is_at_end
    assert agree(wider.bounds([walk])[0], exact, sets[-1].scale)


def test_columns_that_join_are_as_those_that_were_there() -> None:
    case = next(case for case in some("noisy") if sets_of(case))
    sets = sets_of(case)
    best, feasible = sets[0].witness, sets[-1]
    assert best is not None
    column = np.random.default_rng(0).normal(size=(len(feasible.space.points), 1))
    wider = Corners.of(sets[0]).with_columns(column, 1.0)
    goal = unit_goal(wider.feasible.space, feasible.space.n_weights, 1)
    walk = wider.walk(goal, Model(np.r_[best.weights, 0.0], best.offsets))
    corners = Corners.of(sets[0]).within(feasible)
    walk.turn_to(corners.limits).go_on()
    [bound] = corners.bounds([walk], [column], 1.0)
    whole = feasible.over(feasible.space.with_columns(column, 1.0))
    [exact] = Simplex().prepare(whole).extremes(goal[None])
    assert bound.is_tight(feasible.scale)
    assert agree(bound, exact, feasible.scale)
