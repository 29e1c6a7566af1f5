"""What do people read on a terminal? The data, sentences, and tables with a small picture."""

import logging
import os
import shutil
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from relbounds.cli.answer import Answer
from relbounds.intake import Prepared
from relbounds.intake.target import class_name
from relbounds.report.quality import quality
from relbounds.results.answers import Blocks
from relbounds.results.findings import Findings, arranged
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import (
    KINDS,
    PARTLY,
    YES,
    block_marks,
    legend,
    marks,
    on_open_ones,
    rule_of,
)
from relbounds.wording.further import (
    HOW_COVERED,
    NOT_EVERY_WEAK_ONE,
    least_and_most,
    of_covers,
    of_stand_ins,
    remarks_on,
)
from relbounds.wording.outcome import on_classes
from relbounds.wording.relevance import NOUNS
from relbounds.wording.text import counted, number_between

WIDTH_OF_FILES = 100
_COLOURS = {"strong": "1;34", "weak": "33", "irrelevant": "2", "heading": "1"}
_TEXT_COLUMN = "text column"
_BESIDE = 32
"""What the line of a text column takes beside its name, its least and its most."""
_NARROWEST_NAME, _WIDEST_NAME = 12, 24
"""What a name gets before a bar grows beyond its narrowest, if there is room."""
MOST_ROWS = 50
"""Of more features only the relevant ones are shown, and a few others."""
FEW_OTHERS = 5
_WIDEST_BAR, _NARROWEST_BAR = 30, 8
_CLASS_NAME, _CLASS_CELL = 24, 15
"""What a feature and a class take in the table of classes."""
_NUMBERS = 41
"""What the columns between names and bars take."""
_log = logging.getLogger(__name__)


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


def warn(sentences: Sequence[str]) -> None:
    """Say what a reader has to know, where answers for machines are not disturbed."""
    for sentence in sentences:
        _log.warning("Warning: %s", sentence)


def show_data(terminal: Terminal, prepared: Prepared, target: str) -> None:
    """What was read and done; shown before the long wait, in case it is not what was meant."""
    order = f" ({' < '.join(map(class_name, prepared.classes))})" if prepared.classes else ""
    size = f"{counted(len(prepared.X), 'row')}, {counted(prepared.X.shape[1], 'feature')}"
    if prepared.X_priv is not None:
        size += f" and {counted(prepared.X_priv.shape[1], 'privileged feature')}"
    terminal.say(f"What does {target} need? {prepared.task.capitalize()}{order}, {size}.")
    terminal.heading("What was done to the data")
    for note in prepared.notes:
        terminal.say(note, indent="  ", first="- ")


def show_answer(terminal: Terminal, answer: Answer) -> None:
    """The answer in sentences, and a table for each side."""
    terminal.heading("The answer")
    for sentence in answer.summary:
        terminal.say(sentence, indent="  ", first="- ")
    if answer.result.is_degenerate:
        for sentence in on_classes(answer.result):
            terminal.say(sentence)
        return
    for side in answer.result.sides:
        _show_side(terminal, side, answer)
    show_further(terminal, answer)
    terminal.write("")
    for sentence in _explanations(answer):
        terminal.say(sentence)


def _explanations(answer: Answer) -> list[str]:
    result = answer.result
    meaning = (
        "least, most: the share of the best model's weight that good models give a feature. "
        "sign: the direction of its effect, where all good models agree."
    )
    sentences = [meaning]
    checked = quality(result)
    if checked["score"]:
        sentences.append(f"{checked['score']} {checked['guessing']}".rstrip())
    sentences += checked["classes"]
    if result.tolerances is not None:
        sentences.append(
            f"Good models are those within {result.tolerances.norm:.1%} of the best, the tolerance "
            f"(C = {result.hyperparameters['C']:.3g}, seed {answer.seed})."
        )
    return sentences


