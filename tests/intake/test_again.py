"""New rows are read like those that a column is known from."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from relbounds.intake.again import read_again
from relbounds.intake.columns import read_column


@pytest.mark.parametrize(
    ("known", "new", "values"),
    [
        (["1.5 kg", "2 kg", "3 kg"], ["2.5 kg", "7", "3 lb", "?"], [2.5, 7, np.nan, np.nan]),
        (["15.900 €", "8.500 €", "9 €"], ["1.200 €", "12 €"], [1200, 12]),
        (["1 234,5", "2,5", "3"], ["9 876,5", "0,25", "7"], [9876.5, 0.25, 7]),
        (["1,5", "2,5", "3"], [0.25, 7.5], [0.25, 7.5]),
        (["31.01.2024", "01.02.2024"], ["02.02.2024", "30.01.2024", "soon"], [2, -1, np.nan]),
        (["2024-01-31", "2024-02-01"], pd.to_datetime(["2024-02-02", None]), [2, np.nan]),
        (["31/01/2024", "01/02/2024"], ["05/02/2024"], [5]),
        (["01/02/2024", "01/03/2024"], ["01/05/2024"], [3]),
        (["12/31/2024", "12/01/2024"], ["12/05/2024"], [4]),
        ([True, False, True], ["True", "false", "1", "x"], [1, 0, 1, np.nan]),
        ([1.5, 2.5], ["3.5", "x", np.inf], [3.5, np.nan, np.nan]),
        ([1, 2], pd.Categorical(["3", "4"]), [3, 4]),
    ],
)
def test_new_cells_are_read_like_the_known_ones(
    known: list[Any], new: Any, values: list[float]
) -> None:
    column = read_column("a", pd.Series(known), ";")
    np.testing.assert_array_equal(read_again(column, pd.Series(new)).values, values)


@pytest.mark.parametrize(
    "cells",
    [
        ["1226,6 kg", "980 kg", "1.400,5 kg", None],
        ["$1,200", "$950", "$12,345,678"],
        ["1'234.5", "12.5", "1'234'567"],
        ["12 %", "7,5%", "-3 %"],
        ["2024-01-31", "2024-03-01T12:00", None],
        ["01/02/2024", "31/03/2024"],
        ["2", "4", "?", "2", "4"],
    ],
)
def test_the_same_cells_are_read_the_same_once_more(cells: list[str | None]) -> None:
    column = read_column("a", pd.Series(cells, dtype=object), ",")
    again = read_again(column, pd.Series(cells, dtype=object))
    np.testing.assert_array_equal(again.values, column.values)
