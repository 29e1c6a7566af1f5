"""All that was found, frozen. Pictures, reports and tables are its readers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.method.decision import (
    ERROR_CONTROL,
    classify,
    distances,
    p_values,
    stable_signs,
    thresholds,
)
from relbounds.method.intervals import relevance_intervals
from relbounds.problems import SIDES
from relbounds.results.parts import (
    RESOLUTION,
    Baseline,
    Candidate,
    DataFacts,
    Probes,
    Relevance,
    Thresholds,
    Tolerances,
)
from relbounds.results.records import Record, frozen


@dataclass(frozen=True, eq=False)
class Findings(Record):
    """What was found about the features of one side.

    Weights are those of standardised features, unless ``standardize=False``; for regression
    they are in standard deviations of the target.

    Attributes
    ----------
    feature_names : tuple of str
    weight_ranges : (d, 2) array
        Least and largest weight over the good models, signed, not normalised.
    certificate_gaps : (d, 2) array
        Between the value a good model reaches and the one that none can pass.
    probes : Probes or None
        None if the baseline has no weights.
    confidence : float
    norm : float
        ``|w|_1`` of the baseline's regular weights, which relevance is divided by.
    selection : {"probe", "fdr", "fwer"}
        What "more than chance" means: above the probes' threshold, or an error rate over all
        features of this side,
    level : float
        and how large that may be.
    """

    feature_names: tuple[str, ...]
    weight_ranges: FloatArray
    certificate_gaps: FloatArray
    probes: Probes | None
    confidence: float
    norm: float
    selection: str = field(default="probe", kw_only=True)
    level: float = field(default=0.1, kw_only=True)

    @cached_property
    def raw_intervals(self) -> FloatArray:
        """``[minrel, maxrel]``: the least and the most ``|w|`` over the good models."""
        return frozen(self._relevance_of(relevance_intervals(self.weight_ranges)))

    @cached_property
    def intervals(self) -> FloatArray:
        """The same divided by the baseline's norm; the tolerance can take them above 1."""
        return self._normalised(self.raw_intervals)

    @cached_property
    def probe_intervals(self) -> FloatArray:
        """The probes' intervals, divided by the baseline's norm."""
        if self.probes is None:
            return frozen(np.empty((0, 2)))
        return self._normalised(self._relevance_of(self.probes.intervals))

    def _relevance_of(self, intervals: FloatArray) -> FloatArray:
        """The relevance of features, from that of their weights."""
        return intervals

    def _normalised(self, values: FloatArray) -> FloatArray:
        return frozen(values / (np.inf if self.probes is None else self.norm) + 0.0)

    @cached_property
    def thresholds(self) -> Thresholds | None:
        """What chance may reach, normalised; None if the baseline has no weights."""
        return None if self.probes is None else thresholds(self.probe_intervals, self.confidence)

    @cached_property
    def relevance(self) -> IntArray:
        """0 irrelevant, 1 weak, 2 strong (``Relevance``)."""
        if self.thresholds is None:
            return frozen(np.zeros(len(self.feature_names), dtype=np.int64))
        if self.selection == "probe":
            return frozen(classify(self.intervals, self.thresholds))
        tested = self._tested
        found = np.zeros(len(tested), dtype=bool)
        found[tested] = ERROR_CONTROL[self.selection](self.p_values[tested], self.level)
        return frozen(classify(self.intervals, self.thresholds, found))

    @property
    def _tested(self) -> BoolArray:
        """Features that error rates speak of."""
        return np.ones(len(self.feature_names), dtype=bool)

    @cached_property
    def p_values(self) -> FloatArray:
        """How often a permuted feature reaches a feature's ``maxrel``; ones without probes.

        Exact for a feature that has nothing to do with the outcome or the other features, if chance
        treats its column like those that probes are copies of.
        """
        return frozen(p_values(self.intervals[:, 1], self.probe_intervals[:, 1]))

    @cached_property
    def needed(self) -> Any:
        """Whether ``minrel`` exceeds its threshold, even if ``maxrel`` does not (boolean).

        A feature can be needed by every good model and yet weigh no more than chance may. With
        ``probes="append"`` no good model needs a probe, so that the threshold is 0.
        """
        return frozen(np.nan_to_num(self.threshold_distances[:, 0]) > RESOLUTION)

    @cached_property
    def threshold_distances(self) -> FloatArray:
        """How far ``minrel`` and ``maxrel`` lie above their thresholds; NaN without any."""
        if self.thresholds is None:
            return frozen(np.full_like(self.intervals, np.nan))
        return frozen(distances(self.intervals, self.thresholds))

    @property
    def hulls(self) -> FloatArray:
        """The signed range that holds all of a feature's weights."""
        return self.weight_ranges

    @cached_property
    def signs(self) -> IntArray:
        """+1 or -1 where the effect has this direction in every good model, else 0."""
        return frozen(stable_signs(self.hulls, RESOLUTION * self.norm))

    def _columns(self, side: str) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "side": side,
                "relevance": pd.Categorical(
                    [Relevance(each).name.lower() for each in self.relevance],
                    categories=[each.name.lower() for each in Relevance],
                    ordered=True,
                ),
                "minrel": self.intervals[:, 0],
                "maxrel": self.intervals[:, 1],
                "sign": self.signs,
                "low": self.hulls[:, 0],
                "high": self.hulls[:, 1],
                "minrel_over_threshold": self.threshold_distances[:, 0],
                "maxrel_over_threshold": self.threshold_distances[:, 1],
                "p_value": self.p_values,
            },
            index=pd.Index(self.feature_names, name="feature"),
        )


