"""The set of good models: the body that every engine measures."""

from dataclasses import dataclass, replace

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.budget import Budget
from relbounds.engine.margin_rows import MarginRows


@dataclass(frozen=True, eq=False)
class GoodModels:
    """``{w : there are b, s that keep the rows, with (|w|_1, loss) within the budget}``.

    Attributes
    ----------
    points : (n, d) array
    rows : MarginRows
    budget : Budget
    scale : float
        The size of weights, here: the norm that gaps are measured against.
    """

    points: FloatArray
    rows: MarginRows
    budget: Budget
    scale: float

    @property
    def n_features(self) -> int:
        return int(self.points.shape[1])

    @property
    def cost_unit(self) -> float:
        """What it costs to miss a typical margin: the size of costs, even where none are made."""
        missed = float(np.mean(self.rows.weight * np.abs(self.rows.margin)))
        return max(self.budget.limit, self.budget.loss_price * missed)

    def cost(self, weights: FloatArray, offsets: FloatArray) -> float:
        """What the budget's limit applies to."""
        loss = self.rows.weight @ self.rows.slacks(self.points @ weights, offsets)
        return float(self.budget.norm_price * np.abs(weights).sum() + self.budget.loss_price * loss)

    def violation(self, weights: FloatArray, offsets: FloatArray) -> float:
        """By how much, relatively, a model exceeds the budget; negative within it."""
        norm = float(np.abs(weights).sum())
        over = (self.cost(weights, offsets) - self.budget.limit) / self.cost_unit
        return max(over, norm / self.budget.norm_limit - 1)

    def with_column(self, column: FloatArray) -> "GoodModels":
        """The body with one more feature, which comes last."""
        return replace(self, points=np.column_stack([self.points, column]))

    def with_replaced_column(self, feature: int, column: FloatArray) -> "GoodModels":
        """The body with another column in a feature's place, under the same budget."""
        points = self.points.copy()
        points[:, feature] = column
        return replace(self, points=points)
