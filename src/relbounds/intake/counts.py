"""For how many observations does each row of a table stand? One, unless a column counts them."""

import re
from dataclasses import replace

import numpy as np

from relbounds.arrays import IntArray
from relbounds.exceptions import WrongInputError
from relbounds.intake.columns import Column, Kind, read_column
from relbounds.intake.files import RawTable
from relbounds.intake.identifiers import looks_like_identifier
from relbounds.intake.journal import Journal, unknown_column
from relbounds.wording.text import counted, listed, was_or_were

MOST_ROWS = 10_000_000
"""A table is not made longer than this."""
_NAMES = re.compile(r"freq|frequency|frequencies|counts?|n", re.IGNORECASE)
_MOST_VALUES = 20
"""Columns that are counted out have few values each."""


def counted_out(table: RawTable, name: str | None, target: str, journal: Journal) -> RawTable:
    """The table with every row as often as a column says, and without that column."""
    if name is None:
        _hint(table, target, journal)
        return table
    if name not in table.frame:
        raise unknown_column("--counts", name, table.frame.columns)
    if name == target:
        raise WrongInputError(f"The column {name!r} is named by --target and by --counts.")
    counts = _checked(read_column(name, table.frame[name], table.delimiter))
    table = _without_identifiers(table, (name, target), journal)
    frame = table.frame.drop(columns=name)
    places = np.repeat(np.arange(len(frame)), counts)
    journal.note(
        f"Each row stands for as many as {name} says: {counted(len(frame), 'row')} became "
        f"{len(places):,}."
    )
    return replace(table, frame=frame.iloc[places].reset_index(drop=True))


def _checked(column: Column) -> IntArray:
    """Whole numbers that are not negative, one for each row, and not too many in all."""
    name, values = column.name, column.values
    if column.kind != Kind.NUMBER:
        raise WrongInputError(
            f"--counts {name} has to hold whole numbers, but it is {column.kind}."
        )
    wrong = ~((values >= 0) & (values % 1 == 0))
    if wrong.any():
        row = int(wrong.argmax())
        has = "none" if np.isnan(values[row]) else f"{values[row]:g}"
        raise WrongInputError(
            f"--counts {name} has to hold whole numbers of at least 0, but row {row + 1} has "
            f"{has}; correct it, or say --weights {name} if it is a weight."
        )
    total = values.sum()
    if not 0 < total <= MOST_ROWS:
        raise WrongInputError(
            f"--counts {name} makes {total:,.0f} rows in all; between 1 and {MOST_ROWS:,} were "
            "expected. Divide all by the same number, or leave the option out."
        )
    return values.astype(np.int64)


def _without_identifiers(table: RawTable, others: tuple[str, str], journal: Journal) -> RawTable:
    """Numbers of rows can no longer be told from values once rows are repeated."""
    frame = table.frame
    useless = [
        name
        for place, name in enumerate(frame.columns)
        if name not in others
        and looks_like_identifier(
            read_column(name, frame[name], table.delimiter), is_first=place == 0
        )
    ]
    if useless:
        reason = "a different number in every row, as identifiers have"
        has = "it has" if len(useless) == 1 else "each has"
        journal.note(f"{listed(useless)} {was_or_were(useless)} left out: {has} {reason}.")
        journal.useless |= dict.fromkeys(useless, reason)
    return replace(table, frame=frame.drop(columns=useless))


def _hint(table: RawTable, target: str, journal: Journal) -> None:
    """A table that is likely to count combinations of values is not read so without being told."""
    frame = table.frame
    for name in [name for name in frame.columns if _NAMES.fullmatch(name) and name != target]:
        others = [each for each in frame.columns if each != name]
        few = [each for each in others if frame[each].astype(str).nunique() <= _MOST_VALUES]
        column = read_column(name, frame[name], table.delimiter)
        is_count = column.is_whole and not column.missing.any() and column.values.min() >= 0
        if (
            is_count
            and len(few) >= max(2, len(others) - 1)
            and not frame[few].astype(str).duplicated().any()
        ):
            journal.warn(
                f"Every row has values of its own and a number in {name}: if that is how often "
                f"they were seen, say --counts {name}."
            )