@dataclass(frozen=True, eq=False)
class PrivilegedFindings(Findings):
    """What was found about privileged features, which have a weight in each slack function.

    The functions are those of the rows that keep a sample below an offset (the paper's chi) and
    above it (xi). A feature is as relevant as the function that needs it most makes it.
    ``weight_ranges``, ``certificate_gaps`` and the probes' intervals have shape (d, 2, 2): feature,
    function, end.
    """

    def _relevance_of(self, intervals: FloatArray) -> FloatArray:
        aggregated: FloatArray = intervals.max(axis=1)
        return aggregated

    @property
    def hulls(self) -> FloatArray:
        """The signed range that holds a feature's weights in both functions."""
        return np.stack(
            [self.weight_ranges[..., 0].min(axis=1), self.weight_ranges[..., 1].max(axis=1)], axis=1
        )

    @cached_property
    def in_every_function(self) -> "PrivilegedFindings":
        """The stricter reading: as relevant as the function that needs a feature least makes it."""
        return _InEveryFunction(**{each.name: getattr(self, each.name) for each in fields(self)})


class _InEveryFunction(PrivilegedFindings):
    def _relevance_of(self, intervals: FloatArray) -> FloatArray:
        aggregated: FloatArray = intervals.min(axis=1)
        return aggregated


