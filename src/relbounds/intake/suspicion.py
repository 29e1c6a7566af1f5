"""Do the gaps of a column tell the outcome? A date of death is empty for all who live."""

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from relbounds.intake.columns import Column
from relbounds.intake.journal import Journal
from relbounds.intake.target import Outcome
from relbounds.wording.text import counted, is_or_are, listed

_BY_CHANCE = 1e-3  # how often gaps of any column may fall so by chance


def warn_of_telling_gaps(
    columns: Sequence[Column], outcome: Outcome, target: str, journal: Journal
) -> None:
    """Name columns that are empty in all rows of some classes, and not in all of the others.

    They are told together if they are empty in the same classes.
    """
    if outcome.task == "regression":
        return
    values, codes = np.unique(np.asarray(outcome.y), return_inverse=True)
    labels = np.array([_written(each) for each in values.tolist()])
    found: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        empty = _empty_classes(column.missing, codes, _BY_CHANCE / len(columns))
        if len(empty):
            found.setdefault(tuple(labels[empty].tolist()), []).append(column.name)
    for classes, names in found.items():
        n_rows = int(np.isin(labels[codes], classes).sum())
        it, known = ("it", "is it") if len(names) == 1 else ("them", "are they")
        options = " ".join(f"--drop {shlex.quote(name)}" for name in names)
        journal.warn(
            f"{listed(names)} {is_or_are(names)} empty in every row where {target} is "
            f"{_either(classes)} ({counted(n_rows, 'row')}), so that gaps tell the outcome: "
            f"{known} known only afterwards? Leave {it} out with {options}."
        )


def _empty_classes(missing: np.ndarray, codes: np.ndarray, by_chance: float) -> np.ndarray:
    """Classes without any value, unless chance leaves so many rows empty."""
    filled = np.bincount(codes[~missing], minlength=int(codes.max()) + 1)
    empty = np.flatnonzero(filled == 0)
    n_empty = int(np.isin(codes, empty).sum())
    return empty if missing.mean() ** n_empty <= by_chance else empty[:0]


def _written(label: Any) -> str:
    """As people write it: 1 rather than 1.0."""
    return f"{label:g}" if isinstance(label, float) else str(label)


def _either(classes: Sequence[str]) -> str:
    *others, last = classes
    return f"{', '.join(others)} or {last}" if others else last
