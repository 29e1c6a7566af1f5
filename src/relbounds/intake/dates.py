"""Which dates do texts hold?"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.intake.texts import Texts, hopeless

SECONDS = 24 * 60 * 60
"""Of a day."""
_FORMATS = {
    r"\d{4}-\d\d?-\d\d?([T ]\d.*)?": ("ISO8601",),
    r"\d{4}/\d\d?/\d\d?": ("%Y/%m/%d",),
    r"\d\d?\.\d\d?\.\d{4}": ("%d.%m.%Y",),
    r"\d\d?/\d\d?/\d{4}": ("%m/%d/%Y", "%d/%m/%Y"),
}


@dataclass(frozen=True, eq=False)
class Dates:
    """Days since 1970 for each text, NaN if it is no date, and how texts had to be read.

    Attributes
    ----------
    days : array
    format : str
        Of pandas.
    month_first : bool
        Whether dates could as well have been read with the day first.
    """

    days: FloatArray
    format: str
    month_first: bool


def as_dates(cells: Texts) -> Dates | None:
    """The dates of texts; None if most texts are no dates."""
    if hopeless(cells, as_dates):
        return None
    for pattern, formats in _FORMATS.items():
        matches = [re.fullmatch(pattern, text) is not None for text in cells.texts]
        shaped = np.array(matches, dtype=bool)
        if cells.mostly(shaped):
            texts = np.where(shaped, cells.texts, "")
            readings = [days_of(texts, each) for each in formats]
            best = int(np.argmax([np.isfinite(days).sum() for days in readings]))
            days = readings[best]
            as_good = [np.array_equal(np.isnan(days), np.isnan(each)) for each in readings]
            found = Dates(days, formats[best], month_first=sum(as_good) > 1)
            return found if cells.mostly(~np.isnan(days)) else None
    return None


def days_of(texts: Any, format_: str) -> FloatArray:
    """Days since 1970 for each text in this format; NaN for any other."""
    parsed = pd.to_datetime(pd.Series(texts), format=format_, errors="coerce", utc=True)
    return days_since_1970(parsed)


def days_since_1970(dates: "pd.Series[Any]") -> FloatArray:
    """Days as numbers, with fractions for times; NaN for a date that is missing."""
    zero = pd.Timestamp(0, tz=dates.dt.tz)
    seconds = (dates - zero).dt.total_seconds().to_numpy(np.float64, na_value=np.nan)
    return np.asarray(seconds / SECONDS, dtype=np.float64)
