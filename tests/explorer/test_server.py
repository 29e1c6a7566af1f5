"""The server as it is: real sockets on the loopback address, and what it refuses."""

import json
import os
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

import httpx
import numpy as np
import pytest

from relbounds import OrdinalRelevance
from relbounds.exceptions import RelboundsWarning
from relbounds.explorer.door import TOKEN, Explorer, explore
from relbounds.explorer.guard import MOST_BYTES
from relbounds.explorer.session import Session


@pytest.fixture(scope="module")
def model() -> OrdinalRelevance:
    X = np.random.default_rng(0).normal(size=(100, 4))
    y = np.digitize(X[:, 0] + X[:, 1], [-1, 1])
    return OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)


@pytest.fixture(scope="module")
def explorer(model) -> Iterator[Explorer]:
    with explore(model, browser=False) as running:
        yield running


@pytest.fixture
def page(explorer) -> Iterator[httpx.Client]:
    """As the explorer's own page asks."""
    host = explorer.address.split("/")[2]
    own = {"origin": f"http://{host}", "content-type": "application/json"}
    with httpx.Client(base_url=explorer.address, headers=own, trust_env=False) as client:
        yield client


def ask(page: httpx.Client, question: str, **asked) -> httpx.Response:
    return page.post("ask", json={"question": question, **asked})


def test_a_page_asks_and_gets_what_python_gets(page, model) -> None:
    asked = {"constraints": [[["x3"], "absent"]]}
    found = ask(page, "answer", state=asked).json()["answer"]
    expected = model.what_if({"x3": "absent"}).intervals
    np.testing.assert_allclose(np.c_[found["least"], found["most"]], expected, atol=1e-6)
    assert ask(page, "start").json()["answer"]["names"] == ["x0", "x1", "x2", "x3"]
    assert len(ask(page, "model", state=asked).json()["answer"]["weights"]) == 4
    assert ask(page, "groups").json()["answer"] == []
    assert len(ask(page, "prices").json()["answer"]) == 4
    assert ask(page, "path", step=0).json()["answer"]["tolerance"] == 0
    assert "<title>" in ask(page, "report", state={}).json()["answer"]


def test_the_page_has_a_strict_policy_and_no_inline_script(page) -> None:
    shown = page.get("")
    assert shown.status_code == 200
    policy = shown.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in shown.headers


def test_only_files_of_the_page_are_served(page) -> None:
    for name in ("../door.py", "..%2fdoor.py", "%2e%2e/door.py", "nothing.js", "__init__.py"):
        assert page.get(name).status_code in (403, 404)


@pytest.mark.parametrize("path", ["/", "/ask", "/wrong/", "/wrong/ask", "//", "/x"])
def test_without_the_token_nothing_is_told(page, explorer, path: str) -> None:
    top = explorer.address.rsplit("/", 2)[0]
    for method in ("GET", "POST"):
        refused = page.request(method, f"{top}{path}", content=b"{}")
        assert refused.status_code == 403
        assert "x0" not in refused.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://example.org"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"host": "example.org"},
        {"host": "example.org:80"},
        {"host": "127.0.0.1"},
    ],
    ids=repr,
)
def test_other_origins_and_hosts_are_refused(page, headers) -> None:
    refused = page.post("ask", content=b'{"question": "start"}', headers=headers)
    assert refused.status_code == 403
    assert "names" not in refused.text


def test_a_question_says_where_it_comes_from(page) -> None:
    del page.headers["origin"]
    assert ask(page, "start").status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_refused(page, method: str) -> None:
    refused = page.request(method, "ask")
    assert refused.status_code == 405
    assert not any(name.startswith("access-control") for name in refused.headers)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 30_000, 400),
        (b"[1]", 400),
        (b"{}", 422),
        (b'{"question": "delete"}', 422),
        (b'{"question": ["start"]}', 422),
        (b'{"question": "answer"}', 422),
        (b'{"question": "answer", "state": {"tolerance": NaN}}', 422),
        (b'{"question": "answer", "state": {"constraints": [[["nobody"], "absent"]]}}', 422),
        (b'{"question": "path", "step": "1"}', 422),
        (b'{"question": "path", "step": 1000000}', 422),
        (b'{"question": "start", "number": "x"}', 200),
    ],
    ids=repr,
)
def test_what_is_malformed_is_refused_and_nothing_breaks(page, content, code) -> None:
    assert page.post("ask", content=content).status_code == code
    assert ask(page, "answer", state={}).status_code == 200


