"""What are models trained on? Scaled tables, targets and weights, and folds for tuning."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    check_cv,
)

from relbounds import checks
from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import MarginRows
from relbounds.exceptions import FewSamplesWarning
from relbounds.method.groups import Groups
from relbounds.problems import Composition, Problem, SlackModel
from relbounds.results.data_facts import DataFacts, Histogram

Split = tuple[IntArray, IntArray]
_DEFAULT_FOLDS = 5
_BARS = 24  # of the picture of an outcome
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
    groups : Groups or None
        Whose rows belong together; None if all are independent.
    centre, scale : float
        Of targets that are numbers: ``centre + scale y`` is what was given.
    """

    tables: tuple[Table, ...]
    y: FloatArray
    weight: FloatArray
    classes: tuple[Any, ...] | None
    folds: tuple[Split, ...] = ()
    groups: Groups | None = None
    centre: float = 0.0
    scale: float = 1.0

    @property
    def regular(self) -> Table:
        return self.tables[0]

    @property
    def facts(self) -> DataFacts:
        """What is told of the data."""
        largest = float(np.abs(self.regular.columns).max(initial=0.0))
        known = (len(self.y), self.classes, largest, self.regular.constant)
        n_groups = None if self.groups is None else self.groups.count
        if self.classes is None:
            skew, tie = _shape_of_numbers(self.y, self.weight)
            drawn = _histogram(self.as_given(self.y))
            return DataFacts(*known, skew=skew, largest_tie=tie, n_groups=n_groups, histogram=drawn)
        ranks, n_classes = self.y.astype(np.int64), len(self.classes)
        sizes = np.bincount(ranks, minlength=n_classes)
        shares = np.bincount(ranks, self.weight, n_classes) / self.weight.sum()
        weighs = shares if np.ptp(self.weight) else None
        return DataFacts(*known, class_sizes=sizes, n_groups=n_groups, class_shares=weighs)

    def as_given(self, y: FloatArray) -> FloatArray:
        """Targets that are numbers, in the units that they came in."""
        return self.centre + self.scale * y

    def __getitem__(self, chosen: IntArray) -> "TrainingData":
        """Some of the samples."""
        return replace(
            self,
            tables=tuple(replace(each, columns=each.columns[chosen]) for each in self.tables),
            y=self.y[chosen],
            weight=self.weight[chosen],
            folds=(),
            groups=None if self.groups is None else self.groups[chosen],
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

    def new_order(self, random_state: np.random.RandomState) -> IntArray:
        """For each sample another one; those that belong together stay together."""
        if self.groups is None:
            return random_state.permutation(len(self.y))
        return self.groups.order(random_state)

    def new_orders(self, seeds: Iterable[int]) -> Iterator[IntArray]:
        """One for each seed; to seed one generator again takes a fraction of making another."""
        random_state = np.random.RandomState(0)
        for seed in seeds:
            random_state.seed(seed)
            yield self.new_order(random_state)

    def order_within_classes(self, random_state: np.random.RandomState) -> IntArray:
        """For each sample another one of its class; of numbers and groups any other."""
        if self.classes is None or self.groups is not None:
            return self.new_order(random_state)
        by_class, shuffled = np.argsort(self.y, kind="stable"), np.empty(len(self.y), np.int64)
        drawn = random_state.random_sample(len(self.y))
        shuffled[by_class] = np.lexsort((drawn, self.y))
        return shuffled

    def with_column(self, side: int, column: int, values: FloatArray) -> "TrainingData":
        """The same with other values in one column."""
        columns = self.tables[side].columns.copy()
        columns[:, column] = values
        tables = list(self.tables)
        tables[side] = replace(tables[side], columns=columns)
        return replace(self, tables=tuple(tables))

    def rows(self, problem: Problem, in_loss: FloatArray | None = None) -> MarginRows:
        """What models of a problem obey.

        ``in_loss``: what each sample counts there; None: as much as it weighs.
        """
        return problem.margin_rows(self.y).weighted(self.weight if in_loss is None else in_loss)

    def compose(
        self, problem: Problem, slack: SlackModel, in_loss: FloatArray | None = None
    ) -> Composition:
        """The space of a problem's models."""
        columns = [each.columns for each in self.tables]
        return slack.compose(self.rows(problem, in_loss), columns, problem.n_scores(self.y))


def _histogram(y: FloatArray) -> Histogram:
    counts, edges = np.histogram(y, bins=_BARS)
    return Histogram(edges, counts.astype(np.int64), float(np.median(y)))


def _shape_of_numbers(y: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Skewness, and the share of the most frequent value."""
    centred = y - np.average(y, weights=weight)
    spread = np.sqrt(np.average(np.square(centred), weights=weight))
    skew = float(np.average((centred / spread) ** 3, weights=weight))
    ties = np.bincount(np.unique(y, return_inverse=True)[1], weight)
    return skew, float(ties.max() / weight.sum())


def columns_of(features: Sequence[Feature], side: int) -> IntArray:
    """Places of features of one side among the columns of their table."""
    of_side = [each.column for each in features if each.side == side and each.column is not None]
    return np.array(of_side, dtype=np.int64)


def make_folds(cv: Any, data: TrainingData) -> tuple[Split, ...]:
    """Shuffled folds, always the same, stratified where there are classes; or those of a splitter.

    Rows that belong together are in the same fold; a splitter is told which do.

    ``cv``: int, scikit-learn splitter, iterable of splits, or None for five folds.
    """
    y, points, classes = data.y, data.regular.columns, data.classes
    if cv is not None and not isinstance(cv, Integral):
        splits = _given_folds(cv, data)
        if not splits:
            raise ValueError(
                "cv yields no splits; give a list of them (a generator is used up after one fit), "
                "a splitter, or a number of folds."
            )
        return splits
    n_folds = _DEFAULT_FOLDS if cv is None else int(cv)
    checks.whole("cv", n_folds, 2, ", a splitter of scikit-learn's, or None")
    if data.groups is not None:
        return _folds_of_groups(n_folds, data, data.groups)
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


def _given_folds(cv: Any, data: TrainingData) -> tuple[Split, ...]:
    """Those of a splitter, which is told whose rows belong together, or of a list."""
    codes = None if data.groups is None else data.groups.codes
    splitter = check_cv(cv, data.y, classifier=data.classes is not None)
    try:
        return tuple(splitter.split(data.regular.columns, data.y, codes))
    except ValueError as error:
        if codes is None and "groups" in str(error):
            raise ValueError(
                f"cv={cv} asks which rows belong together; give their labels, as in "
                "fit(X, y, groups=...)."
            ) from error
        raise


def _folds_of_groups(n_folds: int, data: TrainingData, groups: Groups) -> tuple[Split, ...]:
    """Whole groups in each fold, with classes as evenly as that allows."""
    _say_few(n_folds, "the data", groups.count, "groups")
    n_folds, points = min(n_folds, groups.count), data.regular.columns
    if data.classes is not None:
        having = [groups[data.y == rank].count for rank in range(len(data.classes))]
        rarest = int(np.argmin(having))
        _say_few(n_folds, f"class {data.classes[rarest]!r}", having[rarest], "groups")
        if np.bincount(data.y.astype(np.int64)).min() >= n_folds:
            stratified = StratifiedGroupKFold(n_folds, shuffle=True, random_state=_SEED_OF_FOLDS)
            splits = tuple(stratified.split(points, data.y, groups.codes))
            if all(len(train) and len(test) for train, test in splits):
                return splits
    plain = GroupKFold(n_folds, shuffle=True, random_state=_SEED_OF_FOLDS)
    return tuple(plain.split(points, data.y, groups.codes))


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


def _say_few(n_folds: int, what: str, size: int, unit: str = "samples") -> None:
    if size < n_folds:
        warnings.warn(
            f"Cross-validation wants {n_folds} {unit}, one for each fold, but {what} has "
            f"{size}; some folds do without. Set C, or lower cv.",
            FewSamplesWarning,
            stacklevel=5 if unit == "samples" else 6,
        )
