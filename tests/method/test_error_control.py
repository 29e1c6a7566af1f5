"""Error rates over all features: the procedures by hand, the rates over seeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_fits import estimator, table

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal
from relbounds.exceptions import ConstantFeatureWarning
from relbounds.method.decision import benjamini_hochberg, holm, p_values, probes_to_find_one

ps = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)
levels = st.floats(0.001, 0.5)


def test_a_p_value_counts_the_probes_that_reach_as_far() -> None:
    probes = np.array([1.0, 2.0, 2.0, 5.0])
    assert p_values(np.array([6.0, 5.0, 2.0, 1.5, 0.5]), probes).tolist() == [
        1 / 5, 2 / 5, 4 / 5, 4 / 5, 1.0,
    ]  # fmt: skip


def test_benjamini_and_hochberg_by_hand() -> None:
    """Limits 0.025, 0.05, 0.075, 0.1: the third is kept by 0.07, and so the second is taken too."""
    p = np.array([0.07, 0.01, 0.5, 0.06])
    assert benjamini_hochberg(p, 0.1).tolist() == [True, True, False, True]


def test_holm_by_hand() -> None:
    """Limits 0.025, 0.033, 0.05, 0.1: the second is not kept, and nothing after it counts."""
    p = np.array([0.04, 0.01, 0.045, 0.9])
    assert holm(p, 0.1).tolist() == [False, True, False, False]


@given(ps, levels)
def test_holm_finds_no_more_and_both_find_the_smallest(p: np.ndarray, level: float) -> None:
    more, fewer = benjamini_hochberg(p, level), holm(p, level)
    assert (more | ~fewer).all()
    for found in (more, fewer):
        assert not found.any() or p[found].max() <= p[~found].min(initial=1.0)


@given(ps, levels)
def test_a_higher_level_finds_no_less(p: np.ndarray, level: float) -> None:
    for procedure in (benjamini_hochberg, holm):
        assert (procedure(p, min(1.0, 2 * level)) | ~procedure(p, level)).all()


def test_enough_probes_are_drawn_for_one_feature_alone() -> None:
    X, y, _ = table()
    result = estimator("ordinal", selection="fwer", level=0.1).fit(X, y).result_
    assert result.probes.asked == probes_to_find_one(6, 0.1) == 60
    assert 1 / (1 + result.probes.asked) <= 0.1 / 6
    assert estimator("ordinal").fit(X, y).result_.probes.asked == 10


def test_strong_and_weak_are_told_apart_as_before() -> None:
    X, y, truth = table(noise=0)
    model = estimator("ordinal", selection="fdr", level=0.1).fit(X, y)
    assert model.relevance_.tolist() == truth.tolist()
    assert (model.result_.to_frame()["p_value"] == model.result_.p_values).all()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"selection": "bonferroni"}, "selection must be one of"),
        ({"level": 0}, "level must"),
        ({"level": 1.5}, "level must"),
    ],
)
def test_bad_settings_are_refused(settings: dict, sentence: str) -> None:
    X, y, _ = table()
    with pytest.raises(ValueError, match=sentence):
        estimator("ordinal", **settings).fit(X, y)


@pytest.mark.slow
def test_the_false_discovery_rate_is_kept_and_power_is_full() -> None:
    """Level 0.1, 100 draws: at most 0.1 plus three standard errors; every relevant one is found."""
    shares, power = [], []
    for seed in range(100):
        X, y, truth = make_ordinal(
            150, n_strong=3, weak_groups=(3,), n_irrelevant=14, noise=0.5, random_state=seed
        )
        model = OrdinalRelevance(selection="fdr", level=0.1, random_state=seed).fit(X, y)
        found = model.relevance_ > 0
        shares.append(np.sum(found & (truth == 0)) / max(found.sum(), 1))
        power.append(np.mean(found[truth > 0]))
    assert np.mean(shares) <= 0.1 + 3 * np.std(shares) / 10
    assert np.mean(power) >= 0.99


@pytest.mark.parametrize("selection", ["fdr", "fwer"])
def test_constant_columns_cost_no_power(selection: str) -> None:
    X, y, _ = table(noise=0)
    wide = np.column_stack([X, np.ones((len(X), 60))])
    with pytest.warns(ConstantFeatureWarning):
        model = estimator("ordinal", selection=selection, level=0.1).fit(wide, y)
    plain = estimator("ordinal", selection=selection, level=0.1).fit(X, y)
    assert model.relevance_[:6].tolist() == plain.relevance_.tolist()
    assert plain.relevance_[:4].all()
