"""How does a result become a page? One file that stands alone, and a view for notebooks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any

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
from relbounds.report.features import Levels, exact_columns, side_view
from relbounds.report.further import further_view, text_columns
from relbounds.report.moving import moving_view
from relbounds.report.pictures import held_out_view, outcome_view
from relbounds.report.quality import quality
from relbounds.report.rendering import rendered
from relbounds.report.saving import save
from relbounds.report.unfolded import anchors, unfold
from relbounds.results.answers import (
    Absences,
    Blocks,
    ConstrainedResult,
    Covers,
    Price,
    Redundancy,
)
from relbounds.results.columns import ColumnFacts
from relbounds.results.explored import Foreseen
from relbounds.results.findings import Findings, arranged
from relbounds.results.follow_ups import FollowUps
from relbounds.results.other_data import HeldOut, Stability
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.results.whole_columns import whole_columns
from relbounds.wording.evidence import in_words, marks, rule_of
from relbounds.wording.first import first_lines
from relbounds.wording.other_data import how_asked, of_stability
from relbounds.wording.relevance import (
    NOUNS,
    answers,
    caution,
    headline,
    needed_for_classes,
    summary,
    why_degenerate_in_shell,
)

_MOST_ROWS = 50


def write_report(
    result: RelevanceResult,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    target: str | None = None,
    source: str | None = None,
    made_from: Mapping[str, str] | None = None,
    columns: Mapping[str, ColumnFacts] | None = None,
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    command: str | None = None,
    random_state: Any = None,
    blocks: Blocks | None = None,
    without: Sequence[Price | tuple[Price, ConstrainedResult | None]] = (),
    stand_ins: Redundancy | None = None,
    covers: Covers | None = None,
    stability: Stability | None = None,
    held_out: HeldOut | None = None,
    absences: Absences | None = None,
    foreseen: Foreseen | None = None,
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
    columns : mapping of names to ColumnFacts, optional
        What is known of the columns of the table: gaps, range or levels.
    notes : sequence of str
        What was done to the data, in sentences.
    warnings : sequence of str
        What a reader must know, in sentences; they stand on top.
    command : str, optional
        What computes the result again.
    random_state : int or None
        The seed that the result was computed with.
    blocks : Blocks, optional
        Columns that count as one: what ``model.blocks()`` gives. Those that a text became are one
        line of the table, and their levels unfold below it.
    without : sequence of prices
        What if features are left out: what ``model.price("age")`` gives, or a pair of it and of
        what ``model.what_if({"age": "absent"})`` gives.
    stand_ins : Redundancy, optional
        Who stands in for whom: what ``model.redundancy()`` gives.
    covers : Covers, optional
        What covers for replaceable features: what ``model.covers()`` gives.
    stability : Stability, optional
        Whether other data would say the same: what ``model.stability(blocks)`` gives.
    held_out : HeldOut, optional
        What models say of samples that they have not seen: what ``model.held_out()`` gives.
    absences : Absences, optional
        The answer without each relevant column: what ``model.absences(blocks)`` gives.
    foreseen : Foreseen, optional
        Other answers that the page holds, so that it moves: what ``model.foreseen(blocks)`` gives.

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
    asked = FollowUps.given(
        blocks=blocks,
        without=without,
        stand_ins=stand_ins,
        covers=covers,
        stability=stability,
        held_out=held_out,
        absences=absences,
        foreseen=foreseen,
    )
    place = Path(path)
    is_folded = text_columns(blocks, made_from)
    whole = whole_columns(result, blocks if is_folded else None)
    sides = [
        _side(result, *pair, asked if is_folded else replace(asked, blocks=None), made_from)
        for pair in zip(whole.sides, result.sides, strict=True)
    ]
    unfold(sides, asked, columns or {})
    text = rendered(
        "page.html",
        title=title or f"Which features does {target or 'the outcome'} need?",
        target=target,
        source=source,
        file=place.stem,
        written=f"{date.today():%d %B %Y}".lstrip("0"),
        result=result,
        n_features=len(whole.feature_names),
        why_degenerate=_why_degenerate(result, command),
        first=first_lines(result),
        outcome=outcome_view(result),
        sides=sides,
        anchors=anchors(sides),
        columns=",".join(exact_columns(whole)),
        further=further_view(result, asked, made_from, is_folded=is_folded),
        gap=None if result.is_degenerate else largest_gap(result),
        quality=quality(result),
        held_out=held_out_view(held_out),
        other_data=_other_data(whole, stability),
        warnings=list(dict.fromkeys([*warnings, *doubts(result)])),
        notes=list(notes),
        data=data_facts(result, target, source, made_from),
        settings=settings(result, random_state),
        versions=({**versions(), "relbounds": result.version}).items(),
        stages=stages(result),
        command=command,
        paper=PAPER,
        moving=moving_view(result, foreseen, made_from, command),
    )
    save(text, place)
    return place


def _why_degenerate(result: RelevanceResult, command: str | None) -> str:
    """With advice that can be followed where the result was computed."""
    typed = command is not None and command.startswith("relbounds ")
    return why_degenerate_in_shell(result) if typed else result.why_degenerate


def _side(
    result: RelevanceResult,
    whole: Findings,
    single: Findings,
    asked: FollowUps,
    made_from: Mapping[str, str] | None,
) -> dict[str, Any]:
    """What is said and shown of one side; only its names, if nothing was learned."""
    about = {"name": whole.side, "noun": NOUNS[whole.side], "names": whole.feature_names}
    if result.is_degenerate:
        return about | {"told": _told(whole), "rule": rule_of(whole)}
    return about | {
        "headline": headline(whole),
        "answers": [each for each in answers(whole) if each.is_worth_saying],
        "caution": caution(whole),
        "of_classes": needed_for_classes(single),
        "classes": single.classes,
        "sure": sureness(result, whole, single),
        "table": side_view(result, whole, made_from, levels=_levels(whole, single, asked.blocks)),
    }


def _levels(whole: Findings, single: Findings, blocks: Blocks | None) -> Levels:
    """The features of columns that count as one on this side."""
    if blocks is None:
        return Levels(single)
    named = zip(blocks.names, blocks.features, strict=True)
    kept = set(whole.feature_names) - set(single.feature_names)
    return Levels(single, {name: features for name, features in named if name in kept})


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


def _other_data(whole: RelevanceResult, found: Stability | None) -> list[str]:
    """Whether other data would say the same, in sentences; the last says how that was asked."""
    if found is None or found.names != whole.feature_names:
        return []
    has_groups = whole.data.n_groups is not None
    return [*of_stability(found, whole.regular), how_asked(found, has_groups=has_groups)]


def notebook_view(result: RelevanceResult) -> str:
    """Markup for the output of a cell; its styles touch nothing else on the page."""
    shown = () if result.is_degenerate else result.sides
    return rendered(
        "notebook.html",
        sentences=summary(result),
        sides={side.side: side_view(result, side, most_rows=_MOST_ROWS) for side in shown},
    )
