"""How is an answer written as Markdown, where names stay as they are?"""

import re

from relbounds.answer.answer import Answer
from relbounds.results.findings import Findings, arranged
from relbounds.results.records import Relevance
from relbounds.wording.evidence import KINDS, marks, on_open_ones, rule_of
from relbounds.wording.further import (
    HOW_COVERED,
    NOT_EVERY_WEAK_ONE,
    of_covers,
    of_stand_ins,
    remarks_on,
)

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
    """Whole columns, the most relevant first; values of a relevant text below it."""
    head = ["column", "side", "relevance", *_KINDS, "minrel", "maxrel", "sign"]
    lines = [_line(head), _line(["---"] * len(head))]
    for whole, features in zip(answer.whole.sides, answer.result.sides, strict=True):
        for k in arranged(whole).tolist():
            lines.append(_row(whole, k))
            levels = answer.levels_of(whole.feature_names[k]) if whole.relevance[k] else []
            lines += [_row(features, features.feature_names.index(name)) for name in levels]
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
    asked = answer.follow_ups
    parts: list[str] = []
    if asked.blocks is not None:
        parts += map(_plain, remarks_on(answer.result, asked.blocks))
    if asked.covers is not None and (told := of_covers(asked.covers)):
        parts += ["## What covers for the replaceable ones?", _items(tuple(told))]
        parts += [HOW_COVERED] * any(asked.covers.by)
    if asked.without:
        said = tuple(" ".join(sentences) for sentences in answer.absence_sentences)
        parts += ["## What if features are left out?", _items(said)]
    if asked.stand_ins is not None:
        said = tuple(of_stand_ins(asked.stand_ins))
        parts += ["## What stands in for what?", _items(said), NOT_EVERY_WEAK_ONE]
    return parts


def _row(side: Findings, k: int) -> str:
    least, most = side.intervals[k]
    ends = [f"{least:.3f}", f"{'<= ' if side.is_bounded[k] else ''}{most:.3f}"]
    sign = {1: "+", 0: "", -1: "\N{MINUS SIGN}"}[int(side.signs[k])]
    label = Relevance(side.relevance[k]).name.lower()
    name = _plain(side.feature_names[k])
    return _line([name, side.side, label, *marks(side, k), *ends, sign])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _items(sentences: tuple[str, ...]) -> str:
    return "\n".join(f"- {_plain(each)}" for each in sentences)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
