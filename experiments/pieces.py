"""How is an experiment computed piece by piece, so that it can stop and go on?

An experiment is a module with

- ``NAME``, ``TITLE`` and ``NEEDS_DATA`` (whether it reads the benchmark data);
- ``pieces(quick)``: independent computations, the longest first, each with a key of its own;
- ``write(rows, out, quick)``: tables and pictures in the folder ``out``, from the rows;
- ``JOBS = 1``, if its pieces measure time and want no neighbours.

A piece's task returns rows (dictionaries of numbers and short texts). They are kept in ``rows.csv``
of the experiment's folder as soon as the piece is done, and a later run computes what is missing.
"""

import logging
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits
from tqdm import tqdm
from tqdm.contrib.logging import logging_redirect_tqdm

import relbounds
from experiments import benchmark_data
from relbounds.exceptions import RelboundsError

Row = dict[str, Any]
_log = logging.getLogger(__name__)


class PiecesFailed(RelboundsError):  # noqa: N818 - what happened, not a mistake of the caller's
    """Some pieces of an experiment could not be computed."""


@dataclass(frozen=True)
class Piece:
    """One independent computation.

    Attributes
    ----------
    key : str
        Unique and stable: it says what the piece is, and what is done is looked up by it.
    task : function of a module
        Other processes have to find it by its name.
    arguments : dict
    """

    key: str
    task: Callable[..., list[Row]]
    arguments: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if set(self.key) & set(',"\n'):
            raise ValueError(f"A key stands in a CSV file without quotes; got {self.key!r}.")


class Experiment(Protocol):
    """What a module of this folder has."""

    NAME: str
    TITLE: str
    NEEDS_DATA: bool

    def pieces(self, quick: bool) -> list[Piece]: ...

    def write(self, rows: pd.DataFrame, out: Path, quick: bool) -> None: ...


def run(
    experiment: Experiment, out: Path, quick: bool, jobs: int, data: Path | None = None
) -> None:
    """Compute what is missing and write the tables; ``PiecesFailed`` if not all could be done."""
    at = benchmark_data.folder(data) if experiment.NEEDS_DATA else None
    folder = (out / "quick" if quick else out) / experiment.NAME
    ledger = Ledger(folder / "rows.csv")
    pieces = experiment.pieces(quick)
    missing = [piece for piece in pieces if piece.key not in ledger.keys]
    _warn_of_other_sources(ledger, experiment.NAME)
    _log.info(
        "%s: %s, %d of %d pieces to do",
        experiment.NAME,
        experiment.TITLE,
        len(missing),
        len(pieces),
    )
    failed = []
    with logging_redirect_tqdm():
        for done in _computed(missing, min(jobs, getattr(experiment, "JOBS", jobs)), at):
            if done.error is None:
                ledger.append(done.rows)
            else:
                failed.append(done.key)
                _log.error("Piece %s failed:\n%s", done.key, done.error)
    rows = ledger.put_in_order([piece.key for piece in pieces])
    if len(rows):
        experiment.write(rows, folder, quick)
    if failed:
        raise PiecesFailed(
            f"{experiment.NAME}: {len(failed)} of {len(pieces)} pieces failed (first: "
            f"{failed[0]}); the others are kept, and the same command tries the failed ones again."
        )


@dataclass(frozen=True)
class _Done:
    """What became of a piece."""

    key: str
    rows: list[Row]
    error: str | None = None


def _computed(pieces: Sequence[Piece], jobs: int, data: Path | None) -> Iterator[_Done]:
    """Pieces as they are done, whichever comes first; a bar on standard error counts them."""
    found = Parallel(jobs, return_as="generator_unordered", batch_size=1)(
        delayed(_compute)(piece, data) for piece in pieces
    )
    yield from tqdm(found, total=len(pieces), unit="piece", disable=not pieces)


def _compute(piece: Piece, data: Path | None) -> _Done:
    """One BLAS thread for each piece: digits do not depend on the number of workers."""
    try:
        with benchmark_data.at(data), threadpool_limits(1, user_api="blas"):
            rows = piece.task(**piece.arguments)
        if not rows:
            raise ValueError("The piece has no rows, so that nothing would tell that it is done.")
    except Exception:  # whatever it is, it is told with the piece's key, and the others go on
        return _Done(piece.key, [], traceback.format_exc())
    stamp = {
        "relbounds": relbounds.__version__,
        "source": source(),
        "date": date.today().isoformat(),
    }
    return _Done(piece.key, [{"piece": piece.key, **row, **stamp} for row in rows])


