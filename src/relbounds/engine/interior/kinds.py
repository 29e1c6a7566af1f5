"""Which rows speak of the same weights? Products with all others are zero, and need no time."""

from typing import NamedTuple

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray

_SOME = 200  # points, which tell whether kinds are few
_MOST = 16  # kinds: each takes some time of its own
_LESS = 0.8  # of all products: with more, kinds are not worth it


class Kind(NamedTuple):
    """Rows in some order, where in it their points differ in more than sign, and their columns."""

    rows: IntArray
    first: IntArray
    columns: IntArray


def kinds_of(coefficients: FloatArray, n_weights: int, every: Kind) -> list[Kind]:
    """Rows by the weights of their points, as those of margins and of slacks; one kind if many."""
    weights = every.columns[every.columns < n_weights]
    used = coefficients[np.ix_(every.rows[every.first], weights)] != 0
    if used.all() or len(_patterns(used[:: 1 + len(used) // _SOME])[0]) > _MOST:
        return [every]
    patterns, kind = _patterns(used)
    products = np.bincount(kind) @ np.square(np.count_nonzero(patterns, axis=1))
    if len(patterns) > _MOST or products > _LESS * used.size * len(weights):
        return [every]
    counts = np.diff(every.first, append=len(every.rows))
    found = []
    for index, pattern in enumerate(patterns):
        rows, of_kind = every.rows[np.repeat(kind, counts) == index], counts[kind == index]
        offsets = every.columns[len(weights) :]
        offsets = offsets[coefficients[np.ix_(rows, offsets)].any(axis=0)]
        first = np.cumsum(of_kind) - of_kind
        found.append(Kind(rows, first, np.concatenate([weights[pattern], offsets])))
    return found


def _patterns(used: BoolArray) -> tuple[BoolArray, IntArray]:
    """Different lines, and which of them each line is."""
    packed = np.packbits(used, axis=1)
    _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return used[first], which.reshape(-1)
