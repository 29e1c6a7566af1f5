"""Which rows are used, which belong together, and what does each count?"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.exceptions import WrongInputError
from relbounds.intake.cleaning import complete_rows, without_constants
from relbounds.intake.columns import Column, Kind, read_column
from relbounds.intake.journal import Journal
from relbounds.wording.text import rows_left_out


@dataclass(frozen=True, eq=False)
class Rows:
    """The same rows of all columns that have a role.

    Attributes
    ----------
    target : Column
    columns : list of Column
        The features.
    group, weights : Column or None
    """

    target: Column
    columns: list[Column]
    group: Column | None = None
    weights: Column | None = None

    def of(self, kept: Any) -> "Rows":
        """Some of them."""
        return Rows(
            self.target.rows(kept),
            [each.rows(kept) for each in self.columns],
            self.group and self.group.rows(kept),
            self.weights and self.weights.rows(kept),
        )

    def known(self, journal: Journal) -> "Rows":
        """Those whose target is known, and their group and weight, if rows have any."""
        known = np.ones(len(self.target.missing), dtype=bool)
        for each in (self.target, self.group, self.weights):
            if each is not None and (known & each.missing).any():
                before, known = int(known.sum()), known & ~each.missing
                which = f"without a value of {each.name}"
                journal.note(rows_left_out(before - int(known.sum()), before, which))
        if self.weights is not None and (of_none := known & (self.weights.values == 0)).any():
            before, known = int(known.sum()), known & ~of_none
            journal.note(rows_left_out(int(of_none.sum()), before, "of no weight"))
        return self if known.all() else self.of(known)

    def without_gaps(self, journal: Journal) -> "Rows":
        """Those that have a value in every column; gaps of a column of no use cost no row."""
        columns = without_constants(self.columns, journal, gaps_count=False)
        if not columns:
            return replace(self, columns=columns)
        complete = complete_rows(columns, len(self.target.values), journal)
        found = replace(self, columns=columns).of(complete)
        return replace(found, columns=without_constants(found.columns, journal))


def checked_groups(group: Column | None, journal: Journal) -> Any:
    """Which rows belong together, noted; labels that say nothing of that are refused."""
    if group is None:
        return None
    n_groups, n_rows = len(np.unique(group.values)), len(group.values)
    if n_groups in (1, n_rows):
        has = "the same value" if n_groups == 1 else "a different value"
        raise WrongInputError(
            f"--group {group.name} has {has} in every row, which does not tell which rows belong "
            "together; name a column whose values several rows share, or leave the option out."
        )
    journal.note(
        f"Rows of the same {group.name} count as one observation of all that it has as a whole: "
        f"{n_rows:,} rows of {n_groups:,}."
    )
    return group.values.astype(np.int64)


def read_weights(name: str, cells: "pd.Series[Any]", delimiter: str | None) -> Column:
    """Numbers that are not negative; what is none is refused, a gap leaves its row out."""
    column = read_column(name, cells, delimiter)
    if column.kind != Kind.NUMBER or column.reading.strays:
        row, cell = _first(cells, pd.to_numeric(cells, errors="coerce").isna() & cells.notna())
        raise WrongInputError(
            f"--weights {name} has to hold numbers, but row {row} has {str(cell)!r}; correct it, "
            "or leave the cell empty, which leaves out the row."
        )
    if (negative := column.values < 0).any():
        row, cell = _first(cells, negative)
        raise WrongInputError(
            f"--weights {name} has to hold numbers of at least 0, but row {row} has {cell}; "
            "correct it, or leave the cell empty, which leaves out the row."
        )
    if not (column.values > 0).any():
        raise WrongInputError(
            f"--weights {name}: no row has a weight above 0; name another column."
        )
    return column


def _first(cells: "pd.Series[Any]", wrong: Any) -> tuple[int, Any]:
    """The row, from 1, and the cell of the first that is wrong."""
    place = int(np.argmax(np.asarray(wrong)))
    return place + 1, cells.iloc[place]


def checked_weights(weights: Column | None, journal: Journal) -> FloatArray | None:
    """What each row counts, noted."""
    if weights is None:
        return None
    total, name = weights.values.sum(), weights.name
    counts = f" If it says how often a row was seen, say --counts {name} instead."
    journal.note(
        f"Each row is one observation that counts as much as {name} says, "
        f"{weights.values.min():.4g} to {weights.values.max():.4g}, {total:,.6g} in all."
        f"{counts if weights.is_whole and weights.values.max() > 1 else ''}"
    )
    return weights.values
