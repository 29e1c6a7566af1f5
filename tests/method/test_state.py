"""Models that were met already answer part of what is asked later."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from small_fits import PROVED, estimator, privileged_table, table, told_estimator

from relbounds.datasets import make_ordinal
from relbounds.engine import TIGHT, Restriction
from relbounds.exceptions import InfeasibleError
from relbounds.method.parallel import Workers
from relbounds.method.state import KnownModels, Study
from relbounds.questions.what_if import what_if

TASKS = ("ordinal", "classification", "regression")


@pytest.fixture(scope="module", params=[(task, told) for task in TASKS for told in (False, True)])
def study(request: pytest.FixtureRequest) -> Study:
    task, told = request.param
    if told:
        X, y, X_priv, *_ = privileged_table(task)
        return told_estimator(task).fit(X, y, X_priv=X_priv)._study
    X, y, _ = table(task)
    return estimator(task, tolerance=0.1).fit(X, y)._study


def limited(study: Study, k: int, low: float, high: float) -> Restriction:
    none = Restriction.none(study.feasible.space.n_weights)
    one = np.arange(study.feasible.space.n_weights) == k
    return none.within(np.where(one, low, -np.inf), np.where(one, high, np.inf))


def test_every_value_inside_of_a_range_is_that_of_a_known_model(study: Study) -> None:
    shares = (0.02, 0.3, 0.7, 0.98)
    for k in range(study.feasible.space.n_weights):
        low, high = (sign * study.known.ends[k, sign].inner for sign in (-1, 1))
        for value in [low + share * (high - low) for share in shares]:
            pinned = limited(study, k, value, value)
            model = study.known.keeping(pinned)
            assert model is not None
            assert model.weights[k] == value
            assert study.feasible.violation(model) <= TIGHT


def test_no_known_model_has_a_value_beyond_the_range(study: Study) -> None:
    for (k, sign), end in study.known.ends.items():
        beyond = sign * end.outer + sign * 1e-3 * study.result.norm
        limits = (beyond, np.inf) if sign > 0 else (-np.inf, beyond)
        assert study.known.keeping(limited(study, k, *limits)) is None


def test_known_models_keep_totals(study: Study) -> None:
    """Half way between what the best model and the most modest end give to two features."""
    of = np.arange(2)
    totals = np.abs(np.array([end.model.weights[of] for end in study.known.ends.values()]))
    limit = (np.abs(study.known.best.weights[of]).sum() + totals.sum(axis=1).min()) / 2
    restriction = Restriction.none(study.feasible.space.n_weights).at_most(of, limit)
    assert not restriction.is_kept_by(study.known.best.weights)
    model = study.known.keeping(restriction)
    assert model is not None
    assert restriction.is_kept_by(model.weights)
    assert study.feasible.violation(model) <= TIGHT
    assert study.known.keeping(restriction.at_most(of, -1.0)) is None


CONSTRAINTS: tuple[dict[Any, Any], ...] = (
    {0: "positive"},
    {0: "absent"},
    {2: "absent"},
    {2: "negative"},
    {2: (0.05, 1.0)},
    {0: "positive", 2: ("signed", -0.2, 0.2)},
    {(1, 2): 0.4},
)


def test_answers_do_not_depend_on_what_is_known(study: Study) -> None:
    """Each end is an old one whose model keeps the constraints, or is asked for anew."""
    ignorant = replace(study, known=KnownModels(study.known.best, {}))
    told = 0
    for constraints in CONSTRAINTS:
        answers = []
        for each in (study, ignorant):
            try:
                answers.append(what_if(each, constraints, Workers()).regular.ends)
            except InfeasibleError as error:
                answers.append(type(error))
        if isinstance(answers[1], type):
            assert answers[0] is answers[1]
        else:
            scale = PROVED * study.result.norm
            np.testing.assert_allclose(answers[0], answers[1], rtol=0, atol=scale)
            told += 1
    assert told >= 3


def test_ends_that_keep_a_constraint_are_not_asked_for_again(study: Study) -> None:
    k = int(np.argmax(np.abs(study.known.best.weights)))
    sign = int(np.sign(study.known.best.weights[k]))
    limits = (0.0, np.inf) if sign > 0 else (-np.inf, 0.0)
    kept = study.known.ends_within(study.feasible, limited(study, k, *limits))
    assert (k, sign) in kept
    assert len(kept) > len(study.known.ends) / 2
    for key, bound in kept.items():
        assert bound is study.known.ends[key]


@pytest.mark.slow
def test_models_of_many_weights_are_not_kept() -> None:
    X, y, _ = table(n_samples=20, n_irrelevant=200)
    study = estimator("ordinal").fit(X, y)._study
    assert study.known.ends == {}
    anything = Restriction.none(study.feasible.space.n_weights)
    assert study.known.keeping(anything) is study.known.best


def test_an_end_beside_the_constraint_is_asked_for_anew() -> None:
    """Where answers are sensitive, a model that misses a limit by a hair is far from the answer."""
    shape = {"n_strong": 2, "weak_groups": (2,), "n_irrelevant": 1}
    X, y, _ = make_ordinal(150, random_state=510728, **shape)
    model = estimator("ordinal", C=3.424917779335816, tolerance=0.01, budget="joint").fit(X, y)
    study = model._study
    ignorant = replace(study, known=KnownModels(study.known.best, {}))
    values = np.array([end.model.weights[4] for end in study.known.ends.values()])
    inside = values[values < study.ends[4, 1] - 1e-3 * study.result.norm]
    assert len(inside) > 5
    for low in inside / study.result.norm + 0.9e-7:
        answers = [
            what_if(each, {4: ("signed", low, np.inf)}, Workers()).weight_ranges
            for each in (study, ignorant)
        ]
        np.testing.assert_allclose(*answers, rtol=0, atol=2e-7 * study.result.norm)