@dataclass(frozen=True, eq=False)
class RelevanceResult(Findings):
    """Relevance of every feature, and what it rests on.

    What is said of features is said of regular ones; ``privileged`` says it of the others.
    Attributes of ``Findings``, and:

    Attributes
    ----------
    task : {"ordinal", "classification", "regression"}
    privileged : PrivilegedFindings or None
        None if there were no privileged features.
    slack : str or None
        The slack model for privileged features.
    baseline : Baseline
        The best model: weights, offsets, norm, loss, and the gap of its own proof.
    budget : {"split", "joint"}
    tolerances : Tolerances or None
        As used, relative to the baseline; None if the baseline has no weights.
    norm_limit, loss_limit : float
        The most that the norm and the loss of a good model can be. The norm counts privileged
        weights ``gamma`` times.
    hyperparameters : dict
        ``C``, ``gamma`` with privileged features, ``free_slack_price`` with mixed slacks,
        ``epsilon`` for regression.
    tuning : tuple of Candidate
        The whole score table; empty where nothing was tuned.
    data : DataFacts
    programs : dict
        Answers asked for in each stage: a best model, or the largest or smallest weight of a
        feature. An engine may solve a short series of linear programs for one.
    seconds : dict
        Time spent in each stage.
    version : str
        Of relbounds.
    fallbacks : int
        How many answers the fast engine could not prove and left to the exact one.
    """

    task: str
    privileged: PrivilegedFindings | None
    slack: str | None
    baseline: Baseline
    budget: str
    tolerances: Tolerances | None
    norm_limit: float
    loss_limit: float
    hyperparameters: dict[str, float]
    tuning: tuple[Candidate, ...]
    data: DataFacts
    programs: dict[str, int]
    seconds: dict[str, float]
    version: str
    fallbacks: int = 0

    @property
    def _tested(self) -> BoolArray:
        """Constant features are irrelevant without a test."""
        return np.array([name not in self.data.constant_features for name in self.feature_names])

    @property
    def is_degenerate(self) -> bool:
        """Whether the best model learns nothing from features, so that none can be relevant."""
        return self.probes is None

    @property
    def degeneracy(self) -> str:
        """Why nothing is relevant in a degenerate result."""
        if self.slack == "privileged":
            return (
                "The best model gains next to nothing from regular features: slacks that are read "
                "from privileged features alone have to cover every sample, which noise can make "
                "too dear. Every feature is reported as irrelevant."
            )
        used = "feature at all" if self.slack is None else "regular feature"
        return (
            f"The best model uses no {used}: the target may have nothing to do with the features. "
            "Every feature is reported as irrelevant."
        )

    @property
    def why_degenerate(self) -> str:
        """The same, and what can be done in Python."""
        if self.slack == "privileged":
            advice = "slack='mixed' gives samples slack of their own; a larger C may help too."
        else:
            advice = "If C is too small for these data, a larger one helps."
        return f"{self.degeneracy} {advice}"

    def to_frame(self) -> pd.DataFrame:
        """A row for each feature, in the order of the data, privileged ones last."""
        sides = [self] if self.privileged is None else [self, self.privileged]
        return pd.concat([each._columns(side) for side, each in zip(SIDES, sides, strict=False)])

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer, and the table with the intervals as bars."""
        from relbounds.report import notebook_view  # noqa: PLC0415 - a page reads results

        return notebook_view(self)

    def generalization_bound(
        self, confidence: float = 0.95, *, baseline_only: bool = False
    ) -> float:
        """Bound on the expected loss that holds with this confidence for all good models.

        ``l * (loss/n + 4 norm R sqrt(2 log(2d) / n) + 2 sqrt(2 log(2 / (1 - confidence)) / n))``
        with l classes, n samples, d features and ``R = max|x|``; norm and loss are the largest
        that a good model has, or with ``baseline_only`` those of the best model. (The paper
        lets good models have more norm but no more loss; ours may have both.)
        """
        if self.data.classes is None:
            raise ValueError(
                "The generalisation bound speaks of classes; there is none for regression."
            )
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must lie between 0 and 1; got {confidence!r}.")
        norm = self.baseline.norm if baseline_only else self.norm_limit
        loss = self.baseline.loss if baseline_only else self.loss_limit
        n, d = self.data.n_samples, len(self.feature_names)
        complexity = 4 * norm * self.data.largest_value * np.sqrt(2 * np.log(2 * d) / n)
        chance = 2 * np.sqrt(2 * np.log(2 / (1 - confidence)) / n)
        return float(len(self.data.classes) * (loss / n + complexity + chance))


SORTS = ("relevance", "given")


def arranged(
    side: Findings, sort: str = "relevance", made_from: Mapping[str, str] | None = None
) -> IntArray:
    """Positions of the features of one side in the order in which to show them.

    Parameters
    ----------
    side : Findings
    sort : {"relevance", "given"}
        Strong ones first, and among equals the one that can weigh most; or as in the data.
    made_from : mapping of feature names to the column each was made from, optional
        Columns made from the same one (by one-hot encoding) stay together, at the place of the
        first of them.
    """
    if sort not in SORTS:
        raise ValueError(f"sort must be one of {', '.join(SORTS)}; got {sort!r}.")
    names = side.feature_names
    order = np.arange(len(names))
    if sort == "relevance":
        order = np.lexsort((-side.intervals[:, 1], -side.relevance))
    origins = {name: (made_from or {}).get(name, name) for name in names}
    places: dict[str, int] = {}
    for position in order:
        places.setdefault(origins[names[position]], len(places))
    together: IntArray = np.array(
        sorted(order.tolist(), key=lambda position: places[origins[names[position]]]), dtype=int
    )
    return together
