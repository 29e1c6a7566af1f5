"""What is on the page, and where does it go?"""

from collections.abc import Mapping, Sequence
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any

from relbounds.absence import Price
from relbounds.blocks import Blocks
from relbounds.constrained import ConstrainedResult
from relbounds.follow_up_wording import FollowUps
from relbounds.redundancy import Redundancy
from relbounds.report.features import exact_columns, side_view, sides
from relbounds.report.further import further_view
from relbounds.report.origin import PAPER, data_facts, settings, stages, versions
from relbounds.report.quality import quality
from relbounds.report.rendering import rendered
from relbounds.report.saving import save
from relbounds.report.sureness import doubts, largest_gap, sureness
from relbounds.result import Findings, RelevanceResult
from relbounds.wording import answers, caution, headline, in_shell

_NOUNS = {"regular": "feature", "privileged": "privileged feature"}


def write_report(
    result: RelevanceResult,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    target: str | None = None,
    source: str | None = None,
    groups: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    command: str | None = None,
    random_state: Any = None,
    blocks: Blocks | None = None,
    without: Sequence[Price | tuple[Price, ConstrainedResult | None]] = (),
    stand_ins: Redundancy | None = None,
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
    groups : mapping of feature names to the column each was made from, optional
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
    asked = FollowUps.given(blocks, without, stand_ins)
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
        sides=[_side(result, *each, groups) for each in sides(result).items()],
        columns=",".join(exact_columns(result)),
        further=further_view(result, asked, groups),
        gap=None if result.is_degenerate else largest_gap(result),
        quality=quality(result),
        warnings=list(dict.fromkeys([*warnings, *doubts(result)])),
        notes=list(notes),
        data=data_facts(result, target, source, groups),
        settings=settings(result, random_state),
        versions=versions(result),
        stages=stages(result),
        command=command,
        paper=PAPER,
    )
    save(text, place)
    return place


def _why_degenerate(result: RelevanceResult, command: str | None) -> str:
    """With advice that can be followed where the result was computed."""
    typed = command is not None and command.startswith("relbounds ")
    return in_shell(result.why_degenerate) if typed else result.why_degenerate


def _side(
    result: RelevanceResult, name: str, side: Findings, groups: Mapping[str, str] | None
) -> dict[str, Any]:
    """What is said and shown of one side; only its names, if nothing was learned."""
    about = {"name": name, "noun": _NOUNS[name], "names": side.feature_names}
    if result.is_degenerate:
        return about
    return about | {
        "headline": headline(side, _NOUNS[name]),
        "answers": answers(side, _NOUNS[name]),
        "caution": caution(side),
        "sure": sureness(result, side),
        "table": side_view(result, side, groups),
    }
