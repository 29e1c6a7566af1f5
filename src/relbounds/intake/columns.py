"""What do the cells of a column hold? Numbers, dates, truth values or texts."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from relbounds.arrays import FloatArray
from relbounds.intake.dates import SECONDS, as_dates, days_since_1970
from relbounds.intake.numbers import MixedUnits, Numbers, as_numbers, with_units
from relbounds.intake.texts import Texts, means_a_gap

FEW_NUMBERS = 12
"""Among so few different numbers a text that repeats is a value of its own, such as 'more'."""
_LEAST_SHARE = 0.01  # of the cells, for a text that is no slip


class Kind(StrEnum):
    """What the cells of a column are."""

    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    TEXT = "text"


@dataclass(frozen=True)
class Reading:
    """What was unusual about the way a column had to be read.

    Attributes
    ----------
    strays : tuple of str
        Texts among numbers or dates, which count as missing.
    n_strays : int
        In how many cells.
    n_infinite : int
        Cells with an infinite number, which count as missing.
    kept : tuple of str
        Texts among few numbers that repeat, for which all the column was read as text.
    decimal_comma : bool
    thousands : {"commas", "points", "blanks"} or None
        What separates them.
    unit : str or None
        What stood beside the numbers, and was left out.
    n_bare : int
        Cells without the unit, which were taken to have it.
    units : tuple of str
        Different ones beside numbers, which were therefore not read as such.
    row : int
        The first that has not the most frequent of these, from 1.
    month_first : bool
        Whether dates could as well have been read with the day first.
    format : str or None
        Of dates that are texts.
    first_day : float
        The earliest date, in days since 1970.
    """

    strays: tuple[str, ...] = ()
    n_strays: int = 0
    n_infinite: int = 0
    kept: tuple[str, ...] = ()
    decimal_comma: bool = False
    thousands: str | None = None
    unit: str | None = None
    n_bare: int = 0
    units: tuple[str, ...] = ()
    row: int = 0
    month_first: bool = False
    format: str | None = None
    first_day: float = 0.0


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
        days = cells.dt.total_seconds().to_numpy(np.float64, na_value=np.nan) / SECONDS
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
    first = float(days[~np.isnan(days)].min(initial=np.inf))
    reading = replace(reading or Reading(), first_day=first)
    return Column(name, Kind.DATE, days - first, reading=reading)


def _of_cells(name: str, cells: "pd.Series[Any]", delimiter: str | None) -> Column:
    """Of texts and other things; each different one is looked at once."""
    codes, different = _factorized(cells)
    if len(different) and all(isinstance(each, bool | np.bool_) for each in different):
        return Column(name, Kind.BOOLEAN, _spread(np.array(different, np.float64), codes))
    return _of_texts(name, *_texts(codes, different), delimiter)


def _factorized(cells: "pd.Series[Any]") -> tuple[Any, list[Any]]:
    try:
        codes, different = pd.factorize(cells)
    except TypeError:  # lists and other things that cannot be compared
        codes, different = pd.factorize(cells.map(str, na_action="ignore"))
    return codes, list(different)


def _texts(codes: Any, different: list[Any]) -> tuple[FloatArray, Texts]:
    """The place of each cell among the different texts, and these, sorted."""
    texts = [str(each).strip() for each in different]
    place = {text: index for index, text in enumerate(sorted(set(texts) - {""}))}
    codes = _spread(np.array([place.get(text, np.nan) for text in texts]), codes)
    there = codes[~np.isnan(codes)].astype(np.int64)
    counts = np.bincount(there, minlength=len(place))
    return codes, Texts(np.array(list(place), dtype=object), counts)


def _of_texts(name: str, codes: FloatArray, found: Texts, delimiter: str | None) -> Column:
    if (numbers := as_numbers(found, delimiter)) is not None:
        return _of_read_numbers(name, codes, found, numbers)
    if (dates := as_dates(found)) is not None:
        reading = replace(
            _with_strays(found, dates.days), month_first=dates.month_first, format=dates.format
        )
        return _of_dates(name, _of_levels(dates.days, codes), reading)
    measured = with_units(found, delimiter)
    if isinstance(measured, Numbers):
        return _of_read_numbers(name, codes, found, measured)
    reading = _with_units(codes, measured) if measured else Reading()
    return Column(name, Kind.TEXT, codes, tuple(found.texts), reading=reading)


def _of_read_numbers(name: str, codes: FloatArray, found: Texts, numbers: Numbers) -> Column:
    if kept := _kept(found, numbers.values):
        return Column(name, Kind.TEXT, codes, tuple(found.texts), reading=Reading(kept=kept))
    reading = replace(
        _with_strays(found, numbers.values),
        decimal_comma=numbers.decimal_comma,
        thousands=numbers.thousands,
        unit=numbers.unit,
        n_bare=0 if numbers.bare is None else int(found.counts[numbers.bare].sum()),
    )
    return _of_numbers(name, _of_levels(numbers.values, codes), reading)


def _kept(found: Texts, values: FloatArray) -> tuple[str, ...]:
    """Texts that are values of their own: they repeat, as do the few numbers beside them."""
    is_text, n_filled = np.isnan(values), found.counts.sum()
    if len(np.unique(values[~is_text])) > FEW_NUMBERS or 2 * len(values) > n_filled:
        return ()
    often = found.counts >= max(2, _LEAST_SHARE * n_filled)
    return tuple(text for text in found.texts[is_text & often] if not means_a_gap(text))


def _with_units(codes: FloatArray, mixed: MixedUnits) -> Reading:
    row = int(np.isin(codes, np.flatnonzero(mixed.others)).argmax()) + 1
    return Reading(units=mixed.units, row=row)


def _with_strays(found: Texts, values: FloatArray) -> Reading:
    n_strays = int(found.counts[np.isnan(values)].sum())
    return Reading(strays=found.strays(values), n_strays=n_strays)


def _of_levels(values: FloatArray, codes: FloatArray) -> FloatArray:
    return _spread(values, np.where(np.isnan(codes), -1, codes).astype(np.int64))


def _spread(values: FloatArray, codes: Any) -> FloatArray:
    """Values of the codes; NaN for the code -1, which stands for a missing cell."""
    spread: FloatArray = np.append(values, np.nan)[codes]
    return spread
