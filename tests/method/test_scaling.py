"""Scaling and what undoes it; large tables are not copied more often than they have to be."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from relbounds.engine import MarginRows, ModelSpace
from relbounds.method.evidence.beside_others import Outcome, p_beside_others
from relbounds.method.parallel import ONE_BLAS_THREAD
from relbounds.method.products import products
from relbounds.method.scaling import Scaling
from relbounds.method.shadows import _company

Array = NDArray[np.float64]


def counts(n: int = 40, d: int = 7, mean: float = 0.5) -> Array:
    """Counts of different sizes; the last column is constant."""
    X = np.random.RandomState(0).poisson(mean, (n, d)) * np.arange(1.0, d + 1)
    X[:, -1] = 3.0
    return X


def scaling_of(X: Any) -> Scaling:
    return Scaling.of(X, np.ones(X.shape[0]), standardize=True)


@pytest.mark.parametrize("shape", [(7,), (7, 3)])
def test_a_model_in_given_units_says_the_same(shape: tuple[int, ...]) -> None:
    """Of one score and of several."""
    X, scaling = counts(), scaling_of(counts())
    weights = np.random.RandomState(1).standard_normal(shape)
    weights[-1] = 0.0  # of a constant column
    coefficients, constant = scaling.undone(weights)
    assert coefficients.shape == shape[::-1]
    says = scaling.apply(X) @ weights[:-1]
    np.testing.assert_allclose(X @ coefficients.T + constant, says, atol=1e-12)
    np.testing.assert_allclose(scaling.scores(X, weights), says, atol=1e-12)


def test_sparse_tables_are_scaled_as_dense_ones_to_the_last_digit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In pieces, too."""
    monkeypatch.setattr("relbounds.method.scaling._NUMBERS_AT_A_TIME", 50)
    X, weights = counts(), np.r_[1.0, 0.0, -2.0, 0.5, 0.0, 1.0, 0.0]
    dense, thin = scaling_of(X), scaling_of(sparse.csc_array(X))
    np.testing.assert_array_equal(thin.apply(sparse.csc_array(X)), dense.apply(X))
    np.testing.assert_array_equal(
        thin.scores(sparse.csr_array(X), weights), dense.scores(X, weights)
    )


def test_a_model_without_weights_says_nothing() -> None:
    np.testing.assert_array_equal(scaling_of(counts()).scores(counts(), np.zeros(7)), np.zeros(40))


@pytest.mark.parametrize("at_a_time", [1, 20, 10**6])
def test_products_are_those_of_the_whole_table(
    at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("relbounds.method.products._NUMBERS_AT_A_TIME", at_a_time)
    X, weight = counts(), np.linspace(0.5, 1.5, 40)
    np.testing.assert_allclose(products(X, weight), X.T @ np.diag(weight) @ X)


def test_the_reach_of_points_is_that_of_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    X, prices, rows = counts(), np.linspace(1.0, 2.0, 7), _no_rows()
    monkeypatch.setattr("relbounds.engine.feasible_set._NUMBERS_AT_A_TIME", 20)
    np.testing.assert_array_equal(ModelSpace(X, rows, prices).reach, np.abs(X / prices).max(axis=1))


def _no_rows() -> MarginRows:
    nothing = np.empty(0)
    return MarginRows(
        nothing.astype(np.int64), nothing, sparse.csr_array((0, 1)), nothing, nothing, nothing
    )


def _peak(ask: Callable[[], object]) -> int:
    """The most that was held at once while something was asked."""
    tracemalloc.start()
    try:
        ask()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _evidence(columns: Array, y: Array) -> Array:
    every = np.arange(columns.shape[1])
    outcome = Outcome(y, 2, np.ones(len(y)))
    return p_beside_others(outcome, columns, every[:, None], present=every, likely=every)


N, D = 6_000, 150
LARGE = counts(N, D, 0.05)
SCALED = scaling_of(LARGE).apply(LARGE)
ABOVE = (SCALED[:, 0] + np.random.RandomState(1).standard_normal(N) > 0).astype(np.float64)
STEPS: dict[str, tuple[Callable[[], object], float]] = {
    "a sparse table made dense": (lambda: scaling_of(THIN).apply(THIN), 1.3),
    "the reach of points": (lambda: ModelSpace.unpriced(SCALED, _no_rows()).reach, 0.2),
    "evidence": (lambda: _evidence(SCALED, ABOVE), 0.6),
    "company": (lambda: _company(SCALED, np.array([0, 3])), 1.3),
}
THIN = sparse.csc_array(LARGE)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_holds_few_copies_of_a_large_table(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pieces that are small beside a table of ten thousand columns are made small beside this."""
    for name in ("method.products", "method.evidence.beside_others", "engine.feasible_set"):
        monkeypatch.setattr(f"relbounds.{name}._NUMBERS_AT_A_TIME", 30_000)
    ask, most = STEPS[step]
    with ONE_BLAS_THREAD:
        assert _peak(ask) < most * SCALED.nbytes
