"""Rows by the weights that they speak of: nothing is lost, and few kinds are told from many."""

import numpy as np

from relbounds.engine.interior.kinds import Kind, kinds_of


def whole(coefficients: np.ndarray) -> Kind:
    every = np.arange(len(coefficients))
    return Kind(every, every, np.arange(coefficients.shape[1]))


def teachers_rows(rng: np.random.Generator) -> np.ndarray:
    """Three regular weights, three of each slack function, and an offset for each function."""
    rows = rng.normal(size=(60, 11))
    rows[:30, [6, 7, 8, 10]] = 0.0
    rows[30:, [3, 4, 5, 9]] = 0.0
    rows[::6, :3] = 0.0
    return rows[rng.permutation(60)]


def test_each_row_is_of_one_kind_and_has_nothing_outside_its_columns() -> None:
    rows = teachers_rows(np.random.default_rng(0))
    found = kinds_of(rows, 9, whole(rows))
    assert len(found) == 4
    np.testing.assert_array_equal(np.sort(np.concatenate([kind.rows for kind in found])), range(60))
    for kind in found:
        others = np.setdiff1d(np.arange(11), kind.columns)
        assert rows[np.ix_(kind.rows, kind.columns)].all()
        assert not rows[np.ix_(kind.rows, others)].any()
        np.testing.assert_array_equal(kind.first, range(len(kind.rows)))


def test_rows_of_a_point_stay_together() -> None:
    points = teachers_rows(np.random.default_rng(1))
    rows = np.repeat(points, 2, axis=0) * np.tile([1.0, -1.0], 60)[:, None]
    found = kinds_of(rows, 9, Kind(np.arange(120), np.arange(0, 120, 2), np.arange(11)))
    for kind in found:
        np.testing.assert_array_equal(kind.first, np.arange(0, len(kind.rows), 2))
        np.testing.assert_array_equal(rows[kind.rows[0::2]], -rows[kind.rows[1::2]])


def test_zeros_here_and_there_make_no_kinds() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(300, 11)) * (rng.random((300, 11)) < 0.7)
    assert len(kinds_of(rows, 9, whole(rows))) == 1
    rows = rng.normal(size=(300, 11))
    rows[0, 0] = 0.0
    assert len(kinds_of(rows, 9, whole(rows))) == 1
