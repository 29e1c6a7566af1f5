"""What are models trained on? Scaled tables, targets and weights, and folds for tuning."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from relbounds import checks
from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import MarginRows
from relbounds.exceptions import FewSamplesWarning
from relbounds.problems import Composition, Problem, SlackModel
from relbounds.results.records import DataFacts

Split = tuple[IntArray, IntArray]
_NUMBERS_AT_A_TIME = 100_000  # of a table, where every one of them is copied
_DEFAULT_FOLDS = 5
_SEED_OF_FOLDS = 0  # the same data have the same folds, whatever is drawn later


@dataclass(frozen=True, eq=False)
class Feature:
    """A feature, and where it is found.

    Attributes
    ----------
    name : str
    side : int
        0 regular, 1 privileged.
    column : int or None
        Its place among the columns of its table; None if it is constant.
    positions : int array
        Where its weights stand: privileged features have one in each of two functions, constant
        ones none.
    """

    name: str
    side: int
    column: int | None
    positions: IntArray


@dataclass(frozen=True, eq=False)
class Table:
    """The features of one side.

    Attributes
    ----------
    names : tuple of str
        Of all features.
    columns : (n, v) array
        Of those that vary, scaled.
    varies : (d,) bool array
    """

    names: tuple[str, ...]
    columns: FloatArray
    varies: BoolArray

    @property
    def constant(self) -> tuple[str, ...]:
        """Names of the features of a single value."""
        return tuple(
            name for name, varies in zip(self.names, self.varies, strict=True) if not varies
        )

    def placed(self, values: FloatArray) -> FloatArray:
        """Values of the varying features in their places, zeros for the constant ones."""
        everywhere = np.zeros((len(self.varies), *values.shape[1:]))
        everywhere[self.varies] = values
        return everywhere

    def without(self, columns: IntArray) -> "Table":
        """The same with some columns gone, as if they were constant."""
        varies = self.varies.copy()
        varies[np.flatnonzero(varies)[columns]] = False
        return replace(self, columns=np.delete(self.columns, columns, axis=1), varies=varies)

    def shuffled(self, columns: IntArray, order: IntArray) -> "Table":
        """The same with some columns in another order of the samples."""
        shuffled = self.columns.copy()
        shuffled[:, columns] = shuffled[np.ix_(order, columns)]
        return replace(self, columns=shuffled)


@dataclass(frozen=True, eq=False)
class TrainingData:
    """All that is known of the samples.

    Attributes
    ----------
    tables : tuple of Table
        Regular features, and privileged ones if there are any.
    y : (n,) array
        Coded targets: ranks of classes, or numbers.
    weight : (n,) array
    classes : tuple or None
        Labels of the ranks; None for regression.
    folds : tuple of splits
        Of cross-validation; empty if nothing is tuned.
    """

    tables: tuple[Table, ...]
    y: FloatArray
    weight: FloatArray
    classes: tuple[Any, ...] | None
    folds: tuple[Split, ...] = ()

    @property
    def regular(self) -> Table:
        return self.tables[0]

    @property
    def facts(self) -> DataFacts:
        """What is told of the data."""
        largest = float(np.abs(self.regular.columns).max(initial=0.0))
        return DataFacts(len(self.y), self.classes, largest, self.regular.constant)

    def __getitem__(self, chosen: IntArray) -> "TrainingData":
        """Some of the samples."""
        return replace(
            self,
            tables=tuple(replace(each, columns=each.columns[chosen]) for each in self.tables),
            y=self.y[chosen],
            weight=self.weight[chosen],
            folds=(),
        )

    @property
    def n_classes(self) -> int | None:
        return None if self.classes is None else len(self.classes)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Labels as people write them: 1 rather than 1.0."""
        labels = self.classes or ()
        return tuple(f"{each:g}" if isinstance(each, float) else str(each) for each in labels)

    @property
    def without_privileged(self) -> "TrainingData":
        return replace(self, tables=self.tables[:1])

    def without(self, features: Sequence[Feature]) -> "TrainingData":
        """The same without some features."""
        tables = [
            table.without(columns_of(features, side)) for side, table in enumerate(self.tables)
        ]
        return replace(self, tables=tuple(tables))

    def shuffled(self, features: Sequence[Feature], order: IntArray) -> "TrainingData":
        """The same with some features in another order of the samples, all alike."""
        tables = [
            table.shuffled(columns_of(features, side), order)
            for side, table in enumerate(self.tables)
        ]
        return replace(self, tables=tuple(tables))

    def with_column(self, side: int, column: int, values: FloatArray) -> "TrainingData":
        """The same with other values in one column."""
        columns = self.tables[side].columns.copy()
        columns[:, column] = values
        tables = list(self.tables)
        tables[side] = replace(tables[side], columns=columns)
        return replace(self, tables=tuple(tables))

    def rows(self, problem: Problem) -> MarginRows:
        """What models of a problem obey, each sample counting as much as it weighs."""
        return problem.margin_rows(self.y).weighted(self.weight)

    def compose(self, problem: Problem, slack: SlackModel) -> Composition:
        """The space of a problem's models."""
        columns = [each.columns for each in self.tables]
        return slack.compose(self.rows(problem), columns, problem.n_scores(self.y))


