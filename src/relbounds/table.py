"""What did the user hand in? Names, constant columns and scaling of a table."""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_array

from relbounds.arrays import FloatArray
from relbounds.exceptions import ConstantFeatureWarning

_NUMBERS_AT_A_TIME = 100_000  # of a table, where every one of them is copied


def refuse_unusable_columns(X: Any) -> None:
    """Refuse names that occur twice, and dates, which would pass for numbers."""
    names = Counter(str(name) for name in getattr(X, "columns", ()))
    twice = sorted(name for name, count in names.items() if count > 1)
    if twice:
        raise ValueError(
            f"Feature names must be unique, but {twice} occur more than once; rename the columns."
        )
    if dates := _date_columns(X):
        raise ValueError(
            f"Features must be numbers, but {dates} hold dates. Turn them into numbers (for "
            "instance days since the first) or drop them."
        )


def refuse_text(X: Any, error: Exception, prefix: str = "x") -> None:
    """Say which columns are no numbers, if that may be why reading a table failed."""
    if names := _text_columns(X, prefix):
        raise ValueError(
            f"Features must be numbers, but {names} hold something else. Encode them "
            "(for instance with scikit-learn's OneHotEncoder) or drop them."
        ) from error


def _text_columns(X: Any, prefix: str) -> list[str]:
    """Names of the columns that hold text, dates or anything else but numbers."""
    if hasattr(X, "columns"):
        return [str(name) for name in X.columns if not _is_numeric(np.asarray(X[name]))]
    table = np.asarray(X, dtype=object)
    columns = table.T if table.ndim == 2 else ()
    return [f"{prefix}{index}" for index, column in enumerate(columns) if _has_text(column)]


def _date_columns(X: Any) -> list[str]:
    """Names of the columns that hold dates or durations."""
    columns = getattr(X, "columns", ())
    return [str(name) for name in columns if np.asarray(X[name][:1]).dtype.kind in "mM"]


def _is_numeric(column: Any) -> bool:
    try:
        column.astype(np.float64)
    except (ValueError, TypeError):
        return False
    return column.dtype.kind not in "mM"


def _has_text(column: Any) -> bool:
    return any(isinstance(value, str) for value in column) and not _is_numeric(column)


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


def _moments(X: FloatArray, weight: FloatArray) -> FloatArray:
    """The largest size, and mean and variance in units of it, of each column."""
    size = np.abs(X).max(axis=0)
    size[size == 0] = 1.0
    unit = X / size
    mean = np.average(unit, axis=0, weights=weight)
    variance = np.average(np.square(unit - mean), axis=0, weights=weight)
    return np.stack([size, mean, variance])


@dataclass(frozen=True, eq=False)
class Scaling:
    """``(x - centre) / spread``; spread 0 marks a constant column, which is left out.

    Attributes
    ----------
    centre, spread : (d,) arrays
    """

    centre: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, X: FloatArray, weight: FloatArray, *, standardize: bool) -> "Scaling":
        """Weighted mean and standard deviation, or 0 and 1 where columns stay as they are.

        A column whose variance is no more than rounding of its mean counts as constant. Columns
        are divided by their largest value first, so that squares neither overflow nor vanish.
        """
        width = max(1, _NUMBERS_AT_A_TIME // len(X))
        pieces = [X[:, first : first + width] for first in range(0, X.shape[1], width)]
        size, mean, variance = np.hstack([_moments(piece, weight) for piece in pieces])
        rounding = len(X) * np.finfo(np.float64).eps
        varies = variance > rounding * variance + np.square(rounding * mean)
        if not standardize:
            return cls(np.zeros(X.shape[1]), varies.astype(np.float64))
        return cls(mean * size, np.where(varies, np.sqrt(variance) * size, 0.0))

    @property
    def varies(self) -> Any:
        return self.spread > 0

    def apply(self, X: FloatArray) -> FloatArray:
        """The varying columns, scaled."""
        kept = self.varies
        scaled: FloatArray = np.compress(kept, X, axis=1)
        scaled -= self.centre[kept]
        scaled /= self.spread[kept]
        return scaled

    def constant(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names of the constant columns; said once."""
        names = tuple(str(name) for name, kept in zip(names, self.varies, strict=True) if not kept)
        if names:
            warnings.warn(
                f"{len(names)} feature(s) have one value only and get relevance zero: "
                f"{', '.join(names[:10])}{', ...' if len(names) > 10 else ''}.",
                ConstantFeatureWarning,
                stacklevel=4,
            )
        return names


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

    def scaled(self, counted: Any, weight: FloatArray, *, standardize: bool) -> FloatArray:
        """The counted rows, scaled; a column of one value is refused."""
        values, weight = self.values[counted], weight[counted]
        scaling = Scaling.of(values, weight, standardize=standardize)
        if not scaling.varies.all():
            constant = [
                name for name, varies in zip(self.names, scaling.varies, strict=True) if not varies
            ]
            raise ValueError(
                f"Privileged features must vary, but {constant} have one value only; drop them."
            )
        return scaling.apply(values)
