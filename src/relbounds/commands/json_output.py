"""What do machines read? The schema is in docs/json.md; a change of meaning is a new number."""

import json
import math
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from relbounds._version import __version__
from relbounds.blocks import Blocks
from relbounds.commands.answer import Answer
from relbounds.decision import Relevance
from relbounds.redundancy import Redundancy

SCHEMA = 1
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "highspy", "numba")


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
        "summary": answer.summary,
        "features": [row for side in answer.sides for row in answer.rows(side)],
        "thresholds": {
            name: side.thresholds.to_dict() if side.thresholds else None
            for name, side in answer.sides.items()
        },
        "blocks": _blocks(answer.follow_ups.blocks),
        "without": _absences(answer),
        "stand_ins": _stand_ins(answer.follow_ups.stand_ins),
        "notes": list(answer.notes),
        "warnings": list(answer.warnings),
        "command": answer.command,
        "seed": answer.seed,
        "versions": versions(),
        "result": plain,
    }


def _blocks(blocks: Blocks | None) -> list[dict[str, Any]]:
    if blocks is None:
        return []
    return [
        {
            "block": name,
            "features": list(blocks.features[k]),
            "relevance": Relevance(blocks.relevance[k]).name.lower(),
            "minrel": float(blocks.intervals[k, 0]),
            "maxrel": float(blocks.intervals[k, 1]),
            "gaps": blocks.gaps[k].tolist(),
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


def versions() -> dict[str, str]:
    """Of Python, of relbounds and of the packages that numbers depend on."""
    found = {"python": platform.python_version(), "relbounds": __version__}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # an extra that is not installed
            continue
    return found


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
