"""All that was found, frozen. Pictures, reports and tables are its readers."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results import degeneracy
from relbounds.results.data_facts import DataFacts
from relbounds.results.findings import Findings
from relbounds.results.records import (
    RESOLUTION,
    Baseline,
    Candidate,
    Probes,
    Thresholds,
    Tolerances,
)
from relbounds.results.shown import Shown
from relbounds.results.suspicion import Suspect, carriers


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
    def is_bounded(self) -> BoolArray:
        return self.regular.is_bounded

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
class RelevanceResult(_OfRegularFeatures, Shown):
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
        ``epsilon`` for regression, ``balance`` where classes count by a power of their size.
    tuning : tuple of Candidate
        The whole score table; empty where nothing was tuned.
    data : DataFacts
    programs : dict
        Answers asked for in each stage: a best model, or the largest or smallest weight of a
        feature. An engine may solve a short series of linear programs for one.
    seconds : dict
        Time spent in each stage; evidence and intervals share the workers where these are threads.
    version : str
        Of relbounds.
    fallbacks : int
        How many answers the fast engine could not prove and left to the exact one.
    class_weights : array or None
        What a sample of each class counts in the loss, beside its own weight; None: one.
    suspects : tuple of Suspect
        Regular columns that all alone tell the outcome apart, without error or nearly so.
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
    class_weights: FloatArray | None = None
    suspects: tuple[Suspect, ...] = ()

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
        return degeneracy.degeneracy(self)

    @property
    def why_degenerate(self) -> str:
        """The same, and what can be done in Python."""
        return f"{self.degeneracy} {degeneracy.advice(self)}"

    @property
    def suspected_together(self) -> tuple[str, ...]:
        """Features that together tell nearly all, if none of them does alone; mostly none."""
        return () if self.suspects else carriers(self)

    @property
    def chosen(self) -> Candidate | None:
        """The line of the score table that was chosen; None if nothing was tuned."""
        wanted = {
            name: value
            for name, value in self.hyperparameters.items()
            if name != "free_slack_price"
        }
        return next((each for each in self.tuning if each.hyperparameters == wanted), None)

    @property
    def error_without_features(self) -> float:
        """The error of a model that gives the same answer to all; infinite if it is not known.

        Who always names the same class misses least with the middle one: by a half, if there are
        two. Where classes have no order, any will do.
        """
        if self.data.classes is not None and self.task == "classification":
            return 1 - 1 / len(self.data.classes)
        if self.data.classes is not None:
            ranks = np.arange(len(self.data.classes))
            return float(np.abs(ranks[:, None] - ranks).mean(axis=0).min())
        smallest = min(self.tuning, key=lambda each: each.C, default=None)
        return np.inf if smallest is None or smallest.has_weights else smallest.mean

    @property
    def errs_more_than_a_constant(self) -> bool:
        """Whether giving the same answer to all would have been better in cross-validation."""
        chosen = self.chosen
        return chosen is not None and chosen.mean > self.error_without_features + RESOLUTION

    @property
    def is_no_better_than_a_constant(self) -> bool:
        """Whether it would have been as good, within one standard error."""
        chosen = self.chosen
        if chosen is None:
            return False
        return chosen.mean + chosen.standard_error >= self.error_without_features

    def to_frame(self) -> pd.DataFrame:
        """A row for each feature, in the order of the data, privileged ones last."""
        frames = [side.to_frame() for side in self.sides]
        if any(side.bounded is not None for side in self.sides):
            frames = [
                frame.assign(bounded=side.is_bounded)
                for frame, side in zip(frames, self.sides, strict=True)
            ]
        return pd.concat(frames)

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
