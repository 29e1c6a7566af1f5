"""Answers to further questions, frozen: constraints, absences, blocks, covers, stand-ins, paths."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results.record import Record
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.results.shown import Shown

MOVED = 1e-6
"""Intervals that differ by no more than this share of the norm have not moved."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ConstrainedResult(RelevanceResult):
    """A result over the good models that keep some constraints.

    Baseline, budget, probes and thresholds are those of the first fit. Constraints on relevance
    leave a union of sets, one for each sign: ``ends`` of the sides have a case for each. Attributes
    of ``RelevanceResult``, and:

    Attributes
    ----------
    constraints : tuple of str
        What was asked, in words.
    before : RelevanceResult
        What was found without constraints; suspicions are with it.
    """

    constraints: tuple[str, ...]
    before: RelevanceResult

    @property
    def suspected_together(self) -> tuple[str, ...]:
        """None: the first fit has told."""
        return ()

    def _repr_html_(self) -> str:
        """What moved, and then what a notebook shows of any result."""
        return Shown._repr_html_(self) + super()._repr_html_()

    def changes(self, *, all_features: bool = False) -> pd.DataFrame:
        """What moved: class and interval of each feature, before and now.

        Parameters
        ----------
        all_features : bool
            Also those whose intervals have not moved.
        """
        then, now = self.before.to_frame(), self.to_frame()
        table = pd.DataFrame(
            {
                "side": now["side"],
                "before": then["relevance"],
                "now": now["relevance"],
                "minrel_moved": now["minrel"] - then["minrel"],
                "maxrel_moved": now["maxrel"] - then["maxrel"],
                "minrel": now["minrel"],
                "maxrel": now["maxrel"],
            }
        )
        moved = (table[["minrel_moved", "maxrel_moved"]].abs() > MOVED).any(axis=1)
        return table if all_features else table[moved | (table["before"] != table["now"])]

    def became(self, relevance: str) -> list[str]:
        """Names of the features that are ``"strong"``, ``"weak"`` or ``"irrelevant"`` only now."""
        table = self.changes(all_features=True)
        new = (table["now"] == relevance) & (table["before"] != relevance)
        return table.index[new].tolist()


@dataclass(frozen=True)
class Price(Shown):
    """The price of doing without some features.

    Attributes
    ----------
    features : tuple of str
    tolerance : float
        The least tolerance at which a good model does without them: by how much, relatively, the
        norm and the loss of the best model have to be exceeded. Infinite if there is none.
    is_indispensable : bool
        Whether no good model does without them all: the price is above the tolerance of the fit,
        unless that had a ``loss_tolerance`` of its own.
    error, error_without : float
        Cross-validated, at the chosen hyperparameters; NaN if the fit had nothing to tune, and so
        no folds.
    """

    features: tuple[str, ...]
    tolerance: float
    is_indispensable: bool
    error: float
    error_without: float

    @property
    def score_fall(self) -> float:
        """By how much the cross-validated error grows."""
        return self.error_without - self.error


@dataclass(frozen=True, eq=False)
class Absence(Record):
    """What it costs to do without one column, and what is needed then.

    Attributes
    ----------
    name : str
    price : Price
    needed : tuple of str
        Other features that are proved to add to the rest only then.
    no_longer_needed : tuple of str
        Others that are not proved to, then.
    """

    name: str
    price: Price
    needed: tuple[str, ...]
    no_longer_needed: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Absences(Shown):
    """The answer without each of several columns, one at a time.

    Attributes
    ----------
    each : tuple of Absence
    """

    each: tuple[Absence, ...]

    def to_frame(self) -> pd.DataFrame:
        """A row for each column."""
        rows = [
            {
                "price": one.price.tolerance,
                "indispensable": one.price.is_indispensable,
                "error_without": one.price.error_without,
                "score_fall": one.price.score_fall,
                "needed_then": ", ".join(one.needed),
                "no_longer_needed": ", ".join(one.no_longer_needed),
            }
            for one in self.each
        ]
        return pd.DataFrame(rows, index=pd.Index([one.name for one in self.each], name="feature"))


@dataclass(frozen=True, eq=False)
class Blocks(Shown):
    """Total relevance of blocks of features.

    Attributes
    ----------
    names : tuple of str
    features : tuple of tuple of str
    intervals : (blocks, 2) array
        The least and the most of the total of ``|w|``, divided by the best model's norm.
        Privileged features count with their weights in both slack functions.
    gaps : (blocks, 2) array
        How far the true values may lie below the least, and above the most.
    relevance : (blocks,) int array
        ``Relevance``: as of features, by the block's own evidence; at least weak if a column is.
    needed : (blocks,) bool array
        Whether a relevant block is proved to add to all other features.
    p_alone, p_in_models, p_needed : (blocks,) arrays
        Evidence as of features: of all columns together, and in models of the best of them, times
        their number.
    """

    names: tuple[str, ...]
    features: tuple[tuple[str, ...], ...]
    intervals: FloatArray
    gaps: FloatArray
    relevance: IntArray
    needed: BoolArray
    p_alone: FloatArray
    p_in_models: FloatArray
    p_needed: FloatArray

    def to_frame(self) -> pd.DataFrame:
        """A row for each block."""
        table = {
            "relevance": [Relevance(each).name.lower() for each in self.relevance],
            "needed": self.needed,
            "minrel": self.intervals[:, 0],
            "maxrel": self.intervals[:, 1],
            "p_alone": self.p_alone,
            "p_in_models": self.p_in_models,
            "p_needed": self.p_needed,
            "features": [len(each) for each in self.features],
        }
        return pd.DataFrame(table, index=pd.Index(self.names, name="block"))


