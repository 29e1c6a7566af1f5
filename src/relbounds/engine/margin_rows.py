"""Which inequalities does a model obey? Knows points and signs, not what they stand for."""

from dataclasses import dataclass, replace

import numpy as np

from relbounds.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class MarginRows:
    """Rows ``sign_r * (x_point(r) . w - b_offset(r)) + s_r >= margin_r`` with slacks ``s_r >= 0``.

    The loss is ``sum_r weight_r * s_r``. Where ``ordered``, the offsets ascend:
    ``b_0 <= b_1 <= ...``. Every learning problem of the library is of this form.
    Each offset must occur with both signs, else nothing holds it in place.

    Attributes
    ----------
    point, offset : (m,) int arrays
        The point and the offset that a row speaks of.
    sign, margin, weight : (m,) float arrays
        Side (+1 above the offset, -1 below), required margin, positive share in the loss.
    n_offsets : int
    ordered : bool
    """

    point: IntArray
    offset: IntArray
    sign: FloatArray
    margin: FloatArray
    weight: FloatArray
    n_offsets: int
    ordered: bool

    def __len__(self) -> int:
        return len(self.point)

    @property
    def n_order_rows(self) -> int:
        return max(self.n_offsets - 1, 0) if self.ordered else 0

    def weighted(self, point_weight: FloatArray) -> "MarginRows":
        """The same rows, each counting as much as its point does."""
        return replace(self, weight=self.weight * point_weight[self.point])

    def in_order(self, offsets: FloatArray) -> FloatArray:
        """The nearest offsets from above that keep the order, if one is asked for."""
        return np.maximum.accumulate(offsets) if self.ordered else offsets

    def subset(self, chosen: IntArray) -> "MarginRows":
        """Some of the rows, the offsets and their order as before."""
        return replace(
            self,
            point=self.point[chosen],
            offset=self.offset[chosen],
            sign=self.sign[chosen],
            margin=self.margin[chosen],
            weight=self.weight[chosen],
        )

    def shortfalls(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        """By how much a model with these scores ``x . w`` misses each margin; negative: kept."""
        missed: FloatArray = self.margin - self.sign * (scores[self.point] - offsets[self.offset])
        return missed

    def slacks(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        """The least slacks of a model with these scores (one for each point)."""
        slacks: FloatArray = np.maximum(0.0, self.shortfalls(scores, offsets))
        return slacks

    def pull(self, points: FloatArray, multipliers: FloatArray) -> FloatArray:
        """``A' alpha``: the multipliers' combination of the rows' coefficients of ``w``."""
        by_point = np.bincount(self.point, self.sign * multipliers, minlength=len(points))
        pulled: FloatArray = points.T @ by_point
        return pulled

    def offset_pull(self, multipliers: FloatArray, order_multipliers: FloatArray) -> FloatArray:
        """The multipliers' combination of the rows' and order rows' coefficients of ``b``."""
        pulled: FloatArray = -np.bincount(
            self.offset, self.sign * multipliers, minlength=self.n_offsets
        ).astype(np.float64)
        if self.n_order_rows:
            pulled[1:] += order_multipliers
            pulled[:-1] -= order_multipliers
        return pulled

    def offset_box(
        self, points: FloatArray, norm: float, loss: float
    ) -> tuple[FloatArray, FloatArray]:
        """Limits that every offset keeps in a model of at most this norm and loss."""
        reach = (
            np.abs(points).max(axis=1, initial=0.0)[self.point] * norm
            + loss / self.weight
            - self.margin
        )
        above, below = self.sign > 0, self.sign < 0
        high = np.full(self.n_offsets, np.inf)
        low = np.full(self.n_offsets, -np.inf)
        np.minimum.at(high, self.offset[above], reach[above])
        np.maximum.at(low, self.offset[below], -reach[below])
        return low, high
