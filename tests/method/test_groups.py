"""Rows that belong together: new orders of them, folds, and the standard error of the loss."""

import numpy as np
import pytest

from relbounds.exceptions import FewSamplesWarning
from relbounds.method.groups import Groups
from relbounds.method.tolerance import standard_error
from relbounds.method.training_data import Table, TrainingData, make_folds

EQUAL = Groups.of(np.tile(np.arange(6), 5))
UNEQUAL = Groups.of(np.repeat(np.arange(8), [1, 2, 3, 5, 8, 13, 4, 4])[::-1])


def data(groups: Groups, n_classes: int | None = None, y: np.ndarray | None = None) -> TrainingData:
    rng = np.random.default_rng(0)
    n = len(groups.codes)
    if y is None:
        y = rng.integers(0, n_classes, n).astype(float) if n_classes else rng.normal(size=n)
    table = Table(("a", "b"), rng.normal(size=(n, 2)), np.ones(2, dtype=bool))
    classes = None if n_classes is None else tuple(range(n_classes))
    return TrainingData((table,), y, np.ones(n), classes, groups=groups)


def test_labels_of_any_kind_are_coded_and_counted() -> None:
    groups = Groups.of(np.array(["b", "a", "b", "c"]))
    assert groups.codes.tolist() == [1, 0, 1, 2]
    assert (groups.count, groups.sizes.tolist()) == (3, [1, 2, 1])
    assert groups.sums(np.array([1.0, 2.0, 3.0, 4.0])).tolist() == [2, 4, 4]
    assert groups.means(np.arange(8.0).reshape(4, 2)).tolist() == [[2, 3], [2, 3], [6, 7]]
    assert groups[np.array([0, 3])].codes.tolist() == [0, 1]


def test_what_rows_of_a_group_have_in_common() -> None:
    groups = Groups.of(np.array([0, 0, 1]))
    assert groups.have_in_common(np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 2.0]]))
    assert not groups.have_in_common(np.array([[1.0, 2.0], [1.0, 3.0], [3.0, 2.0]]))


@pytest.mark.parametrize("groups", [EQUAL, UNEQUAL], ids=["equal", "unequal"])
def test_a_group_takes_the_rows_of_one_other_group(groups: Groups) -> None:
    order = groups.order(np.random.RandomState(1))
    taken_from = groups.codes[order]
    donors = [np.unique(taken_from[groups.codes == g]) for g in range(groups.count)]
    assert all(len(each) == 1 for each in donors)
    assert sorted(int(each[0]) for each in donors) == list(range(groups.count))


def test_groups_of_the_same_size_lose_no_row() -> None:
    orders = [EQUAL.order(np.random.RandomState(seed)) for seed in range(3)]
    assert all(np.array_equal(np.sort(each), np.arange(30)) for each in orders)
    assert not np.array_equal(orders[0], orders[1])
    np.testing.assert_array_equal(orders[0], EQUAL.order(np.random.RandomState(0)))


def test_a_smaller_group_serves_again_and_a_larger_one_not_with_all_rows() -> None:
    order = UNEQUAL.order(np.random.RandomState(1))
    for g in range(UNEQUAL.count):
        rows = order[UNEQUAL.codes == g]
        donor = UNEQUAL.codes[rows[0]]
        least, most = np.bincount(rows)[np.unique(rows)].min(), np.bincount(rows).max()
        assert len(np.unique(rows)) == min(len(rows), UNEQUAL.sizes[donor])
        assert most - least <= 1, "all of them serve about as often"


def test_new_orders_without_groups_are_permutations_as_ever() -> None:
    independent = data(EQUAL)
    independent = TrainingData(independent.tables, independent.y, independent.weight, None)
    values = independent.tables[0].columns[:, 0]
    np.testing.assert_array_equal(
        values[independent.new_order(np.random.RandomState(5))],
        np.random.RandomState(5).permutation(values),
    )


def test_standard_error_of_the_loss_counts_groups() -> None:
    """Each group of two rows that lose the same has twice the loss: sqrt(2) times the error."""
    losses = np.repeat(np.random.default_rng(0).uniform(size=20), 2)
    pairs, ones = Groups.of(np.repeat(np.arange(20), 2)), np.ones(40)
    alone = standard_error(losses, ones)
    assert standard_error(losses, ones, pairs) == pytest.approx(np.sqrt(2) * alone)
    each = Groups.of(np.arange(40))
    assert standard_error(losses, ones, each) == pytest.approx(alone)


@pytest.mark.parametrize("n_classes", [None, 2, 3])
def test_no_group_is_on_both_sides_of_a_fold(n_classes: int | None) -> None:
    given = data(Groups.of(np.repeat(np.arange(12), 6)), n_classes)
    folds = make_folds(None, given)
    assert len(folds) == 5
    for train, test in folds:
        assert not set(given.groups.codes[train]) & set(given.groups.codes[test])
        assert len(test)
    assert np.array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(72))
    again = make_folds(None, given)
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(folds, again, strict=True))


def test_fewer_groups_than_folds_are_said_and_each_is_left_out_once() -> None:
    given = data(Groups.of(np.repeat(np.arange(3), 20)), 2)
    with pytest.warns(FewSamplesWarning, match="wants 5 groups, .* but the data has 3"):
        folds = make_folds(None, given)
    assert len(folds) == 3


def test_a_class_of_one_group_is_said() -> None:
    groups = Groups.of(np.repeat(np.arange(10), 6))
    y = np.random.default_rng(0).integers(0, 2, 60).astype(float)
    y[groups.codes == 4] = 2
    with pytest.warns(FewSamplesWarning, match="wants 5 groups, .* but class 2 has 1"):
        folds = make_folds(None, data(groups, 3, y))
    assert len(folds) == 5
    assert all(len(test) for _, test in folds)
