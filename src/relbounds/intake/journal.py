"""What was done to the data? A sentence for everything."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from relbounds.exceptions import WrongInputError
from relbounds.wording.text import listed


@dataclass
class Journal:
    """Notes say what was done; warnings what the reader should have a look at.

    ``useless``: columns that were left out because of what they hold, and what that is.
    """

    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    useless: dict[str, str] = field(default_factory=dict)

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)

    def warn(self, sentence: str) -> None:
        self.warnings.append(sentence)


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
