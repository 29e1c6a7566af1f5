"""Rows of a table, as they come, become the numbers that the model was fitted with."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from relbounds import TableEncoder
from relbounds.exceptions import RelboundsWarning, WrongInputError


def table(n: int = 60) -> pd.DataFrame:
    """A column of each kind, with gaps in two of them."""
    place = np.arange(n)
    frame = pd.DataFrame(
        {
            "number": np.sin(place),
            "comma": [f"{k % 7},5" for k in place],
            "unit": [f"{1.5 * (k % 9)} kg" for k in place],
            "flag": place % 3 == 0,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(place % 11, unit="D"),
            "written": [f"{1 + k % 28}.02.2024" for k in place],
            "colour": np.array(["red", "green", "blue"])[(place % 6) // 2],
        }
    )
    frame.loc[3, "number"] = np.nan
    frame.loc[[4, 5, 10, 11, 12, 13], "colour"] = None
    return frame


def test_all_kinds_of_columns_become_numbers() -> None:
    frame = table()
    found = TableEncoder().fit_transform(frame)
    assert list(found) == [
        *("number", "comma", "unit", "flag", "day", "written"),
        *("colour=blue", "colour=red", "colour=missing"),
    ]
    assert found.notna().all(axis=None)
    assert found["number"][3] == pytest.approx(frame["number"].median())
    assert found["comma"][2] == 2.5
    assert found["unit"][4] == 6.0
    assert found["day"][10] == 10
    assert found["written"][27] == 27
    assert found.loc[4, "colour=missing"] == 1


@pytest.mark.parametrize("rows", [slice(None), slice(7, 8), slice(20, 25), slice(0, 0)], ids=str)
def test_rows_become_the_same_whatever_comes_with_them(rows: slice) -> None:
    """One row alone does not show what its column holds; it is remembered."""
    frame = table()
    encoder = TableEncoder().fit(frame)
    alone = encoder.transform(frame.iloc[rows])
    pd.testing.assert_frame_equal(alone, encoder.transform(frame).iloc[rows].reset_index(drop=True))


@pytest.mark.parametrize(
    ("column", "cell", "feature", "value"),
    [
        ("number", "2.5", "number", 2.5),
        ("number", "none of that", "number", None),
        ("number", np.inf, "number", None),
        ("comma", "1.234,5", "comma", 1234.5),
        ("comma", 3.5, "comma", 3.5),
        ("unit", "2 lb", "unit", None),
        ("unit", "2 kg", "unit", 2.0),
        ("unit", "2", "unit", 2.0),
        ("flag", "True", "flag", 1.0),
        ("flag", 0, "flag", 0.0),
        ("day", "2024-01-05", "day", 4.0),
        ("written", "03.02.2024", "written", 2.0),
        ("written", "no date", "written", None),
        ("colour", "red", "colour=red", 1.0),
        ("colour", None, "colour=missing", 1.0),
    ],
)
def test_a_cell_is_read_like_its_column(column: str, cell: Any, feature: str, value: Any) -> None:
    frame = table()
    encoder = TableEncoder().fit(frame)
    rows = frame.iloc[[0]].astype(object)
    rows[column] = [cell]
    expected = encoder.transform(frame)[feature].median() if value is None else value
    assert encoder.transform(rows)[feature][0] == pytest.approx(expected)


def test_a_value_that_was_never_seen_counts_as_the_most_frequent_and_is_named() -> None:
    frame = table()
    encoder = TableEncoder().fit(frame)
    rows = frame.iloc[[0, 1]].assign(colour=["violet", "blue"])
    with pytest.warns(RelboundsWarning, match=r"colour has 'violet'.* takes for 'green'"):
        found = encoder.transform(rows)
    assert found.filter(like="colour").to_numpy().tolist() == [[0, 0, 0], [1, 0, 0]]


def test_a_value_that_was_never_seen_counts_as_a_rare_one_where_there_are_some() -> None:
    cells = ["a"] * 50 + ["b"] * 40 + ["c", "d", "e"]
    encoder = TableEncoder().fit(pd.DataFrame({"city": cells}))
    with pytest.warns(RelboundsWarning, match=r"takes for 'other \(3 values\)'"):
        found = encoder.transform(pd.DataFrame({"city": ["z", "c", "b"]}))
    assert found["city=other (3 values)"].tolist() == [1, 1, 0]


def test_columns_beyond_those_that_were_fitted_do_not_matter_and_missing_ones_are_named() -> None:
    frame = table()
    encoder = TableEncoder().fit(frame)
    more = frame.assign(extra=1)[["extra", *reversed(frame.columns)]]
    pd.testing.assert_frame_equal(encoder.transform(more), encoder.transform(frame))
    with pytest.raises(WrongInputError, match="no column flag, which the model was fitted with"):
        encoder.transform(frame.drop(columns="flag"))


def test_it_is_at_home_in_pipelines_clones_and_pickles() -> None:
    frame, y = table(), np.arange(60) % 2
    pipeline = make_pipeline(TableEncoder(), LogisticRegression()).fit(frame, y)
    again = pickle.loads(pickle.dumps(pipeline))
    assert (again.predict(frame) == pipeline.predict(frame)).all()
    assert (clone(pipeline).fit(frame, y).predict(frame) == pipeline.predict(frame)).all()


def test_what_it_keeps_holds_no_rows() -> None:
    encoder = TableEncoder().fit(table())
    assert all(len(each.column.values) == 0 for each in encoder.recipes_)


def test_columns_that_say_nothing_are_left_out_unless_they_are_named() -> None:
    frame = pd.DataFrame({"id": range(1, 31), "x": np.sin(range(30)), "same": 1})
    assert list(TableEncoder().fit_transform(frame)) == ["x"]
    assert list(TableEncoder(columns=["id", "x"]).fit_transform(frame)) == ["id", "x"]
    with pytest.raises(WrongInputError, match=r"No column is left\. same was left out"):
        TableEncoder(columns=["same"]).fit(frame)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(WrongInputError, match=r"A frame of pandas or polars.* got a ndarray"):
        TableEncoder().fit(np.eye(3))
