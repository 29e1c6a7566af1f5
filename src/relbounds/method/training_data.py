"""What are models trained on? Tables scaled, targets, weights, and folds for tuning."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.checks import whole
from relbounds.engine import MarginRows
from relbounds.exceptions import FewSamplesWarning
from relbounds.problems import Composition, Problem, SlackModel

Split = tuple[IntArray, IntArray]


@dataclass(frozen=True, eq=False)
class Sampled:
    """Points with their targets and weights, what a teacher knows of them, and how it is used."""

    points: FloatArray
    y: FloatArray
    weight: FloatArray
    privileged: FloatArray | None = None
    slack: SlackModel = field(default_factory=SlackModel)

    def __getitem__(self, chosen: IntArray) -> "Sampled":
        return replace(
            self,
            points=self.points[chosen],
            y=self.y[chosen],
            weight=self.weight[chosen],
            privileged=None if self.privileged is None else self.privileged[chosen],
        )

    def rows(self, problem: Problem) -> MarginRows:
        return problem.margin_rows(self.y).weighted(self.weight)

    def compose(self, problem: Problem) -> Composition:
        return self.slack.compose(self.rows(problem), self.points, self.privileged)


_NUMBERS_AT_A_TIME = 100_000  # of a table, where every one of them is copied


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

    def constant(self, names: Sequence[str]) -> tuple[str, ...]:
        """Names of the constant columns."""
        return tuple(str(name) for name, kept in zip(names, self.varies, strict=True) if not kept)


_DEFAULT_FOLDS = 5


def make_folds(
    cv: Any,
    points: FloatArray,
    y: FloatArray,
    classes: Sequence[Any] | None,
    random_state: np.random.RandomState,
) -> list[Split]:
    """Shuffled folds, stratified where there are classes; or those of a splitter.

    Parameters
    ----------
    cv : int, scikit-learn splitter, iterable of splits, or None for five folds
    y : (n,) array of coded targets
    classes : labels of the codes, None for regression
    """
    seed = random_state.randint(np.iinfo(np.int32).max)
    if cv is not None and not isinstance(cv, Integral):
        splits = list(check_cv(cv, y, classifier=classes is not None).split(points, y))
        if not splits:
            raise ValueError(
                "cv yields no splits; give a list of them (a generator is used up after one fit), "
                "a splitter, or a number of folds."
            )
        return splits
    n_folds = _DEFAULT_FOLDS if cv is None else int(cv)
    whole("cv", n_folds, 2, ", a splitter of scikit-learn's, or None")
    most = len(y)
    if classes is not None:
        counts = np.bincount(y.astype(np.int64))
        most = int(counts.max())
        _say_few(n_folds, f"class {classes[int(counts.argmin())]!r}", int(counts.min()))
        n_folds = min(n_folds, most)
    if classes is None or most < 2:
        _say_few(n_folds, "the data", len(y))
        plain = KFold(min(max(n_folds, 2), len(y)), shuffle=True, random_state=seed)
        return list(plain.split(points))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")  # said above
        stratified = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        return list(stratified.split(points, y))


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
    splits = [[np.asarray(part) for part in split] for split in cv]
    return [tuple(position[part[counted[part]]] for part in split) for split in splits]


def _say_few(n_folds: int, what: str, size: int) -> None:
    if size < n_folds:
        warnings.warn(
            f"Cross-validation wants {n_folds} samples, one for each fold, but {what} has "
            f"{size}; some folds do without. Set C, or lower cv.",
            FewSamplesWarning,
            stacklevel=5,
        )


def spread(values: FloatArray, varying: BoolArray) -> FloatArray:
    """Values of the varying features in their places, zeros for the constant ones."""
    everywhere = np.zeros((len(varying), *values.shape[1:]))
    everywhere[varying] = values
    return everywhere
