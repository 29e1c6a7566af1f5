"""Results that no fit gave, for what readers of results make of them."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from relbounds import RelevanceResult
from relbounds.method.decision import ChanceRule
from relbounds.results.findings import Bounds, Findings


def altered(
    result: RelevanceResult, side: str = "regular", *, weight_ranges: Any = None, **values: Any
) -> RelevanceResult:
    """The same result with other bounds on one side, decided anew by the same rule."""
    if weight_ranges is not None:
        ends = np.array(weight_ranges, dtype=np.float64).reshape(1, len(weight_ranges), -1, 2)
        values |= {"ends": ends, "gaps": np.full_like(ends[0], 1e-9)}
    return replace(
        result,
        sides=tuple(
            _decided(each, result.data.constant_features, values) if each.side == side else each
            for each in result.sides
        ),
    )


def _decided(side: Findings, constant: tuple[str, ...], values: dict[str, Any]) -> Findings:
    bounds = {each.name: getattr(side, each.name) for each in fields(Bounds)} | values
    rule = ChanceRule(side.selection, side.confidence, side.level)
    return rule.decide(Bounds(**bounds), constant)
