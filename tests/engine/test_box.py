"""A box around the good models: what it proves holds, and it proves what was refused before."""

from fractions import Fraction

import numpy as np
import pytest
from engine_cases import AGREE, SLACKS, Case, best_of, bounds_of, is_proved, set_of
from numpy.typing import NDArray

from relbounds.engine import TIGHT, FeasibleSet, Simplex, dual_bound
from relbounds.engine.box import Box
from relbounds.engine.polishing import settled
from relbounds.engine.sums import sums_of_products

Array = NDArray[np.float64]


def mended(
    name: str, C: float, tolerance: float, n: int, d: int, seed: int, **more: object
) -> Case:
    family, problem, slack, budget = name.split(", ")
    given = {"C": C, "tolerance": tolerance, "n": n, "d": d, "seed": seed} | more
    return Case(family, problem, slack, budget, **given)  # type: ignore[arg-type]


REFUSED_ONCE = [
    mended("random labels, regression, privileged, joint", 1905.43, 0, 54, 3, 26777, gamma=0.1),
    mended(
        "twins, regression, privileged, joint",
        *(7096.73, 0.001, 60, 8, 79471),
        gamma=0.1,
        preset="at least",
    ),
    mended("one-hot, classification, weighted, joint", 2225.28, 0, 38, 4, 479366),
    mended("one-hot, regression, privileged, joint", 4317.28, 0, 54, 5, 159800, gamma=0.1),
    mended("constant, implicit, weighted, joint", 1412.16, 0.0001, 43, 5, 150560),
    mended(
        "whole numbers, explicit, mixed, joint", 8836.15, 0.0001, 28, 2, 461111, preset="at most"
    ),
    mended(
        "repeated rows, regression, privileged, joint", 6579.99, 0.0001, 24, 8, 12468, gamma=0.1
    ),
    mended("units, implicit, privileged, joint", 2015.5543516842308, 0, 18, 2, 213728, gamma=0.1),
    mended("units, implicit, mixed, split", 5098.33, 0.03, 19, 6, 899499, gamma=10),
    mended("sparse, regression, privileged, joint", 7964.81, 0.3, 53, 4, 226172, gamma=0.1),
    # HiGHS gives up after a warm start:
    mended("units, explicit, free, joint", 8772.05884525447, 0.1, 58, 8, 884597, preset="at most"),
    mended(
        "outliers, explicit, free, joint", 8410.229391226132, 1, 45, 6, 938009, preset="at most"
    ),
    # The best model was not proved:
    mended("separable, implicit, privileged, split", 2341.48, 0.0001, 16, 4, 637805),
    mended("constant, implicit, privileged, joint", 3189.89, 1, 29, 6, 971085, gamma=10),
    mended("units, implicit, privileged, split", 3778.578966569033, 0.3, 60, 3, 334318, gamma=0.1),
    mended("scales, implicit, free, split", 6960.44, 0.3, 29, 8, 388820),
    mended("scales, implicit, mixed, split", 4440.31, 0.0001, 50, 4, 145717, gamma=10),
]


@pytest.mark.parametrize("case", REFUSED_ONCE, ids=str)
def test_what_was_refused_once_is_proved(case: Case) -> None:
    feasible = set_of(case)
    assert feasible is not None
    ranges = Simplex().prepare(feasible).ranges(range(feasible.space.n_weights))
    assert all(is_proved(feasible, bound) for bound in bounds_of(ranges))


def some_set(slack: str, budget: str = "joint") -> FeasibleSet:
    feasible = set_of(Case("noisy", "explicit", slack, budget, C=30.0, tolerance=0.1, seed=2))
    assert feasible is not None
    return feasible


