"""Whole numbers that count rows are told from those that measure something."""

import numpy as np
import pytest

from relbounds.intake.columns import Column, Kind
from relbounds.intake.identifiers import looks_like_identifier

RANDOM = np.random.RandomState(0)
SOME_ROWS = np.flatnonzero(RANDOM.uniform(size=200) < 0.85) + 85
SWAPPED = np.concatenate([SOME_ROWS[100:], SOME_ROWS[:100]])
INCOMES = np.sort(RANDOM.permutation(100_000)[:200])


def is_identifier(values: object, name: str = "anything", *, is_first: bool = False) -> bool:
    column = Column(name, Kind.NUMBER, np.asarray(values, dtype=np.float64))
    return looks_like_identifier(column, is_first=is_first)


@pytest.mark.parametrize("rows", [SOME_ROWS, SWAPPED], ids=["in order", "in two parts"])
def test_numbers_of_rows_with_gaps_are_identifiers_in_the_first_column(rows: object) -> None:
    assert is_identifier(rows, is_first=True)
    assert not is_identifier(rows)


def test_the_order_is_what_tells_numbers_of_rows_with_gaps() -> None:
    assert not is_identifier(RANDOM.permutation(SOME_ROWS), is_first=True)


def test_a_table_sorted_by_a_measurement_keeps_it() -> None:
    assert not is_identifier(INCOMES, "income", is_first=True)
    assert not is_identifier(np.arange(0, 400, 10), "temperature", is_first=True)


@pytest.mark.parametrize("name", ["year", "Year", "age", "time", "t", "day_of_year", "SeasonStart"])
def test_times_are_measured_even_if_each_occurs_once(name: str) -> None:
    assert not is_identifier(np.arange(1931, 1969), name, is_first=True)
    assert not is_identifier(np.arange(1, 201), name, is_first=True)


def test_numbers_without_gaps_count_rows_in_any_order() -> None:
    assert is_identifier(RANDOM.permutation(50) + 1)
    assert is_identifier(np.arange(50))
    assert is_identifier(np.arange(17_001, 17_200))
    assert not is_identifier(np.arange(58, 73), "height"), "fifteen women, an inch apart"
    assert is_identifier(np.arange(58, 73), is_first=True)


@pytest.mark.parametrize("name", ["PID", "caseid", "idno", "seqn", "studyid", "docno"])
def test_a_name_that_may_be_one_of_an_identifier_needs_numbers_that_ascend(name: str) -> None:
    assert is_identifier(INCOMES, name)
    assert not is_identifier(RANDOM.permutation(INCOMES), name)


def test_bids_of_a_few_rows_are_no_identifiers() -> None:
    assert not is_identifier([1, 5, 10, 20, 30, 40, 50, 75, 100, 150, 200], "bid")


@pytest.mark.parametrize("name", ["id", "rownames", "row names", "Unnamed: 0", "column 1"])
def test_a_name_of_an_identifier_is_enough(name: str) -> None:
    assert is_identifier(RANDOM.permutation(INCOMES), name)


def test_numbers_that_repeat_or_have_fractions_are_no_identifiers() -> None:
    assert not is_identifier([1, 1, 2, 3], "id", is_first=True)
    assert not is_identifier([1.5, 2, 3, 4], "id", is_first=True)
