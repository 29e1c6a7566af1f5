"""How are results shown beside the paper's? Markdown pages, CSV tables and where they come from."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

PACKAGES = ("relbounds", "numpy", "scipy", "scikit-learn", "highspy", "pandas")


def number(value: float, digits: int = 2, signed: bool = False) -> str:
    """So many digits after the point, a dash where there is no number."""
    if value is None or np.isnan(value):
        return "-"
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"


def beside(ours: float, paper: float | None, digits: int = 2) -> str:
    """Ours, and in brackets the paper's and by how much ours is larger: ``0.99 (0.95, +0.04)``.

    The difference is that of the unrounded number.
    """
    if paper is None or np.isnan(ours):
        return number(ours, digits)
    return f"{number(ours, digits)} ({number(paper, digits)}, {number(ours - paper, digits, True)})"


def compared(
    table: pd.DataFrame, value: str, printed: Mapping[tuple, float], keys: Sequence[str]
) -> pd.DataFrame:
    """The table with the columns ``paper`` and ``difference`` after ``value``.

    ``printed`` is looked up by the columns ``keys``; what the paper does not print is NaN.
    """
    rows = table[list(keys)].itertuples(index=False, name=None)
    paper = np.array([printed.get(row, np.nan) for row in rows], dtype=float)
    found = table.copy()
    place = found.columns.get_loc(value) + 1
    found.insert(place, "paper", paper)
    found.insert(place + 1, "difference", found[value] - paper)
    return found


def markdown(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; the first column is text, the others are numbers."""
    aligned = ["---", *["--:"] * (len(header) - 1)]
    lines = [header, aligned, *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in cells)} |" for cells in lines)


def markdown_of(table: pd.DataFrame, digits: int | Mapping[str, int] = 2) -> str:
    """A frame as it stands; whole numbers and texts as they are, others with so many digits."""

    def shown(column: str, value: Any) -> str:
        if not isinstance(value, float | np.floating):
            return str(value)
        wanted = digits if isinstance(digits, int) else digits.get(column, 2)
        return number(value, wanted, signed=column == "difference")

    columns = list(table.columns)
    rows = [
        [shown(column, value) for column, value in zip(columns, row, strict=True)]
        for row in table.itertuples(index=False, name=None)
    ]
    return markdown(columns, rows)


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """A table with full precision."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False, lineterminator="\n")


def write_page(
    path: Path,
    title: str,
    parts: Sequence[str],
    rows: pd.DataFrame,
    *,
    seeds: str,
    packages: Sequence[str] = (),
) -> None:
    """A page of paragraphs, tables and pictures, and at its end where the numbers come from.

    ``seeds`` says which ones were used; ``packages`` are those beyond the library's own.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([f"# {title}", *parts, provenance(rows, seeds, packages)])
    path.write_text(text + "\n")


def provenance(rows: pd.DataFrame, seeds: str, packages: Sequence[str] = ()) -> str:
    """When, with what and from which seeds the rows were computed."""
    dates = sorted(set(rows["date"].astype(str)))
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    used = " and ".join(
        f"{version} (source {source})"
        for version, source in sorted({*zip(rows["relbounds"], rows["source"], strict=True)})
    )
    versions = ", ".join(
        f"{name} {_version(name)}" for name in (*PACKAGES[1:], *packages) if _version(name)
    )
    return (
        f"*Computed {when} with relbounds {used}; written {date.today().isoformat()} with Python "
        f"{platform.python_version()}, {versions}. Seeds: {seeds}. "
        f"The numbers behind it are in `rows.csv` beside this page.*"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
