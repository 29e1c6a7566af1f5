"""A page that was mailed and moves all the same: nobody is asked, and every number is right."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browser import NEEDS_BROWSER, look, started
from report_cases import HOSTILE, many_features, tuned_result
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from relbounds import OrdinalRelevance, RegressionRelevance, write_report
from relbounds.cli.demo import STAGES, diabetes_stages
from relbounds.datasets import make_ordinal
from relbounds.questions import foreseen as question
from relbounds.results.explored import Foreseen


@cache
def diabetes() -> OrdinalRelevance:
    table = diabetes_stages()
    stage = table.pop("stage")
    return OrdinalRelevance(classes=list(STAGES), random_state=0).fit(table, stage)


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    model = diabetes()
    place = tmp_path_factory.mktemp("moving") / "report.html"
    return write_report(model.result_, place, foreseen=model.foreseen())


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    running = started(tmp_path_factory.mktemp("browser"))
    yield running
    running.quit()


@pytest.fixture
def browser(driver, page) -> Iterator:
    look(driver)
    driver.get(page.as_uri())
    yield driver
    assert driver.get_log("browser") == []


def part(browser, name: str, selector: str):
    names = list(diabetes().result_.feature_names)
    row = f"#moving li.row[data-feature='{names.index(name)}'] {selector}"
    return browser.find_element(By.CSS_SELECTOR, row)


def shown(browser) -> np.ndarray:
    found = browser.execute_script(
        """return [...document.querySelectorAll("#moving li.row")].map(
            ({ dataset }) => [dataset.feature, dataset.low, dataset.high].map(Number));"""
    )
    return np.array(sorted(found))[:, 1:]


def said(browser, where: str = ".said") -> str:
    return browser.find_element(By.CSS_SELECTOR, f"#moving {where}").text


@NEEDS_BROWSER
def test_a_click_takes_a_feature_away_without_any_server(browser) -> None:
    model = diabetes()
    for name in ("HDL", "age"):
        part(browser, name, ".away").click()
        expected = model.what_if({name: "absent"})
        np.testing.assert_allclose(
            shown(browser), expected.weight_ranges / expected.norm, atol=1e-6
        )
        assert said(browser).startswith(f"Without {name}, ")
    part(browser, "age", ".away").click()
    np.testing.assert_allclose(
        shown(browser), model.result_.weight_ranges / model.result_.norm, atol=1e-6
    )


@NEEDS_BROWSER
def test_the_slider_goes_from_one_tolerance_that_is_known_to_the_next(browser) -> None:
    model = diabetes()
    slider = browser.find_element(By.ID, "tolerance")
    slider.send_keys(Keys.END)
    path = model.tolerance_path()
    most = np.abs(shown(browser)).max(axis=1)
    np.testing.assert_allclose(most, path.intervals[-1, :, 1], atol=1e-6)
    assert browser.find_element(By.CSS_SELECTOR, "#moving output").text == "1"
    browser.find_element(By.CSS_SELECTOR, "#moving .ticks .fit").click()
    np.testing.assert_allclose(
        shown(browser), model.result_.weight_ranges / model.result_.norm, atol=1e-6
    )


@NEEDS_BROWSER
def test_what_no_good_model_does_is_told_with_its_price(browser) -> None:
    part(browser, "bmi", ".away").click()
    price = diabetes().price("bmi").tolerance
    assert f"It takes a tolerance of {price:.3g}." in said(browser, ".trouble")
    part(browser, "bmi", ".away").click()
    assert not browser.find_element(By.CSS_SELECTOR, "#moving .trouble").is_displayed()


@NEEDS_BROWSER
def test_nothing_can_be_pulled_at_that_nobody_would_answer(browser) -> None:
    assert browser.find_elements(By.XPATH, "//div[@id='moving']//button[text()='Copy link']") == []
    thumbs = browser.find_elements(By.CSS_SELECTOR, "#moving .thumb")
    assert not any(each.is_displayed() for each in thumbs)
    part(browser, "HDL", ".name").click()
    assert browser.find_elements(By.CSS_SELECTOR, "#moving .more input") == []


@NEEDS_BROWSER
def test_hostile_names_do_not_end_the_script_that_holds_them(driver, tmp_path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, len(HOSTILE))), columns=HOSTILE)
    model = RegressionRelevance(C=1.0, n_probes=10, random_state=0).fit(X, X[HOSTILE[0]])
    place = write_report(model.result_, tmp_path / "report.html", foreseen=model.foreseen())
    driver.get(place.as_uri())
    names = driver.find_elements(By.CSS_SELECTOR, "#moving .name bdi")
    assert {each.get_attribute("textContent") for each in names} == set(HOSTILE)
    assert driver.execute_script("return document.images.length") == 0
    assert driver.get_log("browser") == []


def embedded(page: Path) -> dict:
    (text,) = re.findall(r'id="foreseen">(.*?)</script>', page.read_text("utf-8"))
    return json.loads(text)


def test_the_policy_names_every_script_and_nothing_is_inline_beside_them(page) -> None:
    text = page.read_text("utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    assert "unsafe" not in policy
    assert len(re.findall("sha256-", policy)) == 4
    told = embedded(page)
    assert len(told["path"]) == 13
    assert [len(each["features"]) for each in told["without"]] == [1] * 10


def test_whole_texts_are_left_out_too() -> None:
    X, y, _ = make_ordinal(120, n_strong=2, weak_groups=(2,), n_irrelevant=1, random_state=0)
    model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)
    blocks = model.blocks({"pair": ["x2", "x3"]})
    found = model.foreseen(blocks)
    assert found.gone[0] == ("x2", "x3")
    assert found.without[0] is None
    assert found.prices[0] == pytest.approx(model.price(["x2", "x3"]).tolerance)
    alone = found.without[found.gone.index(("x2",))]
    expected = model.what_if({"x2": "absent"})
    np.testing.assert_allclose(alone.intervals, expected.intervals, atol=1e-6)


def test_what_there_is_no_room_for_is_said(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(question, "MOST_NUMBERS", 30)
    model = diabetes()
    found = model.foreseen()
    assert (len(found.along), len(found.gone)) == (0, 3)
    assert found.gone[0] == ("bmi",)
    text = write_report(model.result_, tmp_path / "r.html", foreseen=found).read_text("utf-8")
    assert "(but 7 of them, for which there was no room)" in text


def test_five_hundred_features_stay_below_one_and_a_half_megabytes(tmp_path) -> None:
    """With as many answers as a page may hold, all numbers of which differ."""
    first = many_features(tuned_result(), 500)
    (side,) = first.sides
    others = [replace(first, sides=(replace(side, ends=k * side.ends / 7),)) for k in range(1, 13)]
    full = Foreseen(tuple(others), (), (), np.empty(0))
    place = write_report(first, tmp_path / "report.html", foreseen=full)
    assert question.MOST_NUMBERS == 12 * 500
    assert 1_100_000 < place.stat().st_size < 1_500_000


def test_the_page_stays_small(page, tmp_path) -> None:
    plain = write_report(diabetes().result_, tmp_path / "plain.html").stat().st_size
    assert page.stat().st_size - plain < 150_000