def columns_of(features: Sequence[Feature], side: int) -> IntArray:
    """Places of features of one side among the columns of their table."""
    of_side = [each.column for each in features if each.side == side and each.column is not None]
    return np.array(of_side, dtype=np.int64)


def _moments(X: FloatArray, weight: FloatArray) -> FloatArray:
    """The largest size, and mean and variance in units of it, of each column."""
    size = np.abs(X).max(axis=0)
    size[size == 0] = 1.0
    unit = X / size
    mean = np.average(unit, axis=0, weights=weight)
    variance = np.average(np.square(unit - mean), axis=0, weights=weight)
    return np.stack([size, mean, variance])


@dataclass(frozen=True, eq=False)
class Scaling:
    """``(x - centre) / spread``; spread 0 marks a constant column, which is left out.

    Attributes
    ----------
    centre, spread : (d,) arrays
    """

    centre: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, X: FloatArray, weight: FloatArray, *, standardize: bool) -> "Scaling":
        """Weighted mean and standard deviation, or 0 and 1 where columns stay as they are.

        A column whose variance is no more than rounding of its mean counts as constant. Columns
        are divided by their largest value first, so that squares neither overflow nor vanish.
        """
        width = max(1, _NUMBERS_AT_A_TIME // len(X))
        pieces = [X[:, first : first + width] for first in range(0, X.shape[1], width)]
        size, mean, variance = np.hstack([_moments(piece, weight) for piece in pieces])
        rounding = len(X) * np.finfo(np.float64).eps
        varies = variance > rounding * variance + np.square(rounding * mean)
        if not standardize:
            return cls(np.zeros(X.shape[1]), varies.astype(np.float64))
        return cls(mean * size, np.where(varies, np.sqrt(variance) * size, 0.0))

    @property
    def varies(self) -> Any:
        return self.spread > 0

    def apply(self, X: FloatArray) -> FloatArray:
        """The varying columns, scaled."""
        kept = self.varies
        scaled: FloatArray = np.compress(kept, X, axis=1)
        scaled -= self.centre[kept]
        scaled /= self.spread[kept]
        return scaled


def make_folds(cv: Any, data: TrainingData) -> tuple[Split, ...]:
    """Shuffled folds, always the same, stratified where there are classes; or those of a splitter.

    ``cv``: int, scikit-learn splitter, iterable of splits, or None for five folds.
    """
    y, points, classes = data.y, data.regular.columns, data.classes
    if cv is not None and not isinstance(cv, Integral):
        splits = tuple(check_cv(cv, y, classifier=classes is not None).split(points, y))
        if not splits:
            raise ValueError(
                "cv yields no splits; give a list of them (a generator is used up after one fit), "
                "a splitter, or a number of folds."
            )
        return splits
    n_folds = _DEFAULT_FOLDS if cv is None else int(cv)
    checks.whole("cv", n_folds, 2, ", a splitter of scikit-learn's, or None")
    most = len(y)
    if classes is not None:
        counts = np.bincount(y.astype(np.int64))
        most = int(counts.max())
        _say_few(n_folds, f"class {classes[int(counts.argmin())]!r}", int(counts.min()))
        n_folds = min(n_folds, most)
    if classes is None or most < 2:
        _say_few(n_folds, "the data", len(y))
        plain = KFold(min(max(n_folds, 2), len(y)), shuffle=True, random_state=_SEED_OF_FOLDS)
        return tuple(plain.split(points))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")  # said above
        stratified = StratifiedKFold(n_folds, shuffle=True, random_state=_SEED_OF_FOLDS)
        return tuple(stratified.split(points, y))


def of_counted_rows(cv: Any, counted: Any) -> Any:
    """Given splits in the numbers of the rows that count; any other ``cv`` as it is.

    Parameters
    ----------
    cv : as in ``make_folds``; an iterable of splits speaks of all rows
    counted : (n,) bool array
    """
    if not isinstance(cv, Iterable) or hasattr(cv, "split"):
        return cv
    position = np.cumsum(counted) - 1
    splits = [[_numbers(np.asarray(part)) for part in split] for split in cv]
    return [tuple(position[part[counted[part]]] for part in split) for split in splits]


def _numbers(rows: Any) -> Any:
    """Numbers of rows, which a splitter may also give as a mask."""
    return np.flatnonzero(rows) if rows.dtype == bool else rows


def _say_few(n_folds: int, what: str, size: int) -> None:
    if size < n_folds:
        warnings.warn(
            f"Cross-validation wants {n_folds} samples, one for each fold, but {what} has "
            f"{size}; some folds do without. Set C, or lower cv.",
            FewSamplesWarning,
            stacklevel=5,
        )
