"""One walk through sets that grow ends where the exact engine does in each, and proves it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from engine_cases import AGREE, FAMILIES, NOISY, Case, best_of, cases

from relbounds.engine import Corners, FeasibleSet, GrowingSets, Simplex, unit_goal
from relbounds.method.tolerance import GoodnessRule

pytest.importorskip("relbounds.engine.kernels.native", reason="installed without a C compiler")

MOSTLY, AT_LEAST = 0.75, {"wide": 0.5, "constant": 0.6}
"""Shares of ends that are proved; what is lost, engines are asked for. Two families lose more."""
SOLVED = [each for each in FAMILIES if each != "scales"]
TOLERANCES = (0.0, 0.003, 0.03, 0.1, 0.5)
ALL = slice(0, len(TOLERANCES))


def growing_of(family: str) -> Iterator[tuple[Case, GrowingSets]]:
    for case in cases(family, 12, seed=11):
        plain = replace(case, preset=None)
        best, weight = best_of(plain)
        if best.has_learned:
            rules = [GoodnessRule(plain.budget, each) for each in TOLERANCES]
            sets = [rule.feasible_set(best, weight)[0] for rule in rules]
            yield plain, GrowingSets(Corners.of(sets[0]).with_sum, sets)


def exact_end(feasible: FeasibleSet, k: int, sign: int) -> float:
    [found] = Simplex().prepare(feasible).ranges([k])
    return (found.low if sign < 0 else found.high).inner


@pytest.mark.parametrize(
    "family",
    [pytest.param(each, marks=pytest.mark.slow if k % 2 else ()) for k, each in enumerate(SOLVED)],
)
def test_both_ends_are_those_of_the_exact_engine_in_each_set(family: str) -> None:
    n_proved = n_asked = 0
    for case, growing in growing_of(family):
        first = growing.sets[0]
        assert first.witness is not None
        k = case.seed % first.space.n_weights
        goals = [unit_goal(first.space, k, sign) for sign in (-1, 1)]
        walks = growing.corners.from_best(goals, first.witness)
        courses = [walk.along(growing.limits, -np.inf) for walk in walks]
        for sign, bounds in zip((-1, 1), growing.bounds(courses, ALL), strict=True):
            for feasible, bound in zip(growing.sets[1:], bounds[1:], strict=True):
                n_asked += 1
                if bound.is_tight(feasible.scale):
                    n_proved += 1
                    exact = exact_end(feasible, k, sign)
                    assert abs(bound.inner - exact) <= AGREE * max(feasible.scale, abs(exact))
    assert n_proved >= AT_LEAST.get(family, MOSTLY) * n_asked > 0


@pytest.mark.parametrize("family", NOISY)
def test_what_falls_short_is_proved_to(family: str) -> None:
    """Of the end that reaches less far no more is asked; what is proved of it holds."""
    n_short = 0
    for case, growing in growing_of(family):
        first = growing.sets[0]
        assert first.witness is not None
        k = case.seed % first.space.n_weights
        goals = [unit_goal(first.space, k, sign) for sign in (-1, 1)]
        one, other = growing.corners.from_best(goals, first.witness)
        whole = one.along(growing.limits, float(goals[0] @ first.witness.weights))
        asked = whole.reached
        short = other.along(growing.limits, float(goals[1] @ first.witness.weights), asked)
        bounds = growing.bounds([whole, short], ALL)[1]
        for leg in np.flatnonzero(short.falls_short):
            n_short += 1
            scale = growing.sets[leg].scale
            assert bounds[leg].outer <= asked[leg] + 1e-7 * scale
            assert exact_end(growing.sets[leg], k, 1) <= bounds[leg].outer + AGREE * scale
    assert n_short > 0
