"""What is packed in a file? One table of a .gz or .zip, and never more than a table would take."""

import gzip
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import SEEK_END
from pathlib import Path, PurePosixPath
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import BinaryIO

from relbounds.exceptions import WrongInputError
from relbounds.intake.contents import EMPTY_ZIP, GZIP, ZIP, Source
from relbounds.intake.journal import Journal
from relbounds.wording.text import counted, listed

MOST_OF_A_BYTE = 100
"""A packed byte becomes at most so many: tables shrink to a tenth, rarely to a fiftieth."""
ALWAYS, NEVER = 1 << 26, 1 << 32
"""So many bytes are unpacked whatever they were packed in, and no more than so many."""
_CHUNK = 1 << 20
_MOST_OF_GZIP = 1032  # bytes that one can become, whatever they are
_TABLES = (".csv", ".tsv", ".tab", ".parquet", ".feather", ".arrow", ".xlsx")
_WORKBOOK = "xl/workbook.xml"
_DAMAGES = (EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, NotImplementedError)


@contextmanager
def unpacked(source: Source, journal: Journal) -> Iterator[Source]:
    """The file, or what is packed in it: a copy that is gone afterwards."""
    start = source.start
    if start.startswith(EMPTY_ZIP):
        raise WrongInputError(f"{source} is an empty archive; a table was expected.")
    if not start.startswith((GZIP, ZIP)) or is_workbook(source):
        yield source
        return
    with TemporaryDirectory() as folder:
        inner = _unpack(source, Path(folder) / "table", journal)
        if inner.start.startswith((GZIP, ZIP, EMPTY_ZIP)) and not is_workbook(inner):
            raise WrongInputError(f"{inner} is packed more than once; unpack it first.")
        yield inner


def is_workbook(source: Source) -> bool:
    """Whether an archive is one of Excel, which is read as it is unless it would burst."""
    if not source.start.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(source.path) as archive:
            if _WORKBOOK not in archive.namelist():
                return False
            size = sum(each.file_size for each in archive.infolist())
    except zipfile.BadZipFile as error:
        raise _damaged(source, error) from error
    _refuse_burst(source, size, source.path.stat().st_size)
    return True


def _unpack(source: Source, to: Path, journal: Journal) -> Source:
    try:
        if source.start.startswith(GZIP):
            return _from_gzip(source, to)
        return _from_zip(source, to, journal)
    except _DAMAGES as error:
        raise _damaged(source, error) from error


def _damaged(source: Source, error: Exception) -> WrongInputError:
    return WrongInputError(
        f"{source} is damaged or no table ({str(error).splitlines()[0]}); pack it once more."
    )


def _from_gzip(source: Source, to: Path) -> Source:
    """Stops as soon as too much has come of what was read so far, or its end says that it will."""
    with source.path.open("rb") as file, gzip.GzipFile(fileobj=file) as packed, to.open("wb") as it:
        _refuse_burst(source, _size_told(file), source.path.stat().st_size)
        size = 0
        while chunk := packed.read(_CHUNK):
            size += len(chunk)
            _refuse_burst(source, size, file.tell())
            it.write(chunk)
    return Source(to, str(source))


def _size_told(file: BinaryIO) -> int:
    """What the end of a .gz says will come of it; 0 if that cannot be, as in what is cut off."""
    length = file.seek(0, SEEK_END)
    file.seek(max(length - 4, 0))
    size = int.from_bytes(file.read(), "little")
    file.seek(0)
    return size if size <= _MOST_OF_GZIP * length else 0


def _from_zip(source: Source, to: Path, journal: Journal) -> Source:
    with zipfile.ZipFile(source.path) as archive:
        files = [each for each in archive.infolist() if not _is_hidden(each)]
        chosen = _with_the_table(source, [each.filename for each in files])
        member = next(each for each in files if each.filename == chosen)
        if member.flag_bits & 1:
            raise WrongInputError(f"{source} has a password; unpack it and name the table.")
        _refuse_burst(source, member.file_size, member.compress_size)
        with archive.open(member) as packed, to.open("wb") as it:
            copyfileobj(packed, it)  # never more than it says
    journal.note(f"{chosen} was unpacked from {source.path.name}.")
    return Source(to, f"{source} ({chosen})")


def _is_hidden(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    return member.is_dir() or path.name.startswith(".") or path.parts[0] == "__MACOSX"


def _with_the_table(source: Source, names: Sequence[str]) -> str:
    tables = [name for name in names if name.lower().endswith(_TABLES)]
    for candidates in (names, tables):
        if len(candidates) == 1:
            return candidates[0]
    if not names:
        raise WrongInputError(f"{source} is an empty archive; a table was expected.")
    raise WrongInputError(
        f"{source} has {counted(len(names), 'file')}, {listed(names)}; unpack it and name the one "
        "that has the table."
    )


def _refuse_burst(source: Source, size: int, of_bytes: int) -> None:
    limit = min(max(ALWAYS, MOST_OF_A_BYTE * of_bytes), NEVER)
    if size > limit:
        raise WrongInputError(
            f"{source} would become more than {limit / 1e6:,.3g} MB, far more than a table "
            "of its size; if it is one, unpack it and name the file."
        )
