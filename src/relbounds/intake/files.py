"""How is a file read? Formats as they are found, whatever the file is called."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from relbounds.exceptions import WrongInputError
from relbounds.intake.contents import (
    FEATHER,
    OLD_FEATHER,
    PARQUET,
    ZIP,
    Source,
    refuse_other_contents,
)
from relbounds.intake.delimited import read_delimited
from relbounds.intake.journal import Journal
from relbounds.intake.layout import AS_FOUND, Layout
from relbounds.intake.names import readable_names
from relbounds.intake.packed import unpacked
from relbounds.intake.workbook import read_workbook
from relbounds.wording.text import counted

BinaryReader = Callable[[Source, Layout, Journal], pd.DataFrame]


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


def read_table(path: Path, journal: Journal, layout: Layout = AS_FOUND) -> RawTable:
    """Read a table from a file, or say in a sentence why not."""
    if layout.skip_rows is not None and layout.skip_rows < 0:
        raise WrongInputError(f"--skip-rows must be at least 0; got {layout.skip_rows}.")
    WrongInputError.refuse_missing(path)
    source = Source(path, str(path))
    try:
        if path.is_dir():
            frame, delimiter = _read_folder(source, layout, journal), None
        else:
            with unpacked(source, journal) as inner:
                frame, delimiter = _read_file(inner, layout, journal)
    except OSError as error:
        raise WrongInputError(f"{path} {_why(error)}") from error
    if frame.empty:
        raise WrongInputError(f"{path} has column names but no rows; there is nothing to analyse.")
    journal.notes.insert(
        0,
        f"{path.name} has {counted(len(frame), 'row')} and {counted(frame.shape[1], 'column')}.",
    )
    return RawTable(frame, path.name, delimiter)


def _why(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "may not be read by you; change its permissions or copy it."
    return f"cannot be read: {error.strerror}."


def _read_file(source: Source, layout: Layout, journal: Journal) -> tuple[pd.DataFrame, str | None]:
    refuse_other_contents(source)
    start = source.start
    for magic, reader in _BINARY.items():
        if start.startswith(magic):
            return _read_binary(reader, source, layout, journal), None
    return read_delimited(source, layout, journal)


def _read_folder(source: Source, layout: Layout, journal: Journal) -> pd.DataFrame:
    """The rows of all Parquet files in a folder, which have to have the same columns."""
    files = sorted(each for each in source.path.rglob("*") if _is_visible(each, source.path))
    others = [each for each in files if not Source(each, str(each)).start.startswith(PARQUET)]
    if others or not files:
        raise WrongInputError(
            f"{source} is a folder; name the file in it that has the table. (A folder of Parquet "
            "files alone is read as one table.)"
        )
    frame = _read_binary(_parquet_files(files), source, layout, journal)
    journal.note(f"{counted(len(files), 'Parquet file')} of the folder were put together.")
    return frame


def _is_visible(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return path.is_file() and not any(part.startswith((".", "_")) for part in parts)


def _parquet_files(files: list[Path]) -> BinaryReader:
    def read(source: Source, layout: Layout, journal: Journal) -> pd.DataFrame:
        from pyarrow import parquet  # noqa: PLC0415 - an extra

        first, *others = [(each, set(parquet.read_schema(each).names)) for each in files]
        for each, names in others:
            if differing := sorted(names ^ first[1]):
                raise WrongInputError(
                    f"{each} and {first[0].name} have different columns: only one of them has "
                    f"{differing[0]!r}; name one of the files."
                )
        return _parquet(source, layout, journal)

    return read


def _read_binary(
    reader: BinaryReader, source: Source, layout: Layout, journal: Journal
) -> pd.DataFrame:
    try:
        return reader(source, layout, journal)
    except ImportError as error:
        raise WrongInputError(
            f"{source} needs a package that is not installed: pip install 'relbounds[files]'."
        ) from error
    except WrongInputError:
        raise
    except Exception as error:  # each of the packages has its own
        raise WrongInputError(
            f"{source} is damaged or no table ({str(error).splitlines()[0]}); save it once more, "
            "perhaps as CSV."
        ) from error


def _parquet(source: Source, layout: Layout, journal: Journal) -> pd.DataFrame:
    return _with_names(pd.read_parquet(source.path), source, layout, journal)


def _feather(source: Source, layout: Layout, journal: Journal) -> pd.DataFrame:
    return _with_names(pd.read_feather(source.path), source, layout, journal)


def _with_names(
    frame: pd.DataFrame, source: Source, layout: Layout, journal: Journal
) -> pd.DataFrame:
    """An index that has a name is a column like the others."""
    what = f"{source}, which has one table and its names"
    layout.refuse(what, "--sheet", "--skip-rows", "--header", "--no-header")
    frame = frame.reset_index(drop=not any(frame.index.names))
    return frame.set_axis(readable_names(list(frame.columns), journal), axis=1)


_BINARY: dict[bytes, BinaryReader] = {
    PARQUET: _parquet,
    FEATHER: _feather,
    OLD_FEATHER: _feather,
    ZIP: read_workbook,
}
