"""What if each relevant column was gone, one at a time?"""

from dataclasses import dataclass

import pandas as pd

from relbounds.results.answers import Price
from relbounds.results.records import Record


@dataclass(frozen=True, eq=False)
class Absence(Record):
    """What it costs to do without one column, and what is needed then.

    Attributes
    ----------
    name : str
    price : Price
    needed : tuple of str
        Other features that are proved to add to the rest only then.
    no_longer_needed : tuple of str
        Others that are not proved to, then.
    """

    name: str
    price: Price
    needed: tuple[str, ...]
    no_longer_needed: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Absences(Record):
    """The answer without each of several columns, one at a time.

    Attributes
    ----------
    each : tuple of Absence
    """

    each: tuple[Absence, ...]

    def to_frame(self) -> pd.DataFrame:
        """A row for each column."""
        rows = [
            {
                "price": one.price.tolerance,
                "indispensable": one.price.is_indispensable,
                "error_without": one.price.error_without,
                "score_fall": one.price.score_fall,
                "needed_then": ", ".join(one.needed),
                "no_longer_needed": ", ".join(one.no_longer_needed),
            }
            for one in self.each
        ]
        return pd.DataFrame(rows, index=pd.Index([one.name for one in self.each], name="feature"))
