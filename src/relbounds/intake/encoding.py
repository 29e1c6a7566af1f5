"""How do columns become numbers? Texts become columns of 0 and 1, named like ``color=red``.

The most frequent value of a text has no column. With one for each value, a model could add the same
weight to all of them and take it back from its offsets. Each would then look replaceable, and more
useful than a permuted column, which cannot do that. Values that few rows have are put together:
each by itself proves nothing, and there can be hundreds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray, IntArray
from relbounds.intake.cleaning import MISSING_LEVEL
from relbounds.intake.columns import Column, Kind
from relbounds.intake.journal import Journal
from relbounds.intake.names import apart
from relbounds.results.columns import ColumnFacts
from relbounds.wording.text import counted, listed

MOST_LEVELS = 50
"""Of a text column with more values, the rarer ones are put together."""
RARE = 0.01, 5, 30
"""Values that fewer rows have than this share are rare, but never fewer, nor more, than so many."""


@dataclass(frozen=True, eq=False)
class Levels:
    """The values of a text that have a meaning of their own, and what becomes of all others.

    Attributes
    ----------
    kept : tuple of str
    pooled : str or None
        What the others are called together; None if there were none.
    counts : int array
        In how many rows each of these is found, the pooled ones last.
    reference : int
        The place of the value that the others are compared with: the most frequent, or the first of
        those. Values that were put together are none to compare with, however many they are.
    """

    kept: tuple[str, ...]
    pooled: str | None
    counts: IntArray

    @classmethod
    def of(cls, column: Column) -> "Levels":
        codes = column.values.astype(np.int64)
        counts = np.bincount(codes, minlength=len(column.levels))
        kept, n_pooled = _divided(column, counts)
        names = [column.levels[place] for place in kept]
        if not n_pooled:
            return cls(tuple(names), None, counts[kept])
        *names, pooled = apart([*names, f"other ({n_pooled} values)"])
        return cls(tuple(names), pooled, np.append(counts[kept], len(codes) - counts[kept].sum()))

    @property
    def names(self) -> list[str]:
        return [*self.kept, *([] if self.pooled is None else [self.pooled])]

    @property
    def reference(self) -> int:
        return int(self.counts[: len(self.kept)].argmax())

    def places(self, column: Column) -> IntArray:
        """The place of each row's value among the names; -1 of one that was never seen."""
        place_of = {name: place for place, name in enumerate(self.kept)}
        other = -1 if self.pooled is None else len(self.kept)
        places = np.array([place_of.get(name, other) for name in column.levels], dtype=np.int64)
        found: IntArray = places[column.values.astype(np.int64)]
        return found


def _divided(column: Column, counts: IntArray) -> tuple[Any, int]:
    """Places of the values that are kept, in the order they had, and how many are pooled."""
    there = np.flatnonzero(counts)
    share, fewest, most = RARE
    is_rare = counts < np.clip(share * counts.sum(), fewest, most)
    is_rare[[place for place, name in enumerate(column.levels) if name == MISSING_LEVEL]] = False
    kept = there[~is_rare[there]]
    if len(kept) < 2 or len(there) - len(kept) < 2:
        kept = there
    if len(kept) > MOST_LEVELS:
        kept = np.sort(kept[np.argsort(-counts[kept], kind="stable")[:MOST_LEVELS]])
    return kept, len(there) - len(kept)


