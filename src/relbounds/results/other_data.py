"""What do parts of the data tell of other data? How sure an answer is, and how well models do."""

from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.results.shown import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Shown):
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


@dataclass(frozen=True, eq=False, repr=False)
class HeldOut(Shown):
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

    @property
    def parts(self) -> tuple[str, ...]:
        """What lines and columns are: classes, or parts of the numbers."""
        if self.edges is None:
            return self.labels
        ends = [f"{each:.3g}" for each in self.edges[1:-1]]
        between = [f"{low} to {high}" for low, high in pairwise(ends)]
        return (f"below {ends[0]}", *between, f"{ends[-1]} and more") if ends else ("all",)

    def to_frame(self) -> pd.DataFrame:
        """A row for each thing that samples are, a column for each that is said of them."""
        lines, columns = (pd.Index(self.parts, name=name) for name in ("is", "said to be"))
        return pd.DataFrame(self.counts, index=lines, columns=columns)
