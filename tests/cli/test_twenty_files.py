"""Files of the kinds that people have: what ``dose`` decides is found, or the option named.

Each is the same table of patients, spoilt in one way.
"""

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

from relbounds.cli.main import main

CSV = as_text(patients())
Writer = Callable[[Path], Path]


def text(content: str | bytes, name: str = "table.csv", encoding: str = "utf-8") -> Writer:
    return lambda folder: saved(folder / name, content, encoding)


def spoilt(**columns: object) -> pd.DataFrame:
    return patients().assign(**columns)


def german() -> pd.DataFrame:
    """With units, decimal commas and points of thousands."""
    frame = patients()
    marks = str.maketrans(",.", ".,")
    return frame.assign(
        dose=[f"{1000 * dose:,.1f} mg".translate(marks) for dose in frame["dose"]],
        height=[f"{height} cm".translate(marks) for height in frame["height"]],
        price=[f"{100 * height:,.2f} €".translate(marks) for height in frame["height"]],
    )


def zipped(members: dict[str, str | bytes]) -> Writer:
    def write(folder: Path) -> Path:
        with zipfile.ZipFile(folder / "table.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return folder / "table.zip"

    return write


def workbook(folder: Path) -> Path:
    with pd.ExcelWriter(folder / "book.xlsx") as book:
        pd.DataFrame({"about": ["patients", "of 2024"]}).to_excel(book, sheet_name="Read me")
        patients().to_excel(book, sheet_name="Data", index=False, startrow=2)
        book.sheets["Data"]["A1"] = "Patients of 2024"
    return folder / "book.xlsx"


def parquet_files(folder: Path) -> Path:
    for part in range(3):
        patients().iloc[part::3].to_parquet(folder / f"{part}.parquet")
    return folder


def parquet() -> bytes:
    content = io.BytesIO()
    patients().to_parquet(content)
    return content.getvalue()


READ: dict[str, tuple[Writer, tuple[str, ...], str]] = {
    "units and currencies": (
        text(as_text(german(), delimiter=";")),
        (),
        "Units beside numbers were left out: dose in 'mg', height in 'cm' and price in '€'.",
    ),
    "dollars": (
        text(as_text(spoilt(price=[f"${1000 + 7 * k:,}" for k in range(60)]))),
        (),
        "Commas separate thousands in price.",
    ),
    "per cent": (
        text(as_text(spoilt(share=[f"{k % 50} %" for k in range(60)]))),
        (),
        "share in '%'",
    ),
    "blanks between thousands": (
        text(as_text(spoilt(pay=[f"{1000 + 7 * k:,},5".replace(",", " ", 1) for k in range(60)]))),
        (),
        "Blanks or apostrophes separate thousands in pay.",
    ),
    "units that are mixed": (
        text(as_text(spoilt(weight=[f"{k} {'kg' if k % 3 else 'lb'}" for k in range(60)]))),
        (),
        "weight has numbers in different units, 'kg' and 'lb' (row 1 is not in 'kg')",
    ),
    "texts among numbers": (
        text(as_text(spoilt(persons=["2", "4", "more"] * 20))),
        (),
        "count as text: persons ('more')",
    ),
    "signs of gaps": (
        text(as_text(spoilt(pulse=[*(str(60 + k / 2) for k in range(57)), "?", "unknown", "-"]))),
        (),
        "count as missing: pulse (3: '-', '?' and 'unknown')",
    ),
    "a title": (text(f"Patients of 2024\n\n{CSV}"), (), "was left out: 'Patients of 2024'"),
    "lines to skip": (text(f"a,b,c,d,e,f\n1,2,3,4,5,6\n{CSV}"), ("--skip-rows", "2"), "60 rows"),
    "Excel's own first line": (
        text(f"sep=;\n{as_text(patients(), delimiter=';')}"),
        (),
        "was left out: 'sep='",
    ),
    "a sheet with a title": (workbook, ("--sheet", "Data"), "was left out: 'Patients of 2024'"),
    "the number of a sheet": (workbook, ("--sheet", "2", "--skip-rows", "2"), "60 rows"),
    "gzip": (text(gzip.compress(CSV.encode()), "table.csv.gz"), (), "table.csv.gz has 60 rows"),
    "Parquet in gzip": (text(gzip.compress(parquet())), (), "60 rows"),
    "zip": (zipped({"a/table.csv": CSV, "about.txt": "hello"}), (), "a/table.csv was unpacked"),
    "a folder of Parquet files": (parquet_files, (), "3 Parquet files of the folder"),
    "row numbers with gaps": (
        text(as_text(spoilt(id=85 + np.arange(60) + np.arange(60) // 4))),
        (),
        "id was left out",
    ),
    "weights": (
        text(as_text(spoilt(w=np.linspace(0.5, 2, 60)))),
        ("--weights", "w"),
        "counts as much as w says",
    ),
    "frequencies": (
        text(as_text(spoilt(n=[1, 2, 3] * 20))),
        ("--counts", "n"),
        "60 rows became 120",
    ),
}


@pytest.mark.parametrize("kind", READ)
def test_a_file_is_read_right_and_said(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write, options, said = READ[kind]
    path = write(tmp_path)
    always = ["--target", "outcome", "--format", "json", "--jobs", "1", "--brief"]
    assert main(["analyze", str(path), *always, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["column"]: row["relevance"] for row in found["columns"]}["dose"] == "strong"
    assert any(said in sentence for sentence in (*found["notes"], *found["warnings"]))


def test_a_file_without_names_is_read_right_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "table.data", CSV.partition("\n")[2])
    always = ["--format", "json", "--jobs", "1", "--brief"]
    for options in ([], ["--no-header"]):
        assert main(["analyze", str(path), "--target", "column 6", *always, *options]) == 0
        found = json.loads(capsys.readouterr().out)
        strong = [row["column"] for row in found["columns"] if row["relevance"] == "strong"]
        assert strong == ["column 2"]


REFUSED: dict[str, tuple[Writer, tuple[str, ...], str]] = {
    "a PDF document": (text(b"%PDF-1.7"), (), "is a PDF document and no table; save its table"),
    "a picture": (text(b"\x89PNG\r\n\x1a\n"), (), "is a picture and no table"),
    "a web page": (text("<!doctype html><table></table>"), (), "is a web page and no table"),
    "JSON": (text('[{"dose": 1}]'), (), "is a JSON file and no table; write it as CSV"),
    "bytes": (text(bytes(range(256))), (), "is no table that can be read; CSV, TSV, Parquet"),
    "nothing": (text(""), (), "is empty; a table with a row of column names was expected"),
    "a bomb": (text(gzip.compress(bytes(70_000_000))), (), "would become more than 67.1 MB"),
    "two tables in a zip": (zipped({"a.csv": CSV, "b.csv": CSV}), (), "2 files, a.csv and b.csv;"),
    "a sheet that is not there": (workbook, ("--sheet", "Date"), "--sheet Date: "),
    "a sheet of a text file": (text(CSV), ("--sheet", "1"), "--sheet has no meaning for"),
    "too many lines to skip": (text(CSV), ("--skip-rows", "99"), "nothing below --skip-rows 99"),
    "a negative weight": (
        text(as_text(spoilt(w=[1.5] * 59 + [-1]))),
        ("--weights", "w"),
        "--weights w has to hold numbers of at least 0, but row 60 has -1.0; correct it",
    ),
    "half a count": (
        text(as_text(spoilt(n=[1.5] * 60))),
        ("--counts", "n"),
        "--counts n has to hold whole numbers of at least 0, but row 1 has 1.5; correct it",
    ),
    "a target of mixed units": (
        text(as_text(spoilt(outcome=[f"{k} {'kg' if k % 3 else 'lb'}" for k in range(60)]))),
        (),
        "--target outcome has numbers in different units, 'kg' and 'lb' (row 1",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_file_is_refused_in_a_sentence_and_nothing_is_written(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    write, options, sentence = REFUSED[kind]
    path = write(tmp_path)
    out = tmp_path / "out"
    arguments = ["--target", "outcome", "--out", str(out), *options]
    assert main(["analyze", str(path), *arguments]) == 2
    (error,) = [each.message for each in caplog.records if each.levelname == "ERROR"]
    assert sentence in error
    assert "\n" not in error
    assert not out.exists()
