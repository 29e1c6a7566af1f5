"""Does a column tell the outcome apart all alone, so well that it may be the outcome in disguise?

No model is asked. Of classes it is the mean share of each that the best cuts miss, one interval a
class, in the order in which the column has the classes. Of numbers it is the mean distance from the
best steps that only rise, or only fall, as a share of that from their median. Columns of few values
may be codes in any order: there each value says the class that it speaks for most, or the mean.
Sorting a column is the whole work.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import gammaln

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.method.training_data import TrainingData
from relbounds.results.suspicion import Suspect

OF_TWO, OF_OTHERS = 0.04, 0.02
"""Errors up to which a column is suspected, of two classes and of more or of numbers. Measured:
disguises have 0 to 0.039; the best honest columns of biopsies 0.07, of breast cancer 0.08, and of
three irises, which lie apart more easily, 0.04. See docs/decisions/suspicion.md."""
_FEWEST = 5  # samples of a class, or of a value of a code on average twice as many
_FEWEST_NUMBERS = 30
_MOST_VALUES = 50  # of codes
_MANY = 500  # rows, as many of each class: a look at so many passes by nearly all columns
_GLANCED = 0.045  # more than is suspected: at least five standard errors of so many
_BY_CHANCE = 1e-3  # how often chance may put any column in such an order
_NEARLY_IN_ORDER = 0.9  # a rank correlation below which numbers are far from any steps
_ROUNDING = 1e-9
_CELLS = 50_000  # rows, classes and columns that are sorted at a time: with more memory grows
_ENCODED = "="  # colour=red was made of colour


def suspects(data: TrainingData) -> tuple[Suspect, ...]:
    """Regular columns that tell nearly all, the ones that miss least first."""
    sets = _columns_of_texts(data)
    outcome = _outcome(data)
    if outcome is None or outcome.log_chance + np.log(max(len(sets), 1)) > np.log(_BY_CHANCE):
        return ()
    names = np.array(data.regular.names, dtype=object)[data.regular.varies]
    found = [
        Suspect(column, tuple(names[places]), error)
        for column, places, error in _errors(outcome, data, _at_first_glance(data, sets))
        if error <= outcome.limit
    ]
    return tuple(sorted(found, key=lambda each: each.error))


def _outcome(data: TrainingData) -> "_Classes | _Numbers | None":
    return _Numbers.of(data) if data.classes is None else _Classes.of(data)


def _at_first_glance(data: TrainingData, sets: dict[str, IntArray]) -> dict[str, IntArray]:
    """The columns that tell nearly all of some rows, which is soon seen where there are many."""
    if len(data.y) <= _MANY:
        return sets
    parts = [np.arange(len(data.y))]
    if data.classes is not None:
        parts = [np.flatnonzero(data.y == rank) for rank in range(len(data.classes))]
    rows = list[IntArray]()
    for others, part in zip(range(len(parts))[::-1], sorted(parts, key=len), strict=True):
        wanted = (_MANY - sum(map(len, rows))) // (others + 1)
        rows.append(part[np.linspace(0, len(part) - 1, min(wanted, len(part)), dtype=int)])
    some = data[np.concatenate(rows)]
    outcome = _outcome(some)
    if outcome is None:
        return sets
    most = outcome.limit + _GLANCED
    return {
        column: places for column, places, error in _errors(outcome, some, sets) if error <= most
    }


def _errors(
    outcome: "_Classes | _Numbers", data: TrainingData, sets: dict[str, IntArray]
) -> Iterator[tuple[str, IntArray, float]]:
    """Columns, their places and errors."""
    errors = outcome.errors_of(data.regular.columns, list(sets.values()))
    return zip(sets, sets.values(), errors, strict=True)


def _columns_of_texts(data: TrainingData) -> dict[str, IntArray]:
    """Places of the columns that vary; those of 0 and 1 that were made of one text together."""
    table = data.regular
    found: dict[str, list[int]] = {}
    for place, name in enumerate(np.array(table.names, dtype=object)[table.varies]):
        text, is_encoded, _ = name.partition(_ENCODED)
        of_text = is_encoded and _has_two_values(table.columns[:, place])
        found.setdefault(text if of_text else name, []).append(place)
    return {name: np.array(places) for name, places in found.items()}


def _has_two_values(column: FloatArray) -> bool:
    return bool(((column == column.min()) | (column == column.max())).all())


@dataclass(frozen=True, eq=False)
class _Values:
    """The different values of a column, ascending, and the one of each sample."""

    of_sample: IntArray
    count: int
    are_codes: bool
    have_order: bool

    @classmethod
    def of(cls, columns: FloatArray) -> "_Values":
        if columns.shape[1] == 1:
            values, of_sample = np.unique(columns[:, 0], return_inverse=True)
        else:
            middle = (columns.min(axis=0) + columns.max(axis=0)) / 2
            numbers = (columns > middle) @ np.arange(1, columns.shape[1] + 1)
            values, of_sample = np.unique(numbers, return_inverse=True)
        few = len(values) <= min(_MOST_VALUES, len(of_sample) / (2 * _FEWEST))
        return cls(of_sample, len(values), few, columns.shape[1] == 1)


@dataclass(frozen=True, eq=False)
class _Classes:
    """Classes of enough samples: the rows that have one, their classes and weights.

    ``log_chance``: how often chance puts such classes one after another in a column.
    """

    rows: BoolArray
    ranks: IntArray
    weight: FloatArray
    log_chance: float

    @classmethod
    def of(cls, data: TrainingData) -> "_Classes | None":
        """None if fewer than two classes have enough samples."""
        ranks = data.y.astype(np.int64)
        sizes = _sizes(data, ranks)
        large = np.flatnonzero(sizes >= _FEWEST)
        rows = np.isin(ranks, large)
        chance = _log_factorials(sizes[large]) - _log_factorials(sizes[large].sum())
        chance += _log_factorials(len(large))
        known = np.searchsorted(large, ranks[rows])
        return cls(rows, known, data.weight[rows], chance) if len(large) > 1 else None

    @property
    def limit(self) -> float:
        return OF_TWO if self.ranks.max() == 1 else OF_OTHERS

    def errors_of(self, columns: FloatArray, sets: Sequence[IntArray]) -> list[float]:
        """The mean share of each class that is missed by each set of columns.

        Of single columns whose values all differ many are sorted at a time.
        """
        errors = np.full(len(sets), np.nan)
        single = np.array([i for i, each in enumerate(sets) if len(each) == 1], dtype=np.int64)
        shares = self._shares
        at_a_time = max(1, _CELLS // shares.size)
        for first in range(0, len(single), at_a_time):
            some = single[first : first + at_a_time]
            values = columns[np.ix_(self.rows, [sets[i][0] for i in some])]
            order = np.argsort(values, axis=0)
            values = np.take_along_axis(values, order, axis=0)
            differ = (values[1:] > values[:-1]).all(axis=0)
            errors[some[differ]] = _missed_by_cuts(shares[:, order[:, differ]])
        for i in np.flatnonzero(np.isnan(errors)).tolist():
            errors[i] = self._error_of(columns[:, sets[i]])
        found: list[float] = errors.tolist()
        return found

    @property
    def _shares(self) -> FloatArray:
        """Of each sample in each class: (classes, n)."""
        shares = np.eye(int(self.ranks.max()) + 1)[:, self.ranks] * self.weight
        of_class: FloatArray = shares / shares.sum(axis=1, keepdims=True)
        return of_class

    def _error_of(self, columns: FloatArray) -> float:
        values, k = _Values.of(columns[self.rows]), int(self.ranks.max()) + 1
        cells = np.bincount(values.of_sample * k + self.ranks, self.weight, values.count * k)
        shares = np.ascontiguousarray((cells.reshape(-1, k) / cells.reshape(-1, k).sum(axis=0)).T)
        if values.are_codes:
            missed = 1 - shares.max(axis=0).sum() / k
            return float(missed if missed > _ROUNDING else 0.0)
        return float(_missed_by_cuts(shares)) if values.have_order else 1.0


def _sizes(data: TrainingData, ranks: IntArray) -> IntArray:
    """How many samples, or groups whose rows belong together, each class has."""
    if data.groups is None:
        return np.bincount(ranks)
    return np.array([data.groups[ranks == rank].count for rank in range(ranks.max() + 1)])


def _log_factorials(numbers: Any) -> float:
    return float(np.sum(gammaln(np.asarray(numbers) + 1)))


def _missed_by_cuts(shares: FloatArray) -> FloatArray:
    """Of shares of classes at ascending values: one interval a class, the best cut between two.

    ``shares``: (classes, values, ...), of many columns at a time.
    """
    k, n, *others = shares.shape
    below = np.zeros((k, n + 1, *others))
    np.cumsum(shares, axis=1, out=below[:, 1:])
    centres = (shares * (below[:, 1:] + below[:, :-1]).sum(axis=0)).sum(axis=1)
    order = np.argsort(centres, axis=0, kind="stable")[:, None]
    below = np.take_along_axis(below, order, axis=0).cumsum(axis=0)
    # of the first classes what is above a cut, and of the others what is below it
    least = (below[-1] - 2 * below[:-1]).min(axis=1) + np.arange(1, k)[(..., *[None] * len(others))]
    missed = least.sum(axis=0) / k
    return np.where(missed > _ROUNDING, missed, 0.0)


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers in units of what their median misses, and how often chance puts them in order."""

    numbers: FloatArray
    weight: FloatArray
    log_chance: float

    limit = OF_OTHERS

    @classmethod
    def of(cls, data: TrainingData) -> "_Numbers | None":
        """None of so few that as many steps follow any trend."""
        n = len(data.y) if data.groups is None else data.groups.count
        if n < _FEWEST_NUMBERS:
            return None
        centred = data.y - _median(data.y, data.weight)
        spread = np.average(np.abs(centred), weights=data.weight)
        return cls(centred / spread, data.weight, np.log(2) - _log_factorials(n))

    def errors_of(self, columns: FloatArray, sets: Sequence[IntArray]) -> list[float]:
        """The mean distance of numbers from what each set of columns says of them."""
        return [self._error_of(columns[:, each]) for each in sets]

    def _error_of(self, columns: FloatArray) -> float:
        values = _Values.of(columns)
        sizes = np.bincount(values.of_sample, self.weight)
        means = np.bincount(values.of_sample, self.weight * self.numbers) / sizes
        if values.are_codes:
            return self._distance(means[values.of_sample])
        if not values.have_order or not _are_nearly_in_order(means):
            return np.inf
        steps = (isotonic_regression(means, weights=sizes, increasing=up).x for up in (True, False))
        return min(self._distance(each[values.of_sample]) for each in steps)

    def _distance(self, said: FloatArray) -> float:
        return float(np.average(np.abs(self.numbers - said), weights=self.weight))


def _median(numbers: FloatArray, weight: FloatArray) -> float:
    order = np.argsort(numbers)
    below = np.cumsum(weight[order])
    return float(numbers[order[np.searchsorted(below, below[-1] / 2)]])


def _are_nearly_in_order(means: FloatArray) -> bool:
    ranks = np.argsort(np.argsort(means, kind="stable"), kind="stable")
    return bool(abs(np.corrcoef(ranks, np.arange(len(ranks)))[0, 1]) >= _NEARLY_IN_ORDER)
