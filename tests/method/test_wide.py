"""Of wide tables only what may be relevant is measured; the rest keeps a bound, and says so."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from relbounds import ClassificationRelevance, OrdinalRelevance, analyze, write_report
from relbounds.cli.markdown import to_markdown
from relbounds.datasets import make_ordinal, make_privileged
from relbounds.engine import Bound, Interior, WeightRange, outer_values
from relbounds.method.decision import ChanceRule
from relbounds.method.intervals import ends_and_gaps
from relbounds.method.shadows import _company
from relbounds.method.wide import is_wide
from relbounds.results.findings import arranged
from relbounds.wording.relevance import about


def table(n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three features that are needed, three that replace one another, all others idle."""
    data = make_ordinal(
        n, n_strong=3, weak_groups=(3,), n_irrelevant=d - 6, noise=0.3, random_state=seed
    )
    return data.X, data.y


def both(X: np.ndarray, y: np.ndarray, **settings: Any) -> tuple[Any, Any]:
    """What a usual fit finds, and one that computes all ends."""
    usual = OrdinalRelevance(random_state=0, **settings).fit(X, y).result_
    return usual, OrdinalRelevance(random_state=0, exact=True, **settings).fit(X, y).result_


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 12))]
)
def test_classes_are_those_of_exact_ends(seed: int) -> None:
    usual, exact = both(*table(60, 110, seed), C=0.05, n_probes=20)
    assert usual.is_bounded.sum() > 55
    assert exact.regular.bounded is None
    np.testing.assert_array_equal(usual.relevance, exact.relevance)
    np.testing.assert_array_equal(usual.regular.needed, exact.regular.needed)
    assert not usual.is_bounded[usual.relevance > 0].any()
    is_exact = ~usual.is_bounded
    np.testing.assert_allclose(
        usual.intervals[is_exact], exact.intervals[is_exact], rtol=0, atol=1e-6
    )
    np.testing.assert_allclose(usual.probe_intervals, exact.probe_intervals, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("selection", "budget"),
    [
        ("fdr", "split"),
        pytest.param("fdr", "joint", marks=pytest.mark.slow),
        ("fwer", "joint"),
        pytest.param("fwer", "split", marks=pytest.mark.slow),
    ],
)
def test_so_are_those_of_other_rules(selection: str, budget: str) -> None:
    X, y = table(60, 110, 4)
    usual, exact = both(X, y, selection=selection, budget=budget, C=0.05, n_probes=20)
    assert usual.is_bounded.any()
    np.testing.assert_array_equal(usual.relevance, exact.relevance)
    assert not usual.is_bounded[usual.relevance > 0].any()
    bounded = usual.is_bounded
    assert (usual.intervals[bounded, 1] >= exact.intervals[bounded, 1]).all()
    assert (usual.intervals[bounded, 0] == 0).all()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_no_weight_passes_the_bound_of_all(seed: int, budget: str) -> None:
    """The exact ends are inside, whatever weights cost, and the norm's limit is never passed."""
    X, y = table(40, 30, seed)
    study = OrdinalRelevance(C=0.1, budget=budget).fit(X, y)._study
    outer = outer_values(study.feasible, study.best.solution.multipliers)
    ends = np.array([each.ends for each in Interior().prepare(study.feasible).ranges(range(30))])
    assert (outer >= ends * [-1, 1] - 1e-9).all()
    assert (outer <= study.feasible.budget.norm_limit).all()
    assert (outer < study.feasible.budget.norm_limit).any()


