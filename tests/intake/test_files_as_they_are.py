"""Files that are packed, divided, headed by titles or no tables: read right, or refused."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved

from relbounds.exceptions import WrongInputError
from relbounds.intake import Journal, Layout, RawTable, packed, read_table
from relbounds.intake.layout import holds_names, n_titles


def gzipped(content: bytes) -> bytes:
    """The same bytes at any time: names of tests are made of them."""
    return gzip.compress(content, mtime=0)


def read(path: Path, **layout: object) -> tuple[RawTable, str]:
    """The table, and all that was said of it."""
    journal = Journal()
    table = read_table(path, journal, Layout(**layout))  # type: ignore[arg-type]
    return table, " ".join(journal.notes)


def refused(path: Path, **layout: object) -> str:
    with pytest.raises(WrongInputError) as error:
        read(path, **layout)
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


def assert_patients(table: RawTable) -> None:
    pd.testing.assert_frame_equal(table.frame, patients(), check_dtype=False)


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


CSV = as_text(patients()).encode()


# Packed


def as_parquet() -> bytes:
    content = io.BytesIO()
    patients().to_parquet(content)
    return content.getvalue()


@pytest.mark.parametrize("content", [CSV, as_parquet()], ids=["csv", "parquet"])
def test_what_is_packed_by_gzip_is_read(tmp_path: Path, content: bytes) -> None:
    table, said = read(saved(tmp_path / "table.gz", gzipped(content)))
    assert_patients(table)
    assert said.startswith("table.gz has 60 rows")
    assert list(tmp_path.iterdir()) == [tmp_path / "table.gz"], "nothing is left behind"


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"__MACOSX/._table.csv": b"x", ".DS_Store": b"x"},
        {"README.txt": b"About", "licence.pdf": b"%PDF"},
    ],
    ids=["alone", "with traces of a system", "with a text about it"],
)
def test_the_one_table_of_a_zip_is_read_and_named(tmp_path: Path, others: dict[str, bytes]) -> None:
    table, said = read(zipped(tmp_path / "all.zip", {"data/table.csv": CSV, **others}))
    assert_patients(table)
    assert "data/table.csv was unpacked from all.zip." in said


def test_several_tables_of_a_zip_are_named(tmp_path: Path) -> None:
    path = zipped(tmp_path / "all.zip", {"train.csv": CSV, "test.csv": CSV})
    assert "has 2 files, train.csv and test.csv; unpack it and name the one" in refused(path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (gzipped(CSV)[:-200], "is damaged or no table"),
        (gzipped(CSV)[:5], "is damaged or no table"),
        (gzipped(gzipped(CSV)), "is packed more than once; unpack it first"),
        (gzipped(b""), "is empty; a table"),
        (b"PK\x05\x06" + bytes(18), "is an empty archive"),
        (b"BZh91AY&SY", "packed in a way that is not read here; unpack it, or pack it as .gz"),
        (b"\xfd7zXZ\x00\x00", "packed in a way that is not read here"),
    ],
)
def test_what_cannot_be_unpacked_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    assert sentence in refused(saved(tmp_path / "table.gz", content))


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that is reached with less waiting; it is 67 MB otherwise."""
    monkeypatch.setattr(packed, "ALWAYS", 100_000)


def gzip_bomb(path: Path) -> Path:
    return saved(path, gzipped(bytes(2_000_000)))


def hidden_gzip_bomb(path: Path) -> Path:
    """The last of its parts is small, and the size of that is all that the end of a file tells."""
    return saved(path, gzipped(bytes(2_000_000)) + gzipped(b"1"))


def zip_bomb(path: Path) -> Path:
    return zipped(path, {"table.csv": bytes(2_000_000)})


