"""The comparison method solves its program, whatever is done to make it fast."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from sklearn.base import clone
from sklearn.feature_selection import RFECV
from sklearn.model_selection import StratifiedKFold

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal

en = pytest.importorskip("experiments.elastic_net")


def table(n_samples: int = 60, noise: float = 0.5, n_classes: int = 3, seed: int = 0):
    X, y, _ = make_ordinal(
        n_samples,
        n_strong=2,
        weak_groups=(2,),
        n_irrelevant=2,
        n_classes=n_classes,
        noise=noise,
        random_state=seed,
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def dense_rows(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Rows of (w, b) that should reach 1, one after another as the paper writes them."""
    n_offsets = y.max()
    rows = []
    for point, label in zip(X, y, strict=True):
        for j in range(n_offsets):
            unit = np.eye(n_offsets)[j]
            if label == j:
                rows.append([*-point, *unit])
            if label == j + 1:
                rows.append([*point, *-unit])
    return np.array(rows)


def lasso_by_linprog(X: np.ndarray, y: np.ndarray, C: float) -> float:
    rows, d = dense_rows(X, y), X.shape[1]
    m, k = len(rows), rows.shape[1] - d
    order = np.eye(k - 1, k) - np.eye(k - 1, k, 1)
    cost = np.r_[np.full(2 * d, 0.5), np.zeros(k), np.full(m, C)]
    A = np.block(
        [
            [-rows[:, :d], rows[:, :d], -rows[:, d:], -np.eye(m)],
            [np.zeros((k - 1, 2 * d)), order, np.zeros((k - 1, m))],
        ]
    )
    limits = [(0, None)] * (2 * d) + [(None, None)] * k + [(0, None)] * m
    return linprog(cost, A, np.r_[-np.ones(m), np.zeros(k - 1)], bounds=limits).fun


