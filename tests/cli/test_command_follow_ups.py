"""Further questions in a shell: text columns as one, ``--without`` and ``--stand-ins``."""

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved
from report_cases import Page
from small_fits import estimator, table

from relbounds import ClassificationRelevance, OrdinalRelevance, RelevanceResult
from relbounds.answer import door, further
from relbounds.answer.answer import Answer
from relbounds.answer.screen import show_answer
from relbounds.answer.terminal import Terminal, columns_of
from relbounds.cli.main import main
from relbounds.cli.markdown import to_markdown
from relbounds.datasets import make_privileged
from relbounds.results.answers import Blocks
from relbounds.results.columns import ColumnFacts
from relbounds.results.follow_ups import FollowUps

STRONG = "Two features are indispensable (strong): dose and colour; every good model uses each"
SITE = "<b>site</b>"


def colours() -> pd.DataFrame:
    """``colour`` and ``dose`` decide; no single colour does. The rest is idle."""
    rng = np.random.default_rng(2)
    colour, dose = rng.integers(6, size=200), rng.normal(size=200)
    score = dose + np.linspace(-1, 1, 6)[colour] + 0.2 * rng.normal(size=200)
    idle = rng.normal(size=200)
    return pd.DataFrame(
        {
            "colour": np.array(["red", "amber", "lime", "teal", "navy", "plum"])[colour],
            "dose": dose.round(3),
            "idle": idle.round(3),
            SITE: np.array(["north", "east", "south"])[rng.integers(3, size=200)],
            "sick": np.where(score > 0, "yes", "no"),
        }
    )


def twins() -> pd.DataFrame:
    """Two columns that say the same of an outcome, and one that says nothing."""
    frame = patients()[["dose", "height", "outcome"]]
    noise = np.random.RandomState(1).normal(size=len(frame))
    return frame.assign(twin=(frame["dose"] + 0.01 * noise).round(3))


@dataclass(frozen=True)
class Told:
    """What a command says, everywhere."""

    printed: str
    document: dict[str, Any]
    markdown: str
    page: Page

    @property
    def everywhere(self) -> list[str]:
        texts = self.printed, json.dumps(self.document), self.markdown.replace("\\", "")
        return [re.sub(r"\s+", " ", each) for each in (*texts, *self.page.texts("body"))]


def ask(folder: Path, frame: pd.DataFrame, target: str, *questions: str) -> Told:
    table, out = saved(folder / "table.csv", as_text(frame)), folder / "told"
    always = ["--jobs", "1", "--out", str(out), "--format", "html,json,md"]
    with redirect_stdout(io.StringIO()) as printed:
        assert main(["analyze", str(table), "--target", target, *always, *questions]) == 0
    return Told(
        printed.getvalue(),
        json.loads((out / "result.json").read_text("utf-8")),
        (out / "relevance.md").read_text("utf-8"),
        Page((out / "report.html").read_text("utf-8")),
    )


@pytest.fixture(scope="module")
def of_colours(tmp_path_factory: pytest.TempPathFactory) -> Told:
    questions = ["--without", "colour", "--without", f"idle,{SITE}", "--without", "colour=red"]
    return ask(tmp_path_factory.mktemp("colours"), colours(), "sick", *questions)


@pytest.fixture(scope="module")
def of_twins(tmp_path_factory: pytest.TempPathFactory) -> Told:
    questions = ["--without", "dose", "--without", "dose, twin", "--stand-ins"]
    return ask(tmp_path_factory.mktemp("twins"), twins(), "outcome", *questions)