@pytest.mark.parametrize("budget", ["joint", "split"])
@pytest.mark.parametrize("slack", SLACKS)
def test_the_box_holds_all_good_models_and_is_as_wide_as_they_reach(
    slack: str, budget: str
) -> None:
    feasible = some_set(slack, budget)
    search = Simplex().prepare(feasible)
    box = search.box
    assert box is not None
    ranges = search.ranges(range(feasible.space.n_weights))
    furthest = np.array([np.abs(each.ends).max() for each in ranges])
    np.testing.assert_allclose(box.most, furthest, rtol=0, atol=AGREE * feasible.scale)
    low, high = box.offsets
    for bound in bounds_of(ranges):
        assert bound.model is not None
        assert (low <= bound.model.offsets + 1e-9).all()
        assert (bound.model.offsets <= high + 1e-9).all()


@pytest.mark.parametrize("slack", SLACKS)
def test_whatever_the_multipliers_no_good_model_passes_what_they_prove(slack: str) -> None:
    """They prove no less than without the box, but for what rounding may have taken off."""
    feasible, rng = some_set(slack), np.random.default_rng(0)
    search = Simplex().prepare(feasible)
    goals = rng.normal(size=(20, feasible.space.n_weights))
    right = np.array([search.solve(each, cold=False, unless_above=-np.inf)[1] for each in goals])
    most = np.array([bound.inner for bound in search.extremes(goals)])
    for size in (0.0, 1e-6, 0.1):
        multipliers = right * (1 + size * rng.normal(size=right.shape))
        assert search.box is not None
        outer = search.box.outer(goals, multipliers)
        exact = [
            search.box.within(search.box.exact(goal, each))[0]
            for goal, each in zip(goals, multipliers, strict=True)
        ]
        alone = dual_bound(feasible.space, multipliers, goals, feasible.offset_box)
        assert (np.array(exact) >= most - TIGHT * feasible.scale).all()
        assert (outer >= np.array(exact) - 1e-12 * feasible.scale).all()
        assert (outer <= alone.within(feasible.budget) + 1e-9 * feasible.scale).all()


def test_a_box_pays_for_rounding_with_what_weights_can_be() -> None:
    """Multipliers that are off by one part in ten million: a joint budget is much too wide."""
    feasible = some_set("free")
    search, goal = Simplex().prepare(feasible), np.eye(feasible.space.n_weights)[0]
    _, right = search.solve(goal, cold=False, unless_above=-np.inf)
    multipliers = right * (1 + 1e-7 * np.random.default_rng(1).normal(size=right.shape))
    assert search.box is not None
    by_norm, by_box = (
        box.within(box.exact(goal, multipliers))[0] - search.extremes(goal[None])[0].inner
        for box in (Box.of_norm(feasible), search.box)
    )
    assert 0 < by_box < by_norm / 3


def test_the_vertex_that_a_model_nearly_is_meets_its_rows() -> None:
    """Moved by one part in a million, it comes back."""
    best, _ = best_of(Case("noisy", "classification", "free", "split", C=1.0, tolerance=0, seed=4))
    space, solution = best.composition.space, best.solution
    size = 1 + 1e-6 * np.random.default_rng(0).normal(size=space.n_weights)
    moved = type(solution.model)(solution.model.weights * size, solution.model.offsets + 1e-6)
    found = settled(space, moved, solution.multipliers)
    np.testing.assert_allclose(found.weights, solution.model.weights, rtol=0, atol=1e-8)
    np.testing.assert_allclose(found.offsets, solution.model.offsets, rtol=0, atol=1e-8)


def test_sums_of_products_are_rounded_once() -> None:
    """Where nearly everything cancels, plain sums have no right digit left."""
    rng = np.random.default_rng(0)
    vector = 10 ** rng.uniform(-8, 8, size=30)
    matrix = rng.normal(size=(30, 4)) * 10 ** rng.uniform(-8, 8, size=(30, 4))
    more = -(vector @ matrix)
    found = sums_of_products(vector, matrix, more)
    for k, value in enumerate(found.tolist()):
        terms = (Fraction(a) * Fraction(b) for a, b in zip(vector, matrix[:, k], strict=True))
        assert value == float(sum(terms, Fraction(more[k])))
