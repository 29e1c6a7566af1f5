"""Which columns are of no use: identifiers, constants, columns without values?"""

import re
from collections.abc import Callable, Collection, Sequence

import numpy as np

from relbounds.intake.columns import Column, Kind
from relbounds.intake.journal import Journal, was_or_were
from relbounds.wording import listed

MOST_NAMES = 30
"""So many columns that are left out are named."""
_NAMES_OF_IDENTIFIERS = re.compile(
    r"(.*[^a-z])?(id|ids|uid|uuid|guid|identifier|index|idx|key|nr|no|number|code)"
    r"|column \d+|row|case|record|patient|subject|participant|sample|person|name"
)


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
