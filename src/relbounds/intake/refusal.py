"""What cannot be done as it was asked, and what would help?"""

from collections.abc import Iterable
from difflib import get_close_matches

from relbounds.exceptions import RelboundsError
from relbounds.wording import listed


class WrongInputError(RelboundsError, ValueError):
    """What was asked for cannot be done as it stands."""


def unknown_column(option: str, name: str, columns: Iterable[str]) -> WrongInputError:
    """Says which column was perhaps meant, or which there are."""
    spellings = {each.casefold().strip(): each for each in reversed(list(columns))}
    close = get_close_matches(name.casefold().strip(), spellings, n=1)
    advice = (
        f"did you mean {spellings[close[0]]!r}?"
        if close
        else f"its columns are {listed(list(reversed(spellings.values())))}."
    )
    return WrongInputError(f"{option}: the table has no column {name!r}; {advice}")
