"""Who stands in for whom: groups that are known are found."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from small_fits import estimator, table

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal
from relbounds.results.answers import FAR_MORE, Join, Redundancy

TRUE_GROUPS = np.r_[np.arange(3), np.repeat([3, 4, 5], [2, 4, 6]), np.arange(6, 11)]


def agreement(noise: float, seed: int, n_samples: int = 300) -> float:
    X, y, _ = make_ordinal(
        n_samples,
        n_strong=3,
        weak_groups=(2, 4, 6),
        n_irrelevant=5,
        noise=noise,
        random_state=seed,
    )
    found = OrdinalRelevance(random_state=seed).fit(X, y).redundancy()
    return float(adjusted_rand_score(TRUE_GROUPS, found.labels))


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_three_groups_are_found(noise: float) -> None:
    assert agreement(noise, seed=0) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("noise", "least"), [(0.0, 1.0), (0.3, 0.9)])
def test_three_groups_are_found_over_seeds(noise: float, least: float) -> None:
    assert np.mean([agreement(noise, seed) for seed in range(10)]) >= least


@pytest.fixture(scope="module")
def pair() -> Redundancy:
    X, y, _ = table(noise=0.3)
    return estimator("ordinal", n_probes=50).fit(X, y).redundancy()


def test_a_pair_is_told_in_words(pair: Redundancy) -> None:
    assert pair.groups == (("x2", "x3"),)
    assert pair.needed == (("x2", "x3"),)
    [sentence] = pair.sentences()
    assert sentence == (
        "x2 and x3 stand in for one another: without x2, x3 becomes indispensable, and the other "
        "way round."
    )


def test_features_without_a_group_have_a_number_of_their_own(pair: Redundancy) -> None:
    assert pair.labels.tolist() == [1, 2, 0, 0, 3, 4]


def test_without_one_of_a_pair_the_other_is_strong() -> None:
    X, y, _ = table(noise=0.3)
    model = estimator("ordinal", n_probes=50).fit(X, y)
    assert model.what_if({"x2": "absent"}).became("strong") == ["x3"]


def test_neither_sign_nor_unit_nor_order_matter(pair: Redundancy) -> None:
    X, y, _ = table(noise=0.3)
    changed = (X * [1, -2, 3, -0.5, 1, 7])[:, ::-1]
    other = estimator("ordinal", n_probes=50).fit(changed, y).redundancy()
    assert other.groups == (("x2", "x3"),), "columns 2 and 3 of six, from either end"
    ratios = sorted(each.ratio for each in other.joins)
    assert ratios == pytest.approx(sorted(each.ratio for each in pair.joins), rel=1e-3)


def test_a_join_says_how_much_dearer_both_are_than_each() -> None:
    def ratio(first: float, second: float, both: float) -> float:
        return Join(("a",), ("b",), 0.5, first, second, both).ratio

    assert ratio(0.1, 0.1, 0.6) == pytest.approx(3)
    assert ratio(0.0, 0.0, 0.6) == np.inf
    assert ratio(0.0, 0.0, 0.0) == 1
    assert ratio(np.inf, 0.0, np.inf) == 1
    assert FAR_MORE == 2


def test_a_model_with_one_relevant_feature_has_no_groups() -> None:
    X, y, _ = make_ordinal(100, n_strong=1, weak_groups=(), n_irrelevant=2, random_state=0)
    found = OrdinalRelevance(C=1.0, random_state=0).fit(X, y).redundancy()
    assert (found.groups, found.joins, found.sentences()) == ((), (), [])
