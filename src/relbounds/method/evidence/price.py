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

import numpy as np
from scipy import stats

from relbounds.arrays import FloatArray
from relbounds.engine import Engine, ModelSpace
from relbounds.engine.feasible_set import NORM_PRICE
from relbounds.engine.optimum import best_models
from relbounds.method.best_model import BestModel
from relbounds.method.training_data import Feature, TrainingData, columns_of

_ORDERS = 2_000
_NUMBERS = 20_000_000  # in all orders
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
        space = self._space_without(column)
        without, values = self._cost(space), self.data.tables[1].columns[:, column]

        def gain(values: FloatArray) -> float:
            joined = space.with_columns(layout.spread(values), layout.price)
            return without - self._cost(joined)

        price, rounding = gain(values), 2 * _EXACT * without
        if price <= rounding:
            return 1.0
        orders = self._orders(values)
        may_gain = np.flatnonzero(self._may_gain(space, orders))
        share = (1 + len(may_gain)) / (1 + len(orders))
        p, gains = share, list[float]()
        for most in _GAINS:
            some = may_gain[len(gains) : most]
            gains += [max(gain(orders[line]), rounding) for line in some]
            if len(gains) >= _FEWEST_GAINS:
                p = share * _tail(price, np.array(gains), layout.n_functions)
            if p > _PLAINLY_LARGE:
                break
        return max(p, 1 / (1 + len(orders)))

    def _space_without(self, column: int) -> ModelSpace:
        gone = [*self.absent, Feature("", 1, column, np.empty(0, np.int64))]
        return self.best.choice.compose(self.data.without(gone)).space

    def _cost(self, space: ModelSpace) -> float:
        C = self.best.choice.C
        [found] = best_models(self.engine.path(space), np.array([C]), _EXACT)
        return NORM_PRICE * found.norm + C * found.loss

    def _orders(self, values: FloatArray) -> FloatArray:
        """A column in many orders, a line each: always the same ones."""
        random_state = np.random.RandomState(0)
        n_orders = min(_ORDERS, max(_GAINS[-1], _NUMBERS // len(values)))
        return np.array([values[self.data.new_order(random_state)] for _ in range(n_orders)])

    def _may_gain(self, space: ModelSpace, orders: FloatArray) -> FloatArray:
        """Whether a column may lower the cost, by the multipliers of the best model without it."""
        layout = self.best.composition.layouts[1]
        _, multipliers = self.engine.path(space).solve(self.best.choice.C, cold=False)
        by_point = space.rows.by_point(multipliers)
        scores = np.zeros((len(self.data.y), layout.n_functions))
        shares = layout.shares[: len(by_point)]
        np.add.at(scores, layout.sample[: len(by_point)], by_point[:, None] * shares)
        wanted = np.abs(orders @ scores).max(axis=1)
        may: FloatArray = wanted > NORM_PRICE * layout.price * (1 - _EXACT)
        return may


def _tail(price: float, gains: FloatArray, n_weights: int) -> float:
    """How often a gain would reach a price: the ratio to their mean has an F distribution.

    Many gains of nothing beside some large ones have a longer tail, like fewer degrees of freedom:
    twice the mean squared over the variance.
    """
    mean, variance = gains.mean(), gains.var(ddof=1)
    degrees = min(n_weights, 2 * mean**2 / variance) if variance > 0 else n_weights
    return float(stats.f.sf(price / mean, degrees, degrees * len(gains)))
