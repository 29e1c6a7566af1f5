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

A problem of several scores has a weight of each feature in each score, and a point for each pair of
a sample and a score: features enter the space once for every score, in a block of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import MarginRows, Model, ModelSpace

N_FUNCTIONS = 2
"""Slack functions: one for the rows below an offset (chi), one for those above (xi)."""


@dataclass(frozen=True, eq=False)
class Layout:
    """How features of one table enter a space, and where their weights stand.

    Attributes
    ----------
    n_features : int
    sample : (p,) int array
        The sample that each point of the space speaks of.
    shares : (p, functions) array
        With which factor a feature's value enters each of its functions at each point.
    first : int
        Where the weights begin: those of the first function, then those of the next.
    price : float
        What a weight counts in the norm.
    """

    n_features: int
    sample: IntArray
    shares: FloatArray
    first: int = 0
    price: float = 1.0

    @property
    def n_functions(self) -> int:
        return int(self.shares.shape[1])

    @property
    def n_weights(self) -> int:
        return self.n_features * self.n_functions

    @cached_property
    def _is_plain(self) -> bool:
        """Whether points are samples as they are, so that large tables need not be copied."""
        one_to_one = np.array_equal(self.sample, np.arange(len(self.sample)))
        return self.n_functions == 1 and one_to_one and bool((self.shares == 1).all())

    def positions(self, feature: int) -> IntArray:
        """Where the weights of a feature stand, one for each function."""
        return self.first + feature + self.n_features * np.arange(self.n_functions)

    def of_features(self, values: FloatArray) -> FloatArray:
        """Values of all weights, sorted by feature and function: ``(q, functions, ...)``."""
        shape = (self.n_functions, self.n_features, *values.shape[1:])
        own = values[self.first : self.first + self.n_weights]
        sorted_by_feature: FloatArray = own.reshape(shape).swapaxes(0, 1)
        return sorted_by_feature

    def spread(self, columns: FloatArray) -> FloatArray:
        """Columns of samples as columns of points, in the order of the weights."""
        values = columns.reshape(len(columns), -1)
        if self._is_plain and len(values) == len(self.sample):
            return values
        return np.hstack([share[:, None] * values[self.sample] for share in self.shares.T])

    def each_spread(self, columns: FloatArray) -> FloatArray:
        """The same of some columns, (columns, n), apart: (columns, points, functions)."""
        spread: FloatArray = self.shares.T * columns[:, None, self.sample]
        return spread.swapaxes(1, 2)


@dataclass(frozen=True, eq=False)
class Composition:
    """A problem with its slack model: a space of models, and where features stand in it.

    Attributes
    ----------
    space : ModelSpace
    layouts : tuple of Layout
        Of regular features, and of privileged ones if there are any.
    """

    space: ModelSpace
    layouts: tuple[Layout, ...]

    @classmethod
    def of(
        cls, rows: MarginRows, layouts: tuple[Layout, ...], columns: Sequence[FloatArray]
    ) -> "Composition":
        """The space in which the columns of samples enter as the layouts say."""
        parts = [layout.spread(each) for layout, each in zip(layouts, columns, strict=True)]
        points = parts[0] if len(parts) == 1 else np.hstack(parts)
        return cls(ModelSpace(points, rows, _prices(layouts)), layouts)

    @property
    def regular(self) -> Layout:
        return self.layouts[0]

    def at(self, gamma: float | None) -> "Composition":
        """The same with another price of privileged weights; None: there are none."""
        if gamma is None:
            return self
        regular, privileged = self.layouts
        layouts = (regular, replace(privileged, price=gamma))
        return Composition(replace(self.space, prices=_prices(layouts)), layouts)

    @property
    def without_regular(self) -> ModelSpace:
        """The space of models that use no regular feature."""
        n, space = self.regular.n_weights, self.space
        return ModelSpace(space.points[:, n:], space.rows, space.prices[n:])

    def predictor(self, model: Model) -> Model:
        """What of a model is needed to predict: regular weights and the problem's offsets.

        Weights are (d,), or (d, scores) of several.
        """
        n_constants = sum(each.n_functions for each in self.layouts[1:])
        n_offsets = self.space.rows.n_offsets - n_constants
        weights = self.regular.of_features(model.weights)
        is_single = self.regular.n_functions == 1
        return Model(weights[:, 0] if is_single else weights, model.offsets[:n_offsets])

    def uses(self, model: Model) -> tuple[BoolArray, ...]:
        """Which columns of each table a model gives any weight."""
        weights = [each.of_features(model.weights) for each in self.layouts]
        return tuple(np.count_nonzero(each, axis=1) > 0 for each in weights)

    def sample_losses(self, model: Model, n_samples: int) -> FloatArray:
        """The loss of each sample."""
        sample = self.regular.sample[self.space.rows.point]
        losses: FloatArray = np.bincount(
            sample, self.space.losses(model), minlength=n_samples
        ).astype(np.float64)
        return losses


