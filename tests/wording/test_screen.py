"""Answers show themselves: a text of one screen, and a plain table in notebooks."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from report_cases import Page, many_features, told_result, tuned_result
from small_fits import estimator, table

from relbounds.results.record import Record

NAMES = ["age", "<b>bold</b>", "a & b", "d", "e", "f"]


@pytest.fixture(scope="module")
def model():
    X, y, _ = table()
    return estimator("ordinal").fit(pd.DataFrame(X, columns=NAMES), y)


@pytest.fixture(scope="module")
def answers(model) -> dict[str, Record]:
    return {
        "result": model.result_,
        "findings": model.result_.regular,
        "what if": model.what_if({"d": "absent"}),
        "price": model.price("age"),
        "blocks": model.blocks({"pair": ["age", "d"], "rest": ["e", "f"]}),
        "covers": model.covers(),
        "redundancy": model.redundancy(),
        "path": model.tolerance_path([0.0, 0.2]),
        "stability": model.stability(n_halves=4),
        "held out": model.held_out(),
        "absences": model.absences(),
    }


BEGINNINGS = {
    "result": "RelevanceResult: 6 features of 80 samples, to explain ordered classes\nTwo features",
    "findings": "Findings: 6 features\nTwo features are indispensable (strong): ",
    "what if": "ConstrainedResult: good models that keep d: absent\n",
    "price": "Price of age\nNo good model does without age: the tolerance would have to be ",
    "blocks": "Blocks: 2 blocks of columns that count as one\npair: ",
    "covers": "Covers: ",
    "redundancy": "Redundancy: 1 group of features that stand in for one another\n",
    "path": "RelevancePath: 3 tolerances from 0 to 0.2; used: ",
    "stability": "Stability: shares of 4 halves of the data\n",
    "held out": "HeldOut: 80 samples, what they are and are said to be\nOf the samples that",
    "absences": "Absences: the answer without each of 4 relevant features\n",
}


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_text_fits_on_a_screen_and_begins_with_what_it_is(answers, name: str) -> None:
    text = repr(answers[name])
    assert text.startswith(BEGINNINGS[name])
    assert len(text.splitlines()) <= 40
    assert max(map(len, text.splitlines())) <= 80
    assert str(answers[name]) == text


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_notebook_shows_names_as_text(answers, name: str) -> None:
    page = Page(answers[name]._repr_html_())
    assert page.texts("p")
    assert not page.found("b")
    assert not page.found("script")


def test_an_answer_in_a_notebook_has_its_title_and_its_table(answers) -> None:
    page = Page(answers["blocks"]._repr_html_())
    assert page.texts("p")[0] == "Blocks: 2 blocks of columns that count as one"
    assert page.texts("th", scope="row") == ["pair", "rest"]
    assert "minrel" in page.texts("th", scope="col")


def test_what_if_tells_what_moved_and_then_what_is_found(answers) -> None:
    found = answers["what if"]
    text, page = repr(found), Page(found._repr_html_())
    for name in found.changes().index:
        assert name in text
    assert page.texts("p")[0] == "ConstrainedResult: good models that keep d: absent"
    assert page.found("svg", class_="bar"), "the usual view of a result"


def test_of_many_features_the_first_are_shown() -> None:
    text = repr(many_features(tuned_result(), 80))
    assert len(text.splitlines()) <= 40
    assert text.endswith("And 68 rows more.")


def test_both_sides_are_shown() -> None:
    text = repr(told_result())
    for side in told_result().sides:
        for name in side.feature_names[:3]:
            assert name in text


def test_other_records_are_short_and_their_dictionaries_whole(model) -> None:
    for record in (model.result_.baseline, model.result_.data, model.result_.regular.decision):
        assert len(repr(record)) < 400
        assert repr(record).startswith(f"{type(record).__name__}(")
        assert json.dumps(record.to_dict())
    assert "weights=<6 array>" in repr(model.result_.baseline)
    assert "evidence=<Evidence>" in repr(model.result_.regular.decision)


def test_many_records_in_one_are_counted() -> None:
    tuned = tuned_result()
    assert f"<{len(tuned.tuning)} x Candidate>" in Record.__repr__(tuned)
    assert "classes=('a', 'b')" in repr(replace(tuned.data, classes=("a", "b")))
    assert "errors=<5 array>" in repr(replace(tuned.tuning[0], errors=np.zeros(5)))
