"""The explorer's page in a browser, as a person sees it, beside what Python answers."""

import json
import time
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from relbounds.explorer.session import Session
from relbounds.explorer.state import State


class Page:
    """Gestures on the page, and the numbers that it shows after them."""

    def __init__(self, browser: Any, address: str, fitted: Any) -> None:
        self.browser, self.address, self.session = browser, address, Session.of(fitted)
        self.model = getattr(fitted, "model", fitted)

    def open(self, fragment: str = "") -> "Page":
        self.browser.get("about:blank")
        self.browser.get(self.address + fragment)
        return self.settled()

    def settled(self, status: str = "exact") -> "Page":
        """Once the page says so of what is asked now."""
        WebDriverWait(self.browser, 20, 0.02).until(
            lambda _: self.status == status and self.is_in_address
        )
        return self

    @property
    def is_in_address(self) -> bool:
        """Whether what was asked last is; an address that changes often is written later."""
        return self.browser.execute_script(
            """const { link } = document.getElementById("explorer").dataset;
            return link === undefined || location.hash.slice(1) === link;"""
        )

    @property
    def status(self) -> str | None:
        return self.find("#explorer").get_attribute("data-status")

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def button(self, text: str) -> WebElement:
        return self.browser.find_element(By.XPATH, f"//button[text()='{text}' and not(@hidden)]")

    def part(self, name: str, selector: str) -> WebElement:
        place = self.session.start()["names"].index(name)
        return self.find(f"li.row[data-feature='{place}'] {selector}")

    def drag(
        self,
        name: str,
        what: str,
        by: int,
        *,
        hold: bool = False,
        settle: bool = True,
        moves: int = 3,
    ) -> "Page":
        """Pull at ``.bar``, ``.thumb.low`` or ``.thumb.high`` by so many pixels."""
        hand = ActionChains(self.browser, duration=20)
        hand.move_to_element(self.part(name, what)).click_and_hold()
        steps = np.diff(np.round(np.linspace(0, by, moves + 1))).astype(int).tolist()
        for step in steps:
            hand.move_by_offset(step, 0)
        if not hold:
            hand.release()
        hand.perform()
        return self if hold or not settle else self.settled()

    def click(self, name: str, what: str = ".bar") -> "Page":
        ActionChains(self.browser, duration=20).click(self.part(name, what)).perform()
        return self

    @property
    def state(self) -> State:
        """What the page's own address says is asked."""
        fragment = unquote(urlsplit(self.browser.current_url).fragment)
        return State.read(json.loads(fragment)) if fragment else State()

    @property
    def ranges(self) -> np.ndarray:
        shown = self.browser.execute_script(
            """return [...document.querySelectorAll("li.row")].map(
                ({ dataset }) => [dataset.feature, dataset.low, dataset.high].map(Number));"""
        )
        return np.array(sorted(shown))[:, 1:]

    @property
    def chips(self) -> list[str]:
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.chip bdi')].map((each) => each.textContent)"
        )

    @property
    def said(self) -> str:
        return self.find(".said").text

    def agrees(self) -> "Page":
        """Every number on the page is what ``what_if`` says in Python."""
        state = self.settled().state
        if state.tolerance is not None:
            found = self.session.answer(state)
            expected = np.c_[found["low"], found["high"]]
        else:
            result = self.model.what_if(state.asked) if state.asked else self.model.result_
            expected = np.concatenate([side.hulls for side in result.sides]) / result.norm
        np.testing.assert_allclose(self.ranges, expected, atol=1e-6)
        return self

    def complete(self) -> "Page":
        """When all that can wait has been asked."""
        WebDriverWait(self.browser, 120, 0.05).until(
            lambda _: self.find("#explorer").get_attribute("data-complete")
        )
        return self

    def text(self, what: str) -> str:
        """What a button copies."""
        self.browser.execute_cdp_cmd(
            "Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]}
        )
        self.button(what).click()
        time.sleep(0.05)
        return self.browser.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0])"
        )
