"""The explorer in a notebook: the same front end in one script, and another way to the engine."""

import json
import re

import numpy as np
import pytest
from browser import NEEDS_BROWSER, started
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from relbounds import OrdinalRelevance, explore
from relbounds.explorer.widget import ExplorerWidget
from relbounds.front import FRONT, bundle


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    X = np.random.default_rng(0).normal(size=(100, 4))
    return OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, X[:, 0] > 0)


@pytest.fixture
def widget(model, monkeypatch) -> ExplorerWidget:
    shown = explore(model, notebook=True)
    shown.sent = []
    monkeypatch.setattr(shown, "send", shown.sent.append)
    return shown


def ask(widget: ExplorerWidget, **asked) -> dict:
    widget._handle_custom_msg({"id": 7, "asked": asked}, [])
    return json.loads(json.dumps(widget.sent.pop(), allow_nan=False))


def test_the_kernel_answers_as_the_server_does(widget, model) -> None:
    told = ask(widget, question="answer", state={"constraints": [[["x3"], "absent"]]})
    expected = model.what_if({"x3": "absent"}).intervals
    found = told["answer"]
    assert told["id"] == 7
    np.testing.assert_allclose(np.c_[found["least"], found["most"]], expected, atol=1e-6)
    assert "A question is one of" in ask(widget, question="nothing")["error"]
    assert (
        "There is no feature"
        in ask(widget, question="answer", state={"constraints": [[["nobody"], "absent"]]})["error"]
    )


def test_one_script_has_every_module_once_after_what_it_needs() -> None:
    text = bundle("widget")
    modules = re.findall(r"^const \$(\w+) = ", text, re.M)
    assert sorted(modules) == sorted(
        each.name.removesuffix(".js")
        for each in FRONT.iterdir()
        if each.name.endswith(".js") and each.name not in ("main.js", "offline.js")
    )
    for at, name in enumerate(modules):
        needed = re.search(rf"^const \${name} = .*?^}}\)\(\);", text, re.M | re.S)[0]
        assert set(re.findall(r"= \$(\w+);", needed)) <= set(modules[:at])
    assert not re.search(r"^(import|export) ", text, re.M)


PAGE = """<!DOCTYPE html><meta charset="utf-8"><body><script type="module">
%s
const hear = [];
const on = (_, each) => hear.push(each), send = ({ id }) => hear[0]({ id, answer: START });
const START = %s;
explorer.render({ model: { on, send }, el: document.body });
</script>"""


@NEEDS_BROWSER
def test_it_is_drawn_where_a_notebook_puts_it(widget, tmp_path) -> None:
    place = tmp_path / "cell.html"
    script = ExplorerWidget._esm.replace("export default", "const explorer =")
    start = json.dumps(ask(widget, question="start")["answer"])
    place.write_text(PAGE % (script, start), encoding="utf-8")
    browser = started(tmp_path)
    try:
        browser.get(place.as_uri())
        WebDriverWait(browser, 10).until(lambda _: browser.find_elements(By.CSS_SELECTOR, "li.row"))
        assert len(browser.find_elements(By.CSS_SELECTOR, "li.row")) == 4
        assert browser.find_elements(By.XPATH, "//button[text()='Copy link']") == []
        assert browser.get_log("browser") == []
    finally:
        browser.quit()
