"""Why can a table not be analysed as it is, and what can be done? A sentence for each case."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from relbounds.arrays import IntArray

_TO_FILL = (
    "relbounds.analyze(frame, target=...) fills gaps and says so; or fill them (for instance with "
    "scikit-learn's SimpleImputer), or leave these rows out."
)
_MOST_NAMES = 5


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
            f"Features must be numbers, but {names} hold something else. "
            "relbounds.analyze(frame, target=...) reads a table as it is; or encode these columns "
            '(for instance with scikit-learn\'s OneHotEncoder(drop="first")), or drop them.'
        ) from error


def refuse_gaps(X: Any, error: Exception, given: str = "X", prefix: str = "x") -> None:
    """Say which columns have cells that are no finite number, if that is why reading failed."""
    table = _numbers(X)
    if table is None:
        return
    names = [str(name) for name in getattr(X, "columns", ())]
    names = names or [f"{prefix}{index}" for index in range(table.shape[1])]
    for what, is_so, advice in (
        ("NaN", np.isnan, _TO_FILL),
        ("infinity (inf)", np.isinf, "Correct or drop these."),
    ):
        counts = _cells_of_columns(table, is_so)
        if counts.any():
            raise ValueError(
                f"Input {given} contains {what} in {counts.sum():,} of "
                f"{table.shape[0] * table.shape[1]:,} cells: {_counted(names, counts)}. {advice}"
            ) from error


def _numbers(X: Any) -> Any:
    """A table of real numbers, sparse ones by columns; None if it is none."""
    try:
        table = sparse.csc_array(X) if sparse.issparse(X) else np.asarray(X)
        table = table if table.dtype.kind == "c" else table.astype(np.float64)
    except (ValueError, TypeError):
        return None
    return table if table.ndim == 2 and table.dtype.kind == "f" else None


def _cells_of_columns(table: Any, is_so: Any) -> IntArray:
    """In how many cells of each column it is so."""
    if not sparse.issparse(table):
        counts: IntArray = is_so(table).sum(axis=0)
        return counts
    columns = np.repeat(np.arange(table.shape[1]), np.diff(table.indptr))
    return np.bincount(columns[is_so(table.data)], minlength=table.shape[1])


def _counted(names: Sequence[str], counts: IntArray) -> str:
    """``'age' (3), 'height' (1)``, columns with most cells first."""
    order = [k for k in np.argsort(-counts, kind="stable").tolist() if counts[k]]
    shown = [f"{names[k]!r} ({counts[k]:,})" for k in order[:_MOST_NAMES]]
    more = len(order) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more columns" if more else "")


def refuse_text_outcome(y: Any) -> None:
    """Refuse texts where the outcome has to be a number."""
    values = np.asarray(y)
    if values.dtype.kind not in "OUS" or _is_numeric(values):
        return
    texts = [value for value in values.ravel().tolist() if isinstance(value, str | bytes)]
    if texts:
        raise ValueError(
            f"y must be numbers, but holds texts such as {_first_text(texts)!r}. For classes use "
            "OrdinalRelevance(classes=[lowest, ..., highest]), or ClassificationRelevance if they "
            "have no order; pandas.to_numeric reads numbers that are written as text."
        )


def _first_text(texts: Sequence[str | bytes]) -> str | bytes:
    """The first that is no number, as that is what has to be mended."""
    return next((text for text in texts if not _is_numeric(np.array([text]))), texts[0])


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


def refuse_what_does_not_fit(shape: tuple[int, int]) -> None:
    """Say that a sparse table is made dense, if memory has no room for that."""
    try:
        np.empty(shape)
    except (MemoryError, ValueError) as error:
        size = 8 * float(shape[0]) * shape[1] / 2**30
        raise MemoryError(
            f"X is sparse, but models are fitted to dense, standardised columns: {shape[0]:,} x "
            f"{shape[1]:,} numbers take {size:,.0f} GiB, and what is computed from them up to "
            "twice as much again, which is more than there is. Select columns first (for instance "
            "with scikit-learn's VarianceThreshold or SelectKBest), or take fewer samples."
        ) from error
