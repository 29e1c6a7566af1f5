"""What features prove about classes without order: agreement with tests it contains, and nulls."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn.linear_model import LogisticRegression

from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import Outcome, p_beside_others
from relbounds.method.evidence.multinomial_logit import MultinomialLogit

Array = NDArray[np.float64]


def sample(
    n: int = 150, n_classes: int = 3, seed: int = 3, effect: float = 1.5
) -> tuple[Array, Array]:
    """The first two columns matter; the third is like the first, the rest are idle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    X[:, 2] = 0.8 * X[:, 0] + 0.6 * X[:, 2]
    X[:, 5] = (X[:, 5] > 1.3) | (np.arange(n) < 2)
    angle = 2 * np.pi * np.arange(n_classes) / n_classes
    score = effect * (np.outer(X[:, 0], np.cos(angle)) + np.outer(X[:, 1], np.sin(angle)))
    y = (score + rng.gumbel(size=score.shape)).argmax(axis=1)
    codes = np.unique(y, return_inverse=True)[1].astype(np.float64)
    return (X - X.mean(axis=0)) / X.std(axis=0), codes


def p_needed(
    X: Array, y: Array, sets: list | None = None, weight: Array | None = None, ordered: bool = False
) -> Array:
    every = np.arange(X.shape[1])
    outcome = Outcome(
        y, int(y.max()) + 1, np.ones(len(y)) if weight is None else weight, is_ordered=ordered
    )
    asked = [np.atleast_1d(each) for each in (every if sets is None else sets)]
    return p_beside_others(outcome, X, asked, present=every, likely=every)


def alone(X: Array, y: Array, sets: list | None = None, weight: Array | None = None) -> Array:
    asked = [np.atleast_1d(each) for each in (range(X.shape[1]) if sets is None else sets)]
    return p_alone(X, y, np.ones(len(y)) if weight is None else weight, asked, unordered=True)


@pytest.mark.parametrize("weighted", [False, True])
def test_two_classes_have_the_p_values_of_ordered_ones(weighted: bool) -> None:
    """Both scores of a multinomial logit are then half of that of a logistic regression."""
    X, y = sample()
    y = (y > 0).astype(np.float64)
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    of_all, *of_each = p_needed(X, y, weight=weight).T
    expected = p_needed(X, y, weight=weight, ordered=True)
    for found in (of_all, *of_each):
        np.testing.assert_allclose(found, expected, rtol=1e-3)
    blocks = [[0, 1], [3, 4, 5]]
    np.testing.assert_allclose(
        p_needed(X, y, blocks, weight)[:, 0],
        p_needed(X, y, blocks, weight, ordered=True),
        rtol=1e-3,
    )


def test_what_matters_is_needed_for_the_classes_that_it_tells_apart() -> None:
    """Of three directions at 120 degrees the second column does not point to the first."""
    X, y = sample(n=600)
    p = p_needed(X, y)
    assert (p[:2, 0] < 1e-10).all()
    assert (p[2:, 0] > 0.01).all()
    assert (p[1, 2:] < 1e-8).all()
    assert p[0, 1] < 1e-8


def test_codes_of_classes_do_not_matter() -> None:
    X, y = sample()
    order = np.array([2, 0, 1])
    p, other = p_needed(X, y), p_needed(X, order[y.astype(int)].astype(np.float64))
    np.testing.assert_allclose(p[:, 0], other[:, 0], rtol=1e-3)
    np.testing.assert_allclose(p[:, 1:], other[:, 1:][:, order], rtol=1e-3)
    np.testing.assert_allclose(alone(X, y), alone(X, order[y.astype(int)]), rtol=1e-9)


def test_copies_add_nothing() -> None:
    X, y = sample()
    p = p_needed(np.column_stack([X, X[:, 0]]), y)
    assert p[[0, 6]].tolist() == [[1] * 4] * 2


