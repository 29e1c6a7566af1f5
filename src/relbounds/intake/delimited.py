"""How are the cells of a text file told apart? Delimiter, encoding, header of CSV files."""

import codecs
import csv
import io
import re
import warnings
from itertools import islice
from pathlib import Path

import pandas as pd
from pandas.errors import ParserError, ParserWarning

from relbounds.intake.headers import readable_names
from relbounds.intake.journal import Journal
from relbounds.intake.refusal import WrongInputError

_DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}
"""Of those that fit as well, the first: commas are in numbers and in texts too."""
_SAMPLE = 1 << 16  # characters that are looked at to guess the delimiter
_CHUNK = 1 << 20
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NEVER_IN_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")

MISSING = (
    *("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan"),
    *("NULL", "null", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?"),
)
"""Cells without a value. ``None`` is not among them: it is a grade ('none, mild, severe')."""


def read_delimited(path: Path, journal: Journal) -> tuple[pd.DataFrame, str]:
    """The table, and the character between its cells."""
    encoding = _encoding(path, journal)
    with path.open(encoding=encoding, newline="") as file:
        sample = file.read(_SAMPLE)
    if not sample.strip():
        raise WrongInputError(f"{path} is empty; a table with a row of column names was expected.")
    delimiter = guess_delimiter(sample)
    if delimiter != ",":
        journal.note(f"Cells are separated by {_DELIMITERS[delimiter]}.")
    names = _names(_records(sample, delimiter), journal)
    return _read(path, encoding, delimiter, names), delimiter


def _encoding(path: Path, journal: Journal) -> str:
    with path.open("rb") as file:
        start = file.read(_SAMPLE)
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    if _NEVER_IN_TEXT.search(start):
        raise WrongInputError(
            f"{path} is no table that can be read; CSV, TSV, Parquet, Excel (.xlsx) or Feather "
            "was expected."
        )
    encoding = next(each for each in ("utf-8", "cp1252", "latin-1") if _decodes(path, each))
    if encoding != "utf-8":
        journal.note(
            f"The file is not UTF-8 and was read as {encoding}; look whether accented letters "
            "are right."
        )
    return encoding


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        try:
            for chunk in iter(lambda: file.read(_CHUNK), b""):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def guess_delimiter(sample: str) -> str:
    """The delimiter that cuts most lines into as many cells as the header, and into most cells."""

    def fitness(delimiter: str) -> tuple[bool, float, int]:
        header, *rows = _records(sample, delimiter)
        as_header = [len(row) == len(header) for row in rows]
        share = sum(as_header) / len(rows) if rows else 1.0
        return len(header) > 1, share, len(header)

    best = max(_DELIMITERS, key=fitness)
    has_columns, *_ = fitness(best)
    return best if has_columns else ","


def _records(sample: str, delimiter: str) -> list[list[str]]:
    """The first lines as cells; the last one may be cut off and is left out."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=True)
    lines = [line for line in islice(reader, 1000) if line]
    whole = len(sample) < _SAMPLE or len(lines) == 1
    return lines if whole else lines[:-1]


def _names(records: list[list[str]], journal: Journal) -> list[str]:
    """Names of the columns. R leaves out that of the row names; some programs end rows twice."""
    header, *rows = records
    if rows and len(rows[0]) == len(header) + 1:
        header = [*header, ""] if not rows[0][-1].strip() else ["", *header]
    return readable_names(header, journal)


def _read(path: Path, encoding: str, delimiter: str, names: list[str]) -> pd.DataFrame:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", ParserWarning)  # cells would be lost
            return pd.read_csv(
                path,
                sep=delimiter,
                encoding=encoding,
                header=0,
                names=names,
                index_col=False,
                skipinitialspace=True,
                keep_default_na=False,
                na_values=list(MISSING),
                low_memory=False,
            )
    except ParserWarning as error:
        raise WrongInputError(
            f"{path}: rows have more cells than the {len(names)} column names; give every column "
            "a name, and put cells that hold a delimiter between quotation marks."
        ) from error
    except ParserError as error:
        raise WrongInputError(f"{path} is no table that can be read: {_reason(error)}.") from error


def _reason(error: ParserError) -> str:
    """What pandas says, in words: it counts lines from 1, the header included."""
    text = str(error).strip()
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", text):
        expected, line, saw = found.groups()
        return f"line {line} has {saw} cells, the lines before {expected}; correct that line"
    if "EOF inside string" in text:
        return "a quotation mark is opened and never closed; close it"
    return text.removeprefix("Error tokenizing data. C error: ")
