"""Rows that are chosen and put together: their offsets are those that scipy would give."""

import numpy as np
from scipy import sparse

from relbounds.engine import MarginRows
from relbounds.problems import OrdinalProblem


def rows_of(order: str) -> MarginRows:
    return OrdinalProblem(order).margin_rows(np.arange(20.0) % 4)


def test_some_rows_have_their_lines_of_the_offset_matrix() -> None:
    rows = rows_of("explicit")  # the last ones are about two offsets each
    for chosen in (np.array([3, 0, len(rows) - 1, 3]), np.empty(0, dtype=np.int64)):
        found, expected = rows.subset(chosen).offset_matrix, rows.offset_matrix[chosen]
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found.toarray(), expected.toarray())


def test_rows_that_follow_others_are_below_them() -> None:
    one, other = rows_of("explicit"), rows_of("implicit")
    found = one.followed_by(other).offset_matrix
    expected = sparse.vstack([one.offset_matrix, other.offset_matrix])
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.toarray(), expected.toarray())
