"""Draws the moving picture of docs/explore.md: the explorer of the clinic's table in a browser.

``python docs/draw_explorer.py`` writes docs/images/explorer.gif; it needs Chromium and its driver.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

import relbounds

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from browser import look, started
from explorer_page import Page
from selenium.webdriver.common.action_chains import ActionChains

ROOT = Path(__file__).parents[1]
SIZE, COLOURS = (1080, 760), 48
LONG, SHORT = 1800, 110  # milliseconds


def main() -> None:
    order = ["mild", "moderate", "severe"]
    answer = relbounds.analyze(ROOT / "examples" / "clinic.csv", "grade", order=order)
    with tempfile.TemporaryDirectory() as folder, answer.explore(browser=False) as running:
        browser = started(Path(folder))
        try:
            look(browser, SIZE)
            page = Page(browser, running.address, answer).open().complete()
            frames = list(story(page))
        finally:
            browser.quit()
    pictures = [Image.open(io.BytesIO(each)).convert("RGB") for each, _ in frames]
    both = Image.new("RGB", (SIZE[0], 2 * SIZE[1]))
    both.paste(pictures[0])
    both.paste(pictures[-1], (0, SIZE[1]))
    palette = both.quantize(COLOURS)
    first, *rest = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in pictures]
    first.save(
        ROOT / "docs" / "images" / "explorer.gif",
        save_all=True,
        append_images=rest,
        duration=[shown for _, shown in frames],
        loop=0,
        optimize=True,
    )


def story(page: Page) -> Iterator[tuple[bytes, int]]:
    """Pull at one measurement of the lungs, take it away, and see who takes over."""
    shot = page.browser.get_screenshot_as_png
    yield shot(), LONG
    yield from pulled(page, "peak_flow", ".bar", 110)
    yield shot(), LONG
    page.find(".chip button").click()
    page.settled()
    page.click("peak_flow").settled()
    page.browser.execute_async_script("setTimeout(arguments[0], 400)")
    yield shot(), 2 * LONG
    page.click("fev1_percent").settled("conflict")
    page.browser.execute_async_script("setTimeout(arguments[0], 400)")
    yield shot(), 2 * LONG


def pulled(page: Page, name: str, what: str, by: int) -> Iterator[tuple[bytes, int]]:
    """A frame for each part of the way."""
    hand = ActionChains(page.browser, duration=20)
    hand.move_to_element(page.part(name, what)).click_and_hold().perform()
    for _ in range(10):
        ActionChains(page.browser, duration=20).move_by_offset(by // 10, 0).perform()
        yield page.browser.get_screenshot_as_png(), SHORT
    ActionChains(page.browser, duration=20).release().perform()
    page.settled()
    page.browser.execute_async_script("setTimeout(arguments[0], 300)")


if __name__ == "__main__":
    main()
