"""The explorer in a real browser, pulled at as people pull at it; Python gives the numbers."""

import math
import shlex
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from browser import DESKTOP, NEEDS_BROWSER, PHONE, look, started
from explorer_page import Page
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from relbounds import OrdinalRelevance, RegressionRelevance
from relbounds.cli.demo import STAGES, diabetes_stages
from relbounds.datasets import make_ordinal
from relbounds.explorer.door import TOKEN, explore

pytestmark = NEEDS_BROWSER
HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'; {{7*7}} \\", "a, b")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    running = started(tmp_path_factory.mktemp("browser"))
    yield running
    running.quit()


@pytest.fixture(scope="module")
def diabetes() -> Iterator[tuple]:
    table = diabetes_stages()
    stage = table.pop("stage")
    model = OrdinalRelevance(classes=list(STAGES), random_state=0).fit(table, stage)
    with explore(model, browser=False) as running:
        yield model, running.address


@pytest.fixture
def page(browser, diabetes) -> Iterator[Page]:
    """As it begins; when the test ends, the page must not have complained."""
    model, address = diabetes
    look(browser)
    yield Page(browser, address, model).open()
    look(browser)
    assert browser.get_log("browser") == []


def test_it_begins_with_the_answer_of_the_fit(page) -> None:
    page.agrees()
    assert page.said.startswith("bmi is indispensable.")
    classes = {each.text for each in page.all("li.row .badge")}
    assert classes == {"strong", "weak"}
    assert len(page.all("li.row .dot:not([hidden])")) == 10
    assert page.find(".chosen h2").text == "The best model"


def test_an_end_of_a_bar_limits_a_weight(page) -> None:
    page.drag("bmi", ".thumb.high", -80).agrees()
    ((key, (kind, low, high)),) = page.state.constraints
    assert (key, kind, low) == ("bmi", "signed", -math.inf)
    assert 0 < high < 0.7
    page.drag("bmi", ".thumb.low", 40).agrees()
    assert page.state.asked["bmi"][1] > 0.07
    assert len(page.chips) == 1


def test_the_middle_of_a_bar_fixes_a_weight(page) -> None:
    page.drag("log triglycerides", ".bar", 60).agrees()
    ((_, (_, low, high)),) = page.state.constraints
    assert low == high
    assert page.chips == [f"log triglycerides: fixed at {100 * low:.2f} %"]
    assert page.find(".chosen h2").text == "The best model that keeps this"


def test_while_one_pulls_a_first_bound_is_within_the_exact_one(page) -> None:
    """What is drawn at once is reached by good models, and what is hatched is not passed."""
    page.browser.execute_script(
        """const seen = window.seen = [];
        new MutationObserver(() => {
          if (document.getElementById("explorer").dataset.status !== "first") return;
          const place = (each, side) => each.getBoundingClientRect()[side];
          seen.push([...document.querySelectorAll("li.row")].map((row) => {
            const bar = row.querySelector(".bar"), outer = row.querySelector(".outer");
            return [Number(row.dataset.feature), Number(row.dataset.low), Number(row.dataset.high),
              place(outer, "left"), place(outer, "right")];
          }));
        }).observe(document.getElementById("explorer"), { attributes: true, subtree: true });"""
    )
    page.drag("HDL", ".bar", 20).agrees()
    first = np.array(page.browser.execute_script("return window.seen.at(-1)"))
    first = first[first[:, 0].argsort()]
    exact = page.ranges
    assert (first[:, 1] >= exact[:, 0] - 1e-6).all()
    assert (first[:, 2] <= exact[:, 1] + 1e-6).all()
    assert np.ptp(first[:, 1:3], axis=1).sum() > 0.5 * np.ptp(exact, axis=1).sum()


def test_a_bar_stops_at_its_end(page) -> None:
    page.drag("bmi", ".thumb.low", -300, hold=True)
    assert "no good model goes beyond" in page.part("bmi", ".tip").text
    assert "stopped" in page.find("li.row:has(.tip:not([hidden]))").get_attribute("class")
    page.browser.execute_script("document.activeElement.blur()")
    page.drag("bmi", ".bar", 0)
    assert page.settled().status == "exact"


def test_a_click_takes_a_feature_away_and_brings_it_back(page) -> None:
    page.click("HDL").agrees()
    assert page.state.asked == {"HDL": "absent"}
    assert page.chips == ["HDL: taken away"]
    said = "Without HDL, log triglycerides is indispensable; total cholesterol is needed."
    assert page.said == said
    page.click("HDL", ".ghost").agrees()
    assert page.state.asked == {}
    page.click("age", ".away").agrees()
    assert page.state.asked == {"age": "absent"}
    page.find(".chip button").click()
    assert page.agrees().chips == []


