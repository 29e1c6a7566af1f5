"""A best model that is pulled at ends where the exact engine does, or says that it is lost."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from engine_cases import AGREE, FAMILIES, Case, best_of, cases
from numpy.typing import NDArray

from relbounds import ClassificationRelevance, OrdinalRelevance
from relbounds.engine import FeasibleSet, HighsPath, Interior, PulledPath, Simplex, kernels
from relbounds.engine.feasible_set import NORM_PRICE
from relbounds.engine.interior.pulled import PulledSearch
from relbounds.engine.proof import Bound, prove
from relbounds.engine.pull import Pulls
from relbounds.engine.working_set import budget_shares
from relbounds.method.tolerance import GoodnessRule

pytest.importorskip("relbounds.engine.kernels.native", reason="installed without a C compiler")

Array = NDArray[np.float64]
MOSTLY = 0.85  # of the most degenerate families; what is lost, interior points are asked for
SOLVED = [each for each in FAMILIES if each != "scales"]
"""Where scales differ by 1e12, the exact engine proves too little to compare with."""
KINDS = ("normal", "whole numbers", "copies", "opposites", "separable", "repeated rows")


def sets_of(family: str) -> Iterator[FeasibleSet]:
    for case in cases(family, 10, seed=7):
        found = set_of(replace(case, preset=None))
        if found is not None and not budget_shares(found)[2]:
            yield found


def set_of(case: Case, tolerance: float = 0.1) -> FeasibleSet | None:
    best, weight = best_of(case)
    if not best.has_learned:
        return None
    return GoodnessRule(case.budget, tolerance).feasible_set(best, weight)[0]


def both_ends(d: int) -> Iterator[tuple[int, int, Array]]:
    for k in range(d):
        for sign in (-1, 1):
            goal = np.zeros(d)
            goal[k] = sign
            yield k, sign, goal


def none(feasible: FeasibleSet) -> Array:
    return np.empty((len(feasible.space.points), 0))


def bound_of(pulls: Pulls, feasible: FeasibleSet, goal: Array, columns: Array) -> Bound | None:
    pulled = pulls.reach(goal, columns, 1.0)
    return None if pulled is None else prove(feasible, pulled.claims).bounds[0]


def agree(found: float, exact: float, scale: float) -> bool:
    return abs(found - exact) <= AGREE * max(scale, abs(exact))


def wide_table(kind: str, n: int = 24, d: int = 104) -> tuple[Array, Array]:
    """Three features that matter, all others idle, or copies of one another."""
    random = np.random.RandomState(KINDS.index(kind))
    X = random.normal(size=(n, d))
    if kind == "whole numbers":
        X = np.round(X)
    if kind == "copies":
        X[:, 50:100] = X[:, :50]
    if kind == "opposites":
        X[:, 50:100] = -X[:, :50]
    if kind == "repeated rows":
        X[n // 2 :] = X[: n // 2]
    noise = 0.0 if kind == "separable" else 0.7
    score = X[:, :3].sum(axis=1) + noise * random.normal(size=n)
    return X, np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


@cache
def wide_set(kind: str, budget: str = "split") -> FeasibleSet:
    model = OrdinalRelevance(
        C=0.1, budget=budget, tolerance=0.1, standardize=False, n_probes=10, random_state=0
    )
    feasible = model.fit(*wide_table(kind))._study.feasible
    assert feasible is not None
    return feasible


@pytest.mark.parametrize("family", SOLVED)
def test_pulls_end_where_the_exact_engine_does(family: str) -> None:
    n_proved = n_asked = 0
    for feasible in sets_of(family):
        pulls, exact = Pulls(feasible), Simplex().prepare(feasible)
        if pulls.corner is None:
            continue
        ranges = exact.ranges(range(feasible.space.n_weights))
        for k, sign, goal in both_ends(feasible.space.n_weights):
            found, end = bound_of(pulls, feasible, goal, none(feasible)), ranges[k]
            n_asked += 1
            if found is not None and found.is_tight(feasible.scale):
                n_proved += 1
                known = end.high if sign > 0 else end.low
                assert agree(found.inner, known.inner, feasible.scale)
    assert n_asked >= 10
    assert n_proved >= MOSTLY * n_asked


@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("kind", KINDS)
def test_so_they_do_in_wide_tables_with_columns_that_join(kind: str, budget: str) -> None:
    """One alone, one with company, and one that the best model would take at once."""
    feasible = wide_set(kind, budget)
    search, random = PulledSearch(feasible, None), np.random.RandomState(0)
    X, y = wide_table(kind)
    columns = random.permutation(X[:, :3]), np.column_stack([y - y.mean(), X[::-1, :2]])
    weights = [0, 1, 50, 60]
    with_simplex = Simplex().prepare(feasible)
    for found, exact in zip(search.ranges(weights), with_simplex.ranges(weights), strict=True):
        np.testing.assert_allclose(found.ends, exact.ends, rtol=0, atol=AGREE * feasible.scale)
    found_sets = search.appended(columns, 1.0, [0]), with_simplex.appended(columns, 1.0, [0])
    for [found], [exact] in zip(*found_sets, strict=True):
        np.testing.assert_allclose(
            found.relevance, exact.relevance, rtol=0, atol=AGREE * feasible.scale
        )


@pytest.mark.parametrize("alike", [0.0, 0.9])
def test_weights_that_are_not_watched_are_not_passed(alike: float) -> None:
    """Of 700 columns few are watched; in groups of ten that are alike they come near together."""
    random = np.random.RandomState(3)
    common = np.repeat(random.normal(size=(40, 70)), 10, axis=1)
    X = np.sqrt(alike) * common + np.sqrt(1 - alike) * random.normal(size=(40, 700))
    score = X[:, ::20][:, :4].sum(axis=1) + 0.7 * random.normal(size=40)
    y = np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
    model = OrdinalRelevance(C=0.05, tolerance=0.2, standardize=False, n_probes=10, random_state=0)
    feasible = model.fit(X, y)._study.feasible
    assert Pulls.suit(feasible)
    pulls, weights = Pulls(feasible), [0, 20, 333, 699]
    for k, end in zip(weights, Simplex().prepare(feasible).ranges(weights), strict=True):
        for sign, known in ((-1, end.low), (1, end.high)):
            goal = sign * np.eye(1, 700, k)[0]
            found = bound_of(pulls, feasible, goal, none(feasible))
            assert found is not None
            assert found.is_tight(feasible.scale)
            assert agree(found.inner, known.inner, feasible.scale)


def test_a_pull_may_end_as_soon_as_it_is_clear_where_it_leads() -> None:
    feasible = wide_set("normal")
    pulls, goal = Pulls(feasible), np.eye(feasible.space.n_weights)[5]
    end = bound_of(pulls, feasible, goal, none(feasible))
    assert end is not None
    short = pulls.reach(goal, none(feasible), 1.0, below=1.3 * end.inner)
    assert short is not None
    assert short.falls_short
    known = prove(feasible, short.claims).bounds[0]
    assert known.inner < end.inner
    assert end.inner < known.outer <= 1.3 * end.inner + 1e-9
    beyond = pulls.reach(goal, none(feasible), 1.0, beyond=0.5 * end.inner)
    assert beyond is not None
    assert 0.5 * end.inner <= prove(feasible, beyond.claims).bounds[0].inner < end.inner


def test_a_pull_by_hand() -> None:
    """Samples at -1 and 1 of one column, C = 1: the best model is w = 1, b = 0, without loss.

    A joint budget of 0.55 lets w go to 1.1. Down to 1 - s it misses both margins by s, which costs
    2s for s / 2 that the norm saves: 1.5 s = 0.05.
    """
    X, y = np.array([[-1.0], [1.0]]), np.array([0, 1])
    model = ClassificationRelevance(C=1.0, tolerance=0.1, budget="joint", standardize=False)
    feasible = model.fit(X, y)._study.feasible
    pulls = Pulls(feasible)
    ends = [bound_of(pulls, feasible, np.array([sign]), none(feasible)) for sign in (-1.0, 1.0)]
    np.testing.assert_allclose([each.inner for each in ends], [-1 + 0.05 / 1.5, 1.1], atol=1e-6)
    np.testing.assert_allclose([each.outer for each in ends], [-1 + 0.05 / 1.5, 1.1], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_best_models_along_the_price_of_the_loss_are_the_best(kind: str) -> None:
    space = wide_set(kind).space
    Cs = np.logspace(-3, 1, 9)
    walked = PulledPath(space)._walk(Cs)
    assert len(walked) == len(Cs)
    for C, (model, _), (exact, _) in zip(Cs, walked, HighsPath(space).solve_many(Cs), strict=True):
        found, least = (NORM_PRICE * space.norm(m) + C * space.loss(m) for m in (model, exact))
        assert found == pytest.approx(least, rel=1e-7, abs=1e-7)
        assert np.count_nonzero(model.weights) <= len(space.points)


def test_whoever_is_lost_is_found_by_interior_points(monkeypatch: pytest.MonkeyPatch) -> None:
    feasible = wide_set("normal")
    usual = Interior().prepare(feasible)
    assert isinstance(usual, PulledSearch)
    known, best = usual.ranges([0, 7]), PulledPath(feasible.space).solve(0.1, cold=False)
    monkeypatch.setattr(kernels.pull, "pull", lambda *_, **__: kernels.pull.LOST)
    lost = Interior().prepare(feasible, usual.start)
    for found, exact in zip(lost.ranges([0, 7]), known, strict=True):
        np.testing.assert_allclose(found.ends, exact.ends, rtol=0, atol=AGREE * feasible.scale)
    model, _ = PulledPath(feasible.space).solve(0.1, cold=False)
    np.testing.assert_allclose(model.weights, best[0].weights, rtol=0, atol=1e-5)


def test_pulls_are_for_wide_tables_around_a_best_model() -> None:
    feasible = wide_set("normal")
    assert Pulls.suit(feasible)
    assert not Pulls.suit(feasible.over(feasible.space))
    few = replace(feasible.space, points=feasible.space.points[:, :50], prices=np.ones(50))
    assert not Pulls.suit(replace(feasible, space=few))
    assert not PulledPath.suits(few)
