"""Weights, tables of frequencies and balance, from the command to the answer."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved

from relbounds import ClassificationRelevance
from relbounds.cli.main import main

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    """The document that the command prints for a frame."""

    def run(frame: pd.DataFrame, *options: str) -> dict[str, Any]:
        path = saved(tmp_path / "table.csv", as_text(frame))
        always = ["--target", "outcome", "--format", "json", "--jobs", "1"]
        assert main(["analyze", str(path), *always, *options]) == 0
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    return run


def numbers(document: dict[str, Any]) -> list[list[float]]:
    names = ("minrel", "maxrel", "p_alone", "p_in_models", "p_needed")
    return [[row[name] for name in names] for row in document["features"]]


def test_weights_reach_the_estimator(ask: Ask) -> None:
    frame = patients()[["dose", "height", "outcome"]]
    weights = np.random.RandomState(1).uniform(0.2, 3, len(frame)).round(3)
    found = ask(frame.assign(w=weights), "--weights", "w")
    model = ClassificationRelevance(random_state=0, n_jobs=1)
    model.fit(frame[["dose", "height"]], frame["outcome"], sample_weight=weights)
    intervals = [[row["minrel"], row["maxrel"]] for row in found["features"]]
    np.testing.assert_allclose(intervals, model.intervals_)
    assert numbers(found) != numbers(ask(frame))


def test_a_table_of_frequencies_has_the_answer_of_the_whole_table(ask: Ask) -> None:
    random = np.random.RandomState(0)
    a, b = random.randint(0, 3, (2, 200))
    outcome = np.where(a + random.normal(size=200) > 1, "yes", "no")
    people = pd.DataFrame({"a": a, "b": b, "outcome": outcome})
    people = people.sort_values(list(people)).reset_index(drop=True)
    table = people.value_counts().sort_index().reset_index(name="Freq")
    found, expected = ask(table, "--counts", "Freq"), ask(people)
    assert found["n_samples"] == 200
    assert numbers(found) == numbers(expected)


@pytest.mark.parametrize(
    ("balance", "class_weight"), [("auto", "auto"), ("balanced", "balanced"), ("none", None)]
)
def test_balance_is_that_of_the_estimator(ask: Ask, balance: str, class_weight: str | None) -> None:
    frame = patients(120)[["dose", "height", "outcome"]]
    frame["outcome"] = np.where(frame["dose"] > 0.8, "yes", "no")
    found = ask(frame, "--balance", balance)
    model = ClassificationRelevance(random_state=0, n_jobs=1, class_weight=class_weight)
    model.fit(frame[["dose", "height"]], frame["outcome"])
    weights = model.result_.class_weights
    expected = None if weights is None else [float(each) for each in weights]
    assert found["result"]["class_weights"] == expected


def test_balance_is_for_classes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = saved(tmp_path / "table.csv", as_text(patients()))
    assert main(["analyze", str(path), "--target", "height", "--balance", "balanced"]) == 2
    assert "--balance balanced is for classes, but height is taken for a number" in caplog.text
