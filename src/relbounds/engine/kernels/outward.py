"""From the best model to the ends of many directions, compiled; corners are those of ``corners``.

The first cost of a set is what the best model has least of all. So within that the best model is
alone, and a corner at which as many pieces ``v_i`` are zero as ``x`` has numbers::

    cost - least = sum_i  l_i v_i + s_i(v_i) |v_i|       goal - gain = sum_i  c_i v_i

where no ``l_i`` is larger than what either side ``s_i`` of its piece costs. If ``goal - gain <=
price * (cost - least)`` for all x, none gains more. The least such price is the largest of ``c_i /
(l_i + s_i)``, on the side that ``c_i`` points to: that piece leaves its place to the first cost, and
all prices are right. ``descend`` goes on from there within all limits.
"""

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native
from relbounds.engine.kernels.corners import Corner


def settled(t: Corner, most_steps: int) -> bool:
    """Whether the best model of the first cost was found, from a corner of no cost's limit."""
    return bool(native.settled(*t, most_steps))


def outward(
    room: Corner,
    place: IntArray,
    side: IntArray,
    inverse: FloatArray,
    margin: FloatArray,
    point: IntArray,
    sign: FloatArray,
    columns: FloatArray,
    goals: FloatArray,
    limits: FloatArray,
    points: FloatArray,
    multipliers: FloatArray,
    outcomes: IntArray,
    *,
    most_steps: int,
    paired: bool,
) -> None:
    """Walk from the corner of the best model to the end of each goal, (b, q).

    ``room``: the set, and room for corners on the way. ``place``, ``side``, ``inverse``: the best
    model's, no cost at its limit. ``margin``: of all pieces; those of the room may be drawn apart, so
    that of equal ones one is the first, and ends are those of margins as they are. ``columns``, (b, e, points): weights of each direction's own,
    the first numbers of x and at rest there; of rows their share is written in place, as ``point``
    and ``sign`` of rows say. In pairs, (b / 2, e, points): of both. ``limits``, (t, j): they are
    walked within one after another. Met are ``points``, (b, q), ``multipliers`` of rows, and
    ``outcomes``. In pairs the second end is walked to no further than until it falls short.
    """
    fixed = place, side, inverse, margin, point, sign, columns, goals, limits
    native.outward(*room, *fixed, most_steps, int(paired), points, multipliers, outcomes)
