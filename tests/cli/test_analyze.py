"""``relbounds analyze`` and ``relbounds demo``: an answer for people, and for machines."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved
from sklearn.datasets import load_iris

from relbounds import ClassificationRelevance, RelevanceResult
from relbounds.answer.screen import name_width, show_classes
from relbounds.answer.terminal import Terminal
from relbounds.cli.main import main
from relbounds.datasets import make_semantic

Shell = Callable[..., str]
DOCUMENTED = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a table in it."""
    monkeypatch.chdir(tmp_path)
    saved(tmp_path / "patients.csv", as_text(patients()))
    return tmp_path


@pytest.fixture
def shell(folder: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """What a command that ends well writes to standard output."""

    def run(*arguments: str) -> str:
        assert main([*arguments, "--jobs", "1"] if arguments[0] == "analyze" else arguments) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def document(shell: Shell) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        shell("analyze", "patients.csv", "--target", "outcome", "--format", "json")
    )
    return found


@pytest.fixture
def full_document(shell: Shell, folder: Path) -> dict[str, Any]:
    """All that can be asked, of a table with something to say about everything."""
    frame = patients()
    twin = (frame["dose"] + 0.01 * np.random.RandomState(1).normal(size=60)).round(3)
    saved(folder / "twins.csv", as_text(frame.assign(twin=twin)))
    asked = ["--without", "height", "--stand-ins", "--format", "json"]
    found: dict[str, Any] = json.loads(shell("analyze", "twins.csv", "--target", "outcome", *asked))
    return found


# For people


def test_people_get_the_answer_a_table_and_the_path_of_a_report(shell: Shell, folder: Path) -> None:
    printed = shell("analyze", "patients.csv", "--target", "outcome")
    assert "(strong): dose" in printed
    assert re.search(r"^dose +■ strong +amo +\+ +0\.\d\d +\d\.\d\d  ·*┆?·*█+", printed, re.M)
    assert re.search(r"^height +○ irrelevant +··· ", printed, re.M)
    assert "why: a = tells something about the outcome alone, m = " in printed
    assert "┆ is where chance ends for a column like this one" in printed
    assert "with a false discovery rate" in printed
    assert "guessed to be classification" in printed
    assert "id was left out" in printed
    assert printed.rstrip().endswith("patients-relevance/report.html")
    assert "dose" in (folder / "patients-relevance" / "report.html").read_text()


def test_the_order_of_classes_is_written_as_in_the_notes(shell: Shell, folder: Path) -> None:
    frame = patients()[["dose", "height"]]
    frame["grade"] = np.digitize(frame["dose"], [-0.5, 0.5]) / 2
    saved(folder / "graded.csv", as_text(frame))
    printed = shell("analyze", "graded.csv", "--target", "grade", "--order", "0,0.5,1")
    assert "Ordinal (0 < 0.5 < 1), 60 rows" in printed
    assert "grade is ordered as asked: 0 < 0.5 < 1." in printed


def test_one_feature_is_no_plural(shell: Shell, folder: Path) -> None:
    one_told = ["--privileged", "height", "--slack", "mixed", "--out", "here"]
    shell("analyze", "patients.csv", "--target", "outcome", "--keep", "dose", *one_told)
    page = (folder / "here" / "report.html").read_text()
    assert re.search(r"60 samples, 1 feature,\s", page)
    assert "1 privileged feature, which is known only" in page
    assert not re.search(r"\b1\s+features", page)
    assert "If the one feature" in page


def test_a_text_is_one_line(shell: Shell) -> None:
    printed = shell("analyze", "patients.csv", "--target", "outcome")
    table = printed[printed.index("feature  ") :]
    assert len(re.findall(r"^color ", table, re.M)) == 1
    assert "color=" not in table


def test_quiet_leaves_only_the_files(shell: Shell, folder: Path) -> None:
    printed = shell("analyze", "patients.csv", "--target", "outcome", "--quiet", "--out", "here")
    assert printed == ""
    assert [each.name for each in (folder / "here").iterdir()] == ["report.html"]


