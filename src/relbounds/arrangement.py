"""In which order are features shown? The same in pictures, pages and tables."""

from collections.abc import Mapping

import numpy as np

from relbounds.arrays import IntArray
from relbounds.result import Findings

SORTS = ("relevance", "given")


def arranged(
    side: Findings, sort: str = "relevance", groups: Mapping[str, str] | None = None
) -> IntArray:
    """Positions of the features of one side in the order in which to show them.

    Parameters
    ----------
    side : Findings
    sort : {"relevance", "given"}
        Strong ones first, and among equals the one that can weigh most; or as in the data.
    groups : mapping of feature names to the column each was made from, optional
        Columns made from the same one (by one-hot encoding) stay together, at the place of the
        first of them.
    """
    if sort not in SORTS:
        raise ValueError(f"sort must be one of {', '.join(SORTS)}; got {sort!r}.")
    names = side.feature_names
    order = np.arange(len(names))
    if sort == "relevance":
        order = np.lexsort((-side.intervals[:, 1], -side.relevance))
    made_from = {name: (groups or {}).get(name, name) for name in names}
    places: dict[str, int] = {}
    for position in order:
        places.setdefault(made_from[names[position]], len(places))
    together: IntArray = np.array(
        sorted(order.tolist(), key=lambda position: places[made_from[names[position]]]), dtype=int
    )
    return together
