"""All models of a learning problem, good or not: what do they weigh, and what do they lose?"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.margin_rows import MarginRows


@dataclass(frozen=True, eq=False)
class Model:
    """Weights and offsets."""

    weights: FloatArray
    offsets: FloatArray


@dataclass(frozen=True, eq=False)
class ModelSpace:
    """Models ``(w, b)`` over points and rows, with ``norm(w) = sum_k price_k * |w_k|``.

    Attributes
    ----------
    points : (n, d) array
    rows : MarginRows
    prices : (d,) array
        What a unit of each weight counts in the norm.
    """

    points: FloatArray
    rows: MarginRows
    prices: FloatArray

    @classmethod
    def unpriced(cls, points: FloatArray, rows: MarginRows) -> "ModelSpace":
        """The space in which every weight counts the same."""
        return cls(points, rows, np.ones(points.shape[1]))

    @property
    def n_weights(self) -> int:
        return int(self.points.shape[1])

    def norm(self, model: Model) -> float:
        return float(self.prices @ np.abs(model.weights))

    def loss(self, model: Model) -> float:
        return float(self.losses(model).sum())

    def losses(self, model: Model) -> FloatArray:
        """The loss of each row."""
        return self.rows.losses(self.shortfalls(model))

    def shortfalls(self, model: Model) -> FloatArray:
        """By how much each row is missed; negative: exceeded."""
        return self.rows.shortfalls(self.points @ model.weights, model.offsets)

    def breach(self, model: Model) -> float:
        """The most by which a row that has to be kept is missed, as a share of margins."""
        return self.rows.breach(self.shortfalls(model))

    def offset_box(self, norm: float, loss: float) -> tuple[FloatArray, FloatArray]:
        """Limits that every offset keeps in a model of at most this norm and loss."""
        return self.rows.offset_box(self._reach * norm, loss)

    @cached_property
    def _reach(self) -> FloatArray:
        """The largest score of each point in a model of norm one."""
        reach: FloatArray = np.abs(self.points / self.prices).max(axis=1, initial=0.0)
        return reach

    def with_columns(self, columns: FloatArray, price: float) -> "ModelSpace":
        """The space with more weights, which come last."""
        return replace(
            self,
            points=np.column_stack([self.points, columns]),
            prices=np.r_[self.prices, np.full(columns.shape[1], price)],
        )

    def with_replaced_columns(self, positions: IntArray, columns: FloatArray) -> "ModelSpace":
        """The space with other columns in some weights' places."""
        points = self.points.copy()
        points[:, positions] = columns
        return replace(self, points=points)
