"""What can a terminal show, and how does text fit it?"""

import os
import shutil
import textwrap
import unicodedata
from dataclasses import dataclass
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
        wants_none = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(
            stream,
            width=shutil.get_terminal_size().columns if is_terminal else WIDTH_OF_FILES,
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

    @classmethod
    def of(cls, terminal: Terminal) -> "Marks":
        """Those that a terminal can show."""
        return _UNICODE if terminal.has_unicode else _ASCII


_UNICODE = Marks(("○", "◆", "■"), "█", "·", "┆", "…", "·")
_ASCII = Marks((".", "o", "#"), "=", "-", "|", "...", "-")


def fitted(text: str, width: int, ellipsis: str = "...") -> str:
    """A text of exactly this width: padded, or cut in the middle."""
    if columns_of(text) <= width:
        return text + " " * (width - columns_of(text))
    left = right = ""
    room = width - len(ellipsis)
    for place in range(len(text)):
        before, after = text[: place // 2 + 1], text[len(text) - (place + 1) // 2 :]
        if columns_of(before + after) > room:
            break
        left, right = before, after
    cut = f"{left}{ellipsis}{right}"
    return cut + " " * (width - columns_of(cut))


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
