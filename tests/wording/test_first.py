"""What is said before the answer: suspicions, models of no use, classes that are tiny."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from report_cases import Page, degenerate_result, tuned_result
from small_fits import estimator

from relbounds import RelevanceResult, write_report
from relbounds.results.suspicion import Suspect
from relbounds.wording.first import first_lines, on_a_bad_model, on_small_classes, on_suspects
from relbounds.wording.relevance import summary


def suspecting(*suspects: Suspect) -> RelevanceResult:
    return replace(tuned_result(), suspects=suspects)


BWT = Suspect("bwt", ("bwt",), 0.0)


def test_of_an_ordinary_result_nothing_is_said_first() -> None:
    assert first_lines(tuned_result()) == []


def test_a_column_that_tells_all_is_the_first_line_with_the_option_that_leaves_it_out() -> None:
    found = suspecting(BWT)
    assert summary(found)[0] == (
        "bwt alone tells the classes apart without error: is it part of how the outcome was "
        "defined, or did it come after it? Beside it all others can look idle. Leave it out with "
        '--drop bwt (drop=["bwt"] in Python).'
    )
    assert summary(found)[1:] == summary(tuned_result())


def test_several_are_told_together_and_names_can_be_typed() -> None:
    [sentence] = on_suspects(suspecting(BWT, Suspect("body mass", ("body mass",), 0.013)))
    assert sentence.startswith("bwt and body mass alone each tell the classes apart almost without")
    assert (
        'Leave them out with --drop bwt --drop \'body mass\' (drop=["bwt", "body mass"]' in sentence
    )


def test_of_many_suspects_a_few_are_named() -> None:
    [sentence] = on_suspects(suspecting(*(Suspect(f"c{k}", (f"c{k}",), 0.0) for k in range(12))))
    assert "c7 and 4 more alone each tell" in sentence
    assert sentence.count("--drop") == 8


def test_a_result_without_a_model_says_it_too() -> None:
    found = replace(degenerate_result(), suspects=(BWT,))
    assert summary(found)[0].startswith("bwt alone tells")


def test_a_page_begins_with_it(tmp_path) -> None:
    hostile = Suspect("<b>bwt</b>", ("<b>bwt</b>",), 0.0)
    page = Page(write_report(suspecting(hostile), tmp_path / "page.html").read_text())
    assert page.texts("p", class_="headline")[0].startswith("<b>bwt</b> alone tells the classes")


def made_of_parts() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.RandomState(0)
    warmth = rng.normal(size=120)
    X = pd.DataFrame(
        {
            "registered": np.round(80 + 20 * warmth + 9 * rng.normal(size=120)),
            "casual": np.round(40 + 10 * warmth + 9 * rng.normal(size=120)),
            "warmth": warmth,
        }
    )
    return X, X["registered"] + X["casual"]


def test_parts_that_a_number_is_made_of_are_suspected_together() -> None:
    X, y = made_of_parts()
    model = estimator("regression", C=None, epsilon=None).fit(X, y)
    assert model.result_.suspects == ()
    assert model.result_.suspected_together == ("registered", "casual")
    [sentence] = on_suspects(model.result_)
    assert sentence.startswith("The best model hardly errs on samples that it had not seen, by ")
    assert "registered and casual: are they what the outcome is made of" in sentence
    assert "leave them out with --drop registered --drop casual (drop=[" in sentence
    without = model.what_if({"warmth": "absent"})
    assert first_lines(without) == [], "the first fit has told"


def test_a_fit_suspects_a_column_and_further_questions_do_not_repeat_it() -> None:
    rng = np.random.RandomState(0)
    X = pd.DataFrame(rng.normal(size=(80, 3)), columns=["age", "weight", "height"])
    y = (X["weight"] > 0.3).astype(int)
    model = estimator("classification", C=None).fit(X, y)
    assert model.result_.suspects == (Suspect("weight", ("weight",), 0.0),)
    assert summary(model.result_)[0].startswith("weight alone tells the classes apart without")
    assert first_lines(model.what_if({"age": "absent"})) == []


@pytest.mark.parametrize(("error", "how"), [(1.3, "worse"), (1.195, "hardly better")])
def test_a_model_no_better_than_a_constant_says_so_first(error: float, how: str) -> None:
    good = tuned_result()
    errors = error + 0.1 * np.array([-1.0, 1.0, 0.0, 1.0, -1.0])
    bad = replace(good, tuning=tuple(replace(each, errors=errors) for each in good.tuning))
    [sentence] = on_a_bad_model(bad)
    assert sentence.startswith(f"The best model predicts {how} than one that gives the same answer")
    assert sentence == summary(bad)[0]


def test_tiny_classes_are_named() -> None:
    found = tuned_result()
    sizes = np.array([5, 20, 30, 1, 24])
    tiny = replace(found, data=replace(found.data, class_sizes=sizes))
    [sentence] = on_small_classes(tiny)
    assert sentence.startswith("Hardly anything is known of the classes 0 (5 samples) and 3 (1 sam")
    one = replace(found, data=replace(found.data, class_sizes=np.array([6, 20, 30, 3, 21])))
    assert on_small_classes(one)[0].startswith(
        "Hardly anything is known of the class 3 (3 samples)"
    )
    assert "put it together with another" in on_small_classes(one)[0]
