"""What is there to tell, how is it written (JSON, CSV, Markdown, a page), and where does it go?

The schema of the JSON is in docs/json.md; a change of meaning is a new number.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pandas as pd

from relbounds.cli.main import FORMATS
from relbounds.exceptions import WrongInputError
from relbounds.intake import Prepared
from relbounds.report import write_report
from relbounds.report.evidence import versions
from relbounds.results.answers import Blocks, FollowUps, Redundancy
from relbounds.results.findings import arranged
from relbounds.results.records import Relevance
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

SCHEMA = 2
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~&$])")


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
    def made_from(self) -> dict[str, str]:
        return self.prepared.made_from

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
        return [of_absence(self.result, each, self.made_from) for each in self.follow_ups.without]

    @property
    def table(self) -> pd.DataFrame:
        """``to_frame``, with the column that a feature was made from, and whether it is needed."""
        table = self.result.to_frame().reset_index()
        column = [self.made_from.get(feature, feature) for feature in table["feature"]]
        needed = [bool(each) for side in self.result.sides for each in side.needed]
        table.insert(1, "column", column)
        table.insert(4, "needed", needed)
        return table


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
        "features": answer.table.to_dict("records"),
        "thresholds": {
            side.side: side.thresholds.to_dict() if side.thresholds else None
            for side in result.sides
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


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def to_csv(answer: Answer) -> str:
    """A row for each feature, in the order of the data, with the column it was made from."""
    text: str = answer.table.to_csv(index=False, lineterminator="\n")
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
    table, lines = answer.table, [_line(head), _line(["---"] * len(head))]
    for side in answer.result.sides:
        rows = table[table["side"] == side.side].to_dict("records")
        lines += [_row(rows[k]) for k in arranged(side, made_from=answer.made_from)]
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


_TEXTS: dict[str, Callable[[Answer], str]] = {"json": to_json, "csv": to_csv, "md": to_markdown}


@dataclass(frozen=True)
class Destination:
    """Formats that are wanted, and the folder for them; without one it is standard output."""

    formats: tuple[str, ...]
    folder: Path | None

    @classmethod
    def of(cls, formats: Sequence[str], out: Path | None, table: Path) -> "Destination":
        """A single format for machines goes to standard output unless a folder is named.

        The folder is made and tried: what cannot be written is told before the long wait.
        """
        wanted = _formats(formats)
        if out is None and len(wanted) == 1 and wanted[0] in _TEXTS:
            return cls(wanted, None)
        folder = out or Path(f"{table.stem}-relevance")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise WrongInputError(
                f"Files cannot be written to {folder} ({why_not(folder, error)}); name another "
                "folder with --out."
            ) from error
        return cls(wanted, folder)

    def text(self, answer: Answer) -> str:
        """What goes to standard output."""
        return _TEXTS[self.formats[0]](answer)

    def save(self, answer: Answer) -> list[Path]:
        """Write the files; gives their paths."""
        folder = self.folder or Path()
        for each in self.formats:
            path = folder / FORMATS[each]
            if each == "html":
                _save_report(answer, path)
            else:
                path.write_text(_TEXTS[each](answer), encoding="utf-8", errors="backslashreplace")
        return [folder / FORMATS[each] for each in self.formats]


def why_not(folder: Path, error: OSError) -> str:
    """Why nothing can be written to a folder, in a few words."""
    return "it is a file, not a folder" if folder.is_file() else str(error.strerror)


def _formats(typed: Sequence[str]) -> tuple[str, ...]:
    names = [name.strip().lower() for each in typed for name in each.split(",")] or ["html"]
    if unknown := [name for name in names if name not in FORMATS]:
        raise WrongInputError(
            f"--format must be one of {', '.join(FORMATS)}, or several with commas in between; "
            f"got {unknown[0]!r}."
        )
    return tuple(dict.fromkeys(names))


def _save_report(answer: Answer, path: Path) -> None:
    write_report(
        answer.result,
        path,
        target=answer.target,
        source=answer.source,
        made_from=answer.made_from,
        notes=answer.notes,
        warnings=answer.warnings,
        command=answer.command,
        random_state=answer.seed,
        blocks=answer.follow_ups.blocks,
        without=answer.follow_ups.without,
        stand_ins=answer.follow_ups.stand_ins,
    )
