"""Answers to further questions, in sentences and in a report that is written in Python."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from report_cases import HOSTILE, Page, degenerate_result, hostile_result, tuned_result
from small_fits import estimator, table

from relbounds import write_report
from relbounds.results.answers import Blocks, Price, Redundancy, Without
from relbounds.results.records import Tolerances
from relbounds.wording.further import called, of_absence, of_blocks
from relbounds.wording.text import number_between


@pytest.fixture(scope="module")
def model():
    X, y, _ = table()
    return estimator("ordinal", C=None).fit(X, y)


def said_of(price: Price, tolerance: float = 0.05, loss: float | None = None) -> str:
    used = Tolerances(tolerance, loss if loss is not None else tolerance)
    return " ".join(of_absence(replace(tuned_result(), tolerances=used), Without(price)))


# Sentences


NEEDED = "No good model does without age: the tolerance would have to be"
FOUND = "Without age: a good model exists; it"
ERROR = "the cross-validated error"


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (
            (0.21, True, 0.41, 0.55),
            f"{NEEDED} 0.21 (used: 0.05); {ERROR} would grow from 0.41 to 0.55.",
        ),
        (
            (0.05004, True, 0.41, 0.41),
            f"{NEEDED} 0.05004 (used: 0.05); {ERROR} would stay at 0.41.",
        ),
        ((np.inf, True, np.nan, np.nan), "No good model does without age, whatever the tolerance."),
        ((0.0, False, 0.41, 0.412), f"{FOUND} costs nothing ({ERROR} stays at 0.41)."),
        ((1e-9, False, 0.41, 0.38), f"{FOUND} costs nothing ({ERROR} falls from 0.41 to 0.38)."),
        (
            (0.0, False, 0.041, 0.052),
            f"{FOUND} takes no tolerance, but {ERROR} grows from 0.041 to 0.052.",
        ),
        (
            (0.03, False, 0.41, 0.43),
            f"{FOUND} takes a tolerance of 0.03 (used: 0.05), and {ERROR} grows from 0.41 to 0.43.",
        ),
        ((0.0, False, np.nan, np.nan), f"{FOUND} costs nothing."),
    ],
)
def test_a_price_is_one_sentence(numbers: tuple, sentence: str) -> None:
    assert said_of(Price(("age",), *numbers)) == sentence


def test_tolerances_that_differ_are_both_named() -> None:
    said = said_of(Price(("age",), 0.21, True, np.nan, np.nan), tolerance=0.3, loss=0.2)
    assert said.endswith("have to be 0.21 (used: 0.3 for the weight and 0.2 for the loss).")


def test_all_columns_of_a_text_are_called_by_its_name_and_some_by_their_own() -> None:
    made_from = {"colour=red": "colour", "colour=blue": "colour", "sex=male": "sex"}
    assert called(["age", "colour=red", "colour=blue"], made_from) == ["age", "colour"]
    assert called(["colour=red", "sex=male"], made_from) == ["colour=red", "sex"]
    assert called(["colour=red"], None) == ["colour=red"]


def test_what_changes_is_said_of_others_only(model) -> None:
    then = model.what_if({"x2": "absent"})
    without = Without(model.price("x2"), then)
    assert without.became()["irrelevant"] == []
    assert "x2" in then.became("irrelevant")
    assert of_absence(model.result_, without)[1] == "Then x3 is indispensable (strong)."


@pytest.mark.parametrize(("ends", "shown"), [((0.2, 0.2004), "0.20"), ((0.1, 0.3), "0.10 to 0.30")])
def test_a_number_that_is_not_known_exactly_is_two(ends: tuple, shown: str) -> None:
    assert number_between(*ends, decimals=2) == shown


def test_several_hidden_blocks_are_one_sentence() -> None:
    result = tuned_result()
    weak = [result.feature_names[k] for k in np.flatnonzero(result.relevance == 1)]
    blocks = Blocks(
        ("colour", "make"),
        (tuple(weak), tuple(weak)),
        np.array([[0.1, 0.2], [0.1, 0.2]]),
        np.zeros((2, 2)),
        np.array([2, 2]),
    )
    (sentence,) = of_blocks(result, blocks)
    assert sentence.startswith(
        "colour and make are each indispensable as a whole, although none of"
    )
    assert of_blocks(result, replace(blocks, relevance=np.array([1, 1]))) == []


# In a report


def sections(markup: str) -> list[str]:
    return [held["id"] for held, _ in Page(markup).found("h2") if "id" in held]


def test_python_users_get_the_same_sections(model, tmp_path: Path) -> None:
    markup = write_report(
        model.result_,
        tmp_path / "report.html",
        blocks=model.blocks({"pair": ["x2", "x3"]}),
        without=[model.price("x0"), (model.price("x2"), model.what_if({"x2": "absent"}))],
        stand_ins=model.redundancy(),
    ).read_text("utf-8")
    ids = sections(markup)
    assert ids[1:5] == ["features", "blocks", "without", "stand-ins"]
    assert ids[5] == "sure"
    page = Page(markup)
    assert any("Then x3 is indispensable (strong)." in each for each in page.texts("p"))
    assert any(
        "pair is indispensable as a whole" in each for each in page.texts("p", class_="caution")
    )
    assert any("x2 and x3 stand in for one another" in each for each in page.texts("li"))
    for place in ("blocks", "without", "stand-ins"):
        assert page.texts("a", href=f"#{place}")


def test_a_report_has_no_section_nobody_asked_for(tmp_path: Path) -> None:
    for result in (tuned_result(), degenerate_result()):
        markup = write_report(result, tmp_path / "report.html").read_text("utf-8")
        assert not {"blocks", "without", "stand-ins"} & set(sections(markup))


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    result = hostile_result()
    blocks = Blocks(
        (HOSTILE[0], HOSTILE[3]),
        (HOSTILE[:2], HOSTILE[2:]),
        np.array([[0.1, 0.2], [0.1, 0.2]]),
        np.zeros((2, 2)),
        np.array([2, 0]),
    )
    group = Redundancy(HOSTILE, (HOSTILE[:2],), (HOSTILE[:2],), (), np.arange(len(HOSTILE)))
    markup = write_report(
        result,
        tmp_path / "report.html",
        blocks=blocks,
        without=[Price(HOSTILE, 0.2, True, 0.1, 0.2)],
        stand_ins=group,
    ).read_text("utf-8")
    assert "<script>alert" not in markup
    page = Page(markup)
    assert len(page.texts("script")) == 1
    assert not page.found("img")
    (shown,) = page.texts("table", class_="blocks")
    assert all(name in shown for name in HOSTILE)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"blocks": {"a": ["x0"]}}, r"blocks must be what model.blocks\(\) gives; got a dict."),
        ({"without": "x0"}, r"without must be a list of what model.price\(...\) gives; got a str."),
        (
            {"without": ["x0"]},
            r"without must be a list of what model.price\(...\) gives; got a str.",
        ),
        ({"without": [("x0", None)]}, "without must be a list of what model.price"),
        ({"stand_ins": True}, r"stand_ins must be what model.redundancy\(\) gives; got a bool."),
    ],
)
def test_what_is_no_answer_is_refused_in_one_sentence(
    tmp_path: Path, given: dict, sentence: str
) -> None:
    with pytest.raises(TypeError, match=sentence):
        write_report(tuned_result(), tmp_path / "report.html", **given)
