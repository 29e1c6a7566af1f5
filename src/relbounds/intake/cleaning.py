"""What is left out, filled, and remarked on?"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relbounds.exceptions import WrongInputError
from relbounds.intake.columns import Column, Kind
from relbounds.intake.identifiers import all_different, looks_like_identifier
from relbounds.intake.journal import Journal
from relbounds.wording.text import counted, is_or_are, listed, rows_left_out, was_or_were

MOST_NAMES = 30
"""So many columns that are left out are named."""
MISSING_LEVEL = "missing"
_MARKS = {"commas": "Commas", "points": "Points", "blanks": "Blanks or apostrophes"}


def usable(
    columns: Sequence[Column],
    wanted: Collection[str],
    journal: Journal,
    *,
    first: str | None = None,
) -> list[Column]:
    """The columns that can be analysed; the others are named, with the reason.

    ``wanted`` are columns that were asked for by name: what is in them is no identifier. ``first``
    is the first column of the table, where numbers of rows stand.
    """

    def is_name(column: Column) -> bool:
        return column.name not in wanted and hardly_repeats(column)

    def is_identifier(column: Column) -> bool:
        is_first = column.name == first
        return column.name not in wanted and looks_like_identifier(column, is_first=is_first)

    columns = _without(columns, lambda column: not len(column.distinct), "no values", journal)
    columns = without_constants(columns, journal)
    columns = _without(columns, is_name, "texts that hardly repeat", journal)
    columns = _without(
        columns, is_identifier, "a different number in every row, as identifiers have", journal
    )
    _remark_different_numbers(columns, wanted, journal)
    return columns


def without_constants(
    columns: Sequence[Column], journal: Journal, *, gaps_count: bool = True
) -> list[Column]:
    """A column of a single value says nothing, unless gaps in a text count as another one."""

    def is_constant(column: Column) -> bool:
        has_gaps = column.kind == Kind.TEXT and bool(column.missing.any())
        return len(column.distinct) + (gaps_count and has_gaps) <= 1

    return _without(columns, is_constant, "one value only", journal)


def hardly_repeats(column: Column) -> bool:
    """Whether more than half of the texts are different, as those of names and remarks."""
    n_filled = len(column.values) - int(column.missing.sum())
    return column.kind == Kind.TEXT and len(column.distinct) > n_filled / 2


def _remark_different_numbers(
    columns: Sequence[Column], wanted: Collection[str], journal: Journal
) -> None:
    names = [each.name for each in columns if each.name not in wanted and all_different(each)]
    if names:
        journal.note(
            f"Every row has a different whole number in {listed(names)}, which {was_or_were(names)}"
            " taken for a measurement; if it is an identifier, leave it out with --drop."
        )


def _without(
    columns: Sequence[Column], useless: Callable[[Column], bool], reason: str, journal: Journal
) -> list[Column]:
    verdicts = [useless(column) for column in columns]
    names = [each.name for each, is_useless in zip(columns, verdicts, strict=True) if is_useless]
    if names:
        has = "it has" if len(names) == 1 else "each has"
        shown = listed(names, MOST_NAMES)
        journal.note(f"{shown} {was_or_were(names)} left out: {has} {reason}.")
        journal.useless |= dict.fromkeys(names, reason)
    return [each for each, is_useless in zip(columns, verdicts, strict=True) if not is_useless]


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
    return [filled(column) for column in columns]


def filled(column: Column) -> Column:
    """Without gaps; a column of numbers that are all missing stays as it is."""
    if not column.missing.any():
        return column
    if column.kind != Kind.TEXT and column.missing.all():
        return column
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


def remark(columns: Sequence[Column], journal: Journal) -> None:
    """Notes and warnings on how the columns were read."""
    _remark_separators(columns, journal)
    _remark_units(columns, journal)
    _remark_dates(columns, journal)
    if kept := [each for each in columns if each.reading.kept]:
        texts = [f"{each.name} ({_quoted(each.reading.kept)})" for each in kept]
        journal.note(
            "Texts that repeat among few numbers are values of their own, so that these columns "
            f"count as text: {listed(texts)}."
        )
    if strays := [each for each in columns if each.reading.strays]:
        journal.warn(
            "Some cells among numbers or dates are neither and count as missing: "
            f"{listed([_strays(each) for each in strays])}."
        )
    if infinite := [each for each in columns if each.reading.n_infinite]:
        counts = [f"{each.name} ({each.reading.n_infinite})" for each in infinite]
        journal.warn(f"Infinite numbers count as missing: {listed(counts)}.")


def _quoted(texts: Sequence[str]) -> str:
    return listed([repr(text) for text in texts], most=3)


def _strays(column: Column) -> str:
    return f"{column.name} ({column.reading.n_strays}: {_quoted(column.reading.strays)})"


def _remark_units(columns: Sequence[Column], journal: Journal) -> None:
    if measured := [each for each in columns if each.reading.unit]:
        units = [f"{each.name} in {each.reading.unit!r}" for each in measured]
        journal.note(f"Units beside numbers were left out: {listed(units, MOST_NAMES)}.")
    if bare := [f"{each.name} ({each.reading.n_bare})" for each in measured if each.reading.n_bare]:
        journal.warn(
            f"Numbers without a unit were taken to have that of the others: {listed(bare)}."
        )
    for each in [each for each in columns if each.reading.units]:
        journal.warn(
            f"{each.name} has numbers in {different_units(each)}, and was read as text; write all "
            "in one, or leave the column out with --drop."
        )


def different_units(column: Column) -> str:
    """What numbers of a column are in, and where that changes."""
    units, row = column.reading.units, column.reading.row
    if len(units) == 1:
        return f"{units[0]!r} and others without a unit (row {row})"
    return f"different units, {_quoted(units)} (row {row} is not in {units[0]!r})"


def _remark_separators(columns: Sequence[Column], journal: Journal) -> None:
    if decimal := [each.name for each in columns if each.reading.decimal_comma]:
        journal.note(f"Commas are decimal commas in {listed(decimal)}.")
        _warn_of_points(columns, journal)
    for mark, words in _MARKS.items():
        if names := [each.name for each in columns if each.reading.thousands == mark]:
            journal.note(f"{words} separate thousands in {listed(names)}.")


def _warn_of_points(columns: Sequence[Column], journal: Journal) -> None:
    """Where others have decimal commas, a point may have been meant for thousands."""
    pointed = [
        each.name
        for each in columns
        if each.kind == Kind.NUMBER and not each.reading.decimal_comma and not each.is_whole
    ]
    if pointed:
        journal.warn(
            f"The file has decimal commas, but points in {listed(pointed)}, which were read as "
            "decimal points; write numbers in one way if that is wrong."
        )


def _remark_dates(columns: Sequence[Column], journal: Journal) -> None:
    dates = [each.name for each in columns if each.kind == Kind.DATE]
    if dates:
        journal.note(f"{listed(dates)} {is_or_are(dates)} counted in days since the earliest date.")
    if unsure := [each.name for each in columns if each.reading.month_first]:
        journal.warn(
            f"Dates in {listed(unsure)} were read as month/day/year and could as well be "
            "day/month/year; write them like 2024-12-31 to be sure."
        )