def test_limits_signs_and_totals_can_be_typed(page) -> None:
    page.click("LDL", ".name")
    low, high = page.all("li.row .more:not([hidden]) input[type=text]")
    low.send_keys("-5")
    high.send_keys("2,5", Keys.ENTER)
    assert page.agrees().state.asked == {"LDL": ("signed", -0.05, 0.025)}
    page.button("Only negative").click()
    assert page.agrees().state.asked == {"LDL": "negative"}
    page.part("LDL", "input[type=checkbox]").click()
    page.click("HDL", ".name")
    page.part("HDL", "input[type=checkbox]").click()
    page.find(".group input").send_keys("10", Keys.ENTER)
    asked = page.agrees().state.asked
    assert asked == {"LDL": "negative", ("LDL", "HDL"): 0.1}
    assert page.chips[1] == "LDL and HDL: together at most 10.0 %"
    page.click("age", ".name")
    low, high = page.all("li.row .more:not([hidden]) input[type=text]")
    low.send_keys("5")
    high.send_keys("2", Keys.ENTER)
    assert "the smaller first" in page.find(".more:not([hidden]) .wrong").text


def test_intervals_breathe_with_the_tolerance(page) -> None:
    page.complete()
    before = np.ptp(page.ranges, axis=1)
    slider = page.find("#tolerance")
    slider.send_keys(*[Keys.ARROW_RIGHT] * 40)
    page.agrees()
    assert page.state.tolerance > 0.0235
    assert (np.ptp(page.ranges, axis=1) >= before - 1e-6).all()
    page.click("HDL").agrees()
    marks = [each.get_attribute("aria-label") for each in page.all(".ticks .tick")]
    assert sum("The tolerance of the fit" in each for each in marks) == 1
    assert "From 0.00736: blood pressure becomes weak" in marks
    page.find(".ticks .fit").click()
    assert page.agrees().state.tolerance is None


def test_undo_and_redo(page) -> None:
    page.click("HDL").settled().click("age").settled()
    page.part("age", ".name").send_keys(Keys.CONTROL, "z")
    assert page.agrees().state.asked == {"HDL": "absent"}
    page.button("Undo").click()
    assert page.agrees().state.asked == {}
    assert not page.button("Undo").is_enabled()
    page.find("#tolerance").send_keys(Keys.CONTROL, Keys.SHIFT, "z")
    page.button("Redo").click()
    assert page.agrees().state.asked == {"HDL": "absent", "age": "absent"}
    page.button("Start again").click()
    assert page.agrees().state.asked == {}


def test_a_link_restores_the_state(page) -> None:
    page.drag("bmi", ".thumb.high", -60).click("HDL").agrees()
    link, asked, shown = page.text("Copy link"), page.state, page.ranges
    assert link == page.browser.current_url
    page.browser.get("about:blank")
    page.browser.get(link)
    assert page.agrees().state == asked
    np.testing.assert_allclose(page.ranges, shown, atol=1e-9)
    for broken in ("#nonsense", '#{"constraints":[[["nobody"],"absent"]]}', '#{"tolerance":-1}'):
        page.browser.execute_script(
            "document.querySelector('.trouble').textContent = ''; location.hash = arguments[0]",
            broken,
        )
        WebDriverWait(page.browser, 20, 0.02).until(
            lambda _: "The link cannot be read." in page.find(".trouble").text
        )


def test_what_is_copied_says_the_same_in_python_and_at_the_shell(page, diabetes) -> None:
    model, _ = diabetes
    page.drag("bmi", ".thumb.high", -60).click("HDL").agrees()
    python = page.text("Copy as Python")
    space = {"model": model}
    *lines, last = python.splitlines()
    exec("\n".join(lines), space)
    result = eval(last, space)
    np.testing.assert_allclose(page.ranges, result.weight_ranges / result.norm, atol=1e-6)
    command = shlex.split(page.text("Copy as command"))
    assert command[:2] == ["relbounds", "explore"]
    assert command[-2] == "--state"
    page.find(".chip button").click()
    command = shlex.split(page.agrees().text("Copy as command"))
    assert command[:2] == ["relbounds", "analyze"]
    assert command[-2:] == ["--without", "HDL"]


def test_a_conflict_is_named_with_the_tolerance_that_would_allow_it(page) -> None:
    page.click("age").settled().click("bmi").settled("conflict")
    told = page.find(".trouble").text
    assert "No good model does without bmi. It takes a tolerance of 0.0" in told
    assert [each.text for each in page.all(".chip.conflict bdi")] == ["bmi: taken away"]
    page.button("Allow that tolerance").click()
    page.agrees()
    assert page.state.tolerance > 0.0235
    assert not page.find(".trouble").is_displayed()
    page.button("Undo").click()
    page.settled("conflict").find(".trouble button:last-child").click()
    assert page.agrees().state.asked == {"age": "absent"}