def _show_side(terminal: Terminal, side: Findings, answer: Answer) -> None:
    limits, noun = side.thresholds, NOUNS[side.side]
    if limits is None:
        return
    order = arranged(side, made_from=answer.made_from).tolist()
    shown = _worth_showing(side, order)
    terminal.write("", *_Table(terminal, side, noun).lines(shown))
    if left := len(order) - len(shown):
        are = "is" if left == 1 else "are"
        terminal.say(f"{counted(left, f'more {noun}')} {are} in the files below.")
    for sentence in (legend(side), *on_open_ones(side, "?")):
        terminal.say(sentence)
    mark = Marks.of(terminal).chance
    terminal.say(
        f"{mark} is where chance ends for a column like this one; usually that is "
        f"{limits.maxrel:.2f}."
    )
    terminal.say(rule_of(side))
    if side.classes:
        show_classes(terminal, side, [k for k in shown if side.relevance[k]])


def show_classes(terminal: Terminal, side: Findings, shown: Sequence[int]) -> None:
    """What relevant features weigh in telling each class from the rest; as many as fit a table."""
    terminal.heading("Class by class")
    ellipsis = Marks.of(terminal).ellipsis
    names = [fitted(printable(side.feature_names[k]), _CLASS_NAME, ellipsis) for k in shown]
    fit = max(1, (terminal.width - _CLASS_NAME) // (_CLASS_CELL + 2))
    for first in range(0, len(side.classes), fit):
        some = range(first, min(first + fit, len(side.classes)))
        heads = [fitted(printable(side.classes[each]), _CLASS_CELL, ellipsis) for each in some]
        terminal.write("  ".join([" " * _CLASS_NAME, *heads]).rstrip())
        for k, name in zip(shown, names, strict=True):
            terminal.write(
                "  ".join([name, *(_class_cell(side, k, each) for each in some)]).rstrip()
            )
    terminal.say(
        "least to most weight in telling the class from the rest; + or -: larger values speak for "
        "or against it in all good models; *: needed for that."
    )


def _class_cell(side: Findings, feature: int, position: int) -> str:
    least, most = side.intervals_of_classes[feature, position]
    sign = {1: "+", -1: "-", 0: " "}[int(side.signs_of_classes[feature, position])]
    needed = "*" if side.needed_of_classes[feature, position] else " "
    return f"{least:4.2f} to {most:4.2f} {sign}{needed}"


def _worth_showing(side: Findings, order: Sequence[int]) -> list[int]:
    if len(order) <= MOST_ROWS:
        return list(order)
    relevant = [k for k in order if side.relevance[k] > Relevance.IRRELEVANT][:MOST_ROWS]
    others = [k for k in order if side.relevance[k] == Relevance.IRRELEVANT][:FEW_OTHERS]
    chosen = {*relevant, *others}
    return [k for k in order if k in chosen]


class _Table:
    """Lines of a table that fit the terminal."""

    def __init__(self, terminal: Terminal, side: Findings, noun: str) -> None:
        self.terminal, self.side, self.noun = terminal, side, noun
        self.marks = Marks.of(terminal)
        self.top = float(np.nanmax([*side.intervals[:, 1], *side.chance])) or 1.0

    def lines(self, shown: Sequence[int]) -> list[str]:
        names = {k: printable(self.side.feature_names[k]) for k in shown}
        longest = max(len(self.noun), *(columns_of(name) for name in names.values()))
        room = self.terminal.width - _NUMBERS
        width = name_width(longest, room)
        bar = min(_WIDEST_BAR, room - width)
        bar = bar if bar >= _NARROWEST_BAR else 0
        return [
            self._head(width, bar),
            *(self._line(k, fitted(names[k], width, self.marks.ellipsis), bar) for k in shown),
        ]

    def _head(self, width: int, bar: int) -> str:
        scale = f"0{f'{self.top:.2f}':>{bar - 1}}" if bar else ""
        noun = fitted(self.noun, width, self.marks.ellipsis)
        return f"{noun}  {'relevance':<12}  why  sign  least   most  {scale}".rstrip()

    def _line(self, k: int, name: str, bar: int) -> str:
        relevance = Relevance(self.side.relevance[k])
        label = relevance.name.lower()
        shape = f"{self.marks.shapes[relevance]} {label:<10}"
        least, most = self.side.intervals[k]
        sign = {1: "+", -1: "-", 0: " "}[int(self.side.signs[k])]
        why = letters(marks(self.side, k), self.marks.no)
        drawn = f"  {self._bar(k, bar)}" if bar else ""
        coloured = self.terminal.coloured
        return (
            f"{name}  {coloured(shape, label)}  {why}  {sign:^4}  {least:5.2f}  {most:5.2f}"
            f"{coloured(drawn, label) if bar else ''}"
        )

    def _bar(self, k: int, width: int) -> str:
        """The interval on the way from 0 to the top, and a mark where chance is known to end."""
        first, last = (self._cell(value, width) for value in self.side.intervals[k])
        cells = [self.marks.track] * width
        cells[first : last + 1] = [self.marks.bar] * (last + 1 - first)
        if not np.isnan(limit := self.side.chance[k]):
            cells[self._cell(limit, width)] = self.marks.chance
        return "".join(cells)

    def _cell(self, value: float, width: int) -> int:
        return int(np.clip(value / self.top * width, 0, width - 1))


def name_width(longest: int, room: int) -> int:
    """How wide a column of names is, where so much room is left for them and for bars."""
    wanted = max(_NARROWEST_NAME, room - _WIDEST_BAR, min(_WIDEST_NAME, room - _NARROWEST_BAR))
    return min(longest, wanted, max(room, len("feature")))


def letters(answers: Sequence[str], no: str) -> str:
    """A letter for each kind of evidence that speaks for a feature; open questions are ``?``."""
    return "".join(
        kind.letter if answer == YES else "?" if answer == PARTLY else no
        for kind, answer in zip(KINDS, answers, strict=True)
    )


def show_further(terminal: Terminal, answer: Answer) -> None:
    """What was asked beyond the relevance of single features."""
    asked = answer.follow_ups
    if asked.blocks is not None:
        terminal.heading("Text columns as one")
        terminal.write(*_block_lines(terminal, answer.result, asked.blocks))
        for sentence in remarks_on(answer.result, asked.blocks):
            terminal.say(sentence)
    if asked.covers is not None and (told := of_covers(asked.covers)):
        terminal.heading("What covers for the replaceable ones?")
        for line in told:
            terminal.say(line, indent="  ", first="- ")
        terminal.say(HOW_COVERED)
    if asked.without:
        terminal.heading("What if features are left out?")
        for sentences in answer.absence_sentences:
            terminal.say(" ".join(sentences), indent="  ", first="- ")
    if asked.stand_ins is not None:
        terminal.heading("What stands in for what?")
        for sentence in of_stand_ins(asked.stand_ins):
            terminal.say(sentence, indent="  ", first="- ")
        terminal.say(NOT_EVERY_WEAK_ONE)


def _block_lines(terminal: Terminal, result: RelevanceResult, blocks: Blocks) -> list[str]:
    signs, names = Marks.of(terminal), [printable(name) for name in blocks.names]
    ends = [
        [number_between(*each, decimals=2) for each in least_and_most(blocks, k)]
        for k in range(len(names))
    ]
    room = max(5, *(len(text) for pair in ends for text in pair))
    longest = max(len(_TEXT_COLUMN), *map(columns_of, names))
    beside = terminal.width - _BESIDE - 2 * room
    width = min(longest, max(len("feature"), beside))
    head = f"{'relevance':<12}  why  columns  {'least':>{room}}  {'most':>{room}}"
    lines = [f"{fitted(_TEXT_COLUMN, width, signs.ellipsis)}  {head}"]
    for k, (least, most) in enumerate(ends):
        relevance = Relevance(blocks.relevance[k])
        label = relevance.name.lower()
        shape = terminal.coloured(f"{signs.shapes[relevance]} {label:<10}", label)
        why = letters(block_marks(result, blocks, k), signs.no)
        numbers = f"{len(blocks.features[k]):>7}  {least:>{room}}  {most:>{room}}"
        lines.append(f"{fitted(names[k], width, signs.ellipsis)}  {shape}  {why}  {numbers}")
    return lines


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
