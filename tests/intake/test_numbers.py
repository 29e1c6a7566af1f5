"""Numbers with units, currencies and separated thousands, and texts that stand among them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relbounds.exceptions import WrongInputError
from relbounds.intake import Journal, Prepared, RawTable, Wishes, prepare
from relbounds.intake.columns import FEW_NUMBERS, Column, Kind, read_column
from relbounds.intake.texts import means_a_gap


def column(cells: Sequence[str | None], delimiter: str | None = ";") -> Column:
    return read_column("a", pd.Series(cells, dtype=object), delimiter)


def told(delimiter: str = ";", **columns: Sequence[str]) -> Prepared:
    """What becomes of these columns beside a target ``y`` of 0 and 1."""
    frame = pd.DataFrame(columns)
    frame["y"] = np.arange(len(frame)) % 2
    journal = Journal()
    return prepare(RawTable(frame, "table.csv", delimiter), Wishes("y"), journal)


@pytest.mark.parametrize(
    ("cells", "values", "unit"),
    [
        (["1226,6 kg", "980 kg", "1.400,5 kg"], [1226.6, 980, 1400.5], "kg"),
        (["140 PS", "75 PS", "90PS"], [140, 75, 90], "PS"),
        (["15.900,00 €", "8.500,00 €", "900,00 €"], [15900, 8500, 900], "€"),
        (["15.900 €", "8.500 €", "900 €"], [15900, 8500, 900], "€"),
        (["$1,200", "$950", "$12,345,678"], [1200, 950, 12345678], "$"),
        (["$1,200.50", "-$950", "$3.25"], [1200.5, -950, 3.25], "$"),
        (["EUR 12", "EUR 13,5", "EUR 14"], [12, 13.5, 14], "EUR"),
        (["12 CHF", "13 CHF", "1'400.50 CHF"], [12, 13, 1400.5], "CHF"),
        (["12 %", "7,5%", "-3 %"], [12, 7.5, -3], "%"),
        (["21 °C", "-4.5 °C", "\u22124 °C"], [21, -4.5, -4], "°C"),
        (["1 year", "2 years", "10 Years"], [1, 2, 10], "year"),
        (["5,6 l/100 km", "7 l/100 km", "8,1 l/100 km"], [5.6, 7, 8.1], "l/100 km"),
        (["80 m2", "95 m2", "120 m2"], [80, 95, 120], "m2"),
        (["1.5e3 Hz", "2e3 Hz", "4e2 Hz"], [1500, 2000, 400], "Hz"),
    ],
)
def test_numbers_with_one_unit_are_numbers(
    cells: list[str], values: list[float], unit: str
) -> None:
    found = column(cells)
    assert found.kind == Kind.NUMBER
    assert found.values.tolist() == values
    assert found.reading.unit == unit


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1 234,5", "12,5", "1 234 567,0"], [1234.5, 12.5, 1234567]),
        (["1\u00a0234,5", "1\u202f234", "7"], [1234.5, 1234, 7]),
        (["1'234.5", "12.5", "1\u2019234\u2019567"], [1234.5, 12.5, 1234567]),
        (["1.234.567", "1.234", "12"], [1234567, 1234, 12]),
        (["1,234,567", "1,234", "12"], [1234567, 1234, 12]),
        (["1,234.5", "1,234", "12"], [1234.5, 1234, 12]),
        (["1,234", "1,5", "12"], [1.234, 1.5, 12]),
        (["1.234", "1.5", "12"], [1.234, 1.5, 12]),
    ],
)
def test_thousands_are_told_from_decimals(cells: list[str], values: list[float]) -> None:
    assert column(cells).values.tolist() == values


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=3, max_size=30, unique=True),
    st.sampled_from([(",", "."), (".", ","), (" ", ","), ("'", ".")]),
    st.sampled_from(["{} kg", "€{}", "{}%", "{} miles", "$ {}"]),
)
def test_what_is_written_with_two_decimals_is_read_back(
    hundredths: list[int], marks: tuple[str, str], form: str
) -> None:
    """In any of these ways to write numbers, whatever the delimiter of the file is."""
    thousands, decimal = marks
    table = str.maketrans({",": thousands, ".": decimal})
    cells = [form.format(f"{each / 100:,.2f}".translate(table)) for each in hundredths]
    for delimiter in (",", ";", None):
        found = column(cells, delimiter)
        assert found.kind == Kind.NUMBER
        np.testing.assert_allclose(found.values, np.array(hundredths) / 100)


def test_units_are_said() -> None:
    found = told(weight=["1.5 kg", "2.5 kg", "0.5 kg"], price=["5 €", "4 €", "7 €"])
    assert found.X["weight"].tolist() == [1.5, 2.5, 0.5]
    assert "Units beside numbers were left out: weight in 'kg' and price in '€'." in found.notes


def test_gaps_and_strays_beside_units() -> None:
    found = column([*(f"{k}.5 kg" for k in range(28)), None, "unknown"])
    assert np.isnan(found.values).sum() == 2
    assert found.reading.strays == ("unknown",)


def test_a_few_numbers_without_the_unit_are_taken_to_have_it_with_a_warning() -> None:
    found = told(weight=[*(f"{k}.5 kg" for k in range(18)), "7.2", "0"])
    assert found.X["weight"].tolist()[-2:] == [7.2, 0]
    assert any("without a unit" in text and "weight (2)" in text for text in found.warnings)


@pytest.mark.parametrize(
    ("cells", "units", "row"),
    [
        (
            ["1 kg", "2 kg", "3 kg", "4 lb", "5 lb"],
            "different units, 'kg' and 'lb' (row 4 is not in 'kg')",
            4,
        ),
        (
            [*(f"{k} kg" for k in range(30)), "9 lb"],
            "different units, 'kg' and 'lb' (row 31 is not in 'kg')",
            31,
        ),
        (
            ["1 mW", "2 mW", "3 mW", "1 MW"],
            "different units, 'mW' and 'MW' (row 4 is not in 'mW')",
            4,
        ),
        (["5 %", "6 %", "7 %", "0.1", "0.2"], "'%' and others without a unit (row 4)", 4),
    ],
)
def test_units_are_never_mixed(cells: list[str], units: str, row: int) -> None:
    found = column(cells)
    assert found.kind == Kind.TEXT
    assert found.reading.row == row
    prepared = told(a=cells * 2, b=[str(k / 7) for k in range(2 * len(cells))])
    assert any(f"a has numbers in {units}, and was read as text" in w for w in prepared.warnings)
    table = RawTable(pd.DataFrame({"a": cells, "b": range(len(cells))}), "table.csv", ";")
    with pytest.raises(WrongInputError, match=r"--target a has numbers in .*; write all in one"):
        prepare(table, Wishes("a"), Journal())


@pytest.mark.parametrize(
    "cells",
    [
        ["1 low", "2 mid", "3 high"] * 3,
        ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th"],
        [f"{k} {name} Street" for k, name in enumerate(["Oak", "Elm", "Ash", "Yew", "Fir", "Fig"])],
        ["18-24", "25-34", "35+"] * 3,
        ["A1", "A2", "B1", "B2"],
        ["2h 30m", "1h 15m", "45m"],
    ],
)
def test_texts_that_begin_with_numbers_are_texts_without_a_word(cells: list[str]) -> None:
    found = column(cells)
    assert found.kind == Kind.TEXT
    assert not found.reading.units


# Texts among numbers


@pytest.mark.parametrize(
    ("cells", "kept"),
    [
        (["2", "4", "more"] * 20, ("more",)),
        (["2", "3", "4", "5more"] * 20, ("5more",)),
        ([*map(str, range(FEW_NUMBERS)), "none"] * 2, ("none",)),
    ],
)
def test_texts_that_repeat_among_few_numbers_are_values(
    cells: list[str], kept: tuple[str, ...]
) -> None:
    found = column(cells)
    assert found.kind == Kind.TEXT
    assert set(found.levels) == set(cells)
    assert found.reading.kept == kept
    prepared = told(persons=cells, b=[str(k / 7) for k in range(len(cells))])
    assert any("values of their own" in note and "persons" in note for note in prepared.notes)
    assert {name for name in prepared.X if name.startswith("persons=")}


@pytest.mark.parametrize(
    "cells",
    [
        [*["2", "4"] * 20, "mroe"],
        [*["2", "4"] * 20, "?", "?", "?"],
        [*["2", "4"] * 20, "unknown", "unknown", "N.A.", "N.A."],
        [*map(str, range(FEW_NUMBERS + 1)), "more"] * 2,
        [*map(str, range(FEW_NUMBERS)), "more", "more"],
        [*["2", "4"] * 500, "x", "x"],
    ],
)
def test_single_texts_signs_of_gaps_and_texts_among_many_numbers_are_gaps(
    cells: list[str],
) -> None:
    found = column(cells)
    assert found.kind == Kind.NUMBER
    assert found.reading.strays


def test_what_means_a_gap() -> None:
    assert all(map(means_a_gap, ["?", "-", "--", "n/a", "NA", "Unknown", "k.A.", "*"]))
    assert not any(map(means_a_gap, ["more", "none", "4+", "x"]))
