"""How long from a gesture to the exact answer, and does a long row of gestures stay right?

Random gestures in a real browser: ends and middles of bars are dragged, features taken away and
brought back, the tolerance moved (``--tolerances``), all of it undone. Each answer on the page is
compared with ``what_if``, which is timed in the same run. Seconds of the clock are those of a
machine on which others may be at work; processor time is not. Needs Chromium and its driver.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from relbounds import OrdinalRelevance
from relbounds.cli.demo import STAGES, diabetes_stages
from relbounds.datasets import PAPER_SETS
from relbounds.explorer.door import Explorer
from relbounds.explorer.session import Session
from relbounds.explorer.state import State

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from browser import look, started
from explorer_page import Page
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

WATCH = """
const page = document.getElementById("explorer");
let last = 0;
window.times = {};
for (const kind of ["pointermove", "pointerup", "click", "keydown"]) addEventListener(kind, () => {
  last = performance.now();
}, true);
new MutationObserver(() => {
  const isFirst = page.dataset.status === "first", now = performance.now();
  if (isFirst) window.times = { gesture: last, first: now };
  else if (!window.times.exact) window.times.exact = now;
}).observe(page, { attributes: true, attributeFilter: ["data-status"] });
"""
"""Answers that were known already are not counted: then there is no first bound."""
MOST_ASKED = 4


def diabetes() -> OrdinalRelevance:
    table = diabetes_stages()
    stage = table.pop("stage")
    return OrdinalRelevance(classes=list(STAGES), random_state=0).fit(table, stage)


def paper_set(noise: float) -> OrdinalRelevance:
    X, y, _ = PAPER_SETS[8].make(noise=noise, random_state=0)
    return OrdinalRelevance(random_state=0).fit(X, y)


DATA = {
    "diabetes (442 x 10)": diabetes,
    "Set 8 clean (1,000 x 40)": lambda: paper_set(0.0),
    "Set 8 noisy (1,000 x 40)": lambda: paper_set(0.5),
}


class Timed(Session):
    """Remembers what processor time each answer took; those that were known took none."""

    spent: ClassVar[dict[State, float]] = {}

    def _answered(self, state: State) -> dict[str, Any]:
        begun = time.thread_time()
        found = super()._answered(state)
        self.spent[state] = 1000 * (time.thread_time() - begun)
        return found


class Hands:
    """Random gestures on the page."""

    def __init__(self, page: Page, seed: int, *, tolerances: bool) -> None:
        self.page, self.rng, self.tolerances = page, np.random.default_rng(seed), tolerances
        self.names = page.session.start()["names"]

    def gesture(self) -> str:
        """One of them, and its name; what is asked stays little."""
        if len(self.page.chips) >= MOST_ASKED or self.page.status == "conflict":
            self.page.button("Start again").click()
            return "start again"
        name = str(self.rng.choice(self.names))
        self.page.browser.execute_script(
            "arguments[0].scrollIntoView({ block: 'center' })", self.page.part(name, ".track")
        )
        kinds = ["low", "high", "middle", "away", "away", "undo"]
        kind = str(self.rng.choice([*kinds, "tolerance"] if self.tolerances else kinds))
        getattr(self, kind)(name)
        return kind

    def low(self, name: str) -> None:
        self._drag(name, ".thumb.low", 1)

    def high(self, name: str) -> None:
        self._drag(name, ".thumb.high", -1)

    def middle(self, name: str) -> None:
        self._drag(name, ".bar", int(self.rng.choice([-1, 1])))

    def _drag(self, name: str, what: str, sign: int) -> None:
        if "absent" in self.page.part(name, ".track").find_element("xpath", "../..").get_attribute(
            "class"
        ):
            self.away(name)
            return
        width = self.page.part(name, ".bar").size["width"]
        self.page.drag(name, what, sign * max(6, int(self.rng.uniform(0, width))), settle=False)

    def away(self, name: str) -> None:
        self.page.part(name, ".away").click()

    def undo(self, _: str) -> None:
        if self.page.button("Undo").is_enabled():
            self.page.button("Undo").click()

    def tolerance(self, _: str) -> None:
        keys = Keys.ARROW_RIGHT if self.rng.random() < 0.5 else Keys.ARROW_LEFT
        self.page.find("#tolerance").send_keys(*[keys] * int(self.rng.integers(15, 40)))


class Gesture(NamedTuple):
    """How long one took, in milliseconds; what does not apply is NaN."""

    kind: str
    first: float
    exact: float
    answer: float
    page: float
    what_if: float
    is_impossible: bool


def measured(page: Page, hands: Hands, gestures: int) -> Iterator[Gesture]:
    """One gesture after another; whatever is wrong ends it."""
    page.browser.execute_script(WATCH)
    for _ in range(gestures):
        page.browser.execute_script("window.times = {}")
        Timed.spent.clear()
        before = metric(page.browser, "TaskDuration")
        kind = hands.gesture()
        try:
            WebDriverWait(page.browser, 60, 0.01).until(
                lambda _: page.status in ("exact", "conflict") and page.is_in_address
            )
        except TimeoutException:
            raise SystemExit(f"Stuck after {kind}: {page.browser.current_url}") from None
        of_page = 1000 * (metric(page.browser, "TaskDuration") - before)
        times, state = page.browser.execute_script("return window.times"), page.state
        answer, is_impossible = Timed.spent.get(state, np.nan), page.status == "conflict"
        if not is_impossible:
            page.agrees()
        elif "conflict" not in page.session.answer(state):
            raise SystemExit(f"No conflict: {page.browser.current_url}")
        start, first, exact = (times.get(name) or np.nan for name in ("gesture", "first", "exact"))
        is_plain = not is_impossible and state.asked and state.tolerance is None
        plain = of_what_if(page, state) if is_plain and np.isfinite(answer) else np.nan
        yield Gesture(kind, first - start, exact - start, answer, of_page, plain, is_impossible)


def of_what_if(page: Page, state: State) -> float:
    """Processor time of the same question in Python."""
    begun = time.process_time()
    page.model.what_if(state.asked)
    return 1000 * (time.process_time() - begun)


def metric(browser: Any, name: str) -> float:
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == name))


def heap(browser: Any) -> float:
    """Of the page, in MB, once what nobody needs is gone."""
    browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    return metric(browser, "JSHeapUsedSize") / 1e6


def resident() -> float:
    """Of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def explored(name: str, gestures: int, seed: int, *, tolerances: bool) -> None:
    model = DATA[name]()
    with tempfile.TemporaryDirectory() as folder, Explorer(Timed.of(model)).begin() as running:
        browser = started(Path(folder))
        try:
            look(browser)
            browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
            page = Page(browser, running.address, model).open().complete()
            hands = Hands(page, seed, tolerances=tolerances)
            warm = list(measured(page, hands, max(10, gestures // 10)))
            before = heap(browser), resident()
            found = [*measured(page, hands, gestures)]
            after = heap(browser), resident()
            complaints = browser.get_log("browser")
        finally:
            browser.quit()
    told(name, found, before, after)
    print(f"  {len(warm)} gestures before that, {len(complaints)} complaints of the browser")


TOLD = {
    "first": "first bound, by the clock",
    "exact": "exact answer, by the clock",
    "answer": "the answer, processor time",
    "page": "the page, processor time",
    "what_if": "what_if, processor time",
}


def told(name: str, found: list[Gesture], before: tuple, after: tuple) -> None:
    print(f"{name}: {len(found)} gestures, all numbers as what_if gives them (1e-6)")
    for field, what in TOLD.items():
        values = np.array([getattr(each, field) for each in found])
        median, most, count = (
            np.nanmedian(values),
            np.nanpercentile(values, 95),
            np.isfinite(values).sum(),
        )
        print(f"  {what:28} median {median:5.0f} ms, 95 % {most:5.0f} ms ({count} times)")
    print(f"  {sum(each.is_impossible for each in found)} were impossible, and shown as such")
    for what, *sizes in zip(("page", "process"), before, after, strict=True):
        print("  memory of the {}: {:.1f} to {:.1f} MB".format(what, *sizes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gestures", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", choices=tuple(DATA), action="append")
    parser.add_argument("--tolerances", action="store_true", help="move the tolerance as well")
    asked = parser.parse_args()
    for name in asked.data or DATA:
        explored(name, asked.gestures, asked.seed, tolerances=asked.tolerances)


if __name__ == "__main__":
    main()
