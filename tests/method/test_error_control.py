"""Error rates over all features: the procedures by hand, the rates over seeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_fits import estimator, table

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal
from relbounds.exceptions import ConstantFeatureWarning
from relbounds.method.decision import benjamini_hochberg, holm

ps = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)
levels = st.floats(0.001, 0.5)


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


@pytest.mark.parametrize("selection", ["fdr", "fwer"])
def test_as_many_probes_are_drawn_as_asked_for_whatever_the_error_rate(selection: str) -> None:
    """Tails are fitted, so that p-values may be finer than one over the number of probes."""
    X, y, _ = table(noise=0)
    result = estimator("ordinal", selection=selection).fit(X, y).result_
    assert result.probes.asked == 10
    assert result.p_in_models.min() < 1 / 11


def test_strong_and_weak_are_told_apart_as_before() -> None:
    X, y, truth = table(noise=0)
    model = estimator("ordinal", selection="fdr", level=0.1).fit(X, y)
    assert model.relevance_.tolist() == truth.tolist()
    frame = model.result_.to_frame()
    for kind in ("p_alone", "p_in_models", "p_needed"):
        assert (frame[kind] == getattr(model.result_, kind)).all()


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
