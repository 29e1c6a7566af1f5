"""What do people read? The data, the answer in sentences, and a table with a small picture."""

from collections.abc import Sequence

import numpy as np

from relbounds.arrangement import arranged
from relbounds.commands.answer import Answer
from relbounds.commands.further_people import show_further
from relbounds.commands.marks import Marks
from relbounds.commands.terminal import Terminal, columns_of, fitted, printable
from relbounds.decision import Relevance, Thresholds
from relbounds.intake import Prepared
from relbounds.intake.journal import counted
from relbounds.intake.target import class_name
from relbounds.report.quality import quality
from relbounds.result import Findings

MOST_ROWS = 50
"""Of more features only the relevant ones are shown, and a few others."""
FEW_OTHERS = 5
_WIDEST_BAR, _NARROWEST_BAR = 30, 8
_NARROWEST_NAME = 12
_NUMBERS = 36
"""What the columns between names and bars take."""


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
        return
    for name, side in answer.sides.items():
        noun = "feature" if side is answer.result else f"{name} feature"
        _show_side(terminal, side, answer, noun)
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
    if result.tolerances is not None:
        sentences.append(
            f"Good models are those within {result.tolerances.norm:.1%} of the best "
            f"(C = {result.hyperparameters['C']:.3g}, seed {answer.seed})."
        )
    return sentences


def _show_side(terminal: Terminal, side: Findings, answer: Answer, noun: str) -> None:
    limits = side.thresholds
    if limits is None:
        return
    order = arranged(side, groups=answer.groups).tolist()
    shown = _worth_showing(side, order)
    terminal.write("", *_Rows(terminal, side, limits, noun).lines(shown))
    if left := len(order) - len(shown):
        are = "is" if left == 1 else "are"
        terminal.say(f"{counted(left, f'more {noun}')} {are} in the files below.")
    terminal.say(
        f"Chance reaches {limits.minrel:.3f} (least) and {limits.maxrel:.3f} (most): a feature "
        "above both is strong, one above the second only is weak."
    )


def _worth_showing(side: Findings, order: Sequence[int]) -> list[int]:
    if len(order) <= MOST_ROWS:
        return list(order)
    relevant = [k for k in order if side.relevance[k] > Relevance.IRRELEVANT][:MOST_ROWS]
    others = [k for k in order if side.relevance[k] == Relevance.IRRELEVANT][:FEW_OTHERS]
    chosen = {*relevant, *others}
    return [k for k in order if k in chosen]


class _Rows:
    """Lines of a table that fit the terminal."""

    def __init__(self, terminal: Terminal, side: Findings, limits: Thresholds, noun: str) -> None:
        self.terminal, self.side, self.limits, self.noun = terminal, side, limits, noun
        self.marks = Marks.of(terminal)
        self.top = float(max(side.intervals[:, 1].max(), limits.maxrel)) or 1.0

    def lines(self, shown: Sequence[int]) -> list[str]:
        names = {k: printable(self.side.feature_names[k]) for k in shown}
        longest = max(len(self.noun), *(columns_of(name) for name in names.values()))
        room = self.terminal.width - _NUMBERS
        width = min(longest, max(_NARROWEST_NAME, room - _WIDEST_BAR))
        bar = min(_WIDEST_BAR, room - width)
        bar = bar if bar >= _NARROWEST_BAR else 0
        return [
            self._head(width, bar),
            *(self._line(k, fitted(names[k], width, self.marks.ellipsis), bar) for k in shown),
        ]

    def _head(self, width: int, bar: int) -> str:
        scale = f"0{f'{self.top:.2f}':>{bar - 1}}" if bar else ""
        noun = fitted(self.noun, width, self.marks.ellipsis)
        return f"{noun}  {'relevance':<12}  sign  least   most  {scale}".rstrip()

    def _line(self, k: int, name: str, bar: int) -> str:
        relevance = Relevance(self.side.relevance[k])
        label = relevance.name.lower()
        shape = f"{self.marks.shapes[relevance]} {label:<10}"
        least, most = self.side.intervals[k]
        sign = {1: "+", -1: "-", 0: " "}[int(self.side.signs[k])]
        drawn = f"  {self._bar(least, most, bar)}" if bar else ""
        coloured = self.terminal.coloured
        return (
            f"{name}  {coloured(shape, label)}  {sign:^4}  {least:5.2f}  {most:5.2f}"
            f"{coloured(drawn, label) if bar else ''}"
        )

    def _bar(self, least: float, most: float, width: int) -> str:
        """The interval on the way from 0 to the top; a mark where chance ends, if it is beyond."""
        first, last = self._cell(least, width), self._cell(most, width)
        cells = [self.marks.track] * width
        cells[first : last + 1] = [self.marks.bar] * (last + 1 - first)
        if most <= self.limits.maxrel:
            cells[self._cell(self.limits.maxrel, width)] = self.marks.chance
        return "".join(cells)

    def _cell(self, value: float, width: int) -> int:
        return int(np.clip(value / self.top * width, 0, width - 1))
