"""Which samples test which models? Folds for tuning."""

import warnings
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, check_cv

from relbounds.arrays import FloatArray
from relbounds.exceptions import FewSamplesWarning
from relbounds.settings import whole
from relbounds.tuning import Split

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
