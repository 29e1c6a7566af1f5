"""What parts of the data tell of other data: stability, and what models say of the unseen."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_predict
from small_fits import estimator, table

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.method.evidence.alone import p_alone
from relbounds.method.groups import Groups
from relbounds.method.training_data import Table, TrainingData
from relbounds.questions.stability import as_of_all, halves_of

FIXED = {"C": 1.0, "n_probes": 10, "random_state": 0}


def signals(n: int, seed: int, strengths: tuple[float, ...]) -> tuple[pd.DataFrame, np.ndarray]:
    """Independent columns, and two classes that depend on each as strongly as told."""
    rng = np.random.RandomState(seed)
    X = rng.standard_normal((n, len(strengths)))
    y = (X @ np.array(strengths) + rng.standard_normal(n) > 0).astype(int)
    return pd.DataFrame(X, columns=[f"x{k}" for k in range(len(strengths))]), y


@pytest.fixture(scope="module")
def model() -> ClassificationRelevance:
    return ClassificationRelevance(**FIXED).fit(*signals(200, 0, (2.0, 0.45, 0.0, 0.0)))


# Stability


def test_what_is_plain_is_always_found_and_what_is_idle_hardly_ever(model) -> None:
    found = model.stability().to_frame()
    assert found.loc["x0", ["relevant", "needed"]].tolist() == [1.0, 1.0]
    assert (found.loc[["x2", "x3"]] < 0.2).all(axis=None)
    assert 0.2 < found.loc["x1", "relevant"] < 1.0


def test_the_same_data_have_the_same_shares(model) -> None:
    again = ClassificationRelevance(**FIXED | {"random_state": 7, "n_jobs": 2})
    again.fit(*signals(200, 0, (2.0, 0.45, 0.0, 0.0)))
    pd.testing.assert_frame_equal(model.stability().to_frame(), again.stability().to_frame())


def test_halves_have_nothing_in_common_and_keep_classes() -> None:
    y = np.repeat([0.0, 1.0], [31, 9])
    columns = Table(("a",), np.arange(40.0)[:, None], np.array([True]))
    data = TrainingData((columns,), y, np.ones(40), ("no", "yes"))
    first, second, third, _ = halves_of(data, 4)
    assert sorted([*first, *second]) == list(range(40))
    assert {*first} != {*third}
    assert abs(y[first].sum() - y[second].sum()) <= 1


def test_groups_are_halved_as_a_whole() -> None:
    groups = Groups(np.arange(60) // 3)
    columns = Table(("a",), np.arange(60.0)[:, None], np.array([True]))
    data = TrainingData((columns,), np.arange(60.0), np.ones(60), None, groups=groups)
    for half in halves_of(data, 6):
        assert len(half) == 30
        assert all(np.isin(groups.codes, code)[half].sum() == 3 for code in groups.codes[half])


@pytest.mark.parametrize("degrees", [1, 4])
def test_a_half_is_taken_for_as_much_as_all_of_the_data(degrees: int) -> None:
    """Chi-squares: doubled without what chance adds, they are on average those of twice as many."""
    from scipy import stats

    draws = stats.ncx2(degrees, 6.0).rvs(40_000, random_state=0)
    p = as_of_all(stats.chi2.sf(draws, degrees), np.full(len(draws), degrees))
    kept = draws > degrees / 2  # below, nothing is left to double
    twice = stats.chi2.isf(p[kept], degrees)
    np.testing.assert_allclose(twice, 2 * draws[kept] - degrees, rtol=1e-6, atol=1e-6)
    assert (2 * draws - degrees).mean() == pytest.approx(degrees + 2 * 6.0, rel=0.02)


@pytest.mark.slow
def test_shares_agree_with_fresh_data() -> None:
    """Of 40 draws, the mean share of halves and how often the draws themselves prove a feature."""
    strengths = (0.45, 0.3, 0.0)
    said, proved = [], []
    for seed in range(40):
        X, y = signals(160, seed, strengths)
        found = ClassificationRelevance(**FIXED).fit(X, y)
        said.append(found.stability().relevant)
        result = found.result_
        proved.append(np.fmin(result.p_alone, result.p_needed) <= 0.001)
    difference = np.nanmean(said, axis=0) - np.mean(proved, axis=0)
    assert np.abs(difference).max() < 0.15


def test_too_few_samples_are_not_halved() -> None:
    X, y, _ = table(n_samples=30)
    found = estimator("ordinal").fit(X, y).stability()
    assert np.isnan(found.relevant).all()
    assert np.isnan(found.needed).all()


def test_what_only_weight_proves_is_not_told() -> None:
    X, y, _ = table()
    found = estimator("ordinal", selection="probe").fit(X, y).stability()
    assert np.isnan(found.relevant).all()
    assert np.isfinite(found.needed).all()


def test_a_class_that_a_half_lacks_is_no_trouble() -> None:
    X, y = signals(120, 0, (2.0, 0.0))
    y = np.where(np.arange(120) == 5, 2, y)
    found = OrdinalRelevance(**FIXED).fit(X, y).stability(n_halves=4)
    assert found.relevant[0] == 1.0


@pytest.mark.parametrize("estimator_of", [ClassificationRelevance, RegressionRelevance])
def test_weights_and_groups_are_taken_along(estimator_of) -> None:
    X, y = signals(150, 3, (2.0, 0.0))
    weight = np.random.RandomState(0).uniform(0.5, 2.0, 150)
    groups = np.arange(150) // 3
    settings = FIXED | ({"epsilon": 0.1} if estimator_of is RegressionRelevance else {})
    found = estimator_of(**settings).fit(X, y, sample_weight=weight, groups=groups).stability()
    assert found.relevant[0] == 1.0
    assert found.relevant[1] < 0.3


def test_classes_without_order_have_shares_too() -> None:
    rng = np.random.RandomState(0)
    X, y = rng.standard_normal((150, 3)), np.repeat(["a", "b", "c"], 50)
    X[:, 0] += 2 * (y == "b")
    found = ClassificationRelevance(**FIXED).fit(X, y).stability(n_halves=6)
    assert found.relevant[0] == 1.0
    assert (found.relevant[1:] < 0.4).all()


def test_columns_that_count_as_one_have_one_share() -> None:
    rng = np.random.RandomState(1)
    colour = rng.randint(0, 3, 200)
    X = pd.DataFrame({"c=1": colour == 1, "c=2": colour == 2, "b": rng.standard_normal(200)})
    y = (np.array([0.0, 1.5, -1.5])[colour] + rng.standard_normal(200) > 0).astype(int)
    found = ClassificationRelevance(**FIXED).fit(X.astype(float), y)
    shares = found.stability(found.blocks()).to_frame()
    assert shares.index.tolist() == ["c", "b"]
    assert shares.loc["c", "relevant"] == 1.0


def test_the_number_of_halves_is_checked(model) -> None:
    with pytest.raises(ValueError, match="n_halves must be"):
        model.stability(n_halves=1)


def test_ranks_in_a_half_are_those_of_the_test_alone(model) -> None:
    """An oracle by hand: the share is that of halves whose doubled chi-square passes 10.8."""
    X, y = signals(200, 0, (2.0, 0.45, 0.0, 0.0))
    data = model._study.data
    passed = []
    for half in halves_of(data, 20):
        one = [np.array([1])]
        p = p_alone(X.to_numpy()[half], y[half].astype(float), np.ones(len(half)), one)
        passed.append(as_of_all(p, np.array([1]))[0] <= 0.001)
    assert np.mean(passed) <= model.stability().relevant[1]


# What models say of the unseen


def test_the_unseen_are_told_as_scikit_learn_would() -> None:
    X, y = signals(150, 1, (1.0, 0.5, 0.0))
    fitted = ClassificationRelevance(n_probes=10, random_state=0, class_weight=None).fit(X, y)
    found = fitted.held_out()
    fixed = ClassificationRelevance(
        C=fitted.result_.hyperparameters["C"], n_probes=10, standardize=False, class_weight=None
    )
    unit = (X - X.mean()) / X.std(ddof=0)
    predicted = cross_val_predict(fixed, unit.to_numpy(), y, cv=list(fitted._study.data.folds))
    expected = pd.crosstab(y, predicted).to_numpy()
    np.testing.assert_array_equal(found.counts, expected)
    assert (found.labels, found.edges, found.has_seen) == (("0", "1"), None, False)


def test_without_folds_the_training_data_are_asked() -> None:
    X, y = signals(150, 1, (1.0, 0.5, 0.0))
    fitted = ClassificationRelevance(**FIXED).fit(X, y)
    found = fitted.held_out()
    assert found.has_seen
    np.testing.assert_array_equal(found.counts, pd.crosstab(y, fitted.predict(X)).to_numpy())


def test_numbers_are_told_in_parts_in_their_own_units() -> None:
    X, y, _ = table("regression", n_samples=90)
    y = 100 + 20 * y
    found = estimator("regression").fit(X, y).held_out()
    assert found.edges[0] == pytest.approx(y.min())
    assert found.edges[-1] == pytest.approx(y.max())
    np.testing.assert_array_equal(found.counts.sum(axis=1), np.full(6, 15))
    near = np.abs(np.subtract.outer(np.arange(6), np.arange(6))) <= 1
    assert found.counts[near].sum() > 0.6 * 90


def test_samples_count_by_their_weight() -> None:
    X, y = signals(100, 1, (1.0, 0.0))
    weight = np.where(y == 1, 3.0, 1.0)
    found = ClassificationRelevance(**FIXED).fit(X, y, sample_weight=weight).held_out()
    np.testing.assert_allclose(found.counts.sum(axis=1), [(y == 0).sum(), 3 * (y == 1).sum()])
