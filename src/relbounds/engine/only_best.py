"""Where do walks begin, where the best model is the only good one and one limit holds it there?

As many pieces as a model has numbers are zero then, and the limit is reached as well: a corner has
one of them too many. Which one, the direction tells. Near the best model its cost and the goal are
sums over the pieces ``v_i`` that are zero there::

    cost - limit = sum_i  l_i v_i + s_i(v_i) |v_i|       goal - gain = sum_i  c_i v_i

where no ``l_i`` is as large as what either side ``s_i`` of its piece costs. Where ``goal - gain <=
price * (cost - limit)`` for all models, none gains more than the best. The least such price is the
largest of ``c_i / (l_i + s_i)``, on the side that ``c_i`` points to; and that piece is the one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray, IntArray

_LEAST = 1e-9  # slope; and of what an inverse may be as large as its reciprocal


@dataclass(frozen=True, eq=False)
class OnlyBest:
    """The pieces that are zero at the best model, and how its cost grows around it.

    Attributes
    ----------
    zero : (q,) int array
    inverse : (q, q) array
        Of the matrix whose columns are gradients of the pieces.
    slopes : (q, 2) array
        What a unit of each piece below and above zero costs, all others being zero.
    gradient : (q,) array
        Of the cost of all pieces that are not zero.
    side : (pieces,) int array
    """

    zero: IntArray
    inverse: FloatArray
    slopes: FloatArray
    gradient: FloatArray
    side: IntArray

    @classmethod
    def of(cls, corners: Any, values: FloatArray, zero: IntArray) -> "OnlyBest | None":
        """None if there are not as many pieces as numbers, or another model may be as good."""
        q, d = corners.rows.shape[1], corners.feasible.space.n_weights
        if len(corners.limits) != 1 or len(zero) != q or corners.growth is not None:
            return None
        side = np.where(values > 0, 1, -1)
        side[zero] = 0
        used = np.flatnonzero(side)
        costs = np.zeros(len(side))
        costs[used] = corners.slopes[used, 0, (side[used] > 0).astype(int)]
        gradient = costs[d:] @ corners.rows
        gradient[:d] += costs[:d]
        try:
            inverse = np.asarray(np.linalg.inv(_gradients(corners, zero).T), dtype=np.float64)
        except np.linalg.LinAlgError:
            return None
        slopes = (inverse @ gradient)[:, None] + corners.slopes[zero, 0]
        is_sharp = (slopes[:, 0] < -_LEAST).all() and (slopes[:, 1] > _LEAST).all()
        is_known = np.abs(inverse).max() < 1 / _LEAST
        return cls(zero, inverse, slopes, gradient, side) if is_sharp and is_known else None

    def corner(self, corners: Any, goal: FloatArray) -> tuple[Any, ...] | None:
        """Places, sides, transposed inverse, height and place of the limit where a direction ends.

        None if it ends at rows that have to be kept, and whatever the limit is.
        """
        shares = self.inverse @ goal
        is_above = shares > 0
        prices = shares / self.slopes[np.arange(len(shares)), is_above.astype(int)]
        leaving = int(np.argmax(prices))
        if not prices[leaving] > 0:
            return None
        piece = self.zero[leaving]
        side, place = self.side.copy(), self.zero.copy()
        side[piece], place[leaving] = (1 if is_above[leaving] else -1), -1
        slope = corners.slopes[piece, 0, int(is_above[leaving])]
        [line] = _gradients(corners, self.zero[[leaving]])
        of_cost = self.inverse @ (self.gradient + slope * line)
        inverse = self.inverse - np.outer(of_cost, self.inverse[leaving]) / of_cost[leaving]
        inverse[leaving] = self.inverse[leaving] / of_cost[leaving]
        used = np.flatnonzero(side)
        costs = corners.slopes[used, 0, (side[used] > 0).astype(int)]
        height = corners.limits + costs @ corners.margin[used]
        return place, side, np.ascontiguousarray(inverse.T), height, np.array([leaving])


def _gradients(corners: Any, pieces: IntArray) -> FloatArray:
    """Of some pieces, a line each."""
    d = corners.feasible.space.n_weights
    of_weights = pieces < d
    gradients: FloatArray = corners.rows[np.maximum(pieces - d, 0)]
    gradients[of_weights] = 0.0
    gradients[of_weights, pieces[of_weights]] = 1.0
    return gradients
