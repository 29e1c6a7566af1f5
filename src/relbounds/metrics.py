"""How good is a prediction of ordered classes, and how good a selection of features?"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from relbounds.arrays import FloatArray, IntArray


def _errors_by_class(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None, sample_weight: ArrayLike | None
) -> FloatArray:
    """Mean absolute error within each class that occurs in ``y_true``."""
    true, pred = np.asarray(y_true), np.asarray(y_pred)
    if true.shape != pred.shape or true.ndim != 1:
        raise ValueError(
            "y_true and y_pred must be one-dimensional and of the same length; "
            f"they have shapes {true.shape} and {pred.shape}."
        )
    if len(true) == 0:
        raise ValueError("y_true is empty: there is no error to average.")
    if labels is not None:
        true, pred = _ranks(true, labels, "y_true"), _ranks(pred, labels, "y_pred")
    elif true.dtype.kind not in "iufb" or pred.dtype.kind not in "iufb":
        raise ValueError(
            "Classes that are not numbers have no distance of their own: "
            "give them in ascending order as labels=[...]."
        )
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, float)
    if not weight.any():
        raise ValueError("sample_weight is zero for every sample: there is no error to average.")
    distance = np.abs(true.astype(float) - pred.astype(float))
    [means] = _means_by_class(np.unique(true, return_inverse=True)[1], distance[None], weight)
    errors: FloatArray = means
    return errors


def _means_by_class(code: IntArray, distance: FloatArray, weight: FloatArray) -> FloatArray:
    """Of each class that counts, for each line of distances."""
    total = np.bincount(code, weight)
    counted, k = total > 0, len(total)
    places = np.arange(len(distance))[:, None] * k + code
    sums = np.bincount(places.ravel(), (weight * distance).ravel(), len(distance) * k)
    means: FloatArray = sums.reshape(-1, k)[:, counted] / total[counted]
    return means


def mean_errors_of_ranks(rank: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
    """MMAE of classes ``0..K-1`` for each line of predictions, some weight positive.

    Nothing is checked: tuning asks often.
    """
    means = _means_by_class(rank.astype(np.int64), np.abs(rank - predicted), weight)
    errors: FloatArray = means.sum(axis=1) / means.shape[1]
    return errors


def mean_shares_missed(code: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
    """One minus the balanced accuracy in the same way."""
    means = _means_by_class(code.astype(np.int64), (code != predicted).astype(np.float64), weight)
    shares: FloatArray = means.sum(axis=1) / means.shape[1]
    return shares


def _ranks(values: Any, labels: ArrayLike, name: str) -> Any:
    order = {label: rank for rank, label in enumerate(np.asarray(labels).tolist())}
    unknown = sorted({value for value in values.tolist() if value not in order}, key=str)
    if unknown:
        raise ValueError(f"{name} holds {unknown}, which labels={list(order)} does not list.")
    return np.array([order[value] for value in values.tolist()])


def macro_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """MMAE: the mean absolute error of each class, averaged over the classes in ``y_true``.

    Rare classes count as much as frequent ones. For two classes it is one minus the
    balanced accuracy.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Classes. Numbers are compared as they are, unless ``labels`` is given.
    labels : array-like, optional
        All classes in ascending order; errors are then counted in ranks.
    sample_weight : array-like of shape (n,), optional

    Examples
    --------
    >>> macro_mean_absolute_error([1, 1, 1, 3], [1, 1, 1, 1])
    1.0
    >>> macro_mean_absolute_error(["low", "high"], ["low", "mid"], labels=["low", "mid", "high"])
    0.5
    """
    return float(_errors_by_class(y_true, y_pred, labels, sample_weight).mean())


def maximum_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """The mean absolute error of the class that is predicted worst.

    Parameters are those of :func:`macro_mean_absolute_error`.

    Examples
    --------
    >>> maximum_mean_absolute_error([1, 1, 1, 3], [1, 1, 1, 1])
    2.0
    """
    return float(_errors_by_class(y_true, y_pred, labels, sample_weight).max())


class SelectionScores(NamedTuple):
    """Precision, recall and F1 of a selection of features."""

    precision: float
    recall: float
    f1: float


def selection_scores(truth: ArrayLike, selected: ArrayLike) -> SelectionScores:
    """Compare a selection with the features that are truly relevant.

    Anything non-zero counts as relevant, so relevance classes can be given as they are.
    Selecting nothing has precision 1; where nothing is relevant, recall is 1.

    Parameters
    ----------
    truth, selected : array-like of shape (n_features,)

    Examples
    --------
    >>> selection_scores([2, 1, 0, 0], [True, False, True, False])
    SelectionScores(precision=0.5, recall=0.5, f1=0.5)
    """
    relevant, chosen = np.asarray(truth).astype(bool), np.asarray(selected).astype(bool)
    if relevant.shape != chosen.shape:
        raise ValueError(
            "truth and selected must speak of the same features; "
            f"they have shapes {relevant.shape} and {chosen.shape}."
        )
    hits = int((relevant & chosen).sum())
    precision = hits / chosen.sum() if chosen.any() else 1.0
    recall = hits / relevant.sum() if relevant.any() else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return SelectionScores(float(precision), float(recall), float(f1))
