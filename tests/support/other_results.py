"""Results that no fit gave, for what readers of results make of them."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from relbounds import RelevanceResult
from relbounds.method.decision import ChanceRule
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import Evidence, Shadows


def altered(
    result: RelevanceResult,
    side: str = "regular",
    *,
    weight_ranges: Any = None,
    p_alone: Any = None,
    p_needed: Any = None,
    rule: dict[str, Any] | None = None,
    **values: Any,
) -> RelevanceResult:
    """The same result with other bounds, evidence or rule on one side, decided anew.

    Evidence of more features than there were is that of the first ones over and over again.
    """
    if weight_ranges is not None:
        ends = np.array(weight_ranges, dtype=np.float64).reshape(1, len(weight_ranges), -1, 2)
        values |= {"ends": ends, "gaps": np.full_like(ends[0], 1e-9)}
    given = {"alone": p_alone, "needed": p_needed}
    return replace(
        result,
        sides=tuple(
            _decided(each, result.data.constant_features, values, given, rule or {})
            if each.side == side
            else each
            for each in result.sides
        ),
    )


def with_own_chance(
    result: RelevanceResult, feature: int, side: str = "regular", times: float = 1.5
) -> RelevanceResult:
    """The same, where one feature alone has shadows, which reach further than the probes."""
    found = next(each for each in result.sides if each.side == side)
    intervals = times * found.probes.intervals.reshape(found.probes.solved, -1, 2)
    return altered(result, side, shadows=(Shadows(feature, intervals),))


def _decided(
    side: Findings,
    constant: tuple[str, ...],
    values: dict[str, Any],
    given: dict[str, Any],
    rule: dict[str, Any],
) -> Findings:
    bounds = {each.name: getattr(side, each.name) for each in fields(Bounds)} | values
    d = len(bounds["feature_names"])
    if d != len(side.feature_names):
        bounds |= {"shadows": ()}
    asked = {"selection": side.selection, "confidence": side.confidence, "level": side.level}
    return ChanceRule(**asked | rule).decide(
        Bounds(**bounds), _evidence(side.decision.evidence, given, d), constant
    )


def _evidence(found: Evidence, given: dict[str, Any], d: int) -> Evidence:
    alone, needed = (
        before if given[name] is None else np.array(given[name], dtype=np.float64)
        for name, before in (("alone", found.alone), ("needed", found.needed))
    )
    return Evidence(None if alone is None else np.resize(alone, d), np.resize(needed, d))
