"""What is left out, filled, and remarked on?"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relbounds.exceptions import WrongInputError
from relbounds.intake.columns import Column, Kind
from relbounds.intake.journal import Journal
from relbounds.wording.text import counted, is_or_are, listed, rows_left_out, was_or_were

MOST_NAMES = 30
"""So many columns that are left out are named."""
_NAMES_OF_IDENTIFIERS = re.compile(
    r"(.*[^a-z])?(id|ids|uid|uuid|guid|identifier|index|idx|key|nr|no|number|code)"
    r"|column \d+|row|case|record|patient|subject|participant|sample|person|name"
)
MISSING_LEVEL = "missing"


def usable(columns: Sequence[Column], wanted: Collection[str], journal: Journal) -> list[Column]:
    """The columns that can be analysed; the others are named, with the reason.

    ``wanted`` are columns that were asked for by name: what is in them is no identifier.
    """

    def is_name(column: Column) -> bool:
        return column.name not in wanted and hardly_repeats(column)

    def is_identifier(column: Column) -> bool:
        return column.name not in wanted and looks_like_identifier(column)

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


def looks_like_identifier(column: Column) -> bool:
    """Whether whole numbers are all different, and count rows or are called an identifier.

    Different whole numbers alone are not enough: counts and incomes are different too.
    """
    return _all_different(column) and (_counts_rows(column) or _is_called_so(column.name))


def _all_different(column: Column) -> bool:
    n_filled = len(column.values) - int(column.missing.sum())
    return column.is_whole and len(column.distinct) == n_filled > 2


def _counts_rows(column: Column) -> bool:
    """Whether numbers ascend from row to row, or leave no gap."""
    values = column.values[~column.missing]
    return bool((np.diff(values) > 0).all() or np.ptp(values) == len(values) - 1)


def _is_called_so(name: str) -> bool:
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)  # patientID
    return _NAMES_OF_IDENTIFIERS.fullmatch(apart.lower()) is not None


def _remark_different_numbers(
    columns: Sequence[Column], wanted: Collection[str], journal: Journal
) -> None:
    names = [each.name for each in columns if each.name not in wanted and _all_different(each)]
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
    _remark_commas(columns, journal)
    _remark_dates(columns, journal)
    if strays := [each for each in columns if each.reading.strays]:
        journal.warn(
            "Some cells among numbers or dates are neither and count as missing: "
            f"{listed([_strays(each) for each in strays])}."
        )
    if infinite := [each for each in columns if each.reading.n_infinite]:
        counts = [f"{each.name} ({each.reading.n_infinite})" for each in infinite]
        journal.warn(f"Infinite numbers count as missing: {listed(counts)}.")


def _strays(column: Column) -> str:
    shown = listed([repr(text) for text in column.reading.strays], most=3)
    return f"{column.name} ({column.reading.n_strays}: {shown})"


def _remark_commas(columns: Sequence[Column], journal: Journal) -> None:
    decimal = [each.name for each in columns if each.reading.commas == "decimal"]
    if decimal:
        journal.note(f"Commas are decimal commas in {listed(decimal)}.")
        _warn_of_points(columns, journal)
    if thousands := [each.name for each in columns if each.reading.commas == "thousands"]:
        journal.note(f"Commas separate thousands in {listed(thousands)}.")


def _warn_of_points(columns: Sequence[Column], journal: Journal) -> None:
    """Where others have decimal commas, a point may have been meant for thousands."""
    pointed = [
        each.name
        for each in columns
        if each.kind == Kind.NUMBER and each.reading.commas is None and not each.is_whole
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
