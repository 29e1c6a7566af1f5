"""What did the user hand in? Tables, weights and labels, checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import check_array

from relbounds.arrays import BoolArray, FloatArray
from relbounds.estimators.refusals import refuse_gaps, refuse_text, refuse_unusable_columns
from relbounds.method.groups import Groups
from relbounds.method.scaling import Scaling
from relbounds.method.training_data import Table


def read_sample_weight(sample_weight: Any, n_samples: int) -> FloatArray:
    """Non-negative weights, one for each sample; ones if none are given."""
    if sample_weight is None:
        return np.ones(n_samples)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n_samples,):
        raise ValueError(
            f"sample_weight must have one number for each of the {n_samples} samples; "
            f"its shape is {weight.shape}."
        )
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(
            "sample_weight must be finite and not negative; drop or correct the others."
        )
    if not weight.any():
        raise ValueError("sample_weight is zero for every sample; at least two must count.")
    return weight


def read_groups(groups: Any, counted: BoolArray) -> Groups | None:
    """Groups of the samples that count, from labels of all samples; None if none are given."""
    if groups is None:
        return None
    labels, n_samples = np.asarray(groups, dtype=object), len(counted)
    if labels.shape != (n_samples,):
        raise ValueError(
            f"groups must have one label for each of the {n_samples} samples; its shape is "
            f"{labels.shape}."
        )
    if n_missing := sum(map(_is_missing, labels.tolist())):
        raise ValueError(
            f"groups has no label for {n_missing} of the {n_samples} samples; give them one, or "
            "leave these samples out."
        )
    plain = np.asarray(groups)[counted]
    found = Groups.of(plain.astype(str) if plain.dtype.kind == "O" else plain)
    _refuse_useless(found)
    return found


def _refuse_useless(groups: Groups) -> None:
    """Refuse groups that leave nothing to compare, and those that say nothing."""
    n_samples = len(groups.codes)
    if groups.count == 1:
        raise ValueError(
            f"groups has the same label for all {n_samples} samples, and rows of one group count "
            "as one observation; at least two groups are needed."
        )
    if groups.count == n_samples:
        raise ValueError(
            f"groups has another label for each of the {n_samples} samples, so that no two of "
            "them belong together; give labels that samples share, or leave groups out."
        )


def _is_missing(label: Any) -> bool:
    """None, or what is not equal to itself, as NaN and NaT are."""
    return label is None or type(label).__name__ == "NAType" or label != label  # noqa: PLR0124


_PRIVILEGED = "priv"  # names of privileged columns without any: priv0, priv1, ...


@dataclass(frozen=True, eq=False)
class PrivilegedTable:
    """Privileged features as they were handed in, and their names."""

    values: FloatArray
    names: tuple[str, ...]

    @classmethod
    def read(cls, X_priv: Any, n_samples: int, regular_names: Sequence[str]) -> "PrivilegedTable":
        """Check a table of privileged features beside the regular one."""
        refuse_unusable_columns(X_priv)
        shape = np.shape(X_priv)
        if len(shape) != 2:
            raise ValueError(
                "X_priv must be a table with a column for each privileged feature; it has "
                f"{len(shape)} dimension(s). Write X_priv.reshape(-1, 1) for a single one."
            )
        if shape[1] == 0:
            raise ValueError("X_priv has no columns; leave it None if nothing is privileged.")
        try:
            values = check_array(X_priv, dtype=np.float64, input_name="X_priv")
        except (ValueError, TypeError) as error:
            refuse_text(X_priv, error, _PRIVILEGED)
            refuse_gaps(X_priv, error, "X_priv", _PRIVILEGED)
            raise
        if len(values) != n_samples:
            raise ValueError(
                f"X_priv must have a row for each of the {n_samples} samples of X; it has "
                f"{len(values)}."
            )
        names = tuple(
            str(name)
            for name in getattr(
                X_priv, "columns", [f"{_PRIVILEGED}{k}" for k in range(values.shape[1])]
            )
        )
        has_names = hasattr(X_priv, "columns")
        if shared := sorted(set(names) & {str(name) for name in regular_names if has_names}):
            raise ValueError(
                f"A feature is either regular or privileged, but {shared} occur in X and in "
                "X_priv; rename or drop them on one side."
            )
        return cls(values, names)

    def scaled(self, counted: Any, weight: FloatArray, *, standardize: bool) -> Table:
        """The counted rows, scaled; a column of one value is refused."""
        values, weight = self.values[counted], weight[counted]
        scaling = Scaling.of(values, weight, standardize=standardize)
        table = Table(self.names, scaling.apply(values), scaling.varies)
        if table.constant:
            raise ValueError(
                f"Privileged features must vary, but {list(table.constant)} have one value only; "
                "drop them."
            )
        return table


@dataclass(frozen=True, eq=False)
class Labels:
    """Classes in ascending order; samples are coded by their ranks.

    Attributes
    ----------
    classes : array
        Those that were seen.
    declared : list or None
        All there are, where the user said so.
    weightless : tuple
        Those of which no sample counts.
    """

    classes: Any
    declared: list[Any] | None = None
    weightless: tuple[Any, ...] = ()

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
        return _in_given_order(y, values, order)
    unordered = [label for label in values.tolist() if not isinstance(label, Real)]
    if unordered:
        raise ValueError(
            f"y holds labels such as {unordered[0]!r}, whose order cannot be known. Give it as "
            "classes=[lowest, ..., highest], or y as an ordered pandas Categorical or polars Enum; "
            "if there is none, use ClassificationRelevance."
        )
    fractions = [label for label in values.tolist() if label % 1]
    if fractions:
        raise ValueError(
            "Unknown label type: continuous. Ordered classes were expected, but y holds fractions "
            f"such as {fractions[0]}. Cut it into classes first, or use RegressionRelevance."
        )
    return _several(y, np.unique(_as_given(y, values)))


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


def _in_given_order(y: Any, values: Any, classes: list[Any]) -> Labels:
    if len(set(classes)) < len(classes):
        raise ValueError(f"classes={classes} lists a class twice; list each once, in order.")
    there = set(values.tolist())
    unknown = sorted(there - set(classes), key=str)
    if unknown:
        raise ValueError(f"y holds {unknown}, which classes={classes} does not list; add them.")
    seen = np.array([each for each in classes if each in there], dtype=values.dtype)
    return _several(y, seen, declared=classes)


def sorted_labels(y: Any, values: Any) -> Labels:
    """Labels of classes without order, sorted; of two the last one is the upper one."""
    return _several(y, np.unique(_as_given(y, values)))


def _several(y: Any, classes: Any, declared: list[Any] | None = None) -> Labels:
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only, {classes.tolist()}; at least two classes are needed."
        )
    weightless = set(np.ravel(np.asarray(y)).tolist()) - set(classes.tolist())
    return Labels(classes, declared, tuple(weightless))


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
    def classes(self) -> tuple[Any, ...] | None:
        """The labels in ascending order; None if there are none."""
        return None if self.labels is None else tuple(self.labels.classes.tolist())

    @property
    def declared(self) -> tuple[Any, ...]:
        """All classes there may be: those that the user listed, else those of y."""
        if self.labels is None:
            return ()
        listed = self.labels.declared
        return (*(self.classes or ()), *self.labels.weightless) if listed is None else tuple(listed)

    def decode(self, predicted: FloatArray) -> Any:
        if self.labels is None:
            return self.centre + self.scale * predicted
        return self.labels.decode(predicted)
