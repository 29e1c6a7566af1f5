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
from relbounds.engine import kernels
from relbounds.method.evidence.least_squares import Residuals
from relbounds.method.products import products

_RIDGE = 0.3  # as if a third of a sample said that a weight is zero
_ENOUGH = 1e-6  # of the likelihood's logarithm
_MOST_STEPS = 60
_MOST_STEPS_TOGETHER = 8
_SMALLEST = 1e-300
_LEAST_SHARE = 1e-9  # of a class
_PARTS = np.array([1.0, 0.5, 0.25, 0.12, 0.06])  # of a model, where another one may begin


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

    @cached_property
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
        return self._newton(np.arange(self.columns.shape[1]), self._without_columns)

    @cached_property
    def _spread(self) -> FloatArray:
        """How freely the parameters of that model move: its curvature, inverted."""
        _, _, curvature = self._all_derivatives(self.full)
        return np.linalg.inv(curvature).astype(np.float64, copy=False)

    @property
    def left(self) -> FloatArray:
        """What the model with all columns leaves."""
        return self._residuals(self.full[:, None]).scores[:, 0]

    def without(self, columns: IntArray) -> Residuals:
        """What the model without several columns at once leaves."""
        others = np.setdiff1d(np.arange(self.columns.shape[1]), columns)
        return self._residuals(self._newton(others, self._without_columns)[:, None])

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
        starts = self._starts(parameters[:, alone])
        for line, start in zip(np.flatnonzero(alone), starts, strict=True):
            others = np.delete(np.arange(self.columns.shape[1]), columns[line])
            parameters[:, line] = self._newton(others, start)
        return parameters

    @np.errstate(all="ignore")  # what is no number is not better
    def _newton(self, columns: IntArray, parameters: FloatArray) -> FloatArray:
        """The most likely parameters with some columns, from a start; other weights are zero."""
        n_offsets = self.n_offsets
        free = np.concatenate([np.arange(n_offsets), n_offsets + columns])
        value, gradient, curvature = self._all_derivatives(parameters)
        for _ in range(_MOST_STEPS):
            step = np.linalg.solve(curvature[np.ix_(free, free)], gradient[free])
            if gradient[free] @ step < _ENOUGH:
                break
            size, ahead = 1.0, parameters.copy()
            while True:
                ahead[free] = parameters[free] + size * step
                new_value, gradient, curvature = self._all_derivatives(ahead)
                if new_value >= value or size < _ENOUGH:
                    break
                size /= 2
            parameters, value = ahead, new_value
        return parameters

    def _starts(self, near: FloatArray) -> FloatArray:
        """Beside models, each a column, the likeliest of those between it and none of the columns.

        A model that lacks a column that tells much is too sure of itself: a part of it is likelier.
        A line each.
        """
        parts = (near.T[:, None] * _PARTS[:, None]).reshape(-1, len(near))
        tried = np.concatenate([self._without_columns[None], parts])
        values = np.nan_to_num(self._value_and_gradient(tried.T)[0], nan=-np.inf)
        likeliest = values[1:].reshape(-1, len(_PARTS))
        best = 1 + len(_PARTS) * np.arange(len(likeliest)) + likeliest.argmax(axis=1)
        return tried[np.where(likeliest.max(axis=1) > values[0], best, 0)]

    @cached_property
    def _without_columns(self) -> FloatArray:
        """The likeliest of the model without columns."""
        return np.concatenate([self._offsets_alone, np.zeros(self.columns.shape[1])])

    @property
    def _offsets_alone(self) -> FloatArray:
        """Of the model without columns."""
        share = self._members.sum(axis=1).cumsum()[:-1] / self.weight.sum()
        share = np.clip(share, _LEAST_SHARE, 1 - _LEAST_SHARE)
        offsets: FloatArray = np.log(share / (1 - share)) + _LEAST_SHARE * np.arange(len(share))
        return offsets

    def _ends(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """``u`` and ``v`` of each sample in each model."""
        k = self.n_offsets
        predicted = self.columns @ parameters[k:]
        beyond = np.full((1, parameters.shape[1]), np.inf)
        offsets = np.vstack([-beyond, parameters[:k], beyond])
        return offsets[self.y + 1] - predicted, offsets[self.y] - predicted

    def _value_and_gradient(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The likelihood's logarithm, less the ridge, of each model, and its derivatives.

        It is minus infinity where offsets are out of order.
        """
        if kernels.logit is not None:
            values, gradients = kernels.logit.slopes(*self._samples, parameters.T.copy(), _RIDGE)
            return values, gradients.T
        k, (u, v) = self.n_offsets, self._ends(parameters)
        likelihood = np.maximum(_between(u, v), _SMALLEST)
        ordered = (np.diff(parameters[:k], axis=0) > 0).all(axis=0)
        ridge = _RIDGE / 2 * np.square(parameters[k:]).sum(axis=0)
        value = np.where(ordered, self.weight @ np.log(likelihood) - ridge, -np.inf)
        up = self._members @ (_density(u) / likelihood)
        down = self._members @ (_density(v) / likelihood)
        scores = self.weight[:, None] * (expit(u) + expit(v) - 1)
        of_weights = self.columns.T @ scores - _RIDGE * parameters[k:]
        return value, np.vstack([up[:-1] - down[1:], of_weights])

    def _all_derivatives(self, parameters: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """The same of one model, and minus the second derivatives."""
        if kernels.logit is None:
            [value], gradient = self._value_and_gradient(parameters[:, None])
            return float(value), gradient[:, 0], self._curvature(parameters)
        found: tuple[float, FloatArray, FloatArray]
        found = kernels.logit.curved(*self._samples, parameters, _RIDGE)
        return found

    @cached_property
    def _samples(self) -> tuple[FloatArray, IntArray, FloatArray]:
        return np.ascontiguousarray(self.columns), self.y, np.ascontiguousarray(self.weight)

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
