"""How likely are ordered classes? Ordered logits, fitted with all columns and without some.

``P(y <= k) = F(t_k - x.b)`` with the logistic ``F``: a sample of class k has likelihood
``F(u) - F(v)``, where ``u = t_k - x.b`` and ``v = t_(k-1) - x.b``. Its score, the derivative by
``x.b``, is ``F(u) + F(v) - 1``, a residual between -1 and 1, and the derivative of that is
``-f(u) - f(v)``. With two classes this is logistic regression. A trace of a ridge keeps weights
finite where classes can be separated.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from relbounds.arrays import FloatArray, IntArray
from relbounds.method.evidence.least_squares import Residuals
from relbounds.method.products import products

_RIDGE = 0.3  # as if a third of a sample said that a weight is zero
_ENOUGH = 1e-6  # of the likelihood's logarithm
_MOST_STEPS = 60
_MOST_STEPS_TOGETHER = 8
_SMALLEST = 1e-300
_LEAST_SHARE = 1e-9  # of a class
_NUMBERS_AT_A_TIME = 60_000  # of a table, or of samples in several models: larger leave the cache
_EVERY = slice(None)


@dataclass(frozen=True, eq=False)
class OrderedLogit:
    """Ordered logits of classes ``0..K-1`` over standardised columns.

    Attributes
    ----------
    columns : (n, d) array
    y : (n,) int array
    weight : (n,) array
        Of mean one.
    """

    columns: FloatArray
    y: IntArray
    weight: FloatArray

    @property
    def n_offsets(self) -> int:
        return int(self.y.max())

    @cached_property
    def _members(self) -> FloatArray:
        """Which samples are of which class, (K, n), as much as they weigh."""
        members: FloatArray = (self.y == np.arange(self.n_offsets + 1)[:, None]) * self.weight
        return members

    @cached_property
    def full(self) -> FloatArray:
        """Offsets and weights of the model with all columns."""
        return self._newton(np.arange(self.columns.shape[1]))

    @cached_property
    def _spread(self) -> FloatArray:
        """How freely the parameters of that model move: its curvature, inverted."""
        return np.linalg.inv(self._curvature(self.full)).astype(np.float64, copy=False)

    @property
    def left(self) -> FloatArray:
        """What the model with all columns leaves."""
        return self._residuals(self.full[:, None]).scores[:, 0]

    def without(self, columns: IntArray) -> Residuals:
        """What the model without several columns at once leaves."""
        others = np.setdiff1d(np.arange(self.columns.shape[1]), columns)
        return self._residuals(self._newton(others)[:, None])

    def without_each(self, columns: IntArray) -> Residuals:
        """What models that lack one column each leave."""
        return self._residuals(self._lacking_each(columns))

    @np.errstate(all="ignore")  # what is no number is fitted by itself
    def _lacking_each(self, columns: IntArray) -> FloatArray:
        """Parameters of models that lack a column each, from those of the full model.

        All of them take steps by the full model's curvature at the same time; what does not get
        there this way, where a column matters much, is fitted by itself.
        """
        inverse, at = self._spread, self.n_offsets + columns
        along = inverse[:, at] / inverse[at, at]  # the way that a weight takes the others
        parameters = self.full[:, None] - along * self.full[at]
        parameters[at, np.arange(len(at))] = 0.0
        value, alone = np.full(len(at), -np.inf), np.ones(len(at), dtype=bool)
        active = np.arange(len(at))
        for _ in range(_MOST_STEPS_TOGETHER):
            places = at[active], np.arange(len(active))
            new_value, gradient = self._value_and_gradient(parameters[:, active])
            gradient[places] = 0.0
            step = inverse @ gradient
            step -= along[:, active] * step[places]
            rise, better = (gradient * step).sum(axis=0), new_value > value[active]
            alone[active] = ~(rise < _ENOUGH)
            value[active] = new_value
            step[places] = 0.0
            goes_on = better & (rise >= _ENOUGH)
            active = active[goes_on]
            parameters[:, active] += step[:, goes_on]
            if not len(active):
                break
        for line in np.flatnonzero(alone):
            others = np.delete(np.arange(self.columns.shape[1]), columns[line])
            parameters[:, line] = self._newton(others)
        return parameters

    @np.errstate(all="ignore")  # what is no number is not better
    def _newton(self, columns: IntArray) -> FloatArray:
        """The most likely parameters with some of the columns; other weights are zero."""
        n_offsets, d = self.n_offsets, self.columns.shape[1]
        parameters: FloatArray = np.r_[self._offsets_alone, np.zeros(d)]
        free = np.r_[np.arange(n_offsets), n_offsets + columns]
        [value], gradient = self._value_and_gradient(parameters[:, None])
        for _ in range(_MOST_STEPS):
            curvature = self._curvature(parameters)[np.ix_(free, free)]
            step = np.linalg.solve(curvature, gradient[free, 0])
            if gradient[free, 0] @ step < _ENOUGH:
                break
            size, ahead = 1.0, parameters.copy()
            while True:
                ahead[free] = parameters[free] + size * step
                [new_value], gradient = self._value_and_gradient(ahead[:, None])
                if new_value >= value or size < _ENOUGH:
                    break
                size /= 2
            parameters, value = ahead, new_value
        return parameters

    @property
    def _offsets_alone(self) -> FloatArray:
        """Of the model without columns."""
        share = self._members.sum(axis=1).cumsum()[:-1] / self.weight.sum()
        share = np.clip(share, _LEAST_SHARE, 1 - _LEAST_SHARE)
        offsets: FloatArray = np.log(share / (1 - share)) + _LEAST_SHARE * np.arange(len(share))
        return offsets

    def _ends(self, parameters: FloatArray, some: slice = _EVERY) -> tuple[FloatArray, FloatArray]:
        """``u`` and ``v`` of each sample, or of some, in each model."""
        k, y = self.n_offsets, self.y[some]
        predicted = self.columns[some] @ parameters[k:]
        beyond = np.full((1, parameters.shape[1]), np.inf)
        offsets = np.vstack([-beyond, parameters[:k], beyond])
        return offsets[y + 1] - predicted, offsets[y] - predicted

    def _value_and_gradient(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The likelihood's logarithm, less the ridge, of each model, and its derivatives.

        It is minus infinity where offsets are out of order.
        """
        k, (n, d), models = self.n_offsets, self.columns.shape, parameters.shape[1]
        ordered = (np.diff(parameters[:k], axis=0) > 0).all(axis=0)
        value = -_RIDGE / 2 * np.square(parameters[k:]).sum(axis=0)
        gradient = np.vstack([np.zeros((k, models)), -_RIDGE * parameters[k:]])
        lines = max(1, _NUMBERS_AT_A_TIME // max(models, d))
        for first in range(0, n, lines):
            self._add_some(slice(first, first + lines), parameters, value, gradient)
        return np.where(ordered, value, -np.inf), gradient

    def _add_some(
        self, some: slice, parameters: FloatArray, value: FloatArray, gradient: FloatArray
    ) -> None:
        """What some of the samples add to the likelihood's logarithm and its derivatives."""
        k, (u, v), weight = self.n_offsets, self._ends(parameters, some), self.weight[some]
        members = self._members[:, some]
        likelihood = np.maximum(_between(u, v), _SMALLEST)
        value += weight @ np.log(likelihood)
        gradient[:k] += (members @ (_density(u) / likelihood))[:-1]
        gradient[:k] -= (members @ (_density(v) / likelihood))[1:]
        scores = weight[:, None] * (expit(u) + expit(v) - 1)
        gradient[k:] += self.columns[some].T @ scores

    def _curvature(self, parameters: FloatArray) -> FloatArray:
        """Minus the second derivatives, of one model."""
        u, v = (each[:, 0] for each in self._ends(parameters[:, None]))
        likelihood = np.maximum(_between(u, v), _SMALLEST)
        fu, fv = _density(u), _density(v)
        curved_up = np.square(fu / likelihood) - fu * (1 - 2 * expit(u)) / likelihood
        curved_down = np.square(fv / likelihood) + fv * (1 - 2 * expit(v)) / likelihood
        both = self._members @ (fu * fv / np.square(likelihood))
        diagonal = (self._members @ curved_up)[:-1] + (self._members @ curved_down)[1:]
        offsets = np.diag(diagonal) - np.diag(both[1:-1], 1) - np.diag(both[1:-1], -1)
        beside = -((self._members * fu)[:-1] + (self._members * fv)[1:]) @ self.columns
        weights = products(self.columns, self.weight * (fu + fv))
        weights += _RIDGE * np.eye(len(weights))
        return np.block([[offsets, beside], [beside.T, weights]])

    def _residuals(self, parameters: FloatArray) -> Residuals:
        u, v = self._ends(parameters)
        scores: FloatArray = expit(u) + expit(v) - 1
        return Residuals(scores, _density(u) + _density(v), np.square(scores))


def _density(values: FloatArray) -> FloatArray:
    density: FloatArray = expit(values) * expit(-values)
    return density


def _between(u: FloatArray, v: FloatArray) -> FloatArray:
    """``F(u) - F(v)``, without cancellation."""
    between: FloatArray = np.where(u + v > 0, expit(-v) - expit(-u), expit(u) - expit(v))
    return between
