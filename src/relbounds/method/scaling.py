"""In which units are columns compared, and what is a model in those that they came in?

Engines take dense columns of mean 0: a sparse table is made dense here, once, and nowhere else.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray

_NUMBERS_AT_A_TIME = 100_000  # of a table, where every one of them is copied


@dataclass(frozen=True, eq=False)
class Scaling:
    """``(x - centre) / spread``; spread 0 marks a constant column, which is left out.

    Tables are dense, or sparse by columns (CSC); new samples dense, or sparse by rows (CSR).

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
        pieces = np.split(np.arange(d), range(width, d, width))
        size, mean, variance = np.hstack([_moments(_dense(X, each), weight) for each in pieces])
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
        return self._scaled(X, np.flatnonzero(self.varies))

    def _scaled(self, X: Any, chosen: IntArray) -> FloatArray:
        scaled = _dense(X, chosen)
        scaled -= self.centre[chosen]
        scaled /= self.spread[chosen]
        return scaled

    def scores(self, X: Any, weights: FloatArray) -> FloatArray:
        """What a model of scaled columns says of samples as they come.

        Only columns that it uses become dense, and of some samples at a time. A sample on the edge
        of two classes is the same whether it comes sparse or dense.
        """
        used = np.flatnonzero(weights.reshape(len(weights), -1).any(axis=1))
        lines = max(1, _NUMBERS_AT_A_TIME // max(1, len(used)))
        pieces = (X[first : first + lines] for first in range(0, X.shape[0], lines))
        return np.concatenate([self._scaled(piece, used) @ weights[used] for piece in pieces])

    def undone(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A model of scaled columns in the units that they came in: coefficients and a constant.

        ``x . coefficients + constant`` is ``(x - centre) / spread . weights``. Weights are (d,), or
        (d, K) of several scores, whose coefficients are (K, d) and constants (K,).
        """
        lines = weights.T
        coefficients = np.divide(lines, self.spread, out=np.zeros(lines.shape), where=self.varies)
        return coefficients, -(coefficients @ self.centre)


def _dense(X: Any, chosen: IntArray) -> FloatArray:
    """A copy of some columns, in one layout: sums over another would end in other digits."""
    dense: FloatArray = (
        X[:, chosen].toarray("C") if sparse.issparse(X) else np.take(X, chosen, axis=1)
    )
    return dense


def _moments(X: FloatArray, weight: FloatArray) -> FloatArray:
    """The largest size, and mean and variance in units of it, of each column."""
    size = np.abs(X).max(axis=0)
    size[size == 0] = 1.0
    unit = X / size
    mean = np.average(unit, axis=0, weights=weight)
    variance = np.average(np.square(unit - mean), axis=0, weights=weight)
    return np.stack([size, mean, variance])