def test_keys_reach_everything(page) -> None:
    page.find(".ticks .fit").send_keys(Keys.TAB)
    seen = set()
    while (now := page.browser.switch_to.active_element).tag_name != "summary":
        assert now.accessible_name
        seen.add(now.get_attribute("class").split()[0] if now.get_attribute("class") else "")
        now.send_keys(Keys.TAB)
    assert {"name", "thumb", "away"} <= seen
    first = page.part("bmi", ".name")
    first.send_keys(Keys.ARROW_DOWN)
    page.browser.switch_to.active_element.send_keys(Keys.DELETE)
    assert page.agrees().state.asked == {"log triglycerides": "absent"}
    page.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    thumb = page.agrees().part("bmi", ".thumb.high")
    thumb.send_keys(*[Keys.ARROW_LEFT] * 3)
    asked = page.agrees().state.asked["bmi"]
    assert asked[0] == "signed"
    assert float(thumb.get_attribute("aria-valuenow")) == pytest.approx(asked[2], abs=1e-4)
    assert "exact; strong" in thumb.get_attribute("aria-valuetext")
    thumb.send_keys(Keys.END)
    assert page.agrees().state.asked == {}
    page.part("bmi", ".name").send_keys(Keys.ENTER)
    assert page.part("bmi", ".more").is_displayed()
    assert page.find(".said").get_attribute("aria-live") == "polite"


def test_a_phone_shows_all_of_it(page) -> None:
    look(page.browser, PHONE)
    page.open().click("HDL", ".away").agrees()
    for size in (PHONE, (320, 640), (800, 900), DESKTOP):
        look(page.browser, size)
        assert page.browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    look(page.browser, PHONE)
    assert page.part("bmi", ".track").size["width"] > 0.85 * PHONE[0]
    page.drag("bmi", ".bar", 20).agrees()


def test_a_saved_report_is_of_what_is_asked(page, tmp_path) -> None:
    page.click("HDL").settled()
    page.browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.button("Save as a report").click()
    place = tmp_path / "report.html"
    for _ in range(100):
        if place.exists() and place.stat().st_size:
            break
        page.browser.execute_async_script("setTimeout(arguments[0], 50)")
    assert "Models keep HDL: absent." in place.read_text()


def test_hostile_names_stay_text(browser) -> None:
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 4)), columns=HOSTILE)
    model = RegressionRelevance(C=1.0, n_probes=10, random_state=0).fit(X, X[HOSTILE[0]])
    with explore(model, browser=False) as running:
        page = Page(browser, running.address, model).open()
        page.click(HOSTILE[1], ".away").agrees()
        page.click(HOSTILE[3], ".name").settled()
        assert {each.text for each in page.all("li.row .name bdi")} == set(HOSTILE)
        assert page.chips == [f"{HOSTILE[1]}: taken away"]
        assert page.all("img") == []
        assert len(page.all("script")) == 1
        result = eval(page.text("Copy as Python"), {"model": model})
        np.testing.assert_allclose(page.ranges, result.weight_ranges / result.norm, atol=1e-6)
        browser.get("about:blank")
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_two_hundred_features_stay_smooth(browser) -> None:
    """While one pulls, the page computes less than a frame for each move, drawing included."""
    X, y, _ = make_ordinal(
        300, n_strong=4, weak_groups=(4,), n_irrelevant=192, noise=0.3, random_state=0
    )
    model = OrdinalRelevance(C=0.05, n_probes=50, random_state=0).fit(X, y)
    look(browser)
    with explore(model, browser=False) as running:
        page = Page(browser, running.address, model).open()
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        before = seconds_computed(browser)
        page.drag("x0", ".thumb.high", -60, moves=20)
        taken = seconds_computed(browser) - before
        page.agrees()
        assert len(page.all("li.row")) == 200
        assert taken / 20 < 0.05
        page.find(".find input").send_keys("x19")
        assert len(page.all("li.row:not([hidden])")) == 11
        browser.get("about:blank")
    assert browser.get_log("browser") == []


def seconds_computed(browser) -> float:
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


@pytest.mark.slow
def test_the_page_goes_on_when_its_server_comes_back(browser, diabetes, monkeypatch) -> None:
    model, _ = diabetes
    monkeypatch.setenv(TOKEN, "the-same-token-again")
    first = explore(model, browser=False)
    page = Page(browser, first.address, model).open().click("HDL").agrees()
    link = browser.current_url
    first.close()
    page.click("age")
    page.browser.implicitly_wait(5)
    page.button("Try again")
    page.browser.implicitly_wait(0)
    assert "does not answer" in page.find(".trouble").text
    port = int(first.address.split(":")[2].split("/")[0])
    with explore(model, port=port, browser=False):
        page.button("Try again").click()
        assert page.agrees().state.asked == {"HDL": "absent", "age": "absent"}
        browser.get("about:blank")
        browser.get(link)
        assert page.agrees().state.asked == {"HDL": "absent"}
    complaints = [each["message"] for each in browser.get_log("browser")]
    assert all("Failed to load resource: net::ERR_" in each for each in complaints)


@pytest.mark.slow
def test_two_windows_do_not_disturb_each_other(page) -> None:
    first = page.browser.current_window_handle
    page.click("HDL")
    page.browser.switch_to.new_window("tab")
    page.open().click("age").agrees()
    assert page.state.asked == {"age": "absent"}
    page.browser.close()
    page.browser.switch_to.window(first)
    assert page.agrees().state.asked == {"HDL": "absent"}
