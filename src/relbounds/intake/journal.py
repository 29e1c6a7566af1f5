"""What was done to the data? A sentence for everything."""

from collections.abc import Sequence
from dataclasses import dataclass, field


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


def counted(number: int, noun: str) -> str:
    """``1 row``, ``1,200 rows``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def rows_left_out(number: int, of: int, which: str) -> str:
    """``1 row with gaps was left out; 20 rows stay.``, where ``which`` is ``with gaps``."""
    were, stay = "was" if number == 1 else "were", "stays" if of - number == 1 else "stay"
    return (
        f"{counted(number, 'row')} {which} {were} left out; {counted(of - number, 'row')} {stay}."
    )


def is_or_are(names: Sequence[object]) -> str:
    return "is" if len(names) == 1 else "are"


def was_or_were(names: Sequence[object]) -> str:
    return "was" if len(names) == 1 else "were"