@dataclass(frozen=True, eq=False)
class Covers(Shown):
    """What covers for features that tell something and yet add nothing to all others.

    Attributes
    ----------
    names : tuple of str
        Regular features that are relevant and not needed.
    by : tuple of tuple of str
        The fewest others that were found without which each adds to the rest, those that are most
        like it first; empty if that is not proved of any.
    """

    names: tuple[str, ...]
    by: tuple[tuple[str, ...], ...]

    def to_frame(self) -> pd.DataFrame:
        """A row for each pair of a feature and one that helps to cover for it."""
        pairs = [
            (name, other) for name, by in zip(self.names, self.by, strict=True) for other in by
        ]
        return pd.DataFrame(pairs, columns=["feature", "covered_by"])


FAR_MORE = 2.0
"""Times the sum of prices. Measured: 0.7 to 1.1 where sets have nothing to do with each other, 7
and more where they stand in for one another."""
FREE = 1e-6
"""A price of absence up to which it is rounding."""


@dataclass(frozen=True, eq=False)
class Join(Record):
    """Two sets of features that the tree joins, and what it costs to do without them.

    Attributes
    ----------
    first, second : tuple of str
    distance : float
        One minus the mean size of the correlation between their members.
    first_price, second_price, price : float
        Of doing without each, and without both.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    distance: float
    first_price: float
    second_price: float
    price: float

    @property
    def ratio(self) -> float:
        """How many times the sum of their prices it costs to do without both."""
        apart = self.first_price + self.second_price
        if apart > FREE:
            return self.price / apart if np.isfinite(apart) else 1.0
        return np.inf if self.price > FREE else 1.0


@dataclass(frozen=True, eq=False)
class Redundancy(Shown):
    """Groups of features that stand in for one another.

    Attributes
    ----------
    feature_names : tuple of str
        Regular and then privileged features.
    groups : tuple of tuple of str
        Each holds at least two features. No good model does without all of a group.
    needed : tuple of tuple of str
        For each group a part of it that no good model does without, and of which nothing can be
        left out: at least one of these is needed.
    joins : tuple of Join
        The tree of relevant features, the last join first.
    labels : int array
        The group of each feature, by its number; a feature without one has its own number.
    """

    feature_names: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    needed: tuple[tuple[str, ...], ...]
    joins: tuple[Join, ...]
    labels: IntArray

    def sentences(self) -> list[str]:
        """The groups in words."""
        from relbounds.wording.further import of_group  # noqa: PLC0415 - sentences read results

        return [of_group(*each) for each in zip(self.groups, self.needed, strict=True)]


@dataclass(frozen=True, eq=False)
class RelevancePath(Shown):
    """Intervals and classes of features along the tolerance.

    Attributes
    ----------
    feature_names : tuple of str
    tolerances : (t,) array
        Of norm and loss alike; of the norm alone if the fit had a ``loss_tolerance``, which then
        stays. The one of the fit has the fit's own result, others the same probes among themselves.
    used : float
        The one of the fit.
    intervals : (t, d, 2) array
    thresholds : (t,) array
        What chance reaches with ``maxrel`` at each tolerance.
    relevance : (t, d) int array
    strong_until : (d,) array
        The tolerance from which on a good model does without a feature, exactly. Zero if the best
        model does, infinite if none is enough. That is its price, unless the fit had a
        ``loss_tolerance``: a price lets the loss grow with the norm. NaN where it is not known:
        see ``bounded``.
    privileged : RelevancePath or None
        The same for privileged features, if there are any.
    bounded : (d,) bool array or None
        Features of wide tables whose ends were not computed, at no tolerance: no good model passes
        those given, and that is all that is known. None if all are exact.
    """

    feature_names: tuple[str, ...]
    tolerances: FloatArray
    used: float
    intervals: FloatArray
    thresholds: FloatArray
    relevance: IntArray
    strong_until: FloatArray
    privileged: "RelevancePath | None" = None
    bounded: BoolArray | None = None

    @property
    def drawn_intervals(self) -> FloatArray:
        """For pictures: nothing is drawn of a feature whose weight is only bounded."""
        if self.bounded is None:
            return self.intervals
        return np.where(self.bounded[:, None], 0.0, self.intervals)

    def to_frame(self) -> pd.DataFrame:
        """The class of each feature at each tolerance, and how long it is needed."""
        names = np.array([each.name.lower() for each in Relevance])
        table = pd.DataFrame(
            names[self.relevance].T,
            index=pd.Index(self.feature_names, name="feature"),
            columns=[f"{each:g}" for each in self.tolerances],
        )
        own = table.assign(strong_until=self.strong_until)
        return own if self.privileged is None else pd.concat([own, self.privileged.to_frame()])
