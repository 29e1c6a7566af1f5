"""What was unusual in the way columns had to be read? One sentence for each kind of thing."""

from collections.abc import Sequence

from relbounds.intake.columns import Column, Kind
from relbounds.intake.journal import Journal, is_or_are
from relbounds.wording import listed


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
