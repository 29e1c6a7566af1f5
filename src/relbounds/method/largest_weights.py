"""How little may the largest of a feature's weights be, where it has one for each class?

A good model does without a feature only if all its weights are zero. Each class may be able to
spare the feature by itself, and still no good model spare it in all of them: all classes share one
budget. So the least of ``max_k |w_k|`` has programs of its own. It is the most, over shares ``s``
of the classes, of the least ``sum_k s_k |w_k|``, which is linear once weights have two parts. Every
answer to that proves that no model has less; its model, mixed with those that are known already,
shows what can be reached, and which shares to ask about next.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog

from relbounds.arrays import BoolArray, FloatArray, IntArray, relevance_of
from relbounds.engine import Engine, FeasibleSet, RestrictedModels, Restriction, WeightRange
from relbounds.method.parallel import Workers
from relbounds.problems import Layout

_ENOUGH = 3e-7  # of the scale: between what is proved, to a third of that, and what is reached
_MOST_ROUNDS = 40


def least_of_largest(
    engine: Engine,
    feasible: FeasibleSet,
    layout: Layout,
    ranges: Sequence[WeightRange],
    *,
    weights: FloatArray | None = None,
    asked: BoolArray | None = None,
    workers: Workers,
) -> FloatArray:
    """The least that the largest weight of each feature is over the good models.

    Parameters
    ----------
    engine : Engine
    feasible : FeasibleSet
    layout : Layout
        Of the features.
    ranges : sequence of WeightRange
        Of their weights, over the same models.
    weights : (d, d') array, optional
        Their weights as combinations of those of the set; None: they are the same.
    asked : bool array, optional
        Which features are asked about; no less than 0 is said of the others. None: all.
    workers : Workers
    """
    # models at ends of a set that was cut may be those of the whole, over other weights
    known = _known(feasible, ranges if weights is None else ())
    if weights is not None:
        known = known @ weights.T
    ends = np.array([each.ends for each in ranges])
    proved: FloatArray = layout.of_features(relevance_of(ends)[:, :1])[..., 0].max(axis=1)
    reached = layout.of_features(np.abs(known).T).max(axis=1).min(axis=1, initial=np.inf)
    is_open = reached - proved > _ENOUGH * feasible.scale
    if asked is not None:
        is_open &= asked
    positions = [layout.positions(k) for k in np.flatnonzero(is_open).tolist()]
    shared = (engine, feasible, weights, known)
    proved[is_open] = workers.map(_least, shared, positions, "intervals")
    return proved


def _known(feasible: FeasibleSet, ranges: Sequence[WeightRange]) -> FloatArray:
    """Weights of models that are known to be good, a line each."""
    models = [end.model for each in ranges for end in (each.low, each.high)]
    known = [each.weights for each in (*models, feasible.witness) if each is not None]
    return np.array(known).reshape(len(known), feasible.space.n_weights)


def _least(
    engine: Engine,
    feasible: FeasibleSet,
    weights: FloatArray | None,
    known: FloatArray,
    positions: IntArray,
) -> float:
    """Of one feature, proved.

    Equal shares come first: a model without the feature shows at once. The dearest shares tend to
    lie too far out, so that those half way to the best so far are asked about with them.
    """
    if weights is None:
        combined = np.zeros((len(positions), feasible.space.n_weights))
        combined[np.arange(len(positions)), positions] = 1.0
    else:
        combined = weights[positions]
    models, sizes = _in_parts(feasible, combined)
    search, found = engine.prepare(models.feasible), list(np.abs(known[:, positions]))
    best, proved = np.full(len(sizes), 1 / len(sizes)), 0.0
    asked = best[None]
    for _ in range(_MOST_ROUNDS):
        for shares, least in zip(asked, search.extremes(-asked @ sizes), strict=True):
            if -least.outer > proved:
                best, proved = shares, -least.outer
            if least.model is None:  # too many weights to keep any: what is proved has to do
                return proved
            found.append(sizes @ least.model.weights)
        dearest, reached = _dearest(np.array(found))
        if reached - proved <= _ENOUGH * feasible.scale:
            break
        asked = np.array([dearest, (dearest + best) / 2])
    return proved


def _in_parts(feasible: FeasibleSet, combined: FloatArray) -> tuple[RestrictedModels, FloatArray]:
    """The set with weights in two parts, and their sizes ``p + q`` as combinations of those.

    Constraints may have parted them already.
    """
    whole = np.flatnonzero(combined[np.count_nonzero(combined, axis=1) == 1].any(axis=0))
    unlimited = Restriction.none(feasible.space.n_weights).at_most(whole, np.inf)
    models = RestrictedModels.of(feasible, unlimited)
    if feasible.witness is not None:
        models = models.with_witness(models.of_model(feasible.witness))
    return models, np.abs(combined @ models.weights)


def _dearest(found: FloatArray) -> tuple[FloatArray, float]:
    """The shares at which the cheapest of some models is dearest, and what it costs there."""
    n_models, n_classes = found.shape
    solved = linprog(
        np.r_[np.zeros(n_classes), -1.0],
        A_ub=np.column_stack([-found, np.ones(n_models)]),
        b_ub=np.zeros(n_models),
        A_eq=np.r_[np.ones(n_classes), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * n_classes + [(None, None)],
    )
    return solved.x[:-1], float(-solved.fun)
