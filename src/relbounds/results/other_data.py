"""What do parts of the data tell of other data? How sure an answer is, and how well models do."""

from dataclasses import dataclass

import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.results.record import Record


@dataclass(frozen=True, eq=False)
class Stability(Record):
    """Would other data of the same size say the same of each feature? Asked of halves.

    Attributes
    ----------
    names : tuple of str
        Regular features; columns that count as one under one name.
    relevant, needed : (d,) arrays
        The share of halves in which a feature is proved to tell something, alone or beside all
        others, and is needed; each half taken for as much as all of the data. NaN where that
        cannot be told: what only its weight in good models proves, and data too small to halve.
    n_halves : int
    """

    names: tuple[str, ...]
    relevant: FloatArray
    needed: FloatArray
    n_halves: int

    def to_frame(self) -> pd.DataFrame:
        """A row for each feature."""
        shares = {"relevant": self.relevant, "needed": self.needed}
        return pd.DataFrame(shares, index=pd.Index(self.names, name="feature"))


@dataclass(frozen=True, eq=False)
class HeldOut(Record):
    """What models say of samples, beside what these are.

    Attributes
    ----------
    labels : tuple of str
        Of the classes; of numbers empty.
    edges : (k + 1,) array or None
        Of numbers: where their parts, about equally many samples each, begin and end; None of
        classes.
    counts : (k, k) array
        Samples (sums of their weights) by what they are, a line each, and by what is said of them.
    has_seen : bool
        Whether models were asked about the samples that they were trained on; otherwise about
        those that were left out, in cross-validation.
    """

    labels: tuple[str, ...]
    edges: FloatArray | None
    counts: FloatArray
    has_seen: bool
