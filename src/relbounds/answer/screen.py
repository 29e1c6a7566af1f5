"""What do people read on a terminal? The data, sentences, and tables with a small picture."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.answer.answer import Answer
from relbounds.answer.terminal import (
    WIDTH_OF_FILES,
    Marks,
    Terminal,
    columns_of,
    fitted,
    fitted_apart,
    printable,
)
from relbounds.report.quality import quality
from relbounds.results.columns import ColumnFacts
from relbounds.results.findings import Findings, arranged
from relbounds.results.records import Relevance
from relbounds.wording.evidence import (
    KINDS,
    PARTLY,
    YES,
    legend,
    marks,
    on_open_ones,
    rule_of,
)
from relbounds.wording.further import (
    HOW_COVERED,
    NOT_EVERY_WEAK_ONE,
    of_covers,
    of_stand_ins,
    remarks_on,
)
from relbounds.wording.other_data import of_stability
from relbounds.wording.outcome import on_classes
from relbounds.wording.relevance import NOUNS
from relbounds.wording.text import counted

_WIDEST_NAME = 24
"""What a name gets before there is a bar."""
MOST_ROWS = 50
"""Of more features only the relevant ones are shown, and a few others."""
FEW_OTHERS = 5
MOST_LEVELS = 5
"""So many values of a text are shown below it."""
_WIDEST_BAR, _NARROWEST_BAR = 30, 8
_CLASS_NAME, _CLASS_CELL = 24, 15
"""What a feature and a class take in the table of classes."""
_NUMBERS = 41
"""What the columns between names and bars take."""
_INDENT = "  "


def screen(answer: Answer, width: int = WIDTH_OF_FILES) -> str:
    """The answer and its table, as a text."""
    stream = io.StringIO()
    terminal = Terminal(stream, width, has_unicode=True)
    show_answer(terminal, answer)
    for show in FURTHER.values():
        show(terminal, answer)
    said = answer.summary
    if unsaid := [each for each in answer.warnings if each not in said]:
        terminal.heading("Have a look at this")
        for sentence in unsaid:
            terminal.say(sentence, indent="  ", first="- ")
    if answer.notes:
        terminal.write("")
        terminal.say(
            f"What was done to the data: {counted(len(answer.notes), 'sentence')} in .notes"
        )
    return stream.getvalue().strip("\n")


def show_answer(terminal: Terminal, answer: Answer) -> None:
    """The answer in sentences, and a table for each side."""
    terminal.heading("The answer")
    for sentence in answer.summary:
        terminal.say(sentence, indent="  ", first="- ")
    if answer.result.is_degenerate:
        for sentence in on_classes(answer.result):
            terminal.say(sentence)
        return
    for whole, features in zip(answer.whole.sides, answer.result.sides, strict=True):
        _show_side(terminal, whole, features, answer)
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


def _show_side(terminal: Terminal, whole: Findings, features: Findings, answer: Answer) -> None:
    limits, noun = whole.thresholds, NOUNS[whole.side]
    if limits is None:
        return
    order = arranged(whole).tolist()
    shown = _worth_showing(whole, order)
    lines = [line for k in shown for line in _lines_of(whole, k, features, answer)]
    terminal.write("", *_Table.of(terminal, lines, noun).lines())
    if left := len(order) - len(shown):
        are = "is" if left == 1 else "are"
        terminal.say(f"{counted(left, f'more {noun}')} {are} not shown here.")
    blocks = answer.follow_ups.blocks
    remarks = [] if blocks is None or whole.side != "regular" else remarks_on(answer.result, blocks)
    for sentence in (legend(whole), *on_open_ones(whole, "?"), *remarks):
        terminal.say(sentence)
    mark = Marks.of(terminal).chance
    terminal.say(
        f"{mark} is where chance ends for a column like this one; usually that is "
        f"{limits.maxrel:.2f}."
    )
    terminal.say(rule_of(whole))
    if features.classes:
        relevant = [k for k in arranged(features).tolist() if features.relevance[k]]
        show_classes(terminal, features, _worth_showing(features, relevant))


def show_classes(terminal: Terminal, side: Findings, shown: Sequence[int]) -> None:
    """What relevant features weigh in telling each class from the rest; as many as fit a table."""
    terminal.heading("Class by class")
    ellipsis = Marks.of(terminal).ellipsis
    full = [printable(side.feature_names[k]) for k in shown]
    names = fitted_apart(full, _CLASS_NAME, ellipsis)
    fit = max(1, (terminal.width - _CLASS_NAME) // (_CLASS_CELL + 2))
    for first in range(0, len(side.classes), fit):
        some = range(first, min(first + fit, len(side.classes)))
        classes = [printable(side.classes[each]) for each in some]
        heads = fitted_apart(classes, _CLASS_CELL, ellipsis)
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


@dataclass(frozen=True)
class _Line:
    """A line of the table: a feature of a side, or a remark below one."""

    name: str
    side: Findings | None = None
    position: int = 0


def _lines_of(whole: Findings, position: int, features: Findings, answer: Answer) -> list[_Line]:
    """A column, and if it is a relevant text the values that are relevant by themselves."""
    name = whole.feature_names[position]
    line = _Line(printable(name), whole, position)
    made = [
        k for k, each in enumerate(features.feature_names) if answer.made_from.get(each) == name
    ]
    if not made or not whole.relevance[position]:
        return [line]
    by_weight = [k for k in arranged(features).tolist() if k in made and features.relevance[k]]
    levels = [
        _Line(_INDENT + printable(features.feature_names[k])[len(name) :], features, k)
        for k in by_weight[:MOST_LEVELS]
    ]
    facts = next(each for each in answer.columns if each.name == name)
    return [line, *levels, _Line(_INDENT + _compared(facts, len(made) - len(levels)))]


def _compared(facts: ColumnFacts, n_left: int) -> str:
    others = f"; {counted(n_left, 'more value')}" if n_left else ""
    return f"compared with {printable(str(facts.reference))}{others}"


@dataclass(frozen=True)
class _Table:
    """Lines of a table that fit the terminal, with bars from 0 to ``top``."""

    terminal: Terminal
    shown: Sequence[_Line]
    noun: str
    top: float

    @classmethod
    def of(cls, terminal: Terminal, shown: Sequence[_Line], noun: str) -> "_Table":
        reach = [
            value
            for line in shown
            if line.side is not None
            for value in (
                line.side.drawn_intervals[line.position, 1],
                line.side.chance[line.position],
            )
        ]
        return cls(terminal, shown, noun, float(np.nanmax([*reach, 0.0])) or 1.0)

    @property
    def marks(self) -> Marks:
        return Marks.of(self.terminal)

    def lines(self) -> list[str]:
        named = [columns_of(line.name) for line in self.shown if line.side is not None]
        longest = max(len(self.noun), *named)
        room = self.terminal.width - _NUMBERS
        width = name_width(longest, room)
        bar = min(_WIDEST_BAR, room - width)
        bar = bar if bar >= _NARROWEST_BAR else 0
        names = self._names(width)
        lines = (self._line(*each, bar) for each in zip(self.shown, names, strict=True))
        return [self._head(width, bar), *lines]

    def _names(self, width: int) -> list[str]:
        """As wide as this; what is no feature takes all the line."""
        ellipsis = self.marks.ellipsis
        named = [line.name for line in self.shown if line.side is not None]
        short = dict(zip(named, fitted_apart(named, width, ellipsis), strict=True))
        return [
            fitted(line.name, self.terminal.width, ellipsis).rstrip()
            if line.side is None
            else short[line.name]
            for line in self.shown
        ]

    def _head(self, width: int, bar: int) -> str:
        scale = f"0{f'{self.top:.2f}':>{bar - 1}}" if bar else ""
        noun = fitted(self.noun, width, self.marks.ellipsis)
        return f"{noun}  {'relevance':<12}  why  sign  least   most  {scale}".rstrip()

    def _line(self, line: _Line, name: str, bar: int) -> str:
        side, k, coloured = line.side, line.position, self.terminal.coloured
        if side is None:
            return coloured(name, "irrelevant")
        relevance = Relevance(side.relevance[k])
        label = relevance.name.lower()
        shape = f"{self.marks.shapes[relevance]} {label:<10}"
        least, most = side.intervals[k]
        end = f"{self.marks.at_most if side.is_bounded[k] else ''}{most:.2f}"
        sign = {1: "+", -1: "-", 0: " "}[int(side.signs[k])]
        why = letters(marks(side, k), self.marks.no)
        drawn = f"  {self._bar(side, k, bar)}" if bar else ""
        return (
            f"{name}  {coloured(shape, label)}  {why}  {sign:^4}  {least:5.2f}  {end:>5}"
            f"{coloured(drawn, label) if bar else ''}"
        )

    def _bar(self, side: Findings, k: int, width: int) -> str:
        """The interval on the way from 0 to the top, and a mark where chance is known to end."""
        first, last = (self._cell(value, width) for value in side.drawn_intervals[k])
        cells = [self.marks.track] * width
        cells[first : last + 1] = [self.marks.bar] * (last + 1 - first)
        if not np.isnan(limit := side.chance[k]):
            cells[self._cell(limit, width)] = self.marks.chance
        return "".join(cells)

    def _cell(self, value: float, width: int) -> int:
        return int(np.clip(value / self.top * width, 0, width - 1))


def name_width(longest: int, room: int) -> int:
    """How wide a column of names is, where so much room is left for them and for bars.

    Names go first: where a bar would be too narrow they have all the room.
    """
    room = max(room, len("feature"))
    wanted = min(longest, max(_WIDEST_NAME, room - _WIDEST_BAR))
    return wanted if room - wanted >= _NARROWEST_BAR else min(longest, room)


def letters(answers: Sequence[str], no: str) -> str:
    """A letter for each kind of evidence that speaks for a feature; open questions are ``?``."""
    return "".join(
        kind.letter if answer == YES else "?" if answer == PARTLY else no
        for kind, answer in zip(KINDS, answers, strict=True)
    )


def show_covers(terminal: Terminal, answer: Answer) -> None:
    """What covers for replaceable features, if anything."""
    found = answer.follow_ups.covers
    if found is not None and (told := of_covers(found)):
        terminal.heading("What covers for the replaceable ones?")
        for line in told:
            terminal.say(line, indent="  ", first="- ")
        if any(found.by):
            terminal.say(HOW_COVERED)


def show_stability(terminal: Terminal, answer: Answer) -> None:
    """Whether other data would say the same, if that was asked."""
    found = answer.follow_ups.stability
    if found is not None:
        terminal.heading("Would other data say the same?")
        for sentence in of_stability(found, answer.whole.regular):
            terminal.say(sentence, indent="  ", first="- ")


def show_absences(terminal: Terminal, answer: Answer) -> None:
    """What it costs to do without features, as far as it was asked."""
    if answer.absence_sentences:
        terminal.heading("What if features are left out?")
    for sentences in answer.absence_sentences:
        terminal.say(" ".join(sentences), indent="  ", first="- ")


def show_stand_ins(terminal: Terminal, answer: Answer) -> None:
    """Which features stand in for one another, if that was asked."""
    found = answer.follow_ups.stand_ins
    if found is not None:
        terminal.heading("What stands in for what?")
        for sentence in of_stand_ins(found):
            terminal.say(sentence, indent="  ", first="- ")
        terminal.say(NOT_EVERY_WEAK_ONE)


FURTHER = {
    "covers": show_covers,
    "stability": show_stability,
    "without": show_absences,
    "stand_ins": show_stand_ins,
}
"""What shows the answer to each further question, in the order of asking."""
