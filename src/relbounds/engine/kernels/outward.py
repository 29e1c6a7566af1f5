"""From the best model to the ends of many directions, compiled; corners are those of ``corners``.

The first cost of a set is what the best model has least of. So within the least of it the best
model is alone, and at a corner there, where as many pieces ``v_i`` are zero as x has numbers::

    cost - least = sum_i  l_i v_i + s_i(v_i) |v_i|       goal - gain = sum_i  c_i v_i

where no ``l_i`` is larger than what either side ``s_i`` of its piece costs. If ``goal - gain <=
price * (cost - least)`` for all x, none gains more. The least such price is the largest of ``c_i /
(l_i + s_i)``, on the side that ``c_i`` points to: that piece leaves its place to the first cost,
and all prices are right. ``descend`` goes on from there within all limits.
"""

from typing import NamedTuple

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native
from relbounds.engine.kernels.corners import Corner


class Best(NamedTuple):
    """The corner of the best model, at which no cost has a place.

    ``margin`` is that of all pieces, and ``limits`` are those of costs. Those of a corner that
    walks may be drawn apart, so that of equal pieces one is the first, and limits moved with them;
    ends are those of margins and limits as they are.
    """

    place: IntArray
    side: IntArray
    inverse: FloatArray
    margin: FloatArray
    limits: FloatArray


class Asked(NamedTuple):
    """What is asked, and of which rows.

    Attributes
    ----------
    point, sign : (m,) arrays
        Of rows.
    columns : (b, e, points) array
        Of weights that each direction has for itself, or, (b / 2, e, points), each pair: the first
        numbers of x, at rest at the best model. What rows have of them is written in place.
    goals : (b, q) array
    limits : (t, j) array
        Within which walks go, from one to the next.
    """

    point: IntArray
    sign: FloatArray
    columns: FloatArray
    goals: FloatArray
    limits: FloatArray


class Met(NamedTuple):
    """Points at ends, (b, q), multipliers of rows, (b, m), and outcomes, as ``corners`` has them.

    Of a walk that falls short only the multipliers mean anything.
    """

    points: FloatArray
    multipliers: FloatArray
    outcomes: IntArray


def settled(t: Corner, most_steps: int) -> bool:
    """Whether the best model was found, from a corner of no cost's limit that becomes its."""
    return bool(native.settled(*t, most_steps))


def depart(t: Corner, goal: FloatArray, most_steps: int) -> bool:
    """From the corner of the best model to one with the right prices; whether there is one."""
    return bool(native.depart(*t, goal, most_steps))


def outward(
    room: Corner, best: Best, asked: Asked, met: Met, *, most_steps: int, paired: bool
) -> None:
    """Walk from the best model to the end of each goal; ``room``: the set, and where walks are.

    In pairs the second end is walked to no further than until it falls short.
    """
    native.outward(*room, *best, *asked, most_steps, int(paired), *met)
