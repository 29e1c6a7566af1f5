"""Results in plain sentences, and the order in which features are shown."""

from dataclasses import replace

import numpy as np
import pytest
from made_up_results import made_up

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal
from relbounds.results.findings import arranged
from relbounds.wording.relevance import about, answers, direction, headline, summary
from relbounds.wording.text import listed, percent


@pytest.fixture(scope="module")
def result():
    """Two strong features, two that replace one another, one idle."""
    X, y, _ = make_ordinal(150, n_strong=2, weak_groups=(2,), n_irrelevant=1, random_state=0)
    return OrdinalRelevance(C=1.0, random_state=0).fit(X, y).result_


def test_each_class_has_a_sentence_that_names_its_features(result) -> None:
    strong, weak, irrelevant = summary(result)
    assert strong.startswith("Two features are indispensable (strong): x0 and x1;")
    assert weak.startswith("Two features are useful but replaceable (weak): x")
    assert irrelevant.startswith("One feature is of no use beyond chance (irrelevant): x4;")


def test_a_class_without_features_is_said_to_have_none(result) -> None:
    ranges = result.weight_ranges.copy()
    ranges[:2] = [-5, 11]
    sentences = summary(made_up(result, ranges=ranges))
    assert "No feature is indispensable." in sentences


def test_a_class_without_features_is_said_in_its_place_and_without_double_negation(result) -> None:
    ranges = result.weight_ranges.copy()
    ranges[:] = [-5, 11]
    strong, weak, irrelevant = summary(made_up(result, ranges=ranges))
    assert strong == "No feature is indispensable."
    assert weak.startswith("Five features are useful but replaceable (weak): ")
    assert irrelevant == "Every feature is of more use than chance."


def test_the_headline_counts_each_class(result) -> None:
    assert headline(result) == (
        "Two features are indispensable; two features are useful but replaceable; "
        "one feature is of no use beyond chance."
    )
    ranges = result.weight_ranges.copy()
    ranges[:] = [-5, 11]
    assert headline(made_up(result, ranges=ranges)) == (
        "No feature is indispensable; five features are useful but replaceable."
    )


def test_answers_name_all_features_however_many(result) -> None:
    names = [f"x{k}" for k in range(40)]
    many = made_up(result, names=names, ranges=np.tile([-0.01, 0.01], (40, 1)))
    assert [len(each.names) for each in answers(many)] == [0, 0, 40]
    assert "x7 and 32 more; no good model" in summary(many)[-1]


def test_advice_fits_one_feature_and_several(result) -> None:
    strong, weak, irrelevant = answers(result)
    assert strong.advice.startswith("Keep them")
    assert weak.advice.startswith("Do not drop them all at once")
    assert irrelevant.advice == "It can be left out, as long as the others stay."
    assert replace(weak, names=("x2",)).advice.startswith("If you drop it, ask again without it")
    assert replace(weak, names=()).advice == ""


def test_a_feature_that_is_needed_but_no_more_than_chance_is_not_dropped_unseen(result) -> None:
    ranges = result.weight_ranges.copy()
    ranges[4] = [0.3, 0.4]
    told = made_up(result, ranges=ranges)
    assert summary(told)[-1].startswith("Think before you drop x4: every good model uses it")
    assert "But every good model gives it at least 1.3 %." in about(told, 4)


def test_one_feature_is_told_from_another(result) -> None:
    share = "of the best model's total weight"
    chance = f"chance reaches at most {percent(result.thresholds.maxrel)}"
    least, most = (percent(each) for each in result.intervals[0])
    assert (
        about(result, 0)
        == f"Every good model gives it between {least} and {most} {share}; {chance}."
    )
    most = percent(result.intervals[2, 1])
    assert about(result, 2) == (
        f"Some good model gives it up to {most} {share}, where {chance}; another does without it."
    )
    most = percent(result.intervals[4, 1])
    assert about(result, 4) == f"No good model gives it more than {most} {share}; {chance}."
    assert "single value" in about(result, 4, constant=["x4"])


def test_a_direction_is_said_only_where_all_good_models_share_it(result) -> None:
    assert direction(result, result, 0) == (
        "Larger values go with higher classes in every good model."
    )
    assert direction(result, result, 2) == ""
    turned = made_up(result, ranges=-result.weight_ranges[:, ::-1])
    two = replace(turned, task="classification")
    assert direction(two, two, 0) == "Smaller values go with the class 4 in every good model."


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (1.2, "120 %"),
        (0.474, "47 %"),
        (0.0999, "10 %"),
        (0.031, "3.1 %"),
        (0.00204, "0.20 %"),
        (2e-6, "0.0002 %"),
    ],
)
def test_shares_have_two_digits_that_count(share: float, text: str) -> None:
    assert percent(share) == text


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
