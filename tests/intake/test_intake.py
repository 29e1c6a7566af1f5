"""Tables of all kinds become numbers, and everything that is done to them is said."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved

from relbounds import ClassificationRelevance, Relevance
from relbounds.exceptions import OneHotWarning, WrongInputError
from relbounds.intake import Journal, Prepared, Wishes, prepare, read_table
from relbounds.intake.delimited import guess_delimiter
from relbounds.intake.encoding import MOST_LEVELS
from relbounds.intake.names import apart


def prepared(path: Path, target: str = "outcome", **wishes: Any) -> Prepared:
    journal = Journal()
    return prepare(read_table(path, journal), Wishes(target, **wishes), journal)


def of_columns(tmp_path: Path, columns: dict[str, Sequence[Any]], **wishes: Any) -> Prepared:
    """What becomes of these columns beside a target ``y`` of 0 and 1."""
    n_rows = len(next(iter(columns.values())))
    y = {} if "y" in columns else {"y": [k % 2 for k in range(n_rows)]}
    path = tmp_path / "table.parquet"
    pd.DataFrame({**columns, **y}).to_parquet(path)
    return prepared(path, "y", **wishes)


def said(found: Prepared, *words: str) -> bool:
    """Whether some sentence has all of these words."""
    return any(all(word in text for word in words) for text in (*found.notes, *found.warnings))


def assert_like_patients(found: Prepared) -> None:
    """The columns of ``patients``, as they should arrive whatever the file was like."""
    frame = patients()
    assert list(found.X) == ["dose", "height", "color=blue", "color=red", "sex=female"]
    np.testing.assert_allclose(found.X["dose"], frame["dose"])
    np.testing.assert_allclose(found.X["height"], frame["height"])
    np.testing.assert_array_equal(found.X["color=red"], frame["color"] == "red")
    assert found.y.tolist() == frame["outcome"].tolist()
    assert found.task == "classification"


# Files


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_text_file_is_read_whatever_separates_its_cells(tmp_path: Path, delimiter: str) -> None:
    text = as_text(patients(), delimiter=delimiter)
    assert_like_patients(prepared(saved(tmp_path / "table.csv", text)))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path, encoding: str) -> None:
    frame = patients().drop(columns="id")
    found = prepared(saved(tmp_path / "table.csv", as_text(frame), encoding))
    assert_like_patients(found)


def test_decimal_commas_are_read_and_said(tmp_path: Path) -> None:
    found = prepared(saved(tmp_path / "table.csv", as_text(patients(), delimiter=";", decimal=",")))
    assert_like_patients(found)
    assert said(found, "decimal commas", "dose and height")


def test_points_of_thousands_beside_decimal_commas_are_no_decimal_points(tmp_path: Path) -> None:
    cells = ["1.234,5", "1.000", "-2.500.000,25", "7,5"]
    rows = "".join(f"{cell};{k % 2}\n" for k, cell in enumerate(cells))
    found = prepared(saved(tmp_path / "table.csv", f"a;y\n{rows}"), "y")
    assert found.X["a"].tolist() == [1234.5, 1000, -2500000.25, 7.5]


def test_commas_of_thousands_are_told_from_decimal_commas(tmp_path: Path) -> None:
    cells = ["1,234", "12", "1,000,000.5", "900"]
    rows = "".join(f'"{cell}",{k % 2}\n' for k, cell in enumerate(cells))
    found = prepared(saved(tmp_path / "table.csv", f"a,y\n{rows}"), "y")
    assert found.X["a"].tolist() == [1234, 12, 1000000.5, 900]
    assert said(found, "thousands", "a")


def test_points_in_a_file_of_decimal_commas_are_warned_of(tmp_path: Path) -> None:
    text = "a;b;y\n1,5;1.234;0\n2,5;7.5;1\n0,5;12.1;0\n"
    found = prepared(saved(tmp_path / "table.csv", text), "y")
    assert said(found, "decimal commas", "points in b")


def test_a_file_that_is_not_utf8_is_read_and_said(tmp_path: Path) -> None:
    text = "größe,y\n1.5,0\n2.5,1\n0.5,1\n"
    found = prepared(saved(tmp_path / "table.csv", text, "cp1252"), "y")
    assert list(found.X) == ["größe"]
    assert said(found, "not UTF-8", "cp1252")


def test_quoted_cells_keep_their_line_ends_and_delimiters(tmp_path: Path) -> None:
    text = '"dose\nin mg","a, b",y\n1.5,"x\ny",0\n2.5,"p,q",1\n0.5,"x\ny",1\n2.0,"p,q",0\n'
    found = prepared(saved(tmp_path / "table.csv", text), "y")
    assert list(found.X) == ["dose\nin mg", "a, b=x\ny"]


def test_names_that_occur_twice_are_told_apart_and_said(tmp_path: Path) -> None:
    text = "a,a,,y\n1.5,0.1,7.5,0\n2.5,0.2,0.5,1\n1.0,0.3,1.5,1\n"
    found = prepared(saved(tmp_path / "table.csv", text), "y")
    assert list(found.X) == ["a", "a (2)", "column 3"]
    assert said(found, "more than once", "a (2)")
    assert said(found, "without a name", "column 3")


def test_a_new_name_never_takes_one_that_is_there() -> None:
    assert apart(["a", "a", "a (2)", "a"]) == ["a", "a (3)", "a (2)", "a (4)"]


def test_row_names_without_a_header_and_doubled_line_ends_do_not_shift_columns(
    tmp_path: Path,
) -> None:
    of_r = "a,y\nrow1,1.5,0\nrow2,2.5,1\nrow3,0.5,1\n"
    ended_twice = "a,y\n1.5,0,\n2.5,1,\n0.5,1,\n"
    for text in (of_r, ended_twice):
        found = prepared(saved(tmp_path / "table.csv", text), "y")
        assert found.X["a"].tolist() == [1.5, 2.5, 0.5]
        assert found.y.tolist() == [0, 1, 1]


@pytest.mark.parametrize("kind", ["parquet", "feather", "excel"])
def test_other_files_are_known_by_their_content(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "table.with-no-known-ending"
    frame = patients()
    if kind == "excel":
        with path.open("wb") as file:
            frame.to_excel(file, index=False)
    else:
        getattr(frame, f"to_{kind}")(path)
    assert_like_patients(prepared(path))


def test_of_a_workbook_the_first_sheet_is_read_and_said(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as book:
        patients().to_excel(book, sheet_name="Data", index=False)
        pd.DataFrame({"a": [1]}).to_excel(book, sheet_name="Legend", index=False)
    found = prepared(path)
    assert_like_patients(found)
    assert said(found, "2 sheets", "'Data'")


def test_an_index_with_a_name_is_a_column(tmp_path: Path) -> None:
    patients().set_index("dose").to_parquet(tmp_path / "table.parquet")
    assert "dose" in prepared(tmp_path / "table.parquet").X


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty; a table with a row of column names was expected"),
        (b" \n\n", "is empty"),
        (b"a,b\n", "has column names but no rows"),
        (bytes(range(256)), "is no table that can be read; CSV, TSV, Parquet"),
        (b"PAR1 and then nothing of the kind", "is damaged or no table"),
        (b"PK\x03\x04 and then nothing of the kind", "is damaged or no table"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel; save it as .xlsx"),
        (b"a,b\n1,2\n3,4,5\n", "line 3 has 3 cells, the lines before 2; correct that line"),
        (b"a,b\n1,2,3,4\n1,2,3,4\n", "more cells than the 2 column names"),
        (b'a,b\n1,"2\n3,4\n', "a quotation mark is opened and never closed"),
    ],
)
def test_a_file_without_a_table_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    path = saved(tmp_path / "table.csv", content)
    with pytest.raises(WrongInputError, match=sentence.replace("(", r"\(")) as refused:
        read_table(path, Journal())
    assert "\n" not in str(refused.value)


def test_a_missing_package_is_told_with_the_extra_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patients().to_parquet(tmp_path / "table.parquet")

    def without_pyarrow(*_: object, **__: object) -> None:
        raise ImportError("Unable to find a usable engine")

    monkeypatch.setattr(pd, "read_parquet", without_pyarrow)
    with pytest.raises(WrongInputError, match=r"pip install 'relbounds\[files\]'"):
        read_table(tmp_path / "table.parquet", Journal())


def test_a_comma_is_the_delimiter_only_if_no_other_is_as_good() -> None:
    assert guess_delimiter("height,m;weight,kg\n1,7;70\n1,8;80\n") == ";"
    assert guess_delimiter("a,b\tc,d\n1,5\t2\n1,5\t3\n") == "\t"


def test_a_table_of_one_column_has_no_delimiter_to_find() -> None:
    assert guess_delimiter("a\n1\n2\n") == ","
    assert guess_delimiter("a;b\n1,5;2,5\n3,5;4,5\n") == ";"


# Columns


def test_dates_become_days_since_the_earliest(tmp_path: Path) -> None:
    columns = {
        "iso": ["2024-01-31", "2024-02-01", "2024-03-01T12:00", None],
        "german": ["31.01.2024", "01.02.2024", "01.03.2024", "02.03.2024"],
        "day first": ["31/01/2024", "01/02/2024", "01/03/2024", "02/03/2024"],
        "real": pd.to_datetime(["2024-01-31", "2024-02-01", "2024-03-01", "2024-03-02"]),
    }
    found = of_columns(tmp_path, columns, missing="impute")
    assert found.X["iso"].tolist() == [0, 1, 30.5, 1]
    for name in ("german", "day first", "real"):
        assert found.X[name].tolist() == [0, 1, 30, 31]
    assert said(found, "days since the earliest date", "iso")
    assert not said(found, "month/day/year")


def test_dates_that_can_be_read_in_two_ways_are_warned_of(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"seen": ["01/02/2024", "03/04/2024", "05/06/2024"]})
    assert said(found, "seen", "month/day/year", "2024-12-31")


def test_truth_values_are_0_and_1(tmp_path: Path) -> None:
    text = "a,b,y\nTrue,true,0\nFalse,,1\nTrue,false,1\nFalse,true,0\n"
    found = prepared(saved(tmp_path / "table.csv", text), "y")
    assert found.X["a"].tolist() == [1, 0, 1, 0]
    assert found.X["b"].tolist() == [1, 1, 0, 1]


def test_every_value_of_a_text_but_the_most_frequent_has_a_column(tmp_path: Path) -> None:
    """Of s both are as frequent, so the first in the alphabet is left out."""
    found = of_columns(tmp_path, {"s": list("mfmf") * 2, "c": ["r", "g", "b", "r"] * 2})
    assert list(found.X) == ["s=m", "c=b", "c=g"]
    assert found.made_from == {"s=m": "s", "c=b": "c", "c=g": "c"}
    assert said(found, "compared with: s (f; 2 values) and c (r; 3 values)")


def test_a_text_that_is_needed_is_not_replaceable_because_of_its_coding(tmp_path: Path) -> None:
    """With a column for each value, here each could be had from the other two."""
    random = np.random.RandomState(5)
    dose, site = random.normal(size=300), random.choice(["a", "b", "c"], 300, p=[0.4, 0.3, 0.3])
    effect = np.select([site == "b", site == "c"], [-1.5, 1.5])
    noise = 0.3 * random.normal(size=300)
    found = of_columns(
        tmp_path, {"dose": dose, "site": site, "y": (dose + effect + noise > 0).astype(int)}
    )
    model = ClassificationRelevance(random_state=0).fit(found.X, found.y)
    assert list(found.X) == ["dose", "site=b", "site=c"]
    assert model.relevance_.tolist() == [2, 2, 2]
    for_each = found.X.assign(**{"site=a": (site == "a").astype(float)})
    with pytest.warns(OneHotWarning, match="site=b, site=c, site=a"):
        of_b, of_c, of_a = model.fit(for_each, found.y).relevance_[1:]
    assert of_b == of_c == Relevance.WEAK
    assert of_a < Relevance.STRONG, "it has no effect of its own"


def test_rare_values_of_a_long_list_are_put_together_and_said(tmp_path: Path) -> None:
    cells = [f"v{k:03}" for k in range(MOST_LEVELS + 10) for _ in range(2)] + ["v000"] * 5
    found = of_columns(tmp_path, {"city": cells})
    assert found.X.shape[1] == MOST_LEVELS
    assert found.X["city=other (10 values)"].sum() == 20
    assert "city=v000" not in found.X, "the others are compared with it"
    assert said(found, "compared with: city (v000; 51 values)")
    assert said(found, "most frequent", "are together: city=other (10 values)")


def test_values_that_few_rows_have_are_put_together(tmp_path: Path) -> None:
    cells = ["a"] * 400 + ["b"] * 250 + ["c"] * 7 + ["d"] * 4 + ["e"] * 2 + ["f"] * 337
    found = of_columns(tmp_path, {"city": cells})
    assert list(found.X) == ["city=b", "city=f", "city=other (3 values)"]
    assert found.X["city=other (3 values)"].sum() == 13
    assert said(found, "few rows have (fewer than 1%, at least 5 and at most 30 rows)")
    [facts] = found.columns
    assert facts.levels == ("a", "f", "b", "other (3 values)")
    assert facts.counts == (400, 337, 250, 13)
    assert facts.reference == "a"


@pytest.mark.parametrize(
    "cells",
    [
        ["a"] * 50 + ["b"] * 40 + ["c"] * 2,
        ["a"] * 50 + ["b", "c", "d"] * 2,
        ["a"] * 50 + ["b"] * 40 + [""] * 3 + ["c"],
    ],
    ids=["one rare value", "one frequent value", "a gap and a rare value"],
)
def test_a_value_with_nothing_to_share_a_column_with_keeps_its_own(
    tmp_path: Path, cells: list[str]
) -> None:
    found = of_columns(tmp_path, {"city": cells})
    assert not any("other" in name for name in found.X)


def test_rare_values_put_together_are_told_from_a_value_of_that_name(tmp_path: Path) -> None:
    cells = ["a"] * 60 + ["other (2 values)"] * 30 + ["b"] * 3 + ["c"] * 2
    found = of_columns(tmp_path, {"city": cells})
    assert found.X["city=other (2 values)"].sum() == 30
    assert found.X["city=other (2 values) (2)"].sum() == 5


def test_an_encoded_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"s": list("mfmf"), "s=m": [0.5, 1.5, 2.5, 0.5]})
    assert list(found.X) == ["s=m", "s=m (2)"]
    assert found.made_from == {"s=m": "s"}


def test_numbers_among_a_few_texts_are_numbers_and_the_texts_are_said(tmp_path: Path) -> None:
    cells = [f"{k / 7:.3f}" for k in range(28)] + ["?", "unknown"]
    found = of_columns(tmp_path, {"age": cells})
    assert found.X["age"].iloc[-1] == pytest.approx(np.median(np.arange(28) / 7), abs=1e-3)
    assert said(found, "count as missing", "age (2: '?' and 'unknown')")


@pytest.mark.parametrize("n_numbers", [28, 1500])
def test_a_few_texts_in_up_to_half_of_the_cells_are_strays_too(
    tmp_path: Path, n_numbers: int
) -> None:
    numbers = [f"{k / 7:.4f}" for k in range(n_numbers)]
    strays = ["?", "None", "-"] * (n_numbers // 4)
    found = of_columns(tmp_path, {"age": [*numbers, *strays]})
    assert list(found.X) == ["age"]
    assert said(found, "count as missing", f"age ({len(strays)}: '-', '?' and 'None')")


@pytest.mark.parametrize("cells", [["1", "x"] * 6, ["1", "2", "p", "q"] * 3, ["1", "x", "y"] * 4])
def test_texts_as_many_as_numbers_are_values_and_no_strays(
    tmp_path: Path, cells: list[str]
) -> None:
    found = of_columns(tmp_path, {"code": cells})
    assert set(found.made_from.values()) == {"code"}


def test_none_is_a_grade_and_not_a_missing_value(tmp_path: Path) -> None:
    text = "a,pain\n" + "".join(f"{k / 3},{('None', 'Mild')[k % 2]}\n" for k in range(10))
    found = prepared(saved(tmp_path / "table.csv", text), "pain")
    assert found.y.tolist() == ["None", "Mild"] * 5


def test_infinite_numbers_count_as_missing_and_are_said(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"a": [1.0, np.inf, 3.5, -np.inf]})
    assert found.X["a"].tolist() == [1.0, 2.25, 3.5, 2.25]
    assert said(found, "Infinite", "a (2)")


def test_nested_and_categorical_cells_are_read_too(tmp_path: Path) -> None:
    columns = {
        "list": [[1], [2], [1], [2], [1]],
        "category": pd.Categorical(["u", "v", "u", None, "v"]),
        "whole": pd.array([1, 2, None, 2, 1], dtype="Int64"),
    }
    found = of_columns(tmp_path, columns)
    assert list(found.X) == ["list=[2]", "category=v", "category=missing", "whole"]


# Columns of no use


def test_constant_columns_and_empty_ones_are_left_out_and_named(tmp_path: Path) -> None:
    columns = {"a": [0.5, 1.5, 2.5], "same": ["x"] * 3, "none": [None] * 3, "one": [1.0, None, 1.0]}
    found = of_columns(tmp_path, columns)
    assert list(found.X) == ["a"]
    assert said(found, "same and one were left out: each has one value only")
    assert said(found, "none was left out: it has no values")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("id", [7, 3, 12, 5, 40]),
        ("patientID", [7, 3, 12, 5, 40]),
        ("sample_no", [7, 3, 12, 5, 40]),
        ("anything", [11, 12, 13, 14, 15]),
        ("rownames", [85, 86, 88, 4, 10]),
        ("anything", [3, 1, 2, 5, 4]),
        ("name", ["Ann", "Bob", "Cid", "Dan", "Eve"]),
        ("remark", ["fine", "fine", "was late", "ill", "left"]),
    ],
)
def test_identifiers_are_left_out_and_named(tmp_path: Path, name: str, cells: list[Any]) -> None:
    found = of_columns(tmp_path, {name: cells, "a": [0.5, 1.5, 2.5, 0.1, 0.2]})
    assert list(found.X) == ["a"]
    assert said(found, f"{name} was left out")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("income", [7012, 3050, 12100, 5600, 40999]),
        ("gene", [512, 3, 98, 7000, 41]),
        ("load", [3, 5, 8, 21, 34]),
        ("year", [1990, 1991, 1992, 1993, 1994]),
        ("id", [1, 1, 2, 2, 3]),
        ("dose", [0.1, 0.2, 0.3, 0.4, 0.5]),
    ],
)
def test_measurements_are_not_taken_for_identifiers(
    tmp_path: Path, name: str, cells: list[Any]
) -> None:
    assert name in of_columns(tmp_path, {name: cells}).X


def test_different_whole_numbers_are_used_and_the_doubt_is_said(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"income": [7012, 3050, 12100, 5600, 40999]})
    assert said(found, "different whole number", "income", "--drop")


def test_a_number_that_is_asked_for_is_used_even_if_it_looks_like_an_identifier(
    tmp_path: Path,
) -> None:
    found = of_columns(tmp_path, {"id": [1, 2, 3, 4], "a": [0.5, 1.5, 2.5, 0.5]}, keep=["id"])
    assert list(found.X) == ["id"]


@pytest.mark.parametrize(
    ("name", "cells"), [("id", [1, 2, 3, 4, 5]), ("name", ["Ann", "Bob", "Cid", "Dan", "Eve"])]
)
@pytest.mark.parametrize("option", ["keep", "privileged"])
def test_a_column_that_is_asked_for_by_name_is_no_identifier(
    tmp_path: Path, name: str, cells: list[Any], option: str
) -> None:
    columns = {name: cells, "a": [0.5, 1.5, 2.5, 0.5, 0.1]}
    found = of_columns(tmp_path, columns, **{option: [name]})
    side = found.X if option == "keep" else found.X_priv
    expected = ["id"] if name == "id" else [f"name={each}" for each in cells[1:]]
    assert list(side) == expected
    assert not said(found, f"{name} was left out")


def test_a_long_text_that_is_asked_for_is_cut_like_others(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"remark": [f"r{k:03}" for k in range(90)]}, keep=["remark"])
    assert found.X.shape[1] == MOST_LEVELS
    assert found.X["remark=other (40 values)"].sum() == 90 - MOST_LEVELS


def test_a_table_without_usable_columns_is_refused_with_the_reasons(tmp_path: Path) -> None:
    with pytest.raises(WrongInputError, match=r"No feature is left\. id was left out.* Name other"):
        of_columns(tmp_path, {"id": [1, 2, 3, 4]})


# Missing values


def test_missing_values_are_imputed_and_counted(tmp_path: Path) -> None:
    columns = {"a": [1.5, None, 3.5, None, 2.0], "c": ["u", None, "v", "u", "v"]}
    found = of_columns(tmp_path, columns)
    assert found.X["a"].tolist() == [1.5, 2.0, 3.5, 2.0, 2.0]
    assert found.X["c=missing"].tolist() == [0, 1, 0, 0, 0]
    assert said(found, "2 missing values", "median", "a (2)")
    assert said(found, "1 missing value was made a value of its own", "'missing'", "c (1)")


def test_rows_with_missing_values_are_dropped_if_asked_and_counted(tmp_path: Path) -> None:
    columns = {
        "a": [1.5, None, 3.5, None, 2.0],
        "c": ["u", None, "v", "u", "v"],
        "y": [0, 1, 0, 1, 1],
    }
    found = of_columns(tmp_path, columns, missing="drop")
    assert found.X["a"].tolist() == [1.5, 3.5, 2.0]
    assert found.y.tolist() == [0, 0, 1]
    assert said(found, "2 rows with missing values were left out; 3 rows stay.")


def test_gaps_of_a_column_of_one_text_cost_no_row(tmp_path: Path) -> None:
    columns = {"a": [1.5, None, 3.5, 2.0], "c": ["yes", "yes", None, None], "y": [0, 1, 0, 1]}
    found = of_columns(tmp_path, columns, missing="drop")
    assert found.X["a"].tolist() == [1.5, 3.5, 2.0]
    assert said(found, "c was left out: it has one value only")
    assert said(found, "1 row with missing values was left out; 3 rows stay.")
    with pytest.raises(WrongInputError, match="No feature is left"):
        of_columns(tmp_path, {"c": ["yes", "yes", None, None]}, missing="drop")


def test_rows_without_a_target_are_always_left_out_and_counted(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"a": [1.5, 2.5, 3.5, 0.5], "y": [0, None, 1, None]})
    assert len(found.X) == len(found.y) == 2
    assert said(found, "2 rows without a value of y", "2 rows stay")


def test_very_few_rows_are_warned_of(tmp_path: Path) -> None:
    assert said(of_columns(tmp_path, {"a": [1.5, 2.5, 3.5]}), "only 3 rows", "hardly reliable")
    assert not of_columns(tmp_path, {"a": np.arange(30) % 7 / 3}).warnings


def test_dropping_every_row_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongInputError, match="Every row has a missing value"):
        of_columns(
            tmp_path, {"a": [1.5, None, 0.5, None], "b": [None, 2.5, None, 1.5]}, missing="drop"
        )


# Targets


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (["yes", "no"] * 6, "classification"),
        ([True, False] * 6, "classification"),
        ([3.5, 4.5] * 6, "classification"),
        ([1, 2, 3] * 4, "ordinal"),
        ([1.0, 2.0, None] * 4, "classification"),
        (list(range(12)), "regression"),
        ([0.5, 1.5, 2.5] * 4, "regression"),
        (pd.date_range("2024-01-01", periods=12), "regression"),
    ],
)
def test_the_task_is_guessed_and_said(tmp_path: Path, y: Any, task: str) -> None:
    found = of_columns(tmp_path, {"a": np.arange(12) % 5 / 7, "y": y})
    assert found.task == task
    assert said(found, f"guessed to be {task}")


def test_a_task_that_is_given_is_not_guessed(tmp_path: Path) -> None:
    columns = {"a": np.arange(12) % 5 / 7, "y": [1, 2, 3] * 4}
    found = of_columns(tmp_path, columns, task="regression")
    assert found.task == "regression"
    assert not said(found, "guessed")


def test_fractions_can_be_ordered_classes(tmp_path: Path) -> None:
    columns = {"a": np.arange(12) % 5 / 7, "y": [0.5, 1.0, 1.5] * 4}
    assert of_columns(tmp_path, columns, task="ordinal").classes == (0.5, 1.0, 1.5)


@pytest.mark.parametrize(
    "order", [["low,medium,high"], ["low", "medium", "high"], ["low, medium , high"]]
)
def test_the_order_of_a_text_target_is_taken_as_typed(tmp_path: Path, order: list[str]) -> None:
    columns = {"a": np.arange(12) % 5 / 7, "y": ["low", "high", "medium"] * 4}
    found = of_columns(tmp_path, columns, order=order)
    assert (found.task, found.classes) == ("ordinal", ("low", "medium", "high"))


def test_values_with_commas_are_ordered_one_by_one(tmp_path: Path) -> None:
    columns = {"a": np.arange(12) % 5 / 7, "y": ["no, none", "some", "a lot"] * 4}
    found = of_columns(tmp_path, columns, order=["no, none", "some", "a lot"])
    assert found.classes == ("no, none", "some", "a lot")


def test_numbers_can_be_ordered_the_other_way_round(tmp_path: Path) -> None:
    columns = {"a": np.arange(12) % 5 / 7, "y": [1, 2, 3] * 4}
    assert of_columns(tmp_path, columns, order=["3,2,1"]).classes == (3, 2, 1)


def test_texts_among_the_numbers_of_a_target_are_classes_if_ordered(tmp_path: Path) -> None:
    columns = {"a": np.arange(24) % 5 / 7, "y": [*["1", "2", "3"] * 7, "4+", "4+", None]}
    found = of_columns(tmp_path, columns, order=["1,2,3,4+"])
    assert found.classes == ("1", "2", "3", "4+")
    assert len(found.y) == 23
    assert not said(found, "count as missing")


def test_texts_among_the_numbers_of_a_target_are_refused_without_an_order(tmp_path: Path) -> None:
    columns = {"a": np.arange(23) % 5 / 7, "y": [*["1", "2", "3"] * 7, "4+", "4+"]}
    with pytest.raises(
        WrongInputError, match=r"y holds '4\+' among numbers: .* --order 1,2,3,4\+;"
    ):
        of_columns(tmp_path, columns)
    columns["y"] = [*(f"{k / 7:.3f}" for k in range(22)), "?"]
    with pytest.raises(WrongInputError, match=r"'\?' among numbers: .* leave the cell empty\."):
        of_columns(tmp_path, columns)


@pytest.mark.parametrize(
    ("y", "others"),
    [
        (["yes", "no"] * 6, ""),
        ([0, 1] * 6, " (else say --task ordinal or --task regression)"),
        ([1, 2, 3] * 4, " (else say --task classification or --task regression)"),
        ([0.5, 1.5, 2.5] * 4, " (else say --task ordinal)"),
    ],
)
def test_only_tasks_that_would_work_are_offered(tmp_path: Path, y: Any, others: str) -> None:
    found = of_columns(tmp_path, {"a": np.arange(12) % 5 / 7, "y": y})
    assert said(found, f"guessed to be {found.task}{others}.")


def test_texts_without_an_order_are_classes_and_nobody_is_asked_for_one(tmp_path: Path) -> None:
    found = of_columns(tmp_path, {"a": np.arange(12) % 5 / 7, "y": ["b", "a", "c"] * 4})
    assert (found.task, found.classes) == ("classification", None)
    assert said(found, "guessed to be classification (if they are ordered, say --order LOW")
    assert said(found, "3 classes without order, each of which is told from the rest: a, b and c")


def test_an_order_that_is_given_makes_texts_ordered_classes(tmp_path: Path) -> None:
    columns = {"a": np.arange(12) % 5 / 7, "y": ["low", "mid", "high"] * 4}
    found = of_columns(tmp_path, columns, order=["low,mid,high"])
    assert (found.task, found.classes) == ("ordinal", ("low", "mid", "high"))


def test_an_order_that_the_file_has_is_used_and_said(tmp_path: Path) -> None:
    stages = pd.Categorical(["mild", "bad"] * 6, categories=["mild", "fair", "bad"], ordered=True)
    found = of_columns(tmp_path, {"a": np.arange(12) % 5 / 7, "y": stages})
    assert (found.task, found.classes) == ("ordinal", ("mild", "bad"))
    assert said(found, "The file itself says", "mild < bad")


@pytest.mark.parametrize(
    ("y", "wishes", "sentence"),
    [
        (["a"] * 12, {}, "has one value only, 'a'; at least two"),
        ([None] * 12, {}, "has no values"),
        (
            ["a", "b", "c"] * 4,
            {"task": "ordinal"},
            "as --order LOW,...,HIGH; if they have no order",
        ),
        (np.arange(12) / 7, {"task": "classification"}, "but y has 12 different numbers"),
        (["a", "b", "c"] * 4, {"order": ["a,b,c"], "task": "classification"}, "for --task ordinal"),
        (["a", "b", "c"] * 4, {"task": "regression"}, "needs numbers, but y holds text such as"),
        (["a", "b", "c"] * 4, {"order": ["a,b"]}, "does not list c, which y holds"),
        (["a", "b", "c"] * 4, {"order": ["a,b,d,c"]}, "lists d, which y does not hold"),
        (["a", "b", "c"] * 4, {"order": ["a,b,c,a"]}, "lists a value twice"),
        (["a", "b"] * 6, {"order": ["a,b"], "task": "regression"}, "--order is for --task ordinal"),
    ],
)
def test_a_target_that_cannot_be_explained_is_refused_with_advice(
    tmp_path: Path, y: Any, wishes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(WrongInputError, match=sentence):
        of_columns(tmp_path, {"a": np.arange(12) % 5 / 7, "y": y}, **wishes)


def test_500_different_texts_are_no_target_and_500_numbers_are_a_quantity(tmp_path: Path) -> None:
    a = np.arange(500) % 7 / 3
    with pytest.raises(WrongInputError, match="500 different texts; at most 50 classes"):
        of_columns(tmp_path, {"a": a, "y": [f"t{k}" for k in range(500)]})
    assert of_columns(tmp_path, {"a": a, "y": np.arange(500)}).task == "regression"
    with pytest.raises(WrongInputError, match="at most 50 ordered classes, but y has 500"):
        of_columns(tmp_path, {"a": a, "y": np.arange(500)}, task="ordinal")


# Names


def test_columns_are_chosen_by_names_that_may_have_commas(tmp_path: Path) -> None:
    columns = {
        "weight, kg": [0.5, 1.5, 2.5, 3.5],
        "b": [0.1, 0.2, 0.3, 0.5],
        "c": [1.1, 2.2, 3.3, 1.0],
        "d": [1.1, 2.2, 3.3, 1.0],
    }
    found = of_columns(tmp_path, columns, drop=["weight, kg"], privileged=["c,d"])
    assert list(found.X) == ["b"]
    assert list(found.X_priv) == ["c", "d"]
    assert said(found, "weight, kg was left out, as asked")
    found = of_columns(tmp_path, columns, keep=['"weight, kg",b', "c"])
    assert list(found.X) == ["weight, kg", "b", "c"]


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        ({"drop": ["lenght"]}, "--drop: the table has no column 'lenght'; did you mean 'Length'?"),
        ({"keep": ["qqq"]}, "--keep: the table has no column 'qqq'; its columns are Length"),
        ({"privileged": ["y"]}, "'y' is named by --target and by --privileged; name it once"),
        ({"drop": ["a"], "privileged": ["a"]}, "'a' is named by --privileged and by --drop"),
        ({"drop": ["a"], "keep": ["a"]}, "'a' is named by --keep and by --drop"),
        ({"drop": ["Length,a"]}, "Beside the target 'y' no column is left as a feature"),
        ({"keep": [""]}, "--keep '' names no column; name one, as in --keep 'Length', or leave"),
        ({"privileged": [" ,"]}, "--privileged ' ,' names no column"),
        ({"keep": ["y"]}, "Beside the target 'y' no column is left as a feature"),
    ],
)
def test_wrong_names_are_refused_with_advice(
    tmp_path: Path, wishes: dict[str, Any], sentence: str
) -> None:
    columns = {"Length": [0.5, 1.5, 2.5], "a": [0.1, 0.2, 0.3], "y": [0, 1, 0]}
    with pytest.raises(WrongInputError) as refused:
        of_columns(tmp_path, columns, **wishes)
    assert sentence in str(refused.value)


def test_a_privileged_column_without_use_is_refused(tmp_path: Path) -> None:
    columns = {"a": [0.5, 1.5, 2.5], "note": ["x", "x", "x"]}
    with pytest.raises(WrongInputError, match="No privileged feature is left"):
        of_columns(tmp_path, columns, privileged=["note"])