@pytest.fixture(scope="module")
def of_privileged(tmp_path_factory: pytest.TempPathFactory) -> Told:
    X, y, X_priv, *_ = make_privileged(
        60, noise=0.2, n_classes=3, n_strong=1, weak_groups=(2,), n_irrelevant=1, random_state=2
    )
    told = pd.DataFrame(X_priv.round(3)).add_prefix("told ")
    told["ward"] = np.random.RandomState(0).choice(list("abc"), 60)
    frame = pd.concat([pd.DataFrame(X.round(3)).add_prefix("x"), told], axis=1).assign(y=y)
    questions = ["--privileged", ",".join(told), "--without", "told 0", "--without", "x1,told 1"]
    return ask(tmp_path_factory.mktemp("told"), frame, "y", *questions, "--stand-ins")


# Text columns as one


def test_a_text_is_strong_though_none_of_its_columns_is_and_all_outputs_say_so(
    of_colours: Told,
) -> None:
    block, _ = of_colours.document["blocks"]
    assert (block["block"], block["relevance"]) == ("colour", "strong")
    assert block["minrel"] > 0.05
    assert len(block["features"]) == 5
    columns = [row for row in of_colours.document["features"] if row["column"] == "colour"]
    assert {row["relevance"] for row in columns} == {"weak", "irrelevant"}
    (whole,) = (row for row in of_colours.document["columns"] if row["column"] == "colour")
    assert whole["relevance"] == "strong"
    assert whole["p_needed"] == block["p_needed"]
    assert of_colours.document["summary"][0].startswith(STRONG)
    told = [text for text in of_colours.everywhere if "Two features are indispensable" in text]
    assert len(told) == 4, "terminal, JSON, Markdown and page"


def test_the_terminal_and_markdown_have_one_line_for_a_text_and_its_values_below(
    of_colours: Told,
) -> None:
    number = r"0\.\d\d"
    assert re.search(rf"^colour +# strong +a\Do +{number} +{number}  ", of_colours.printed, re.M)
    assert re.search(rf"^  =\w+ +o weak +\D+ +{number} +{number}  ", of_colours.printed, re.M)
    assert re.search(r"^  compared with \w+; \d more values?$", of_colours.printed, re.M)
    assert re.search(r"^<b>site</b> +\. irrelevant +---  ", of_colours.printed, re.M)
    assert f"{SITE}=" not in of_colours.printed
    assert re.search(
        r"^\| colour \| regular \| strong \| yes \| \w+ \| yes \| 0\.\d{3} \| 0\.\d{3} \|",
        of_colours.markdown,
        re.M,
    )
    assert "\n| colour=amber | regular | " in of_colours.markdown


def test_names_are_text_in_every_section_of_the_report(of_colours: Told) -> None:
    page = of_colours.page
    assert not page.found("b"), "a column called <b>site</b> makes nothing bold"
    shown = " ".join(page.texts("table"))
    assert SITE in shown
    assert "east" in shown, "a value of it"
    assert any(f"Without idle and {SITE}: a good model exists" in each for each in page.texts("p"))


def test_totals_are_those_of_python(of_colours: Told) -> None:
    frame = colours()
    X = pd.get_dummies(frame.drop(columns="sick"), prefix_sep="=", dtype=float)
    X = X[[row["feature"] for row in of_colours.document["features"]]]
    model = ClassificationRelevance(random_state=0).fit(X, frame["sick"])
    found = model.blocks(
        {each["block"]: each["features"] for each in of_colours.document["blocks"]}
    )
    told = [(each["minrel"], each["maxrel"]) for each in of_colours.document["blocks"]]
    np.testing.assert_allclose(told, found.intervals, atol=1e-6)


