"""Where are the benchmark data, and what is in them?

They are not part of the repository. ``folder`` looks for them in this order: a folder that is
given (``--data``), the one that ``RELBOUNDS_DATA`` names, ``data`` in the one that
``RELBOUNDS_SHARED`` names, and ``../shared/data`` beside a checkout.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from relbounds.exceptions import OneHotWarning, RelboundsError

warnings.filterwarnings("ignore", category=OneHotWarning)  # a column for every value, as printed
CHECKOUT = Path(__file__).parent.parent
ORDINAL_SETS = (
    "automobile",
    "bondrate",
    "contact-lenses",
    "eucalyptus",
    "newthyroid",
    "pasture",
    "squash-stored",
    "squash-unstored",
    "tae",
    "winequality-red",
)
"""The ten real sets, in the paper's order."""
FILES = (
    *(f"ordinal/{name}.{kind}" for name in ORDINAL_SETS for kind in ("csv", "test-rows.txt")),
    "compas.csv",
)


class MissingDataError(RelboundsError):
    """The benchmark data are not where they were looked for."""


@dataclass(frozen=True)
class OrdinalSet:
    """A real set with its hold-out partitions.

    Attributes
    ----------
    X : DataFrame
        Unscaled, categories one-hot encoded; eucalyptus has -2147483648 where values are missing.
    y : array of 1..K
    test_rows : list of 30 arrays
        The rows that each partition tests on; the others train.
    """

    X: pd.DataFrame
    y: np.ndarray
    test_rows: list[np.ndarray]

    def train_rows(self, partition: int) -> np.ndarray:
        return np.setdiff1d(np.arange(len(self.y)), self.test_rows[partition])


def folder(given: Path | None = None) -> Path:
    """The folder with the data; ``MissingDataError`` with all that a user needs to know."""
    places = [Path(given)] if given is not None else _usual_places()
    for place in places:
        if all((place / name).exists() for name in FILES):
            return place.resolve()
    lacking = [name for name in FILES if not (places[0] / name).exists()]
    raise MissingDataError(
        f"The benchmark data are not in {' or '.join(map(str, places))} (missing there: "
        f"{lacking[0]} and {len(lacking) - 1} more of {len(FILES)} files): name their folder by "
        "--data or RELBOUNDS_DATA. ordinal/ holds ten sets of the AYRNA 'orreview' collection "
        "(Gutierrez et al. 2016; github.com/ayrna/orca) with the 30 partitions of each, "
        "compas.csv is ProPublica's compas-scores.csv (github.com/propublica/compas-analysis)."
    )


def load(name: str) -> OrdinalSet:
    """One of ``ORDINAL_SETS``."""
    at = folder() / "ordinal"
    table = pd.read_csv(at / f"{name}.csv")
    lines = (at / f"{name}.test-rows.txt").read_text().splitlines()
    test_rows = [np.array(line.split(), dtype=int) for line in lines]
    return OrdinalSet(table.drop(columns="y"), table["y"].to_numpy(), test_rows)


def load_compas() -> pd.DataFrame:
    """ProPublica's table as it is, without the columns that identify people."""
    return pd.read_csv(folder() / "compas.csv")


@contextmanager
def at(place: Path | None) -> Iterator[None]:
    """Inside, the data are looked for in this folder, in processes that are started too."""
    if place is None:
        yield
        return
    before = os.environ.get("RELBOUNDS_DATA")
    os.environ["RELBOUNDS_DATA"] = str(place)
    try:
        yield
    finally:
        if before is None:
            del os.environ["RELBOUNDS_DATA"]
        else:
            os.environ["RELBOUNDS_DATA"] = before


def _usual_places() -> list[Path]:
    if named := os.environ.get("RELBOUNDS_DATA"):
        return [Path(named)]
    if shared := os.environ.get("RELBOUNDS_SHARED"):
        return [Path(shared) / "data"]
    return [CHECKOUT.parent / "shared" / "data"]
