"""Results in plain sentences, and the order in which features are shown."""

from dataclasses import replace

import numpy as np
import pytest
from other_results import altered
from report_cases import degenerate_result, told_result

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal
from relbounds.estimators import ESTIMATORS
from relbounds.method.decision import SELECTIONS
from relbounds.results.findings import arranged
from relbounds.wording.evidence import in_words, legend, marks, on_open_ones, rule_of
from relbounds.wording.relevance import (
    Group,
    about,
    answers,
    direction,
    group_of,
    headline,
    summary,
)
from relbounds.wording.rules import RULES
from relbounds.wording.tasks import TASKS
from relbounds.wording.text import listed, percent, probability


@pytest.fixture(scope="module")
def result():
    """Two strong features, two that replace one another, one idle."""
    X, y, _ = make_ordinal(150, n_strong=2, weak_groups=(2,), n_irrelevant=1, random_state=0)
    return OrdinalRelevance(C=1.0, random_state=0).fit(X, y).result_


def of_four_groups(result):
    """Strong, needed but weak, replaceable, replaceable, idle."""
    ranges = result.weight_ranges.copy()
    ranges[1, 0] = 0.0
    return altered(result, weight_ranges=ranges)


def test_each_group_has_a_sentence_that_names_its_features(result) -> None:
    strong, weak, idle = summary(result)
    assert strong == (
        "Two features are indispensable (strong): x0 and x1; every good model uses each, and each "
        "adds to all others."
    )
    assert weak == (
        "Two features are useful, but replaceable (weak): x2 and x3; each tells something about "
        "the outcome, but nothing proves that it adds to the others."
    )
    assert idle == (
        "One feature is of no use beyond chance (irrelevant): x4; alone, in good models and beside "
        "all others, it is not proved to tell more than chance could."
    )


def test_what_is_needed_but_little_is_a_group_of_its_own(result) -> None:
    told = of_four_groups(result)
    strong, own, *_ = summary(told)
    assert strong.startswith("One feature is indispensable (strong): x0; every good model uses it")
    assert own == (
        "One feature adds something of its own, but little (weak): x1; it adds to all others, but "
        "a model that is worse by no more than the tolerance does without it."
    )
    assert [each.group for each in answers(told.regular)] == list(Group)
    assert [each.label for each in answers(told.regular)] == [
        "strong",
        "weak",
        "weak",
        "irrelevant",
    ]


def test_every_feature_is_in_the_group_that_its_class_and_evidence_make(result) -> None:
    told = of_four_groups(result).regular
    named = {name: each.group for each in answers(told) for name in each.names}
    assert named == {
        "x0": Group.INDISPENSABLE,
        "x1": Group.OWN,
        "x2": Group.REPLACEABLE,
        "x3": Group.REPLACEABLE,
        "x4": Group.IDLE,
    }
    assert [group_of(told, k) for k in range(5)] == [named[f"x{k}"] for k in range(5)]


def test_a_group_without_features_is_left_out_unless_that_is_the_answer(result) -> None:
    ranges = np.full((5, 2), [-5, 11])
    strong, weak, irrelevant = summary(
        altered(result, weight_ranges=ranges, p_needed=np.ones(5), p_alone=np.ones(5))
    )
    assert strong == "No feature is indispensable."
    assert weak.startswith("Five features are useful, but replaceable (weak): ")
    assert irrelevant == "Every feature is of more use than chance."


def test_the_headline_counts_each_group(result) -> None:
    assert headline(of_four_groups(result).regular) == (
        "One feature is indispensable; one feature adds something of its own, but little; two "
        "features are useful, but replaceable; one feature is of no use beyond chance."
    )
    all_idle = altered(
        result, weight_ranges=np.zeros((5, 2)), p_alone=np.ones(5), p_needed=np.ones(5)
    )
    assert headline(all_idle.regular) == (
        "No feature is indispensable; five features are of no use beyond chance."
    )


def test_answers_name_all_features_however_many(result) -> None:
    many = altered(
        result,
        feature_names=tuple(f"x{k}" for k in range(40)),
        weight_ranges=np.tile([-0.01, 0.01], (40, 1)),
        p_alone=np.ones(40),
        p_needed=np.ones(40),
    )
    assert [len(each.names) for each in answers(many.regular)] == [0, 0, 0, 40]
    assert (
        "x7 and 32 more; alone, in good models and beside all others, none of them"
        in (summary(many)[-1])
    )


def test_advice_fits_one_feature_and_several(result) -> None:
    strong, own, weak, irrelevant = answers(result.regular)
    assert strong.advice.startswith("Keep them: without any one of these")
    assert weak.advice.startswith("Do not drop them all at once")
    assert irrelevant.advice == "It can be left out, as long as the others stay."
    assert replace(weak, names=("x2",)).advice.startswith("If you drop it, ask again without it")
    assert own.advice == ""
    assert replace(own, names=("x1",)).advice == (
        "Keep it, unless a model that is a little worse will do."
    )


