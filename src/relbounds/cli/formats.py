"""What is there to tell, and how is it written for machines? JSON, CSV and Markdown.

The schema of the JSON is in docs/json.md; a change of meaning is a new number.
"""

import json
import math
import platform
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pandas as pd

from relbounds._version import __version__
from relbounds.intake import Prepared
from relbounds.results.answers import Blocks, FollowUps, Redundancy
from relbounds.results.findings import Findings, arranged
from relbounds.results.parts import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.further import (
    NOT_EVERY_WEAK_ONE,
    least_and_most,
    of_absence,
    of_blocks,
    of_stand_ins,
    remarks_on,
)
from relbounds.wording.relevance import summary, why_degenerate_in_shell
from relbounds.wording.text import number_between


@dataclass(frozen=True, eq=False)
class Answer:
    """A result with where it comes from.

    Attributes
    ----------
    result : RelevanceResult
    prepared : Prepared
    source, target : str
        Names of the file and of the column to explain.
    warnings : tuple of str
        Those of reading and those of fitting.
    command : str
        The command that gives this answer again.
    seed : int
    follow_ups : FollowUps
        Answers to further questions.
    """

    result: RelevanceResult
    prepared: Prepared
    source: str
    target: str
    warnings: tuple[str, ...]
    command: str
    seed: int
    follow_ups: FollowUps

    @property
    def groups(self) -> dict[str, str]:
        return self.prepared.groups

    @property
    def notes(self) -> tuple[str, ...]:
        return self.prepared.notes

    @property
    def summary(self) -> list[str]:
        """The answer in sentences, with advice for the command line."""
        if self.result.is_degenerate:
            return [why_degenerate_in_shell(self.result)]
        return [*summary(self.result), *of_blocks(self.result, self.follow_ups.blocks)]

    @property
    def absence_sentences(self) -> list[list[str]]:
        """For each question what is said about models that do without some features."""
        return [of_absence(self.result, each, self.groups) for each in self.follow_ups.without]

    @property
    def sides(self) -> dict[str, Findings]:
        """Regular features, and privileged ones if there are any."""
        return {side.side: side for side in self.result.sides}

    def rows(self, name: str) -> list[dict[str, Any]]:
        """A row for each feature of a side, in the order of the data."""
        side = self.sides[name]
        return [
            {
                "feature": feature,
                "column": self.groups.get(feature, feature),
                "side": name,
                "relevance": Relevance(side.relevance[k]).name.lower(),
                "needed": bool(side.needed[k]),
                "minrel": float(side.intervals[k, 0]),
                "maxrel": float(side.intervals[k, 1]),
                "sign": int(side.signs[k]),
                "low": float(side.hulls[k, 0]),
                "high": float(side.hulls[k, 1]),
                "minrel_over_threshold": float(side.threshold_distances[k, 0]),
                "maxrel_over_threshold": float(side.threshold_distances[k, 1]),
            }
            for k, feature in enumerate(side.feature_names)
        ]


SCHEMA = 2
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
