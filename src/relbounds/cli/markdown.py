"""How is an answer written as Markdown, where names stay as they are?"""

import re
from collections.abc import Sequence
from typing import Any

from relbounds.cli.answer import Answer
from relbounds.results.answers import Blocks
from relbounds.results.findings import arranged
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import KINDS, block_marks, marks, on_open_ones, rule_of
from relbounds.wording.further import (
    HOW_COVERED,
    NOT_EVERY_WEAK_ONE,
    least_and_most,
    of_covers,
    of_stand_ins,
    remarks_on,
)
from relbounds.wording.text import number_between

_KINDS = tuple(kind.name for kind in KINDS)
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~&$])")


def to_markdown(answer: Answer) -> str:
    """The answer in sentences, the table, and what was done to the data."""
    parts = [
        f"# What does {_plain(answer.target)} need?",
        *map(_plain, answer.summary),
        _table(answer),
        *(_plain(each) for side in answer.result.sides for each in on_open_ones(side)),
        _plain(rule_of(answer.result.regular)),
        *_class_table(answer),
        *_further(answer),
        "## What was done to the data",
        _items(answer.notes),
    ]
    if answer.warnings:
        parts += ["## Warnings", _items(answer.warnings)]
    return "\n\n".join([*parts, "## How to compute it again", f"    {answer.command}"]) + "\n"


def _table(answer: Answer) -> str:
    """Columns of one text together, the most relevant first."""
    head = ["feature", "side", "relevance", *_KINDS, "minrel", "maxrel", "sign"]
    table, lines = answer.table, [_line(head), _line(["---"] * len(head))]
    for side in answer.result.sides:
        rows = table[table["side"] == side.side].to_dict("records")
        order = arranged(side, made_from=answer.made_from).tolist()
        lines += [_row(rows[k], marks(side, k)) for k in order]
    return "\n".join(lines)


def _class_table(answer: Answer) -> list[str]:
    """What features weigh in telling each class from the rest, if classes have no order."""
    side = answer.result.regular
    if answer.result.is_degenerate or not side.classes:
        return []
    head = ["feature", *map(_plain, side.classes)]
    lines = [_line(head), _line(["---"] * len(head))]
    for k in arranged(side, made_from=answer.made_from).tolist():
        cells = [
            f"{least:.3f} to {most:.3f}{' (needed)' * bool(needed)}"
            for (least, most), needed in zip(
                side.intervals_of_classes[k], side.needed_of_classes[k], strict=True
            )
        ]
        lines.append(_line([_plain(side.feature_names[k]), *cells]))
    return ["## Class by class", "\n".join(lines)]


def _further(answer: Answer) -> list[str]:
    """What was asked beyond the relevance of single features."""
    asked, parts = answer.follow_ups, []
    if asked.blocks is not None:
        remarks = map(_plain, remarks_on(answer.result, asked.blocks))
        parts += ["## Text columns as one", _block_table(answer.result, asked.blocks), *remarks]
    if asked.covers is not None and (told := of_covers(asked.covers)):
        parts += ["## What covers for the replaceable ones?", _items(tuple(told)), HOW_COVERED]
    if asked.without:
        said = tuple(" ".join(sentences) for sentences in answer.absence_sentences)
        parts += ["## What if features are left out?", _items(said)]
    if asked.stand_ins is not None:
        said = tuple(of_stand_ins(asked.stand_ins))
        parts += ["## What stands in for what?", _items(said), NOT_EVERY_WEAK_ONE]
    return parts


def _block_table(result: RelevanceResult, blocks: Blocks) -> str:
    head = ["text column", "relevance", *_KINDS, "least total", "most total", "columns"]
    lines = [_line(head), _line(["---"] * len(head))]
    for k, (name, features) in enumerate(zip(blocks.names, blocks.features, strict=True)):
        ends = [number_between(*each, decimals=3) for each in least_and_most(blocks, k)]
        label = Relevance(blocks.relevance[k]).name.lower()
        told = [label, *block_marks(result, blocks, k), *ends]
        lines.append(_line([_plain(name), *told, ", ".join(map(_plain, features))]))
    return "\n".join(lines)


def _row(row: dict[str, Any], told: Sequence[str]) -> str:
    ends = [f"{row[end]:.3f}" for end in ("minrel", "maxrel")]
    sign = {1: "+", 0: "", -1: "\N{MINUS SIGN}"}[row["sign"]]
    return _line([_plain(row["feature"]), row["side"], row["relevance"], *told, *ends, sign])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _items(sentences: tuple[str, ...]) -> str:
    return "\n".join(f"- {_plain(each)}" for each in sentences)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