def test_along_the_tolerance_those_weights_are_measured_that_were_for_the_fit() -> None:
    X, y = table(60, 110, 0)
    usual, exact = (
        OrdinalRelevance(random_state=0, C=0.05, n_probes=20, exact=each).fit(X, y)
        for each in (False, True)
    )
    asked = [0.01, 0.3]
    path, all_of_them = usual.tolerance_path(asked), exact.tolerance_path(asked)
    assert path.bounded is not None
    assert all_of_them.bounded is None
    np.testing.assert_array_equal(path.bounded, usual.result_.is_bounded)
    is_exact = ~path.bounded
    np.testing.assert_allclose(
        path.intervals[:, is_exact], all_of_them.intervals[:, is_exact], rtol=0, atol=1e-6
    )
    assert (path.intervals[:, path.bounded, 1] >= all_of_them.intervals[:, path.bounded, 1]).all()
    np.testing.assert_allclose(path.thresholds, all_of_them.thresholds, rtol=1e-5)
    np.testing.assert_array_equal(path.relevance, all_of_them.relevance)
    np.testing.assert_allclose(
        path.strong_until[is_exact], all_of_them.strong_until[is_exact], rtol=3e-6, atol=3e-6
    )
    assert np.isnan(path.strong_until[path.bounded]).all()


def test_a_bound_by_hand() -> None:
    """Two samples at -1 and 1 of one column, C = 1: the best model is w = 1, b = 0, cost 1/2.

    It is worth its price exactly, so its own gradient is 1/2 and leaves the norm's limit only. A
    column of zeros has none: it may have what a joint budget leaves, 0.1 / 2, at a price of 1/2.
    """
    X, y = np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([0, 1])
    model = ClassificationRelevance(C=1.0, tolerance=0.1, budget="joint", standardize=False)
    study = model.fit(np.column_stack([X[:, 0], [1e-9, -1e-9]]), y)._study
    outer = outer_values(study.feasible, study.best.solution.multipliers)
    np.testing.assert_allclose(outer[0, 1], 1.1, atol=1e-5)
    np.testing.assert_allclose(outer[1], 0.1, atol=1e-5)


def test_small_tables_are_exact() -> None:
    assert not is_wide(20, 100)
    assert not is_wide(500, 500)
    assert is_wide(20, 101)
    assert is_wide(500, 501)
    X, y = table(60, 20, 0)
    result = OrdinalRelevance(C=0.1).fit(X, y).result_
    assert result.regular.bounded is None
    assert not result.is_bounded.any()
    assert "bounded" not in result.to_frame()


def test_the_papers_rule_rests_on_weights_alone_and_has_all_of_them() -> None:
    X, y = table(60, 101, 4)
    result = OrdinalRelevance(selection="probe", C=0.04, n_probes=10).fit(X, y).result_
    assert result.regular.bounded is None


def test_one_idle_feature_is_expected_however_many_there_are() -> None:
    rule = ChanceRule()
    assert rule.over(333) == rule
    assert rule.over(10_000).confidence == pytest.approx(1 - 1 / 30_000)
    for selection in ("fdr", "fwer", "probe"):
        assert ChanceRule(selection).over(10_000) == ChanceRule(selection)


def test_weights_that_are_only_bounded_say_so() -> None:
    X, y = table(60, 120, 0)
    model = OrdinalRelevance(C=0.05, min_features=30).fit(X, y)
    side = model.result_.regular
    bounded = side.is_bounded
    assert bounded.any()
    frame = model.result_.to_frame()
    np.testing.assert_array_equal(frame["bounded"], bounded)
    assert (frame["p_in_models"][bounded] == 1).all()
    assert (side.gaps[bounded] == np.abs(side.ends[0][bounded])).all()
    assert model.result_.programs["intervals"] == 2 * np.count_nonzero(~bounded)
    irrelevant = arranged(side)[(side.relevance > 0).sum() :]
    assert (np.diff(bounded[irrelevant].astype(int)) >= 0).all(), "measured ones come first"
    assert bounded[model.support_].sum() == max(0, 30 - np.count_nonzero(~bounded))
    again = type(model.result_).from_dict(model.result_.to_dict())
    np.testing.assert_array_equal(again.is_bounded, bounded)
    assert (side.drawn_intervals[bounded] == 0).all()
    np.testing.assert_array_equal(side.drawn_intervals[~bounded], side.intervals[~bounded])
    said = about(side, int(np.flatnonzero(bounded)[0]), ())
    assert "No good model gives it more than" in said