def test_what_every_good_model_uses_is_never_said_to_be_of_no_use_without_a_caution(result) -> None:
    ranges = result.weight_ranges.copy()
    ranges[4] = [0.3, 0.4]
    told = altered(result, weight_ranges=ranges)
    assert summary(told)[-1] == (
        "Think before you drop x4: every good model uses it, though nothing proves that it tells "
        "more than chance."
    )
    assert about(told.regular, 4).startswith("Every good model gives it between 1.3 % and 1.7 %")


def test_what_every_good_model_uses_may_not_be_proved_to_add_to_the_others(result) -> None:
    told = altered(result, p_needed=[1e-9, 1, 1, 1, 1])
    assert told.relevance.tolist() == [2, 1, 1, 1, 0]
    assert told.in_every_model[1]
    assert summary(told)[-1] == (
        "Every good model uses x1, but that it adds to the others is not proved."
    )
    said = about(told.regular, 1)
    assert said.startswith("Every good model gives it between ")
    assert "Nothing proves that it adds to the others." in said


def test_a_close_call_is_one_short_sentence(result) -> None:
    told = altered(result, p_alone=[1e-9, 1e-9, 1e-9, 1e-9, 0.0008])
    assert told.is_close.tolist() == [False, False, False, False, True]
    assert summary(told)[-1] == "Too close to call: x4. More data may decide otherwise."
    assert about(told.regular, 4).endswith("Too close to call.")


def test_one_feature_is_told_from_another(result) -> None:
    share = "of the best model's total weight"
    chance = f"chance reaches at most {percent(result.chance[0])}"
    least, most = (percent(each) for each in result.intervals[0])
    assert about(result.regular, 0) == (
        f"Every good model gives it between {least} and {most} {share}; {chance}. It adds to all "
        f"others. {in_words(result.regular, 0)}"
    )
    most = percent(result.intervals[2, 1])
    assert about(result.regular, 2) == (
        f"Some good model gives it {most} {share}, where {chance}; another does without it. "
        f"Nothing proves that it adds to the others. {in_words(result.regular, 2)}"
    )
    assert "Nothing proves that it is of use. Alone: no (p = 0.2). In" in about(result.regular, 4)
    own = of_four_groups(result).regular
    assert "another does without it. It adds to all others, but little." in about(own, 1)
    assert "single value" in about(result.regular, 4, constant=["x4"])


# Evidence and rules


def test_each_question_is_answered_and_p_values_are_beside(result) -> None:
    assert marks(result.regular, 0) == ("yes", "yes", "yes")
    assert marks(result.regular, 2) == ("yes", "yes", "no")
    assert marks(result.regular, 4) == ("no", "no", "no")
    told = altered(result, p_alone=[1e-20, 8e-14, 1e-9, 1e-9, 0.0204])
    assert in_words(told.regular, 1).startswith("Alone: yes (p = 8e-14). In models: yes (p = ")
    assert in_words(told.regular, 0).startswith("Alone: yes (p = below 1e-16).")
    assert in_words(told.regular, 4).startswith("Alone: no (p = 0.02).")


def test_needed_is_by_the_error_rate_and_what_is_proved_only_by_itself_is_open(result) -> None:
    p_needed = np.ones(100)
    p_needed[0] = 0.0009
    many = altered(
        result,
        feature_names=tuple(f"x{k}" for k in range(100)),
        weight_ranges=np.tile([-0.01, 0.01], (100, 1)),
        p_alone=np.ones(100),
        p_needed=p_needed,
    )
    assert many.relevance[0] == 1
    assert not many.needed[0]
    assert marks(many.regular, 0) == ("no", "no", "(yes)")
    assert "Beside others: not sure among so many (p = 0.0009)." in about(many.regular, 0)
    assert on_open_ones(many.regular, "?")[0].startswith("?: it would be proved to add to the")
    assert on_open_ones(result.regular) == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({}, "one of the three kinds of evidence proves: a feature that is of no use passes each"),
        ({"confidence": 0.99}, "with a probability of at most 1 %"),
        ({"level": 0.1}, "with a false discovery rate of at most 10 % over all features"),
        ({"selection": "fdr"}, "called relevant, at most 5 % are expected to be of no use"),
        ({"selection": "fwer"}, "With a probability of 95 %, none of the features called relevant"),
        ({"selection": "probe"}, "The paper's rule: relevant is what good models can give more"),
    ],
)
def test_the_rule_and_its_error_rate_are_said(result, rule: dict, said: str) -> None:
    assert said in rule_of(altered(result, rule=rule).regular)


@pytest.mark.parametrize("selection", SELECTIONS)
def test_marks_never_contradict_a_class(result, selection: str) -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        p = rng.uniform(size=(2, 200)) ** 5
        told = altered(
            result,
            feature_names=tuple(f"x{k}" for k in range(200)),
            weight_ranges=np.tile([-0.01, 0.01], (200, 1)),
            p_alone=p[0],
            p_needed=p[1],
            rule={"selection": selection},
        ).regular
        for k in range(200):
            if selection != "probe":
                assert told.is_proved[k].any() == (told.relevance[k] > 0)
            assert (marks(told, k)[2] == "yes") == told.needed[k]


def test_every_selection_has_words() -> None:
    assert tuple(RULES) == SELECTIONS


