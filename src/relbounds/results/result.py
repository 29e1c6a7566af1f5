"""All that was found, frozen. Pictures, reports and tables are its readers."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results.findings import Findings
from relbounds.results.records import (
    Baseline,
    Candidate,
    DataFacts,
    Probes,
    Record,
    Thresholds,
    Tolerances,
)


class _OfRegularFeatures:
    """What a result says of its features, it says of the regular ones."""

    sides: tuple[Findings, ...]

    @property
    def regular(self) -> Findings:
        return self.sides[0]

    @property
    def feature_names(self) -> tuple[str, ...]:
        return self.regular.feature_names

    @property
    def weight_ranges(self) -> FloatArray:
        return self.regular.weight_ranges

    @property
    def certificate_gaps(self) -> FloatArray:
        return self.regular.certificate_gaps

    @property
    def hulls(self) -> FloatArray:
        return self.regular.hulls

    @property
    def raw_intervals(self) -> FloatArray:
        return self.regular.raw_intervals

    @property
    def intervals(self) -> FloatArray:
        return self.regular.intervals

    @property
    def probe_intervals(self) -> FloatArray:
        return self.regular.probe_intervals

    @property
    def signs(self) -> IntArray:
        return self.regular.signs

    @property
    def probes(self) -> Probes | None:
        return self.regular.probes

    @property
    def norm(self) -> float:
        return self.regular.norm

    @property
    def confidence(self) -> float:
        return self.regular.confidence

    @property
    def selection(self) -> str:
        return self.regular.selection

    @property
    def level(self) -> float:
        return self.regular.level

    @property
    def thresholds(self) -> Thresholds | None:
        return self.regular.thresholds

    @property
    def relevance(self) -> IntArray:
        return self.regular.relevance

    @property
    def chance(self) -> FloatArray:
        return self.regular.chance

    @property
    def needed(self) -> BoolArray:
        return self.regular.needed

    @property
    def p_alone(self) -> FloatArray:
        return self.regular.p_alone

    @property
    def p_in_models(self) -> FloatArray:
        return self.regular.p_in_models

    @property
    def p_needed(self) -> FloatArray:
        return self.regular.p_needed

    @property
    def threshold_distances(self) -> FloatArray:
        return self.regular.threshold_distances

    @property
    def in_every_model(self) -> BoolArray:
        return self.regular.in_every_model

    @property
    def is_close(self) -> BoolArray:
        return self.regular.is_close


for _name, _said in vars(_OfRegularFeatures).items():
    if isinstance(_said, property) and hasattr(Findings, _name):
        _said.__doc__ = getattr(Findings, _name).__doc__  # what help() shows


@dataclass(frozen=True, eq=False)
class RelevanceResult(_OfRegularFeatures, Record):
    """Relevance of every feature, and what it rests on.

    What ``Findings`` say of the features of a side, a result says of the regular ones
    (``result.intervals``); ``privileged`` says it of the others.

    Attributes
    ----------
    sides : tuple of Findings
        Of regular features, and of privileged ones if there are any.
    task : {"ordinal", "classification", "regression"}
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

    sides: tuple[Findings, ...]
    task: str
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
    def privileged(self) -> Findings | None:
        """What was found about privileged features; None if there were none."""
        return self.sides[1] if len(self.sides) > 1 else None

    @property
    def is_degenerate(self) -> bool:
        """Whether the best model learns nothing from features, so that there are no intervals."""
        return self.probes is None

    @property
    def degeneracy(self) -> str:
        """What the best model of a degenerate result does, and what features tell all the same."""
        if self.slack == "privileged":
            does = (
                "The best model gains next to nothing from regular features: slacks that are read "
                "from privileged features alone have to cover every sample, which noise can make "
                "too dear."
            )
        else:
            used = "feature at all" if self.slack is None else "regular feature"
            does = f"The best model uses no {used}."
        told = self._told_by_evidence()
        if not told and self.slack != "privileged":
            does = f"{does[:-1]}: the target may have nothing to do with the features."
        useless = all((side.relevance == 0).all() for side in self.sides)
        reported = "Every feature is reported as irrelevant." if useless else ""
        return " ".join(filter(None, [does, told, reported]))

    def _told_by_evidence(self) -> str:
        """How many features tell something about the outcome although the best model is without."""
        limit, d = 1 - self.confidence, len(self.feature_names)
        alone, beside = (int((p <= limit).sum()) for p in (self.p_alone, self.p_needed))
        if not alone and not beside:
            return ""
        count, how = (alone, "on its own") if alone else (beside, "beside the others")
        if count > 1:
            how = how.replace("its", "their")
        uneven = "" if self.data.classes is None else " or classes of very different size"
        return (
            f"Yet {count} of {d} feature{'s' if d > 1 else ''} {'tell' if count > 1 else 'tells'} "
            f"something about the outcome {how}. A small C{uneven} may be the reason."
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
        return pd.concat([side.to_frame() for side in self.sides])

    def to_class_frame(self) -> pd.DataFrame:
        """A row for each feature and each of three or more classes without order.

        What it weighs in telling the class from the rest, and whether it is needed for that.
        """
        return self.regular.to_class_frame()

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
