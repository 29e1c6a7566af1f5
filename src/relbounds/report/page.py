"""How does a result become a page? One file that stands alone, and a view for notebooks."""

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from relbounds.exceptions import ReportError
from relbounds.report.evidence import (
    PAPER,
    data_facts,
    doubts,
    largest_gap,
    settings,
    stages,
    sureness,
    versions,
)
from relbounds.report.features import exact_columns, side_view
from relbounds.report.quality import quality
from relbounds.results.answers import (
    Blocks,
    ConstrainedResult,
    Covers,
    FollowUps,
    Price,
    Redundancy,
)
from relbounds.results.findings import Findings, arranged
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import (
    KINDS,
    block_marks,
    in_words,
    marks,
    rule_of,
)
from relbounds.wording.first import first_lines
from relbounds.wording.further import (
    HOW_COVERED,
    NOT_EVERY_WEAK_ONE,
    block_claim,
    least_and_most,
    of_absence,
    of_blocks,
    of_covers,
    of_stand_ins,
    remarks_on,
)
from relbounds.wording.relevance import (
    NOUNS,
    answers,
    caution,
    headline,
    needed_for_classes,
    summary,
    why_degenerate_in_shell,
)
from relbounds.wording.text import between, probability

_MOST_COLUMNS = 12
"""Of more columns only the first ones are named."""
_MOST_ROWS = 50


def write_report(
    result: RelevanceResult,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    target: str | None = None,
    source: str | None = None,
    made_from: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    command: str | None = None,
    random_state: Any = None,
    blocks: Blocks | None = None,
    without: Sequence[Price | tuple[Price, ConstrainedResult | None]] = (),
    stand_ins: Redundancy | None = None,
    covers: Covers | None = None,
) -> Path:
    """Write a result as one HTML file that stands alone: to read, to send, to print.

    Parameters
    ----------
    result : RelevanceResult
        ``result_`` of a fitted estimator.
    path : str or path
        Of the file; one that is there is replaced.
    title : str, optional
        The heading of the page.
    target : str, optional
        Name of the outcome.
    source : str, optional
        Name of the file that the data come from.
    made_from : mapping of feature names to the column each was made from, optional
        Columns made from the same one (by one-hot encoding) stay together.
    notes : sequence of str
        What was done to the data, in sentences.
    warnings : sequence of str
        What a reader must know, in sentences; they stand on top.
    command : str, optional
        What computes the result again.
    random_state : int or None
        The seed that the result was computed with.
    blocks : Blocks, optional
        Columns that count as one: what ``model.blocks()`` gives.
    without : sequence of prices
        What if features are left out: what ``model.price("age")`` gives, or a pair of it and of
        what ``model.what_if({"age": "absent"})`` gives.
    stand_ins : Redundancy, optional
        Who stands in for whom: what ``model.redundancy()`` gives.
    covers : Covers, optional
        What covers for replaceable features: what ``model.covers()`` gives.

    Returns
    -------
    pathlib.Path
        Of the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from relbounds import OrdinalRelevance, write_report
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, _ = make_ordinal(100, random_state=0)
    >>> model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     write_report(model.result_, f"{folder}/report.html", random_state=0).name
    'report.html'
    """
    if not isinstance(result, RelevanceResult):
        raise TypeError(
            "write_report shows a RelevanceResult, which a fitted estimator has as result_; "
            f"got a {type(result).__name__}."
        )
    asked = FollowUps.given(blocks, without, stand_ins, covers)
    place = Path(path)
    text = rendered(
        "page.html",
        title=title or f"Which features does {target or 'the outcome'} need?",
        target=target,
        source=source,
        file=place.stem,
        written=f"{date.today():%d %B %Y}".lstrip("0"),
        result=result,
        why_degenerate=_why_degenerate(result, command),
        first=first_lines(result),
        sides=[_side(result, each, made_from) for each in result.sides],
        columns=",".join(exact_columns(result)),
        further=further_view(result, asked, made_from),
        gap=None if result.is_degenerate else largest_gap(result),
        quality=quality(result),
        warnings=list(dict.fromkeys([*warnings, *doubts(result)])),
        notes=list(notes),
        data=data_facts(result, target, source, made_from),
        settings=settings(result, random_state),
        versions=({**versions(), "relbounds": result.version}).items(),
        stages=stages(result),
        command=command,
        paper=PAPER,
    )
    save(text, place)
    return place


def _why_degenerate(result: RelevanceResult, command: str | None) -> str:
    """With advice that can be followed where the result was computed."""
    typed = command is not None and command.startswith("relbounds ")
    return why_degenerate_in_shell(result) if typed else result.why_degenerate