@pytest.mark.parametrize("asked", [{"x0": (0.1, 1.0)}, {"x3": "absent"}, {("x8", "x9"): 0.01}])
def test_constraints_leave_bounds_as_they_are(asked: dict) -> None:
    X, y = table(60, 110, 0)
    settings = {"C": 0.05, "n_probes": 20, "random_state": 0}
    usual = OrdinalRelevance(**settings).fit(X, y).what_if(asked)
    exact = OrdinalRelevance(exact=True, **settings).fit(X, y).what_if(asked)
    bounded = usual.is_bounded
    assert bounded.sum() > 55
    assert usual.programs["what if"] == 2 * (110 - bounded.sum())
    assert not bounded[[0, 8, 9] if ("x8", "x9") in asked else [0]].any()
    assert exact.regular.bounded is None
    np.testing.assert_array_equal(usual.relevance, exact.relevance)
    assert not bounded[usual.relevance > 0].any()
    np.testing.assert_allclose(
        usual.intervals[~bounded], exact.intervals[~bounded], rtol=0, atol=1e-6
    )
    assert (usual.intervals[bounded, 1] >= exact.intervals[bounded, 1] - 1e-7).all()


def test_privileged_features_and_classes_without_order() -> None:
    """Of a side that is wide idle features are bounded; the other one is exact.

    No loss is allowed, and some models of a solver exceed that by more than rounding once was.
    """
    data = make_privileged(30, n_irrelevant=94, random_state=0)
    model = OrdinalRelevance(C=1.0, gamma=1.0, slack="mixed", n_probes=10, random_state=1)
    result = model.fit(data.X, data.y, data.X_priv[:, :8]).result_
    assert result.is_bounded.any()
    assert result.privileged is not None
    assert not result.privileged.is_bounded.any()
    assert result.to_frame()["bounded"].dtype == bool
    X, y = table(30, 101, 1)
    of_classes = ClassificationRelevance(C=0.1, n_probes=10, random_state=0).fit(X, y % 3)
    side = of_classes.result_.regular
    assert side.is_bounded.any()
    assert (side.least[0][side.is_bounded] == 0).all()


def test_wide_tables_with_copies_of_which_nothing_speaks_for_any() -> None:
    """Features that evidence speaks for are measured first, and to ask for none was an error."""
    rng = np.random.RandomState(0)
    X = (rng.rand(30, 120) < 0.3).astype(float)
    X[:, 60:] = X[:, :60]
    found = ClassificationRelevance(C=1.0, n_probes=10, random_state=0).fit(X, rng.rand(30) < 0.5)
    assert found.result_.is_bounded.any()


def test_tables_show_what_is_only_bounded(tmp_path: Path) -> None:
    X, y = table(60, 120, 0)
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(120)]).assign(grade=y)
    answer = analyze(frame, "grade", task="ordinal", further=False, C=0.05)
    side = answer.result.regular
    most = side.intervals[side.is_bounded, 1].max()
    assert f"<= {most:.3f}" in to_markdown(answer)
    path = tmp_path / "page.html"
    write_report(answer.result, path)
    assert "\N{LESS-THAN OR EQUAL TO} " in path.read_text(encoding="utf-8")
    assert answer.to_frame()["bounded"].sum() == side.is_bounded.sum()


def test_a_column_keeps_itself_company_in_the_widest_table() -> None:
    """With few samples any of many columns is alike by chance; its own company it always is."""
    columns = np.random.RandomState(0).normal(size=(12, 3000))
    columns[:, 7] = columns[:, 5] + 1e-3 * columns[:, 7]
    company = _company(columns, np.array([5, 100]))
    assert np.flatnonzero(company[0]).tolist() == [5, 7]
    assert np.flatnonzero(company[1]).tolist() == [100]


def test_many_ranges_have_the_ends_and_gaps_of_each() -> None:
    ranges = [
        WeightRange(Bound(1.0, 1.5, 0.0), Bound(2.0, 2.25, 0.0)),
        WeightRange(Bound(-1.0, -1.0, 0.0), Bound(1.0 - 1e-9, 1.0, 0.0)),
    ]
    each = np.array([(one.ends, one.gaps) for one in ranges])
    np.testing.assert_array_equal(ends_and_gaps(ranges), each)