def test_all_formats_go_into_the_folder(shell: Shell, folder: Path) -> None:
    arguments = ["--format", "html,json", "--format", "csv,md", "--out", "deep/er"]
    printed = shell("analyze", "patients.csv", "--target", "outcome", *arguments)
    names = ["report.html", "result.json", "relevance.csv", "relevance.md"]
    assert printed.split()[-4:] == [f"deep/er/{name}" for name in names]
    assert all((folder / "deep" / "er" / name).stat().st_size > 100 for name in names)


def test_of_many_features_the_relevant_ones_are_shown(shell: Shell, folder: Path) -> None:
    frame = patients(100)[["dose", "outcome"]]
    noise = np.random.RandomState(1).normal(size=(100, 60)).round(2)
    wide = pd.concat([frame, pd.DataFrame(noise).add_prefix("noise ")], axis=1)
    saved(folder / "wide.csv", as_text(wide))
    printed = shell("analyze", "wide.csv", "--target", "outcome", "--format", "html,csv")
    assert re.search(r"^dose +■ strong", printed, re.M)
    shown = re.findall(r"^noise \d+ +○", printed, re.M)
    assert len(shown) == 5
    assert re.search(r"^5\d more features are not shown here\.", printed, re.M)


def test_privileged_features_have_a_table_of_their_own(shell: Shell, folder: Path) -> None:
    data = make_semantic(random_state=0)
    notes = pd.DataFrame(data.X_priv).add_prefix("note on ")
    frame = pd.concat([pd.DataFrame(data.X), notes], axis=1).assign(y=data.y)
    saved(folder / "taught.csv", as_text(frame))
    arguments = ["--privileged", ",".join(notes), "--format", "html,json"]
    printed = shell("analyze", "taught.csv", "--target", "y", *arguments)
    assert re.search(r"^- note on .* are privileged", printed, re.M)
    found = json.loads((folder / "taught-relevance" / "result.json").read_text())
    sides = [row["side"] for row in found["features"]]
    assert sides == ["regular"] * data.X.shape[1] + ["privileged"] * notes.shape[1]
    assert set(found["thresholds"]) == {"regular", "privileged"}
    assert re.search(r"^privileged feature  relevance", printed, re.M)