def _side(
    result: RelevanceResult, side: Findings, made_from: Mapping[str, str] | None
) -> dict[str, Any]:
    """What is said and shown of one side; only its names, if nothing was learned."""
    about = {"name": side.side, "noun": NOUNS[side.side], "names": side.feature_names}
    if result.is_degenerate:
        return about | {"told": _told(side), "rule": rule_of(side)}
    return about | {
        "headline": headline(side),
        "answers": [each for each in answers(side) if each.is_worth_saying],
        "caution": caution(side),
        "of_classes": needed_for_classes(side),
        "classes": side.classes,
        "sure": sureness(result, side),
        "table": side_view(result, side, made_from),
    }


def _told(side: Findings) -> list[dict[str, Any]]:
    """What evidence says of features that no model uses; empty if it speaks for none."""
    if not side.is_proved.any():
        return []
    return [
        {
            "name": side.feature_names[k],
            "relevance": Relevance(side.relevance[k]).name.lower(),
            "marks": marks(side, k),
            "saying": in_words(side, k),
        }
        for k in arranged(side).tolist()
    ]


def further_view(
    result: RelevanceResult, asked: FollowUps, made_from: Mapping[str, str] | None
) -> dict[str, Any]:
    """What was asked beyond the relevance of single features, as plain values."""
    stand_ins = asked.stand_ins
    return {
        "caution": of_blocks(result, asked.blocks),
        "blocks": [] if asked.blocks is None else _rows(result, asked.blocks),
        "remarks": [] if asked.blocks is None else remarks_on(result, asked.blocks),
        "covers": [] if asked.covers is None else of_covers(asked.covers),
        "covers_remark": HOW_COVERED,
        "without": [of_absence(result, each, made_from) for each in asked.without],
        "stand_ins": [] if stand_ins is None else of_stand_ins(stand_ins),
        "stand_ins_remark": NOT_EVERY_WEAK_ONE,
    }


def _rows(result: RelevanceResult, blocks: Blocks) -> list[dict[str, Any]]:
    rows = []
    for k, name in enumerate(blocks.names):
        relevance, features = Relevance(blocks.relevance[k]), blocks.features[k]
        least, most = (between(*ends) for ends in least_and_most(blocks, k))
        rows.append(
            {
                "name": name,
                "relevance": relevance.name.lower(),
                "claim": block_claim(blocks, k),
                "marks": block_marks(result, blocks, k),
                "saying": _p_values(blocks, k),
                "least": least,
                "most": most,
                "features": features[:_MOST_COLUMNS],
                "more": len(features[_MOST_COLUMNS:]),
            }
        )
    return rows


def _p_values(blocks: Blocks, position: int) -> str:
    values = (blocks.p_alone, blocks.p_in_models, blocks.p_needed)
    return "; ".join(
        f"{kind.name}: p = {probability(p[position])}"
        for kind, p in zip(KINDS, values, strict=True)
    )


def notebook_view(result: RelevanceResult) -> str:
    """Markup for the output of a cell; its styles touch nothing else on the page."""
    shown = () if result.is_degenerate else result.sides
    return rendered(
        "notebook.html",
        sentences=summary(result),
        sides={side.side: side_view(result, side, most_rows=_MOST_ROWS) for side in shown},
    )


def rendered(template: str, **values: Any) -> str:
    """A template filled in; every text among the values stays text."""
    filled = _environment().get_template(template)
    return filled.render(**values, asset=asset, digest=digest, kinds=KINDS)


@cache
def asset(name: str) -> Markup:
    """A style sheet or script of this package, as it is."""
    return Markup(_loader().get_source(_environment(), name)[0].strip())


def digest(name: str) -> str:
    """What a content security policy knows an asset by."""
    return f"sha256-{b64encode(sha256(asset(name).encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    return Environment(
        loader=_loader(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _loader() -> PackageLoader:
    return PackageLoader("relbounds.report")


def save(text: str, path: Path) -> None:
    """Write beside the place first, and then put it there in one step."""
    try:
        _refuse_what_is_no_file(path)
        _put(text, path)
    except ReportError:
        raise
    except OSError as error:
        raise ReportError(
            f"The report cannot be written to {str(path)!r}: {error.strerror}. "
            "Choose another place."
        ) from error


def _refuse_what_is_no_file(path: Path) -> None:
    if path.is_dir():
        raise ReportError(
            f"The report needs the name of a file; {str(path)!r} is a folder. "
            f"Add one, such as {str(path / 'report.html')!r}."
        )
    if not path.parent.is_dir():
        raise ReportError(
            f"The report cannot be written to {str(path)!r}: there is no folder "
            f"{str(path.parent)!r}. Create it, or choose another place."
        )


def _put(text: str, path: Path) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A lone surrogate, which no encoding has, becomes a reference that browsers can read.
        beside.write_bytes(text.encode(errors="xmlcharrefreplace"))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