NAMES = ("piece", "relbounds", "source", "date")
"""Columns that are texts, even where all their letters are digits (as a hash's may be)."""

SHOWING = ("__main__", "cli", "display", "intake", "report", "wording")
"""Modules and folders of the library that read and show, and compute nothing."""


@cache
def source() -> str:
    """The first digits of a hash over all of the library that computes.

    A version number stays the same while the library is worked on; rows of different sources should
    not stand in one table.
    """
    home = Path(relbounds.__file__).parent
    files = {
        path.relative_to(home).as_posix(): path
        for path in home.rglob("*")
        if path.suffix in {".py", ".c", ".h"}
    }
    counted = {
        name: path
        for name, path in sorted(files.items())
        if name.split("/")[0].removesuffix(".py") not in SHOWING
    }
    digest = sha256()
    for name, path in counted.items():
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _warn_of_other_sources(ledger: "Ledger", name: str) -> None:
    others = ledger.sources - {source()}
    if others:
        _log.warning(
            "%s: rows from another state of the library (%s; now %s) are kept. Delete its rows.csv "
            "to compute all with the same.",
            name,
            ", ".join(sorted(others)),
            source(),
        )


class Ledger:
    """The rows of finished pieces, in a CSV file that survives interruptions.

    The rows of a piece are one write. A last line without its end shows that the last write was cut
    short; the piece it belongs to is then forgotten. Cells are kept as the text they were written
    as, so that reading and writing again changes no digit.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cells = pd.DataFrame(columns=["piece"], dtype=str)
        self._is_on_file = False
        if path.exists():
            self._read()

    @property
    def keys(self) -> set[str]:
        """The pieces that are done."""
        return set(self._cells["piece"])

    @property
    def sources(self) -> set[str]:
        """The states of the library that computed them; empty text where it is not known."""
        if "source" not in self._cells:
            return {""} if len(self._cells) else set()
        return set(self._cells["source"])

    @property
    def rows(self) -> pd.DataFrame:
        """All rows, with numbers where all of a column are."""
        return pd.read_csv(StringIO(_text(self._cells)), dtype=dict.fromkeys(NAMES, str))

    def append(self, rows: list[Row]) -> None:
        """Keep the rows of one piece."""
        new = _as_cells(_text(pd.DataFrame(rows)))
        fits = self._is_on_file and set(new.columns) <= set(self._cells.columns)
        self._cells = pd.concat([self._cells, new], ignore_index=True).fillna("")
        if not fits:
            self._rewrite()
            return
        with self._path.open("a", newline="") as file:
            file.write(_text(self._cells.iloc[-len(new) :], header=False))
            file.flush()
            os.fsync(file.fileno())

    def put_in_order(self, keys: Sequence[str]) -> pd.DataFrame:
        """Sort the file as these keys, and give their rows; rows of other keys stay at its end."""
        place = {key: place for place, key in enumerate(keys)}
        places = [place.get(key, len(place)) for key in self._cells["piece"]]
        order = np.argsort(places, kind="stable")
        if not np.array_equal(order, np.arange(len(order))):
            self._cells = self._cells.iloc[order].reset_index(drop=True)
            self._rewrite()
        rows = self.rows
        return rows[rows["piece"].isin(keys)].reset_index(drop=True)

    def _read(self) -> None:
        text = self._path.read_text()
        whole, torn = text[: text.rfind("\n") + 1], text[text.rfind("\n") + 1 :]
        if not whole:
            return
        self._cells, self._is_on_file = _as_cells(whole), True
        if torn:
            self._forget_piece_of(torn)
            self._rewrite()

    def _forget_piece_of(self, torn: str) -> None:
        """Earlier rows of the same piece are the last ones of the file."""
        for last in self._cells["piece"][-1:]:
            if f"{last},".startswith(torn[: len(last) + 1]):
                self._cells = self._cells[self._cells["piece"] != last]

    def _rewrite(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        beside.write_text(_text(self._cells), newline="")
        beside.replace(self._path)
        self._is_on_file = True


def _text(rows: pd.DataFrame, header: bool = True) -> str:
    return rows.to_csv(index=False, header=header, lineterminator="\n")


def _as_cells(text: str) -> pd.DataFrame:
    return pd.read_csv(StringIO(text), dtype=str, keep_default_na=False)
