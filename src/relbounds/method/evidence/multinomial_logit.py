"""How likely are classes without order? Multinomial logits, with all columns and without some.

``P(y = k) = exp(x.b_k + t_k) / sum_l exp(x.b_l + t_l)``, a score for each class. What a model
leaves of a sample is ``[y = k] - P(y = k)`` for each class, which is also the derivative of the
likelihood's logarithm by the class's score. With two classes this is logistic regression. A trace
of a ridge, the same for all classes, keeps weights finite where classes can be separated, and makes
them add up to zero; so do offsets, which nothing else would hold.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from relbounds.arrays import FloatArray, IntArray

_RIDGE = 0.6  # for two classes that of ordered logits: each has half of the weight there
_ENOUGH = 1e-6  # of the likelihood's logarithm
_MOST_STEPS = 60
_MOST_STEPS_BY_FULL = 8


@dataclass(frozen=True, eq=False)
class MultinomialLogit:
    """Multinomial logits of classes ``0..K-1`` over standardised columns.

    Parameters stand class by class, the offset of each before its weights.

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
    def members(self) -> FloatArray:
        """Which samples are of which class, (n, K)."""
        members: FloatArray = (self.y[:, None] == np.arange(self.y.max() + 1)).astype(np.float64)
        return members

    def without(self, columns: IntArray) -> FloatArray:
        """How likely each class is by the model without some columns, (n, K)."""
        likely: FloatArray = np.exp(self._log_likelihoods(self._lacking(columns)))
        return likely

    @property
    def _n_classes(self) -> int:
        return int(self.members.shape[1])

    @cached_property
    def _design(self) -> FloatArray:
        return np.column_stack([np.ones(len(self.columns)), self.columns])

    @cached_property
    def _full(self) -> FloatArray:
        """Parameters of the model with all columns."""
        n_parameters = self._n_classes * self._design.shape[1]
        return self._newton(np.zeros(n_parameters), np.arange(n_parameters))

    @cached_property
    def _inverse(self) -> FloatArray:
        """Of the full model's curvature."""
        inverse: FloatArray = np.linalg.inv(self._curvature(self._full)).astype(np.float64)
        return inverse

    @np.errstate(all="ignore")  # what is no number is fitted by itself
    def _lacking(self, columns: IntArray) -> FloatArray:
        """Parameters without some columns, by steps with the full model's curvature.

        What does not get there this way, where the columns matter much, takes steps with its own.
        """
        q = self._design.shape[1]
        gone = np.add.outer(q * np.arange(self._n_classes), 1 + columns).ravel()
        inverse = self._inverse
        along = np.linalg.solve(inverse[np.ix_(gone, gone)], inverse[gone]).T
        start: FloatArray = self._full - along @ self._full[gone]
        start[gone] = 0.0
        value, parameters = -np.inf, start
        for _ in range(_MOST_STEPS_BY_FULL):
            new_value, gradient = self._value_and_gradient(parameters)
            gradient[gone] = 0.0
            step = inverse @ gradient
            step -= along @ step[gone]
            step[gone] = 0.0
            rise = gradient @ step
            if rise < _ENOUGH:
                return parameters
            if not new_value > value:
                break
            parameters, value = parameters + step, new_value
        return self._newton(start, np.setdiff1d(np.arange(len(start)), gone))

    @np.errstate(all="ignore")  # what is no number is not better
    def _newton(self, start: FloatArray, free: IntArray) -> FloatArray:
        """The most likely parameters, where only some may move."""
        parameters = start if np.isfinite(start).all() else np.zeros_like(start)
        value, gradient = self._value_and_gradient(parameters)
        for _ in range(_MOST_STEPS):
            step = np.linalg.solve(self._curvature(parameters)[np.ix_(free, free)], gradient[free])
            if gradient[free] @ step < _ENOUGH:
                break
            size, ahead = 1.0, parameters.copy()
            while True:
                ahead[free] = parameters[free] + size * step
                new_value, gradient = self._value_and_gradient(ahead)
                if new_value >= value or size < _ENOUGH:
                    break
                size /= 2
            parameters, value = ahead, new_value
        return parameters

    def _log_likelihoods(self, parameters: FloatArray) -> FloatArray:
        scores = self._design @ parameters.reshape(self._n_classes, -1).T
        likelihoods: FloatArray = scores - logsumexp(scores, axis=1, keepdims=True)
        return likelihoods

    def _value_and_gradient(self, parameters: FloatArray) -> tuple[float, FloatArray]:
        """The likelihood's logarithm, less the ridge, and its derivatives."""
        by_class = parameters.reshape(self._n_classes, -1)
        likelihoods = self._log_likelihoods(parameters)
        offsets, weights = by_class[:, 0].sum(), by_class[:, 1:]
        ridge = _RIDGE * np.square(weights).sum() + offsets**2
        value = (self.weight[:, None] * self.members * likelihoods).sum() - ridge / 2
        left = self.weight[:, None] * (self.members - np.exp(likelihoods))
        gradient = left.T @ self._design
        gradient[:, 1:] -= _RIDGE * weights
        gradient[:, 0] -= offsets
        return float(value), gradient.ravel()

    def _curvature(self, parameters: FloatArray) -> FloatArray:
        """Minus the second derivatives."""
        k, q = self._n_classes, self._design.shape[1]
        likely = np.exp(self._log_likelihoods(parameters))
        curvature = np.empty((k, q, k, q))
        for first in range(k):
            for second in range(first + 1):
                spread = likely[:, first] * ((first == second) - likely[:, second])
                block = (self._design.T * (self.weight * spread)) @ self._design
                block[0, 0] += 1.0
                curvature[first, :, second] = block
                curvature[second, :, first] = block.T
        flat = curvature.reshape(k * q, k * q)
        ridge = np.tile(np.r_[0.0, np.full(q - 1, _RIDGE)], k)
        flat[np.arange(k * q), np.arange(k * q)] += ridge
        return flat
