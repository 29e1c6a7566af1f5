"""Results whose features have other names, ranges or probes than a fit found."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from relbounds import RelevanceResult
from relbounds.method.decision import ChanceRule
from relbounds.results.findings import Bounds
from relbounds.results.parts import Probes


def made_up(
    result: RelevanceResult,
    *,
    side: int = 0,
    names: Sequence[str] | None = None,
    ranges: NDArray[np.float64] | None = None,
    probes: Probes | None = None,
) -> RelevanceResult:
    """The same with something else on one side, which is decided anew by the same rule.

    Of more features than there were, proofs are repeated.
    """
    found = result.sides[side]
    bounds = Bounds(**{each.name: getattr(found, each.name) for each in fields(Bounds)})
    if names is not None:
        bounds = replace(bounds, feature_names=tuple(names))
    if ranges is not None:
        ends = ranges.reshape(1, len(ranges), -1, 2)
        bounds = replace(bounds, ends=ends, gaps=np.resize(bounds.gaps, ends.shape[1:]))
    if probes is not None:
        bounds = replace(bounds, probes=probes)
    sides = list(result.sides)
    rule = ChanceRule(found.selection, found.confidence, found.level)
    sides[side] = rule.decide(bounds, result.data.constant_features)
    return replace(result, sides=tuple(sides))