def test_probabilities_are_those_of_another_implementation() -> None:
    """scikit-learn's ridge is ``|w|^2 / 2C``."""
    X, y = sample()
    likely = MultinomialLogit(X, y.astype(int), np.ones(len(y))).without(np.array([1, 4]))
    others = np.delete(X, [1, 4], axis=1)
    expected = LogisticRegression(C=1 / 0.6, tol=1e-10, max_iter=1000).fit(others, y)
    np.testing.assert_allclose(likely, expected.predict_proba(others), atol=2e-3)


def test_alone_is_the_test_of_kruskal_and_wallis() -> None:
    X, y = sample(n=200, n_classes=4, effect=0.5)
    continuous = X[:, :5]
    expected = [
        stats.kruskal(*(column[y == k] for k in range(4))).pvalue for column in continuous.T
    ]
    np.testing.assert_allclose(alone(continuous, y), expected, rtol=1e-9)


def test_alone_with_one_column_and_two_classes_is_the_ordered_test_up_to_its_tail() -> None:
    """One score has Student's t, several the chi-square that it comes close to."""
    X, y = sample(n=400, effect=0.3)
    y = (y > 0).astype(np.float64)
    ordered = p_alone(X, y, np.ones(len(y)), [np.array([k]) for k in range(6)])
    np.testing.assert_allclose(alone(X, y), ordered, rtol=0.1)


def test_equal_weights_but_for_a_trace_change_little() -> None:
    X, y = sample(n=600, effect=0.3)
    weight = 1 + 1e-6 * np.arange(len(y))
    np.testing.assert_allclose(alone(X, y, weight=weight), alone(X, y), rtol=0.3, atol=0.02)


def test_rare_values_that_meet_rare_classes_are_drawn() -> None:
    """Four samples of a class and four of a value, of 200, meet three times.

    Three of four are in the class with the hypergeometric probability 1.2e-5 or so; chi-square
    would make it 1e-40.
    """
    y = np.repeat([0.0, 1.0, 2.0], [98, 98, 4])
    x = np.zeros((200, 1))
    x[[0, 196, 197, 198]] = 1.0
    [p] = alone(x, y)
    assert 1 / 20_001 <= p < 5e-4


def test_blocks_of_columns_have_as_many_degrees_as_pairs_of_contrasts() -> None:
    """P-values of an idle block are uniform: text columns against classes."""
    rng = np.random.default_rng(0)
    p = []
    for _ in range(300):
        y = rng.integers(3, size=90).astype(np.float64)
        text = np.eye(3)[rng.integers(3, size=90)][:, 1:]
        p += alone(text, y, [[0, 1]]).tolist()
    assert stats.kstest(p, "uniform").pvalue > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [3, 5])
@pytest.mark.parametrize("n", [60, 200])
@pytest.mark.parametrize("effect", [0.0, 1.5, 5.0])
def test_p_values_of_idle_features_are_no_smaller_than_they_should_be(
    n: int, n_classes: int, effect: float
) -> None:
    """Of 200 draws: one like a needed feature, two normal ones and a rare value, all idle."""
    idle, on_their_own = [], []
    for seed in range(200):
        X, y = sample(n, n_classes, seed=seed, effect=effect)
        idle.append(p_needed(X, y)[2:, 0])
        on_their_own.append(alone(X[:, 3:], y))
    for p in (np.concatenate(idle), np.concatenate(on_their_own)):
        for limit in (0.05, 0.01, 0.001):
            assert stats.binom.sf((p < limit).sum() - 1, len(p), limit) > 1e-4


def test_texts_with_the_same_gaps_have_as_many_directions_as_others_do_not_make_up() -> None:
    """The values of a text make up those of no gap, which another text tells as well."""
    X, y = sample()
    rng = np.random.default_rng(0)
    texts = [np.where(X[:, 0] > 0, 0, rng.integers(1, 4, len(X))) for _ in range(2)]
    columns = np.column_stack([text == value for text in texts for value in (1, 2, 3)])
    both = np.column_stack([columns, X[:, 1]]).astype(float)
    fewer = np.delete(both, 2, axis=1)  # of the same span
    whole, without_one = p_needed(both, y, [[0, 1, 2]]), p_needed(fewer, y, [[0, 1]])
    np.testing.assert_allclose(whole, without_one, rtol=1e-3)
