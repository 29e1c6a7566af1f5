"""What becomes of cells without a value?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relbounds.intake.columns import Column, Kind
from relbounds.intake.journal import Journal, counted, rows_left_out
from relbounds.intake.refusal import WrongInputError
from relbounds.wording import listed

POLICIES = ("impute", "drop")
MISSING_LEVEL = "missing"


def complete_rows(columns: Sequence[Column], n_rows: int, journal: Journal) -> Any:
    """Which rows have a value in every column; how many have not is noted."""
    complete = ~np.any([column.missing for column in columns], axis=0)
    n_dropped = n_rows - int(complete.sum())
    if n_dropped == n_rows:
        raise WrongInputError(
            "Every row has a missing value, so that --missing drop leaves none; use --missing "
            "impute, or leave out the columns that are mostly empty with --drop."
        )
    if n_dropped:
        journal.note(rows_left_out(n_dropped, n_rows, "with missing values"))
    return complete


def imputed(columns: Sequence[Column], journal: Journal) -> list[Column]:
    """Numbers get the median of their column, texts a level of their own; counts are noted."""
    _remark(
        [each for each in columns if each.kind != Kind.TEXT],
        "replaced by the median of {their} column",
        journal,
    )
    _remark(
        [each for each in columns if each.kind == Kind.TEXT],
        f"made a value of {{their}} own, called {MISSING_LEVEL!r}",
        journal,
    )
    return [_filled(column) if column.missing.any() else column for column in columns]


def _filled(column: Column) -> Column:
    if column.kind != Kind.TEXT:
        middle = np.median(column.values[~column.missing])
        return replace(column, values=np.where(column.missing, middle, column.values))
    levels = tuple(dict.fromkeys((*column.levels, MISSING_LEVEL)))
    place = levels.index(MISSING_LEVEL)
    return replace(column, values=np.where(column.missing, place, column.values), levels=levels)


def _remark(columns: Sequence[Column], what: str, journal: Journal) -> None:
    counts = {each.name: int(each.missing.sum()) for each in columns if each.missing.any()}
    if counts:
        shown = listed([f"{name} ({count:,})" for name, count in counts.items()])
        total = sum(counts.values())
        was, their = ("was", "its") if total == 1 else ("were", "their")
        done = what.format(their=their)
        journal.note(f"{counted(total, 'missing value')} {was} {done}: {shown}.")
