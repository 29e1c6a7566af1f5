"""``relbounds analyze --group COLUMN``: the column is no feature, and what it means is told."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from relbounds import ClassificationRelevance
from relbounds.cli.main import WRONG_INPUT, main


def visits() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(20), 6)
    frame = pd.DataFrame({"patient": [f"P{each:02}" for each in patient]})
    frame["age"] = rng.normal(size=20)[patient]
    frame["pressure"] = rng.normal(size=120)
    noise = rng.normal(size=20)[patient] + rng.normal(size=120)
    frame["ill"] = np.where(frame["age"] + frame["pressure"] + noise > 0, "yes", "no")
    return frame


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    monkeypatch.chdir(tmp_path)
    visits().to_csv("visits.csv", index=False)
    return visits()


def asked(*options: str) -> list[str]:
    return ["analyze", "visits.csv", "--target", "ill", "--jobs", "1", *options]


def document(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    assert main(asked("--format", "json", *options)) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_groups_are_handed_to_the_fit_and_told(
    table: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    found = document(capsys, "--group", "patient")
    assert [each["feature"] for each in found["features"]] == ["age", "pressure"]
    assert found["n_groups"] == 20
    told = "Rows of the same patient count as one observation"
    assert [note for note in found["notes"] if note.startswith(told)] == [
        f"{told} of all that it has as a whole: 120 rows of 20."
    ]
    model = ClassificationRelevance(random_state=0)
    model.fit(table[["age", "pressure"]], table["ill"], groups=table["patient"])
    assert found["features"][0]["p_needed"] == pytest.approx(model.result_.p_needed[0])


def test_people_read_it_on_the_terminal_and_in_the_report(
    table: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked("--group", "patient")) == 0
    assert "Rows of the same patient count as one observation" in capsys.readouterr().out
    page = Path("visits-relevance/report.html").read_text(encoding="utf-8")
    assert "Rows of the same patient count as one observation" in page
    assert "Groups of samples that belong together" in page


def test_rows_without_a_group_are_left_out_with_a_note(
    table: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    table.loc[:3, "patient"] = None
    table.loc[10:12, "age"] = None
    table.to_csv("visits.csv", index=False)
    found = document(capsys, "--group", "patient", "--missing", "drop")
    assert "4 rows without a value of patient were left out; 116 rows stay." in found["notes"]
    assert (found["n_samples"], found["n_groups"]) == (113, 20)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--group", "patien"], "--group: the table has no column 'patien'; did you mean"),
        (["--group", "ill"], "'ill' is named by --target and by --group"),
        (["--group", "age", "--drop", "age"], "'age' is named by --group and by --drop"),
        (["--group", "number"], "--group number has a different value in every row"),
        (["--group", "hospital"], "--group hospital has the same value in every row"),
    ],
    ids=["unknown", "target", "dropped", "all different", "one"],
)
def test_a_column_that_makes_no_groups_is_refused(
    table: pd.DataFrame, caplog: pytest.LogCaptureFixture, options: list[str], says: str
) -> None:
    table.assign(number=np.arange(120), hospital="A").to_csv("visits.csv", index=False)
    assert main(asked(*options)) == WRONG_INPUT
    assert says in caplog.text


def test_groups_are_refused_for_classes_without_order_in_the_words_of_the_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "kinds.csv"
    lines = [f"{'abc'[k % 3]},{k},p{k // 2}" for k in range(30)]
    path.write_text("\n".join(["kind,size,patient", *lines]))
    assert main(["analyze", str(path), "--target", "kind", "--group", "patient"]) == WRONG_INPUT
    assert "--group is for two classes, ordered classes and numbers, but 'kind'" in caplog.text
    assert "--order LOW,...,HIGH" in caplog.text
    assert not capsys.readouterr().out
