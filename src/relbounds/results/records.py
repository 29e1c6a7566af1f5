"""What a result is made of: numbers, texts and arrays, frozen."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.results.record import Record

RESOLUTION = 1e-6
"""Differences below this share of the baseline's norm are rounding, not relevance."""
SIDES = ("regular", "privileged")
SLACKS = ("privileged", "mixed")


class Relevance(IntEnum):
    """What an outcome's good models make of a feature."""

    IRRELEVANT = 0
    """Nothing proves that it is of any use."""
    WEAK = 1
    """It is of use, but a good model does without: it has substitutes, or adds little."""
    STRONG = 2
    """Every good model uses it, and it adds to all others."""


@dataclass(frozen=True)
class Thresholds(Record):
    """What chance may reach: a feature has to exceed it."""

    minrel: float
    maxrel: float


@dataclass(frozen=True, eq=False)
class Evidence(Record):
    """What features prove without regard to their weights, as p-values; ones of constant features.

    Attributes
    ----------
    alone : (d,) array or None
        How often chance would tell as much about the outcome as a feature does on its own. None for
        privileged features, which speak of slacks.
    needed : (d,) array
        How often chance would add as much to all others as a feature does.
    needed_of_classes : (d, classes) array or None
        The same where each class is told from the rest; None unless classes have no order.
    """

    alone: FloatArray | None
    needed: FloatArray
    needed_of_classes: FloatArray | None = None

    @property
    def in_every_class(self) -> "Evidence":
        """The stricter reading: what is needed is needed to tell every class from the rest."""
        if self.needed_of_classes is None:
            return self
        return Evidence(self.alone, self.needed_of_classes.max(axis=1), self.needed_of_classes)


@dataclass(frozen=True, eq=False)
class Decision(Record):
    """What is more than chance among the features of one side, and by which rule.

    Attributes
    ----------
    selection : {"evidence", "fdr", "fwer", "probe"}
        What relevant means: proved by one of three kinds of evidence, for each feature by itself or
        with an error rate over all features of the side; or above the probes' threshold.
    confidence : float
        With which a feature that is of no use is not proved to be, by each kind of evidence.
    level : float
        The error rate over all features: of "needed", and of "fdr" and "fwer".
    thresholds : Thresholds or None
        What chance may reach, as shares of the baseline's norm; None without probes.
    chance : (d,) array
        What chance may reach in the place of each feature; zeros without probes.
    evidence : Evidence
    in_models : (d,) array
        How often a permuted feature reaches as far; ones without probes.
    relevance : (d,) int array
        ``Relevance``.
    needed : (d,) bool array
        Whether a relevant feature is proved to add to all others.
    """

    selection: str
    confidence: float
    level: float
    thresholds: Thresholds | None
    chance: FloatArray
    evidence: Evidence
    in_models: FloatArray
    relevance: IntArray
    needed: BoolArray


@dataclass(frozen=True, eq=False)
class Baseline(Record):
    """The best model as users see it, in the form with the smallest loss.

    Attributes
    ----------
    weights : (d,) array, or (d, classes) where each class has a score of its own
    offsets : array
    norm : float
        ``|w|_1``, of regular weights alone.
    loss : float
    gap : float
        By how much, relatively, the objective may exceed the true optimum (proved).
    privileged_weights : (q, 2) array or None
        Of each privileged feature in the two slack functions.
    privileged_offsets : (2,) array or None
    """

    weights: FloatArray
    offsets: FloatArray
    norm: float
    loss: float
    gap: float
    privileged_weights: FloatArray | None = None
    privileged_offsets: FloatArray | None = None


@dataclass(frozen=True)
class Tolerances(Record):
    """How much worse than the best a good model may be, relatively.

    ``loss`` is None for the joint budget, where ``norm`` limits the whole objective.
    """

    norm: float
    loss: float | None


@dataclass(frozen=True, eq=False)
class Candidate(Record):
    """One line of the score table.

    Attributes
    ----------
    C : float
    gamma : float or None
        None where there are no privileged features.
    epsilon : float or None
        None where the problem has no tube.
    errors : array
        The error in each fold; smaller is better.
    has_weights : bool
        Whether the models of most folds use any regular feature.
    balance : float or None
        How much rare classes count: by their size to minus this power. None where classes count as
        they come or as given, and for numbers.
    """

    C: float
    gamma: float | None
    epsilon: float | None
    errors: FloatArray
    has_weights: bool
    balance: float | None = None

    @property
    def hyperparameters(self) -> dict[str, float]:
        values = {
            "C": self.C,
            "gamma": self.gamma,
            "epsilon": self.epsilon,
            "balance": self.balance,
        }
        return {name: value for name, value in values.items() if value is not None}

    @property
    def gamma_distance(self) -> float:
        """How far gamma is from 1, in powers."""
        return 0.0 if self.gamma is None else abs(float(np.log(self.gamma)))

    @property
    def balance_distance(self) -> float:
        """How far classes are from counting alike, as they do in the error."""
        return 0.0 if self.balance is None else abs(1 - self.balance)

    @cached_property
    def mean(self) -> float:
        return float(self.errors.mean())

    @property
    def standard_error(self) -> float:
        if len(self.errors) < 2:
            return 0.0
        return float(self.errors.std(ddof=1) / np.sqrt(len(self.errors)))


@dataclass(frozen=True, eq=False)
class Probes(Record):
    """What the probes gave.

    Attributes
    ----------
    mode : {"append", "replace", "refit"}
    asked, infeasible : int
        How many were drawn, and how many left no good model, or none that uses any feature.
    intervals : (solved, 2) array, or (solved, functions, 2) of features with several weights
        ``[minrel, maxrel]`` of those that were solved, not normalised; privileged features have
        one in each slack function, and those of classes without order one for each class.
    fallbacks : int
        How many programs another engine had to be asked for.
    """

    mode: str
    asked: int
    infeasible: int
    intervals: FloatArray
    fallbacks: int = 0

    @property
    def solved(self) -> int:
        return len(self.intervals)


@dataclass(frozen=True, eq=False)
class Shadows(Record):
    """What one feature's own shadows gave: its permuted copy beside those of its company.

    Attributes
    ----------
    feature : int
        Its position, in the order of the data.
    intervals : (draws, functions, 2) array
        ``[minrel, maxrel]``, not normalised.
    fallbacks : int
        How many programs another engine had to be asked for.
    """

    feature: int
    intervals: FloatArray
    fallbacks: int = 0
