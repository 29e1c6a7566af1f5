"""Numbers, with a tube around the line in which errors are free."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import MarginRows
from relbounds.problems.problem import offset_rows


@dataclass(frozen=True)
class RegressionProblem:
    """``x.w - b`` is at least ``y - epsilon`` and at most ``y + epsilon``."""

    epsilon: float = 0.0

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return y, lambda predicted: predicted

    def margin_rows(self, y: FloatArray) -> MarginRows:
        n = len(y)
        return offset_rows(
            point=np.tile(np.arange(n), 2),
            offset=np.zeros(2 * n, dtype=np.int64),
            sign=np.repeat([1.0, -1.0], n),
            margin=np.concatenate([y - self.epsilon, -y - self.epsilon]),
            n_offsets=1,
        )

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        predicted: FloatArray = scores - offsets[0]
        return predicted

    def error(self, y: FloatArray, predicted: FloatArray, sample_weight: FloatArray) -> float:
        """The mean absolute error."""
        return float(np.average(np.abs(y - predicted), weights=sample_weight))