@dataclass(frozen=True, eq=False)
class Recipe:
    """How a column becomes numbers, of these rows and of others.

    Attributes
    ----------
    column : Column
        How it was read. Whoever keeps a recipe keeps no values (``bare``).
    features : tuple of str
        The names of what it becomes.
    filling : float
        What a gap among numbers becomes: their median. NaN of a text.
    levels : Levels or None
        Of a text.
    n_missing : int
        In how many rows there was a gap.
    """

    column: Column
    features: tuple[str, ...]
    filling: float
    levels: Levels | None = None
    n_missing: int = field(default=0, kw_only=True)

    @classmethod
    def of(cls, column: Column, n_missing: int = 0) -> "Recipe":
        """Of a column without gaps, which may have been filled before."""
        if column.kind != Kind.TEXT:
            middle = float(np.median(column.values))
            return cls(column, (column.name,), middle, n_missing=n_missing)
        levels = Levels.of(column)
        named = [f"{column.name}={name}" for name in levels.names]
        del named[levels.reference]
        return cls(column, tuple(named), np.nan, levels, n_missing=n_missing)

    @property
    def name(self) -> str:
        """Of the column in the table."""
        return self.column.name

    def numbers(self, column: Column) -> FloatArray:
        """A column for each feature; rows of a value that was never seen are like the reference."""
        if self.levels is None:
            return np.where(column.missing, self.filling, column.values)[:, None]
        places = self.levels.places(column)
        others = np.delete(np.arange(len(self.levels.names)), self.levels.reference)
        chosen: FloatArray = (places[:, None] == others).astype(np.float64)
        return chosen

    def unseen(self, column: Column) -> list[str]:
        """Values of a text that were not there when the recipe was made."""
        if self.levels is None:
            return []
        known = {*self.column.levels, MISSING_LEVEL}
        there = [column.levels[place] for place in np.unique(column.values).astype(np.int64)]
        return [level for level in there if level not in known]

    @property
    def stands_for_unseen(self) -> str:
        """The value that those are taken for."""
        levels = self.levels
        return "" if levels is None else levels.pooled or levels.kept[levels.reference]

    @property
    def bare(self) -> "Recipe":
        """The same without the values of any row."""
        return replace(self, column=self.column.rows(slice(0)))

    @property
    def facts(self) -> ColumnFacts:
        """What is known of the column, as it came."""
        column = self.column
        if self.levels is None:
            facts = ColumnFacts.of_numbers(column.name, column.values, column.kind.value)
            return replace(facts, n_missing=self.n_missing)
        return ColumnFacts.of_levels(
            column.name,
            self.levels.names,
            self.levels.counts.tolist(),
            n_missing=self.n_missing,
            reference=self.levels.kept[self.levels.reference],
        )


def recipes(columns: Sequence[Column], gaps: Sequence[int], journal: Journal) -> list[Recipe]:
    """A recipe for each column; names of features differ."""
    found = [Recipe.of(column, n) for column, n in zip(columns, gaps, strict=True)]
    _remark([each for each in found if each.levels], journal)
    names = iter(apart(name for each in found for name in each.features))
    return [replace(each, features=tuple(next(names) for _ in each.features)) for each in found]


def frame_of(found: Sequence[Recipe], columns: Sequence[Column]) -> pd.DataFrame:
    """The numbers that columns become; those of one text beside one another."""
    return pd.DataFrame(
        {
            name: values
            for recipe, column in zip(found, columns, strict=True)
            for name, values in zip(recipe.features, recipe.numbers(column).T, strict=True)
        }
    )


def origins(found: Sequence[Recipe]) -> dict[str, str]:
    """The text column that each column of 0 and 1 was made from."""
    return {name: each.name for each in found if each.levels for name in each.features}


def _remark(texts: Sequence[Recipe], journal: Journal) -> None:
    levels = {each.name: each.levels for each in texts if each.levels}
    if levels:
        usual = [
            f"{name} ({each.kept[each.reference]}; {len(each.names)} values)"
            for name, each in levels.items()
        ]
        journal.note(
            "Text became columns of 0 and 1, one for each value but the most frequent, which the "
            f"others are compared with: {listed(usual)}."
        )
    if pooled := [f"{name}={each.pooled}" for name, each in levels.items() if each.pooled]:
        share, fewest, most = RARE
        journal.note(
            f"Values that few rows have (fewer than {share:.0%}, at least {fewest} and at most "
            f"{counted(most, 'row')}), and all beyond the {MOST_LEVELS} most frequent, are "
            f"together: {listed(pooled)}."
        )
