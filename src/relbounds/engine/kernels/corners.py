"""From corner to corner of a set of good models, to the best one: a simplex method, compiled.

A set is that of all ``x`` whose costs keep limits. Costs are sums of *pieces*: each is a function
``v_i(x) = z_i.x - margin_i``, a unit of which costs ``slopes[i, j, 0]`` (not positive) below zero
and ``slopes[i, j, 1]`` (not negative) above zero in cost ``j``::

    cost_j(x) = linear_j.x + sum_i  slopes[i, j, v_i > 0] * v_i(x)   <=   limit_j

A slope of minus infinity: the piece has to stay above zero. A piece for each weight, ``v = w_k``,
comes first, and then rows. At a corner as many pieces are zero and costs at their limits, its
*places*, as x has numbers; all other pieces have a side. ``B``, whose columns are the gradients of
what is at the places, gives both the corner, ``B'x = heights``, and prices ``B u = goal``:
the corner is the best one if prices of limits are not negative and those of pieces lie between
what their two sides would cost.

``ascend`` mends prices and keeps sides, ``descend`` keeps prices and mends sides: so the best
corner within other limits, or of a set that was cut, is a few steps away from one that is known.
"""

from typing import NamedTuple

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native

FOUND, EMPTY, LOST, FALLS_SHORT = 0, 1, 2, 3
"""The best corner; no x keeps all limits; neither is certain; it gains no more than was asked."""


class Corner(NamedTuple):
    """A set and where in it we are; arrays from ``limits`` on are changed in place.

    Attributes
    ----------
    rows : (m, q) array
        Gradients of the pieces behind those of weights.
    margin : (d + m,) array
    slopes : (d + m, j, 2) array
    linear : (j, q) array
    limits : (j,) array
    place : (q,) int array
        The piece at each place, or ``-1 - j`` of a cost.
    side : (d + m,) int array
        Of each piece; 0 of those at places.
    inverse : (q, q) array
        Of B, transposed: a line for each number of x.
    height : (j,) array
        What the linear costs of all sides may be.
    at : (j,) int array
        The place of each cost; -1 if it is below its limit.
    """

    rows: FloatArray
    margin: FloatArray
    slopes: FloatArray
    linear: FloatArray
    limits: FloatArray
    place: IntArray
    side: IntArray
    inverse: FloatArray
    height: FloatArray
    at: IntArray


def find(t: Corner, x: FloatArray, values: FloatArray, zero: IntArray) -> bool:
    """Go to a corner of the face that a point lies on, if there is one.

    ``values``: the pieces at the point, which are changed, and ``zero``: those that count as zero,
    the nearest first.
    """
    return bool(native.find(*t, x, values, zero))


def ascend(t: Corner, goal: FloatArray, most_steps: int) -> int:
    """From a corner on the right sides to the best one.

    Costs that fall below their limits are not watched: ``descend`` looks after them.
    """
    return native.ascend(*t, goal, most_steps)


def descend(t: Corner, goal: FloatArray, most_steps: int, below: float) -> int:
    """From a corner with the right prices to the best one, or until that gains at most so much."""
    return native.descend(*t, goal, most_steps, below)


def corner(t: Corner, x: FloatArray) -> None:
    """Where we are."""
    native.corner(*t, x)


def multipliers(t: Corner, goal: FloatArray, of_pieces: FloatArray, of_costs: FloatArray) -> None:
    """What a unit of each piece, and of each limit, is worth."""
    native.multipliers(*t, goal, of_pieces, of_costs)


def follow(
    t: Corner,
    goal: FloatArray,
    most_steps: int,
    reached: float,
    limits: FloatArray,
    below: FloatArray,
    points: FloatArray,
    worths: FloatArray,
    proofs: IntArray,
    outcomes: IntArray,
) -> None:
    """The same within each of some limits that grow, (t, j), and what is met there.

    ``reached``: what a point within the first limits gains; once that is zero, a corner is looked
    for only until it is known to gain no more than ``below`` within its limits. ``points``, (t, q);
    ``worths``, (t, d + m): of each piece, where they are not those of limits before; ``proofs``:
    whose worths prove how far none reaches; ``outcomes``.
    """
    native.follow(*t, goal, most_steps, reached, limits, below, points, worths, proofs, outcomes)
