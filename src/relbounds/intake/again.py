"""How are cells of new rows read, now that it is known what a column holds?"""

from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from relbounds.arrays import FloatArray
from relbounds.intake.columns import Column, Kind, read_as_text
from relbounds.intake.dates import SECONDS, days_of, days_since_1970
from relbounds.intake.numbers import numbers_of

_ISO = "ISO8601"
_TRUTH = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0}


def read_again(known: Column, cells: "pd.Series[Any]") -> Column:
    """A column of new rows, read like the one that is known; what cannot be is missing."""
    if known.kind == Kind.TEXT:
        return read_as_text(known.name, cells)
    values = _values(known, cells)
    there = np.where(np.isfinite(values), values, np.nan)
    return Column(known.name, known.kind, there, reading=known.reading)


def _values(known: Column, cells: "pd.Series[Any]") -> FloatArray:
    dtype = cells.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _values(known, cells.astype(dtype.categories.dtype))
    if types.is_datetime64_any_dtype(dtype):
        return days_since_1970(cells) - known.reading.first_day
    if types.is_timedelta64_dtype(dtype):
        seconds = cells.dt.total_seconds().to_numpy(np.float64, na_value=np.nan)
        return np.asarray(seconds / SECONDS, dtype=np.float64)
    if types.is_numeric_dtype(dtype) and known.kind != Kind.DATE:
        return cells.to_numpy(np.float64, na_value=np.nan)
    return _of_texts(
        known, [str(cell).strip() for cell in cells.astype(object).where(cells.notna(), "")]
    )


def _of_texts(known: Column, texts: list[str]) -> FloatArray:
    how = known.reading
    if known.kind == Kind.NUMBER:
        return numbers_of(
            texts, decimal_comma=how.decimal_comma, thousands=how.thousands, unit=how.unit
        )
    if known.kind == Kind.DATE:
        return days_of(texts, how.format or _ISO) - how.first_day
    return np.array([_TRUTH.get(text.lower(), np.nan) for text in texts])
