"""How do columns become numbers? Texts become columns of 0 and 1, named like ``color=red``.

The most frequent value of a text has no column. With one for each value, a model could add the same
weight to all of them and take it back from its offsets. Each would then look replaceable, and more
useful than a permuted column, which cannot do that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.intake.columns import Column, Kind
from relbounds.intake.journal import Journal
from relbounds.intake.names import apart
from relbounds.wording.text import listed

MOST_LEVELS = 50
"""Of a text column with more values, the rarer ones are put together."""
OTHER = "other"


@dataclass(frozen=True, eq=False)
class Encoded:
    """A column of numbers, and the column of the table that it was made from."""

    name: str
    made_from: Column
    values: FloatArray


@dataclass(frozen=True, eq=False)
class _Levelled:
    """A text column whose levels are all there, and not too many."""

    column: Column
    level_of_row: FloatArray
    levels: list[str]
    is_cut: bool

    @property
    def usual(self) -> int:
        """The level that the others are compared with: the most frequent, or the first of those.

        Rare values that were put together are none to compare with, however many they are.
        """
        counts = np.bincount(self.level_of_row.astype(np.int64), minlength=len(self.levels))
        return int(counts[: len(self.levels) - self.is_cut].argmax())

    def encoded(self) -> list[Encoded]:
        return [
            Encoded(
                f"{self.column.name}={level}",
                self.column,
                (self.level_of_row == place).astype(np.float64),
            )
            for place, level in enumerate(self.levels)
            if place != self.usual
        ]


def encoded(columns: Sequence[Column], journal: Journal) -> list[Encoded]:
    """All columns as numbers, those of one text beside one another; names differ."""
    texts = {each.name: _levelled(each) for each in columns if each.kind == Kind.TEXT}
    _remark(list(texts.values()), journal)
    found = [
        made
        for each in columns
        for made in (
            texts[each.name].encoded()
            if each.kind == Kind.TEXT
            else [Encoded(each.name, each, each.values)]
        )
    ]
    names = apart(each.name for each in found)
    return [
        Encoded(name, each.made_from, each.values) for name, each in zip(names, found, strict=True)
    ]


def frame_of(found: Sequence[Encoded]) -> pd.DataFrame:
    return pd.DataFrame({each.name: each.values for each in found})


def origins(found: Sequence[Encoded]) -> dict[str, str]:
    """The text column that each column of 0 and 1 was made from."""
    return {each.name: each.made_from.name for each in found if each.made_from.levels}


def _levelled(column: Column) -> _Levelled:
    """The most frequent levels, in the order they had; the others are put together."""
    codes = column.values.astype(np.int64)
    counts = np.bincount(codes, minlength=len(column.levels))
    there = np.flatnonzero(counts)
    is_cut = len(there) > MOST_LEVELS
    if is_cut:
        there = np.sort(np.argsort(-counts, kind="stable")[:MOST_LEVELS])
    place_of = np.full(len(column.levels), len(there))
    place_of[there] = np.arange(len(there))
    names = [column.levels[place] for place in there] + [OTHER] * is_cut
    return _Levelled(column, place_of[codes].astype(np.float64), apart(names), is_cut)


def _remark(texts: Sequence[_Levelled], journal: Journal) -> None:
    if texts:
        usual = [
            f"{each.column.name} ({each.levels[each.usual]}; {len(each.levels)} values)"
            for each in texts
        ]
        journal.note(
            "Text became columns of 0 and 1, one for each value but the most frequent, which the "
            f"others are compared with: {listed(usual)}."
        )
    if cut := [each for each in texts if each.is_cut]:
        pooled = [f"{each.column.name}={each.levels[-1]}" for each in cut]
        journal.note(
            f"Only the {MOST_LEVELS} most frequent values have columns of their own in "
            f"{listed([each.column.name for each in cut])}; the others are together in "
            f"{listed(pooled)}."
        )
