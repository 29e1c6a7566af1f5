"""Data whose truth is known have the properties that make it true."""

import numpy as np
import pytest

from relbounds.datasets import (
    PAPER_PRIVILEGED_SETS,
    PAPER_SETS,
    make_ordinal,
    make_privileged,
    make_semantic,
)


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


def test_draws_come_in_a_fixed_order() -> None:
    """Variables, constants of each weak group, idle columns, noise: published seeds stay valid."""
    sample = make_ordinal(
        30,
        n_strong=2,
        weak_groups=(2, 3),
        n_irrelevant=4,
        noise=0.5,
        task="regression",
        random_state=7,
    )
    rng = np.random.RandomState(7)
    hidden = rng.standard_normal((30, 4))
    first = hidden[:, [2]] + rng.uniform(1, 2, 2)
    second = hidden[:, [3]] + rng.uniform(1, 2, 3)
    X = np.hstack([hidden[:, :2], first, second, rng.standard_normal((30, 4))])
    X += 0.5 * rng.standard_normal((30, 11))
    np.testing.assert_array_equal(sample.X, X)
    np.testing.assert_allclose(sample.y, hidden.sum(axis=1), rtol=0, atol=1e-14)


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


# Privileged features


def test_the_papers_eight_sets_with_privileged_features() -> None:
    """Its table: instances; strong, weak and irrelevant features of each side."""
    expected = {
        1: (200, (6, 0, 3), (6, 0, 3)),
        2: (200, (0, 12, 3), (0, 12, 3)),
        3: (200, (6, 6, 0), (6, 6, 0)),
        4: (200, (3, 6, 0), (3, 6, 0)),
        5: (200, (1, 4, 0), (1, 4, 0)),
        6: (200, (1, 40, 10), (1, 40, 10)),
        7: (200, (4, 2, 2), (0, 0, 3)),
        8: (200, (0, 4, 2), (0, 0, 3)),
    }
    for number, (n, regular, privileged) in expected.items():
        sample = PAPER_PRIVILEGED_SETS[number].make(random_state=0)
        assert sample.X.shape == (n, sum(regular))
        assert sample.X_priv.shape == (n, sum(privileged))
        for truth, counts in ((sample.truth, regular), (sample.truth_priv, privileged)):
            assert tuple((truth == relevance).sum() for relevance in (2, 1, 0)) == counts
        assert np.bincount(sample.y).tolist() == [40] * 5
    assert set(PAPER_PRIVILEGED_SETS) == set(expected)


@pytest.mark.parametrize("number", [1, 5])
def test_the_first_six_sets_tell_clean_columns(number: int) -> None:
    """Regular ones have noise of 0.17 on top unless another is asked for."""
    for asked, expected in (({}, 0.17), ({"noise": 1.0}, 1.0)):
        sample = PAPER_PRIVILEGED_SETS[number].make(**asked, random_state=0)
        relevant = sample.truth > 0
        added = (sample.X - sample.X_priv)[:, relevant]
        # The standard deviation of 1000 draws is exact to two parts in a hundred.
        assert added.std() == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("number", [7, 8])
def test_the_last_two_sets_tell_noise(number: int) -> None:
    """Beside ordinary clean sets, whose weak columns are copies once standardised."""
    sample = PAPER_PRIVILEGED_SETS[number].make(random_state=0)
    weak = standardised(sample.X[:, sample.truth == 1])
    assert np.ptp(weak, axis=1).max() == pytest.approx(0, abs=1e-12)
    together = np.corrcoef(np.column_stack([sample.X_priv, sample.X, sample.y]), rowvar=False)
    appended = together[:3] - np.eye(3, len(together))
    assert np.abs(appended).max() < 0.3, "four standard errors of a correlation in 200 samples"
    np.testing.assert_allclose(sample.X_priv.std(axis=0), 1, atol=0.2)


def test_privileged_columns_are_clean_and_regular_ones_noisy() -> None:
    """Noise is neither in the target nor in the idle columns, which are noise already."""
    one, other = (
        make_privileged(
            5000, n_strong=2, weak_groups=(2,), n_irrelevant=3, noise=noise, random_state=0
        )
        for noise in (0.1, 0.4)
    )
    for sample, noise in ((one, 0.1), (other, 0.4)):
        added = sample.X[:, :4] - sample.X_priv[:, :4]
        np.testing.assert_allclose(added.std(axis=0), noise, rtol=0.05)
        assert np.abs(np.corrcoef(added, rowvar=False) - np.eye(4)).max() < 0.06
        assert sample.truth.tolist() == sample.truth_priv.tolist() == [2, 2, 1, 1, 0, 0, 0]
        assert sample.truth is not sample.truth_priv
    np.testing.assert_array_equal(one.X_priv, other.X_priv)
    np.testing.assert_array_equal(one.X[:, 4:], other.X[:, 4:])
    np.testing.assert_array_equal(one.y, other.y)


def test_idle_columns_of_both_sides_know_nothing_of_each_other() -> None:
    """Nor of the target. Four standard errors of a correlation in 5000 samples are 0.057."""
    sample = make_privileged(5000, n_irrelevant=3, task="regression", random_state=0)
    idle = np.column_stack([sample.X[:, -3:], sample.X_priv[:, -3:], sample.y])
    assert np.abs(np.corrcoef(idle, rowvar=False) - np.eye(7)).max() < 0.06
    np.testing.assert_allclose(idle[:, :6].std(axis=0), 1, rtol=0.05)


