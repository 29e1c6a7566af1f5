"""What does one partition of a real set train on, and what does it test on?"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from experiments.benchmark_data import ORDINAL_SETS, load
from experiments.pieces import Piece, Row
from relbounds.exceptions import RelboundsWarning

N_PARTITIONS = 30
_SLOWEST = ("eucalyptus", "automobile", "winequality-red")
_QUICK_SETS, _QUICK_PARTITIONS = ("bondrate", "contact-lenses", "newthyroid", "pasture"), 2


@dataclass(frozen=True)
class Partition:
    """One of the partitions of a set; its number is also the seed of all that is drawn."""

    name: str
    number: int
    X_train: pd.DataFrame
    y_train: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray

    @classmethod
    def load(cls, name: str, number: int) -> Self:
        data = load(name)
        train, test = data.train_rows(number), data.test_rows[number]
        X, y = data.X, data.y
        return cls(name, number, X.iloc[train], y[train], X.iloc[test], y[test])


def pieces_of_partitions(
    task: Callable[..., list[Row]], quick: bool, prefix: str = ""
) -> list[Piece]:
    """A piece for each partition of each set, the slowest sets first."""
    others = [name for name in ORDINAL_SETS if name not in _SLOWEST]
    names = _QUICK_SETS if quick else (*_SLOWEST, *others)
    return [
        Piece(f"{prefix}{name} {number}", task, {"name": name, "number": number})
        for name in names
        for number in range(_QUICK_PARTITIONS if quick else N_PARTITIONS)
    ]


def in_papers_order(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of the ten sets (column ``set``) as the paper lists them."""
    place = {name: place for place, name in enumerate(ORDINAL_SETS)}
    return table.sort_values("set", key=lambda names: names.map(place), kind="stable")


@contextmanager
def known_oddities() -> Iterator[None]:
    """Inside, nothing is said of constant columns, rare classes and models without weights.

    These sets have them; the pages say where it matters.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelboundsWarning)
        warnings.filterwarnings("ignore", message="The least populated class")
        yield
