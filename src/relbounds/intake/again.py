"""How are cells of new rows read, now that it is known what a column holds?"""

from typing import Any

import numpy as np
import pandas as pd

from relbounds.intake.columns import Column, Kind, read_as_text


def read_again(known: Column, cells: "pd.Series[Any]") -> Column:
    """A column of new rows, read like the one that is known; what cannot be is missing."""
    if known.kind == Kind.TEXT:
        return read_as_text(known.name, cells)
    values = pd.to_numeric(cells, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    there = np.where(np.isfinite(values), values, np.nan)
    return Column(known.name, known.kind, there, reading=known.reading)
