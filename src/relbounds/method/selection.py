"""Which features are selected? Those that are relevant, and those that the user wants to keep."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from relbounds.arrays import BoolArray
from relbounds.results.result import Findings


def kept_positions(keep: Any, min_features: int, names: Sequence[str]) -> list[int]:
    """Positions of the features to keep; says what cannot be before anything is computed."""
    if min_features > len(names):
        raise ValueError(f"min_features is {min_features}, but there are {len(names)} features.")
    positions: dict[Any, int] = {name: index for index, name in enumerate(names)}
    positions.update((index, index) for index in range(len(names)))
    is_list = isinstance(keep, Iterable) and not isinstance(keep, str)
    kept = list(keep) if is_list else [] if keep is None else [keep]
    unknown = [each for each in kept if isinstance(each, bool | np.bool_) or each not in positions]
    if unknown or not (is_list or keep is None):
        raise ValueError(
            f"keep must be a list of names or of indices from 0 to {len(names) - 1}; "
            f"got {(unknown or kept)[0]!r}."
        )
    return [positions[each] for each in kept]


def selected(found: Findings, kept: list[int], min_features: int) -> BoolArray:
    """Relevant and kept features, topped up by ``maxrel`` to the least number asked for."""
    support: BoolArray = found.relevance > 0
    support[kept] = True
    by_maxrel = np.argsort(-found.intervals[:, 1], kind="stable")
    others = by_maxrel[~support[by_maxrel]]
    support[others[: max(0, min_features - int(support.sum()))]] = True
    return support
