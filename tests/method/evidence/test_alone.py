"""Rank tests: those of SciPy where they are right, and exact ones where values are rare."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from relbounds.method.evidence import orders
from relbounds.method.evidence.alone import p_alone

Array = NDArray[np.float64]


def p_of(columns: Array, y: Array, weight: Array | None = None, as_one: bool = False) -> Array:
    """P-values of each column, or of all as one."""
    columns = columns.reshape(len(y), -1)
    every = np.arange(columns.shape[1])
    sets = [every] if as_one else [each[None] for each in every]
    return p_alone(columns, y.astype(float), np.ones(len(y)) if weight is None else weight, sets)


def related(n: int = 200, strength: float = 0.1, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return strength * y[:, None] * [0, 1, 2] + rng.normal(size=(n, 3)), y


def test_of_numbers_without_ties_it_is_spearmans_test() -> None:
    X, y = related()
    expected = [stats.spearmanr(column, y).pvalue for column in X.T]
    np.testing.assert_allclose(p_of(X, y), expected, rtol=1e-10)


def test_of_two_classes_it_is_the_rank_sum_test_up_to_students_t() -> None:
    """``z^2 = (n - 1) r^2`` of the rank sum, with ties, and ours is Student's t of the same r.

    (SciPy's test without continuity correction is the normal one.)
    """
    X, score = related(400)
    X[:, 1] = np.round(X[:, 1])
    y = score > 0.3
    p = p_of(X, y)
    for k, column in enumerate(X.T):
        normal = stats.mannwhitneyu(
            column[y], column[~y], use_continuity=False, method="asymptotic"
        ).pvalue
        r = stats.norm.isf(normal / 2) / np.sqrt(len(y) - 1)
        t = r * np.sqrt((len(y) - 2) / (1 - r**2))
        assert p[k] == pytest.approx(2 * stats.t.sf(t, len(y) - 2), rel=1e-9)
        assert r * np.sqrt(len(y)) == pytest.approx(stats.norm.isf(p[k] / 2), rel=0.01)


def test_of_a_texts_columns_together_it_is_the_test_of_kruskal_and_wallis() -> None:
    """With and without a column of 0 and 1 for the last value: ranks of both say the same."""
    rng = np.random.default_rng(0)
    value = rng.integers(4, size=300)
    y = np.array([0.0, 0.1, 0.3, 0.0])[value] + rng.normal(size=300)
    dummies = (value[:, None] == np.arange(4)).astype(float)
    expected = stats.kruskal(*(y[value == k] for k in range(4))).pvalue
    assert 0.0001 < expected < 0.5
    for columns in (dummies, dummies[:, 1:], 3 * dummies - 1):
        assert p_of(columns, y, as_one=True) == pytest.approx([expected], rel=1e-8)


def test_a_block_of_one_column_is_asymptotically_the_column() -> None:
    X, y = related(2000, 0.03)
    twice = np.column_stack([X[:, 2], X[:, 2]])
    one, both = p_of(X[:, 2], y), p_of(twice, y, as_one=True)
    assert stats.norm.isf(both / 2) == pytest.approx(stats.norm.isf(one / 2), rel=0.01)


@pytest.mark.parametrize("weighted", [False, True])
def test_no_monotone_transformation_changes_anything(weighted: bool) -> None:
    X, y = related()
    weight = np.random.default_rng(5).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    p = p_of(X, y, weight)
    for other in (p_of(np.exp(X), y, weight), p_of(X, y**3, weight), p_of(-X, y, weight)):
        np.testing.assert_allclose(other, p, rtol=1e-9)
    np.testing.assert_allclose(p_of(X, -np.arctan(y), weight), p, rtol=1e-9)


def test_samples_may_come_in_any_order() -> None:
    X, y = related()
    order = np.random.default_rng(0).permutation(len(y))
    np.testing.assert_allclose(p_of(X[order], y[order]), p_of(X, y), rtol=1e-9)


@pytest.mark.parametrize("unit", [0.01, 1.0, 250.0])
def test_the_unit_of_weights_changes_nothing(unit: float) -> None:
    X, y = related()
    weight = np.random.default_rng(0).uniform(0.2, 2, len(y))
    np.testing.assert_allclose(p_of(X, y, unit * weight), p_of(X, y, weight), rtol=1e-9)
    np.testing.assert_allclose(p_of(X, y, np.full(len(y), unit)), p_of(X, y), rtol=1e-9)


def test_weights_that_hardly_differ_change_hardly_anything() -> None:
    """Another formula for the variance, so that p-values agree roughly."""
    X, y = related(1000)
    weight = 1 + 1e-3 * np.random.default_rng(0).normal(size=len(y))
    np.testing.assert_allclose(
        stats.norm.isf(p_of(X, y, weight) / 2), stats.norm.isf(p_of(X, y) / 2), rtol=0.1, atol=0.1
    )


def exact(n: int, n_ones: int, n_high: int, both: int) -> float:
    """Two-sided: tables of two times two that lie as far from the mean as the one found.

    ``n_ones`` of n samples have the rare value, ``n_high`` the rare class, ``both`` share them.
    """
    shared = np.arange(max(0, n_ones + n_high - n), min(n_ones, n_high) + 1)
    probability = stats.hypergeom.pmf(shared, n, n_ones, n_high)
    far = np.abs(shared - n_ones * n_high / n) >= abs(both - n_ones * n_high / n) - 1e-9
    return float(probability[far].sum())


@pytest.mark.parametrize(
    ("n", "n_ones", "n_high", "both"),
    [(400, 6, 12, 3), (400, 6, 12, 2), (200, 3, 5, 2), (1000, 5, 20, 2), (60, 4, 6, 3)],
)
def test_rare_values_that_meet_rare_classes_are_counted_exactly(
    n: int, n_ones: int, n_high: int, both: int
) -> None:
    """Within five standard errors of the draws; by normal theory chance is far rarer."""
    x, y = np.zeros(n), np.zeros(n)
    x[:n_ones] = 1
    y[n_ones - both : n_ones - both + n_high] = 1
    assert (x * y).sum() == both
    expected = exact(n, n_ones, n_high, both)
    drawn = orders._DRAWS[-1]
    error = np.sqrt(expected / drawn) + 1 / drawn
    [p] = p_of(x, y)
    assert abs(p - expected) < 5 * error
    r = np.corrcoef(x, y)[0, 1]
    normal = 2 * stats.t.sf(r * np.sqrt((n - 2) / (1 - r**2)), n - 2)
    assert normal < expected / 3


@pytest.mark.parametrize("n", range(3, 11))
def test_a_perfect_order_of_few_samples_is_as_rare_as_it_is(n: int) -> None:
    """Two of all ``n!`` orders are perfect; draws tell that to five standard errors."""
    x = np.linspace(-0.7, 1.3, n)
    [p] = p_of(x, np.arange(n))
    expected = 2 / math.factorial(n)
    drawn = orders._DRAWS[0] if expected > 0.05 else orders._DRAWS[-1]  # not small: soon seen
    assert abs(p - expected) < 5 * np.sqrt(expected / drawn) + 1e-4
    assert p_of(np.exp(x), np.arange(n)).tolist() == [p]


def test_drawn_p_values_are_the_same_each_time_and_never_zero() -> None:
    x, y = np.zeros(300), np.zeros(300)
    x[:5] = y[:5] = 1
    assert p_of(x, y).tolist() == p_of(x, y).tolist() == [1 / (1 + orders._DRAWS[-1])]


@given(st.integers(3, 40), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_p_values_lie_between_zero_and_one_whatever_the_ties(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(rng.integers(1, 5), size=(n, 3)), rng.integers(1 + seed % 4, size=n)
    for weight in (np.ones(n), rng.uniform(0.5, 2, n)):
        for as_one in (False, True):
            p = p_of(X.astype(float), y, weight, as_one)
            assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.parametrize("weight", [np.ones(30), np.linspace(1, 2, 30)], ids=["equal", "weighted"])
def test_columns_of_a_single_value_and_no_columns_prove_nothing(weight: Array) -> None:
    columns, y = np.tile([3.0, 7.1], (30, 1)), np.arange(30.0)
    sets = [np.array([0]), np.array([0, 1]), np.array([], dtype=np.int64)]
    assert p_alone(columns, y, weight, sets).tolist() == [1, 1, 1]


def test_two_samples_prove_nothing() -> None:
    assert p_of(np.array([0.0, 1.0]), np.array([0.0, 1.0])).tolist() == [1.0]


def rare_and_many(n: int, n_rare: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(7)
    rare = np.zeros((n, 2))
    rare[:n_rare, 0], rare[: 2 * n_rare, 1] = 1, rng.uniform(1, 2, 2 * n_rare)
    many = rng.normal(size=n) + 0.8 * rare[:, 0] + 0.2 * rare[:, 1]
    return rare, many


@pytest.mark.parametrize("columns", [[0], [1], [0, 1]], ids=["ones", "numbers", "both"])
@pytest.mark.parametrize("is_outcome_rare", [False, True])
def test_orders_that_place_rare_values_are_like_orders_of_all_samples(
    columns: list[int], is_outcome_rare: bool
) -> None:
    """Within five standard errors of both."""
    rare, many = rare_and_many(200, 12)
    parts = [stats.rankdata(rare[:, columns], axis=0), stats.rankdata(many)[:, None]]
    ranks, scores = (each - each.mean(axis=0) for each in parts[:: -1 if is_outcome_rare else 1])
    if is_outcome_rare:
        scores = scores[:, :1]
    test, draws, rng = orders.Orders(ranks, scores), 20_000, np.random.default_rng(1)
    all_placed = np.array([scores[rng.permutation(len(scores))].T @ ranks for _ in range(draws)])
    expected = test.reaching(all_placed) / draws
    [found] = orders.by_drawing([test])
    assert 1e-3 < expected < 0.1, expected
    assert abs(found - expected) < 5 * np.sqrt(expected / orders._DRAWS[0 if found > 0.05 else 1])


def test_drawn_p_values_do_not_depend_on_what_else_is_drawn_for_but_for_their_draws() -> None:
    rare, many = rare_and_many(200, 12)
    ranks, scores = (stats.rankdata(each, axis=0) for each in (rare, many[:, None]))
    tests = [
        orders.Orders(each - each.mean(axis=0), scores - scores.mean(axis=0))
        for each in (ranks[:, [0]], ranks[:, [1]], ranks)
    ]
    together = orders.by_drawing(tests)
    each_alone = np.array([orders.by_drawing([test])[0] for test in tests])
    np.testing.assert_allclose(together, each_alone, rtol=0.25)
