"""What is found if models have to keep constraints, beside what was found without them."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.intervals import relevance_intervals
from relbounds.records import frozen
from relbounds.result import Findings, PrivilegedFindings, RelevanceResult

MOVED = 1e-6
"""Intervals that differ by no more than this share of the norm have not moved."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Union(Findings):
    """Findings over a union of bodies: constraints on relevance leave a body for each sign.

    Attributes
    ----------
    case_ranges : (cases, ...) array
        ``weight_ranges`` of each body; those of the union are what holds all of them.
    """

    case_ranges: FloatArray

    @cached_property
    def raw_intervals(self) -> FloatArray:
        """The least and the most ``|w|`` over the bodies; zero may lie between them in none."""
        each = np.array([self._relevance_of(relevance_intervals(one)) for one in self.case_ranges])
        return frozen(np.stack([each[..., 0].min(axis=0), each[..., 1].max(axis=0)], axis=-1))


@dataclass(frozen=True, eq=False, kw_only=True)
class ConstrainedPrivileged(_Union, PrivilegedFindings):
    """What constraints leave of privileged features."""

    @cached_property
    def in_every_function(self) -> "ConstrainedPrivileged":
        """The stricter reading: as relevant as the function that needs a feature least makes it."""
        return _InEveryFunction(**{each.name: getattr(self, each.name) for each in fields(self)})


class _InEveryFunction(ConstrainedPrivileged):
    def _relevance_of(self, intervals: FloatArray) -> FloatArray:
        aggregated: FloatArray = intervals.min(axis=1)
        return aggregated


@dataclass(frozen=True, eq=False, kw_only=True)
class ConstrainedResult(_Union, RelevanceResult):
    """A result over the good models that keep some constraints.

    Baseline, budget, probes and thresholds are those of the first fit. Attributes of
    ``RelevanceResult``, and:

    Attributes
    ----------
    constraints : tuple of str
        What was asked, in words.
    before : RelevanceResult
        What was found without constraints.
    """

    privileged: ConstrainedPrivileged | None
    constraints: tuple[str, ...]
    before: RelevanceResult

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