def workbook_bomb(path: Path) -> Path:
    sheet = {"xl/workbook.xml": b"<workbook/>", "xl/worksheets/sheet1.xml": bytes(2_000_000)}
    return zipped(path, sheet)


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize("bomb", [gzip_bomb, hidden_gzip_bomb, zip_bomb, workbook_bomb])
def test_what_becomes_far_too_much_is_refused(tmp_path: Path, bomb: Callable[[Path], Path]) -> None:
    assert "MB, far more than a table of its size" in refused(bomb(tmp_path / "bomb"))


@pytest.mark.usefixtures("little_room")
def test_a_large_table_that_packs_well_is_no_bomb(tmp_path: Path) -> None:
    random = np.random.RandomState(0)
    lines = "".join(f"{a},{b},0,0,0,0,0,0\n" for a, b in random.randint(0, 9, (9000, 2)))
    packed_well = gzipped(f"a,b,c,d,e,f,g,h\n{lines}".encode())
    assert 8 * len(packed_well) < 9000 * 16
    table, _ = read(saved(tmp_path / "large.csv.gz", packed_well))
    assert len(table.frame) == 9000


def test_a_zip_with_a_password_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "secret.zip", {"table.csv": CSV})
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    path.write_bytes(content)
    assert "has a password; unpack it" in refused(path)


# Folders


def test_a_folder_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    for part in range(3):
        patients().iloc[20 * part : 20 * part + 20].to_parquet(tmp_path / f"part-{part}.parquet")
    saved(tmp_path / "_SUCCESS", "")
    table, said = read(tmp_path)
    assert_patients(table)
    assert "3 Parquet files of the folder were put together." in said


def test_folders_named_after_values_make_a_column(tmp_path: Path) -> None:
    for year, rows in patients().groupby(np.arange(60) % 2 + 2020):
        (tmp_path / f"year={year}").mkdir()
        rows.to_parquet(tmp_path / f"year={year}" / "part.parquet")
    table, _ = read(tmp_path)
    assert table.frame["year"].astype(int).value_counts().to_dict() == {2020: 30, 2021: 30}


def test_parquet_files_of_different_columns_are_not_put_together(tmp_path: Path) -> None:
    patients().to_parquet(tmp_path / "a.parquet")
    patients().assign(more=1.5).to_parquet(tmp_path / "b.parquet")
    sentence = refused(tmp_path)
    assert "b.parquet and a.parquet have different columns: only one of them has 'more'" in sentence


def test_a_folder_of_other_files_is_no_table(tmp_path: Path) -> None:
    patients().to_parquet(tmp_path / "a.parquet")
    saved(tmp_path / "b.csv", CSV)
    assert "is a folder; name the file in it that has the table" in refused(tmp_path)


# No tables


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"%PDF-1.7\n1 0 obj", "is a PDF document and no table"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is a picture and no table"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is a picture and no table"),
        (b"<!DOCTYPE html>\n<html><table><tr><td>1</td></tr></table></html>", "is a web page"),
        (b"\xef\xbb\xbf\n<html lang='en'>", "is a web page"),
        (b"<?xml version='1.0'?><a/>", "is an XML file"),
        (json.dumps(patients().to_dict("records")).encode(), "is a JSON file"),
        (b'{"a": [1, 2], "b": [3, 4]}', "is a JSON file"),
        (b"[[1, 2], [3, 4]]\n", "is a JSON file"),
        (b"SQLite format 3\x00", "is a database"),
        (b"RDX3\nX\n", "is a file of R; write.csv"),
        (gzipped(b"RDX3\nX\n"), "is a file of R; write.csv"),
        (b"a\x00" * 257 + b"x", "is no table that can be read"),
        (bytes(257) + b"ustar\x0000", "is an archive of files (tar)"),
        (gzipped(b"x" * 257 + b"ustar\x0000"), "is an archive of files (tar)"),
    ],
)
def test_what_is_no_table_is_called_by_its_name(tmp_path: Path, content: bytes, what: str) -> None:
    assert what in refused(saved(tmp_path / "table.csv", content))


