"""What does an answer show of itself on one screen? A title, its sentences and a small table."""

from dataclasses import dataclass, field
from functools import singledispatch
from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd

from relbounds.results.answers import (
    Absences,
    Blocks,
    ConstrainedResult,
    Covers,
    Price,
    Redundancy,
    RelevancePath,
)
from relbounds.results.findings import Bounds, Findings, arranged
from relbounds.results.follow_ups import Without
from relbounds.results.other_data import HeldOut, Stability
from relbounds.results.record import Record
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.further import block_claim, of_absence, of_covers, of_stand_ins
from relbounds.wording.other_data import of_held_out
from relbounds.wording.relevance import NOUNS, answers, summary
from relbounds.wording.tasks import words_of
from relbounds.wording.text import counted, listed, probability

_WIDTH = 79
_MOST_ROWS = 12
_COLUMNS = ["relevance", "needed", "minrel", "maxrel", "p_alone", "p_needed"]


@dataclass(frozen=True, eq=False)
class View:
    """What is shown of an answer.

    Attributes
    ----------
    title : str
    sentences : tuple of str
    table : DataFrame of str
        Its first rows, as people read them; empty if there is nothing to compare.
    left_out : int
        How many rows more it has.
    """

    title: str
    sentences: tuple[str, ...] = ()
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    left_out: int = 0

    @classmethod
    def of(cls, title: str, sentences: Any, table: pd.DataFrame) -> "View":
        shown = table.head(_MOST_ROWS)
        written = shown.apply(lambda column: [_cell(column.name, each) for each in column])
        return cls(title, tuple(sentences), written, len(table) - len(shown))

    @property
    def more(self) -> str:
        """What to do for the rows that are not there; empty if all are."""
        return f"And {counted(self.left_out, 'row')} more." if self.left_out else ""


def text_of(answer: Record) -> str:
    """A text of one screen."""
    view = view_of(answer)
    parts = [view.title, *(fill(each, _WIDTH) for each in view.sentences)]
    if len(view.table):
        parts.append(view.table.to_string(line_width=_WIDTH))
    return "\n".join([*parts, view.more] if view.more else parts)


@singledispatch
def view_of(answer: Record) -> View:
    """What is shown of an answer."""
    return View(Record.__repr__(answer))


@view_of.register
def _of_result(result: RelevanceResult) -> View:
    side = result.regular
    outcome = words_of(result.task, is_each_told_apart=bool(side.classes)).outcome
    title = (
        f"{type(result).__name__}: {counted(len(result.feature_names), 'feature')} of "
        f"{counted(result.data.n_samples, 'sample')}, to explain {outcome}"
    )
    return View.of(title, summary(result), pd.concat([_rows(each) for each in result.sides]))


@view_of.register
def _of_constrained(result: ConstrainedResult) -> View:
    """What moved; what is found then, a result tells as any other."""
    title = f"ConstrainedResult: good models that keep {listed(result.constraints)}"
    moved = result.changes().drop(columns="side")
    became = {each.name.lower(): result.became(each.name.lower()) for each in Relevance}
    told = [f"Only now {label}: {listed(names)}." for label, names in became.items() if names]
    return View.of(title, told or ["No feature has another class than before."], moved)


@view_of.register
def _of_bounds(bounds: Bounds) -> View:
    ends = pd.DataFrame(bounds.intervals, bounds.feature_names, columns=["minrel", "maxrel"])
    return View.of(_size(bounds), (), ends)


@view_of.register
def _of_side(side: Findings) -> View:
    told = [each.sentence for each in answers(side) if each.is_worth_saying]
    return View.of(_size(side), told, _rows(side))


def _size(side: Bounds) -> str:
    return f"{type(side).__name__}: {counted(len(side.feature_names), NOUNS[side.side])}"


def _rows(side: Findings) -> pd.DataFrame:
    return side.to_frame()[_COLUMNS].iloc[arranged(side)]


@view_of.register
def _of_price(price: Price) -> View:
    return View(f"Price of {listed(price.features)}", tuple(of_absence(None, Without(price))))


@view_of.register
def _of_blocks(blocks: Blocks) -> View:
    said = [f"{name}: {block_claim(blocks, k)}." for k, name in enumerate(blocks.names)]
    title = f"Blocks: {counted(len(blocks.names), 'block')} of columns that count as one"
    return View.of(title, said[:_MOST_ROWS], blocks.to_frame())


@view_of.register
def _of_covered(found: Covers) -> View:
    title = f"Covers: {counted(len(found.names), 'replaceable feature')}"
    return View(title, tuple(of_covers(found)))


@view_of.register
def _of_redundancy(found: Redundancy) -> View:
    title = f"Redundancy: {counted(len(found.groups), 'group')} of features that stand in"
    return View(f"{title} for one another", tuple(of_stand_ins(found)))


@view_of.register
def _of_path(path: RelevancePath) -> View:
    title = (
        f"RelevancePath: {counted(len(path.tolerances), 'tolerance')} from "
        f"{path.tolerances.min():g} to {path.tolerances.max():g}; used: {path.used:.3g}"
    )
    return View.of(title, (), path.to_frame())


@view_of.register
def _of_stability(found: Stability) -> View:
    title = f"Stability: shares of {found.n_halves} halves of the data"
    return View.of(title, (), found.to_frame().sort_values("relevant", ascending=False))


@view_of.register
def _of_held_out(found: HeldOut) -> View:
    title = (
        f"HeldOut: {counted(round(found.counts.sum()), 'sample')}, what they are and are said to be"
    )
    return View.of(title, [of_held_out(found)], found.to_frame())


@view_of.register
def _of_absences(found: Absences) -> View:
    title = f"Absences: the answer without each of {counted(len(found.each), 'relevant feature')}"
    return View.of(title, (), found.to_frame())


def _cell(column: Any, value: Any) -> str:
    """A value as people read it."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    if str(column).startswith("p_"):
        return "" if np.isnan(value) else probability(value)
    return f"{value:.3f}"
