"""What do multipliers of the rows add up to, and how far are they from their limits?"""

from typing import NamedTuple

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import kernels
from relbounds.engine.rows import MarginRows


class Combined(NamedTuple):
    """Sums of (batch, m) multipliers, as far as they are allowed.

    ``by_point`` and ``by_offset`` have a line each; ``loss_worth`` is the least price of the loss
    at which none is beyond its limits, and ``margins`` their sum over all margins.
    """

    by_point: FloatArray
    by_offset: FloatArray
    loss_worth: FloatArray
    margins: FloatArray


def combined(rows: MarginRows, multipliers: FloatArray) -> Combined:
    if kernels.margins is not None:
        of = kernels.margins.combined(rows.parts, multipliers, rows.n_points, rows.n_offsets)
        return Combined(*of)
    alpha = allowed(rows, multipliers)
    return Combined(
        rows.by_point(alpha),
        rows.offset_gradient(alpha),
        loss_worth(rows, alpha),
        alpha @ rows.margin,
    )


def allowed(rows: MarginRows, multipliers: FloatArray) -> FloatArray:
    """Multipliers may be negative only where a surplus costs something."""
    return np.where(rows.surplus_weight > 0, multipliers, np.maximum(multipliers, 0.0))


def loss_worth(rows: MarginRows, alpha: FloatArray) -> FloatArray:
    """The least price of the loss at which no multiplier is beyond its limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(alpha < 0, -alpha / rows.surplus_weight, alpha / rows.weight)
    # 0 / 0, a multiplier that is not used of a row that costs nothing, asks for no price: fmax
    # passes it over. A multiplier that is no number makes no proof: the rest is none either.
    price: FloatArray = np.fmax.reduce(worth, axis=-1, initial=0.0)
    return price


def room_of(rows: MarginRows, alpha: FloatArray) -> FloatArray:
    """How far each multiplier is from its limits at the price of the loss that all need."""
    price = loss_worth(rows, alpha)[..., None]
    with np.errstate(invalid="ignore"):  # price 0 of a row that must hold
        return np.fmin(alpha + price * rows.surplus_weight, price * rows.weight - alpha)
