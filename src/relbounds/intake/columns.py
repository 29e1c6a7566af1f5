"""What do the cells of a column hold? Numbers, dates, truth values or texts."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from relbounds.arrays import FloatArray, IntArray

MOSTLY = 0.9
"""A column of texts holds numbers (dates) if this share of its filled cells does."""
MOST_STRAYS = 3
"""With so few different other texts, such as '?' and '-', half of the cells are enough."""
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")  # 1,234,567.8
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*),\d+([eE][+-]?\d+)?")  # 1.234.567,8
_POINTS_OF_THOUSANDS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?")
_DAY = 24 * 60 * 60
_ENOUGH = 1000  # texts to see that a column holds no numbers
_FORMATS = {
    r"\d{4}-\d\d?-\d\d?([T ]\d.*)?": ("ISO8601",),
    r"\d{4}/\d\d?/\d\d?": ("%Y/%m/%d",),
    r"\d\d?\.\d\d?\.\d{4}": ("%d.%m.%Y",),
    r"\d\d?/\d\d?/\d{4}": ("%m/%d/%Y", "%d/%m/%Y"),
}


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
    commas : {"decimal", "thousands"} or None
    month_first : bool
        Whether dates could as well have been read with the day first.
    """

    strays: tuple[str, ...] = ()
    n_strays: int = 0
    n_infinite: int = 0
    commas: str | None = None
    month_first: bool = False


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


@dataclass(frozen=True, eq=False)
class Texts:
    """The different texts of a column, none of them empty, and how often each occurs."""

    texts: Any
    counts: IntArray

    def mostly(self, there: Any) -> bool:
        """Whether other texts are rare, or few and fewer than the different ones that are there."""
        n_strays = int((~there).sum())
        few = n_strays <= MOST_STRAYS and n_strays < len(there) - n_strays
        least = 0.5 if few else MOSTLY
        return bool(self.counts[there].sum() >= least * self.counts.sum() > 0)

    def some(self) -> "Texts":
        """At most a thousand of them, from the first to the last."""
        step = -(-len(self.texts) // _ENOUGH) or 1
        return Texts(self.texts[::step], self.counts[::step])

    def once(self) -> "Texts":
        """The same texts, as if each occurred once."""
        return Texts(self.texts, np.ones_like(self.counts))

    def strays(self, values: FloatArray) -> tuple[str, ...]:
        """Texts that have no value among values."""
        return tuple(self.texts[np.isnan(values)])


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
        days = cells.dt.total_seconds().to_numpy(np.float64, na_value=np.nan) / _DAY
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


def as_numbers(cells: Texts, delimiter: str | None) -> tuple[FloatArray, str | None] | None:
    """A number for each text, and what commas meant; None if most texts are no numbers."""
    if _hopeless(cells, lambda some: as_numbers(some, delimiter)):
        return None
    plain = _numbers(cells.texts)
    with_comma = [text for text in cells.strays(plain) if "," in text]
    found: list[tuple[FloatArray, str | None]] = [(plain, None)]
    if with_comma and delimiter == "," and all(map(_THOUSANDS.fullmatch, with_comma)):
        found.append((_numbers([text.replace(",", "") for text in cells.texts]), "thousands"))
    elif any(map(_DECIMAL_COMMA.fullmatch, with_comma)):
        found.append((_numbers([_with_point(text) for text in cells.texts]), "decimal"))
    values, commas = found[-1]
    return (values, commas) if cells.mostly(~np.isnan(values)) else None


def _with_point(text: str) -> str:
    """A number with a decimal comma, written with a point."""
    if _POINTS_OF_THOUSANDS.fullmatch(text):
        text = text.replace(".", "")
    return text.replace(",", ".") if text.count(",") == 1 else text


def _numbers(texts: Any) -> FloatArray:
    return np.asarray(pd.to_numeric(np.asarray(texts, dtype=object), errors="coerce"), np.float64)


def as_dates(cells: Texts) -> tuple[FloatArray, bool] | None:
    """Days since 1970 for each text, and whether day and month may be meant the other way round.

    None if most texts are no dates.
    """
    if _hopeless(cells, as_dates):
        return None
    for pattern, formats in _FORMATS.items():
        matches = [re.fullmatch(pattern, text) is not None for text in cells.texts]
        shaped = np.array(matches, dtype=bool)
        if cells.mostly(shaped):
            texts = np.where(shaped, cells.texts, "")
            readings = [_days(texts, each) for each in formats]
            best = max(readings, key=lambda days: np.isfinite(days).sum())
            as_good = [np.array_equal(np.isnan(best), np.isnan(each)) for each in readings]
            return (best, sum(as_good) > 1) if cells.mostly(~np.isnan(best)) else None
    return None


def _days(texts: Any, format_: str) -> FloatArray:
    parsed = pd.to_datetime(pd.Series(texts), format=format_, errors="coerce", utc=True)
    return days_since_1970(parsed)


def days_since_1970(dates: "pd.Series[Any]") -> FloatArray:
    """Days as numbers, with fractions for times; NaN for a date that is missing."""
    zero = pd.Timestamp(0, tz=dates.dt.tz)
    seconds = (dates - zero).dt.total_seconds().to_numpy(np.float64, na_value=np.nan)
    return np.asarray(seconds / _DAY, dtype=np.float64)


def _hopeless(cells: Texts, read: Callable[[Texts], object]) -> bool:
    """Whether a look at some of very many texts is enough; a frequent stray may be among them."""
    if len(cells.texts) <= _ENOUGH:
        return False
    some = cells.some()
    return read(some) is None and read(some.once()) is None