def test_a_document_of_word_is_no_table(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.docx", {"[Content_Types].xml": b"", "word/document.xml": b"<w/>"})
    assert "has 2 files" in refused(path)


def test_names_in_brackets_are_no_json(tmp_path: Path) -> None:
    table, _ = read(saved(tmp_path / "table.csv", "[id],[value]\n1,2\n2,3\n3,5\n"))
    assert list(table.frame) == ["[id]", "[value]"]


# Sheets


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"about": ["this", "and that"]}).to_excel(writer, sheet_name="Read me")
        patients().to_excel(writer, sheet_name="2", index=False)
        patients().head(0).to_excel(writer, sheet_name="empty", index=False, header=False)
    return path


@pytest.mark.parametrize("sheet", ["2"])
def test_a_sheet_is_chosen_by_its_name_or_its_number(book: Path, sheet: str) -> None:
    table, said = read(book, sheet=sheet)
    assert_patients(table)
    assert "sheets" not in said
    assert list(read(book, sheet="1")[0].frame)[-1] == "about"


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(book: Path) -> None:
    for sheet in ("Data", "4", "0", "-1"):
        sentence = refused(book, sheet=sheet)
        assert f"--sheet {sheet}: " in sentence
        assert "its sheets are 'Read me', '2' and 'empty', from 1 to 3." in sentence


def test_without_a_sheet_the_option_is_told(book: Path) -> None:
    assert "--sheet NAME reads another: '2' and 'empty'" in read(book)[1]
    assert "the sheet 'empty' is empty" in refused(book, sheet="empty")


def test_options_without_meaning_for_a_file_are_refused(tmp_path: Path) -> None:
    saved(tmp_path / "a.csv", CSV)
    patients().to_parquet(tmp_path / "a.parquet")
    assert "--sheet has no meaning for" in refused(tmp_path / "a.csv", sheet="1")
    for layout, option in (({"skip_rows": 1}, "--skip-rows"), ({"header": False}, "--no-header")):
        assert f"{option} has no meaning for" in refused(tmp_path / "a.parquet", **layout)
    assert "--skip-rows must be at least 0; got -1" in refused(tmp_path / "a.csv", skip_rows=-1)
    assert "has nothing below --skip-rows 99" in refused(tmp_path / "a.csv", skip_rows=99)


# Titles


TITLES = {
    "a line": "Patients of 2024\n",
    "lines and a gap": "Patients of 2024\nprinted on 2024-12-31\n\n",
    "cells": "Patients of 2024,,,,,\nSource:,the ward,,,,\n",
    "remarks": "# patients, all of them\n# doses in mg, heights in cm\n",
    "a quotation of two lines": '"Patients\nof 2024"\n',
}


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_titles_are_found_and_said(tmp_path: Path, title: str) -> None:
    table, said = read(saved(tmp_path / "table.csv", title.encode() + CSV))
    assert_patients(table)
    assert "What stands above the names of the columns was left out: " in said
    assert "--skip-rows 0" in said


