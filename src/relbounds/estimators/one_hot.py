"""Is there a column of 0 and 1 for every value, where one of them says nothing new?

One-hot encoding puts the columns of a text side by side, so that neighbours are all that is looked
at: one pass over the columns, whatever they are called.
"""

import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from relbounds.arrays import IntArray
from relbounds.exceptions import OneHotWarning

ENCODE_WITH_FEWER = (
    'Leave one of them out: OneHotEncoder(drop="first"), pandas.get_dummies(drop_first=True), or '
    "relbounds.analyze(frame, target=...), which does so."
)
_MOST_NAMES = 4
_GLANCE = 50  # rows that show that most columns are no indicators


def warn_of_a_column_for_every_value(values: Any, names: Sequence[str]) -> None:
    """Name columns of 0 and 1 that add up to one in every row, at the line that calls ``fit``."""
    found = [[names[column] for column in group] for group in adding_up(values)]
    if not found:
        return
    shown = "; ".join(_listed(group) for group in found[:_MOST_NAMES])
    more = len(found) - _MOST_NAMES
    warnings.warn(
        f"Columns of 0 and 1 add up to one in every row: {shown}"
        f"{f'; and {more} more such groups' if more > 0 else ''}. With a column for every value "
        "each is said by the others, and looks replaceable however much they tell together. "
        f"{ENCODE_WITH_FEWER}",
        OneHotWarning,
        stacklevel=3,
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def adding_up(values: Any) -> Iterator[list[int]]:
    """Places of neighbouring columns of 0 and 1 of which every row has a single 1.

    A window of columns that have no 1 in the same row: it loses columns on the left until the next
    one fits. Columns that cover all rows leave no place for one before them.
    """
    covered, window = np.zeros(values.shape[0], dtype=bool), deque[tuple[int, IntArray]]()
    for column in range(values.shape[1]):
        ones = _rows_of_ones(values, column)
        if ones is None:
            covered[:] = False
            window.clear()
            continue
        if not len(ones):  # a value that does not occur
            continue
        while covered[ones].any():
            covered[window.popleft()[1]] = False
        covered[ones] = True
        window.append((column, ones))
        if len(window) > 1 and covered.all():
            yield [place for place, _ in window]


def _rows_of_ones(values: Any, column: int) -> IntArray | None:
    """Where a column of 0 and 1 is 1; None if it has other values."""
    if sparse.issparse(values):
        held = slice(values.indptr[column], values.indptr[column + 1])
        filled = values.data[held] != 0
        of_filled, rows = values.data[held][filled], values.indices[held][filled]
        is_indicator = bool((of_filled == 1).all())
    else:
        cells = values[:, column]
        is_indicator = _is_indicator(cells[:_GLANCE]) and _is_indicator(cells)
        rows = np.flatnonzero(cells) if is_indicator else np.empty(0, np.int64)
    return rows if is_indicator else None


def _is_indicator(cells: Any) -> bool:
    return bool(((cells == 0) | (cells == 1)).all())
