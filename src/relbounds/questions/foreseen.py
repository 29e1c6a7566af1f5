"""What will a reader ask who has only the page? Other tolerances, and each column gone."""

from collections.abc import Iterator, Sequence

import numpy as np

from relbounds.exceptions import InfeasibleError
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study, learned_set
from relbounds.questions.along import along
from relbounds.questions.at_tolerance import study_at
from relbounds.questions.constraints import Reader
from relbounds.questions.feasibility import absence, over_baseline
from relbounds.questions.tolerance_path import TOLERANCES
from relbounds.questions.what_if import what_if
from relbounds.results.answers import Blocks
from relbounds.results.explored import Foreseen
from relbounds.results.result import RelevanceResult

MOST_NUMBERS = 6000
"""Features times answers: what a page can hold beside all else."""


@ONE_BLAS_THREAD
def foreseen(study: Study, blocks: Blocks | None, workers: Workers) -> Foreseen:
    """As many answers as a page can hold: tolerances first, then the most relevant columns."""
    learned_set(study)
    d = len(study.features)
    room = MOST_NUMBERS // d
    found = (
        [each.result for each in studies_along(study, workers)] if room > len(TOLERANCES) else []
    )
    gone = _gone(study, blocks)[: max(room - len(found), 0)]
    own = study.own_loss_tolerance
    absent = [absence(study, Reader.of(study).features(each)) for each in gone]
    return Foreseen(
        tuple(found),
        tuple(gone),
        tuple(_without(study, each, workers) for each in gone),
        np.array([over_baseline(study, [each], own) for each in absent]),
    )


def tolerances_along(study: Study) -> tuple[float, ...]:
    """Those that are looked at, that of the fit among them."""
    used = study.result.tolerances
    return tuple(sorted({*TOLERANCES, *([] if used is None else [used.norm])}))


def studies_along(study: Study, workers: Workers) -> Iterator[Study]:
    """The same study at each of them, each from the one before."""
    asked, used, before = tolerances_along(study), study.result.tolerances, None
    engine = along(study, asked)
    for each in asked:
        if used is not None and each == used.norm:
            before = study
        else:
            before = study_at(study, each, workers, engine=engine, near=before)
        yield before


def _gone(study: Study, blocks: Blocks | None) -> list[tuple[str, ...]]:
    """Blocks, and then features, the most relevant first."""
    most = [(-relevance, -most, name) for relevance, most, name in _relevance(study)]
    wholes = [] if blocks is None else [tuple(each) for each in blocks.features]
    return [*wholes, *((name,) for *_, name in sorted(most))]


def _relevance(study: Study) -> Iterator[tuple[int, float, str]]:
    for side in study.result.sides:
        yield from zip(
            side.relevance.tolist(), side.intervals[:, 1].tolist(), side.feature_names, strict=True
        )


def _without(study: Study, gone: Sequence[str], workers: Workers) -> RelevanceResult | None:
    try:
        return what_if(study, {tuple(gone): "absent"}, workers)
    except InfeasibleError:
        return None
