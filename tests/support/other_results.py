"""Results that no fit gave, for what readers of results make of them."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from relbounds import RelevanceResult
from relbounds.method.decision import ChanceRule
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import Evidence


def altered(
    result: RelevanceResult,
    side: str = "regular",
    *,
    weight_ranges: Any = None,
    p_alone: Any = None,
    p_needed: Any = None,
    **values: Any,
) -> RelevanceResult:
    """The same result with other bounds or p-values on one side, decided anew by the same rule.

    P-values that are not given stay as they are; those of another number of features are one.
    """
    if weight_ranges is not None:
        ends = np.array(weight_ranges, dtype=np.float64).reshape(1, len(weight_ranges), -1, 2)
        values |= {"ends": ends, "gaps": np.full_like(ends[0], 1e-9)}
    given = {"alone": p_alone, "needed": p_needed}
    return replace(
        result,
        sides=tuple(
            _decided(each, result.data.constant_features, values, given)
            if each.side == side
            else each
            for each in result.sides
        ),
    )


def _decided(
    side: Findings, constant: tuple[str, ...], values: dict[str, Any], given: dict[str, Any]
) -> Findings:
    known = {each.name: getattr(side, each.name) for each in fields(Bounds)} | values
    n_features, evidence = len(known["feature_names"]), side.decision.evidence
    if n_features != len(side.feature_names):
        known |= {"kinds": np.zeros(n_features, dtype=np.int64), "shadows": ()}
        alone = None if evidence.alone is None else np.ones(n_features)
        evidence = Evidence(alone, np.ones(n_features))
    for kind, p in given.items():
        if p is not None:
            evidence = replace(evidence, **{kind: np.array(p, dtype=np.float64)})
    rule = ChanceRule(side.selection, side.confidence, side.level)
    return rule.decide(Bounds(**known), evidence, constant)
