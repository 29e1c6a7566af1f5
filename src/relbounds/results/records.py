"""What a result is made of: frozen records that turn into JSON-ready dictionaries and back."""

from dataclasses import dataclass, fields
from enum import IntEnum
from types import UnionType
from typing import Any, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from relbounds.arrays import BoolArray, FloatArray, IntArray

RESOLUTION = 1e-6
"""Differences below this share of the baseline's norm are rounding, not relevance."""
SIDES = ("regular", "privileged")
SLACKS = ("privileged", "mixed")
T = TypeVar("T", bound=np.generic)


class Record:
    """Base of dataclasses made of numbers, texts, arrays, dictionaries and other records.

    Arrays are held as views that cannot be changed; the caller's own arrays stay as they are.
    """

    def __post_init__(self) -> None:
        held = vars(self)
        for name, value in held.items():
            if isinstance(value, np.ndarray):
                held[name] = frozen(value.view())

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain Python values that ``json.dumps`` takes."""
        return {name: _plain(getattr(self, name)) for name in _field_types(type(self))}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The record that ``to_dict`` was called on."""
        types = _field_types(cls)
        if set(values) != set(types):
            missing, extra = sorted(set(types) - set(values)), sorted(set(values) - set(types))
            raise ValueError(
                f"A {cls.__name__} has the fields {list(types)}; "
                f"missing here: {missing}, not known: {extra}."
            )
        return cls(**{name: _restored(values[name], types[name]) for name in types})


def frozen(array: NDArray[T]) -> NDArray[T]:
    """The array itself, which from now on refuses to be changed."""
    array.setflags(write=False)
    return array


def _field_types(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)


_ARRAYS = ((FloatArray, np.float64), (IntArray, np.int64), (BoolArray, np.bool_))


def _restored(value: Any, kind: Any) -> Any:
    if get_origin(kind) is UnionType:
        kind = next(option for option in get_args(kind) if option is not type(None))
    if value is None:
        return None
    for array, dtype in _ARRAYS:
        if kind == array:
            return np.array(value, dtype=dtype)
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind.from_dict(value)
    if get_origin(kind) is tuple:
        return tuple(_restored(item, get_args(kind)[0]) for item in value)
    return value


NEARLY_EVEN = 1.1
"""Classes of which none is this many times as large as another count as equally large."""


def are_even(sizes: FloatArray | IntArray) -> bool:
    """Whether classes are of nearly the same size."""
    return bool(sizes.max() <= NEARLY_EVEN * sizes.min())


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

    @property
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
    """

    n_samples: int
    classes: tuple[Any, ...] | None
    largest_value: float
    constant_features: tuple[str, ...]
    class_sizes: IntArray | None = None
    skew: float | None = None
    largest_tie: float | None = None
    n_groups: int | None = None
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