def test_warnings_are_sentences_on_standard_error_and_in_the_document(
    shell: Shell, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    frame = patients()[["height", "outcome"]]
    frame["text"] = [*(f"{value:.1f}" for value in frame["height"][:-1] % 6), "?"]
    saved(folder / "hopeless.csv", as_text(frame))
    found = json.loads(shell("analyze", "hopeless.csv", "--target", "outcome", "--format", "json"))
    assert any("uses no feature at all" in sentence for sentence in found["warnings"])
    assert "C is too small" not in str(found), "a command cannot set it"
    assert any("text (1: '?')" in sentence for sentence in found["warnings"])
    assert [each.message for each in caplog.records] == [
        f"Warning: {sentence}" for sentence in found["warnings"]
    ]


def test_a_model_no_better_than_guessing_is_warned_of_everywhere(
    shell: Shell, folder: Path
) -> None:
    random = np.random.RandomState(3)
    frame = pd.DataFrame(random.normal(size=(60, 5)).round(2)).add_prefix("noise ")
    saved(folder / "noise.csv", as_text(frame.assign(y=random.choice(["no", "yes"], 60))))
    printed = shell("analyze", "noise.csv", "--target", "y", "--format", "html,json,md")
    assert "Guessing is right in 50 %." in printed
    here = folder / "noise-relevance"
    for text in (
        printed,
        *((here / name).read_text() for name in ("result.json", "relevance.md", "report.html")),
    ):
        assert text.count("hardly better") == 1


def test_advice_on_privileged_columns_can_be_followed(
    shell: Shell, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    frame, random = patients()[["dose", "height"]], np.random.RandomState(1)
    frame["sick"] = np.where(frame["dose"] + random.normal(size=60) > 0, "yes", "no")
    frame["note"] = random.normal(size=60)
    saved(folder / "taught.csv", as_text(frame))
    arguments = ["analyze", "taught.csv", "--target", "sick", "--privileged", "note"]
    found = json.loads(shell(*arguments, "--format", "json"))
    assert "--slack mixed gives samples slack of their own." in found["summary"][0]
    assert "larger C" not in caplog.text + found["summary"][0]
    mixed = json.loads(shell(*arguments, "--format", "json", "--slack", "mixed"))
    assert mixed["result"]["slack"] == "mixed"
    assert mixed["features"][0]["relevance"] == "strong"


def test_a_column_that_is_called_like_a_setting_keeps_its_name(shell: Shell, folder: Path) -> None:
    frame = patients()[["dose", "height", "outcome"]].rename(columns={"dose": "slack='mixed'"})
    saved(folder / "odd.csv", as_text(frame))
    found = json.loads(shell("analyze", "odd.csv", "--target", "outcome", "--format", "json"))
    assert "(strong): slack='mixed'; every good model" in found["summary"][0]


@pytest.mark.parametrize("selection", ["evidence", "fdr", "fwer", "probe"])
def test_the_rule_can_be_chosen_and_is_told(shell: Shell, folder: Path, selection: str) -> None:
    asked = ["--selection", selection, "--level", "0.2", "--format", "json,md,html"]
    printed = shell("analyze", "patients.csv", "--target", "outcome", *asked)
    here = folder / "patients-relevance"
    found = json.loads((here / "result.json").read_text())
    rule = found["rule"]
    assert (rule["selection"], rule["level"], rule["confidence"]) == (selection, 0.2, 0.999)
    assert found["result"]["sides"][0]["decision"]["selection"] == selection
    for text in (printed, (here / "relevance.md").read_text(), (here / "report.html").read_text()):
        assert rule["sentence"] in " ".join(text.split()).replace("&#39;", "'")


def test_names_get_the_room_that_bars_can_spare() -> None:
    assert name_width(longest=17, room=80 - 41) == 17
    assert name_width(longest=50, room=100 - 41) == 29
    assert name_width(longest=50, room=9) == 9


# For machines


def test_json_is_the_same_as_in_python(document: dict[str, Any]) -> None:
    frame = patients()
    X = pd.get_dummies(frame[["dose", "height", "color", "sex"]], prefix_sep="=", dtype=float)
    X = X.drop(columns=["sex=male", "color=green"])
    model = ClassificationRelevance(random_state=0).fit(X, frame["outcome"])
    np.testing.assert_allclose(
        [(row["minrel"], row["maxrel"]) for row in document["features"]], model.intervals_
    )
    assert document["classes"] == ["no", "yes"]
    assert document["n_samples"] == 60
    assert document["seed"] == 0


def test_a_result_can_be_made_of_the_document_again(document: dict[str, Any]) -> None:
    result = RelevanceResult.from_dict(document["result"])
    assert [row["feature"] for row in document["features"]] == list(result.feature_names)
    assert result.thresholds.to_dict() == document["thresholds"]["regular"]


def keys_of(value: Any) -> set[str]:
    """Names of all fields, at any depth; ``versions`` holds names of packages."""
    if isinstance(value, dict):
        inner = [keys_of(item) for name, item in value.items() if name != "versions"]
        return set(value).union(*inner)
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_every_field_is_documented_and_every_documented_field_is_there(
    full_document: dict[str, Any],
) -> None:
    documented = set(re.findall(r"`(\w+)`", DOCUMENTED))
    assert keys_of(full_document) <= documented
    first_columns = re.findall(r"^\| (`[^|]+`) \|", DOCUMENTED, re.M)
    promised = {name for cell in first_columns for name in re.findall(r"`(\w+)`", cell)}
    assert promised <= keys_of(full_document)


def test_the_example_of_the_documentation_has_the_same_fields(document: dict[str, Any]) -> None:
    example = json.loads(re.search(r"```json\n(.*?)```", DOCUMENTED, re.S)[1])
    assert list(example) == list(document)
    assert example["schema"] == document["schema"]
    assert [list(row) for row in example["features"]] == 2 * [list(document["features"][0])]
    assert [list(row) for row in example["blocks"]] == [list(document["blocks"][0])]


def test_json_has_null_where_there_is_no_number(shell: Shell, folder: Path) -> None:
    saved(folder / "hopeless.csv", as_text(patients()[["height", "outcome"]]))
    text = shell("analyze", "hopeless.csv", "--target", "outcome", "--format", "json")
    assert "NaN" not in text
    assert "Infinity" not in text
    found = json.loads(text)
    assert found["thresholds"] == {"regular": None}
    assert found["features"][0]["minrel_over_threshold"] is None


def test_csv_has_the_rows_of_the_document(shell: Shell, document: dict[str, Any]) -> None:
    text = shell("analyze", "patients.csv", "--target", "outcome", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["feature"] for row in rows] == [row["feature"] for row in document["features"]]
    assert list(rows[0]) == list(document["features"][0])


def test_markdown_shows_names_as_they_are(shell: Shell, folder: Path) -> None:
    frame = patients().rename(columns={"dose": "<b>a|b*c_d</b>"})
    saved(folder / "odd.csv", as_text(frame))
    text = shell("analyze", "odd.csv", "--target", "outcome", "--format", "md")
    assert r"| \<b\>a\|b\*c\_d\</b\> | regular | strong | yes | yes | yes |" in text


def test_the_command_is_the_one_that_was_typed(document: dict[str, Any]) -> None:
    assert document["command"] == (
        "relbounds analyze patients.csv --target outcome --format json --jobs 1"
    )


def test_seed_and_tolerance_are_used(shell: Shell, document: dict[str, Any]) -> None:
    arguments = ["--format", "json", "--seed", "1", "--tolerance", "0.3"]
    other = json.loads(shell("analyze", "patients.csv", "--target", "outcome", *arguments))
    assert other["seed"] == 1
    assert other["result"]["tolerances"]["norm"] == 0.3
    drawn, others = (each["result"]["sides"][0]["probes"] for each in (document, other))
    assert drawn != others


@pytest.mark.parametrize(("task", "target"), [("ordinal", "grade"), ("regression", "height")])
def test_other_tasks_end_well_too(shell: Shell, folder: Path, task: str, target: str) -> None:
    frame = patients()
    frame["grade"] = np.digitize(frame["dose"], [-0.5, 0.5])
    saved(folder / "graded.csv", as_text(frame))
    found = json.loads(shell("analyze", "graded.csv", "--target", target, "--format", "json"))
    assert found["task"] == task


# The demonstration


def test_the_demo_shows_the_command_a_table_and_a_report(shell: Shell, folder: Path) -> None:
    printed = shell("demo")
    command, *_ = printed.splitlines()
    assert command.startswith("$ relbounds analyze demo-output/diabetes.csv --target stage")
    assert re.search(r"^bmi +■ strong", printed, re.M)
    assert printed.rstrip().endswith("demo-output/report.html")
    assert (folder / "demo-output" / "report.html").exists()


def test_a_folder_that_cannot_be_made_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert main(["demo", "--out", "patients.csv"]) == 2
    assert "name another folder with --out" in caplog.text


# Classes without order


@pytest.fixture(scope="module")
def flowers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The species of iris, as a new user would have them."""
    data = load_iris(as_frame=True)
    table = data.data.assign(species=data.target_names[data.target])
    path = tmp_path_factory.mktemp("iris") / "iris.csv"
    table.to_csv(path, index=False)
    return path


def test_species_are_analysed_without_asking_for_an_order(
    flowers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    formats = ["--format", "html,md,json", "--out", str(flowers.parent / "out")]
    assert main(["analyze", str(flowers), "--target", "species", *formats]) == 0
    said = " ".join(capsys.readouterr().out.split())
    wanted = "petal width (cm): needed to tell each of versicolor and virginica from the rest."
    assert wanted in said
    assert "Class by class setosa versicolor virginica" in said
    assert "--order setosa" not in said
    document = json.loads((flowers.parent / "out" / "result.json").read_text())
    assert (document["task"], len(document["of_classes"])) == ("classification", 12)
    assert "## Class by class" in (flowers.parent / "out" / "relevance.md").read_text()


def test_an_order_makes_species_ordered_classes(
    flowers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ["--order", "setosa,versicolor,virginica", "--format", "json"]
    assert main(["analyze", str(flowers), "--target", "species", *order]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["task"], document["of_classes"]) == ("ordinal", [])


def test_classes_that_share_no_line_of_a_narrow_terminal_have_tables_of_their_own() -> None:
    X, y = load_iris(return_X_y=True)
    result = ClassificationRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y).result_
    stream = io.StringIO()
    show_classes(Terminal(stream, width=60), result.regular, [0, 1])
    heads = [line for line in stream.getvalue().splitlines() if line.startswith(" " * 20)]
    assert [line.split() for line in heads] == [["0", "1"], ["2"]]
