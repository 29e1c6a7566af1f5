"""The report in a real browser, used as people use it: by clicks, keys and looks."""

import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browser import DESKTOP, NEEDS_BROWSER, started
from report_cases import (
    HOSTILE,
    LEVELS,
    hostile_result,
    many_features,
    texts_follow_ups,
    texts_model,
    told_result,
    tuned_result,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from relbounds import write_report
from relbounds.results.answers import Blocks, Price, Redundancy
from relbounds.results.findings import arranged
from relbounds.results.whole_columns import whole_columns

pytestmark = NEEDS_BROWSER
PHONE = (360, 740)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def driver(folder: Path):
    browser = started(folder)
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, Path]:
    results = {
        "plain": tuned_result(),
        "hostile": hostile_result(),
        "told": told_result(),
        "many": many_features(tuned_result(), 1000),
    }
    made_from = {HOSTILE[3]: "colour", HOSTILE[4]: "colour"}
    blocks = Blocks(
        HOSTILE[:2],
        (HOSTILE, HOSTILE[:2]),
        np.array([[0.1, 0.2], [0.0, 0.9]]),
        np.array([[0.05, 0.3], [0.0, 0.0]]),
        np.array([2, 0]),
        np.array([True, False]),
        *(np.array([1e-9, 0.4]) for _ in range(3)),
    )
    price = Price(HOSTILE, 0.2, True, 0.1, 0.2)
    group = Redundancy(HOSTILE, (HOSTILE[:2],), (HOSTILE[:2],), (), np.arange(len(HOSTILE)))
    further = {"blocks": blocks, "without": [price], "stand_ins": group}
    asked = write_report(results["hostile"], folder / "asked.html", made_from=made_from, **further)
    texts = write_report(texts_model().result_, folder / "texts.html", **texts_follow_ups())
    return {"asked": asked, "texts": texts} | {
        name: write_report(
            result, folder / f"{name}.html", made_from=made_from, warnings=["Take care."]
        )
        for name, result in results.items()
    }


@pytest.fixture
def browser(driver, pages):
    """Opens a page by its name; when the test ends, the page must not have complained."""

    def opened(name: str, size: tuple[int, int] = DESKTOP, **features: str):
        width, height = size
        look(driver, width, height, **features)
        driver.get(pages[name].as_uri())
        return driver

    yield opened
    look(driver, *DESKTOP)
    assert driver.get_log("browser") == []


def look(driver, width: int, height: int, media: str = "screen", scheme: str = "light") -> None:
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    preferred = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": preferred})


def names(browser, table: int = 0) -> list[str]:
    """The names that can be seen, from top to bottom."""
    return browser.execute_script(
        """const table = document.querySelectorAll("table.features")[arguments[0]];
        return [...table.tBodies].map(body => body.rows[0]).filter(row => row.offsetParent !== null)
            .map(row => row.querySelector("th bdi").textContent);""",
        table,
    )


def header(browser, key: str):
    return browser.find_element(By.CSS_SELECTOR, f"th[data-key='{key}']")


def click_header(browser, key: str) -> str:
    header(browser, key).find_element(By.TAG_NAME, "button").click()
    return header(browser, key).get_attribute("aria-sort")


def status(browser) -> str:
    return browser.find_element(By.ID, "status").text


def by_frame(column: str, ascending: bool) -> list[str]:
    frame = tuned_result().to_frame()
    return frame.sort_values(column, ascending=ascending, kind="stable").index.tolist()


# Sorting


def test_a_click_on_a_header_sorts_and_a_second_one_turns_the_order(browser) -> None:
    page = browser("plain")
    assert click_header(page, "maxrel") == "descending"
    assert names(page) == by_frame("maxrel", ascending=False)
    assert click_header(page, "maxrel") == "ascending"
    assert names(page) == by_frame("maxrel", ascending=True)
    assert "ascending" in status(page)


def test_what_other_data_would_say_can_be_sorted_by(browser) -> None:
    page = browser("texts")
    shares = texts_follow_ups()["stability"].to_frame()["relevant"]
    assert click_header(page, "again") == "descending"
    assert (shares[names(page)].diff().dropna() <= 0).all()
    assert len(set(shares)) > 1


@pytest.mark.parametrize("key", ["p_alone", "p_in_models", "p_needed"])
def test_answers_are_sorted_by_their_p_values_the_surest_first(browser, key: str) -> None:
    page = browser("plain")
    assert click_header(page, key) == "ascending"
    p = tuned_result().to_frame()[key]
    assert (p[names(page)].diff().dropna() >= 0).all()


