"""What does a text in a cell mean: a number, a date, or only itself?"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

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


def _hopeless(cells: Texts, read: Callable[[Texts], object]) -> bool:
    """Whether a look at some of very many texts is enough; a frequent stray may be among them."""
    if len(cells.texts) <= _ENOUGH:
        return False
    some = cells.some()
    return read(some) is None and read(some.once()) is None


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
