"""Squares of rows are the same numbers, in whatever way they are found."""

import numpy as np
import pytest
from numpy.typing import NDArray

from relbounds.engine.interior.squares import _Merged, _WithoutUsual, squares_of


def plain(rows: NDArray[np.float64], theta: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.einsum("bm,mi,mj->bij", theta, rows, rows)


def rows_of_rare_values(n: int, n_offsets: int) -> NDArray[np.float64]:
    """Numbers and standardised rare values, in both signs, and the order of offsets."""
    rng = np.random.default_rng(n_offsets)
    rare = (rng.random((n, 30)) < rng.uniform(0.002, 0.2, size=30)).astype(float)
    rare[0], rare[1] = 1.0, 0.0  # none is constant
    table = np.concatenate([rare[:, :15], rng.normal(size=(n, 4)), rare[:, 15:]], axis=1)
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    sign = rng.choice([-1.0, 1.0], size=n)
    offsets = np.eye(n_offsets)[rng.integers(n_offsets, size=n)]
    margins = np.concatenate([sign[:, None] * table, -sign[:, None] * offsets], axis=1)
    order = np.zeros((n_offsets - 1, margins.shape[1]))
    for k in range(n_offsets - 1):
        order[k, table.shape[1] + k : table.shape[1] + k + 2] = -1.0, 1.0
    return np.concatenate([margins, order])


@pytest.mark.parametrize("rough", [False, True])
def test_rows_that_differ_in_their_sign_alone_are_squared_once(rough: bool) -> None:
    rng = np.random.default_rng(0)
    half = rng.normal(size=(40, 6))
    rows = np.concatenate([half, -half, half[:10]])[rng.permutation(90)]
    theta = rng.uniform(0.1, 2, size=(9, 90))
    squares = squares_of(rows, 1)
    assert isinstance(squares, _Merged)
    assert len(squares.first) == 40
    np.testing.assert_allclose(squares.gram(theta, rough=rough), plain(rows, theta), rtol=1e-6)
    assert not isinstance(squares_of(half, 1), _Merged)


@pytest.mark.parametrize("n_offsets", [1, 2, 5])
@pytest.mark.parametrize("lines", [1, 9])
def test_usual_values_of_columns_are_left_to_the_offsets(n_offsets: int, lines: int) -> None:
    rows = rows_of_rare_values(800, n_offsets)
    theta = np.random.default_rng(1).gamma(0.3, size=(lines, len(rows)))
    squares = squares_of(rows, n_offsets)
    assert isinstance(squares, _WithoutUsual)
    assert squares.is_usual.sum() > 20
    expected = plain(rows, theta)
    size = np.sqrt(np.einsum("bii,bjj->bij", expected, expected))
    assert np.max(np.abs(squares.gram(theta, rough=False) - expected) / size) < 1e-13


def test_rows_of_numbers_with_rare_values_are_merged_and_stored_without_what_is_usual() -> None:
    half = rows_of_rare_values(800, 1)
    rows = np.concatenate([half, -half])
    theta = np.random.default_rng(1).gamma(0.3, size=(3, len(rows)))
    squares = squares_of(rows, 1)
    assert isinstance(squares, _Merged)
    assert isinstance(squares.squares, _WithoutUsual)
    np.testing.assert_allclose(squares.gram(theta, rough=False), plain(rows, theta), atol=1e-8)


def test_without_offsets_or_usual_values_all_numbers_are_used() -> None:
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(800, 35))
    theta = rng.uniform(size=(2, 800))
    for rows, n_offsets in ((normal, 1), (normal, 0), (rows_of_rare_values(800, 1), 0)):
        squares = squares_of(rows, n_offsets)
        assert not isinstance(squares, _WithoutUsual)
        np.testing.assert_allclose(squares.gram(theta, rough=False), plain(rows, theta), atol=1e-9)


@pytest.mark.parametrize("n_offsets", [1, 3])
@pytest.mark.parametrize("merged", [False, True])
def test_products_are_those_with_all_numbers(n_offsets: int, merged: bool) -> None:
    rows, rng = rows_of_rare_values(800, n_offsets), np.random.default_rng(2)
    if merged:
        rows = np.concatenate([rows, -rows])[rng.permutation(2 * len(rows))]
    squares = squares_of(rows, n_offsets)
    assert isinstance(squares, _Merged if merged else _WithoutUsual)
    values, models = rng.normal(size=(3, len(rows))), rng.normal(size=(3, rows.shape[1]))
    np.testing.assert_allclose(squares.back(values), values @ rows, rtol=0, atol=1e-10)
    np.testing.assert_allclose(squares.forth(models), models @ rows.T, rtol=0, atol=1e-10)
