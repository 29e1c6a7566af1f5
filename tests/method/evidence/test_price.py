"""What a privileged feature adds to slacks: its price beside what chance gains."""

from functools import cache

import numpy as np
import pytest
from small_fits import privileged_table, told_estimator

from relbounds import OrdinalRelevance, RelevanceResult
from relbounds.datasets import make_semantic
from relbounds.engine.joining import Joining
from relbounds.engine.optimum import best_models
from relbounds.method.evidence.price import PriceTest
from relbounds.method.training_data import Feature


@cache
def semantic(seed: int = 0) -> OrdinalRelevance:
    """The paper's semantic example, with a fourth note of mere noise; C is what it is tuned to."""
    rng = np.random.RandomState(seed)
    data = make_semantic(random_state=rng)
    notes = np.hstack([data.X_priv, rng.standard_normal((len(data.y), 1))])
    model = OrdinalRelevance(C=0.3, gamma=1.0, n_probes=10, random_state=0)
    return model.fit(data.X, data.y, X_priv=notes)


def price_test(model: OrdinalRelevance, absent: tuple[Feature, ...] = ()) -> PriceTest:
    study = model._study
    return PriceTest(study.engine, study.data, study.best, absent)


@pytest.mark.parametrize("seed", [0, 2])
def test_all_three_notes_of_the_semantic_example_are_needed_and_an_idle_one_is_not(
    seed: int,
) -> None:
    found = semantic(seed).result_.privileged
    assert (found.p_needed[:3] <= 0.001).all()
    assert found.p_needed[3] > 0.05
    assert found.needed.tolist() == [True, True, True, False]
    assert (found.relevance[:3] > 0).all()
    assert found.relevance[3] == 0


def test_idle_notes_are_hardly_ever_worth_their_price() -> None:
    """Six of them at once: one in twenty may be below 0.05, so that two are already many."""
    rng = np.random.RandomState(0)
    data = make_semantic(random_state=rng)
    notes = np.hstack([data.X_priv, rng.standard_normal((len(data.y), 6))])
    model = OrdinalRelevance(C=0.3, gamma=1.0, n_probes=10, random_state=0)
    found: RelevanceResult = model.fit(data.X, data.y, X_priv=notes).result_
    p = found.privileged.p_needed
    assert (p[:3] < 0.05).all()
    assert (p[:3] <= 0.001).sum() >= 2
    assert (p[3:] < 0.05).sum() <= 2
    assert (p[3:] > 0.001).all()


def test_a_note_that_the_best_model_does_not_use_is_worth_nothing() -> None:
    X, y, X_priv, *_ = privileged_table()
    model = told_estimator("ordinal").fit(X, y, X_priv)
    unused = ~model.result_.baseline.privileged_weights.any(axis=1)
    assert unused.any()
    assert (model.result_.privileged.p_needed[unused] == 1).all()


def test_a_note_that_has_a_copy_is_worth_nothing_until_the_copy_is_gone() -> None:
    rng = np.random.RandomState(0)
    data = make_semantic(random_state=rng)
    notes = np.column_stack([data.X_priv, data.X_priv[:, 2]])
    model = OrdinalRelevance(C=0.3, gamma=1.0, n_probes=10, random_state=0)
    model.fit(data.X, data.y, X_priv=notes)
    assert (model.result_.privileged.p_needed[[2, 3]] == 1).all()
    twin = next(each for each in model._study.features if each.side == 1 and each.column == 3)
    test = price_test(model, (twin,))
    assert test.p_value(2) <= 0.001
    assert test.p_value(3) == 1, "what is absent adds nothing"


def test_the_same_data_have_the_same_p_values() -> None:
    test = price_test(semantic())
    assert test.p_value(3) == test.p_value(3) == semantic().result_.privileged.p_needed[3]


def test_only_columns_that_may_gain_do() -> None:
    """What multipliers rule out lowers no cost; what they do not rule out lowers it, mostly.

    Columns of different size: what a unit of weight brings grows with it, and its price does not.
    """
    test = price_test(semantic())
    layout, C = test.best.composition.layouts[1], test.best.choice.C
    joining = Joining(test.engine, test._space_without(3), C, 1e-6)
    columns = np.geomspace(1e-4, 1, 24)[:, None] * test.data.tables[1].columns[:, 3]
    may = np.array([test._may_gain(joining, each)[k] for k, each in enumerate(columns)])
    without, gains = joining.without.objective(C), np.empty(24)
    for k, each in enumerate(columns):
        joined = layout.spread(each[test._orders[k]])
        path = test.engine.path(joining.space.with_columns(joined, layout.price))
        gains[k] = without - best_models(path, np.array([C]), 1e-6)[0].objective(C)
    rounding = 2e-6 * without
    assert 4 < may.sum() < 20
    assert (gains[~may] <= rounding).all()
    assert np.mean(gains[may] > rounding) > 0.5
