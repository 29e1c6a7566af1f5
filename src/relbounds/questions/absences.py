"""What would the answer be without each relevant column, one at a time?"""

from collections.abc import Sequence

import numpy as np

from relbounds.method.evidence.gathering import p_needed
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study
from relbounds.method.training_data import columns_of
from relbounds.questions.feasibility import prices_of
from relbounds.questions.wholes import Whole, regular_wholes
from relbounds.results.answers import Absence, Absences, Blocks
from relbounds.results.findings import Findings


@ONE_BLAS_THREAD
def absences(study: Study, blocks: Blocks | None, workers: Workers) -> Absences:
    """Prices of the relevant columns, and what is proved to be needed without each.

    What is needed is told by evidence, so that no program is solved for it.
    """
    side, wholes = regular_wholes(study, blocks)
    relevant = np.flatnonzero(side.relevance > 0).tolist()
    prices = prices_of(study, [wholes[k] for k in relevant], workers)
    found = workers.map(_then, (study, side, wholes), relevant, "absences")
    return Absences(
        tuple(
            Absence(side.feature_names[k], price, *then)
            for k, price, then in zip(relevant, prices, found, strict=True)
        )
    )


def _then(
    study: Study, side: Findings, wholes: Sequence[Whole], gone: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Others that are needed only without a column, and no longer."""
    sets = [columns_of(each, 0) for each in wholes]
    tested = np.array([len(each) > 0 for each in sets])
    tested[gone] = False
    places = np.flatnonzero(tested)
    p = np.ones(len(sets))
    p[places], _ = p_needed(study.data, study.best, [sets[k] for k in places], wholes[gone])
    of_use = side.relevance > 0
    _, needed = study.settings.chance.classes(of_use, p, np.zeros_like(of_use), tested)
    return (
        tuple(side.feature_names[k] for k in np.flatnonzero(needed & ~side.needed)),
        tuple(side.feature_names[k] for k in np.flatnonzero(side.needed & ~needed & tested)),
    )
