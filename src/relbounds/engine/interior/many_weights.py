"""Newton's equations where weights outnumber rows: solved in the space of the rows.

With ``K = Z' diag(theta) Z + D`` over weights (``D`` diagonal), distinct rows ``R`` and what their
copies weigh together, ``phi``, it is enough to factor a matrix of the size of the rows::

    K^-1 = D^-1 - D^-1 R' F L^-1 F R D^-1,    L = 1 + F R D^-1 R' F,    F = diag(phi)^(1/2)

Offsets and own columns, few, are eliminated last. The difference loses digits where weights are
free and rows at their hinge, as they are near an end. So solutions are refined, and whoever asks is
told if they stay rough.
"""

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import kernels
from relbounds.engine.interior.program import Own, Program

_REFINEMENTS = 2
_ROUGH = 1e-6  # of what is asked for: a solution that leaves more is none


class ManyWeights:
    """The equations of one point of a batch; ``stiff``: ``D``, own weights last."""

    def __init__(self, program: Program, own: Own, theta: FloatArray, stiff: FloatArray) -> None:
        d = program.n_weights
        self._rows, order, first = program.distinct
        self._weights, self._theta, self._d = program.coefficients[:, :d], theta, d
        self._stiff, self._flex = stiff[:, :d, None], 1 / stiff[:, :d, None]
        self._root = np.sqrt(np.add.reduceat(theta[:, order], first, axis=1))[:, :, None]
        self._factor = self._factored()
        offsets = np.repeat(program.coefficients[None, :, d:], len(theta), axis=0)
        few = np.concatenate([offsets, np.swapaxes(own.columns, 1, 2)], axis=2)
        self._few = theta[:, :, None] * few
        self._corner = np.swapaxes(few, 1, 2) @ self._few
        last = range(offsets.shape[2], few.shape[2])
        self._corner[:, last, last] += stiff[:, d:]
        self._beside = self._weights.T @ self._few
        self._solved_beside = self._without_few(self._beside)
        self._left = self._corner - np.swapaxes(self._beside, 1, 2) @ self._solved_beside

    def _factored(self) -> FloatArray:
        size = len(self._rows)
        matrices = np.empty((len(self._flex), size, size))
        for flex, matrix in zip(self._flex, matrices, strict=True):
            scaled = self._rows * np.sqrt(flex[:, 0])
            np.matmul(scaled, scaled.T, out=matrix)
        matrices *= self._root
        matrices *= np.swapaxes(self._root, 1, 2)
        matrices.reshape(len(matrices), -1)[:, :: size + 1] += 1
        kernels.factor(matrices)
        return matrices

    def _without_few(self, rhs: FloatArray) -> FloatArray:
        """Solutions for the weights alone."""
        solved = self._flex * rhs
        inner = self._root * (self._rows @ solved)
        kernels.solve(self._factor, inner)
        solved -= self._flex * (self._rows.T @ (self._root * inner))
        return solved

    def _once(self, rhs: FloatArray) -> FloatArray:
        weights = self._without_few(rhs[:, : self._d])
        left = rhs[:, self._d :] - np.swapaxes(self._beside, 1, 2) @ weights
        few = np.linalg.solve(self._left, left)
        return np.concatenate([weights - self._solved_beside @ few, few], axis=1)

    def _times(self, model: FloatArray) -> FloatArray:
        """``K`` times weights, offsets and own weights."""
        weights, few = model[:, : self._d], model[:, self._d :]
        rows = self._theta[:, :, None] * (self._weights @ weights) + self._few @ few
        of_weights = self._weights.T @ rows + self._stiff * weights
        of_few = np.swapaxes(self._beside, 1, 2) @ weights + self._corner @ few
        return np.concatenate([of_weights, of_few], axis=1)

    def solve(self, rhs: FloatArray) -> FloatArray | None:
        """Solutions for (batch, size, columns) right-hand sides; None if any of them is rough."""
        try:
            model = self._once(rhs)
            for _ in range(_REFINEMENTS):
                model += self._once(rhs - self._times(model))
        except np.linalg.LinAlgError:
            return None
        left = np.abs(rhs - self._times(model)).max(axis=1)
        return model if (left <= _ROUGH * np.abs(rhs).max(axis=1)).all() else None
