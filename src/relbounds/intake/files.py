"""How is a file read? Formats, delimiters and headers as they are found."""

import codecs
import csv
import io
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pandas as pd
from pandas.errors import ParserError, ParserWarning

from relbounds.exceptions import WrongInputError
from relbounds.intake.journal import Journal
from relbounds.wording.text import counted, listed

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
BinaryReader = Callable[[Path, Journal], pd.DataFrame]


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as it was in the file, with names that differ.

    Attributes
    ----------
    frame : DataFrame
    source : str
        Name of the file.
    delimiter : str or None
        What separates cells; None if the file is not text.
    """

    frame: pd.DataFrame
    source: str
    delimiter: str | None = None


def read_table(path: Path, journal: Journal) -> RawTable:
    """Read a table from a file, or say in a sentence why not."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError as error:
        raise WrongInputError(f"{path} {_why(error)}") from error
    reader = next((read for magic, read in _BINARY.items() if start.startswith(magic)), None)
    delimiter = None
    if reader is None:
        frame, delimiter = read_delimited(path, journal)
    else:
        frame = _read_binary(reader, path, journal)
    if frame.empty:
        raise WrongInputError(f"{path} has column names but no rows; there is nothing to analyse.")
    journal.notes.insert(
        0,
        f"{path.name} has {counted(len(frame), 'row')} and {counted(frame.shape[1], 'column')}.",
    )
    return RawTable(frame, path.name, delimiter)


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "does not exist; look for spelling mistakes and at the folder you are in."
    if isinstance(error, IsADirectoryError):
        return "is a folder; name the file in it that has the table."
    if isinstance(error, PermissionError):
        return "may not be read by you; change its permissions or copy it."
    return f"cannot be read: {error.strerror}."


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


def _read_binary(reader: BinaryReader, path: Path, journal: Journal) -> pd.DataFrame:
    try:
        return reader(path, journal)
    except ImportError as error:
        raise WrongInputError(
            f"{path} needs a package that is not installed: pip install 'relbounds[files]'."
        ) from error
    except WrongInputError:
        raise
    except Exception as error:  # each of the packages has its own
        raise WrongInputError(
            f"{path} is damaged or no table ({str(error).splitlines()[0]}); save it once more, "
            "perhaps as CSV."
        ) from error


def _parquet(path: Path, journal: Journal) -> pd.DataFrame:
    return _with_names(pd.read_parquet(path), journal)


def _feather(path: Path, journal: Journal) -> pd.DataFrame:
    return _with_names(pd.read_feather(path), journal)


def _with_names(frame: pd.DataFrame, journal: Journal) -> pd.DataFrame:
    """An index that has a name is a column like the others."""
    frame = frame.reset_index(drop=not any(frame.index.names))
    return frame.set_axis(readable_names(list(frame.columns), journal), axis=1)


def _excel(path: Path, journal: Journal) -> pd.DataFrame:
    with pd.ExcelFile(path, engine="openpyxl") as book:
        sheets = book.sheet_names
        cells = pd.read_excel(
            book,
            sheet_name=sheets[0],
            header=None,
            dtype=object,
            keep_default_na=False,
            na_values=list(MISSING),
        )
    if len(sheets) > 1:
        journal.note(f"The file has {len(sheets)} sheets; the first, {sheets[0]!r}, was read.")
    cells = cells.dropna(how="all").dropna(how="all", axis=1)
    if cells.empty:
        raise WrongInputError(f"{path}: the sheet {sheets[0]!r} is empty; a table was expected.")
    names = readable_names(cells.iloc[0].tolist(), journal)
    return cells.iloc[1:].set_axis(names, axis=1).reset_index(drop=True).infer_objects()


def _old_excel(path: Path, journal: Journal) -> pd.DataFrame:
    raise WrongInputError(
        f"{path} is a file of an old Excel; save it as .xlsx or as CSV and try again."
    )


_BINARY: dict[bytes, BinaryReader] = {
    b"PAR1": _parquet,
    b"ARROW1": _feather,
    b"FEA1": _feather,
    b"PK\x03\x04": _excel,
    b"\xd0\xcf\x11\xe0": _old_excel,
}


def readable_names(cells: Sequence[object], journal: Journal) -> list[str]:
    """Names of columns from the cells of a header; what had to be changed is noted."""
    given = [_text(cell) for cell in cells]
    filled = [name or f"column {place}" for place, name in enumerate(given, start=1)]
    if nameless := [name for name, cell in zip(filled, given, strict=True) if not cell]:
        journal.note(f"Columns without a name were called {listed(nameless)}.")
    names = apart(filled)
    if renamed := [new for new, old in zip(names, filled, strict=True) if new != old]:
        journal.note(f"Column names that occur more than once were told apart: {listed(renamed)}.")
    return names


def _text(cell: object) -> str:
    missing = cell is None or cell != cell  # noqa: PLR0124  (NaN differs from itself)
    return "" if missing else str(cell).strip().lstrip("\ufeff")


def apart(names: Iterable[str]) -> list[str]:
    """Names that occur again get a number: ``a``, ``a (2)``, ``a (3)``."""
    names = list(names)
    taken, found = set(names), []
    seen: set[str] = set()
    for name in names:
        number, new = 2, name
        while new in seen or (new != name and new in taken):
            number, new = number + 1, f"{name} ({number})"
        seen.add(new)
        found.append(new)
    return found
