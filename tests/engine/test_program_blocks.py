"""Rows and columns that have nothing to do with others are squared apart, with the same sums."""

import numpy as np
import pytest

from relbounds.engine.interior.newton import back
from relbounds.engine.interior.program import Own, Program


def program(coefficients: np.ndarray) -> Program:
    m, q = coefficients.shape
    return Program(
        coefficients,
        np.ones(m),
        np.ones(m),
        np.zeros(q),
        0.0,
        np.ones(q - 1),
        np.empty((0, 2)),
        np.empty(0),
    )


@pytest.mark.parametrize("lines", [1, 20])
@pytest.mark.parametrize("shuffled", [False, True])
def test_squares_of_blocks_are_those_of_the_whole(lines: int, shuffled: bool) -> None:
    rng = np.random.default_rng(0)
    coefficients = np.zeros((90, 12))
    for k in range(3):
        coefficients[30 * k : 30 * (k + 1), 4 * k : 4 * (k + 1)] = rng.normal(size=(30, 4))
    if shuffled:
        coefficients = coefficients[rng.permutation(90)][:, rng.permutation(12)]
    theta = rng.uniform(size=(lines, 90))
    expected = np.einsum("bm,mi,mj->bij", theta, coefficients, coefficients)
    np.testing.assert_allclose(program(coefficients).gram(theta), expected, atol=1e-12)


def test_own_columns_are_read_in_their_own_rows() -> None:
    rng = np.random.default_rng(1)
    columns = np.zeros((5, 3, 60))
    for e in range(3):
        columns[:, e, 20 * e : 20 * (e + 1)] = rng.normal(size=(5, 20))
    own, rows = Own(columns, np.zeros((5, 3)), 1.0), rng.normal(size=(5, 50))
    assert own.spans == (slice(0, 20), slice(20, 40), slice(40, 60))
    found = back(program(rng.normal(size=(60, 4))), own, rows)[:, 4:]
    np.testing.assert_allclose(found, np.einsum("bm,bem->be", rows, columns[:, :, :50]), atol=1e-12)
