"""Would a good model miss a block as much if chance had made it?

The rows of a block are shuffled, all of its columns alike, so that nothing is left of what they say
about the outcome and about other features, but all of what they say about one another. The best
model then gets what chance has to offer, and doing without that has a price, too.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from relbounds.arrays import IntArray
from relbounds.baseline import GoodnessRule
from relbounds.constraints import Feature
from relbounds.fitting import Fit
from relbounds.known_models import KnownModels
from relbounds.study import Study
from relbounds.tuning import Sampled
from relbounds.what_if import absence, over_baseline

_SEED = 0


def exceeds_chance(study: Study, block: Sequence[Feature]) -> bool:
    """Whether a block has a higher price than each of as many shuffled ones as the fit had probes.

    If the block says nothing, its price is the highest with a probability of at most
    ``1 / (1 + probes)``.
    """
    absent, random_state = absence(study, block), np.random.RandomState(_SEED)
    price, n = over_baseline(study, [absent]), len(study.sampled.y)
    assert study.result.probes is not None, "a body was learned"
    return all(
        over_baseline(_shuffled(study, block, random_state.permutation(n)), [absent]) < price
        for _ in range(study.result.probes.asked)
    )


def _shuffled(study: Study, block: Sequence[Feature], order: IntArray) -> Study:
    """The best model of shuffled data, and good ones around it."""
    sampled = _with_shuffled_columns(study, block, order)
    fit = Fit.of(study.engine, sampled.compose(study.problem), study.fit.chosen)
    body, _ = fit.good_models(GoodnessRule(study.result.budget), sampled.weight)
    known = KnownModels.of(fit.best.model, [])
    return replace(study, sampled=sampled, fit=fit, body=body, known=known)


def _with_shuffled_columns(study: Study, block: Sequence[Feature], order: IntArray) -> Sampled:
    sampled, (regular, told) = study.sampled, study.columns(block)
    points = sampled.points.copy()
    points[:, regular] = points[np.ix_(order, regular)]
    if sampled.privileged is None:
        return replace(sampled, points=points)
    privileged = sampled.privileged.copy()
    privileged[:, told] = privileged[np.ix_(order, told)]
    return replace(sampled, points=points, privileged=privileged)
