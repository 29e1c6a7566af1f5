"""Which vertex did a solver mean? Its multipliers and its model without what rounding has left."""

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import Model, ModelSpace
from relbounds.engine.multipliers import allowed, loss_worth, room_of

_SAME_GRADIENT = 1e-4  # gradients that differ by no more, relatively, count as equal
_NO_ROOM = 1e-12  # of the largest multiplier: one that is no further from its limits is at them
_NO_WEIGHT = 1e-9  # of the largest weight: one that is no larger is none
_REFINEMENTS = 2  # the second mends what rounding left of the first


def polished(
    space: ModelSpace, multipliers: FloatArray, goal: FloatArray, norm_share: float
) -> FloatArray:
    """Multipliers whose gradient vanishes at offsets and is the same at the steepest weights.

    That is what those of a vertex do, and a solver's nearly. Those that have room are moved in
    proportion to it. ``norm_share``: what the norm costs where the loss costs one; the
    gradient is just that share of the price of the loss, unless the norm has a limit of its own.
    """
    rows, alpha = space.rows, allowed(space.rows, multipliers)
    room, price = room_of(rows, alpha), float(loss_worth(rows, alpha))
    free = np.flatnonzero(room > _NO_ROOM * np.abs(alpha).max(initial=0.0))
    gradient = (goal + rows.gradient(space.points, alpha)) / space.prices
    steepest = np.flatnonzero(
        np.abs(gradient) >= (1 - _SAME_GRADIENT) * np.abs(gradient).max(initial=0.0)
    )
    limit = np.median(np.abs(gradient[steepest])) if len(steepest) else 0.0
    if abs(limit - norm_share * price) <= _SAME_GRADIENT * limit:
        limit = norm_share * price
    chosen = rows.subset(free)
    coefficients = np.hstack(
        [
            chosen.offset_matrix.toarray(),
            chosen.sign[:, None]
            * (space.points[np.ix_(chosen.point, steepest)] / space.prices[steepest]),
        ]
    )
    root = np.sqrt(room[free])
    for _ in range(_REFINEMENTS):
        gradient = (goal + rows.gradient(space.points, alpha))[steepest] / space.prices[steepest]
        change = np.r_[-rows.offset_gradient(alpha), np.sign(gradient) * limit - gradient]
        moves = np.linalg.lstsq((root[:, None] * coefficients).T, change, rcond=None)[0]
        alpha[free] += root * moves
    return alpha


def settled(space: ModelSpace, model: Model, multipliers: FloatArray) -> Model:
    """The model that just meets the rows whose multipliers have room, as that of a vertex does.

    What a solver leaves open in each row, a large C makes much of.
    """
    rows, alpha = space.rows, allowed(space.rows, multipliers)
    met = np.flatnonzero(room_of(rows, alpha) > _NO_ROOM * np.abs(alpha).max(initial=0.0))
    size = np.abs(model.weights)
    used = np.flatnonzero(size > _NO_WEIGHT * size.max(initial=0.0))
    chosen, n_used = rows.subset(met), len(used)
    coefficients = np.hstack(
        [
            chosen.sign[:, None] * space.points[np.ix_(chosen.point, used)],
            chosen.offset_matrix.toarray(),
        ]
    )
    weights, offsets = np.zeros_like(model.weights), model.offsets.copy()
    weights[used] = model.weights[used]
    for _ in range(_REFINEMENTS):
        missed = space.shortfalls(Model(weights, offsets))[met]
        moves = np.linalg.lstsq(coefficients, missed, rcond=None)[0]
        weights[used] += moves[:n_used]
        offsets += moves[n_used:]
    return Model(weights, offsets)
