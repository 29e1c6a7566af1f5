"""Data whose truth is known have the properties that make it true."""

import numpy as np
import pytest

from relbounds.datasets import PAPER_SETS, make_ordinal


def standardised(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


def test_the_papers_nine_sets() -> None:
    """Its table of artificial data: instances, strong, weak, irrelevant."""
    expected = {
        1: (150, 6, 0, 6),
        2: (150, 0, 6, 6),
        3: (150, 3, 4, 3),
        4: (256, 6, 6, 6),
        5: (512, 1, 2, 11),
        6: (200, 1, 20, 0),
        7: (200, 1, 20, 20),
        8: (1000, 10, 20, 10),
        9: (1000, 10, 20, 200),
    }
    for number, (n, *counts) in expected.items():
        X, y, truth = PAPER_SETS[number].make(random_state=0)
        assert X.shape == (n, sum(counts))
        assert [int((truth == relevance).sum()) for relevance in (2, 1, 0)] == counts
        assert set(y) == set(range(5))
    assert set(PAPER_SETS) == set(expected)


def test_the_target_is_the_sum_of_strong_and_hidden_variables() -> None:
    """Each weak column is its group's hidden variable, moved by 1 to 2."""
    X, y, _ = make_ordinal(
        60, n_strong=2, weak_groups=(2, 3), n_irrelevant=1, task="regression", random_state=0
    )
    shift = y - X[:, :2].sum(axis=1) - X[:, 2] - X[:, 4]
    assert np.ptp(shift) == pytest.approx(0, abs=1e-12)
    assert -4 <= shift[0] <= -2


def test_clean_columns_of_a_weak_group_are_copies_once_standardised() -> None:
    X, _, truth = make_ordinal(60, n_strong=1, weak_groups=(3, 2), random_state=0)
    first, second = np.split(standardised(X[:, truth == 1]), [3], axis=1)
    for group in (first, second):
        assert np.ptp(group, axis=1).max() == pytest.approx(0, abs=1e-12)
    assert abs(np.corrcoef(first[:, 0], second[:, 0])[0, 1]) < 0.5


def test_noise_is_on_every_column_and_not_in_the_target() -> None:
    clean, noisy = (
        make_ordinal(5000, noise=noise, task="regression", random_state=0) for noise in (0, 0.5)
    )
    np.testing.assert_array_equal(clean.y, noisy.y)
    # A standard deviation from 5000 draws is exact to one part in a hundred.
    np.testing.assert_allclose((noisy.X - clean.X).std(axis=0), 0.5, rtol=0.05)


def test_classes_are_of_equal_size_and_the_last_takes_what_is_left() -> None:
    y = make_ordinal(58, n_classes=5, random_state=0).y
    assert np.bincount(y).tolist() == [11, 11, 11, 11, 14]


def test_classes_cut_the_same_target_in_order() -> None:
    settings = {"n_samples": 50, "random_state": 3}
    number = make_ordinal(task="regression", **settings).y
    ordered = make_ordinal(task="ordinal", **settings).y
    two = make_ordinal(task="classification", **settings).y
    assert (np.diff(ordered[np.argsort(number)]) >= 0).all()
    np.testing.assert_array_equal(two, number > np.median(number))


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_the_same_random_state_draws_the_same(task: str) -> None:
    one, same, other = (make_ordinal(task=task, random_state=seed) for seed in (0, 0, 1))
    from_generator = make_ordinal(task=task, random_state=np.random.RandomState(0))
    np.testing.assert_array_equal(one.X, same.X)
    np.testing.assert_array_equal(one.y, same.y)
    np.testing.assert_array_equal(one.X, from_generator.X)
    assert not np.array_equal(one.X, other.X)


def test_without_a_random_state_every_draw_is_another() -> None:
    assert not np.array_equal(make_ordinal().X, make_ordinal().X)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"n_strong": 0, "weak_groups": ()}, "Nothing to learn: ask for a strong feature"),
        ({"weak_groups": (3, 1)}, r"at least two columns .*; got \(3, 1\)"),
        ({"task": "ranking"}, "'ordinal', 'classification' or 'regression'; got 'ranking'"),
        ({"n_samples": 3, "n_classes": 5}, "3 samples cannot fill 5 classes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(settings: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make_ordinal(**settings)
