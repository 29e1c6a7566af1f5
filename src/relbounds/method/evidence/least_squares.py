"""What do models leave of each sample? Here of numbers, by least squares."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray

_ROUNDING = 1e-8  # of the outcome's variance: what is left of it if nothing is; also of sizes
_MOST_SAY = 0.99  # of a sample in its own prediction: with more, nothing is seen of its variance
_NOTHING_LEFT = 1e-6  # of a column's variance


@dataclass(frozen=True, eq=False)
class Residuals:
    """What fitted models leave of each sample, a column for each model.

    Attributes
    ----------
    scores : (n, m) array
        What is left.
    expected, seen : (n, m) arrays, or what can stand for them
        The variance of that, if the model is right, and its square as it is.
    """

    scores: FloatArray
    expected: FloatArray
    seen: FloatArray


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """Numbers explained by centred columns.

    What is asked of residuals is their product with the part of a column that other columns do not
    explain. The outcome itself has the same product with it; but if columns make the outcome up,
    all that is left of that is rounding, so what others explain is taken off first. The variance is
    that of the model with all columns, as in the t-test; what is seen of it is enlarged where a
    sample has a large say in its own prediction, as few samples with a rare value have (HC3).

    Attributes
    ----------
    columns : (n, d) array
    y : (n,) array
    weight : (n,) array
        Of mean one.
    degrees : int
        Of freedom that the model with all columns leaves.
    """

    columns: FloatArray
    y: FloatArray
    weight: FloatArray
    degrees: int

    def without(self, columns: IntArray) -> Residuals:
        """Residuals where some columns are left out at once."""
        return self._beside(self.columns[:, columns] @ self._slopes[columns, None])

    def without_each(self, columns: IntArray) -> Residuals:
        """Residuals where each of some columns is left out."""
        return self._beside(self.columns[:, columns] * self._slopes[columns])

    def _beside(self, of_own: FloatArray) -> Residuals:
        """What the model with all columns leaves, and what it explains by some of them."""
        known = self._residuals
        return Residuals(known.scores + of_own, known.expected, known.seen)

    @cached_property
    def left(self) -> FloatArray:
        """What the model with all columns leaves."""
        root = np.sqrt(self.weight)[:, None]
        basis = self._basis
        left: FloatArray = (
            self._centred - (basis @ (basis.T @ (self._centred[:, None] * root)) / root)[:, 0]
        )
        return left

    @cached_property
    def _centred(self) -> FloatArray:
        centred: FloatArray = self.y - np.average(self.y, weights=self.weight)
        return centred

    @cached_property
    def _slopes(self) -> FloatArray:
        """Of all columns; of those that others make up the smallest."""
        root = np.sqrt(self.weight)
        weighted = self.columns * root[:, None]
        slopes = np.linalg.lstsq(weighted, self._centred * root, rcond=_ROUNDING)[0]
        return slopes.astype(np.float64)

    @cached_property
    def _basis(self) -> FloatArray:
        return basis_of(self.columns * np.sqrt(self.weight)[:, None])

    @cached_property
    def _residuals(self) -> Residuals:
        left, centred = self.left, self._centred
        spread = max(
            (self.weight * left) @ left / self.degrees,
            _ROUNDING * np.average(np.square(centred), weights=self.weight),
        )
        own_say = self.weight / self.weight.sum() + np.square(self._basis).sum(axis=1)
        rest = np.maximum(1 - own_say, 1 - _MOST_SAY)
        seen = np.where(own_say > _MOST_SAY, spread, np.square(left / rest))
        seen *= self.degrees / len(left)
        return Residuals(left[:, None], np.array([[spread]]), seen[:, None])


def basis_of(columns: FloatArray) -> FloatArray:
    """Orthogonal columns that span the same, without those that are only rounding."""
    left, size, _ = np.linalg.svd(columns, full_matrices=False)
    basis: FloatArray = left[:, size > _ROUNDING * size.max(initial=0.0)]
    return basis


def own_directions(left: FloatArray) -> FloatArray:
    """Orthogonal directions of what others leave of standardised columns.

    Others may make up a sum of columns that they make up none of, as other texts with the same gaps
    do; then a trace of their ridge is all that is left in its direction.
    """
    basis, size, _ = np.linalg.svd(left, full_matrices=False)
    directions: FloatArray = basis[:, np.square(size) > _NOTHING_LEFT * len(left)]
    return directions
