"""Does a privileged feature add anything to slacks? Its price beside what chance gains instead.

Slacks that are read from privileged features rest on few samples, so that their residuals tell
little. But the cost of a best model does: without the feature it is higher by a price, and a
permuted column in the feature's place gains something, too, by chance. Many permuted columns gain
nothing, which the multipliers of the model without the feature show at once: a column whose
products with them stay below the price of its weights cannot. Gains of the others are close to a
scaled chi-square, with at most as many degrees of freedom as there are weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import Engine, ModelSpace
from relbounds.engine.feasible_set import NORM_PRICE
from relbounds.engine.joining import Joining
from relbounds.method.best_model import BestModel
from relbounds.method.training_data import Feature, TrainingData, columns_of

_ORDERS = 2_000
_NUMBERS, _AT_A_TIME = 20_000_000, 50_000  # in all orders, and in some, which stay at hand
_GAINS = (6, 24)  # that are computed, the second unless the first show that it is chance
_PLAINLY_LARGE = 0.2
_FEWEST_GAINS = 3  # that a tail is fitted to
_EXACT = 1e-6  # of the cost


@dataclass(frozen=True, eq=False)
class PriceTest:
    """What each privileged column adds, if some features are absent.

    Attributes
    ----------
    engine : Engine
    data : TrainingData
    best : BestModel
    absent : sequence of Feature
    """

    engine: Engine
    data: TrainingData
    best: BestModel
    absent: Sequence[Feature] = ()

    def p_value(self, column: int) -> float:
        """How often chance would add as much as a column does."""
        layout = self.best.composition.layouts[1]
        is_used = self.best.solution.model.weights[layout.positions(column)].any()
        if column in columns_of(self.absent, 1) or not (is_used or self.absent):
            return 1.0
        joining = Joining(self.engine, self._space_without(column), self.best.choice.C, _EXACT)
        without, values = joining.without.objective(self.best.choice.C), self._values(column)

        def gains_of(columns: FloatArray) -> FloatArray:
            return without - joining.costs([*layout.each_spread(columns)], layout.price)

        [price], rounding = gains_of(values[None]), 2 * _EXACT * without
        if price <= rounding:
            return 1.0
        n_orders = len(self._orders)
        may_gain = np.flatnonzero(self._may_gain(joining, values))
        share = (1 + len(may_gain)) / (1 + n_orders)
        p, gains = share, np.empty(0)
        for most in _GAINS:
            some = values[self._orders[may_gain[len(gains) : most]]]
            gains = np.r_[gains, np.maximum(gains_of(some), rounding)]
            if len(gains) >= _FEWEST_GAINS:
                p = share * _tail(price, gains, layout.n_functions)
            if p > _PLAINLY_LARGE:
                break
        return max(p, 1 / (1 + n_orders))

    def _values(self, column: int) -> FloatArray:
        values: FloatArray = self.data.tables[1].columns[:, column]
        return values

    def _space_without(self, column: int) -> ModelSpace:
        space = self.best.composition.space
        gone = [
            layout.positions(each)
            for side, layout in enumerate(self.best.composition.layouts)
            for each in columns_of(self.absent, side).tolist() + [column] * side
        ]
        kept = np.delete(np.arange(space.n_weights), np.concatenate(gone))
        return ModelSpace(space.points[:, kept], space.rows, space.prices[kept]).with_one_of_each

    @cached_property
    def _orders(self) -> NDArray[np.int32]:
        """Many new orders of the samples, a line each: always the same ones."""
        random_state, n = np.random.RandomState(0), len(self.data.y)
        n_orders = min(_ORDERS, max(_GAINS[-1], _NUMBERS // n))
        orders = np.empty((n_orders, n), np.int32)
        for line in orders:
            line[:] = self.data.new_order(random_state)
        return orders

    def _may_gain(self, joining: Joining, values: FloatArray) -> BoolArray:
        """In which orders a column may lower the cost, by multipliers of the model without it."""
        layout = self.best.composition.layouts[1]
        by_point = joining.space.rows.by_point(joining.without.multipliers)
        scores = np.zeros((len(self.data.y), layout.n_functions))
        shares = layout.shares[: len(by_point)]
        np.add.at(scores, layout.sample[: len(by_point)], by_point[:, None] * shares)
        lines = max(1, _AT_A_TIME // len(values))
        pieces = [
            self._orders[first : first + lines] for first in range(0, len(self._orders), lines)
        ]
        # orders are in range: whether they are, to ask takes as long as all else
        taken = (values.take(some, mode="clip") for some in pieces)
        wanted = np.concatenate([np.abs(scores.T @ each.T).max(axis=0) for each in taken])
        may: BoolArray = wanted > NORM_PRICE * layout.price * (1 - _EXACT)
        return may


def _tail(price: float, gains: FloatArray, n_weights: int) -> float:
    """How often a gain would reach a price: the ratio to their mean has an F distribution.

    Many gains of nothing beside some large ones have a longer tail, like fewer degrees of freedom:
    twice the mean squared over the variance.
    """
    mean, variance = gains.mean(), gains.var(ddof=1)
    degrees = min(n_weights, 2 * mean**2 / variance) if variance > 0 else n_weights
    return float(fdtrc(degrees, degrees * len(gains), price / mean))
