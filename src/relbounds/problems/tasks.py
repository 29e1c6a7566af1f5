"""Which rows do the models of a task obey? Ordered classes, two or more classes, numbers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

import numpy as np
from scipy import sparse

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import MarginRows
from relbounds.metrics import mean_errors_of_ranks, mean_shares_missed


class Problem(Protocol):
    """A learning problem over coded targets: ranks ``0..K-1``, or numbers for regression."""

    @property
    def epsilon(self) -> float | None:
        """Half the width of the tube in which errors are free; None if there is none."""

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        """Targets without gaps for a part of the data, and the way back.

        A part may lack a class, and an offset between absent classes is held by nothing.
        """

    def n_scores(self, y: FloatArray) -> int:
        """How many scores ``x . w`` a sample has; each of several has an offset of its own."""

    def margin_rows(self, y: FloatArray) -> MarginRows:
        """The rows that models of this target obey, each of weight one."""

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        """Coded targets from scores ``x . w`` (n,), or (n, scores) of several, and offsets.

        Of several models at once scores and offsets have an axis before.
        """

    def errors(self, y: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
        """What tuning makes small, of each line of predictions."""


def offset_rows(
    point: IntArray, offset: IntArray, sign: FloatArray, margin: FloatArray, n_offsets: int
) -> MarginRows:
    """Rows ``sign * (x_point . w - b_offset) >= margin`` of weight one."""
    m = len(point)
    coefficients = sparse.csr_array((-sign, offset, np.arange(m + 1)), shape=(m, n_offsets))
    return MarginRows(point, sign, coefficients, margin, np.ones(m), np.zeros(m))


@cache
def order_rows(n_offsets: int) -> MarginRows:
    """``b_(j+1) - b_j >= 0``, to be kept."""
    m = max(n_offsets - 1, 0)
    step = np.add.outer(np.arange(m), [0, 1]).ravel()
    coefficients = sparse.csr_array(
        (np.tile([-1.0, 1.0], m), step, 2 * np.arange(m + 1)), shape=(m, n_offsets)
    )
    zeros = np.zeros(m)
    return MarginRows(zeros.astype(np.int64), zeros, coefficients, zeros, np.full(m, np.inf), zeros)


def classes_below(scores: FloatArray, offsets: FloatArray) -> FloatArray:
    """How many offsets each score exceeds: the rank of the class it falls in."""
    ranks: FloatArray = (scores[..., None] > offsets[..., None, :]).sum(axis=-1).astype(np.float64)
    return ranks


def code_classes(y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
    """Ranks among the classes that are there."""
    present, ranks = np.unique(y, return_inverse=True)
    return ranks.astype(np.float64), lambda predicted: present[predicted.astype(np.int64)]


@dataclass(frozen=True)
class OrdinalProblem:
    """Ranks ``0..K-1`` cut by offsets ``b_0..b_(K-2)``.

    - ``"explicit"``: a sample of class j lies below ``b_j`` and above ``b_(j-1)``, each by a
      margin of one, and ``b_j <= b_(j+1)``;
    - ``"implicit"``: it lies below every ``b_i`` with ``i >= j`` and above every other, and
      the order of the offsets follows.
    """

    order: str = "explicit"
    epsilon = None

    def n_scores(self, y: FloatArray) -> int:
        return 1

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return code_classes(y)

    def margin_rows(self, y: FloatArray) -> MarginRows:
        rank = y.astype(np.int64)
        n_offsets = int(rank.max(initial=0))
        offset = np.tile(np.arange(n_offsets), (len(rank), 1))
        distance = rank[:, None] - offset  # 0: just below, 1: just above the offset
        wanted = (distance == 0) | (distance == 1) if self.order == "explicit" else offset >= 0
        point = np.nonzero(wanted)[0]
        rows = offset_rows(
            point,
            offset[wanted],
            np.where(distance[wanted] > 0, 1.0, -1.0),
            margin=np.ones(len(point)),
            n_offsets=n_offsets,
        )
        return rows.followed_by(order_rows(n_offsets)) if self.order == "explicit" else rows

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        return classes_below(scores, offsets)

    def errors(self, y: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
        return mean_errors_of_ranks(y, predicted, weight)


@dataclass(frozen=True)
class ClassificationProblem:
    """Class 1 lies above the one offset by a margin of one, class 0 below it."""

    epsilon = None

    def n_scores(self, y: FloatArray) -> int:
        return 1

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return code_classes(y)

    def margin_rows(self, y: FloatArray) -> MarginRows:
        return offset_rows(
            np.arange(len(y)),
            np.zeros(len(y), dtype=np.int64),
            np.where(y > 0, 1.0, -1.0),
            margin=np.ones(len(y)),
            n_offsets=1,
        )

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        return classes_below(scores, offsets)

    def errors(self, y: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
        """One minus the balanced accuracy, over the classes that are there."""
        return mean_errors_of_ranks(y, predicted, weight)


@dataclass(frozen=True)
class UnorderedProblem:
    """Each of the classes ``0..K-1`` against the rest: ``x.w_k - b_k`` is at least 1 in class k.

    In all others it is at most -1. A sample is of the class whose score exceeds its offset most.
    Even if all classes are of one size, a score has few samples on one side. So that the many do
    not win by being many, both sides count half: a class's own samples ``K / 2`` each, all others
    ``K / (2 (K - 1))``.
    """

    epsilon = None

    def n_scores(self, y: FloatArray) -> int:
        return 1 + int(y.max(initial=0))

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return code_classes(y)

    def margin_rows(self, y: FloatArray) -> MarginRows:
        n, k = len(y), self.n_scores(y)
        against = np.repeat(np.arange(k), n)
        own = np.tile(y, k) == against
        rows = offset_rows(
            np.tile(np.arange(n), k),
            against,
            np.where(own, 1.0, -1.0),
            margin=np.ones(n * k),
            n_offsets=k,
        )
        return replace(rows, weight=np.where(own, k / 2, k / (2 * max(k - 1, 1))))

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        above = scores - offsets[..., None, :]
        predicted: FloatArray = np.argmax(above, axis=-1).astype(np.float64)
        return predicted

    def errors(self, y: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
        """One minus the balanced accuracy, over the classes that are there."""
        return mean_shares_missed(y, predicted, weight)


@dataclass(frozen=True)
class RegressionProblem:
    """``x.w - b`` is at least ``y - epsilon`` and at most ``y + epsilon``."""

    epsilon: float = 0.0

    def n_scores(self, y: FloatArray) -> int:
        return 1

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return y, lambda predicted: predicted

    def margin_rows(self, y: FloatArray) -> MarginRows:
        n = len(y)
        return offset_rows(
            point=np.tile(np.arange(n), 2),
            offset=np.zeros(2 * n, dtype=np.int64),
            sign=np.repeat([1.0, -1.0], n),
            margin=np.concatenate([y - self.epsilon, -y - self.epsilon]),
            n_offsets=1,
        )

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        predicted: FloatArray = scores - offsets[..., :1]
        return predicted

    def errors(self, y: FloatArray, predicted: FloatArray, weight: FloatArray) -> FloatArray:
        """The mean absolute error."""
        errors: FloatArray = np.average(np.abs(y - predicted), axis=-1, weights=weight)
        return errors
