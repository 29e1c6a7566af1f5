"""What the rest of the library asks of a learning problem."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from scipy import sparse

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import MarginRows


class Problem(Protocol):
    """A learning problem over coded targets: ranks ``0..K-1``, or numbers for regression."""

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        """Targets without gaps for a part of the data, and the way back.

        A part may lack a class, and an offset between absent classes is held by nothing.
        """

    def margin_rows(self, y: FloatArray) -> MarginRows:
        """The rows that models of this target obey, each of weight one."""

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        """Coded targets from scores ``x . w`` and offsets."""

    def error(self, y: FloatArray, predicted: FloatArray, sample_weight: FloatArray) -> float:
        """What tuning makes small."""


def offset_rows(
    point: IntArray, offset: IntArray, sign: FloatArray, margin: FloatArray, n_offsets: int
) -> MarginRows:
    """Rows ``sign * (x_point . w - b_offset) >= margin`` of weight one."""
    m = len(point)
    coefficients = sparse.csr_array((-sign, offset, np.arange(m + 1)), shape=(m, n_offsets))
    return MarginRows(point, sign, coefficients, margin, np.ones(m), np.zeros(m))


def order_rows(n_offsets: int) -> MarginRows:
    """``b_(j+1) - b_j >= 0``, to be kept."""
    m = max(n_offsets - 1, 0)
    step = np.add.outer(np.arange(m), [0, 1]).ravel()
    coefficients = sparse.csr_array(
        (np.tile([-1.0, 1.0], m), step, 2 * np.arange(m + 1)), shape=(m, n_offsets)
    )
    zeros = np.zeros(m)
    return MarginRows(zeros.astype(np.int64), zeros, coefficients, zeros, np.full(m, np.inf), zeros)


def classes_below(scores: FloatArray, offsets: FloatArray) -> FloatArray:
    """How many offsets each score exceeds: the rank of the class it falls in."""
    ranks: FloatArray = (scores[:, None] > offsets[None, :]).sum(axis=1).astype(np.float64)
    return ranks


def code_classes(y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
    """Ranks among the classes that are there."""
    present, ranks = np.unique(y, return_inverse=True)
    return ranks.astype(np.float64), lambda predicted: present[predicted.astype(np.int64)]
