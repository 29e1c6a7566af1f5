"""What do three kinds of evidence prove: is a feature of any use, and is it needed?"""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.special import stdtr, stdtrit

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import RESOLUTION, Decision, Evidence, Relevance, Thresholds

_MEAN, _SD = float(np.sqrt(2 / np.pi)), float(np.sqrt(1 - 2 / np.pi))  # of |Z|, Z standard normal
_RARE = 0.2  # how spread out a column is: less, and few samples have its say
_KINDS = 3  # of evidence
_NEARLY = 10.0  # times what a p-value has to be
FEWEST_SHADOWS = 8
"""That tell more than whether one of them reaches as far as the feature."""


@dataclass(frozen=True)
class ChanceRule:
    """What counts as more than chance.

    Attributes
    ----------
    selection : {"evidence", "fdr", "fwer", "probe"}
        Of use is what any kind of evidence proves: for each feature by itself, or with an error
        rate over all features of a side. Or, as in the paper, what exceeds one line for all.
    confidence : float
        With which each kind of evidence does not speak for a feature that is of no use.
    level : float
        The error rate over all features: of needed ones, and of "fdr" and "fwer".
    """

    selection: str = "evidence"
    confidence: float = 0.999
    level: float = 0.05

    def limit(self, n_features: int) -> float:
        """A p-value that is surely enough, whatever those of other features are."""
        if self.selection not in ERROR_CONTROL:
            return 1 - self.confidence
        return min(1 - self.confidence, self.level / (_KINDS * max(n_features, 1)))

    def over(self, n_features: int) -> "ChanceRule":
        """The same with so much confidence that of so many features one idle one may be relevant.

        With the usual 0.999 and three kinds of evidence that is more from 334 features on. Whoever
        asks for less than usual gets it. Error rates over all features, and the paper's line, know
        how many there are, or do not care.
        """
        if self.selection != "evidence" or self.confidence < ChanceRule.confidence:
            return self
        return replace(self, confidence=max(self.confidence, 1 - 1 / (_KINDS * n_features)))

    @property
    def worth_a_weight(self) -> float:
        """A p-value with less than which a weight speaks for a feature, or nearly does."""
        found = self.level / _KINDS if self.selection in ERROR_CONTROL else 0.0
        return max(_NEARLY * (1 - self.confidence), found)

    @property
    def is_papers(self) -> bool:
        """Whether single probes and one line decide."""
        return self.selection == "probe"

    def give_probes(self, columns: FloatArray) -> IntArray:
        """The columns that probes are copies of: those that are spread out, if there are any.

        ``(mean |x|)^2 / mean x^2`` is 0.64 for normal values, and ``4 p (1 - p)`` for a column of
        two values: 0.2 if one in twenty samples has the rarer one. A model can give such a column
        much weight at the expense of few samples, and so can chance; one of them among the probes
        would raise the line for all. In the paper all columns give probes.
        """
        centred = columns - columns.mean(axis=0)
        square = np.einsum("nd,nd->d", centred, centred) / len(columns)
        size = np.abs(centred, out=centred).mean(axis=0)
        spread = np.square(size) / np.where(square > 0, square, 1.0)
        found = np.flatnonzero((spread >= _RARE) | self.is_papers)
        return found if len(found) else np.arange(columns.shape[1])

    def decide(
        self, bounds: Bounds, evidence: Evidence, untested: Collection[str] = ()
    ) -> Findings:
        """Bounds of features, and what is proved of them.

        Features that cannot be used, constant or absent, are irrelevant without a test.
        """
        tested = np.array([name not in untested for name in bounds.feature_names])
        measured = {each.name: getattr(bounds, each.name) for each in fields(Bounds)}
        in_every = None
        if bounds.ends.shape[2] > 1:
            of_least = replace(bounds, over_functions="min")
            in_every = self._decision(of_least, evidence.in_every_class, tested)
        return Findings(
            **measured,
            decision=self._decision(bounds, evidence, tested),
            decision_in_every=in_every,
        )

    def _decision(self, bounds: Bounds, evidence: Evidence, tested: BoolArray) -> Decision:
        limits, chance, in_models = None, np.zeros(len(tested)), np.ones(len(tested))
        if bounds.probes is not None:
            limits = thresholds(bounds.probe_intervals, self.confidence)
            chance, in_models = chance_of_each(bounds, self.confidence)
        if self.is_papers:
            line = np.inf if limits is None else limits.maxrel
            of_use = (bounds.intervals[:, 1] - line > RESOLUTION) & ~bounds.is_bounded
        else:
            of_use = self.of_use(evidence, in_models, tested)
        least = 0.0 if limits is None else limits.minrel
        in_every = bounds.intervals[:, 0] - least > RESOLUTION
        relevance, needed = self.classes(tested & of_use, evidence.needed, in_every, tested)
        return Decision(
            self.selection,
            self.confidence,
            self.level,
            limits,
            chance,
            evidence,
            in_models,
            relevance,
            needed,
        )

    def proves_any(self, evidence: Evidence) -> bool:
        """Whether any feature tells something alone or beside all others, each for itself."""
        alone = np.ones(1) if evidence.alone is None else evidence.alone
        return bool(min(alone.min(), evidence.needed.min()) <= 1 - self.confidence)

    def of_use(self, evidence: Evidence, in_models: FloatArray, tested: BoolArray) -> BoolArray:
        """What any kind of evidence proves to be of use."""
        alone = [] if evidence.alone is None else [evidence.alone]
        kinds = np.array([*alone, in_models, evidence.needed])
        smallest = in_models if self.is_papers else np.fmin.reduce(kinds)
        if self.selection in ERROR_CONTROL:
            return self._found(np.minimum(len(kinds) * smallest, 1.0), tested)
        proved: BoolArray = smallest <= 1 - self.confidence
        return proved

    def classes(
        self, of_use: BoolArray, p_needed: FloatArray, in_every: BoolArray, tested: BoolArray
    ) -> tuple[IntArray, BoolArray]:
        """Classes of relevance, and what of that is needed.

        Strong is what every good model uses and what is needed. In the paper chance has no say in
        the latter.
        """
        needed = self._found(p_needed, tested) & of_use
        is_strong = of_use & in_every & (needed | self.is_papers)
        classes = np.where(is_strong, Relevance.STRONG, of_use * int(Relevance.WEAK))
        return classes.astype(np.int64), needed

    def _found(self, p: FloatArray, tested: BoolArray) -> BoolArray:
        """Discoveries among what is tested, with the error rate over all of that.

        A false discovery rate, if none was asked.
        """
        found = np.zeros(len(p), dtype=bool)
        found[tested] = ERROR_CONTROL.get(self.selection, benjamini_hochberg)(p[tested], self.level)
        return found


