"""The array types every signature speaks of, and what all of them mean by relevance."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
RoughArray: TypeAlias = NDArray[np.float32]
BoolArray: TypeAlias = NDArray[np.bool_]
IntArray: TypeAlias = NDArray[np.int64]
SideArray: TypeAlias = NDArray[np.int8]  # of a hinge, on which each row is: -1, 0 or 1


def relevance_of(ranges: FloatArray) -> FloatArray:
    """``[minrel, maxrel]``: the least and the largest ``|w|`` for ``w`` in ``[low, high]``.

    Good models are convex, so that a weight takes every value between its ends:
    ``minrel = max(0, low, -high)`` and ``maxrel = max(|low|, |high|)``. Ranges are an array of any
    shape ``(..., 2)``.
    """
    low, high = ranges[..., 0], ranges[..., 1]
    least = np.abs(np.maximum(0.0, np.maximum(low, -high)))  # there is a zero that is negative
    return np.stack([least, np.maximum(np.abs(low), np.abs(high))], axis=-1)
