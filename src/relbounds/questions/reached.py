"""Which model is the best of those that keep constraints, and what does it say of the samples?"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import FeasibleSet, Model, RestrictedModels, Restriction
from relbounds.exceptions import InfeasibleError, SolverError
from relbounds.method.parallel import ONE_BLAS_THREAD
from relbounds.method.state import Study, learned_set
from relbounds.questions.constraints import Reader, combined
from relbounds.questions.feasibility import INSIDE, over_budget
from relbounds.results.explored import ReachedModel


@ONE_BLAS_THREAD
def reached(study: Study, constraints: Mapping[Any, Any]) -> ReachedModel:
    """The good model that keeps constraints and needs the least tolerance for it."""
    feasible, best = learned_set(study), study.best.solution.model
    model = best
    if constraints:
        cases = combined(Reader.of(study).read(constraints), feasible.space.n_weights)
        model = _least(study, feasible, cases)
    if (broken := feasible.violation(model)) > INSIDE:
        raise SolverError(f"The model that was reached breaks its limits by {broken:.2g}.")
    return _told(study, feasible, model)


def _least(study: Study, feasible: FeasibleSet, cases: list[Restriction]) -> Model:
    """The model of the cases that goes least to the limits of norm and loss."""
    best = study.best.solution.model
    if any(each.is_kept_by(best.weights) for each in cases):
        return best
    found = []
    for each in cases:
        models = RestrictedModels.of(feasible, each)
        missing = over_budget(study, models.feasible)
        if missing.model is not None and missing.tolerance <= INSIDE:
            weights = models.weights @ missing.model.weights
            found.append((missing.tolerance, Model(weights, missing.model.offsets)))
    if not found:
        raise InfeasibleError("No good model keeps all of that.")
    return min(found, key=lambda pair: pair[0])[1]


def _told(study: Study, feasible: FeasibleSet, model: Model) -> ReachedModel:
    problem, data, best = study.best.choice.problem, study.data, study.best.solution
    said, said_by_best = (_predicted(study, each) for each in (model, best.model))
    errors = problem.errors(data.y, np.array([said, said_by_best]), data.weight).tolist()
    differ = np.flatnonzero(said != said_by_best) if data.classes is not None else None
    return ReachedModel(
        weights=_of_features(study, model.weights),
        norm=feasible.space.norm(model) / best.norm,
        loss=feasible.space.loss(model) / best.loss if best.loss else 1.0,
        error=errors[0],
        error_of_best=errors[1],
        otherwise=differ,
    )


def _predicted(study: Study, model: Model) -> FloatArray:
    """What a model says of the samples that it was trained on."""
    predictor, problem = study.best.composition.predictor(model), study.best.choice.problem
    points: FloatArray = study.data.regular.columns
    return problem.predict(points @ predictor.weights, predictor.offsets)


def _of_features(study: Study, weights: FloatArray) -> FloatArray:
    """The weight of each feature, as a share of the norm; of several the largest."""
    found = np.zeros(len(study.features))
    for place, feature in enumerate(study.features):
        if len(feature.positions):
            own = weights[feature.positions]
            found[place] = own[np.abs(own).argmax()]
    return found / study.result.norm
