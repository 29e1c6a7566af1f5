"""What was found about the features of one side: what they weigh, and is it more than chance?"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from relbounds.arrays import BoolArray, FloatArray, IntArray, relevance_of
from relbounds.results.record import frozen
from relbounds.results.records import (
    RESOLUTION,
    Decision,
    Probes,
    Relevance,
    Shadows,
    Thresholds,
)
from relbounds.results.shown import Shown

CLOSE = 3.0, 10.0
"""Times less than it has to be, times more: p-values that further data could well move across. An
effect that is small beside the number of samples often has one in ten times what it has to be."""
_NEVER_CLOSE = 0.05


@dataclass(frozen=True, eq=False)
class Bounds(Shown):
    """How little and how much the features of one side weigh.

    Weights are those of standardised features, unless ``standardize=False``; for regression
    they are in standard deviations of the target. A regular feature has one weight, or one for each
    class where three and more classes have no order and each is told from the rest. A privileged
    one has a weight in each of two slack functions, of the rows that keep a sample below an offset
    (the paper's chi) and above it (xi). A feature of several weights, in as many functions, is as
    relevant as the function that needs it most makes it. Constraints can leave a union of sets of
    models, one for each case.

    Attributes
    ----------
    side : {"regular", "privileged"}
    feature_names : tuple of str
    ends : (cases, d, functions, 2) array
        Least and largest weight over the good models, signed, not normalised. One case, unless
        constraints leave several; one function of regular features, or one for each class; two of
        privileged ones.
    gaps : (d, functions, 2) array
        Between the value a good model reaches and the one that none can pass.
    probes : Probes or None
        None if the baseline has no weights.
    shadows : tuple of Shadows
        Of those features whose case the probes could not decide.
    norm : float
        ``|w|_1`` of the baseline's regular weights, which relevance is divided by.
    over_functions : {"max", "min"}
        Whether a feature is as relevant as the function that needs it most or least makes it.
    classes : tuple of str
        Those that functions tell from the rest; empty unless each class has a score of its own.
    least : (cases, d) array or None
        The least that the largest weight of a feature is over the good models, where each class has
        one; ``ends`` know no more than that of each class by itself. None otherwise.
    bounded : (d,) bool array or None
        Features whose ends were not computed: no good model passes those given, and that is all
        that is known. None if all ends are exact.
    """

    side: str
    feature_names: tuple[str, ...]
    ends: FloatArray
    gaps: FloatArray
    probes: Probes | None
    shadows: tuple[Shadows, ...]
    norm: float
    over_functions: str
    classes: tuple[str, ...] = field(default=(), kw_only=True)
    least: FloatArray | None = field(default=None, kw_only=True)
    bounded: BoolArray | None = field(default=None, kw_only=True)

    @cached_property
    def is_bounded(self) -> BoolArray:
        """Whether no more is known of a feature's weight than that it is at most ``maxrel``."""
        none = np.zeros(len(self.feature_names), dtype=bool)
        return frozen(none) if self.bounded is None else self.bounded

    @cached_property
    def weight_ranges(self) -> FloatArray:
        """Least and largest weight in any case: (d, 2), or (d, functions, 2) of several."""
        low, high = self.ends[..., 0].min(axis=0), self.ends[..., 1].max(axis=0)
        return frozen(_of_single_function(np.stack([low, high], axis=-1)))

    @property
    def certificate_gaps(self) -> FloatArray:
        """``gaps``, without the axis of functions where there is one only."""
        return _of_single_function(self.gaps)

    @cached_property
    def hulls(self) -> FloatArray:
        """The signed range that holds all of a feature's weights."""
        low, high = self.ends[..., 0].min(axis=(0, 2)), self.ends[..., 1].max(axis=(0, 2))
        return frozen(np.stack([low, high], axis=-1))

    @cached_property
    def raw_intervals(self) -> FloatArray:
        """``[minrel, maxrel]``: the least and the most ``|w|`` over the good models."""
        of_cases = self._over_functions(relevance_of(self.ends))
        if self.least is not None and self.over_functions == "max":
            of_cases[..., 0] = self.least
        low, high = of_cases[..., 0].min(axis=0), of_cases[..., 1].max(axis=0)
        return frozen(np.stack([low, high], axis=-1))

    @cached_property
    def intervals(self) -> FloatArray:
        """The same divided by the baseline's norm; the tolerance can take them above 1."""
        return self._normalised(self.raw_intervals)

    @cached_property
    def drawn_intervals(self) -> FloatArray:
        """The same for pictures: nothing is drawn of a feature whose weight is only bounded."""
        return frozen(np.where(self.is_bounded[:, None], 0.0, self.intervals))

    @cached_property
    def probe_intervals(self) -> FloatArray:
        """The probes' intervals, divided by the baseline's norm."""
        if self.probes is None:
            return frozen(np.empty((0, 2)))
        of_functions = self.probes.intervals.reshape(self.probes.solved, -1, 2)
        return self._normalised(self._over_functions(of_functions))

    def shadow_intervals(self, shadows: Shadows) -> FloatArray:
        """The intervals of a feature's own shadows, divided by the baseline's norm."""
        return self._normalised(self._over_functions(shadows.intervals))

    def _over_functions(self, intervals: FloatArray) -> FloatArray:
        """The relevance of features, from that of their weights."""
        aggregate = np.max if self.over_functions == "max" else np.min
        aggregated: FloatArray = aggregate(intervals, axis=-2)
        return aggregated

    def _normalised(self, values: FloatArray) -> FloatArray:
        """Shares of the norm; zeros where nothing was learned, and never minus zero."""
        return frozen(values / (np.inf if self.probes is None else self.norm) + 0.0)

    @cached_property
    def signs(self) -> IntArray:
        """+1 or -1 where the effect has this direction in every good model, else 0."""
        return self._signs_of(self.hulls)

    @cached_property
    def intervals_of_classes(self) -> FloatArray:
        """``[minrel, maxrel]`` in telling each class from the rest: (d, classes, 2)."""
        of_cases = relevance_of(self.ends)[:, :, : len(self.classes)]
        low, high = of_cases[..., 0].min(axis=0), of_cases[..., 1].max(axis=0)
        return self._normalised(np.stack([low, high], axis=-1))

    @cached_property
    def signs_of_classes(self) -> IntArray:
        """+1 where larger values speak for a class in every good model, -1 against it, else 0."""
        low, high = self.ends[..., 0].min(axis=0), self.ends[..., 1].max(axis=0)
        return self._signs_of(np.stack([low, high], axis=-1)[:, : len(self.classes)])

    def _signs_of(self, ranges: FloatArray) -> IntArray:
        resolution = RESOLUTION * self.norm
        above, below = ranges[..., 0] > resolution, ranges[..., 1] < -resolution
        return frozen(above.astype(np.int64) - below.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Findings(Bounds):
    """What was found about the features of one side: bounds, and what is more than chance.

    Attributes of ``Bounds``, and:

    Attributes
    ----------
    decision : Decision
    decision_in_every : Decision or None
        The same for ``in_every_function``; None if a feature has one weight only.
    """

    decision: Decision
    decision_in_every: Decision | None

    @property
    def in_every_function(self) -> Self:
        """The stricter reading: as relevant as the function that needs a feature least makes it."""
        if self.decision_in_every is None:
            return self
        return replace(
            self,
            over_functions="min",
            decision=self.decision_in_every,
            decision_in_every=None,
        )

    @property
    def confidence(self) -> float:
        """With which each kind of evidence does not speak for a feature that is of no use."""
        return self.decision.confidence

    @property
    def selection(self) -> str:
        """What relevant means: "evidence", an error rate ("fdr", "fwer"), or "probe"."""
        return self.decision.selection

    @property
    def level(self) -> float:
        """The error rate over all features."""
        return self.decision.level

    @property
    def thresholds(self) -> Thresholds | None:
        """What chance usually may reach, normalised; None if the baseline has no weights."""
        return self.decision.thresholds

    @property
    def chance(self) -> FloatArray:
        """What chance may reach in the place of each feature: columns like it, permuted."""
        return self.decision.chance

    @property
    def relevance(self) -> IntArray:
        """0 irrelevant, 1 weak, 2 strong (``Relevance``)."""
        return self.decision.relevance

    @property
    def needed(self) -> BoolArray:
        """Whether a relevant feature is proved to add to all others."""
        return self.decision.needed

    @property
    def p_alone(self) -> FloatArray:
        """How often chance would tell as much about the outcome as a feature does on its own.

        NaN for privileged features, which speak of slacks and not of the outcome.
        """
        alone = self.decision.evidence.alone
        return np.full(len(self.feature_names), np.nan) if alone is None else alone

    @property
    def p_in_models(self) -> FloatArray:
        """How often a permuted feature gets as much weight in some good model as a feature can.

        Permuted features are copies of columns that are spread out, or, where that decides, of the
        feature's own column in the company of those that depend on it. The tail is fitted. One
        where the weight is only bounded: it was not asked then.
        """
        return self.decision.in_models

    @property
    def p_needed(self) -> FloatArray:
        """How often chance would add as much to all others as a feature does."""
        return self.decision.evidence.needed

    @property
    def p_needed_of_classes(self) -> FloatArray:
        """How often chance would add as much to telling each class from the rest: (d, classes)."""
        of_classes = self.decision.evidence.needed_of_classes
        return np.empty((len(self.feature_names), 0)) if of_classes is None else of_classes

    @cached_property
    def needed_of_classes(self) -> BoolArray:
        """Which classes a needed feature is needed to tell from the rest: (d, classes).

        Each feature is asked about all of them, at the level of "needed".
        """
        proved = self.p_needed_of_classes * len(self.classes) <= self.level
        return frozen(proved & self.needed[:, None])

    def needed_for(self, position: int) -> tuple[str, ...]:
        """Names of the classes that a feature is needed to tell from the rest."""
        return tuple(
            name
            for name, is_needed in zip(self.classes, self.needed_of_classes[position], strict=True)
            if is_needed
        )

    @cached_property
    def threshold_distances(self) -> FloatArray:
        """How far ``minrel`` and ``maxrel`` lie above what chance may reach; NaN without probes."""
        limits = self.thresholds
        if limits is None:
            return frozen(np.full((len(self.feature_names), 2), np.nan))
        least = np.full(len(self.feature_names), limits.minrel)
        return frozen(self.intervals - np.stack([least, self.chance], axis=1))

    @cached_property
    def in_every_model(self) -> BoolArray:
        """Whether every good model uses a feature: ``minrel`` exceeds its threshold.

        With ``probes="append"`` no good model needs a probe, so that the threshold is 0.
        """
        return frozen(np.nan_to_num(self.threshold_distances[:, 0]) > RESOLUTION)

    @cached_property
    def p_of_kinds(self) -> FloatArray:
        """The three kinds of evidence side by side: alone, in models, beside all others."""
        return frozen(np.stack([self.p_alone, self.p_in_models, self.p_needed], axis=1))

    @cached_property
    def strongest(self) -> FloatArray:
        """The smallest p-value of each feature among the kinds of evidence that count."""
        counting = self.p_of_kinds[:, [1]] if self.selection == "probe" else self.p_of_kinds
        return frozen(np.nanmin(counting, axis=1))

    @cached_property
    def proof_limit(self) -> float:
        """Up to which a p-value proves that a feature is of use.

        With an error rate over all features it depends on how many are found: level times found
        over all ("fdr"), or level over those not found ("fwer"), for each kind of evidence.
        """
        if self.selection not in ("fdr", "fwer"):
            return 1 - self.confidence
        found, d = int((self.relevance > 0).sum()), len(self.feature_names)
        kinds = int((~np.isnan(self.p_of_kinds)).any(axis=0).sum())
        share = max(found, 1) / d if self.selection == "fdr" else 1 / max(d - found, 1)
        largest = self.strongest[self.relevance > 0].max(initial=0.0)
        return float(max(self.level * share / kinds, largest))

    @cached_property
    def is_proved(self) -> BoolArray:
        """What each kind of evidence proves by itself: (d, 3), alone, in models, beside others.

        Nothing of features that cannot be used, and are irrelevant whatever they tell. In the
        paper's rule only the second kind decides; the others are shown all the same.
        """
        with np.errstate(invalid="ignore"):
            proved = self.p_of_kinds <= self.proof_limit
        if self.selection != "probe":
            proved &= (self.relevance > 0)[:, None]
        return frozen(proved)

    @cached_property
    def is_close(self) -> BoolArray:
        """Whether the strongest evidence is next to what it has to be: too close to call."""
        limit, (less, more) = self.proof_limit, CLOSE
        most = min(limit * more, _NEVER_CLOSE)
        return frozen((self.strongest > limit / less) & (self.strongest < most))

    def to_frame(self) -> pd.DataFrame:
        """A row for each feature, in the order of the data.

        ``needed_for`` is there where each class has a score of its own: which of them a feature is
        needed to tell from the rest. ``bounded`` is there where some ends were not computed: no
        good model passes ``low``, ``high`` and ``maxrel`` then.
        """
        frame = pd.DataFrame(
            {
                "side": self.side,
                "relevance": pd.Categorical(
                    [Relevance(each).name.lower() for each in self.relevance],
                    categories=[each.name.lower() for each in Relevance],
                    ordered=True,
                ),
                "needed": self.needed,
                "minrel": self.intervals[:, 0],
                "maxrel": self.intervals[:, 1],
                "sign": self.signs,
                "low": self.hulls[:, 0],
                "high": self.hulls[:, 1],
                "minrel_over_threshold": self.threshold_distances[:, 0],
                "maxrel_over_threshold": self.threshold_distances[:, 1],
                "p_alone": self.p_alone,
                "p_in_models": self.p_in_models,
                "p_needed": self.p_needed,
            },
            index=pd.Index(self.feature_names, name="feature"),
        )
        if self.classes:
            frame["needed_for"] = [", ".join(self.needed_for(k)) for k in range(len(frame))]
        if self.bounded is not None:
            frame["bounded"] = self.bounded
        return frame

    def to_class_frame(self) -> pd.DataFrame:
        """A row for each feature and each class that is told from the rest."""
        if not self.classes:
            raise ValueError(
                "Rows for single classes are there for regular features and an outcome of three or "
                "more classes without order; use to_frame()."
            )
        names = ("feature", "class")
        low, high = self.weight_ranges[..., 0], self.weight_ranges[..., 1]
        return pd.DataFrame(
            {
                "minrel": self.intervals_of_classes[..., 0].ravel(),
                "maxrel": self.intervals_of_classes[..., 1].ravel(),
                "sign": self.signs_of_classes.ravel(),
                "low": low.ravel(),
                "high": high.ravel(),
                "needed": self.needed_of_classes.ravel(),
                "p_needed": self.p_needed_of_classes.ravel(),
            },
            index=pd.MultiIndex.from_product([self.feature_names, self.classes], names=names),
        )


def _of_single_function(values: FloatArray) -> FloatArray:
    """Without the second axis, if there is one function only."""
    return values[:, 0] if values.shape[1] == 1 else values


SORTS = ("relevance", "given")


def arranged(
    side: Findings, sort: str = "relevance", made_from: Mapping[str, str] | None = None
) -> IntArray:
    """Positions of the features of one side in the order in which to show them.

    Parameters
    ----------
    side : Findings
    sort : {"relevance", "given"}
        Strong ones first, then weak ones that are needed, and among equals the one that can weigh
        most, those last of which that is not known; or as in the data.
    made_from : mapping of feature names to the column each was made from, optional
        Columns made from the same one (by one-hot encoding) stay together, at the place of the
        first of them.
    """
    if sort not in SORTS:
        raise ValueError(f"sort must be one of {', '.join(SORTS)}; got {sort!r}.")
    names = side.feature_names
    order = np.arange(len(names))
    if sort == "relevance":
        most = np.round(side.intervals[:, 1] / RESOLUTION)  # of stand-ins rounding is no order
        order = np.lexsort((-most, side.is_bounded, ~side.needed, -side.relevance))
    origins = {name: (made_from or {}).get(name, name) for name in names}
    places: dict[str, int] = {}
    for position in order:
        places.setdefault(origins[names[position]], len(places))
    together: IntArray = np.array(
        sorted(order.tolist(), key=lambda position: places[origins[names[position]]]), dtype=int
    )
    return together
