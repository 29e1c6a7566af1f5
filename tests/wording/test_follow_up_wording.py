"""Answers to further questions, in sentences and in a report that is written in Python."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from other_results import altered
from report_cases import HOSTILE, Page, degenerate_result, hostile_result, tuned_result
from small_fits import estimator, table

from relbounds import write_report
from relbounds.results.answers import Blocks, Price, Redundancy
from relbounds.results.follow_ups import Without
from relbounds.results.records import Tolerances
from relbounds.wording.evidence import block_marks
from relbounds.wording.further import block_claim, called, of_absence, of_blocks, remarks_on


@pytest.fixture(scope="module")
def model():
    """Of x2 and x3 each is needed without the other; x0 and x1 are needed anyway."""
    X, y, _ = table(n_samples=150, noise=0.0)
    return estimator("ordinal").fit(X, y)


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


def test_who_takes_over_is_named_and_nobody_else(model) -> None:
    then = model.what_if({"x2": "absent"})
    without = Without(model.price("x2"), then)
    assert without.became() == {"needed": ["x3"], "no_longer_needed": []}
    assert of_absence(model.result_, without)[1] == "Then x3 is indispensable (strong)."


def changed(model, **evidence) -> Without:
    """What is found without x2, with other evidence than there is."""
    then = model.what_if({"x2": "absent"})
    other = altered(then, **evidence)
    return Without(model.price("x2"), other)


def test_a_smaller_budget_alone_makes_nobody_take_over(model) -> None:
    """Fewer good models: what they all use is more, though it stands in for nothing."""
    ranges = model.result_.weight_ranges.copy()
    ranges[0, 0] = -0.1
    before = altered(model.result_, weight_ranges=ranges)
    assert (before.relevance[0], before.needed[0]) == (1, True)
    without = changed(model, p_needed=[1e-9, 1e-9, 1, 1, 1, 1])
    without = Without(without.price, replace(without.then, before=before))
    assert "x0" in without.then.became("strong")
    assert without.became() == {"needed": [], "no_longer_needed": []}
    assert of_absence(before, without)[1] == "Nothing else becomes needed."


def test_what_is_needed_only_beside_what_is_gone_is_said(model) -> None:
    without = changed(model, p_needed=[1e-9, 1, 1, 1, 1, 1e-9])
    assert without.became() == {"needed": ["x5"], "no_longer_needed": ["x1"]}
    assert of_absence(model.result_, without)[1] == (
        "Then x5 adds something of its own, but little (weak); x1 is no longer proved to add to "
        "the others."
    )


def blocks_of(relevance, needed, *, names=("colour", "make"), features=None, least=0.1, p=1e-9):
    """Blocks of the same kind, whose evidence is all alike."""
    d = len(names)
    return Blocks(
        names,
        features or (("x2", "x3"),) * d,
        np.tile([least, 0.2], (d, 1)),
        np.zeros((d, 2)),
        np.full(d, relevance),
        np.full(d, needed),
        *(np.full(d, p) for _ in range(3)),
    )


def test_several_hidden_blocks_are_one_sentence(model) -> None:
    result = model.result_
    (sentence,) = of_blocks(result, blocks_of(2, True))
    assert sentence == (
        "colour and make are each indispensable as a whole, although none of their columns is by "
        "itself."
    )
    assert of_blocks(result, blocks_of(1, False)) == []


def test_what_blocks_add_though_no_column_does_is_said_for_each_group(model) -> None:
    (own,) = of_blocks(model.result_, blocks_of(1, True, names=("colour",)))
    assert own == (
        "colour adds to all others as a whole, although none of its columns is proved to by itself."
    )
    idle = blocks_of(1, False, names=("colour",), features=(("x4", "x5"),))
    (told,) = of_blocks(model.result_, idle)
    assert told.startswith("colour tells something as a whole, although none of its columns is")
    needed = blocks_of(1, True, names=("pair",), features=(("x0", "x1"),))
    assert of_blocks(model.result_, needed) == [], "its columns are more than that"


@pytest.mark.parametrize(
    ("relevance", "needed", "least", "claim"),
    [
        (2, True, 0.1, "indispensable"),
        (1, True, 0.0, "adds something of its own, but little"),
        (1, False, 0.0, "useful, but replaceable"),
        (1, False, 0.1, "in every good model, but not proved to add to the others"),
        (0, False, 0.0, "of no use beyond chance"),
        (0, False, 0.1, "in every good model, but not proved to be of use"),
    ],
)
def test_no_claim_of_a_block_contradicts_its_least(
    model, relevance: int, needed: bool, least: float, claim: str
) -> None:
    blocks = blocks_of(relevance, needed, names=("colour",), least=least)
    assert block_claim(blocks, 0) == claim
    remarks = remarks_on(model.result_, blocks)
    assert remarks == ([f"colour: {claim}."] if claim.startswith("in every") else [])


def test_a_block_that_is_relevant_by_one_column_says_so(model) -> None:
    blocks = blocks_of(1, False, names=("colour",), least=0.0, p=0.4)
    assert block_marks(model.result_, blocks, 0) == ("no", "no", "no")
    assert remarks_on(model.result_, blocks) == [
        "colour: relevant because of single columns; as a whole nothing is proved."
    ]


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
    assert ids[1:5] == ["outcome", "features", "blocks", "sure"]
    assert ids[5:8] == ["stand-ins", "quality", "without"]
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
    blocks = blocks_of(
        0, False, names=(HOSTILE[0], HOSTILE[3]), features=(HOSTILE[:2], HOSTILE[2:])
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