def test_what_is_huge_or_of_unknown_length_is_refused(page) -> None:
    huge = b" " * (MOST_BYTES + 1)
    assert page.post("ask", content=huge).status_code == 413
    assert page.post("ask", content=iter([huge])).status_code == 411
    text = {"content-type": "text/plain"}
    assert page.post("ask", content=b"{}", headers=text).status_code == 415


def test_a_body_longer_than_it_says_is_cut(page, explorer) -> None:
    """By hand: what stands behind the stated length is no part of the question."""
    host, path = explorer.address.split("/")[2], explorer.address.split("/", 3)[3]
    head = (
        f"POST /{path}ask HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", int(host.split(":")[1]))) as line:
        line.sendall(head.encode() + b"{}" + b"x" * 1000)
        assert b" 422 " in line.makefile("rb").readline()


def listening() -> set[tuple[str, int]]:
    """Where this process listens: its own list of sockets."""
    own = {
        os.readlink(each).removeprefix("socket:[").rstrip("]")
        for each in Path("/proc/self/fd").iterdir()
        if each.exists() or each.is_symlink()
    }
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            place, state, inode = (line.split()[k] for k in (1, 3, 9))
            if state == "0A" and inode in own:
                address, port = place.split(":")
                found.add((address, int(port, 16)))
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="asks Linux for its sockets")
def test_it_listens_on_the_loopback_address_alone(model) -> None:
    before = listening()
    with explore(model, browser=False) as running:
        port = int(running.address.split(":")[2].split("/")[0])
        assert listening() - before == {("0100007F", port)}
    assert (("0100007F", port)) not in listening()


def test_another_address_is_warned_of(model) -> None:
    with pytest.warns(RelboundsWarning, match="listens on 127.0.0.2, not only"):
        Explorer(Session.of(model), host="127.0.0.2").close()


def test_a_token_can_be_kept_so_that_links_stay_valid(model, monkeypatch) -> None:
    monkeypatch.setenv(TOKEN, "kept-for-long")
    first = Explorer(Session.of(model))
    first.close()
    assert first.address.endswith("/kept-for-long/")
    monkeypatch.delenv(TOKEN)
    tokens = set()
    for _ in range(3):
        with Explorer(Session.of(model)) as another:
            tokens.add(another.address.split("/")[3])
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 24


class Slow(Session):
    """Waits for a sign before it answers, so that others have to wait too."""

    sign = threading.Event()
    asked: ClassVar[list[object]] = []

    def answer(self, state):
        type(self).asked.append(state.tolerance)
        self.sign.wait(10)
        return {"tolerance": state.tolerance}


def test_newer_questions_overtake_those_that_wait(model) -> None:
    with Explorer(Slow(model._known())).begin() as running:
        own = {"origin": running.address[: running.address.index("/", 8)]}
        found: dict[tuple[str, int], object] = {}

        def asks(client: str, number: int) -> None:
            sent = {"question": "answer", "state": {"tolerance": number}}
            sent |= {"client": client, "number": number}
            answer = httpx.post(
                f"{running.address}ask", json=sent, headers=own, timeout=20, trust_env=False
            )
            found[client, number] = answer.json()

        threads = []
        for client, number in [("a", 1), ("a", 2), ("a", 3), ("b", 1)]:
            threads.append(threading.Thread(target=partial(asks, client, number)))
            threads[-1].start()
            while len(threads) == 1 and not Slow.asked:
                pass
            threads[-1].join(0.2)
        Slow.sign.set()
        for each in threads:
            each.join(20)
    assert found["a", 1] == {"answer": {"tolerance": 1.0}}
    assert found["a", 2] == {"overtaken": True}
    assert found["a", 3] == {"answer": {"tolerance": 3.0}}
    assert found["b", 1] == {"answer": {"tolerance": 1.0}}
    assert len(Slow.asked) == 3


def test_an_answer_is_json_for_any_browser(page) -> None:
    text = ask(page, "start").text
    assert text.isascii()
    json.loads(text, parse_constant=pytest.fail)
