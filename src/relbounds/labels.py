"""Which classes are there, and in which order?"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Labels:
    """Classes in ascending order; samples are coded by their ranks.

    Attributes
    ----------
    classes : array
        Those that were seen.
    declared : list or None
        All there are, where the user said so.
    """

    classes: Any
    declared: list[Any] | None = None

    def code(self, y: Any) -> FloatArray:
        rank = {label: rank for rank, label in enumerate(self.classes.tolist())}
        return np.array([rank[label] for label in y.tolist()], dtype=np.float64)

    def decode(self, ranks: FloatArray) -> Any:
        return self.classes[ranks.astype(np.int64)]

    def order_with(self, y: Any) -> list[Any]:
        """The classes and those of ``y``, which may hold some that were never seen."""
        if self.declared is not None:
            return self.declared
        together: list[Any] = np.union1d(self.classes, np.asarray(y)).tolist()
        return together


def ordered_labels(y: Any, values: Any, classes: Sequence[Any] | None) -> Labels:
    """Labels of ordered classes.

    Parameters
    ----------
    y : what the user gave, asked only for an order of its own (ordered pandas categorical)
    values : array of the same labels
    classes : the order the user gave, if any
    """
    order = list(classes) if classes is not None else _own_order(y)
    if order is not None:
        return _in_given_order(values, order)
    unordered = [label for label in values.tolist() if not isinstance(label, Real)]
    if unordered:
        raise ValueError(
            f"y holds labels such as {unordered[0]!r}, whose order cannot be known. Give it as "
            "classes=[lowest, ..., highest], or y as an ordered pandas Categorical or polars Enum."
        )
    fractions = [label for label in values.tolist() if label % 1]
    if fractions:
        raise ValueError(
            "Unknown label type: continuous. Ordered classes were expected, but y holds fractions "
            f"such as {fractions[0]}. Cut it into classes first, or use RegressionRelevance."
        )
    return _several(np.unique(_as_given(y, values)))


def _own_order(y: Any) -> list[Any] | None:
    """The order that an ordered pandas Categorical or a polars Enum brings along."""
    dtype: Any = getattr(y, "dtype", None)
    if getattr(dtype, "ordered", False) or type(dtype).__name__ == "Enum":
        return list(dtype.categories)
    return None


def _as_given(y: Any, values: Any) -> Any:
    """Whole numbers of a nullable type as whole numbers again; scikit-learn reads floats."""
    was_whole = getattr(getattr(y, "dtype", None), "kind", "") in ("i", "u")
    return values.astype(np.int64) if was_whole and values.dtype.kind == "f" else values


def _in_given_order(values: Any, classes: list[Any]) -> Labels:
    if len(set(classes)) < len(classes):
        raise ValueError(f"classes={classes} lists a class twice; list each once, in order.")
    there = set(values.tolist())
    unknown = sorted(there - set(classes), key=str)
    if unknown:
        raise ValueError(f"y holds {unknown}, which classes={classes} does not list; add them.")
    seen = np.array([each for each in classes if each in there], dtype=values.dtype)
    return _several(seen, declared=classes)


def two_labels(y: Any, values: Any) -> Labels:
    """Labels of two classes; the one that sorts last is the upper one."""
    labels = _several(np.unique(_as_given(y, values)))
    if len(labels.classes) > 2:
        raise ValueError(
            "Only binary classification is supported: expected two classes, but y has "
            f"{len(labels.classes)}: {labels.classes.tolist()[:10]}. If they are ordered, use "
            "OrdinalRelevance; else analyse one class against the rest."
        )
    return labels


def _several(classes: Any, declared: list[Any] | None = None) -> Labels:
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only, {classes.tolist()}; at least two classes are needed."
        )
    return Labels(classes, declared)


@dataclass(frozen=True, eq=False)
class Target:
    """How the target is coded: ranks of labels, or numbers centred and scaled.

    ``spread`` is the standard deviation of the numbers after that.
    """

    labels: Labels | None = None
    centre: float = 0.0
    scale: float = 1.0
    spread: float = 1.0

    @property
    def class_list(self) -> list[Any] | None:
        return None if self.labels is None else self.labels.classes.tolist()

    def decode(self, predicted: FloatArray) -> Any:
        if self.labels is None:
            return self.centre + self.scale * predicted
        return self.labels.decode(predicted)