def test_a_table_without_such_texts_has_no_section(of_twins: Told) -> None:
    assert of_twins.document["blocks"] == []
    assert "compared with" not in of_twins.printed


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bounds_of_large_texts_hold_the_exact_values_and_the_class_is_the_same(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    frame = colours().sample(120, random_state=seed)
    X = pd.get_dummies(frame.drop(columns="sick"), prefix_sep="=", dtype=float)
    X = X.drop(columns=["colour=teal", f"{SITE}=north"])
    model = ClassificationRelevance(C=0.05, n_probes=20, random_state=0).fit(X, frame["sick"])
    assert_bounded(model, {name: name.split("=")[0] for name in X if "=" in name}, monkeypatch)


def test_bounds_hold_for_privileged_texts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, X_priv, *_ = make_privileged(40, noise=0.2, n_classes=3, n_strong=2, random_state=0)
    told = pd.DataFrame(X_priv).add_prefix("ward=")
    model = OrdinalRelevance(C=0.2, gamma=0.5, n_probes=10, random_state=0).fit(X, y, told)
    assert_bounded(model, dict.fromkeys(told, "ward"), monkeypatch)


def assert_bounded(model: Any, made_from: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    exact = further.texts_as_one(model, made_from)
    monkeypatch.setattr(further, "MOST_WORK", 0)
    bounded = further.texts_as_one(model, made_from)
    assert exact.gaps.max() < 1e-6 < bounded.gaps.max()
    assert bounded.relevance.tolist() == exact.relevance.tolist()
    outer = bounded.intervals + bounded.gaps * [-1, 1]
    assert (outer[:, 0] <= exact.intervals[:, 0] + 1e-6).all()
    assert (bounded.intervals[:, 0] >= exact.intervals[:, 0] - 1e-6).all()
    assert (bounded.intervals[:, 1] <= exact.intervals[:, 1] + 1e-6).all()
    assert (outer[:, 1] >= exact.intervals[:, 1] - 1e-6).all()


def test_what_is_only_bounded_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(further, "MOST_WORK", 0)
    told = ask(tmp_path, colours(), "sick", "--brief")
    said = "finding it exactly could take long. It is at most: colour "
    assert all(said in text for text in told.everywhere if "schema" not in text)
    assert told.document["blocks"][1]["gaps"][1] > 0.01
    assert told.document["summary"][0].startswith(STRONG)


def towns() -> pd.DataFrame:
    """Forty towns, each too small for its column of 0 and 1 to add to the others."""
    rng = np.random.default_rng(1)
    value, dose = rng.integers(40, size=240), rng.normal(size=240)
    score = dose + rng.normal(size=40)[value] + 0.3 * rng.normal(size=240)
    return pd.DataFrame(
        {
            "town": [f"t{k}" for k in value],
            "dose": dose.round(3),
            "y": np.where(score > 0, "a", "b"),
        }
    )


def test_a_text_can_be_strong_though_nearly_all_its_columns_are_irrelevant(tmp_path: Path) -> None:
    told = ask(tmp_path, towns(), "y", "--brief")
    of_columns = [row for row in told.document["features"] if row["column"] == "town"]
    assert len(of_columns) == 28, "and those of fewer than five rows are together"
    assert "strong" not in {row["relevance"] for row in of_columns}
    assert sum(row["relevance"] == "irrelevant" for row in of_columns) > 20
    assert told.document["blocks"][0]["relevance"] == "strong"
    assert told.document["blocks"][0]["needed"]
    assert "indispensable (strong): town and dose" in told.document["summary"][0]


@cache
def one_result() -> RelevanceResult:
    X, y, _ = table()
    return estimator("ordinal").fit(X, y).result_


def answer_of(blocks: Blocks) -> Answer:
    """An answer with blocks of the first features, whose names may be hostile."""
    names = [name for block in blocks.features for name in block]
    origins = {
        name: column
        for column, block in zip(blocks.names, blocks.features, strict=True)
        for name in block
    }
    assert set(names) <= set(one_result().feature_names)
    return Answer(
        pipeline=[SimpleNamespace(result_=one_result())],
        source="table.csv",
        target="y",
        columns=tuple(ColumnFacts(column, "text", reference="zero") for column in blocks.names),
        made_from=origins,
        notes=(),
        warnings=(),
        command="relbounds analyze table.csv --target y",
        seed=0,
        follow_ups=FollowUps(blocks=blocks),
    )


def blocks_called(name: str, relevance: int) -> Blocks:
    return Blocks(
        (name,),
        (one_result().feature_names[:2],),
        np.array([[0.2, 0.4]]),
        np.zeros((1, 2)),
        np.array([relevance]),
        np.array([relevance == 2]),
        *(np.array([1e-9 if relevance else 0.5]) for _ in range(3)),
    )


@pytest.mark.parametrize("width", [50, 60, 100])
@pytest.mark.parametrize("name", ["a name that goes on and on, longer than this", "身長" * 20])
def test_the_table_fits_the_terminal(width: int, name: str) -> None:
    window = io.StringIO()
    answer = answer_of(blocks_called(name, relevance=2))
    show_answer(Terminal(window, width=width, has_unicode=True), answer)
    table = window.getvalue().partition("relevance ")[2].partition("why:")[0]
    lines = table.splitlines()[1:]
    assert len(lines) == len(one_result().feature_names) + 2, "with a value and a remark"
    assert all(columns_of(line) <= width for line in lines)


def test_what_chance_makes_useful_is_remarked_and_names_stay_text() -> None:
    """A text with a hostile name that every good model uses, though nothing speaks for it."""
    answer, window = answer_of(blocks_called(SITE, relevance=0)), io.StringIO()
    show_answer(Terminal(window, width=200, has_unicode=True), answer)
    remark = ": in every good model, but not proved to be of use."
    assert f"{SITE}{remark}" in window.getvalue()
    markdown = to_markdown(answer)
    assert f"\\<b\\>site\\</b\\>{remark}" in markdown
    assert SITE not in markdown


# Without


def test_no_good_model_does_without_a_text_of_which_no_column_is_needed(of_colours: Told) -> None:
    first, *_ = of_colours.document["without"]
    assert first["features"] == of_colours.document["blocks"][0]["features"]
    assert first["indispensable"]
    assert first["price"] > of_colours.document["result"]["tolerances"]["norm"]
    assert first["error_without"] > first["error"]
    assert first["became"] is None
    (sentence,) = first["sentences"]
    assert re.fullmatch(
        r"No good model does without colour: the tolerance would have to be 0\.\d+ \(used: "
        r"0\.\d+\); the cross-validated error would grow from [\d.]+ to [\d.]+\.",
        sentence,
    )
    assert all(sentence in text for text in of_colours.everywhere)


def test_every_use_of_the_option_is_a_question(of_colours: Told) -> None:
    asked = [each["features"] for each in of_colours.document["without"]]
    assert asked[1:] == [["idle", f"{SITE}=east", f"{SITE}=south"], ["colour=red"]]


def test_what_nobody_needs_costs_nothing(of_colours: Told) -> None:
    idle = of_colours.document["without"][1]
    assert not idle["indispensable"]
    assert idle["price"] == pytest.approx(0, abs=1e-6)
    assert idle["sentences"][0].startswith(
        f"Without idle and {SITE}: a good model exists; it costs"
    )
    assert idle["became"] == {"needed": [], "no_longer_needed": []}
    assert idle["sentences"][1] == "Nothing else becomes needed."


def test_who_takes_over_is_named_everywhere(of_twins: Told) -> None:
    one, both = of_twins.document["without"]
    assert one["became"]["needed"] == ["twin"]
    assert all("Then twin is indispensable (strong)." in text for text in of_twins.everywhere)
    assert both["sentences"][0].startswith("No good model does without dose and twin at once: ")


def test_privileged_columns_can_be_asked_about(of_privileged: Told) -> None:
    needed, pair = of_privileged.document["without"]
    assert needed["sentences"][0].startswith("No good model does without told 0: ")
    assert "told 2" in pair["became"]["needed"]
    assert "told 2" in pair["sentences"][1]
    (ward,) = of_privileged.document["blocks"]
    assert ward["features"] == ["ward=b", "ward=c"]
    assert any(
        {"told 1", "told 2"} == set(g["features"]) for g in of_privileged.document["stand_ins"]
    )


def test_a_price_that_takes_all_of_the_tolerance_leaves_nothing_to_tell() -> None:
    X, y, _ = table()
    price = estimator("ordinal").fit(X, y).price("x0").tolerance
    model = estimator("ordinal", tolerance=price - 5e-7).fit(X, y)
    found = further.without(model, ["x0"])
    assert not found.price.is_indispensable
    assert found.became() is None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("hight", "--without: the table has no column 'hight'; did you mean 'height'?"),
        ("dose,colour", "--without: the table has no column 'colour'; did you mean 'color'?"),
        ("color=pink", "--without: the table has no column 'color=pink'; did you mean"),
        ("outcome", "--without: 'outcome' is not among the features: it is the target. Name an"),
        ("id", "--without: 'id' is not among the features: it was left out, since it has a diff"),
        ("sex", "--without: 'sex' is not among the features: it was left out, as asked. Name a"),
        ("a", "--without: 'a' is not among the features: it was left out, as asked. Name"),
        ("", "--without '' names no column; name one, as in --without 'id', or leave"),
    ],
)
def test_what_is_no_feature_is_told_before_the_wait(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(door, "_fit", lambda *_, **__: pytest.fail("it was computed"))
    saved(tmp_path / "patients.csv", as_text(patients().assign(a=1)))
    arguments = ["--drop", "sex,a", "--without", "dose", "--without", name]
    assert main(["analyze", "patients.csv", "--target", "outcome", *arguments]) == 2
    assert [each.message[: len(sentence)] for each in caplog.records] == [sentence]
    assert [each.name for each in tmp_path.iterdir()] == ["patients.csv"]


def test_a_name_with_a_comma_is_given_alone(tmp_path: Path) -> None:
    frame = twins().rename(columns={"dose": "dose, in mg"})
    told = ask(tmp_path, frame, "outcome", "--without", "dose, in mg")
    assert told.document["without"][0]["features"] == ["dose, in mg"]


# Stand-ins


def test_stand_ins_are_told_on_demand(of_twins: Told, of_colours: Told) -> None:
    (group,) = of_twins.document["stand_ins"]
    assert group["features"] == ["dose", "twin"]
    assert group["at_least_one_of"] == ["dose", "twin"]
    assert all(group["sentence"] in text for text in of_twins.everywhere)
    assert of_colours.document["stand_ins"] is None
    assert "stands in" not in of_colours.printed + of_colours.markdown
    assert "What stands in for what?" not in of_colours.page.texts("body")[0]


def test_that_nothing_stands_in_is_an_answer_too(tmp_path: Path) -> None:
    told = ask(tmp_path, twins().drop(columns="twin"), "outcome", "--stand-ins")
    assert told.document["stand_ins"] == []
    said = "No group of features was found that stand in for one another."
    assert all(said in text for text in told.everywhere if "schema" not in text)


# Nothing to ask, nothing to say


def test_nothing_learned_is_nothing_to_ask_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    frame = patients()[["height", "color", "outcome"]]
    told = ask(tmp_path, frame, "outcome", "--without", "height", "--stand-ins")
    assert told.document["features"][0]["minrel_over_threshold"] is None, "nothing was learned"
    asked = [told.document[name] for name in ("without", "stand_ins")]
    assert asked == [[], None]
    (block,) = told.document["blocks"]
    assert block["relevance"] == "irrelevant", "evidence needs no good models"
    assert (block["minrel"], block["maxrel"]) == (0, 0)
    assert "no good models to ask for --without and --stand-ins" in caplog.text
    assert "no good models to ask" in told.document["warnings"][-1]


def test_quiet_is_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(saved(tmp_path / "twins.csv", as_text(twins())))
    asked = ["--without", "dose", "--stand-ins", "--quiet", "--out", str(tmp_path), "--jobs", "1"]
    assert main(["analyze", table, "--target", "outcome", *asked]) == 0
    assert capsys.readouterr() == ("", "")
