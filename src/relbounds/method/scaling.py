"""In which units are columns compared, and what is a model in those that they came in?

Engines take dense columns of mean 0: a sparse table is made dense here, once, and only here. What
is asked of a fitted model leaves it sparse.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray

_NUMBERS_AT_A_TIME = 100_000  # of a table, where every one of them is copied


@dataclass(frozen=True, eq=False)
class Scaling:
    """``(x - centre) / spread``; spread 0 marks a constant column, which is left out.

    Tables are dense, or sparse by columns (CSC); new samples may be sparse in any form.

    Attributes
    ----------
    centre, spread : (d,) arrays
    """

    centre: FloatArray
    spread: FloatArray

    @classmethod
    def of(cls, X: Any, weight: FloatArray, *, standardize: bool) -> "Scaling":
        """Weighted mean and standard deviation, or 0 and 1 where columns stay as they are.

        A column whose variance is no more than rounding of its mean counts as constant. Columns
        are divided by their largest value first, so that squares neither overflow nor vanish.
        """
        n, d = X.shape
        width = max(1, _NUMBERS_AT_A_TIME // n)
        pieces = (_dense(X[:, first : first + width]) for first in range(0, d, width))
        size, mean, variance = np.hstack([_moments(piece, weight) for piece in pieces])
        rounding = n * np.finfo(np.float64).eps
        varies = variance > rounding * variance + np.square(rounding * mean)
        if not standardize:
            return cls(np.zeros(d), varies.astype(np.float64))
        return cls(mean * size, np.where(varies, np.sqrt(variance) * size, 0.0))

    @property
    def varies(self) -> BoolArray:
        varies: BoolArray = self.spread > 0
        return varies

    def apply(self, X: Any) -> FloatArray:
        """The varying columns, dense and scaled."""
        kept = self.varies
        scaled: FloatArray = (
            X[:, kept].toarray("C") if sparse.issparse(X) else np.compress(kept, X, axis=1)
        )
        scaled -= self.centre[kept]
        scaled /= self.spread[kept]
        return scaled

    def undone(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A model of scaled columns in the units that they came in: coefficients and a constant.

        ``x . coefficients + constant`` is ``(x - centre) / spread . weights``. Weights are (d,), or
        (d, K) of several scores, whose coefficients are (K, d) and constants (K,).
        """
        lines = weights.T
        coefficients = np.divide(lines, self.spread, out=np.zeros(lines.shape), where=self.varies)
        return coefficients, -(coefficients @ self.centre)

    def scores(self, X: Any, weights: FloatArray) -> FloatArray:
        """What a model of scaled columns says of samples as they come; sparse ones stay so."""
        if sparse.issparse(X):
            coefficients, constant = self.undone(weights)
            of_sparse: FloatArray = X @ coefficients.T + constant
            return of_sparse
        scores: FloatArray = self.apply(X) @ weights[self.varies]
        return scores


def _dense(piece: Any) -> FloatArray:
    """In the same layout whatever it came as: sums over another end in other digits."""
    dense: FloatArray = piece.toarray("C") if sparse.issparse(piece) else piece
    return dense


def _moments(X: FloatArray, weight: FloatArray) -> FloatArray:
    """The largest size, and mean and variance in units of it, of each column."""
    size = np.abs(X).max(axis=0)
    size[size == 0] = 1.0
    unit = X / size
    mean = np.average(unit, axis=0, weights=weight)
    variance = np.average(np.square(unit - mean), axis=0, weights=weight)
    return np.stack([size, mean, variance])
