"""Passes over the rows of a feasible set, compiled: a line for each model or set of multipliers.

Rows are handed over as ``Rows``, in which entries of the offset matrix lie row by row.
"""

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native

Rows = tuple[IntArray | FloatArray, ...]
"""point, sign; ends, columns and values of entries; margin, weight, surplus weight."""


def missed(rows: Rows, scores: FloatArray, offsets: FloatArray) -> FloatArray:
    """By how much models miss each margin."""
    found = np.empty((len(scores), len(rows[0])))
    native.miss(*rows, np.ascontiguousarray(scores), np.ascontiguousarray(offsets), found)
    return found


def priced(rows: Rows, missed: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What models lose that miss margins by so much, and the most of rows that have to be kept."""
    losses, worst = np.empty((2, len(missed)))
    native.price(*rows, np.ascontiguousarray(missed), losses, worst)
    return losses, worst


def combined(
    rows: Rows, multipliers: FloatArray, n_points: int, n_offsets: int
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Sums of multipliers by point and by offset, what they ask of the loss, and over margins."""
    batch = len(multipliers)
    by_point, by_offset = np.empty((batch, n_points)), np.empty((batch, n_offsets))
    worth, margins = np.empty((2, batch))
    multipliers = np.ascontiguousarray(multipliers)
    native.combine(*rows, multipliers, by_point, by_offset, worth, margins)
    return by_point, by_offset, worth, margins


def limited(rows: Rows, reach: FloatArray, loss: float, known: FloatArray) -> FloatArray:
    """The least and the most that each offset can be, by what is known of that, (2, k)."""
    box = known.copy()
    native.limit(*rows, np.ascontiguousarray(reach), loss, known, box)
    return box
