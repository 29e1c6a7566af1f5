"""What if models have to keep constraints? The same set, cut; nothing is fitted or drawn anew."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import (
    TIGHT,
    Bound,
    Engine,
    FeasibleSet,
    RestrictedModels,
    Restriction,
    WeightRange,
    outer_values,
)
from relbounds.exceptions import InfeasibleError
from relbounds.method.evidence.gathering import gather
from relbounds.method.measuring import Measured, decide, least_of_case
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers, chunks
from relbounds.method.state import Study, learned_set
from relbounds.method.training_data import Feature
from relbounds.questions.constraints import Constraint, Reader, combined
from relbounds.questions.feasibility import INSIDE, over_baseline, over_budget
from relbounds.results.answers import ConstrainedResult
from relbounds.results.findings import Findings
from relbounds.results.records import Evidence


@ONE_BLAS_THREAD
def what_if(study: Study, constraints: Mapping[Any, Any], workers: Workers) -> ConstrainedResult:
    """The relevance of every feature over the good models that keep constraints."""
    begun = time.perf_counter()
    asked = Reader.of(study).read(constraints)
    feasible = learned_set(study)
    cases = _possible(study, feasible, combined(asked, feasible.space.n_weights))
    if not cases:
        raise _conflict(study, feasible, asked)
    absent = _absent(study, cases)
    evidence = _evidence_without(study, absent, workers)
    bounded = _still_bounded(study, cases, evidence)
    ranges: list[list[WeightRange]] = []
    for case in cases:
        ranges.append(_ranges(study, case, _reached(study, ranges), bounded, workers))
    measured = Measured(
        cases=ranges,
        bounded=bounded,
        probes=[side.probes for side in study.result.sides],
        shadows=[side.shadows for side in study.result.sides],
        least=[
            least
            for case, of_case in zip(cases, ranges, strict=True)
            for least in least_of_case(
                study.engine,
                study.best,
                case.models.feasible,
                of_case,
                weights=case.models.weights,
                asked=~bounded[0],
                workers=workers,
            )
        ],
    )
    sides = decide(
        study.settings.chance,
        study.data,
        study.best,
        measured,
        evidence,
        absent=absent,
    )
    seconds = {"what if": time.perf_counter() - begun}
    return _result(study, asked, sides, measured, seconds)


@dataclass(frozen=True, eq=False)
class _Case:
    """What one restriction leaves of the set, with a good model among it if one is known."""

    restriction: Restriction
    models: RestrictedModels


def _possible(study: Study, feasible: FeasibleSet, cases: Sequence[Restriction]) -> list[_Case]:
    """The cases that hold any good model."""
    found = (_case(study, RestrictedModels.of(feasible, each), each) for each in cases)
    return [case for case in found if case]


def _case(study: Study, models: RestrictedModels, restriction: Restriction) -> _Case | None:
    known = study.known.keeping(restriction)
    if known is not None:
        return _Case(restriction, models.with_witness(models.of_model(known)))
    missing = over_budget(study, models.feasible)
    if missing.proved > INSIDE:
        return None
    if missing.tolerance < -INSIDE:
        return _Case(restriction, models.with_witness(missing.model))
    try:
        study.engine.prepare(models.feasible)
    except InfeasibleError:
        return None
    return _Case(restriction, models)


def _conflict(study: Study, feasible: FeasibleSet, asked: list[Constraint]) -> InfeasibleError:
    """Constraints that cannot be kept together, of which none can be left out; and what helps."""
    conflicting = list(asked)
    for each in asked:
        others = [other for other in conflicting if other is not each]
        if others and not _possible(study, feasible, combined(others, feasible.space.n_weights)):
            conflicting = others
    own = study.own_loss_tolerance
    needed = over_baseline(study, combined(asked, feasible.space.n_weights), own)
    texts = tuple(each.text for each in conflicting)
    used, as_it_is = study.result.tolerances, "" if own is None else f" with loss_tolerance={own:g}"
    help_ = (
        f"A tolerance of {needed:.3g} would make all of it possible{as_it_is} (used: "
        f"{used.norm:.3g})."
        if np.isfinite(needed) and used is not None
        else f"No tolerance would make all of it possible{as_it_is}."
    )
    together = "together, and any of them could be kept without the others: " * (len(texts) > 1)
    return InfeasibleError(
        f"No good model keeps {together}{'; '.join(texts)}. {help_}",
        conflict=texts,
        tolerance=needed,
    )


Ends = dict[tuple[int, int], Bound]
"""The largest value (1) of weights, or of what is left of zero (-1)."""


def _reached(study: Study, ranges: Sequence[Sequence[WeightRange]]) -> Ends:
    """Ends of other cases, beyond which an answer to all of them needs to know nothing.

    That is so where zero is between them: the least size of the weight is known then. Not if
    features have several weights: how small the largest of these is, each case knows for itself.
    """
    if any(layout.n_functions > 1 for layout in study.best.composition.layouts):
        return {}
    return {
        (k, sign): end
        for of_case in ranges
        for k, each in enumerate(of_case)
        for sign, end in ((-1, each.low), (1, each.high))
        if min(each.low.inner, each.high.inner) >= 0
    }


def _still_bounded(
    study: Study, cases: Sequence[_Case], evidence: Sequence[Evidence]
) -> list[BoolArray]:
    """Of each side the columns of a wide table that nothing asks for more than a bound of.

    Not those that are restricted, and not what evidence now proves to be of use.
    """
    limits = [(case.restriction.low, case.restriction.high) for case in cases]
    is_free = np.all([np.isinf(low) & np.isinf(high) for low, high in limits], axis=0)
    for positions, _ in (total for case in cases for total in case.restriction.totals):
        is_free[positions] = False
    bounded = []
    for side, table, layout, of_side in zip(
        study.result.sides,
        study.data.tables,
        study.best.composition.layouts,
        evidence,
        strict=True,
    ):
        of_use = study.settings.chance.of_use(of_side, np.ones(len(table.varies)), table.varies)
        free = layout.of_features(is_free).all(axis=1)
        bounded.append((side.is_bounded & ~of_use)[table.varies] & free)
    return bounded


def _bounds(study: Study, bounded: Sequence[BoolArray]) -> dict[int, WeightRange]:
    """What holds of weights over the whole set, and so over any part of it."""
    if not any(each.any() for each in bounded):
        return {}
    outer = outer_values(learned_set(study), study.best.solution.multipliers).tolist()
    return {
        position: WeightRange.within(*outer[position])
        for layout, columns in zip(study.best.composition.layouts, bounded, strict=True)
        for column in np.flatnonzero(columns).tolist()
        for position in layout.positions(column).tolist()
    }


def _ranges(
    study: Study,
    case: _Case,
    reached: Ends,
    bounded: Sequence[BoolArray],
    workers: Workers,
) -> list[WeightRange]:
    """The range of every weight of the whole set over what a case leaves of it.

    Or, where another case is known to reach further, that one's end; of columns that are only
    bounded, their bound.
    """
    engine, weights, feasible = study.engine, case.models.weights, case.models.feasible
    bounds = _bounds(study, bounded)
    left = [k for k in np.flatnonzero(weights.any(axis=1)).tolist() if k not in bounds]
    ends = study.known.ends_within(learned_set(study), case.restriction)
    asked = [key for key in _ends(left) if key not in ends]
    ends |= _next_to_known(study, case.restriction, asked, reached)
    asked = [key for key in _ends(left) if key not in ends]
    if asked:
        start = engine.prepare(feasible).start
        pieces = chunks(asked, 2 * engine.block_size(feasible))
        solved = workers.map(_extremes, (engine, feasible, start, weights), pieces, "what if")
        ends |= dict(zip(asked, (bound for piece in solved for bound in piece), strict=True))
    zero = WeightRange.zero()
    present = bounds | {k: WeightRange(ends[k, -1], ends[k, 1]) for k in left}
    return [present.get(k, zero) for k in range(len(weights))]


def _ends(weights: Sequence[int]) -> list[tuple[int, int]]:
    return [(k, sign) for k in weights for sign in (-1, 1)]


def _next_to_known(
    study: Study, restriction: Restriction, asked: Sequence[tuple[int, int]], reached: Ends
) -> Ends:
    """Ends over a set that was cut, as far as walks from those of the whole lead to them."""
    begun = {key: study.walk(*key) for key in asked}
    known = {key: walk for key, walk in begun.items() if walk is not None and walk.is_at_end}
    if study.corners is None or not known:
        return {}
    corners = study.corners.cut(restriction)
    walks = [
        corners.led_on(walk).go_on(reached[key].inner if key in reached else -np.inf)
        for key, walk in known.items()
    ]
    found, scale = Ends(), corners.feasible.scale
    for key, walk, bound in zip(known, walks, corners.bounds(walks), strict=True):
        if walk.is_at_end and bound.is_tight(scale):
            found[key] = bound
        elif walk.falls_short and bound.outer <= reached[key].inner + TIGHT * scale:
            found[key] = reached[key]
    return found


def _extremes(
    engine: Engine,
    feasible: FeasibleSet,
    start: object,
    weights: FloatArray,
    asked: Sequence[tuple[int, int]],
) -> list[Bound]:
    goals = np.array([sign * weights[k] for k, sign in asked])
    return engine.prepare(feasible, start).extremes(goals)


def _result(
    study: Study,
    asked: list[Constraint],
    sides: tuple[Findings, ...],
    measured: Measured,
    seconds: dict[str, float],
) -> ConstrainedResult:
    before, layouts = study.result, study.best.composition.layouts
    unasked = sum(
        2 * layout.n_functions * int(each.sum())
        for layout, each in zip(layouts, measured.bounded, strict=True)
    )
    unchanged = {each.name: getattr(before, each.name) for each in fields(before)}
    changed: dict[str, Any] = {
        "sides": sides,
        "constraints": tuple(each.text for each in asked),
        "before": before,
        "programs": {"what if": sum(2 * len(each) - unasked for each in measured.cases)},
        "seconds": seconds,
        "fallbacks": sum(each.fallbacks for case in measured.cases for each in case),
        "suspects": (),
    }
    return ConstrainedResult(**unchanged | changed)


def _absent(study: Study, cases: Sequence[_Case]) -> list[Feature]:
    """Features that no case leaves a weight to."""
    limits = [(case.restriction.low, case.restriction.high) for case in cases]
    gone = np.all([(low == 0) & (high == 0) for low, high in limits], axis=0)
    return [each for each in study.features if len(each.positions) and gone[each.positions].all()]


def _evidence_without(
    study: Study, absent: Sequence[Feature], workers: Workers
) -> Sequence[Evidence]:
    """Evidence where some features are gone: others may be needed for what those told."""
    if not absent:
        return [side.decision.evidence for side in study.result.sides]
    alone = study.result.sides[0].decision.evidence.alone

    def ask() -> Sequence[Evidence]:
        return gather(study.engine, study.data, study.best, workers, absent, known_alone=alone)

    return study.evidence_without(absent, ask)
