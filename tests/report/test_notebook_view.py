"""What a notebook shows of a result."""

import re

from report_cases import Page, degenerate_result, many_features, told_result, tuned_result

from relbounds.report.rendering import asset


def test_a_notebook_shows_sentences_and_a_table_without_a_script() -> None:
    page = Page(tuned_result()._repr_html_())
    assert not page.found("script")
    assert page.texts("p")[0].startswith("Two features are indispensable (strong): x")
    assert len(page.found("svg", class_="bar")) == 6
    heads = page.texts("th", scope="col")
    assert heads[2:5] == ["alone", "in models", "beside others"]
    answers = [text for text in page.texts("span") if text in {"yes", "no"}]
    assert len(answers) == 3 * 6
    assert not [held for _, held, _ in page.elements if "id" in held], "ids could clash"


def test_styles_of_a_notebook_stay_in_their_cell() -> None:
    selectors = re.findall(r"^(.*?)\{", str(asset("notebook.css")), flags=re.MULTILINE)
    for selector in ",".join(selectors).split(","):
        assert selector.strip().startswith(".relbounds-result")


def test_a_notebook_shows_fifty_features_and_says_how_many_more() -> None:
    page = Page(many_features(tuned_result(), 80)._repr_html_())
    assert len(page.found("svg", class_="bar")) == 50
    assert "And 30 more" in page.texts("p")[-1]


def test_a_notebook_shows_both_sides_and_hostile_names_as_text() -> None:
    page = Page(told_result()._repr_html_())
    assert page.texts("caption") == ["regular features", "privileged features"]
    assert "<b>bold</b>" in "".join(page.texts("table"))
    assert not page.found("b")


def test_a_notebook_says_why_nothing_is_relevant() -> None:
    page = Page(degenerate_result()._repr_html_())
    why, *told = page.texts("p")
    assert why == degenerate_result().why_degenerate
    assert told[0].startswith("Three features add something of their own, but little (weak): x")
    assert not page.found("table")
