"""What do columns of a table have in common? Without a copy of it, which may be large."""

import numpy as np

from relbounds.arrays import FloatArray

_NUMBERS_AT_A_TIME = 100_000  # and no fewer than there are products


def products(columns: FloatArray, weight: FloatArray) -> FloatArray:
    """``sum_i weight_i x_i x_i'`` of (n, d) columns, over some samples at a time."""
    n, d = columns.shape
    lines = max(1, d, _NUMBERS_AT_A_TIME // max(1, d))
    total = np.zeros((d, d))
    for first in range(0, n, lines):
        some = slice(first, first + lines)
        total += (columns[some].T * weight[some]) @ columns[some]
    return total
