"""Errors by class, and how good a selection is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, precision_recall_fscore_support

from relbounds.metrics import (
    macro_mean_absolute_error,
    maximum_mean_absolute_error,
    selection_scores,
)

BOTH = [macro_mean_absolute_error, maximum_mean_absolute_error]


def test_classes_count_equally_however_rare() -> None:
    """Class 0: one of four is two off, 0.5. Class 2: its one sample is one off, 1.0."""
    true, predicted = [0, 0, 0, 0, 2], [0, 0, 0, 2, 1]
    assert macro_mean_absolute_error(true, predicted) == 0.75
    assert maximum_mean_absolute_error(true, predicted) == 1.0


@pytest.mark.parametrize("metric", BOTH)
def test_perfect_is_zero(metric) -> None:
    assert metric([3, 1, 2], [3, 1, 2]) == 0


@pytest.mark.parametrize("metric", BOTH)
@pytest.mark.parametrize("shift", [-7, 1, 100])
def test_where_labels_begin_does_not_matter(metric, shift: int) -> None:
    """The authors' code counted the classes 0..k-1 only, whatever the labels."""
    rng = np.random.RandomState(0)
    true, predicted = rng.randint(0, 4, 50), rng.randint(0, 4, 50)
    assert metric(true + shift, predicted + shift) == metric(true, predicted)


def test_labels_count_errors_in_ranks() -> None:
    levels = ["low", "mid", "high"]
    assert macro_mean_absolute_error(["low", "high"], ["high", "high"], labels=levels) == 1.0
    assert macro_mean_absolute_error([1, 50], [50, 50]) == 24.5
    assert macro_mean_absolute_error([1, 50], [50, 50], labels=[1, 10, 50]) == 1.0


def test_classes_that_are_only_predicted_are_not_averaged() -> None:
    assert macro_mean_absolute_error([0, 0], [0, 4]) == 2


two_classes = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


# scikit-learn warns of predicted classes that do not occur: the case is meant to be here.
@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true:UserWarning")
@pytest.mark.filterwarnings("ignore:A single label was found:UserWarning")
@given(two_classes)
def test_for_two_classes_it_is_one_minus_the_balanced_accuracy(pairs) -> None:
    true, predicted = np.array(pairs).astype(int).T
    accuracy = balanced_accuracy_score(true, predicted)
    assert macro_mean_absolute_error(true, predicted) == pytest.approx(1 - accuracy)


@pytest.mark.parametrize("metric", BOTH)
def test_whole_weights_are_repeated_samples(metric) -> None:
    rng = np.random.RandomState(0)
    true, predicted, weight = (rng.randint(0, 4, 40) for _ in range(3))
    repeated = metric(true.repeat(weight), predicted.repeat(weight))
    assert metric(true, predicted, sample_weight=weight) == pytest.approx(repeated)


@pytest.mark.parametrize("metric", BOTH)
@pytest.mark.parametrize(
    ("true", "predicted", "options", "says"),
    [
        ([1, 2], [1], {}, r"same length; they have shapes \(2,\) and \(1,\)"),
        ([[1], [2]], [[1], [2]], {}, "one-dimensional"),
        ([], [], {}, "y_true is empty"),
        (["a", "b"], ["a", "b"], {}, r"ascending order as labels=\["),
        ([1, 9], [1, 1], {"labels": [1, 2]}, r"y_true holds \[9\], which labels=\[1, 2\]"),
        ([1, 2], [1, 8], {"labels": [1, 2]}, r"y_pred holds \[8\], which labels=\[1, 2\]"),
    ],
)
def test_what_cannot_be_compared_is_refused(metric, true, predicted, options, says) -> None:
    with pytest.raises(ValueError, match=says):
        metric(true, predicted, **options)


def test_selection_by_hand() -> None:
    """Two of three chosen are relevant; two of four relevant are chosen."""
    found = selection_scores([2, 1, 1, 2, 0, 0], [1, 1, 0, 0, 1, 0])
    assert found == (pytest.approx(2 / 3), 0.5, pytest.approx(4 / 7))


@pytest.mark.parametrize(
    ("truth", "selected", "expected"),
    [
        ([1, 0], [0, 0], (1.0, 0.0, 0.0)),
        ([0, 0], [1, 0], (0.0, 1.0, 0.0)),
        ([0, 0], [0, 0], (1.0, 1.0, 1.0)),
        ([1, 0], [0, 1], (0.0, 0.0, 0.0)),
    ],
    ids=["nothing chosen", "nothing relevant", "neither", "all wrong"],
)
def test_selections_with_nothing_to_divide_by(truth, selected, expected) -> None:
    assert selection_scores(truth, selected) == expected


@given(two_classes.filter(lambda pairs: all(map(any, zip(*pairs, strict=True)))))
def test_selections_agree_with_scikit_learn(pairs) -> None:
    truth, selected = np.array(pairs).T
    expected = precision_recall_fscore_support(truth, selected, average="binary")[:3]
    assert selection_scores(truth, selected) == pytest.approx(expected)


def test_selections_of_different_tables_are_refused() -> None:
    with pytest.raises(ValueError, match=r"same features; they have shapes \(2,\) and \(3,\)"):
        selection_scores([1, 0], [1, 0, 1])
