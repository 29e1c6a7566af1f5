"""``relbounds explore`` as it is typed: an address, answers, and an end by Ctrl-C."""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import httpx
import numpy as np
import pandas as pd
import pytest

import relbounds
from relbounds.cli import main
from relbounds.cli.main import WRONG_INPUT


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(90, 3)), columns=["a", "b", "c"])
    place = tmp_path_factory.mktemp("explore") / "some table.csv"
    X.assign(y=(X["a"] + X["b"]).round(3)).to_csv(place, index=False)
    return place


@contextmanager
def running(*typed: str) -> Iterator[tuple[subprocess.Popen, str]]:
    """The command, and the address that it prints; browsers are told nothing."""
    quiet = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    program = [sys.executable, "-W", "error", "-m", "relbounds", *typed]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=quiet
    ) as process:
        lines = iter(process.stdout.readline, "")
        address = next(line for line in lines if line.startswith("Explore at ")).split()[2]
        yield process, address


def asked(address: str, question: str, **more) -> dict:
    page = address.partition("#")[0]
    own = {"origin": page[: page.index("/", 8)]}
    sent = {"question": question, **more}
    return httpx.post(f"{page}ask", json=sent, headers=own, trust_env=False).json()["answer"]


def test_from_a_table_to_answers_and_an_end_by_ctrl_c(table) -> None:
    state = json.dumps({"constraints": [[["c"], "absent"]]})
    typed = ["explore", str(table), "--target", "y", "--seed", "3", "--state", state]
    with running(*typed, "--no-browser") as (process, address):
        assert json.loads(unquote(address.partition("#")[2])) == json.loads(state)
        start = asked(address, "start")
        found = asked(address, "answer", state=json.loads(state))
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert "Ended." in rest
    answer = relbounds.analyze(table, "y", further=False, random_state=3)
    expected = answer.what_if({"c": "absent"}).intervals
    np.testing.assert_allclose(np.c_[found["least"], found["most"]], expected, atol=1e-6)
    assert start["title"] == "Which features does y need?"
    again = ["relbounds", "analyze", str(table), "--target", "y", "--seed", "3"]
    assert shlex.split(start["command"]) == again


@pytest.mark.slow
def test_the_demo_can_be_explored(tmp_path) -> None:
    with running("demo", "--explore", "--out", str(tmp_path)) as (process, address):
        assert "bmi" in asked(address, "start")["names"]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert [each.name for each in tmp_path.iterdir()] == ["diabetes.csv"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--state", "{"], "--state cannot be read."),
        (["--state", "[]"], "--state cannot be read. A state is"),
        (["--port", "70000"], "--port must be between 0 and 65535; got 70000."),
        (["--drop", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_is_refused(table, typed, said, capsys, caplog) -> None:
    assert main(["explore", str(table), "--target", "y", *typed]) == WRONG_INPUT
    assert said in caplog.text + capsys.readouterr().err


def test_a_place_that_is_taken_is_told(table, caplog) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["explore", str(table), "--target", "y", "--port", port]) == WRONG_INPUT
    assert f"Nothing can listen on 127.0.0.1:{port} (" in caplog.text


def test_an_answer_opens_its_explorer(table) -> None:
    answer = relbounds.analyze(table, "y", further=False)
    with answer.explore(browser=False) as explorer:
        assert repr(explorer).startswith("Explorer at http://127.0.0.1:")
        assert asked(explorer.address, "start")["target"] == "y"
