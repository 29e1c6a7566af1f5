"""How is an answer written (JSON, CSV, Markdown, a page), and where does it go?

The schema of the JSON is in docs/json.md; a change of meaning is a new number.
"""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from relbounds.cli.answer import Answer
from relbounds.cli.main import FORMATS
from relbounds.cli.markdown import to_markdown
from relbounds.exceptions import WrongInputError
from relbounds.report import write_report
from relbounds.report.evidence import versions
from relbounds.results.answers import Blocks, Covers, Redundancy
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import rule_of

SCHEMA = 3


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
        "features": answer.table.to_dict("records"),
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
    rows = result.to_class_frame().reset_index().to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


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
    """A row for each feature, in the order of the data, with the column it was made from."""
    text: str = answer.table.to_csv(index=False, lineterminator="\n")
    return text


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
        covers=answer.follow_ups.covers,
    )