def test_features_are_sorted_by_class_first_and_by_number_on_demand(browser) -> None:
    page = browser("plain")
    result = tuned_result()
    order = arranged(result.regular)
    assert names(page) == [result.feature_names[k] for k in order]
    assert header(page, "rank").get_attribute("aria-sort") == "descending"
    assert click_header(page, "given") == "ascending"
    assert names(page) == list(result.feature_names)
    assert header(page, "rank").get_attribute("aria-sort") is None


def test_columns_of_one_feature_stay_together_by_class_and_by_number(browser) -> None:
    page = browser("hostile")
    for key in ("rank", "given"):
        click_header(page, key)
        first, second = sorted(names(page).index(HOSTILE[k]) for k in (3, 4))
        assert second == first + 1


def test_keys_sort_as_clicks_do(browser) -> None:
    page = browser("plain")
    button = header(page, "feature").find_element(By.TAG_NAME, "button")
    button.send_keys(Keys.ENTER)
    assert names(page) == sorted(tuned_result().feature_names)
    page.switch_to.active_element.send_keys(Keys.SPACE)
    assert names(page) == sorted(tuned_result().feature_names, reverse=True)


@pytest.mark.slow
def test_a_thousand_features_are_sorted_before_anyone_notices(browser) -> None:
    """Layout included, in seconds that the page itself computed, however busy the machine is."""
    page = browser("many")
    page.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    for key in ("maxrel", "feature"):
        before = seconds_computed(page)
        page.execute_script(
            "document.querySelector(arguments[0]).click(); document.body.offsetHeight;",
            f"th[data-key={key}] button",
        )
        assert seconds_computed(page) - before < 0.2
        assert header(page, key).get_attribute("aria-sort")
        assert len(names(page)) == 1000


def seconds_computed(page) -> float:
    metrics = page.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


# Filtering


def test_classes_can_be_hidden_and_shown(browser) -> None:
    page = browser("plain")
    box = page.find_element(By.CSS_SELECTOR, "input[value=irrelevant]")
    box.click()
    relevant = [k for k, each in enumerate(tuned_result().relevance) if each > 0]
    assert sorted(names(page)) == [f"x{k}" for k in relevant]
    assert status(page) == f"{len(relevant)} of 6 features shown."
    box.click()
    assert len(names(page)) == 6


def test_search_finds_part_of_a_name_in_any_case(browser) -> None:
    page = browser("hostile")
    field = page.find_element(By.ID, "search")
    field.send_keys("SCRIPT>")
    assert sorted(names(page)) == sorted(each for each in HOSTILE if "script>" in each)
    field.send_keys("nowhere")
    assert names(page) == []
    nothing = page.find_element(By.CSS_SELECTOR, ".nothing")
    assert nothing.text == "No feature fits the search and the classes shown."


def test_both_tables_are_filtered_and_each_is_sorted_alone(browser) -> None:
    page = browser("told")
    click_header(page, "given")
    before = names(page, 1)
    assert names(page, 0) == list(told_result().feature_names)
    assert before == names(page, 1)
    page.find_element(By.ID, "search").send_keys("scan")
    assert (names(page, 0), names(page, 1)) == ([], ["scan"])


# Taking it away


def downloaded(browser, folder: Path, name: str) -> pd.DataFrame:
    place = folder / f"{name}.csv"
    place.unlink(missing_ok=True)
    browser.find_element(By.ID, "download").click()
    WebDriverWait(browser, 10).until(lambda _: place.exists() and place.stat().st_size)
    return pd.read_csv(place, index_col="feature")


def harmless(name: str) -> str:
    """As it is written: what a spreadsheet would take for a formula has an apostrophe."""
    return f"'{name}" if name.startswith("=") else name


@pytest.mark.parametrize(
    ("name", "result"),
    [("hostile", hostile_result), ("told", told_result)],
    ids=["hostile", "told"],
)
def test_the_download_has_all_features_whatever_is_shown(browser, folder, name, result) -> None:
    page = browser(name)
    page.find_element(By.CSS_SELECTOR, "input[value=strong]").click()
    frame = result().to_frame().rename(index=harmless)
    read = downloaded(page, folder, name).loc[frame.index]
    pd.testing.assert_frame_equal(
        read, frame.astype({"relevance": str}), check_dtype=False, rtol=1e-8, atol=1e-9
    )
    assert f"{len(frame)} of {len(frame)} features saved as {name}.csv" in status(page)


