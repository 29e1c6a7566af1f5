"""Rules for the tolerance say what their names say, and the study's page shows them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_fits import estimator, privileged_table, table, told_estimator

from experiments import tolerance, tolerance_page
from experiments.tolerance_rules import AUTOMATIC, CONSTANTS, RULES, Losses, tolerances
from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal


@pytest.fixture(scope="module", params=["ordinal", "classification", "regression"])
def study(request: pytest.FixtureRequest):
    X, y, _ = table(request.param)
    return estimator(request.param, C=None).fit(X, y)._study


def test_the_automatic_rule_is_the_librarys(study) -> None:
    found = tolerances(study, seed=0)
    assert found[AUTOMATIC] == study.result.tolerances.norm
    assert found["two standard errors"] == pytest.approx(2 * found[AUTOMATIC])
    assert set(found) == {AUTOMATIC, *RULES, *(f"{each:g}" for each in CONSTANTS)}
    assert all(0 < value < 10 for value in found.values())


def test_losses_add_up_to_the_best_models(study) -> None:
    losses = Losses(study, seed=0)
    assert losses.total == pytest.approx(study.best.solution.loss)
    assert losses.total <= losses.without_features.sum()
    assert len(losses.without_a_feature) == np.count_nonzero(study.result.baseline.weights)
    assert not any(np.allclose(each, losses.best) for each in losses.without_a_feature)
    for _, all_losses in losses.resampled:
        assert len(all_losses) == len(losses.best)


def test_a_sample_is_held_out_of_the_model_that_judges_it() -> None:
    """Losses of one fold, computed by hand from a model of the others.

    Of the second fold, whose model has only one best place for each offset.
    """
    X, y, _ = table()
    study = estimator("ordinal", C=None).fit(X, y)._study
    test, losses = Losses(study, seed=0).of_folds[1]
    train = np.setdiff1d(np.arange(len(y)), test)
    other = OrdinalRelevance(C=study.best.choice.C, n_probes=10, standardize=False, random_state=0)
    points = study.data.regular.columns
    best = other.fit(points[train], y[train]).result_.baseline
    scores = points @ best.weights
    last = len(best.offsets)
    below = [
        max(0.0, 1 + score - best.offsets[k]) if k < last else 0.0
        for score, k in zip(scores, y, strict=True)
    ]
    above = [
        max(0.0, 1 - score + best.offsets[k - 1]) if k > 0 else 0.0
        for score, k in zip(scores, y, strict=True)
    ]
    np.testing.assert_allclose(losses, np.add(below, above), atol=1e-4)


def test_without_loss_rules_have_nothing_to_go_by() -> None:
    X, y, _ = make_ordinal(40, n_strong=1, weak_groups=(), n_irrelevant=1, random_state=0)
    study = estimator("ordinal", C=1000.0).fit(X, y)._study
    assert study.best.solution.loss < 1e-9
    found = tolerances(study, seed=0)
    assert {found[name] for name in (AUTOMATIC, *RULES)} == {0.1}


def test_privileged_data_have_shares_of_the_gain() -> None:
    X, y, X_priv, *_ = privileged_table()
    study = told_estimator("ordinal", C=None).fit(X, y, X_priv=X_priv)._study
    found = tolerances(study, seed=0)
    assert found["0.1 of the gain"] == pytest.approx(found[AUTOMATIC] / 2)
    assert found["0.3 of the gain"] == pytest.approx(found[AUTOMATIC] * 3 / 2)


def test_a_quick_run_writes_a_page_with_every_rule(tmp_path: Path) -> None:
    data = next(each for each in tolerance.all_data() if each.name == "set 3 noise 0.5")
    rows = pd.DataFrame(tolerance.compare(data, seed=1)).assign(
        relbounds="0", source="a", date="2026-01-01"
    )
    tolerance.write(rows, tmp_path, quick=True)
    page = (tmp_path / "tolerance.md").read_text("utf-8")
    for words in tolerance_page.IN_WORDS.values():
        assert words in page
    cells = pd.read_csv(tmp_path / "rules.csv")
    own = cells[cells["rule"] == AUTOMATIC]
    assert own["f1_difference"].tolist() == [0.0]


def test_names_of_data_are_unique() -> None:
    names = [each.name for each in tolerance.all_data()]
    assert len(set(names)) == len(names)
    assert set(tolerance.QUICK) <= set(names)
