"""One door: a frame or a file becomes an answer that shows itself and predicts."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from messy_tables import as_text, patients, saved
from sklearn.base import clone

import relbounds
from relbounds.cli.main import main
from relbounds.exceptions import RelboundsWarning, SolverError, WrongInputError

NUMBERS = ["minrel", "maxrel", "p_alone", "p_in_models", "p_needed"]


def clinic(n: int = 160, seed: int = 0) -> pd.DataFrame:
    """A dose and a site decide; a date, a flag and a gappy number do not."""
    draw = np.random.RandomState(seed)
    site, dose = draw.randint(4, size=n), draw.normal(size=n)
    score = dose + np.array([0.0, 1.0, -1.0, 1.5])[site] + 0.3 * draw.normal(size=n)
    height = draw.normal(170, 10, size=n).round(1)
    height[::9] = np.nan
    return pd.DataFrame(
        {
            "id": np.arange(1, n + 1),
            "dose": dose.round(3),
            "site": np.array(["north", "east", "south", "west"])[site],
            "height": height,
            "seen": pd.Timestamp("2024-03-01") + pd.to_timedelta(draw.randint(90, size=n), "D"),
            "smokes": draw.rand(n) < 0.3,
            "stage": np.array(["mild", "medium", "severe"])[
                np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
            ],
        }
    )


ORDER = ["mild", "medium", "severe"]


@pytest.fixture(scope="module")
def answer() -> relbounds.Answer:
    return relbounds.analyze(clinic(), "stage", order=ORDER)


def test_the_answer_is_about_whole_columns(answer: relbounds.Answer) -> None:
    found = answer.to_frame()
    assert found.index.tolist() == ["dose", "site", "height", "seen", "smokes"]
    assert found["relevance"].tolist() == ["strong", "strong", *["irrelevant"] * 3]
    levels = answer.to_frame(levels=True)
    assert levels.loc[levels["column"] == "site"].index.tolist() == [
        "site=east",
        "site=north",
        "site=south",
    ]


def test_a_text_of_two_values_has_the_name_of_its_column() -> None:
    frame = clinic()
    frame["smokes"] = np.where(frame["smokes"], "yes", "no")
    found = relbounds.analyze(frame, "stage", order=ORDER, further=False)
    assert found.to_frame().index[-1] == "smokes"
    assert found.to_frame(levels=True).index[-1] == "smokes=yes"


def test_it_shows_itself_on_a_screen_and_in_a_notebook(answer: relbounds.Answer) -> None:
    shown = repr(answer)
    assert "Two features are indispensable (strong): " in shown
    assert "compared with west" in shown
    assert "Would other data say the same?" in shown
    assert f"{len(answer.notes)} sentences in .notes" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert "site" in answer._repr_html_()


def test_a_file_a_path_and_a_frame_give_the_same_answer(tmp_path: Path) -> None:
    frame = clinic()
    path = saved(tmp_path / "clinic.csv", as_text(frame))
    asked = ["--target", "stage", "--order", ",".join(ORDER), "--jobs", "1", "--format", "json"]
    out = tmp_path / "told"
    assert main(["analyze", str(path), *asked, "--out", str(out)]) == 0
    document = json.loads((out / "result.json").read_text("utf-8"))
    of_command = pd.DataFrame(document["columns"]).set_index("column")
    of_path = relbounds.analyze(path, "stage", order=ORDER).to_frame()
    of_frame = relbounds.analyze(frame, "stage", order=ORDER).to_frame()
    pd.testing.assert_frame_equal(of_path, of_frame)
    assert of_command["relevance"].tolist() == of_frame["relevance"].tolist()
    assert of_command["needed"].tolist() == of_frame["needed"].tolist()
    np.testing.assert_array_equal(of_command[NUMBERS].astype(float), of_frame[NUMBERS])


def test_polars_frames_will_do(answer: relbounds.Answer) -> None:
    found = relbounds.analyze(pl.from_pandas(clinic()), "stage", order=ORDER, further=False)
    pd.testing.assert_frame_equal(found.to_frame(), answer.to_frame())


def test_it_predicts_rows_as_they_come_with_gaps_and_values_that_were_never_seen(
    answer: relbounds.Answer,
) -> None:
    rows = clinic(seed=1).drop(columns=["id", "stage"]).iloc[:40]
    said = answer.predict(rows)
    assert set(said) <= set(ORDER)
    truth = clinic(seed=1)["stage"].iloc[:40]
    assert (said == truth).mean() > 0.6
    rows.loc[0, "site"], rows.loc[1, "site"], rows.loc[2, "dose"] = "moon", None, np.nan
    with pytest.warns(RelboundsWarning, match="site has 'moon'"):
        assert len(answer.predict(rows.astype(object))) == 40


def test_the_pipeline_is_cloned_and_pickled(answer: relbounds.Answer) -> None:
    frame = clinic()
    again = pickle.loads(pickle.dumps(answer))
    assert (again.predict(frame) == answer.predict(frame)).all()
    assert repr(again) == repr(answer)
    fitted = clone(answer.pipeline).fit(frame.drop(columns="stage"), frame["stage"])
    assert (fitted.predict(frame) == answer.predict(frame)).all()


def test_columns_can_be_constrained_by_name(answer: relbounds.Answer) -> None:
    price = answer.price("site")
    assert price.is_indispensable
    assert price.features == ("site=east", "site=north", "site=south")
    without = answer.what_if({"height": "absent"})
    assert without.intervals[without.feature_names.index("height"), 1] == 0


def test_a_report_holds_all_that_was_asked(answer: relbounds.Answer, tmp_path: Path) -> None:
    page = answer.report(tmp_path / "page.html").read_text("utf-8")
    assert "site" in page
    assert "compared with" in page


def test_messages_speak_of_arguments(tmp_path: Path) -> None:
    with pytest.raises(WrongInputError, match=r"`target`: the table has no column 'stages'"):
        relbounds.analyze(clinic(), "stages")
    with pytest.raises(WrongInputError, match=r"`drop`: the table has no column 'hight'"):
        relbounds.analyze(clinic(), "stage", order=ORDER, drop="hight")
    with pytest.raises(WrongInputError, match="does not exist"):
        relbounds.analyze(tmp_path / "nothing.csv", "stage")
    with pytest.raises(WrongInputError, match="A frame of pandas or polars"):
        relbounds.analyze(np.eye(4), "stage")
    assert not any("--" in note for note in relbounds.analyze(patients(), "outcome").notes)


@pytest.mark.parametrize(
    ("given", "means"),
    [("height", ["height"]), (["height", "seen"], ["height", "seen"]), (None, [])],
    ids=["one name", "several", "none"],
)
def test_names_are_given_alone_or_in_a_list(given: Any, means: list[str]) -> None:
    found = relbounds.analyze(clinic(), "stage", order=ORDER, drop=given, keep=None, further=False)
    assert {"height", "seen"} - set(found.to_frame().index) == set(means)


def test_absences_are_asked_by_column(answer: relbounds.Answer) -> None:
    found = relbounds.analyze(
        clinic(), "stage", order=ORDER, without=["site", ["height", "seen"]], further=False
    )
    site, idle = found.absence_sentences
    assert site[0].startswith("No good model does without site")
    assert idle[0].startswith("Without height and seen: a good model exists")


def test_warnings_are_given_and_kept() -> None:
    frame = clinic(15)
    with pytest.warns(RelboundsWarning, match="only 15 rows"):
        found = relbounds.analyze(frame, "stage", order=ORDER, further=False)
    assert any("only 15 rows" in each for each in found.warnings)


def test_an_answer_without_totals_of_texts_is_one_by_features(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise SolverError("No proof was found.")

    monkeypatch.setattr(relbounds.OrdinalRelevance, "blocks", fail)
    with pytest.warns(RelboundsWarning, match="What text columns weigh as one has no answer"):
        found = relbounds.analyze(clinic(), "stage", order=ORDER, further=False)
    assert "site=east" in found.to_frame().index


def test_classes_without_order_are_told_from_the_rest_beside_texts_too() -> None:
    """A class in the middle is told by a text, the two others by a number."""
    draw = np.random.RandomState(0)
    kind, size = draw.randint(3, size=240), draw.normal(size=240)
    frame = pd.DataFrame(
        {
            "size": size + 2.5 * (kind == 2),
            "home": np.where(draw.rand(240) < 0.85, kind == 1, draw.rand(240) < 0.5),
            "colour": np.array(["red", "green", "blue"])[draw.randint(3, size=240)],
            "kind": np.array(["ant", "bee", "fly"])[kind],
        }
    )
    found = relbounds.analyze(frame, "kind", further=False)
    assert found.whole.feature_names == ("size", "home", "colour")
    assert found.whole.error_without_features == pytest.approx(2 / 3)
    assert "home and size: needed to tell every class from the rest." in found.summary


def test_that_nothing_was_learned_is_said_once() -> None:
    draw = np.random.RandomState(0)
    frame = pd.DataFrame(draw.normal(size=(60, 2)).round(2), columns=["a", "b"])
    frame["out"] = draw.permutation(["yes", "no"] * 30)
    with pytest.warns(RelboundsWarning, match="uses no feature"):
        answer = relbounds.analyze(frame, "out", C=1e-6)
    assert repr(answer).count("uses no feature at all") == 1
    assert "Have a look" not in repr(answer)


def test_a_frame_without_columns_is_refused() -> None:
    with pytest.raises(WrongInputError, match="got a frame that has none"):
        relbounds.analyze(pd.DataFrame(), "out")


def columns_for_every_value() -> pd.DataFrame:
    rng = np.random.RandomState(0)
    kind, size = rng.randint(3, size=120), rng.normal(size=120)
    made = {name: (kind == k).astype(int) for k, name in enumerate(("cat", "dog", "horse"))}
    return pd.DataFrame({**made, "size": size, "cost": size + kind + rng.normal(size=120)})


def test_columns_for_every_value_are_left_out_by_what_analyze_offers() -> None:
    with pytest.warns(RelboundsWarning, match="add up to one in every row: cat, dog, horse"):
        found = relbounds.analyze(columns_for_every_value(), "cost", further=False, n_probes=10)
    [said] = [each for each in found.warnings if "add up" in each]
    assert said.endswith("Leave one of them out with `drop`.")
    assert "relbounds.analyze" not in said


def test_columns_to_drop_are_named_as_python_wants_them() -> None:
    rng = np.random.RandomState(0)
    sick = rng.randint(2, size=120)
    score = rng.normal(size=120) + sick
    gaps = {name: np.where(sick, rng.normal(size=120), np.nan) for name in ("stay", "cause of it")}
    table = pd.DataFrame({"score": score, **gaps, "sick": sick})
    with pytest.warns(RelboundsWarning):
        found = relbounds.analyze(table, "sick", further=False, n_probes=10)
    [said] = [each for each in found.warnings if "gaps tell" in each]
    assert said.endswith('Leave them out with drop=["stay", "cause of it"].')