def _prices(layouts: Sequence[Layout]) -> FloatArray:
    return np.concatenate([np.full(each.n_weights, each.price) for each in layouts])


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
        self, rows: MarginRows, columns: Sequence[FloatArray], n_scores: int = 1
    ) -> Composition:
        """Add slacks to a problem's rows, read from the second table's columns if there is one.

        Privileged weights count like regular ones at first; with them there is one score only.
        """
        if n_scores > 1:
            return _several_scores(rows, columns, n_scores)
        if len(columns) == 1:
            n, d = columns[0].shape
            return Composition.of(rows, (Layout(d, np.arange(n), np.ones((n, 1))),), columns)
        return _privileged_slack(rows, columns, self.free_slack_price)


def _several_scores(rows: MarginRows, columns: Sequence[FloatArray], n_scores: int) -> Composition:
    """A row's one offset says which score it speaks of."""
    n, d = columns[0].shape
    points = rows.offset_matrix.indices * n + rows.point
    shares = np.repeat(np.eye(n_scores), n, axis=0)
    layout = Layout(d, np.tile(np.arange(n), n_scores), shares)
    return Composition.of(replace(rows, point=points.astype(np.int64)), (layout,), columns)


def _privileged_slack(
    rows: MarginRows, columns: Sequence[FloatArray], free_slack_price: float
) -> Composition:
    """Slacks are read from privileged columns: rows of margins, of slacks, and of offsets alone."""
    margins, others = np.flatnonzero(rows.sign), np.flatnonzero(rows.sign == 0)
    weight, is_above = rows.weight[margins], rows.sign[margins] > 0
    pairs, pair = np.unique(2 * rows.point[margins] + is_above, return_inverse=True)
    sample, function = np.divmod(pairs, N_FUNCTIONS)
    n, k, offsets = len(pairs), rows.n_offsets, rows.offset_matrix.toarray()
    read = np.eye(N_FUNCTIONS)[function]
    nothing = np.zeros((len(others), N_FUNCTIONS))
    in_slack = np.bincount(pair, weight, minlength=n).astype(np.float64)
    composed = MarginRows(
        np.concatenate([pair, n + np.arange(n), rows.point[others]]),
        np.concatenate([rows.sign[margins], np.ones(n), rows.sign[others]]),
        sparse.csr_array(
            np.block(
                [
                    [offsets[margins], read[pair]],
                    [np.zeros((n, k)), read],
                    [offsets[others], nothing],
                ]
            )
        ),
        np.concatenate([rows.margin[margins], np.zeros(n), rows.margin[others]]),
        np.concatenate([free_slack_price * weight, np.full(n, np.inf), rows.weight[others]]),
        np.concatenate([rows.surplus_weight[margins], in_slack, rows.surplus_weight[others]]),
    )
    sign = np.where(function == 1, 1.0, -1.0)
    samples, on_margins = np.tile(sample, 2), np.repeat([1.0, 0.0], n)
    on_teachers = np.vstack([sign[:, None] * read, read])
    d, q = (each.shape[1] for each in columns)
    layouts = (Layout(d, samples, on_margins[:, None]), Layout(q, samples, on_teachers, first=d))
    return Composition.of(composed, layouts, columns)
