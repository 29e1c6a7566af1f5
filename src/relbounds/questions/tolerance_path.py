"""How does the answer depend on how much worse than the best a good model may be?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from relbounds import checks
from relbounds.arrays import FloatArray
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study, learned_set
from relbounds.method.training_data import Feature
from relbounds.questions.along import along
from relbounds.questions.at_tolerance import found_at
from relbounds.questions.feasibility import absence, over_baseline
from relbounds.results.answers import RelevancePath
from relbounds.results.findings import Findings

TOLERANCES = (0.0, 0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
_SAME = 1e-9


@ONE_BLAS_THREAD
def tolerance_path(
    study: Study, tolerances: Sequence[float] | None, workers: Workers
) -> RelevancePath:
    """The same best model, with more and less tolerance; the same probes for each."""
    learned_set(study)
    used = study.result.tolerances
    assert used is not None, "something was learned"
    asked = [*_others(tolerances, used.norm), used.norm]
    asked.sort()
    engine = along(study, [each for each in asked if each != used.norm])
    found = [
        study.result.sides if each == used.norm else found_at(study, each, engine, workers)
        for each in asked
    ]
    is_bounded = np.concatenate([side.is_bounded for side in study.result.sides])
    priced = [each for each, skip in zip(study.features, is_bounded, strict=True) if not skip]
    prices = np.full(len(is_bounded), np.nan)
    prices[~is_bounded] = workers.map(_price, (study,), priced, "prices")
    n_regular = len(study.result.feature_names)
    regular, *others = (
        _path(asked, used.norm, side, of_side)
        for side, of_side in zip(
            zip(*found, strict=True), (prices[:n_regular], prices[n_regular:]), strict=False
        )
    )
    return replace(regular, privileged=others[0] if others else None)


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
        bounded=found[0].bounded,
    )


def _others(tolerances: Sequence[float] | None, used: float) -> list[float]:
    """What was asked for, beside the tolerance that was used."""
    asked = TOLERANCES if tolerances is None else tolerances
    for each in asked:
        checks.at_least("A tolerance", each, 0, "")
    return [float(each) for each in {*asked} if abs(each - used) > _SAME]