def test_every_variable_has_a_weight_of_its_own_between_a_half_and_one() -> None:
    """The clean target is a sum over the clean columns, one of each weak group, and a constant."""
    found = []
    for seed in range(20):
        sample = make_privileged(
            60, n_strong=2, weak_groups=(2, 3), task="regression", random_state=seed
        )
        columns = np.column_stack([sample.X_priv[:, [0, 1, 2, 4]], np.ones(60)])
        weights, residual, *_ = np.linalg.lstsq(columns, sample.y, rcond=None)
        assert residual[0] == pytest.approx(0, abs=1e-20)
        found.append(weights[:4])
    assert np.min(found) >= 0.5
    assert np.max(found) <= 1
    assert np.min(found) < 0.52
    assert np.max(found) > 0.98
    assert np.ptp(found, axis=0).min() > 0.3, "in each place"


def test_clean_columns_of_a_privileged_weak_group_are_copies_once_standardised() -> None:
    sample = make_privileged(60, n_strong=1, weak_groups=(3,), random_state=0)
    weak = sample.truth_priv == 1
    assert np.ptp(standardised(sample.X_priv[:, weak]), axis=1).max() == pytest.approx(0, abs=1e-12)
    assert np.ptp(standardised(sample.X[:, weak]), axis=1).max() > 0.1


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_privileged_targets_are_of_every_task(task: str) -> None:
    sample = make_privileged(60, task=task, n_classes=4, random_state=0)
    number = make_privileged(60, task="regression", random_state=0).y
    n_values = {"ordinal": 4, "classification": 2, "regression": 60}
    assert len(np.unique(sample.y)) == n_values[task]
    assert (np.diff(sample.y[np.argsort(number)]) >= 0).all()


@pytest.mark.parametrize(
    "make",
    [
        make_privileged,
        make_semantic,
        PAPER_PRIVILEGED_SETS[5].make,
        PAPER_PRIVILEGED_SETS[8].make,
    ],
)
def test_the_same_random_state_draws_the_same_on_both_sides(make) -> None:
    one, same, other = (make(random_state=seed) for seed in (3, 3, 4))
    from_generator = make(random_state=np.random.RandomState(3))
    for values, again, others, generated in zip(one, same, other, from_generator, strict=True):
        np.testing.assert_array_equal(values, again)
        np.testing.assert_array_equal(values, generated)
        assert values.shape == others.shape
    assert not np.array_equal(one.X, other.X)
    assert not np.array_equal(one.X_priv, other.X_priv)


def test_a_teacher_of_the_semantic_example_knows_the_noise_of_each_group() -> None:
    """The paper's: groups of 100 with noise 0.1, 0.5 and 2 on a feature each, and one without."""
    X, y, X_priv, truth, truth_priv = make_semantic(random_state=0)
    assert (X.shape, X_priv.shape) == ((400, 6), (400, 3))
    assert truth.tolist() == [2, 2, 2, 0, 0, 0]
    assert truth_priv.tolist() == [2, 2, 2]
    for feature, noise in enumerate((0.1, 0.5, 2.0)):
        group = slice(100 * feature, 100 * (feature + 1))
        assert (X_priv[group, feature] != 0).all()
        assert not np.delete(X_priv[:, feature], np.r_[group]).any()
        # A standard deviation of 100 draws is exact to seven parts in a hundred.
        assert X_priv[group, feature].std() == pytest.approx(noise, rel=0.25)
    clean = X[:, :3] - X_priv
    order = np.argsort(clean.sum(axis=1))
    np.testing.assert_array_equal(y[order], np.repeat(np.arange(5), 80))


def test_semantic_levels_groups_and_classes_can_be_others() -> None:
    """Left-over samples join the group without noise."""
    sample = make_semantic(23, noise=(1.0, 3.0), n_irrelevant=1, n_classes=3, random_state=0)
    assert (sample.X.shape, sample.X_priv.shape) == ((23, 3), (23, 2))
    assert [np.flatnonzero(column).tolist() for column in sample.X_priv.T] == [
        list(range(7)),
        list(range(7, 14)),
    ]
    assert np.bincount(sample.y).tolist() == [7, 7, 9]
    assert sample.truth.tolist() == [2, 2, 0]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"n_strong": 0, "weak_groups": ()}, "Nothing to learn: ask for a strong feature"),
        ({"weak_groups": (3, 1)}, r"at least two columns .*; got \(3, 1\)"),
        ({"task": "ranking"}, "'ordinal', 'classification' or 'regression'; got 'ranking'"),
        ({"n_samples": 3, "n_classes": 5}, "3 samples cannot fill 5 classes"),
        ({"n_classes": 1}, "n_classes must be at least 2 .* got n_classes=1"),
        ({"noise": -0.1}, r"noise at least 0; .* noise=-0\.1"),
    ],
)
def test_what_cannot_be_told_is_refused(settings: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make_privileged(**settings)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"n_samples": 3, "n_classes": 2}, "3 samples cannot fill"),
        ({"n_classes": 1}, "n_classes must be at least 2"),
        ({"noise": (0.1, -1.0)}, "noise at least 0"),
        ({"noise": ()}, "Nothing to learn"),
    ],
)
def test_what_no_teacher_can_know_is_refused(settings: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        make_semantic(**settings)
