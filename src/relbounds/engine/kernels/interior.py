"""The loop of the interior point, compiled: a whole batch in one call, other threads at work.

What ``interior/newton`` and ``interior/point`` do for all programs of a batch at once, this does
for one program, or one pair, after the other: its numbers stay in the cache.
"""

from typing import NamedTuple

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native


class Programs(NamedTuple):
    """What programs have in common, what of their own, and where they are, in C order.

    Names are those of ``Program``, ``Own`` and ``Point``, and arrays from ``primal`` on are changed
    in place. Rows come in parts, each with the columns that they speak of.

    Attributes
    ----------
    order : int array
        The rows of each part, those whose weights are alike up to their sign behind one another.
    first : int array
        Where in its order such rows begin, and where the last ones end.
    ends : (parts, 3) int array
        Where points (rows that differ in more than sign and offsets), rows and columns of each part
        end.
    columns : int array
    spans : (e, 2) int array
        The rows outside of which own columns are zero.
    """

    coefficients: FloatArray
    slack_price: FloatArray
    linear: FloatArray
    prices: FloatArray
    shares: FloatArray
    order: IntArray
    first: IntArray
    ends: IntArray
    columns: IntArray
    own_columns: FloatArray
    own_linear: FloatArray
    spans: IntArray
    own_price: float
    primal: FloatArray
    dual: FloatArray
    offsets: FloatArray
    gap: FloatArray


def reach(
    programs: Programs,
    goals: FloatArray,
    prices: FloatArray,
    enough: FloatArray,
    *,
    constant: float = np.nan,
    paired: bool = False,
) -> None:
    """Move each program to its end, up to its own ``enough``.

    ``constant``: the loss's, where enough is a share of the objective.
    """
    native.reach(*programs, goals, prices, enough, constant, paired)


def centre(programs: Programs) -> bool:
    """Move one program to its analytic centre; whether that was found."""
    return bool(native.centre(*programs))
