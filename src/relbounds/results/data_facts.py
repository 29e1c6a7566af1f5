"""What is known of the data as a whole: their size, and how the outcome is spread."""

from dataclasses import dataclass
from typing import Any

from relbounds.arrays import FloatArray, IntArray
from relbounds.results.record import Record

NEARLY_EVEN = 1.1
"""Classes of which none is this many times as large as another count as equally large."""


def are_even(sizes: FloatArray | IntArray) -> bool:
    """Whether classes are of nearly the same size."""
    return bool(sizes.max() <= NEARLY_EVEN * sizes.min())


@dataclass(frozen=True, eq=False)
class Histogram(Record):
    """How numbers are spread: in how many samples they lie between two edges.

    Attributes
    ----------
    edges : (k + 1,) array
    counts : (k,) int array
    middle : float
        The median.
    """

    edges: FloatArray
    counts: IntArray
    middle: float


@dataclass(frozen=True, eq=False)
class DataFacts(Record):
    """What is known of the data without looking at them again.

    Attributes
    ----------
    n_samples : int
        Samples of positive weight.
    classes : tuple or None
        The labels in ascending order; None for regression.
    largest_value : float
        The largest ``|x|`` after scaling.
    constant_features : tuple of str
        Features of a single value, which are irrelevant without a program.
    class_sizes : int array or None
        How many samples each class has; None for regression.
    class_shares : float array or None
        Of the weight of all samples, that of each class; None for regression, and if all samples
        weigh the same.
    skew : float or None
        The skewness of numbers: 0 if they lie alike on both sides of their mean, 2 if they fall
        off exponentially; None for classes.
    largest_tie : float or None
        The share of numbers that have the most frequent value; None for classes.
    n_groups : int or None
        Groups whose rows belong together; None if all samples are independent.
    histogram : Histogram or None
        Of numbers; None for classes.
    """

    n_samples: int
    classes: tuple[Any, ...] | None
    largest_value: float
    constant_features: tuple[str, ...]
    class_sizes: IntArray | None = None
    skew: float | None = None
    largest_tie: float | None = None
    n_groups: int | None = None
    histogram: Histogram | None = None
    class_shares: FloatArray | None = None

    @property
    def is_mostly_one_value(self) -> bool:
        """Whether so many numbers are the same that naming it errs least."""
        return self.largest_tie is not None and self.largest_tie >= 0.5

    @property
    def is_even(self) -> bool:
        """Whether classes, if there are any, are of nearly the same size, or the same weight."""
        sizes = self.class_sizes if self.class_shares is None else self.class_shares
        return sizes is None or are_even(sizes)
