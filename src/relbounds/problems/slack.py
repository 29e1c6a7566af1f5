"""What may a slack be? Free, or read from features that only a teacher sees.

A slack model turns a problem's rows into those of a larger space. In the paper's words for
privileged information (LUPI), a row ``a.w + t.b + s >= margin`` of one kind (chi: below an offset,
xi: above it) has the slack ``s = f(x*) = w*.x* + d``, with one function for each kind, that is
never negative where it is used. So each pair of a sample and a kind becomes two points::

                     w      w*_chi   w*_xi
    margin point  [  x      -x*       0    ]   chi rows (sign -1):  -x.w + b + f_chi(x*) >= margin
                  [  x       0        x*   ]   xi rows  (sign +1):   x.w - b + f_xi(x*)  >= margin
    slack point   [  0       x*       0    ]   f_chi(x*) >= 0, and what exceeds 0 is the loss
                  [  0       0        x*   ]   f_xi(x*)  >= 0

and the constants ``d`` become offsets.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import MarginRows, Model, ModelSpace

N_FUNCTIONS = 2
"""Slack functions: one for the rows below an offset (chi), one for those above (xi)."""


@dataclass(frozen=True, eq=False)
class Side:
    """Features that enter a space in the same way, and where their weights stand.

    Attributes
    ----------
    columns : (n, q) array
        The features' values for each sample.
    sample : (p,) int array
        The sample that each point of the space speaks of.
    shares : (p, functions) array
        With which factor a feature's value enters each of its functions at each point.
    price : float
        What a weight counts in the norm.
    first : int
        Where the side's weights begin: those of the first function, then those of the next.
    """

    columns: FloatArray
    sample: IntArray
    shares: FloatArray
    price: float
    first: int

    @property
    def n_features(self) -> int:
        return int(self.columns.shape[1])

    @property
    def n_functions(self) -> int:
        return int(self.shares.shape[1])

    @property
    def _is_plain(self) -> bool:
        """Whether every sample is a point, so that large tables need not be copied."""
        one_to_one = np.array_equal(self.sample, np.arange(len(self.columns)))
        return self.n_functions == 1 and one_to_one and bool((self.shares == 1).all())

    def positions(self, feature: int) -> IntArray:
        """Where the weights of a feature stand, one for each function."""
        return self.first + feature + self.n_features * np.arange(self.n_functions)

    def of_features(self, values: FloatArray) -> FloatArray:
        """Values of all weights, sorted by feature and function: ``(q, functions, ...)``."""
        last = self.first + self.n_features * self.n_functions
        shape = (self.n_functions, self.n_features, *values.shape[1:])
        sorted_by_feature: FloatArray = values[self.first : last].reshape(shape).swapaxes(0, 1)
        return sorted_by_feature

    def spread(self, columns: FloatArray) -> FloatArray:
        """Columns of samples as columns of points, in the order of the weights."""
        if self._is_plain:
            return columns.reshape(len(columns), -1)
        values = columns.reshape(len(columns), -1)[self.sample]
        return np.hstack([share[:, None] * values for share in self.shares.T])


@dataclass(frozen=True, eq=False)
class Composition:
    """A problem with its slack model: a space of models, and where features stand in it.

    Attributes
    ----------
    rows : MarginRows
    sides : tuple of Side
        Regular features, and privileged ones if there are any.
    """

    rows: MarginRows
    sides: tuple[Side, ...]

    @property
    def regular(self) -> Side:
        return self.sides[0]

    @property
    def prices(self) -> FloatArray:
        return np.concatenate(
            [np.full(side.n_features * side.n_functions, side.price) for side in self.sides]
        )

    @cached_property
    def space(self) -> ModelSpace:
        parts = [side.spread(side.columns) for side in self.sides]
        points = parts[0] if len(parts) == 1 else np.hstack(parts)
        return ModelSpace(points, self.rows, self.prices)

    def at(self, gamma: float | None) -> "Composition":
        """The same with another price of privileged weights; None: there are none."""
        if gamma is None:
            return self
        regular, privileged = self.sides
        return replace(self, sides=(regular, replace(privileged, price=gamma)))

    @property
    def without_regular(self) -> ModelSpace:
        """The space of models that use no regular feature."""
        n = self.regular.n_features
        return ModelSpace(self.space.points[:, n:], self.rows, self.prices[n:])

    def with_replaced_column(self, side: int, feature: int, column: FloatArray) -> "Composition":
        """The same with another column in the place of a side's feature."""
        columns = self.sides[side].columns.copy()
        columns[:, feature] = column
        sides = list(self.sides)
        sides[side] = replace(sides[side], columns=columns)
        return replace(self, sides=tuple(sides))

    def predictor(self, model: Model) -> Model:
        """What of a model is needed to predict: regular weights and the problem's offsets."""
        n_constants = sum(side.n_functions for side in self.sides[1:])
        n_offsets = self.rows.n_offsets - n_constants
        return Model(model.weights[: self.regular.n_features], model.offsets[:n_offsets])

    def sample_losses(self, model: Model) -> FloatArray:
        """The loss of each sample."""
        losses: FloatArray = np.bincount(
            self.regular.sample[self.rows.point],
            self.space.losses(model),
            minlength=len(self.regular.columns),
        ).astype(np.float64)
        return losses


