"""What is a sum of products, if only its result is rounded?"""

from math import fsum

import numpy as np

from relbounds.arrays import FloatArray

_HALVES = 2.0**27 + 1  # cuts a number in two of half as many digits


def sums_of_products(vector: FloatArray, matrix: FloatArray, more: FloatArray) -> FloatArray:
    """``vector @ matrix + more``, each sum rounded once (Dekker's products, Shewchuk's sums)."""
    products = vector[:, None] * matrix
    (vector_high, vector_low), (high, low) = _halves(vector[:, None]), _halves(matrix)
    lost = vector_high * high - products + vector_high * low + vector_low * high + vector_low * low
    terms = np.concatenate([products, lost, more[None]])
    return np.array([fsum(column) for column in terms.T.tolist()])


def _halves(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    shifted = _HALVES * numbers
    high = shifted - (shifted - numbers)
    return high, numbers - high
