"""How is an answer written as JSON, CSV or Markdown?

The schema of the JSON is in docs/json.md; a change of meaning is a new number.
"""

import json
import math
from collections.abc import Callable
from typing import Any

import pandas as pd

from relbounds.answer.answer import Answer
from relbounds.cli.markdown import to_markdown
from relbounds.report.evidence import versions
from relbounds.results.answers import Blocks, Covers, Redundancy
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import rule_of

SCHEMA = 3
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def to_json(answer: Answer) -> str:
    """All that was found, as text; what is no number is null."""
    return json.dumps(_without_nan(to_dict(answer)), indent=1, ensure_ascii=False, allow_nan=False)


def to_dict(answer: Answer) -> dict[str, Any]:
    """The document described in docs/json.md."""
    result = answer.result
    plain = result.to_dict()
    return {
        "schema": SCHEMA,
        "source": answer.source,
        "target": answer.target,
        "task": result.task,
        "classes": plain["data"]["classes"],
        "n_samples": result.data.n_samples,
        "n_groups": result.data.n_groups,
        "summary": answer.summary,
        "rule": _rule(result),
        "columns": _rows(answer.to_frame()),
        "features": _rows(_features(answer)),
        "of_classes": _of_classes(result),
        "thresholds": {
            side.side: side.thresholds.to_dict() if side.thresholds else None
            for side in result.sides
        },
        "blocks": _blocks(answer.follow_ups.blocks),
        "without": _absences(answer),
        "stand_ins": _stand_ins(answer.follow_ups.stand_ins),
        "covers": _covers(answer.follow_ups.covers),
        "notes": list(answer.notes),
        "warnings": list(answer.warnings),
        "command": answer.command,
        "seed": answer.seed,
        "versions": versions(),
        "result": plain,
    }


def _features(answer: Answer) -> pd.DataFrame:
    """A row for each feature, the column that it was made from, and whether it is a close call."""
    close = [bool(each) for side in answer.result.sides for each in side.is_close]
    return answer.to_frame(levels=True).assign(close=close)


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table.reset_index().to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def _rule(result: RelevanceResult) -> dict[str, Any]:
    return {
        "selection": result.selection,
        "confidence": result.confidence,
        "level": result.level,
        "sentence": rule_of(result.regular),
    }


def _of_classes(result: RelevanceResult) -> list[dict[str, Any]]:
    """A row for each feature and class; empty unless classes have no order."""
    if not result.regular.classes:
        return []
    return _rows(result.to_class_frame())


def _blocks(blocks: Blocks | None) -> list[dict[str, Any]]:
    if blocks is None:
        return []
    return [
        {
            "block": name,
            "features": list(blocks.features[k]),
            "relevance": Relevance(blocks.relevance[k]).name.lower(),
            "needed": bool(blocks.needed[k]),
            "minrel": float(blocks.intervals[k, 0]),
            "maxrel": float(blocks.intervals[k, 1]),
            "gaps": blocks.gaps[k].tolist(),
            "p_alone": float(blocks.p_alone[k]),
            "p_in_models": float(blocks.p_in_models[k]),
            "p_needed": float(blocks.p_needed[k]),
        }
        for k, name in enumerate(blocks.names)
    ]


def _absences(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "features": list(each.price.features),
            "sentences": sentences,
            "price": each.price.tolerance,
            "indispensable": each.price.is_indispensable,
            "error": each.price.error,
            "error_without": each.price.error_without,
            "became": each.became(),
        }
        for each, sentences in zip(answer.follow_ups.without, answer.absence_sentences, strict=True)
    ]


def _covers(found: Covers | None) -> list[dict[str, Any]]:
    names, by = ((), ()) if found is None else (found.names, found.by)
    return [
        {"feature": name, "covered_by": list(others)}
        for name, others in zip(names, by, strict=True)
    ]


def _stand_ins(found: Redundancy | None) -> list[dict[str, Any]] | None:
    """None if nobody asked, empty if there are none."""
    if found is None:
        return None
    return [
        {"features": list(group), "at_least_one_of": list(needed), "sentence": sentence}
        for group, needed, sentence in zip(
            found.groups, found.needed, found.sentences(), strict=True
        )
    ]


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def to_csv(answer: Answer) -> str:
    """A row for each feature, in the order of the data, with the column it was made from.

    An apostrophe stands before a text that a spreadsheet would take for a formula.
    """
    table = _features(answer).reset_index()
    text: str = table.map(_harmless).to_csv(index=False, lineterminator="\n")
    return text


def _harmless(cell: Any) -> Any:
    is_formula = isinstance(cell, str) and cell.startswith(_FORMULAS)
    return f"'{cell}" if is_formula else cell


TEXTS: dict[str, Callable[[Answer], str]] = {"json": to_json, "csv": to_csv, "md": to_markdown}
