"""Results in plain sentences, and the order in which features are shown."""

from dataclasses import replace

import numpy as np
import pytest

from relbounds import OrdinalRelevance
from relbounds.arrangement import arranged
from relbounds.datasets import make_ordinal
from relbounds.wording import listed, summary


@pytest.fixture(scope="module")
def result():
    """Two strong features, two that replace one another, one idle."""
    X, y, _ = make_ordinal(150, n_strong=2, weak_groups=(2,), n_irrelevant=1, random_state=0)
    return OrdinalRelevance(C=1.0, random_state=0).fit(X, y).result_


def test_each_class_has_a_sentence_that_names_its_features(result) -> None:
    strong, weak, irrelevant = summary(result)
    assert strong.startswith("2 features are indispensable (strong): x0 and x1;")
    assert weak.startswith("2 features are useful but replaceable (weak): x")
    assert irrelevant.startswith("One feature is of no use beyond chance (irrelevant): x4;")


def test_a_class_without_features_is_said_to_have_none(result) -> None:
    ranges = result.weight_ranges.copy()
    ranges[:2] = [-5, 11]
    sentences = summary(replace(result, weight_ranges=ranges))
    assert "No feature is indispensable." in sentences


@pytest.mark.parametrize(
    ("names", "text"),
    [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c"), ("abcd", "a, b, c and d")],
)
def test_names_are_listed_as_people_do(names: str, text: str) -> None:
    assert listed(names) == text


def test_a_long_list_is_cut_and_says_so() -> None:
    assert listed("abcdef", most=2) == "a, b and 4 more"


def test_relevant_features_come_first_and_given_order_is_kept(result) -> None:
    classes = result.relevance[arranged(result)]
    assert (np.diff(classes) <= 0).all()
    assert arranged(result, "given").tolist() == [0, 1, 2, 3, 4]


def test_columns_of_one_feature_stay_together_at_the_place_of_the_best(result) -> None:
    first = arranged(result)[0]
    groups = {f"x{first}": "colour", "x4": "colour"}
    assert arranged(result, "relevance", groups)[:2].tolist() == [first, 4]
    given = arranged(result, "given", {"x0": "colour", "x4": "colour"})
    assert given.tolist() == [0, 4, 1, 2, 3]


def test_an_unknown_order_is_refused(result) -> None:
    with pytest.raises(ValueError, match="sort must be one of relevance, given; got 'size'"):
        arranged(result, "size")
