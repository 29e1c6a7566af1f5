"""Is a feature's relevance more than chance? Pure functions of numbers."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from scipy import stats

from relbounds.arrays import FloatArray, IntArray
from relbounds.records import Record

RESOLUTION = 1e-6
"""Differences below this share of the baseline's norm are rounding, not relevance."""


class Relevance(IntEnum):
    """What an outcome's good models make of a feature."""

    IRRELEVANT = 0
    """No good model uses it more than a permuted feature."""
    WEAK = 1
    """Some good model uses it, another does without: it has substitutes."""
    STRONG = 2
    """Every good model needs it."""


@dataclass(frozen=True)
class Thresholds(Record):
    """What chance may reach: a feature has to exceed it."""

    minrel: float
    maxrel: float


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


def distances(intervals: FloatArray, limits: Thresholds) -> FloatArray:
    """How far ``minrel`` and ``maxrel`` lie above (below, if negative) their thresholds."""
    over: FloatArray = intervals - np.array([limits.minrel, limits.maxrel])
    return over


def classify(intervals: FloatArray, limits: Thresholds, resolution: float = RESOLUTION) -> IntArray:
    """Relevance classes of intervals that are divided by the baseline's norm.

    Strong where both ends exceed their thresholds, weak where only ``maxrel`` does.
    """
    needed, usable = (distances(intervals, limits) > resolution).T
    classes: IntArray = np.where(
        usable & needed, Relevance.STRONG, np.where(usable, Relevance.WEAK, Relevance.IRRELEVANT)
    ).astype(np.int64)
    return classes


def stable_signs(ranges: FloatArray, resolution: float) -> IntArray:
    """+1 or -1 where a weight has this sign in every good model, else 0."""
    above, below = ranges[:, 0] > resolution, ranges[:, 1] < -resolution
    return above.astype(np.int64) - below.astype(np.int64)
