"""Ordered logits, compiled: a pass over the samples gives all that a step of Newton's needs."""

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native

_NONE = np.empty((0, 0))


def slopes(
    columns: FloatArray, y: IntArray, weight: FloatArray, parameters: FloatArray, ridge: float
) -> tuple[FloatArray, FloatArray]:
    """Logarithms of likelihoods, and their derivatives, of models: a line of parameters each."""
    values, gradients = np.empty(len(parameters)), np.empty(parameters.shape)
    native.logit(columns, y, weight, parameters, ridge, values, gradients, _NONE)
    return values, gradients


def curved(
    columns: FloatArray, y: IntArray, weight: FloatArray, parameters: FloatArray, ridge: float
) -> tuple[float, FloatArray, FloatArray]:
    """The same of one model, and minus the second derivatives."""
    q = len(parameters)
    value, gradient, curvature = np.empty(1), np.empty((1, q)), np.zeros((q, q))
    native.logit(columns, y, weight, parameters[None], ridge, value, gradient, curvature)
    return float(value[0]), gradient[0], curvature
