"""What do people read about further questions? Text columns as one, absences and stand-ins."""

from relbounds.blocks import Blocks
from relbounds.commands.answer import Answer
from relbounds.commands.marks import Marks
from relbounds.commands.terminal import Terminal, columns_of, fitted, printable
from relbounds.decision import Relevance
from relbounds.follow_up_wording import (
    NOT_EVERY_WEAK_ONE,
    least_and_most,
    number_between,
    of_stand_ins,
    remarks_on,
)

_HEAD = "text column"
_BESIDE = 27
"""What a line takes beside a name, a least and a most."""
_NARROWEST_NAME = 12


def show_further(terminal: Terminal, answer: Answer) -> None:
    """What was asked beyond the relevance of single features."""
    asked = answer.follow_ups
    if asked.blocks is not None:
        terminal.heading("Text columns as one")
        terminal.write(*_block_lines(terminal, asked.blocks))
        for sentence in remarks_on(asked.blocks):
            terminal.say(sentence)
    if asked.without:
        terminal.heading("What if features are left out?")
        for sentences in answer.absence_sentences:
            terminal.say(" ".join(sentences), indent="  ", first="- ")
    if asked.stand_ins is not None:
        terminal.heading("What stands in for what?")
        for sentence in of_stand_ins(asked.stand_ins):
            terminal.say(sentence, indent="  ", first="- ")
        terminal.say(NOT_EVERY_WEAK_ONE)


def _block_lines(terminal: Terminal, blocks: Blocks) -> list[str]:
    marks, names = Marks.of(terminal), [printable(name) for name in blocks.names]
    ends = [
        [number_between(*each, decimals=2) for each in least_and_most(blocks, k)]
        for k in range(len(names))
    ]
    room = max(5, *(len(text) for pair in ends for text in pair))
    longest = max(len(_HEAD), *map(columns_of, names))
    width = min(longest, max(_NARROWEST_NAME, terminal.width - _BESIDE - 2 * room))
    head = f"{'relevance':<12}  columns  {'least':>{room}}  {'most':>{room}}"
    lines = [f"{fitted(_HEAD, width, marks.ellipsis)}  {head}"]
    for k, (least, most) in enumerate(ends):
        relevance = Relevance(blocks.relevance[k])
        label = relevance.name.lower()
        shape = terminal.coloured(f"{marks.shapes[relevance]} {label:<10}", label)
        numbers = f"{len(blocks.features[k]):>7}  {least:>{room}}  {most:>{room}}"
        lines.append(f"{fitted(names[k], width, marks.ellipsis)}  {shape}  {numbers}")
    return lines
