"""What can a terminal show, and how does text fit it?"""

import os
import shutil
import textwrap
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from typing import TextIO

WIDTH_OF_FILES = 100
_COLOURS = {"strong": "1;34", "weak": "33", "irrelevant": "2", "heading": "1"}


@dataclass(frozen=True)
class Terminal:
    """A stream that people read.

    Attributes
    ----------
    stream : text stream
    width : int
        In characters.
    has_colours : bool
    has_unicode : bool
        Whether it can show more than ASCII.
    """

    stream: TextIO
    width: int = WIDTH_OF_FILES
    has_colours: bool = False
    has_unicode: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> "Terminal":
        """What is known of a stream; NO_COLOR and a dumb terminal have no colours."""
        encoding = (getattr(stream, "encoding", None) or "ascii").lower()
        is_terminal = stream.isatty()
        size = shutil.get_terminal_size((WIDTH_OF_FILES, 0))  # COLUMNS, if that is set
        wants_none = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(
            stream,
            width=size.columns if is_terminal or os.environ.get("COLUMNS") else WIDTH_OF_FILES,
            has_colours=is_terminal and not wants_none,
            has_unicode=encoding.startswith("utf"),
        )

    def write(self, *lines: str) -> None:
        """Write lines; characters that the stream does not know are spelt out."""
        encoding = getattr(self.stream, "encoding", None) or "utf-8"
        text = "".join(f"{line}\n" for line in lines)
        self.stream.write(text.encode(encoding, "backslashreplace").decode(encoding))

    def say(self, sentence: str, indent: str = "", first: str | None = None) -> None:
        """Write a sentence, broken at the width of the terminal."""
        begin = indent if first is None else first
        self.write(
            *textwrap.wrap(
                printable(sentence),
                max(20, self.width),
                initial_indent=begin,
                subsequent_indent=indent,
                break_on_hyphens=False,
            )
        )

    def heading(self, text: str) -> None:
        self.write("", self.coloured(text, "heading"))

    def coloured(self, text: str, what: str) -> str:
        return f"\x1b[{_COLOURS[what]}m{text}\x1b[0m" if self.has_colours else text


@dataclass(frozen=True)
class Marks:
    """The characters of tables: shapes of the classes of relevance, and parts of bars."""

    shapes: tuple[str, str, str]
    bar: str
    track: str
    chance: str
    ellipsis: str
    no: str
    at_most: str

    @classmethod
    def of(cls, terminal: Terminal) -> "Marks":
        """Those that a terminal can show."""
        return _UNICODE if terminal.has_unicode else _ASCII


_UNICODE = Marks(("○", "◆", "■"), "█", "·", "┆", "…", "·", "≤")
_ASCII = Marks((".", "o", "#"), "=", "-", "|", "...", "-", "<")


def fitted(text: str, width: int, ellipsis: str = "...", *, left: float = 0.5) -> str:
    """A text of exactly this width: padded, or cut so that this share is kept on the left."""
    if columns_of(text) <= width:
        return text + " " * (width - columns_of(text))
    room = width - len(ellipsis)
    head = _beginning(text, room, left * room)
    tail = _beginning(text[::-1], room - columns_of(head), room)[::-1]
    cut = f"{head}{ellipsis}{tail}"
    return cut + " " * (width - columns_of(cut))


def _beginning(text: str, room: int, until: float) -> str:
    """The characters that begin before a place, as many as fit."""
    ends = list(accumulate(map(_columns_of_character, text)))
    return text[: min(bisect_right(ends, room), bisect_left([0, *ends], until))]


def fitted_apart(names: Sequence[str], width: int, ellipsis: str = "...") -> list[str]:
    """Names of exactly this width that differ if they did: cut where that can be seen, or numbered.

    >>> fitted_apart(["pressure, first visit", "pressure, last visit"], 13)
    ['p...rst visit', 'p...ast visit']
    """
    for left in (0.5, 0.25, 0.75, 0.1, 0.9):
        found = [fitted(name, width, ellipsis, left=left) for name in names]
        if len(set(found)) == len(set(names)):
            return found
    return _numbered(names, width)


def _numbered(names: Sequence[str], width: int) -> list[str]:
    """Names that have to be cut end with a number: ``pressure at~2``."""
    found = {name: fitted(name, width) for name in names if columns_of(name) <= width}
    taken = set(found.values())
    for name in dict.fromkeys(names):
        numbers = (f"~{number}" for number in count(1))
        cut = (fitted(name, width - len(number), "") + number for number in numbers)
        found.setdefault(name, next(text for text in cut if text not in taken))
        taken.add(found[name])
    return [found[name] for name in names]


def columns_of(text: str) -> int:
    """How many columns of the terminal a text takes."""
    return sum(map(_columns_of_character, text))


def _columns_of_character(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def printable(text: str) -> str:
    """Text without line ends, and without characters that steer a terminal."""
    return "".join(each if each.isprintable() else " " for each in text)
