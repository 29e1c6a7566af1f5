"""How does a table look as CSV and as Markdown?"""

import re
from typing import Any

import pandas as pd

from relbounds.arrangement import arranged
from relbounds.blocks import Blocks
from relbounds.commands.answer import Answer
from relbounds.decision import Relevance
from relbounds.follow_up_wording import (
    NOT_EVERY_WEAK_ONE,
    least_and_most,
    number_between,
    of_stand_ins,
    remarks_on,
)

_MARKUP = re.compile(r"([\\`*_\[\]<>|#~&$])")


def to_csv(answer: Answer) -> str:
    """A row for each feature, in the order of the data, with the column it was made from."""
    rows = [row for side in answer.sides for row in answer.rows(side)]
    text: str = pd.DataFrame(rows).to_csv(index=False, lineterminator="\n")
    return text


def to_markdown(answer: Answer) -> str:
    """The answer in sentences, the table, and what was done to the data."""
    parts = [
        f"# What does {_plain(answer.target)} need?",
        *map(_plain, answer.summary),
        _table(answer),
        *_further(answer),
        "## What was done to the data",
        _items(answer.notes),
    ]
    if answer.warnings:
        parts += ["## Warnings", _items(answer.warnings)]
    return "\n\n".join([*parts, "## How to compute it again", f"    {answer.command}"]) + "\n"


def _table(answer: Answer) -> str:
    """Columns of one text together, the most relevant first."""
    head = ["feature", "side", "relevance", "minrel", "maxrel", "sign"]
    lines = [_line(head), _line(["---"] * len(head))]
    for name, side in answer.sides.items():
        rows = answer.rows(name)
        lines += [_row(rows[k]) for k in arranged(side, groups=answer.groups)]
    return "\n".join(lines)


def _further(answer: Answer) -> list[str]:
    """What was asked beyond the relevance of single features."""
    asked, parts = answer.follow_ups, []
    if asked.blocks is not None:
        remarks = map(_plain, remarks_on(asked.blocks))
        parts += ["## Text columns as one", _block_table(asked.blocks), *remarks]
    if asked.without:
        said = tuple(" ".join(sentences) for sentences in answer.absence_sentences)
        parts += ["## What if features are left out?", _items(said)]
    if asked.stand_ins is not None:
        said = tuple(of_stand_ins(asked.stand_ins))
        parts += ["## What stands in for what?", _items(said), NOT_EVERY_WEAK_ONE]
    return parts


def _block_table(blocks: Blocks) -> str:
    head = ["text column", "relevance", "least total", "most total", "columns"]
    lines = [_line(head), _line(["---"] * len(head))]
    for k, (name, features) in enumerate(zip(blocks.names, blocks.features, strict=True)):
        ends = [number_between(*each, decimals=3) for each in least_and_most(blocks, k)]
        label = Relevance(blocks.relevance[k]).name.lower()
        lines.append(_line([_plain(name), label, *ends, ", ".join(map(_plain, features))]))
    return "\n".join(lines)


def _row(row: dict[str, Any]) -> str:
    ends = [f"{row[end]:.3f}" for end in ("minrel", "maxrel")]
    sign = {1: "+", 0: "", -1: "\N{MINUS SIGN}"}[row["sign"]]
    return _line([_plain(row["feature"]), row["side"], row["relevance"], *ends, sign])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _items(sentences: tuple[str, ...]) -> str:
    return "\n".join(f"- {_plain(each)}" for each in sentences)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
