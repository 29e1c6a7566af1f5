"""Which kind of file is it? Its first bytes say so, whatever it is called."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from relbounds.intake.delimited import MISSING, read_delimited
from relbounds.intake.headers import readable_names
from relbounds.intake.journal import Journal, counted
from relbounds.intake.refusal import WrongInputError


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


Reader = Callable[[Path, Journal], pd.DataFrame]


def _read_binary(reader: Reader, path: Path, journal: Journal) -> pd.DataFrame:
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


_BINARY: dict[bytes, Any] = {
    b"PAR1": _parquet,
    b"ARROW1": _feather,
    b"FEA1": _feather,
    b"PK\x03\x04": _excel,
    b"\xd0\xcf\x11\xe0": _old_excel,
}