def test_the_papers_rule_says_what_it_leaves_out(result) -> None:
    ranges = result.weight_ranges.copy()
    ranges[0] = [-0.1, 0.1]
    told = altered(result, weight_ranges=ranges, rule={"selection": "probe"})
    assert told.relevance.tolist() == [0, 2, 1, 1, 0]
    said = summary(told)
    assert said[2].startswith("Two features are of no use beyond chance (irrelevant): x4 and x0")
    assert "no good model gives any of them more weight than chance gives a permuted" in said[2]
    assert said[3] == (
        "By the paper's rule x0 is irrelevant, but alone or beside all others it tells more than "
        "chance would."
    )
    assert "Nothing proves" not in about(told.regular, 0)


def test_privileged_features_are_not_asked_alone() -> None:
    told = told_result()
    alone = {marks(told.privileged, k)[0] for k in range(4)}
    assert alone == {"\N{EN DASH}"}
    assert "Alone" not in about(told.privileged, 0)
    assert legend(told.privileged).startswith("why: m = some good model gives it more weight")
    irrelevant = answers(told.privileged)[-1]
    assert irrelevant.reason.startswith("in good models and beside all others, none of them is")


# Nothing learned


def test_features_that_predict_alone_are_never_called_useless() -> None:
    nothing = degenerate_result()
    why, own, weak, idle = summary(nothing)
    assert why.startswith(
        "The best model uses no feature at all. Yet 4 of 6 features tell something about the "
        "outcome on their own: x3, x2, x1, x0. C was given, 1e-06. If C is too small for these "
        "data, a larger one helps, or C=None, which tunes it."
    )
    assert "reported as irrelevant" not in why
    assert own.endswith("each adds to all others, but the best model does without it.")
    assert "useful, but replaceable (weak): x2; it tells something" in weak
    assert idle.endswith(
        "alone and beside all others, none of them is proved to tell more than chance could."
    )
    assert about(nothing.regular, 0).startswith("There are no good models that use features. It")


def test_where_nothing_tells_anything_that_is_said() -> None:
    idle = altered(degenerate_result(), p_alone=np.ones(6), p_needed=np.ones(6))
    (why,) = summary(idle)
    assert why.startswith(
        "The best model uses no feature at all: the target may have nothing to do with the "
        "features. Every feature is reported as irrelevant."
    )


def test_by_the_papers_rule_features_are_irrelevant_and_yet_tell_something() -> None:
    told = altered(degenerate_result(), rule={"selection": "probe"})
    assert "Yet 4 of 6 features tell something about the outcome on their own:" in told.degeneracy
    assert told.degeneracy.endswith("Every feature is reported as irrelevant.")


def test_a_direction_is_said_only_where_all_good_models_share_it(result) -> None:
    assert direction(result, result.regular, 0) == (
        "Larger values go with higher classes in every good model."
    )
    assert direction(result, result.regular, 2) == ""
    mirrored = altered(result, weight_ranges=-result.weight_ranges[:, ::-1])
    two = replace(mirrored, task="classification")
    assert (
        direction(two, two.regular, 0) == "Smaller values go with the class 4 in every good model."
    )


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
    ("p", "text"),
    [(1.0, "1"), (0.0204, "0.02"), (0.001, "0.001"), (8.1e-5, "8e-5"), (0.0, "below 1e-16")],
)
def test_p_values_have_the_digits_that_count(p: float, text: str) -> None:
    assert probability(p) == text


@pytest.mark.parametrize(
    ("names", "text"),
    [("a", "a"), ("ab", "a and b"), ("abc", "a, b and c"), ("abcd", "a, b, c and d")],
)
def test_names_are_listed_as_people_do(names: str, text: str) -> None:
    assert listed(names) == text


def test_a_long_list_is_cut_and_says_so() -> None:
    assert listed("abcdef", most=2) == "a, b and 4 more"


def test_relevant_features_come_first_and_given_order_is_kept(result) -> None:
    classes = result.relevance[arranged(result.regular)]
    assert (np.diff(classes) <= 0).all()
    needed = altered(result, p_needed=[1e-9, 1e-9, 1e-9, 1, 1])
    assert arranged(needed.regular).tolist()[2:] == [2, 3, 4], "weak ones that are needed first"
    assert arranged(result.regular, "given").tolist() == [0, 1, 2, 3, 4]


def test_columns_of_one_feature_stay_together_at_the_place_of_the_best(result) -> None:
    first = arranged(result.regular)[0]
    made_from = {f"x{first}": "colour", "x4": "colour"}
    assert arranged(result.regular, "relevance", made_from)[:2].tolist() == [first, 4]
    given = arranged(result.regular, "given", {"x0": "colour", "x4": "colour"})
    assert given.tolist() == [0, 4, 1, 2, 3]


def test_an_unknown_order_is_refused(result) -> None:
    with pytest.raises(ValueError, match="sort must be one of relevance, given; got 'size'"):
        arranged(result.regular, "size")


def test_every_task_has_words_and_an_estimator() -> None:
    assert tuple(ESTIMATORS) == TASKS