def test_titles_of_a_sheet_are_found_and_said(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as writer:
        patients().to_excel(writer, index=False, startrow=3)
        writer.sheets["Sheet1"]["A1"] = "Patients of 2024"
    table, said = read(path)
    assert_patients(table)
    assert "was left out: 'Patients of 2024' (--skip-rows 0" in said
    assert_patients(read(path, skip_rows=3)[0])


def test_titles_beside_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    text = "Messwerte, Station 5\n" + as_text(patients(), delimiter=";", decimal=",")
    table, _ = read(saved(tmp_path / "table.csv", text))
    assert list(table.frame) == list(patients())
    assert table.delimiter == ";"


def test_lines_are_skipped_as_asked(tmp_path: Path) -> None:
    text = b"made by,a,program\nand its,next,line\n" + CSV
    table, said = read(saved(tmp_path / "table.csv", text), skip_rows=2)
    assert_patients(table)
    assert "left out" not in said


def test_a_wrong_line_below_titles_has_its_number_in_the_file(tmp_path: Path) -> None:
    text = "Report\n\na,b\n1,2\n2,3\n3,4,5\n"
    assert "line 6 has 3 cells" in refused(saved(tmp_path / "table.csv", text))
    assert "line 6 has 3 cells" in refused(saved(tmp_path / "table.csv", text), skip_rows=2)


@pytest.mark.parametrize(
    "rows",
    [
        [["a"], ["row1", "1.5"], ["row2", "2.5"], ["row3", "0.5"]],
        [["a", "b"], ["x", "1", "5"], ["y", "2", "6"], ["z", "2", "6"]],
        [["a", "", ""], ["1", "2", "3"], ["1", "2", "3"]],
        [["", "x"], ["1", "2"], ["2", "2"]],
    ],
)
def test_a_header_with_gaps_is_no_title(rows: list[list[str]]) -> None:
    assert n_titles(rows) == 0


# Headers


IRIS = "5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n6.3,3.3,Iris-virginica\n5.8,2.7,Iris-virginica\n"


def test_a_file_without_names_is_found_and_said(tmp_path: Path) -> None:
    path = saved(tmp_path / "iris.data", IRIS)
    table, said = read(path)
    assert table.frame["column 1"].tolist() == [5.1, 4.9, 6.3, 5.8]
    assert "first row holds values and no names" in said
    assert "--header if" in said
    assert list(read(path, header=True)[0].frame) == ["5.1", "3.5", "Iris-setosa"]


def test_a_file_without_names_is_read_as_asked(tmp_path: Path) -> None:
    text = "Ann,Berlin\nBob,Rome\nCid,Paris\n"
    table, said = read(saved(tmp_path / "table.csv", text), header=False)
    assert table.frame.to_numpy().tolist() == [["Ann", "Berlin"], ["Bob", "Rome"], ["Cid", "Paris"]]
    assert "first row" not in said


def test_a_sheet_without_names_is_found(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    patients().to_excel(path, index=False, header=False)
    table, said = read(path)
    assert table.frame["column 2"].tolist() == patients()["dose"].tolist()
    assert "first row holds values" in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n3,4\n5,6", True),
        ("year,1990,2000\nx,1.5,2.5\ny,0.5,1.5\nx,2,3", None),
        ("0,1,2\n5,7,1\n6,3,9\n1,1,1", None),
        ("id,1990\n1,1.5\n2,0.5\n3,2", True),
        ("39,gov,77516\n50,own,83311\n38,own,21\n52,gov,2\n53,gov,3", False),
        ("p,x\ne,x\np,b\ne,b\np,x", False),
        ("class,shape\ne,x\np,b\ne,b\np,x", True),
        ("?,5.5\n3,2.5\n4,1.5", False),
        ("2024-01-01,1.5\n2024-01-02,2.5\n2024-01-03,3.5", False),
        ("Ann,Berlin\nBob,Rome\nCid,Paris", None),
        ("a,b", None),
    ],
)
def test_names_are_told_from_values(text: str, expected: bool | None) -> None:
    assert holds_names([line.split(",") for line in text.splitlines()]) is expected


def test_numbers_that_were_taken_for_names_are_said(tmp_path: Path) -> None:
    table, said = read(saved(tmp_path / "table.csv", "0,1,2\n5,7,1\n6,3,9\n1,1,1\n"))
    assert list(table.frame) == ["0", "1", "2"]
    assert "taken for the names of columns (--no-header" in said


def test_a_header_longer_than_what_is_looked_at_is_read_as_a_whole(tmp_path: Path) -> None:
    names = [f"a column with quite a long name, number {k}" for k in range(5000)]
    frame = pd.DataFrame(np.zeros((3, 5000)), columns=names)
    table, _ = read(saved(tmp_path / "wide.csv", as_text(frame)))
    assert list(table.frame) == names
