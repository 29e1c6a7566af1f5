"""What would have been found with another tolerance, so that more can be asked of that?"""

from dataclasses import replace
from functools import partial

import numpy as np

from relbounds.engine import Engine
from relbounds.method.means import Means
from relbounds.method.measuring import Measured, decide, measure
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import KnownModels, Settings, Study, learned_set
from relbounds.method.wide import has_wide_table
from relbounds.questions.along import along, ranges_at
from relbounds.results.findings import Findings
from relbounds.results.records import Evidence


def measured_at(
    study: Study, tolerance: float, engine: Engine, workers: Workers
) -> tuple[Settings, Measured]:
    """The settings with another tolerance, and what is measured with them.

    Of wide tables those weights are that were for the fit: whatever else may speak for a feature,
    tolerance does not change.
    """
    settings = replace(study.settings, rule=replace(study.settings.rule, tolerance=tolerance))
    means = Means(engine, np.random.RandomState(study.seed), workers)
    asked = [
        ~side.is_bounded[table.varies]
        for side, table in zip(study.result.sides, study.data.tables, strict=True)
    ]
    measured = measure(
        settings,
        study.data,
        study.best,
        partial(_evidence, study),
        means=means,
        asked=asked,
    )
    return settings, measured


def found_at(
    study: Study, tolerance: float, engine: Engine, workers: Workers
) -> tuple[Findings, ...]:
    """What would have been found with another tolerance, side by side."""
    settings, measured = measured_at(study, tolerance, engine, workers)
    return decide(settings.chance, study.data, study.best, measured, _evidence(study))


def _evidence(study: Study) -> list[Evidence]:
    return [side.decision.evidence for side in study.result.sides]


@ONE_BLAS_THREAD
def study_at(
    study: Study,
    tolerance: float,
    workers: Workers,
    *,
    engine: Engine | None = None,
    near: Study | None = None,
) -> Study:
    """The same best model, data and evidence, with more or less tolerance and probes for it.

    ``engine``: what ``along`` gave, where tolerances are asked for one after another, growing.
    ``near``: what this gave for a tolerance next to it, whose ends are on the way.
    """
    learned_set(study)
    settings, measured = measured_at(study, tolerance, engine or along(study, [tolerance]), workers)
    if settings.asks_for_all or not has_wide_table(study.data):
        measured = replace(measured, cases=[ranges_at(near or study, tolerance, workers)])
    assert measured.feasible is not None, "something was learned"
    budget = measured.feasible.budget
    result = replace(
        study.result,
        sides=decide(settings.chance, study.data, study.best, measured, _evidence(study)),
        tolerances=measured.tolerances,
        norm_limit=budget.norm_limit,
        loss_limit=budget.loss_limit,
    )
    return replace(
        study,
        settings=settings,
        feasible=measured.feasible,
        known=KnownModels.of(study.best.solution.model, measured.ranges),
        result=result,
    )