@dataclass(frozen=True)
class SlackModel:
    """How privileged features, if there are any, are turned into slacks.

    Attributes
    ----------
    free_slack_price : float
        What free slack costs beside slack that is read from privileged features; infinite:
        there is none.
    """

    free_slack_price: float = np.inf

    @property
    def hyperparameters(self) -> dict[str, float]:
        """What to tell of it; nothing where there is no free slack."""
        price = self.free_slack_price
        return {"free_slack_price": price} if np.isfinite(price) else {}

    def compose(
        self, rows: MarginRows, points: FloatArray, privileged: FloatArray | None
    ) -> Composition:
        """Add slacks to a problem's rows; privileged weights count like regular ones at first."""
        if privileged is None:
            return _free_slack(rows, points)
        return _privileged_slack(rows, points, privileged, self.free_slack_price)


def _free_slack(rows: MarginRows, points: FloatArray) -> Composition:
    """Every row has a slack of its own."""
    n = len(points)
    return Composition(rows, (Side(points, np.arange(n), np.ones((n, 1)), price=1.0, first=0),))


def _privileged_slack(
    rows: MarginRows, points: FloatArray, privileged: FloatArray, free_slack_price: float
) -> Composition:
    """Slacks are read from privileged columns."""
    margins = rows.subset(np.flatnonzero(rows.sign))
    pairs, pair = np.unique(2 * margins.point + (margins.sign > 0), return_inverse=True)
    sample, function = np.divmod(pairs, N_FUNCTIONS)
    n, k = len(pairs), rows.n_offsets
    read = np.eye(N_FUNCTIONS)[function]
    composed = MarginRows(
        pair,
        margins.sign,
        _columns(margins.offset_matrix, read[pair]),
        margins.margin,
        free_slack_price * margins.weight,
        margins.surplus_weight,
    ).followed_by(
        MarginRows(
            n + np.arange(n),
            np.ones(n),
            _columns(np.zeros((n, k)), read),
            np.zeros(n),
            np.full(n, np.inf),
            np.bincount(pair, margins.weight, minlength=n).astype(np.float64),
        )
    )
    others = rows.subset(np.flatnonzero(rows.sign == 0))
    nothing = np.zeros((len(others), N_FUNCTIONS))
    composed = composed.followed_by(
        replace(others, offset_matrix=_columns(others.offset_matrix, nothing))
    )
    sign = np.where(function == 1, 1.0, -1.0)
    samples, on_margins = np.tile(sample, 2), np.repeat([1.0, 0.0], n)
    on_teachers = np.vstack([sign[:, None] * read, read])
    return Composition(
        composed,
        (
            Side(points, samples, on_margins[:, None], price=1.0, first=0),
            Side(privileged, samples, on_teachers, price=1.0, first=points.shape[1]),
        ),
    )


def _columns(*blocks: Any) -> sparse.csr_array:
    return sparse.csr_array(sparse.hstack([sparse.csr_array(block) for block in blocks]))
