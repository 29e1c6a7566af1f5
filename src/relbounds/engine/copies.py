"""Which columns are the same up to their sign?

Weights of copies do in a model what their sum does. So one of them can do what all can, and two say
all that can be asked about one: itself, and another one in the place of all others.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray

_SIMILAR = 1e-9  # of a product with random numbers: columns that differ by more are no copies
_ROUNDING = 1e-14  # of the largest value: by which copies may differ, less than sums are rounded by


@dataclass(frozen=True, eq=False)
class Copies:
    """Columns that are the same as others.

    Attributes
    ----------
    first, second : (d,) int arrays
        Which columns are the first two of those that a column is a copy of, itself among them; the
        second of one without copies is itself.
    sign : (d,) array
        By which the first has to be multiplied to get each.
    """

    first: IntArray
    second: IntArray
    sign: FloatArray

    @classmethod
    def of(cls, columns: FloatArray, prices: FloatArray | None = None) -> "Copies":
        """Columns that are alike, if their weights count the same, too."""
        first, sign = np.arange(columns.shape[1]), np.ones(columns.shape[1])
        product = random_direction(len(columns)) @ columns
        size = np.abs(product)
        order = np.argsort(size, kind="stable")
        similar = np.flatnonzero(np.diff(size[order]) <= _SIMILAR * size[order[1:]])
        for before, k in zip(order[similar].tolist(), order[similar + 1].tolist(), strict=True):
            known = first[before]
            turn = 1.0 if product[known] * product[k] >= 0 else -1.0
            turned = turn * columns[:, known]
            furthest = np.abs(columns[:, k] - turned).max(initial=0.0)
            same_price = prices is None or prices[known] == prices[k]
            if same_price and furthest <= _ROUNDING * np.abs(turned).max(initial=0.0):
                first[k], sign[k] = known, turn
        return cls(*_in_order(first, sign))

    @property
    def is_first(self) -> BoolArray:
        """The columns that can do what all can."""
        is_first: BoolArray = self.first == np.arange(len(self.first))
        return is_first

    @property
    def have_copies(self) -> BoolArray:
        have_copies: BoolArray = self.first != self.second
        return have_copies

    def least_norm_price(self, goal: FloatArray) -> float:
        """Below which weights of two copies would grow for ever, one against the other.

        ``goal``: what a unit of each weight's share in the norm gains.
        """
        return float(np.abs(self.sign * goal - goal[self.first]).max(initial=0.0)) / 2

    def folded(self, weights: FloatArray) -> FloatArray:
        """Weights of which the first of copies has all."""
        folded: FloatArray = np.bincount(
            self.first, self.sign * weights, minlength=len(weights)
        ).astype(np.float64)
        return folded

    def given(self, weights: FloatArray, column: int, weight: float) -> FloatArray:
        """Folded weights, one column having a weight besides: that of one more first."""
        first, second, given = self.first[column], self.second[column], weights.copy()
        if column == first:
            given[second] = self.sign[second] * weights[first]
        given[column] = self.sign[column] * weight
        return given


@lru_cache(maxsize=16)
def random_direction(size: int) -> FloatArray:
    """Random numbers, always the same: products with them tell what differs apart."""
    direction = np.random.RandomState(0).normal(size=size)
    direction.setflags(write=False)
    return direction


def _in_order(first: IntArray, sign: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Copies, the first of which is the first in the order of columns, and those that come next."""
    second = np.arange(len(first))
    for known in np.unique(first[first != second]).tolist():
        group = np.flatnonzero(first == known)
        sign[group] *= sign[group[0]]
        first[group], second[group] = group[0], group[1]
    return first, second, sign
