"""Which whole numbers tell rows apart rather than measure something?

Different numbers alone are not enough: counts and incomes are different too, and years ascend. What
is said here was tried on the columns of 2,293 tables of R.
"""

import re

import numpy as np

from relbounds.intake.columns import Column
from relbounds.intake.texts import MOSTLY

_SURELY = re.compile(
    r"(.*[^a-z])?(id|ids|uid|uuid|guid|identifier|index|idx|key|nr|no|number|code)"
    r"|column 1|row|row[ _.]?(names?|numbers?)|unnamed.*"
    r"|case|record|patient|subject|participant|sample|person|name"
)
_PERHAPS = re.compile(r".*(id|id ?no|no|nr|num)|id.*|seq.*|obs.*|case.*|school|site|county")
"""Names of identifiers if the numbers ascend; a bid and a grid are none."""
_TIMES = re.compile(
    r".*(year|jahr|month|date|time|season|period).*"
    r"|(.*[^a-z])?(yr|age|alter|zeit|t|days?|weeks?|hours?|minutes?|seconds?)"
)
"""What tables are sorted by in their own right, one row for each."""
_ENOUGH, _MANY = 20, 100
"""So many rows that ascend, or leave no gap, do not do so by chance."""
_DENSE = 2 / 3
"""Rows of a larger table: the share of its numbers that are there."""


def looks_like_identifier(column: Column, *, is_first: bool) -> bool:
    """Whether whole numbers are all different, and count rows or are called an identifier.

    ``is_first`` : whether it is the first column of the table, where numbers of rows stand.
    """
    if not all_different(column):
        return False
    name = re.sub(r"([a-z])([A-Z])", r"\1 \2", column.name).lower()  # patientID
    if _SURELY.fullmatch(name):
        return True
    if _TIMES.fullmatch(name):
        return False
    if _leaves_no_gap(column, is_first=is_first):
        return True
    may_be = _PERHAPS.fullmatch(name) or (is_first and _density(column) >= _DENSE)
    return bool(may_be) and _ascends(column)


def all_different(column: Column) -> bool:
    n_filled = len(column.values) - int(column.missing.sum())
    return column.is_whole and len(column.distinct) == n_filled > 2


def _leaves_no_gap(column: Column, *, is_first: bool) -> bool:
    """Whether numbers are those from 1 on in whatever order, or from elsewhere and no accident."""
    values = column.distinct
    is_start = is_first or values[0] in (0, 1) or len(values) >= _MANY
    return bool(is_start and _density(column) == 1)


def _density(column: Column) -> float:
    """The share of the numbers between the ends that are there."""
    return float(len(column.distinct) / (np.ptp(column.distinct) + 1))


def _ascends(column: Column) -> bool:
    """Whether nearly all numbers are larger than the one before; parts may be swapped."""
    steps = np.diff(column.values[~column.missing])
    return bool(len(steps) >= _ENOUGH - 1 and (steps > 0).mean() >= MOSTLY)
