"""Which weights and rows have nothing to do with others? Those of different classes, for instance.

Weights and offsets that share a row are of one block. Blocks have only their budget in common.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine.rows import MarginRows

_SOME = 1_000  # rows, which show of most spaces that all is one block


@dataclass(frozen=True, eq=False)
class Blocks:
    """The block of each point, weight and row.

    Attributes
    ----------
    count : int
    of_points, of_weights, of_rows : int arrays
    """

    count: int
    of_points: IntArray
    of_weights: IntArray
    of_rows: IntArray

    @classmethod
    def of(cls, points: FloatArray, rows: MarginRows) -> "Blocks":
        (n, d), m = points.shape, len(rows)
        some = np.unique(np.linspace(0, m - 1, min(m, _SOME)).astype(np.int64))
        if rows.n_offsets < 2 or _are_one(points, rows.subset(some)):
            return cls(1, *(np.zeros(size, dtype=np.int64) for size in (n, d, m)))
        of_model, of_rows = _labels(points, rows)
        of_points, speaks = np.zeros(n, dtype=np.int64), rows.sign != 0
        of_points[rows.point[speaks]] = of_rows[speaks]
        return cls(1 + int(of_model.max()), of_points, of_model[:d], of_rows)


def _are_one(points: FloatArray, rows: MarginRows) -> bool:
    """Whether all weights and offsets are in one block.

    A row in which all weights have a say makes one of them, as nearly all rows of most tables do.
    """
    speaking = np.unique(rows.point[rows.sign != 0])
    says = points != 0
    if says[speaking].all(axis=1).any():
        says_any = says.any(axis=1, keepdims=True)
        beside_weights = rows.offset_matrix[says_any[rows.point, 0] & (rows.sign != 0)]
        if len(np.unique(beside_weights.indices)) == rows.n_offsets:
            return True
        points = says_any.astype(np.float64)
    return bool(_labels(points, rows)[0].max() == 0)


def _labels(points: FloatArray, rows: MarginRows) -> tuple[IntArray, IntArray]:
    """The blocks of weights and offsets, from 0 on, and those of rows."""
    on_rows = sparse.csr_array(points[rows.point] * rows.sign[:, None])
    used = sparse.hstack([on_rows, rows.offset_matrix], format="csr")
    graph = sparse.block_array([[None, used.T], [used, None]], format="csr")
    _, label = connected_components(graph, directed=False)
    n_model = used.shape[1]
    blocks, of_model = np.unique(label[:n_model], return_inverse=True)
    return of_model, np.minimum(np.searchsorted(blocks, label[n_model:]), len(blocks) - 1)
