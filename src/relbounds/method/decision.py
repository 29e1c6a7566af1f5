"""Is a feature's relevance more than chance?"""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy import stats

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import RESOLUTION, Decision, Relevance, Thresholds


@dataclass(frozen=True)
class ChanceRule:
    """What counts as more than chance.

    Attributes
    ----------
    selection : {"probe", "fdr", "fwer"}
        Above the probes' threshold, or an error rate over all features of a side.
    confidence : float
        With which one more permuted feature stays below the threshold.
    level : float
        The error rate.
    """

    selection: str = "probe"
    confidence: float = 0.999
    level: float = 0.1

    def probes_for(self, n_features: int, n_probes: int) -> int:
        """How many probes to draw: for an error rate enough to find one feature alone."""
        if self.selection == "probe":
            return n_probes
        return max(n_probes, probes_to_find_one(n_features, self.level))

    def decide(self, bounds: Bounds, constant: Collection[str] = ()) -> Findings:
        """Bounds of features, and which of them are more than chance.

        Constant features are irrelevant without a test.
        """
        tested = np.array([name not in constant for name in bounds.feature_names])
        measured = {each.name: getattr(bounds, each.name) for each in fields(Bounds)}
        in_every = None
        if bounds.ends.shape[2] > 1:
            in_every = self._decision(replace(bounds, over_functions="min"), tested)
        return Findings(
            **measured, decision=self._decision(bounds, tested), decision_in_every=in_every
        )

    def _decision(self, bounds: Bounds, tested: BoolArray) -> Decision:
        chance = bounds.probe_intervals
        limits = None if bounds.probes is None else thresholds(chance, self.confidence)
        p = p_values(bounds.intervals[:, 1], chance[:, 1])
        relevance = np.zeros(len(tested), dtype=np.int64)
        if limits is not None:
            found = None if self.selection == "probe" else self._discoveries(p, tested)
            relevance = classify(bounds.intervals, limits, found)
        return Decision(self.selection, self.confidence, self.level, limits, p, relevance)

    def _discoveries(self, p: FloatArray, tested: BoolArray) -> BoolArray:
        found = np.zeros(len(tested), dtype=bool)
        found[tested] = ERROR_CONTROL[self.selection](p[tested], self.level)
        return found


def classify(
    intervals: FloatArray, limits: Thresholds, usable: BoolArray | None = None
) -> IntArray:
    """Relevance classes of intervals that are divided by the baseline's norm.

    Strong where both ends exceed their thresholds, weak where only ``maxrel`` does. ``usable``, if
    given, says instead which features are of more use than chance.
    """
    needed, above = (intervals - [limits.minrel, limits.maxrel] > RESOLUTION).T
    usable = above if usable is None else usable
    classes: IntArray = np.where(
        usable & needed, Relevance.STRONG, np.where(usable, Relevance.WEAK, Relevance.IRRELEVANT)
    ).astype(np.int64)
    return classes


def prediction_limit(values: FloatArray, confidence: float) -> float:
    """Upper end of the normal prediction interval for one more value.

    ``mean + T_(n-1)(confidence) * sd * sqrt(1 + 1/n)``, with the sample's own sd.
    """
    n = len(values)
    quantile = stats.t.ppf(confidence, n - 1)
    return float(values.mean() + quantile * values.std(ddof=1) * np.sqrt(1 + 1 / n))


def folded_prediction_limit(values: FloatArray, confidence: float) -> float:
    """The same for values ``a + b |Z|``, where only Z is normal.

    A probe's sign means nothing: its weight ranges from ``bZ - a`` to ``bZ + a``, and ``maxrel`` is
    the larger of the two ends. Mean ``a + b m`` and sd ``b s`` of the values give a and b
    (``m = sqrt(2 / pi)`` and ``s^2 = 1 - 2 / pi`` are those of ``|Z|``), and ``a + b T`` is
    exceeded as often as either end of a normal interval of this confidence.
    """
    n = len(values)
    mean, sd = np.sqrt(2 / np.pi), np.sqrt(1 - 2 / np.pi)
    ends = stats.t.ppf((1 + confidence) / 2, n - 1) * np.sqrt(1 + 1 / n)
    return float(values.mean() + max(0.0, ends - mean) / sd * values.std(ddof=1))


def thresholds(probe_intervals: FloatArray, confidence: float) -> Thresholds:
    """Thresholds from the intervals ``[minrel, maxrel]`` of probes."""
    return Thresholds(
        minrel=prediction_limit(probe_intervals[:, 0], confidence),
        maxrel=folded_prediction_limit(probe_intervals[:, 1], confidence),
    )


def p_values(values: FloatArray, of_chance: FloatArray) -> FloatArray:
    """How often chance reaches as far: ``(1 + number of probes that do) / (1 + number of probes)``.

    Exact where a value and the probes' are exchangeable if there is nothing to find.
    """
    reached = len(of_chance) - np.searchsorted(np.sort(of_chance), values - RESOLUTION, "left")
    found: FloatArray = (1 + reached) / (1 + len(of_chance))
    return found


def benjamini_hochberg(p: FloatArray, level: float) -> BoolArray:
    """Discoveries with a false discovery rate of at most the level.

    The k smallest p-values, k as large as possible with ``p_(k) <= level * k / d``.
    """
    order, ranks = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    fits = np.flatnonzero(p[order] <= level * ranks / len(p))
    return _the_first(order, fits[-1] + 1 if len(fits) else 0)


def holm(p: FloatArray, level: float) -> BoolArray:
    """Discoveries of which with probability ``1 - level`` none is false.

    The smallest p-values, as long as ``p_(k) <= level / (d + 1 - k)``.
    """
    order, ranks = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    fails = np.flatnonzero(p[order] > level / (len(p) + 1 - ranks))
    return _the_first(order, fails[0] if len(fails) else len(p))


def _the_first(order: IntArray, count: int) -> BoolArray:
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order[:count]] = True
    return chosen


ERROR_CONTROL = {"fdr": benjamini_hochberg, "fwer": holm}
SELECTIONS = ("probe", *ERROR_CONTROL)
"""More than chance by the probes' threshold, or with an error rate over all features."""


def probes_to_find_one(n_features: int, level: float) -> int:
    """How many probes it takes for one feature alone to be found among so many."""
    return int(np.ceil(n_features / level))
