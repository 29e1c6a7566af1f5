"""How does the answer depend on how much worse than the best a good model may be?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relbounds import checks
from relbounds.arrays import FloatArray
from relbounds.engine import WeightRange
from relbounds.method.intervals import of_features, weight_ranges
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting, solve_probes
from relbounds.method.state import Study, learned_set
from relbounds.questions.constraints import Feature
from relbounds.questions.feasibility import absence, over_baseline
from relbounds.results.answers import RelevancePath
from relbounds.results.result import Findings, RelevanceResult

TOLERANCES = (0.0, 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
_SAME = 1e-9


def tolerance_path(
    study: Study, tolerances: Sequence[float] | None, workers: Workers
) -> RelevancePath:
    """The same best model, with more and less tolerance; the same probes for each."""
    learned_set(study)
    used = study.result.tolerances
    assert used is not None, "something was learned"
    asked = [*_others(tolerances, used.norm), used.norm]
    asked.sort()
    results = [study.result if each == used.norm else _at(study, each, workers) for each in asked]
    prices = np.array(workers.map(_price, (study,), study.reader.known, "prices"))
    d = len(study.result.feature_names)
    told = [each.privileged for each in results if each.privileged is not None]
    return replace(
        _path(asked, used.norm, results, prices[:d]),
        privileged=_path(asked, used.norm, told, prices[d:]) if told else None,
    )


def _price(study: Study, feature: Feature) -> float:
    return over_baseline(study, [absence(study, [feature])], study.own_loss_tolerance)


def _path(
    tolerances: Sequence[float], used: float, found: Sequence[Findings], prices: FloatArray
) -> RelevancePath:
    """What was found of one side at each tolerance."""
    return RelevancePath(
        found[0].feature_names,
        np.array(tolerances),
        used,
        np.array([each.intervals for each in found]),
        np.array([each.thresholds.maxrel for each in found if each.thresholds]),
        np.array([each.relevance for each in found]),
        prices,
    )


def _others(tolerances: Sequence[float] | None, used: float) -> list[float]:
    """What was asked for, beside the tolerance that was used."""
    asked = TOLERANCES if tolerances is None else tolerances
    for each in asked:
        checks.at_least("A tolerance", each, 0, "")
    return [float(each) for each in {*asked} if abs(each - used) > _SAME]


def _at(study: Study, tolerance: float, workers: Workers) -> RelevanceResult:
    """What would have been found with another tolerance."""
    rule = replace(study.rule, tolerance=tolerance)
    feasible, used = study.fit.feasible_set(rule, study.sampled.weight)
    start = study.engine.prepare(feasible).start
    ranges = weight_ranges(study.engine, feasible, start, workers)
    setting = ProbeSetting(study.engine, study.fit, feasible, start, study.sampled.weight, rule)
    random_state = np.random.RandomState(study.seed)
    found = [
        _side(study, side, ranges, setting, random_state=random_state, workers=workers)
        for side in range(len(study.sides))
    ]
    told = study.result.privileged
    privileged = None if told is None else replace(told, **found[1])
    return replace(study.result, tolerances=used, privileged=privileged, **found[0])


def _side(
    study: Study,
    side: int,
    ranges: Sequence[WeightRange],
    setting: ProbeSetting,
    *,
    random_state: np.random.RandomState,
    workers: Workers,
) -> dict[str, Any]:
    """Ranges of a side's features, and of as many probes as the fit had."""
    ends, gaps = of_features(study.fit, study.varying, side, ranges)
    drawn = (study.result, study.result.privileged)[side]
    assert drawn is not None
    assert drawn.probes is not None, "something was learned"
    probes = solve_probes(
        setting,
        side,
        mode=drawn.probes.mode,
        n_probes=drawn.probes.asked,
        random_state=random_state,
        workers=workers,
    )
    return {"weight_ranges": ends, "certificate_gaps": gaps, "probes": probes}
