"""Ordered logits: derivatives, relatives and limits."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from relbounds.method.evidence import ordered_logit
from relbounds.method.evidence.ordered_logit import OrderedLogit

Array = NDArray[np.float64]
CLOSE = 1e-4  # of residuals, which lie between -1 and 1


def sample(n_classes: int, n: int = 120, d: int = 4, weighted: bool = False) -> OrderedLogit:
    """A score of the first two columns, of which the second is like the third."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n, d))
    X[:, 2] = X[:, 1] + 0.3 * X[:, 2]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ranks = np.argsort(np.argsort(X[:, 0] + X[:, 1] + rng.logistic(size=n)))
    weight = rng.uniform(0.2, 2, n) if weighted else np.ones(n)
    return OrderedLogit(X, ranks * n_classes // n, weight / weight.mean())


def some_parameters(model: OrderedLogit, seed: int = 0) -> Array:
    rng, k = np.random.default_rng(seed), model.n_offsets
    return np.r_[np.sort(rng.normal(size=k)), rng.normal(size=model.columns.shape[1])]


def logarithm(model: OrderedLogit, parameters: Array) -> float:
    """Of the likelihood, less the ridge, from the definition alone."""
    k = model.n_offsets
    offsets, weights = np.r_[-np.inf, parameters[:k], np.inf], parameters[k:]
    score = model.columns @ weights
    below = 1 / (1 + np.exp(score[:, None] - offsets))
    of_own_class = np.diff(below, axis=1)[np.arange(len(score)), model.y]
    return float(model.weight @ np.log(of_own_class) - 0.15 * weights @ weights)


def differences(function: object, at: Array, step: float = 1e-5) -> Array:
    """Central differences along each parameter."""
    moves = step * np.eye(len(at))
    return np.array([(function(at + move) - function(at - move)) / (2 * step) for move in moves])


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_value_gradient_and_curvature_are_those_of_the_likelihood(
    n_classes: int, weighted: bool
) -> None:
    model = sample(n_classes, weighted=weighted)
    at = some_parameters(model)
    [value], gradient = model._value_and_gradient(at[:, None])
    assert value == pytest.approx(logarithm(model, at))
    by_steps = differences(lambda each: logarithm(model, each), at)
    np.testing.assert_allclose(gradient[:, 0], by_steps, atol=1e-6 * np.abs(by_steps).max())
    curvature = -differences(lambda each: model._value_and_gradient(each[:, None])[1][:, 0], at)
    atol = 1e-6 * np.abs(curvature).max()
    np.testing.assert_allclose(model._curvature(at), curvature, atol=atol)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("size", [1.0, 30.0])
@pytest.mark.parametrize("d", [3, 4, 9, 18])
def test_compiled_derivatives_are_those_of_numpy(
    n_classes: int, size: float, d: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a share is next to nothing, and where offsets are out of order."""
    model = sample(n_classes, d=d, weighted=True)
    at = size * some_parameters(model) / max(1.0, d / 4)
    several = np.column_stack([at, at[::-1]])
    found = *model._all_derivatives(at), *model._value_and_gradient(several)
    monkeypatch.setattr(ordered_logit.kernels, "logit", None)
    expected = *model._all_derivatives(at), *model._value_and_gradient(several)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_no_parameters_near_the_best_are_more_likely(n_classes: int) -> None:
    model = sample(n_classes)
    best, rng = logarithm(model, model.full), np.random.default_rng(0)
    for size in (1e-3, 1e-2, 0.1):
        moved = model.full + size * rng.normal(size=(20, len(model.full)))
        assert max(logarithm(model, each) for each in moved) < best


@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_are_logistic_regression_with_the_same_ridge(weighted: bool) -> None:
    """Scikit-learn's C is one over the ridge; its score has the other sign of the offset."""
    model = sample(2, weighted=weighted)
    other = LogisticRegression(C=1 / ordered_logit._RIDGE, tol=1e-10, max_iter=10_000)
    other.fit(model.columns, model.y, sample_weight=model.weight)
    expected = np.r_[-other.intercept_, other.coef_[0]]
    np.testing.assert_allclose(model.full, expected, atol=1e-4)
    left = model.without(np.array([], dtype=np.int64)).scores[:, 0]
    np.testing.assert_allclose(left, model.y - other.predict_proba(model.columns)[:, 1], atol=CLOSE)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_all_at_once_leave_what_each_by_itself_leaves(n_classes: int, weighted: bool) -> None:
    model = sample(n_classes, weighted=weighted)
    columns = np.array([3, 0, 1])
    together = model.without_each(columns)
    for place, column in enumerate(columns):
        alone = model.without(np.array([column]))
        for kind in ("scores", "expected", "seen"):
            found, expected = getattr(together, kind)[:, place], getattr(alone, kind)[:, 0]
            np.testing.assert_allclose(found, expected, atol=CLOSE)


def test_a_model_without_a_column_is_that_of_a_table_without_it() -> None:
    model = sample(4)
    smaller = OrderedLogit(np.delete(model.columns, [0, 2], axis=1), model.y, model.weight)
    left = model.without(np.array([0, 2]))
    np.testing.assert_allclose(
        left.scores[:, 0], smaller._residuals(smaller.full[:, None]).scores[:, 0]
    )


def test_residuals_are_between_minus_one_and_one_and_balance() -> None:
    """With free offsets, a sum of scores is the sum of their derivatives, which is zero."""
    model = sample(3, weighted=True)
    left = model.without_each(np.arange(4))
    assert (np.abs(left.scores) < 1).all()
    np.testing.assert_allclose(model.weight @ left.scores, 0, atol=1e-2)
    np.testing.assert_allclose(left.seen, np.square(left.scores))
    assert ((left.expected > 0) & (left.expected <= 0.5)).all()


def test_a_model_that_is_right_has_the_variance_that_it_expects() -> None:
    """20,000 samples of the model itself: both means are equal to a hundredth or so."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2))
    score = X @ [1.0, -0.5] + rng.logistic(size=len(X))
    model = OrderedLogit(X, np.digitize(score, [-1.0, 0.0, 1.5]), np.ones(len(X)))
    left = model._residuals(model.full[:, None])
    assert left.expected.mean() == pytest.approx(left.seen.mean(), rel=0.02)
    np.testing.assert_allclose(model.full, [-1.0, 0.0, 1.5, 1.0, -0.5], atol=0.08)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_classes_that_can_be_separated_leave_finite_numbers(n_classes: int) -> None:
    """Without the ridge, weights would have no limit."""
    x = np.linspace(-2, 2, 40)
    y = (np.arange(40) * n_classes // 40).astype(np.int64)
    noise = np.random.default_rng(0).normal(size=40)
    model = OrderedLogit(np.column_stack([x, noise]), y, np.ones(40))
    assert np.isfinite(model.full).all()
    assert np.abs(model.full).max() < 100
    found = [model.without_each(np.arange(2)), model.without(np.array([0, 1]))]
    for left in found:
        for values in (left.scores, left.expected, left.seen):
            assert np.isfinite(values).all()


def test_very_unlikely_parameters_are_no_reason_for_numbers_that_are_none() -> None:
    model = sample(3)
    far = np.r_[-1.0, 1.0, 0.0, 2000.0, -2000.0, 0.0]
    value, gradient = model._value_and_gradient(far[:, None])
    assert np.isfinite(value).all()
    assert np.isfinite(gradient).all()
