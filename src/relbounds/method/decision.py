"""Is a feature's relevance more than chance? Pure functions of numbers."""

import numpy as np
from scipy import stats

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results.parts import RESOLUTION, Relevance, Thresholds


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


def fewest_probes(n_features: int, level: float) -> int:
    """How many probes it takes for one feature alone to be found among so many."""
    return int(np.ceil(n_features / level))


def distances(intervals: FloatArray, limits: Thresholds) -> FloatArray:
    """How far ``minrel`` and ``maxrel`` lie above (below, if negative) their thresholds."""
    over: FloatArray = intervals - np.array([limits.minrel, limits.maxrel])
    return over


def classify(
    intervals: FloatArray, limits: Thresholds, usable: BoolArray | None = None
) -> IntArray:
    """Relevance classes of intervals that are divided by the baseline's norm.

    Strong where both ends exceed their thresholds, weak where only ``maxrel`` does. ``usable``, if
    given, says instead which features are of more use than chance.
    """
    needed, above = (distances(intervals, limits) > RESOLUTION).T
    usable = above if usable is None else usable
    classes: IntArray = np.where(
        usable & needed, Relevance.STRONG, np.where(usable, Relevance.WEAK, Relevance.IRRELEVANT)
    ).astype(np.int64)
    return classes


def stable_signs(ranges: FloatArray, resolution: float) -> IntArray:
    """+1 or -1 where a weight has this sign in every good model, else 0."""
    above, below = ranges[:, 0] > resolution, ranges[:, 1] < -resolution
    return above.astype(np.int64) - below.astype(np.int64)
