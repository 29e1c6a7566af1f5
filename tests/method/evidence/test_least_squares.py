"""Least squares: the score test of numbers beside the tests of textbooks."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from relbounds.method.evidence.beside_others import Outcome, p_beside_others
from relbounds.method.evidence.least_squares import LeastSquares

Array = NDArray[np.float64]


def p_of_each(X: Array, y: Array, weight: Array | None = None) -> Array:
    """P-values of single columns of a table of numbers."""
    every = np.arange(X.shape[1])
    outcome = Outcome(y, None, np.ones(len(y)) if weight is None else weight)
    return p_beside_others(outcome, X, [each[None] for each in every], present=every, likely=every)


def t_statistics(X: Array, y: Array, weight: Array | None = None) -> tuple[Array, Array, int]:
    """Of ordinary least squares with an intercept: by one variance for all, and by White's.

    White's has residuals as of samples that took no part in the fit (HC3).
    """
    weight = np.ones(len(y)) if weight is None else weight / weight.mean()
    design = np.column_stack([np.ones(len(y)), X])
    inverse = np.linalg.inv((design.T * weight) @ design)
    coefficients = inverse @ (design.T * weight) @ y
    left, degrees = y - design @ coefficients, len(y) - design.shape[1]
    spread = (weight * left) @ left / degrees
    usual = inverse @ ((design.T * np.square(weight)) @ design) @ inverse * spread
    leverage = weight * np.einsum("ij,jk,ik->i", design, inverse, design)
    meat = (design.T * np.square(weight * left / (1 - leverage))) @ design
    whites = inverse @ meat @ inverse
    return (
        (coefficients / np.sqrt(np.diag(usual)))[1:],
        (coefficients / np.sqrt(np.diag(whites)))[1:],
        degrees,
    )


def dependent(seed: int = 0, n: int = 90) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 1] += 2 * X[:, 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, 0.3 * X[:, 0] - 0.2 * X[:, 2] + rng.normal(size=n)


@pytest.mark.parametrize("seed", range(3))
def test_the_variance_is_the_mean_of_the_usual_and_whites(seed: int) -> None:
    """The products' sum is the same as of the full model, so that t's differ by variance alone.

    ``1 / t^2`` is a variance in units of the effect; ours is the mean of both.
    """
    X, y = dependent(seed)
    usual, whites, degrees = t_statistics(X, y)
    t = 1 / np.sqrt((usual**-2 + whites**-2) / 2)
    np.testing.assert_allclose(p_of_each(X, y), 2 * stats.t.sf(t, degrees), rtol=1e-4)


def test_where_all_residuals_have_one_size_it_is_nearly_the_t_test() -> None:
    """All signs of three factors, four times: what is left is their product, which is +-1.

    Four parameters of 32 samples: each has an eighth of its prediction to say. So White's variance
    is ``1 / (1 - 1/8)`` times the usual one, and ours half a seventh larger than that.
    """
    X = np.array(list(product([-1.0, 1.0], repeat=3)) * 4)
    y = 0.1 * X[:, 0] + 0.4 * X[:, 1] + X.prod(axis=1)
    usual, whites, degrees = t_statistics(X, y)
    np.testing.assert_allclose(usual**2, whites**2 * 8 / 7)
    t = np.abs(usual) / np.sqrt(15 / 14)
    np.testing.assert_allclose(p_of_each(X, y), 2 * stats.t.sf(t, degrees), rtol=1e-6)


def test_weights_say_which_samples_count_not_how_sure_they_are() -> None:
    """Both variances are those of weighted sums of samples that all vary alike, or as seen."""
    X, y = dependent()
    weight = np.random.default_rng(1).uniform(0.2, 2, len(y))
    usual, whites, degrees = t_statistics(X, y, weight)
    t = 1 / np.sqrt((usual**-2 + whites**-2) / 2)
    np.testing.assert_allclose(p_of_each(X, y, weight), 2 * stats.t.sf(t, degrees), rtol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_one_sample_with_a_value_of_its_own_proves_nothing_by_itself(weighted: bool) -> None:
    """Its residual is zero, whatever it is: nothing is seen of its variance."""
    rng, p = np.random.default_rng(0), []
    for _ in range(60):
        X = rng.normal(size=(100, 3))
        X[:, 2] = np.arange(100) == 0
        weight = rng.uniform(0.5, 2, 100) if weighted else None
        p.append(p_of_each(X, X[:, 0] + rng.normal(size=100), weight)[2])
    assert np.mean(np.array(p) < 0.05) < 0.15
    assert np.mean(np.array(p) < 0.01) < 0.06


def test_an_outcome_without_noise_is_explained_and_not_divided_by_zero() -> None:
    """Nothing is left of it but rounding: what makes it up is needed, the others are not."""
    X, _ = dependent()
    p = p_of_each(X, 2 * X[:, 0] - X[:, 3])
    assert (p[[0, 3]] < 1e-12).all()
    assert (p[[1, 2]] > 0.9).all()


def test_what_columns_have_of_their_own_has_the_outcomes_product_with_what_is_left() -> None:
    X, y = dependent()
    model = LeastSquares(X, y, np.ones(len(y)), 85)
    one, each = model.without(np.array([0])), model.without_each(np.array([0, 1]))
    np.testing.assert_allclose(one.scores[:, 0], each.scores[:, 0])
    rest = np.delete(X, 0, axis=1)
    own = X[:, 0] - rest @ np.linalg.lstsq(rest, X[:, 0], rcond=None)[0]
    np.testing.assert_allclose(one.scores[:, 0] @ own, (y - y.mean()) @ own)
    assert one.expected[0, 0] < one.seen.sum() / 85, "seen as if each sample had been left out"


def test_rounding_proves_nothing_where_columns_make_the_outcome_up() -> None:
    """A small part of a total, beside the total and the other parts."""
    rng = np.random.default_rng(0)
    large, larger, small = rng.normal(size=(3, 108)) * np.array([[1.0], [1.0], [0.01]])
    idle = rng.normal(size=(108, 3))
    alike = idle[:, 0] + 0.01 * rng.normal(size=108)
    X = np.column_stack([large + larger + small, large, larger, idle, alike])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    p = p_of_each(X, small)
    assert (p[:3] < 1e-12).all()
    assert (p[3:] > 0.01).all()
