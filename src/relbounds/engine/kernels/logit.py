"""Ordered logits, compiled: a pass over the samples gives all that a step of Newton's needs."""

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.kernels import native

_NONE = np.empty(0), np.empty((0, 0))


def slopes(
    columns: FloatArray, y: IntArray, weight: FloatArray, parameters: FloatArray, ridge: float
) -> tuple[FloatArray, FloatArray]:
    """Logarithms of likelihoods, and their derivatives, of models: a line of parameters each."""
    values, gradients = np.empty(len(parameters)), np.empty(parameters.shape)
    native.logit(columns, y, weight, parameters, ridge, values, gradients, *_NONE)
    return values, gradients


def curved(
    columns: FloatArray, y: IntArray, weight: FloatArray, parameters: FloatArray, ridge: float
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """The same of one model; what samples add to its curvature, and that but for weights.

    Minus second derivatives: lines of offsets are filled, and of weights none.
    """
    q = len(parameters)
    value, gradient, bend = np.empty(1), np.empty((1, q)), np.empty(len(columns))
    curvature = np.zeros((q, q))
    native.logit(columns, y, weight, parameters[None], ridge, value, gradient, bend, curvature)
    return float(value[0]), gradient[0], bend, curvature