def test_the_rows_shown_can_be_copied(browser) -> None:
    page = browser("plain")
    page.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]})
    page.find_element(By.CSS_SELECTOR, "input[value=irrelevant]").click()
    page.find_element(By.ID, "copy").click()
    WebDriverWait(page, 5).until(lambda _: "copied" in status(page))
    text = page.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    head, *lines = text.split("\n")
    assert head.split("\t")[:3] == ["feature", "side", "relevance"]
    assert [line.split("\t")[0] for line in lines] == names(page)


# Unfolding


def folded(browser) -> list[str | None]:
    lines = browser.find_elements(By.CSS_SELECTOR, "table.features tbody button")
    return [each.get_attribute("aria-expanded") for each in lines]


def test_a_line_unfolds_what_is_known_of_its_feature(browser) -> None:
    page = browser("plain")
    line, more = (page.find_element(By.CSS_SELECTOR, f"tbody .{name}") for name in ("line", "more"))
    assert not more.is_displayed()
    assert line.get_attribute("title").startswith("Every good model gives it between ")
    line.find_element(By.TAG_NAME, "button").click()
    assert more.is_displayed()
    assert more.text.startswith("Every good model gives it between ")
    line.find_element(By.TAG_NAME, "button").click()
    assert not more.is_displayed()


def test_lines_unfold_by_keys(browser) -> None:
    """One line is reached by the tab key, the others by arrows."""
    page = browser("plain")
    assert len(page.find_elements(By.CSS_SELECTOR, "tbody button[tabindex='0']")) == 1
    first = page.find_element(By.CSS_SELECTOR, "tbody button")
    first.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    reached = page.switch_to.active_element
    assert reached.text == names(page)[2]
    reached.send_keys(Keys.ENTER)
    assert folded(page) == ["false", "false", "true", "false", "false", "false"]
    more = page.find_elements(By.CSS_SELECTOR, "tbody .more")[2]
    assert "Alone: yes (p = " in more.text


def test_all_lines_unfold_at_once(browser) -> None:
    page = browser("plain")
    button = page.find_element(By.ID, "unfold")
    button.click()
    assert set(folded(page)) == {"true"}
    assert button.text == "Close all lines shown"
    button.click()
    assert set(folded(page)) == {"false"}


def test_levels_stay_below_their_column(browser) -> None:
    page = browser("texts")
    for key in ("feature", "maxrel", "given"):
        click_header(page, key)
        colour = page.find_elements(By.CSS_SELECTOR, "table.features tbody")[
            names(page).index("colour")
        ]
        levels = colour.find_elements(By.CLASS_NAME, "level")
        assert [each.get_attribute("data-name") for each in levels] == list(LEVELS)
    assert "colour" in names(page)
    assert not {*LEVELS} & {*names(page)}
    page.find_element(By.ID, "search").send_keys("COLOUR=red")
    assert names(page) == ["colour"]


def test_a_link_to_a_level_unfolds_its_column(browser) -> None:
    page = browser("texts")
    level = page.find_element(By.CSS_SELECTOR, ".level")
    assert not level.is_displayed()
    page.execute_script("location.hash = arguments[0].id", level)
    WebDriverWait(page, 5).until(lambda _: level.is_displayed())


def test_the_download_has_columns_and_their_levels(browser, folder) -> None:
    page = browser("texts")
    read = downloaded(page, folder, "texts")
    result = texts_model().result_
    for frame in (
        whole_columns(result, texts_follow_ups()["blocks"]).to_frame(),
        result.to_frame(),
    ):
        expected = frame.astype({"relevance": str})
        both = read.drop(columns="level_of").loc[frame.index]
        pd.testing.assert_frame_equal(both, expected, check_dtype=False, rtol=1e-8, atol=1e-9)
    assert read["level_of"].dropna().to_dict() == dict.fromkeys(LEVELS, "colour") | dict.fromkeys(
        ("shape=round", "shape=flat"), "shape"
    )


# Looks


def test_hostile_names_are_shown_as_they_are(browser) -> None:
    page = browser("hostile")
    assert set(names(page)) == {*HOSTILE, "constant"}
    assert page.execute_script("return document.images.length + document.scripts.length") == 1


