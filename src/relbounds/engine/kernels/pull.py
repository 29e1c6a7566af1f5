"""How far does a model go that is pulled at more and more? A parametric simplex method, compiled.

At every pull ``t`` the model is that of least ``sum_j price_j cost_j(x) - t goal.x``, where costs
are shares of norm and loss. It stands at a corner: as many rows are at their hinge, or costs at
their limit (these are *tied*), as weights are not zero, offsets included (these are *free*). As
``t`` grows, multipliers change until a row leaves its hinge or a weight zero; then the model moves
until another row is at its hinge, another weight zero or a cost at its limit. Only the inverse of
what is free and tied is kept, however many weights there are.

At the corner the multipliers, divided by ``t``, prove what no model can pass. With all costs at
their limits that is what the model reaches.
"""

from typing import NamedTuple

from relbounds.arrays import FloatArray, IntArray, RoughArray
from relbounds.engine.kernels import native

FOUND, LOST, FALLS_SHORT, GOES_BEYOND = 0, 1, 2, 3
"""The end, or the pull that was asked for; neither; it reaches no further, or further, than was
asked."""


class Ground(NamedTuple):
    """The models, rows and costs among which one is pulled.

    Attributes
    ----------
    columns : (d, n) array
        A line of points for each weight.
    own : (e, n) array
        The same of own weights, which come last.
    rough : (d, n) array
        ``columns`` in single precision: those that are far from any event are only looked at.
    worth : (d + e,) array
        What weights count in the norm.
    point, sign, offsets, margin, weight, surplus : (m,) arrays, offsets (m, k)
        The rows.
    shares : (j, 2) array
        Of norm and loss in each cost.
    limits : (j,) array
    """

    columns: FloatArray
    own: FloatArray
    rough: RoughArray
    worth: FloatArray
    point: IntArray
    sign: FloatArray
    offsets: FloatArray
    margin: FloatArray
    weight: FloatArray
    surplus: FloatArray
    shares: FloatArray
    limits: FloatArray


class Place(NamedTuple):
    """Where the model is; all arrays are changed in place.

    Attributes
    ----------
    x : (d + e + k,) array
        Weights, own ones last, and then offsets.
    multipliers : (m,) array
    prices : (j,) array
        Of costs.
    pull : (1,) array
    side : (m,) int array
        Of rows: missed (-1), exceeded (1) or tied (0).
    turn : (d + e,) int array
        Signs of weights.
    number : (q,) int array
        What is free, a line of the inverse each.
    row : (q,) int array
        What is tied, a column each: a row, or ``-1 - j`` of a cost.
    inverse : (q, q) array
        There is room for q, of which ``size`` are used.
    size : (1,) int array
    """

    x: FloatArray
    multipliers: FloatArray
    prices: FloatArray
    pull: FloatArray
    side: IntArray
    turn: IntArray
    number: IntArray
    row: IntArray
    inverse: FloatArray
    size: IntArray


def pull(
    ground: Ground,
    place: Place,
    goal: FloatArray,
    rates: FloatArray,
    *,
    most_steps: int,
    until: float,
    below: float,
    beyond: float,
) -> int:
    """Pull harder, up to a pull or until all costs are at their limits.

    ``goal``: of weights and offsets; ``rates``: by which prices of costs grow with the pull, as
    long as they are not tied. It ends too where the gain is not negative and known to be at most
    ``below``, or is at least ``beyond``.
    """
    return native.pull(*ground, *place, goal, rates, most_steps, until, below, beyond)
