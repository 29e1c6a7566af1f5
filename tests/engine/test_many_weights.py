"""Newton's equations in the space of rows have the solutions of those in the space of models."""

import numpy as np
import pytest

from relbounds.engine.interior.many_weights import ManyWeights
from relbounds.engine.interior.program import Own, Program


def program(random: np.random.RandomState, *, copies: bool) -> Program:
    """Twelve rows of 40 weights and two offsets; copies: every second is the last, turned."""
    weights = random.normal(size=(12, 40))
    if copies:
        weights[1::2] = -weights[::2]
    return Program(
        np.hstack([weights, random.normal(size=(12, 2))]),
        margin=np.ones(12),
        slack_price=np.ones(12),
        linear=np.zeros(42),
        constant=0.0,
        prices=np.ones(40),
        shares=np.eye(2),
        limits=np.ones(2),
    )


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("n_own", [0, 1])
def test_solutions_are_those_of_the_whole_matrix(n_own: int, copies: bool) -> None:
    random = np.random.RandomState(n_own)
    shared = program(random, copies=copies)
    own = Own(random.normal(size=(3, n_own, 12)), np.zeros((3, n_own)), 1.0)
    theta, stiff = random.lognormal(size=(3, 12)), random.lognormal(size=(3, 40 + n_own))
    rhs = random.normal(size=(3, 42 + n_own, 2))
    found = ManyWeights(shared, own, theta, stiff).solve(rhs)
    assert found is not None
    assert (len(shared.distinct[0]) == 6) is copies
    for line in range(3):
        rows = np.hstack([shared.coefficients, own.columns[line].T])
        matrix = rows.T @ (theta[line, :, None] * rows)
        weights = np.r_[0:40, 42 : 42 + n_own]
        matrix[weights, weights] += stiff[line]
        np.testing.assert_allclose(found[line], np.linalg.solve(matrix, rhs[line]), rtol=1e-8)


def test_what_stays_rough_is_refused() -> None:
    """Free weights and rows at their hinge: no digit of the difference is left."""
    random = np.random.RandomState(0)
    own, shared = Own.none(1, 12), program(random, copies=False)
    theta, stiff = np.full((1, 12), 1e14), np.full((1, 40), 1e-14)
    assert ManyWeights(shared, own, theta, stiff).solve(random.normal(size=(1, 42, 1))) is None