def chance_of_each(bounds: Bounds, confidence: float) -> tuple[FloatArray, FloatArray]:
    """What chance may reach in the place of each feature, and how often it reaches as far.

    Chance is that of the probes, or of a feature's own shadows if there are any. A weight that is
    only bounded speaks for nothing.
    """
    most, reached = bounds.intervals[:, 1], bounds.probe_intervals[:, 1]
    chance = np.full(len(most), folded_prediction_limit(reached, confidence))
    p = folded_p_values(most, reached)
    for each in bounds.shadows:
        own = bounds.shadow_intervals(each)[:, 1]
        chance[each.feature] = own_limit(own, confidence)
        p[each.feature] = own_p_value(most[each.feature], own)
    p[bounds.is_bounded] = 1.0
    return chance, p


def own_p_value(most: float, own: FloatArray) -> float:
    """How often a feature's own shadows reach as far as it does.

    As often as they did, if so few were drawn that one of them must have done so: drawing until it
    happens gives a p-value all the same (Besag and Clifford, Biometrika 1991).
    """
    if len(own) < FEWEST_SHADOWS:
        return float(np.mean(own >= most - RESOLUTION))
    return float(folded_p_values(np.array([most]), own)[0])


def own_limit(own: FloatArray, confidence: float) -> float:
    """What chance may reach by a feature's own shadows; of few, what it has reached."""
    if len(own) < FEWEST_SHADOWS:
        return float(own.max())
    return folded_prediction_limit(own, confidence)


def prediction_limit(values: FloatArray, confidence: float) -> float:
    """Upper end of the normal prediction interval for one more value.

    ``mean + T_(n-1)(confidence) * sd * sqrt(1 + 1/n)``, with the sample's own sd.
    """
    n = len(values)
    quantile = stdtrit(n - 1, confidence)
    return float(values.mean() + quantile * values.std(ddof=1) * np.sqrt(1 + 1 / n))


def folded_prediction_limit(values: FloatArray, confidence: float) -> float:
    """The same for values ``a + b |Z|``, where only Z is normal.

    A probe's sign means nothing: its weight ranges from ``bZ - a`` to ``bZ + a``, and ``maxrel`` is
    the larger of the two ends. Mean ``a + b m`` and sd ``b s`` of the values give a and b
    (``m = sqrt(2 / pi)`` and ``s^2 = 1 - 2 / pi`` are those of ``|Z|``), and ``a + b T`` is
    exceeded as often as either end of a normal interval of this confidence.
    """
    n = len(values)
    ends = stdtrit(n - 1, (1 + confidence) / 2) * np.sqrt(1 + 1 / n)
    return float(values.mean() + max(0.0, ends - _MEAN) / _SD * values.std(ddof=1))


def folded_p_values(values: FloatArray, of_chance: FloatArray) -> FloatArray:
    """How often one more value of chance, ``a + b |Z|``, would reach as far as each value."""
    n, spread = len(of_chance), of_chance.std(ddof=1)
    above = values - RESOLUTION - of_chance.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = _MEAN + _SD * np.where(above > 0, above / spread, above / max(spread, RESOLUTION))
    p: FloatArray = 2 * stdtr(n - 1, -np.maximum(ends, 0.0) / np.sqrt(1 + 1 / n))
    return p


def thresholds(probe_intervals: FloatArray, confidence: float) -> Thresholds:
    """Thresholds from the intervals ``[minrel, maxrel]`` of probes."""
    return Thresholds(
        minrel=prediction_limit(probe_intervals[:, 0], confidence),
        maxrel=folded_prediction_limit(probe_intervals[:, 1], confidence),
    )


def benjamini_hochberg(p: FloatArray, level: float) -> BoolArray:
    """Discoveries with a false discovery rate of at most the level.

    The k smallest p-values, k as large as possible with ``p_(k) <= level * k / d``.
    """
    order, ranks = np.argsort(p, kind="stable"), np.arange(1, len(p) + 1)
    fits = np.flatnonzero(p[order] <= level / (len(p) / ranks))  # at both ends as Holm rounds
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
SELECTIONS = ("evidence", *ERROR_CONTROL, "probe")
"""Relevant by evidence for each feature, or with an error rate over all; or as in the paper."""
