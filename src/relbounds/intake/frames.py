"""How does a frame that is at hand become a table like one that was read?"""

from typing import Any

import pandas as pd

from relbounds.exceptions import WrongInputError
from relbounds.intake.files import RawTable
from relbounds.intake.names import apart


def frame_as_table(given: Any) -> RawTable:
    """A frame of pandas or polars, with names that are texts and differ."""
    frame = given if isinstance(given, pd.DataFrame) else _converted(given)
    if not len(frame.columns):
        raise WrongInputError("A table with columns was expected; got a frame that has none.")
    named = frame.set_axis(apart(str(name) for name in frame.columns), axis=1)
    return RawTable(named, "the table")


def _converted(given: Any) -> pd.DataFrame:
    if not hasattr(given, "to_pandas"):
        raise WrongInputError(
            "A frame of pandas or polars, or the path of a file was expected; got a "
            f"{type(given).__name__}. Name columns, as in pandas.DataFrame(values, columns=[...])."
        )
    frame: pd.DataFrame = given.to_pandas()
    return frame
