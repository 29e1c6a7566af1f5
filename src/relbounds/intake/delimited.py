"""How is a text file read? Encodings, delimiters and headers as they are found."""

import codecs
import csv
import io
import re
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

import pandas as pd
from pandas.errors import ParserError, ParserWarning

from relbounds.exceptions import WrongInputError
from relbounds.intake.contents import EXPECTED, Source
from relbounds.intake.journal import Journal
from relbounds.intake.layout import LOOKED_AT, MISSING, Layout, find_start, usual_width

_DELIMITERS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}
"""Of those that fit as well, the first: commas are in numbers and in texts too."""
_SAMPLE = 1 << 16  # characters that are looked at to guess the delimiter,
_AT_LEAST = 20  # and lines beyond, which can be long
_CHUNK = 1 << 20
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NEVER_IN_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")


@dataclass(frozen=True)
class Record:
    """The cells of a row, and the number of its last line."""

    cells: list[str]
    line: int


def read_delimited(source: Source, layout: Layout, journal: Journal) -> tuple[pd.DataFrame, str]:
    """The table, and the character between its cells."""
    layout.refuse(f"{source}, which is a text file", "--sheet")
    encoding = _encoding(source, journal)
    skipped = layout.skip_rows or 0
    with source.path.open(encoding=encoding, newline="") as file:
        _skip(file, skipped)
        sample = "".join([file.read(_SAMPLE), *islice(file, _AT_LEAST)])
    if not sample.strip():
        raise WrongInputError(
            f"{source} {_nothing_below(skipped)}; a table with a row of column names was expected."
        )
    delimiter = guess_delimiter(sample)
    if delimiter != ",":
        journal.note(f"Cells are separated by {_DELIMITERS[delimiter]}.")
    records = _records(sample, delimiter)
    if not records:
        raise WrongInputError(f"{source} is no table that can be read: its cells are too long.")
    start = find_start([each.cells for each in records], layout, journal)
    n_above = start.n_before + start.has_header
    lines = skipped + (records[n_above - 1].line if n_above else 0)
    return _read(source, encoding, delimiter, start.names, lines), delimiter


def _skip(file: io.TextIOBase, n_lines: int) -> None:
    for _ in islice(file, n_lines):
        pass


def _nothing_below(skipped: int) -> str:
    return f"has nothing below --skip-rows {skipped}" if skipped else "is empty"


def _encoding(source: Source, journal: Journal) -> str:
    with source.path.open("rb") as file:
        start = file.read(_SAMPLE)
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    if _NEVER_IN_TEXT.search(start):
        raise WrongInputError(f"{source} is no table that can be read; {EXPECTED} was expected.")
    encoding = next(each for each in ("utf-8", "cp1252", "latin-1") if _decodes(source, each))
    if encoding != "utf-8":
        journal.note(
            f"The file is not UTF-8 and was read as {encoding}; look whether accented letters "
            "are right."
        )
    return encoding


def _decodes(source: Source, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    with source.path.open("rb") as file:
        try:
            for chunk in iter(lambda: file.read(_CHUNK), b""):
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def guess_delimiter(sample: str) -> str:
    """The delimiter that cuts most lines into the same number of cells, and into most cells."""

    def fitness(delimiter: str) -> tuple[bool, float, int]:
        rows = [each.cells for each in _records(sample, delimiter)]
        if not rows:
            return False, 0.0, 0
        width = usual_width(rows)
        share = sum(len(row) == width for row in rows) / len(rows)
        return width > 1, share, width

    best = max(_DELIMITERS, key=fitness)
    has_columns, *_ = fitness(best)
    return best if has_columns else ","


def _records(sample: str, delimiter: str) -> list[Record]:
    """The first rows that are not empty, up to a cell that is too long for one."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, skipinitialspace=True)
    found: list[Record] = []
    with suppress(csv.Error):
        for cells in reader:
            if any(map(str.strip, cells)):
                found.append(Record(cells, reader.line_num))
            if len(found) == LOOKED_AT:
                break
    return found


def _read(
    source: Source, encoding: str, delimiter: str, names: Sequence[str], skipped: int
) -> pd.DataFrame:
    try:
        with source.path.open(encoding=encoding, newline="") as file, warnings.catch_warnings():
            warnings.simplefilter("error", ParserWarning)  # cells would be lost
            _skip(file, skipped)
            return pd.read_csv(
                file,
                sep=delimiter,
                header=None,
                names=list(names),
                index_col=False,
                skipinitialspace=True,
                keep_default_na=False,
                na_values=list(MISSING),
                low_memory=False,
            )
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=list(names))
    except ParserWarning as error:
        raise WrongInputError(
            f"{source}: rows have more cells than the {len(names)} column names; give every column "
            "a name, and put cells that hold a delimiter between quotation marks."
        ) from error
    except ParserError as error:
        reason = _reason(error, skipped)
        raise WrongInputError(f"{source} is no table that can be read: {reason}.") from error


def _reason(error: ParserError, skipped: int) -> str:
    """What pandas says, in words; it counts lines from where it began to read."""
    text = str(error).strip()
    if found := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", text):
        expected, line, saw = map(int, found.groups())
        where = f"line {line + skipped}"
        return f"{where} has {saw} cells, the lines before {expected}; correct that line"
    if "EOF inside string" in text:
        return "a quotation mark is opened and never closed; close it"
    return text.removeprefix("Error tokenizing data. C error: ")
