"""What kind of column is it? Numbers, truth values, dates or text."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from relbounds.arrays import FloatArray
from relbounds.intake.cells import Reading, Texts, as_dates, as_numbers, days_since_1970


class Kind(StrEnum):
    """What the cells of a column are."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    TEXT = "text"


@dataclass(frozen=True, eq=False)
class Column:
    """A column as numbers, NaN where a cell is missing.

    Attributes
    ----------
    name : str
    kind : Kind
    values : (n,) array
        Numbers; 0 and 1 of truth values; days since the earliest date; of texts their place in
        ``levels``.
    levels : tuple of str
        The different texts, sorted unless the file has an order of its own.
    ordered : bool
        Whether the file says that the levels are in order.
    reading : Reading
    """

    name: str
    kind: Kind
    values: FloatArray
    levels: tuple[str, ...] = ()
    ordered: bool = False
    reading: Reading = field(default_factory=Reading)

    @cached_property
    def missing(self) -> Any:
        return np.isnan(self.values)

    @cached_property
    def distinct(self) -> FloatArray:
        """The different values, sorted."""
        return np.unique(self.values[~self.missing])

    @property
    def is_whole(self) -> bool:
        """Whether all numbers are whole."""
        return self.kind == Kind.NUMBER and not (self.values[~self.missing] % 1).any()

    def rows(self, chosen: Any) -> "Column":
        return replace(self, values=self.values[chosen])


def read_column(name: str, cells: "pd.Series[Any]", delimiter: str | None) -> Column:
    """Numbers, truth values and dates as such, also where they are written as text."""
    dtype = cells.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _of_categories(name, cells, delimiter)
    if types.is_bool_dtype(dtype):
        return Column(name, Kind.BOOLEAN, cells.to_numpy(np.float64, na_value=np.nan))
    if types.is_numeric_dtype(dtype):
        return _of_numbers(name, cells.to_numpy(np.float64, na_value=np.nan))
    if types.is_datetime64_any_dtype(dtype):
        return _of_dates(name, days_since_1970(cells))
    if types.is_timedelta64_dtype(dtype):
        days = cells.dt.total_seconds().to_numpy(np.float64, na_value=np.nan) / (24 * 60 * 60)
        return Column(name, Kind.NUMBER, days)
    return _of_cells(name, cells, delimiter)


def read_as_text(name: str, cells: "pd.Series[Any]") -> Column:
    """Every cell as the text that it is, numbers too."""
    codes, found = _texts(*_factorized(cells.astype(object)))
    return Column(name, Kind.TEXT, codes, tuple(found.texts))


def _of_categories(name: str, cells: "pd.Series[Any]", delimiter: str | None) -> Column:
    categories = cells.cat.categories
    if not cells.cat.ordered:
        return read_column(name, cells.astype(categories.dtype), delimiter)
    codes = cells.cat.codes.to_numpy(np.float64)
    levels = tuple(str(each) for each in categories)
    return Column(name, Kind.TEXT, np.where(codes < 0, np.nan, codes), levels, ordered=True)


def _of_numbers(name: str, values: FloatArray, reading: Reading | None = None) -> Column:
    reading = reading or Reading()
    if n_infinite := int(np.isinf(values).sum()):
        values = np.where(np.isinf(values), np.nan, values)
        reading = replace(reading, n_infinite=n_infinite)
    return Column(name, Kind.NUMBER, values, reading=reading)


def _of_dates(name: str, days: FloatArray, reading: Reading | None = None) -> Column:
    there = days[~np.isnan(days)]
    return Column(name, Kind.DATE, days - there.min(initial=np.inf), reading=reading or Reading())


def _of_cells(name: str, cells: "pd.Series[Any]", delimiter: str | None) -> Column:
    """Of texts and other things; each different one is looked at once."""
    codes, different = _factorized(cells)
    if len(different) and all(isinstance(each, bool | np.bool_) for each in different):
        return Column(name, Kind.BOOLEAN, _spread(np.array(different, np.float64), codes))
    return _of_texts(name, *_texts(codes, different), delimiter)


def _texts(codes: Any, different: list[Any]) -> tuple[FloatArray, Texts]:
    """The place of each cell among the different texts, and these, sorted."""
    texts = [str(each).strip() for each in different]
    place = {text: index for index, text in enumerate(sorted(set(texts) - {""}))}
    codes = _spread(np.array([place.get(text, np.nan) for text in texts]), codes)
    there = codes[~np.isnan(codes)].astype(np.int64)
    counts = np.bincount(there, minlength=len(place))
    return codes, Texts(np.array(list(place), dtype=object), counts)


def _factorized(cells: "pd.Series[Any]") -> tuple[Any, list[Any]]:
    try:
        codes, different = pd.factorize(cells)
    except TypeError:  # lists and other things that cannot be compared
        codes, different = pd.factorize(cells.map(str, na_action="ignore"))
    return codes, list(different)


def _of_texts(name: str, codes: FloatArray, found: Texts, delimiter: str | None) -> Column:
    if (numbers := as_numbers(found, delimiter)) is not None:
        values, commas = numbers
        reading = replace(_with_strays(found, values), commas=commas)
        return _of_numbers(name, _of_levels(values, codes), reading)
    if (dates := as_dates(found)) is not None:
        values, month_first = dates
        reading = replace(_with_strays(found, values), month_first=month_first)
        return _of_dates(name, _of_levels(values, codes), reading)
    return Column(name, Kind.TEXT, codes, tuple(found.texts))


def _with_strays(found: Texts, values: FloatArray) -> Reading:
    n_strays = int(found.counts[np.isnan(values)].sum())
    return Reading(strays=found.strays(values), n_strays=n_strays)


def _of_levels(values: FloatArray, codes: FloatArray) -> FloatArray:
    return _spread(values, np.where(np.isnan(codes), -1, codes).astype(np.int64))


def _spread(values: FloatArray, codes: Any) -> FloatArray:
    """Values of the codes; NaN for the code -1, which stands for a missing cell."""
    spread: FloatArray = np.append(values, np.nan)[codes]
    return spread
