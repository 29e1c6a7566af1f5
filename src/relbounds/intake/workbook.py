"""How is an Excel file read? Which of its sheets, and where the table is in it."""

from collections.abc import Sequence

import pandas as pd

from relbounds.exceptions import WrongInputError
from relbounds.intake.contents import Source
from relbounds.intake.journal import Journal
from relbounds.intake.layout import LOOKED_AT, MISSING, Layout, find_start
from relbounds.intake.names import text_of
from relbounds.wording.text import listed


def read_workbook(source: Source, layout: Layout, journal: Journal) -> pd.DataFrame:
    """The table of the sheet that was asked for, or of the first."""
    with pd.ExcelFile(source.path, engine="openpyxl") as book:
        sheets = [str(name) for name in book.sheet_names]
        sheet = _chosen(source, sheets, layout.sheet)
        cells = pd.read_excel(
            book,
            sheet_name=sheet,
            header=None,
            skiprows=layout.skip_rows,
            dtype=object,
            keep_default_na=False,
            na_values=list(MISSING),
        )
    if len(sheets) > 1 and layout.sheet is None:
        others = listed([repr(each) for each in sheets[1:]])
        journal.note(
            f"The file has {len(sheets)} sheets; the first, {sheet!r}, was read (--sheet NAME "
            f"reads another: {others})."
        )
    cells = cells.dropna(how="all").dropna(how="all", axis=1)
    if cells.empty:
        raise WrongInputError(
            f"{source}: the sheet {sheet!r} is empty{_below(layout)}; a table was expected."
            f"{_others(sheets)}"
        )
    top = cells.head(LOOKED_AT).to_numpy(dtype=object)
    start = find_start([[text_of(cell) for cell in row] for row in top], layout, journal)
    rows = cells.iloc[start.n_before + start.has_header :]
    return rows.set_axis(start.names, axis=1).reset_index(drop=True).infer_objects()


def _chosen(source: Source, sheets: Sequence[str], asked: str | None) -> str:
    if asked is None:
        return sheets[0]
    if asked in sheets:
        return asked
    if asked.isdecimal() and 1 <= int(asked) <= len(sheets):
        return sheets[int(asked) - 1]
    names = listed([repr(each) for each in sheets])
    raise WrongInputError(
        f"--sheet {asked}: {source} has no such sheet; its sheets are {names}, from 1 to "
        f"{len(sheets)}."
    )


def _below(layout: Layout) -> str:
    return f" below --skip-rows {layout.skip_rows}" if layout.skip_rows else ""


def _others(sheets: Sequence[str]) -> str:
    return f" --sheet NAME reads another of {listed(sheets)}." if len(sheets) > 1 else ""