@pytest.mark.parametrize("name", ["plain", "hostile", "told", "asked", "texts"])
def test_no_page_is_wider_than_the_screen(browser, name: str) -> None:
    page = browser(name)
    for size in (PHONE, (320, 600), (800, 900), DESKTOP):
        look(page, *size)
        assert page.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_a_phone_shows_names_classes_and_bars_in_full_width(browser) -> None:
    page = browser("plain", PHONE)
    row = page.find_element(By.CSS_SELECTOR, ".features tbody tr")
    bar = row.find_element(By.CSS_SELECTOR, "svg.bar")
    assert bar.size["width"] > 0.8 * PHONE[0]
    assert "strong" in row.text
    before = "getComputedStyle(document.querySelectorAll('tbody .kind')[%d], '::before').content"
    labels = [page.execute_script(f"return {before % k}") for k in range(3)]
    assert labels == ['"alone "', '"in models "', '"beside others "']
    labels = page.execute_script(
        """return [".least", ".most"].map(each => getComputedStyle(
            document.querySelector("tbody " + each), "::before").content);"""
    )
    assert labels == ['"least "', '"most "']
    assert click_header(page, "given") == "ascending"


def test_rows_far_down_a_long_table_are_drawn_when_they_are_reached(browser) -> None:
    page = browser("many")
    last = page.find_elements(By.CSS_SELECTOR, "table.features .line")[-1]
    page.execute_script("arguments[0].scrollIntoView()", last)
    assert last.find_element(By.CSS_SELECTOR, "svg.bar").size["width"] > 100
    assert last.find_element(By.TAG_NAME, "bdi").is_displayed()


def test_paper_shows_all_rows_and_no_controls(browser) -> None:
    page = browser("plain")
    page.find_element(By.CSS_SELECTOR, "input[value=irrelevant]").click()
    assert len(names(page)) == 4
    look(page, 700, 900, media="print")
    assert len(names(page)) == 6
    assert not page.find_element(By.ID, "controls").is_displayed()


def test_paper_unfolds_what_is_relevant_alone(browser) -> None:
    page = browser("texts")
    look(page, 700, 900, media="print")
    for body in page.find_elements(By.CSS_SELECTOR, "table.features tbody"):
        is_relevant = "irrelevant" not in body.get_attribute("class")
        for each in body.find_elements(By.CSS_SELECTOR, ".more, .level"):
            assert each.is_displayed() == is_relevant


def test_the_head_of_a_table_stands_on_every_printed_page(browser) -> None:
    page = browser("many")
    look(page, 700, 900, media="print")
    style = "return getComputedStyle(document.querySelector('.features thead')).display"
    assert page.execute_script(style) == "table-header-group"


BROKEN = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const range = document.createRange(), found = [];
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!node.parentElement.getClientRects().length || node.parentElement.closest("svg")) continue;
  for (const word of node.data.matchAll(/[\\p{L}\\p{N}_]+/gu)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const lines = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
    if (lines.size > 1) found.push(word[0]);
  }
}
return found;
"""


@pytest.mark.parametrize(
    ("media", "width"), [("screen", 1280), ("screen", 1000), ("screen", 400), ("print", 690)]
)
@pytest.mark.parametrize("name", ["plain", "texts", "told"])
def test_no_word_is_broken(browser, name: str, media: str, width: int) -> None:
    page = browser(name)
    page.find_element(By.ID, "unfold").click()
    open_details(page)
    look(page, width, 900, media=media)
    assert page.execute_script(BROKEN) == []


CONTRASTS = """
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const colour = numbers(getComputedStyle(each).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.getClientRects().length) continue;
  const style = getComputedStyle(element);
  const ink = numbers(element.closest("svg") ? style.fill : style.color);
  const pair = [light(ink), light(behind(element))];
  const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  found.push([ratio, walker.currentNode.data]);
}
return found;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["told", "texts"])
def test_all_text_stands_out_from_its_background(browser, name: str, scheme: str) -> None:
    page = browser(name, scheme=scheme)
    page.find_element(By.ID, "unfold").click()
    found = page.execute_script(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < 4.5] == []


def open_details(page) -> None:
    page.execute_script(
        "document.querySelectorAll('details').forEach(each => { each.open = true; })"
    )


def test_everything_to_fill_in_or_press_has_a_name(browser) -> None:
    page = browser("texts")
    open_details(page)
    page.find_element(By.ID, "unfold").click()
    for each in page.find_elements(By.CSS_SELECTOR, "input, button, a, svg[role=img], table"):
        assert each.accessible_name


def test_nothing_is_asked_of_a_network(browser, driver) -> None:
    driver.get_log("performance")
    browser("plain").find_element(By.ID, "download").click()
    time.sleep(0.2)
    log = " ".join(each["message"] for each in driver.get_log("performance"))
    assert "Network.requestWillBeSent" in log
    assert "http://" not in log.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in log
