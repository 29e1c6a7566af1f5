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
    """Days since 1970 for each text, how they are written, and whether that can be seen.

    ``may_differ`` : day and month may be meant the other way round.
    """

    days: FloatArray
    written: str
    may_differ: bool


def as_dates(cells: Texts) -> Dates | None:
    """The dates of texts; None if most texts are no dates."""
    if hopeless(cells, as_dates):
        return None
    for pattern, formats in _FORMATS.items():
        texts = _shaped(cells.texts, pattern)
        if cells.mostly(texts != ""):
            readings = {each: _days(texts, each) for each in formats}
            written, best = max(readings.items(), key=lambda each: np.isfinite(each[1]).sum())
            as_good = [np.array_equal(np.isnan(best), np.isnan(each)) for each in readings.values()]
            found = Dates(best, written, may_differ=sum(as_good) > 1)
            return found if cells.mostly(~np.isnan(best)) else None
    return None


def days_of_texts(texts: Any, written: str) -> FloatArray:
    """Days since 1970 of texts that are mostly written like this; NaN of what is no date."""
    days = np.full(len(texts), np.nan)
    for pattern, formats in _FORMATS.items():
        shaped = _shaped(texts, pattern)
        for each in sorted(formats, key=lambda each: each != written):
            days = np.where(np.isnan(days), _days(shaped, each), days)
    return days


def _shaped(texts: Any, pattern: str) -> Any:
    """Texts of this shape; all others are empty."""
    matches = [re.fullmatch(pattern, text) is not None for text in texts]
    return np.where(np.array(matches, dtype=bool), texts, "")


def _days(texts: Any, format_: str) -> FloatArray:
    parsed = pd.to_datetime(pd.Series(texts), format=format_, errors="coerce", utc=True)
    return days_since_1970(parsed)


def days_since_1970(dates: "pd.Series[Any]") -> FloatArray:
    """Days as numbers, with fractions for times; NaN for a date that is missing."""
    zero = pd.Timestamp(0, tz=dates.dt.tz)
    seconds = (dates - zero).dt.total_seconds().to_numpy(np.float64, na_value=np.nan)
    return np.asarray(seconds / SECONDS, dtype=np.float64)
