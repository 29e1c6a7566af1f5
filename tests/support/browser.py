"""A real Chromium, and how people use it: by looks, clicks and keys."""

import shutil
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PROGRAM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
NEEDS_BROWSER = pytest.mark.skipif(
    not (PROGRAM and DRIVER),
    reason="needs Chromium and its driver: apt-get install chromium chromium-driver",
)
QUIET = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP, PHONE = (1280, 900), (400, 800)


def started(folder: Path) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = PROGRAM
    for each in (*QUIET, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    allowed = {"behavior": "allow", "downloadPath": str(folder)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", allowed)
    return browser


def look(browser: webdriver.Chrome, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> None:
    width, height = size
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