def by_general_solver(X: np.ndarray, y: np.ndarray, C: float, p: float) -> float:
    """Positive and negative parts of weights, offsets and slacks, by sequential programming."""
    rows, d = dense_rows(X, y), X.shape[1]
    m, k = len(rows), rows.shape[1] - d
    order = np.eye(k - 1, k, 1) - np.eye(k - 1, k)
    signed = np.hstack([np.eye(d), -np.eye(d)])
    A = np.vstack(
        [
            np.hstack([rows[:, :d] @ signed, rows[:, d:], np.eye(m)]),
            np.hstack([np.zeros((k - 1, 2 * d)), order, np.zeros((k - 1, m))]),
        ]
    )
    wanted = np.r_[np.ones(m), np.zeros(k - 1)]
    linear = np.r_[np.full(2 * d, (1 - p) / 2), np.zeros(k), np.full(m, C)]

    def cost(x: np.ndarray) -> float:
        return linear @ x + p / 2 * np.sum((signed @ x[: 2 * d]) ** 2)

    def slope(x: np.ndarray) -> np.ndarray:
        return linear + np.r_[p * signed.T @ (signed @ x[: 2 * d]), np.zeros(k + m)]

    start = np.r_[np.zeros(2 * d), np.arange(k, dtype=float), np.full(m, k + 1.0)]
    found = minimize(
        cost,
        start,
        jac=slope,
        method="SLSQP",
        bounds=[(0, None)] * (2 * d) + [(None, None)] * k + [(0, None)] * m,
        constraints={"type": "ineq", "fun": lambda x: A @ x - wanted, "jac": lambda x: A},
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    assert found.success
    return found.fun


@pytest.mark.parametrize("C", [0.01, 0.1, 10.0])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_the_lasso_agrees_with_a_dense_linear_program(C: float, noise: float) -> None:
    X, y = table(noise=noise)
    model = en.ElasticNetOrdinal(C, p=0).fit(X, y)
    assert model.objective_ == pytest.approx(lasso_by_linprog(X, y, C), rel=1e-6)


@pytest.mark.parametrize("C", [0.05, 1.0])
@pytest.mark.parametrize("p", [0.1, 0.5, 1.0])
def test_every_mixture_agrees_with_a_general_solver(C: float, p: float) -> None:
    X, y = table(n_samples=24)
    model = en.ElasticNetOrdinal(C, p).fit(X, y)
    assert model.objective_ == pytest.approx(by_general_solver(X, y, C, p), rel=1e-5)


@pytest.mark.parametrize("C", [0.02, 0.5, 5.0])
def test_the_lasso_is_the_librarys_baseline(C: float) -> None:
    X, y = table(n_samples=150, n_classes=5)
    baseline = OrdinalRelevance(C=C, n_probes=10, random_state=0).fit(X, y).result_.baseline
    model = en.ElasticNetOrdinal(C, p=0).fit(X, y)
    assert model.objective_ == pytest.approx(baseline.norm / 2 + C * baseline.loss, rel=1e-5)


@pytest.mark.parametrize("p", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_a_guess_changes_nothing_but_the_time(p: float, noise: float) -> None:
    """Good, bad and absurd ones; rows outnumber coefficients enough for some to be fixed."""
    X, y = table(n_samples=300, noise=noise)
    rows = en.Rows.of(X, y)
    plain = rows.best(0.1, p)
    nearby = rows.best(0.05, p).margins
    rng = np.random.RandomState(0)
    for guess in (plain.margins, nearby, rng.normal(size=len(rows)), np.zeros(len(rows))):
        guessed = rows.best(0.1, p, guess)
        assert guessed.objective == pytest.approx(plain.objective, rel=1e-6)
        np.testing.assert_allclose(
            guessed.margins, rows.margins(guessed.weights, guessed.offsets), atol=1e-12
        )


def test_a_guess_leaves_rows_out() -> None:
    """Else it would not be worth its code."""
    X, y = table(n_samples=300)
    rows = en.Rows.of(X, y)
    sizes = []

    def watched(some, lost, C, p, solved=en._solved):
        sizes.append(len(some))
        return solved(some, lost, C, p)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(en, "_solved", watched)
        rows.best(0.1, 0.1, rows.best(0.1, 0.0).margins)
    assert sizes[0] == len(rows)
    assert sizes[1] < len(rows) / 2


def test_the_objective_is_that_of_the_formula() -> None:
    X, y = table()
    C, p = 0.3, 0.4
    model = en.ElasticNetOrdinal(C, p).fit(X, y)
    w = model.coef_
    loss = np.maximum(0, 1 - dense_rows(X, y) @ np.r_[w, model.offsets_]).sum()
    formula = (1 - p) / 2 * np.abs(w).sum() + p / 2 * w @ w + C * loss
    assert model.objective_ == pytest.approx(formula, rel=1e-6)
    assert np.all(np.diff(model.offsets_) >= -1e-8)


def test_equal_columns_share_their_weight_where_p_is_positive() -> None:
    X, y = table()
    weights = en.ElasticNetOrdinal(1.0, 0.5).fit(np.hstack([X, X[:, :1]]), y).coef_
    assert weights[0] == pytest.approx(weights[-1], abs=1e-4)


def test_permuting_and_flipping_features_permutes_and_flips_weights() -> None:
    X, y = table()
    order, sign = np.array([3, 0, 5, 1, 4, 2]), np.array([1, -1, 1, 1, -1, 1])
    plain = en.ElasticNetOrdinal(0.5, 0.3).fit(X, y).coef_
    changed = en.ElasticNetOrdinal(0.5, 0.3).fit(X[:, order] * sign, y).coef_
    np.testing.assert_allclose(changed, plain[order] * sign, atol=1e-4)


@pytest.mark.parametrize("labels", [[1, 2, 7], [0, 1]])
def test_labels_come_back_as_they_were_given(labels: list[int]) -> None:
    """A class may be missing, and two are enough."""
    X, y = table(n_classes=len(labels), noise=0)
    model = en.ElasticNetOrdinal(10.0).fit(X, np.array(labels)[y])
    assert model.predict(X).tolist() == np.array(labels)[y].tolist()
    assert model.score(X, np.array(labels)[y]) == 0


def test_elimination_works_with_shared_memory_and_without() -> None:
    """scikit-learn clones the estimator for every fit."""
    X, y = table(n_samples=150)
    folds = list(StratifiedKFold(3).split(X, y))
    model = en.ElasticNetOrdinal(0.1, 0.2)
    assert clone(model)._memory() is model._memory()
    assert clone(model).get_params() == {"C": 0.1, "p": 0.2}

    class Forgetful(en.ElasticNetOrdinal):
        def _memory(self) -> dict:
            return {}

    found = [
        RFECV(each, cv=folds, min_features_to_select=2).fit(X, y)
        for each in (model, Forgetful(0.1, 0.2))
    ]
    np.testing.assert_allclose(
        found[0].cv_results_["mean_test_score"], found[1].cv_results_["mean_test_score"], atol=1e-8
    )
    np.testing.assert_array_equal(found[0].support_, found[1].support_)


def test_the_settings_of_least_error_win_and_then_the_smallest() -> None:
    errors = {(1.0, 0.0): 0.2, (10.0, 0.0): 0.1, (0.1, 0.5): 0.1, (0.1, 0.2): 0.1, (0.01, 1.0): 0.3}
    assert en.best_settings(errors, (0.0, 0.2, 0.5, 1.0)) == (0.1, 0.2)
    assert en.best_settings(errors, (0.0,)) == (10.0, 0.0)


def test_both_kinds_find_the_needed_features() -> None:
    X, y = table(n_samples=150, noise=0.2)
    found = en.select(X, y, random_state=0, kinds=("surrogate", "lasso"))
    assert set(found) == {"surrogate", "lasso"}
    assert found["lasso"].p == 0
    for selection in found.values():
        assert selection.support[:2].all()
        assert selection.support[2:4].any()
        assert selection.C in en.C_GRID


def test_a_selection_depends_on_its_seed_alone() -> None:
    X, y = table(n_samples=60)
    first, again = (en.select(X, y, random_state=3)["surrogate"] for _ in range(2))
    np.testing.assert_array_equal(first.support, again.support)
    assert first[1:] == again[1:]
