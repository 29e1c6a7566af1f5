"""Walks from the best model outward end where the exact engine does."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from engine_cases import AGREE, FAMILIES, Array, Case, Tally, bounds_of, cases, set_of
from small_sets import feasible_set, free_slack

from relbounds import ClassificationRelevance
from relbounds.engine import FeasibleSet, Interior, Simplex
from relbounds.engine.interior.directions import Direction
from relbounds.engine.interior.search import InteriorSearch
from relbounds.engine.interior.walked import WalkedSearch
from relbounds.engine.outward import Outward
from relbounds.problems import ClassificationProblem

pytest.importorskip("relbounds.engine.kernels.native", reason="installed without a C compiler")

SOLVED = [each for each in FAMILIES if each != "scales"]
MOSTLY = 0.75  # of the questions of each family; what is lost, interior points are asked
every_family = pytest.mark.parametrize(
    "family",
    [pytest.param(each, marks=pytest.mark.slow if k % 2 else ()) for k, each in enumerate(SOLVED)],
)


def sets_of(family: str) -> Iterator[tuple[Case, FeasibleSet]]:
    for case in cases(family, 16, seed=21):
        plain = replace(case, preset=None)
        feasible = set_of(plain)
        if feasible is not None and not may_not_be_exceeded(feasible):
            yield plain, feasible


def may_not_be_exceeded(feasible: FeasibleSet) -> bool:
    """Whether no loss is allowed, and surplus is one: interior points are asked at once."""
    return feasible.budget.limit == 0 and bool(feasible.space.rows.surplus_weight.any())


def both_ends(d: int, k: int, columns: Array) -> list[Direction]:
    """Of weight k, columns having joined the set."""
    unit = np.eye(d + columns.shape[1])[k]
    return [Direction(-unit, columns), Direction(unit, columns)]


@every_family
def test_both_ends_of_all_weights_are_walked_to(family: str) -> None:
    n_asked = n_found = 0
    for case, feasible in sets_of(family):
        ready, d = Outward.of(feasible), feasible.space.n_weights
        nothing = np.empty((len(feasible.space.points), 0))
        asked = [[each] for k in range(d) for each in both_ends(d, k, nothing)]
        n_asked += len(asked)
        if ready is None:
            continue
        found = WalkedSearch(feasible, ready).tried(asked, 1.0, paired=False)
        exact = bounds_of(Simplex().prepare(feasible).ranges(range(d)))
        for bounds, other in zip(found, exact, strict=True):
            if bounds is not None:
                n_found += 1
                allowed = AGREE * max(feasible.scale, abs(other.inner))
                assert abs(bounds[0].inner - other.inner) <= allowed, str(case)
    assert n_found >= MOSTLY * n_asked > 0


@every_family
def test_columns_that_join_are_walked_to_where_weights_of_the_larger_set_end(family: str) -> None:
    """Permuted columns and copies: worth more than they cost, or exactly as much as another."""
    n_asked = n_found = 0
    for case, feasible in sets_of(family):
        ready, space = Outward.of(feasible), feasible.space
        d, rng = space.n_weights, np.random.default_rng(case.seed)
        column = space.points[:, [int(rng.integers(d))]]
        for joined in (column, np.hstack([rng.permutation(column), rng.permutation(column)])):
            n_asked += 1
            if ready is None:
                continue
            asked = [both_ends(d, d, joined)]
            [bounds] = WalkedSearch(feasible, ready).tried(asked, 1.0, paired=True)
            if bounds is None:
                continue
            n_found += 1
            larger = feasible.over(space.with_columns(joined, 1.0))
            [exact] = Simplex().prepare(larger).ranges([d])
            allowed = AGREE * max(feasible.scale, exact.relevance[1])
            reached = max(bound.inner for bound in bounds)
            assert abs(reached - exact.relevance[1]) <= allowed, str(case)
    assert n_found >= MOSTLY * n_asked > 0


def two_points() -> FeasibleSet:
    """Rows ``w + b >= 1`` and ``w - b >= 1``; ``|w| / 2 + loss`` is least at w = 1, b = 0.

    A model may cost a fifth more: ``|w| / 2 + loss <= 0.6``. So w is at most 1.2; below 1 the loss
    is ``2 (1 - w)``, and w at least ``14 / 15``.
    """
    X, y = np.array([[-1.0], [1.0]]), np.array([0.0, 1.0])
    composition = free_slack(X, ClassificationProblem().margin_rows(y))
    return feasible_set(composition, 1.0, budget="joint", tolerance=0.2)


def test_two_points_by_hand() -> None:
    search = Interior(walks=True).prepare(two_points())
    assert isinstance(search, WalkedSearch)
    [found] = search.ranges([0])
    assert found.ends == pytest.approx((14 / 15, 1.2), abs=1e-12)


def test_a_copy_that_joins_by_hand() -> None:
    """It may take all weight, or ``-0.1``: then the other has 1.1, and the norm is spent."""
    feasible = two_points()
    search = Interior(walks=True).prepare(feasible)
    assert isinstance(search, WalkedSearch)
    [bounds] = search.tried([both_ends(1, 1, feasible.space.points)], 1.0, paired=True)
    assert bounds is not None
    assert bounds[1].inner == pytest.approx(1.2, abs=1e-12)
    assert 0.1 - 1e-12 <= bounds[0].outer <= 1.2 + 1e-12


def test_many_rows_at_one_hinge() -> None:
    """3,000 samples of whole numbers: 650 rows were at their hinge, and walks went round."""
    rng = np.random.default_rng(0)
    X = np.round(2 * rng.normal(size=(3000, 20)))
    y = np.digitize(X[:, 0] + X[:, 1] + 4 * rng.normal(size=3000), [0]).astype(np.float64)
    feasible = feasible_set(free_slack(X, ClassificationProblem().margin_rows(y)), 1e-3)
    search = Interior(walks=True).prepare(feasible)
    assert isinstance(search, WalkedSearch)
    found, expected = search.ranges([0, 5]), Interior().prepare(feasible).ranges([0, 5])
    ends = np.array([[each.ends for each in of] for of in (found, expected)])
    assert np.abs(ends[0] - ends[1]).max() <= AGREE * feasible.scale


def test_what_is_lost_is_asked_of_interior_points() -> None:
    feasible = two_points()
    ready = Outward.of(feasible)
    assert ready is not None
    nowhere = replace(ready, slopes=np.full_like(ready.slopes, np.nan))
    [found] = WalkedSearch(feasible, nowhere).ranges([0])
    assert found.ends == pytest.approx((14 / 15, 1.2), abs=AGREE)


def test_sets_without_a_best_model_are_not_walked() -> None:
    feasible = replace(two_points(), best_price=None)
    assert isinstance(Interior(walks=True).prepare(feasible), InteriorSearch)


def test_without_any_tolerance_nothing_falls_back() -> None:
    """Margins drawn apart had cost the best model more than limits allowed: 120 fell back."""
    rng = np.random.default_rng(1)
    X = np.round(2 * rng.normal(size=(150, 40)))
    y = (X[:, 0] + X[:, 1] + 2 * rng.normal(size=150) > 0).astype(int)
    model = ClassificationRelevance(C=0.5, tolerance=0.0, n_probes=20, random_state=0).fit(X, y)
    assert model.result_.fallbacks == 0


def test_a_limit_that_is_less_than_what_margins_are_moved_by() -> None:
    """A model exceeded a limit of 1e-6 by 3 %, and reached 4e-5 of the norm further than any."""
    [case] = [case for case in cases("scales", 200, seed=2) if case.seed == 73866]
    assert Tally.of([case], Interior(walks=True)).wrong == []
