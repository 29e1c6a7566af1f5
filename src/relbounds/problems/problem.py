"""What the rest of the library asks of a learning problem."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

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


def unit_margin_rows(
    point: IntArray, offset: IntArray, sign: FloatArray, *, n_offsets: int, ordered: bool
) -> MarginRows:
    """Rows of margin one and weight one: what every problem with classes has."""
    ones = np.ones(len(point))
    return MarginRows(point, offset, sign, ones, ones, n_offsets, ordered)


def classes_below(scores: FloatArray, offsets: FloatArray) -> FloatArray:
    """How many offsets each score exceeds: the rank of the class it falls in."""
    ranks: FloatArray = (scores[:, None] > offsets[None, :]).sum(axis=1).astype(np.float64)
    return ranks


def code_classes(y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
    """Ranks among the classes that are there."""
    present, ranks = np.unique(y, return_inverse=True)
    return ranks.astype(np.float64), lambda predicted: present[predicted.astype(np.int64)]
