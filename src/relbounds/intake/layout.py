"""Where in a file is the table? Titles above it, and whether its first row holds names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from relbounds.exceptions import WrongInputError
from relbounds.intake.journal import Journal
from relbounds.intake.names import made_up_names, readable_names

LOOKED_AT = 1000
"""So many rows are looked at."""
MISSING = (
    *("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan"),
    *("NULL", "null", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?"),
)
"""Cells without a value. ``None`` is not among them: it is a grade ('none, mild, severe')."""
_MOSTLY = 0.9
_WIDEST_TITLE = 60
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Layout:
    """What the user says about the way a table lies in its file; None: to be found.

    Attributes
    ----------
    sheet : str or None
        Of a workbook: its name, or its number from 1.
    skip_rows : int or None
        Lines above the table.
    header : bool or None
        Whether the first row of the table holds the names of its columns.
    """

    sheet: str | None = None
    skip_rows: int | None = None
    header: bool | None = None

    def refuse(self, what: str, *options: str) -> None:
        """A sentence if one of these options was used, which are of no use for such a file."""
        used = {
            "--sheet": self.sheet is not None,
            "--skip-rows": self.skip_rows is not None,
            "--header" if self.header else "--no-header": self.header is not None,
        }
        for option in [option for option, is_used in used.items() if is_used]:
            if option in options:
                raise WrongInputError(f"{option} has no meaning for {what}; leave it out.")


AS_FOUND = Layout()


@dataclass(frozen=True)
class Start:
    """Where a table begins.

    Attributes
    ----------
    n_before : int
        Rows above it.
    names : list of str
        Of its columns.
    has_header : bool
        Whether its first row holds names.
    """

    n_before: int
    names: list[str]
    has_header: bool


def find_start(rows: Rows, layout: Layout, journal: Journal) -> Start:
    """Where the table begins, as asked or as it looks like; what was found is noted."""
    n_before = n_titles(rows) if layout.skip_rows is None and layout.header is not False else 0
    if n_before:
        title = " ".join(filter(None, (cell.strip() for cell in rows[0])))
        more = f" and {n_before - 1} more" if n_before > 1 else ""
        journal.note(
            f"What stands above the names of the columns was left out: {title[:_WIDEST_TITLE]!r}"
            f"{more} (--skip-rows 0 if it belongs to the table)."
        )
    rows = rows[n_before:]
    has_header = _found_header(rows, journal) if layout.header is None else layout.header
    if not has_header:
        return Start(n_before, made_up_names(usual_width(rows)), has_header=False)
    return Start(n_before, readable_names(_as_wide(rows), journal), has_header=True)


def _found_header(rows: Rows, journal: Journal) -> bool:
    are_names = holds_names(rows)
    if are_names is None and _ascending(rows[0]):
        journal.note(
            "The first row holds numbers, which were taken for the names of columns (--no-header "
            "if they are values)."
        )
    if are_names is False:
        journal.note(
            "The first row holds values and no names, so that columns were called column 1, "
            "column 2 and so on (--header if it does hold names)."
        )
    return are_names is not False


def _as_wide(rows: Rows) -> list[str]:
    """The header. R leaves out the name of the row names; some programs end rows twice."""
    header, *below = rows
    if below and len(below[0]) == len(header) + 1:
        return [*header, ""] if not below[0][-1].strip() else ["", *header]
    return list(header)


def usual_width(rows: Rows) -> int:
    """How many cells most rows have."""
    return Counter(map(len, rows)).most_common(1)[0][0]


def n_titles(rows: Rows) -> int:
    """How many rows stand above the names of columns.

    They fill at most half of the table's width, and what follows them are names for sure.
    """
    width = usual_width(rows)
    first = next((k for k, row in enumerate(rows) if _could_be_header(row, width)), 0)
    return first if first and holds_names(rows[first:]) else 0


def _could_be_header(row: Sequence[str], width: int) -> bool:
    n_filled = sum(bool(cell.strip()) for cell in row)
    return len(row) >= width - 1 and 2 * n_filled > width


def holds_names(rows: Rows) -> bool | None:
    """Whether the first row holds names rather than values; None if nothing tells.

    A text above numbers is a name, and so is a text above others that repeat and are never the
    same. Numbers above numbers, and a text that is found again below, are values; but numbers that
    ascend from the left to the right, such as years, may be names.
    """
    head, *below = rows
    if len(head) != usual_width(rows):
        return True  # row names, whose own name is left out
    verdicts = [_is_name(cell.strip(), _filled(below, k)) for k, cell in enumerate(head)]
    if any(verdicts):
        return True
    values = [cell for cell, verdict in zip(head, verdicts, strict=True) if verdict is False]
    return None if _ascending(values) or not values else False


def _filled(rows: Rows, place: int) -> list[str]:
    cells = [row[place].strip() for row in rows if place < len(row)]
    return [cell for cell in cells if cell not in MISSING]


def _is_name(cell: str, below: list[str]) -> bool | None:
    if cell in MISSING or not any(map(str.isalnum, cell)) or len(below) < 2:
        return None
    if sum(map(_like_a_number, below)) >= _MOSTLY * len(below):
        return not _like_a_number(cell)
    different = set(below)
    return cell not in different if 2 * len(different) <= len(below) else None


def _like_a_number(cell: str) -> bool:
    """Whether there are digits and no letters: a number, also one with a unit, or a date."""
    try:
        return bool(float(cell) or True)
    except ValueError:
        return any(map(str.isdigit, cell)) and not any(map(str.isalpha, cell))


def _ascending(cells: Sequence[str]) -> bool:
    """Whether whole numbers become larger from one to the next, as years and numbers of columns."""
    if not cells or not all(cell.strip().isdecimal() for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return all(one < other for one, other in pairwise(numbers))
