"""What are columns called? Every one has a name, and names differ."""

from collections.abc import Iterable, Sequence

from relbounds.intake.journal import Journal
from relbounds.wording.text import listed


def readable_names(cells: Sequence[object], journal: Journal) -> list[str]:
    """Names of columns from the cells of a header; what had to be changed is noted."""
    given = [text_of(cell) for cell in cells]
    filled = [name or f"column {place}" for place, name in enumerate(given, start=1)]
    if nameless := [name for name, cell in zip(filled, given, strict=True) if not cell]:
        journal.note(f"Columns without a name were called {listed(nameless)}.")
    names = apart(filled)
    if renamed := [new for new, old in zip(names, filled, strict=True) if new != old]:
        journal.note(f"Column names that occur more than once were told apart: {listed(renamed)}.")
    return names


def made_up_names(width: int) -> list[str]:
    """``column 1``, ``column 2``, ... for a table without a header."""
    return [f"column {place}" for place in range(1, width + 1)]


def text_of(cell: object) -> str:
    """What stands in a cell, without the blanks around it; nothing if it is missing."""
    missing = cell is None or cell != cell  # noqa: PLR0124  (NaN differs from itself)
    return "" if missing else str(cell).strip().lstrip("\ufeff")


def apart(names: Iterable[str]) -> list[str]:
    """Names that occur again get a number: ``a``, ``a (2)``, ``a (3)``."""
    names = list(names)
    taken, found = set(names), []
    seen: set[str] = set()
    for name in names:
        number, new = 2, name
        while new in seen or (new != name and new in taken):
            number, new = number + 1, f"{name} ({number})"
        seen.add(new)
        found.append(new)
    return found
