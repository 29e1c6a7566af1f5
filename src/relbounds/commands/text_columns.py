"""Does a text column matter as one, whatever is said of its columns of 0 and 1?"""

from collections.abc import Mapping

from relbounds.blocks import Blocks
from relbounds.selector import RelevanceSelector

MOST_WORK = 2_000_000
"""Cells of all texts times programs for each: what the search for its most may take. If that is not
enough, the most is only bounded; it could take far longer than the fit."""


def texts_as_one(model: RelevanceSelector, groups: Mapping[str, str]) -> Blocks | None:
    """The text columns that became several columns; None if there are none."""
    columns: dict[str, list[str]] = {}
    for feature, column in groups.items():
        columns.setdefault(column, []).append(feature)
    texts = {column: features for column, features in columns.items() if len(features) > 1}
    if not texts:
        return None
    cells = model.result_.data.n_samples * sum(map(len, texts.values()))
    return model.blocks(texts, most_programs=MOST_WORK // cells)
