"""What is known of a column of the table, as it came: its gaps, its range or its levels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.results.record import Record


@dataclass(frozen=True)
class ColumnFacts(Record):
    """A column before gaps were filled and texts became numbers.

    Attributes
    ----------
    name : str
        Of the column; of a text also the name of the block that its levels became.
    kind : {"number", "boolean", "date", "text"}
    n_missing : int
        Cells without a value, among the rows that were used.
    least, middle, most : float or None
        Of numbers, and of dates in days since the earliest: the smallest value, the median and
        the largest; None of texts.
    levels : tuple of str
        Of texts: the different values, the most frequent first; rare ones may be one, as "other".
    counts : tuple of int
        In how many rows each level is found.
    reference : str or None
        The level that has no column of its own, which the others are compared with.
    """

    name: str
    kind: str
    n_missing: int = 0
    least: float | None = None
    middle: float | None = None
    most: float | None = None
    levels: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    reference: str | None = None

    @classmethod
    def of_numbers(cls, name: str, values: FloatArray, kind: str = "number") -> "ColumnFacts":
        """Of numbers, NaN where a cell has no value."""
        there = values[~np.isnan(values)]
        n_missing = len(values) - len(there)
        if not len(there):
            return cls(name, kind, n_missing)
        ends = float(there.min()), float(np.median(there)), float(there.max())
        return cls(name, kind, n_missing, *ends)

    @classmethod
    def of_levels(
        cls,
        name: str,
        levels: Sequence[str],
        counts: Sequence[int],
        *,
        n_missing: int = 0,
        reference: str | None = None,
    ) -> "ColumnFacts":
        """Of a text, its levels in any order."""
        frequent = np.argsort(-np.asarray(counts), kind="stable").tolist()
        return cls(
            name,
            "text",
            n_missing,
            levels=tuple(levels[k] for k in frequent),
            counts=tuple(int(counts[k]) for k in frequent),
            reference=reference,
        )
