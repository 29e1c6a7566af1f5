"""Ordered classes, the order of the boundaries explicit or implicit."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import MarginRows
from relbounds.metrics import mean_error_of_ranks
from relbounds.problems.problem import classes_below, code_classes, offset_rows, order_rows


@dataclass(frozen=True)
class OrdinalProblem:
    """Ranks ``0..K-1`` cut by offsets ``b_0..b_(K-2)``.

    - ``"explicit"``: a sample of class j lies below ``b_j`` and above ``b_(j-1)``, each by a
      margin of one, and ``b_j <= b_(j+1)``;
    - ``"implicit"``: it lies below every ``b_i`` with ``i >= j`` and above every other, and
      the order of the offsets follows.
    """

    order: str = "explicit"

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return code_classes(y)

    def margin_rows(self, y: FloatArray) -> MarginRows:
        rank = y.astype(np.int64)
        n_offsets = int(rank.max(initial=0))
        offset = np.tile(np.arange(n_offsets), (len(rank), 1))
        distance = rank[:, None] - offset  # 0: just below, 1: just above the offset
        wanted = (distance == 0) | (distance == 1) if self.order == "explicit" else offset >= 0
        point = np.nonzero(wanted)[0]
        rows = offset_rows(
            point,
            offset[wanted],
            np.where(distance[wanted] > 0, 1.0, -1.0),
            margin=np.ones(len(point)),
            n_offsets=n_offsets,
        )
        return rows.followed_by(order_rows(n_offsets)) if self.order == "explicit" else rows

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        return classes_below(scores, offsets)

    def error(self, y: FloatArray, predicted: FloatArray, sample_weight: FloatArray) -> float:
        return mean_error_of_ranks(y, predicted, sample_weight)
