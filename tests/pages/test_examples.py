"""The examples run as they are."""

import runpy
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[str, Path]:
    """What an example prints, and the folder it saves its picture in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out, tmp_path / "demo-output"


def test_diabetes_stages_prints_a_table_and_saves_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("diabetes_stages.py", tmp_path, monkeypatch, capsys)
    assert "bmi" in printed
    assert "strong" in printed
    assert (folder / "diabetes.png").stat().st_size > 10_000


def test_frame_to_decision_prints_an_answer_and_saves_a_report_and_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("frame_to_decision.py", tmp_path, monkeypatch, capsys)
    assert "Two features are useful, but replaceable (weak): fev1_percent and peak_flow" in printed
    assert "No good model does without peak_flow and fev1_percent at once" in printed
    assert (folder / "clinic.html").stat().st_size > 10_000
    assert (folder / "clinic.png").stat().st_size > 10_000


def test_every_example_is_in_the_gallery(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES.parent / "docs"))
    import gallery

    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*gallery.SHOWN, "clinic"}
    assert all(question.endswith("?") for question, _ in (each.told for each in gallery.examples()))


def test_hard_samples_prints_both_sides_and_saves_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("hard_samples.py", tmp_path, monkeypatch, capsys)
    assert "noise 0.1  privileged" in printed
    assert (folder / "hard_samples.png").stat().st_size > 10_000


def test_the_clinic_that_is_shipped_is_what_its_script_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import clinic

    assert clinic.made_up().to_csv(index=False) == clinic.TABLE.read_text(encoding="utf-8")


def test_each_picture_of_the_method_shows_a_set_whose_shadows_are_the_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES.parent / "docs"))
    import draw_method

    for patients in (draw_method.two_causes(), draw_method.twins()):
        result = patients.relevance()
        ends, weights = draw_method.grid(result, steps=71)
        good = weights[draw_method.excess(patients, result, weights) <= 1]
        shadows = np.column_stack([good.min(axis=0), good.max(axis=0)])
        assert shadows == pytest.approx(result.weight_ranges, abs=2 * (ends[1] - ends[0]))


def test_stand_ins_prints_groups_and_saves_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("stand_ins.py", tmp_path, monkeypatch, capsys)
    assert "group 1: pair 1 and pair 2 stand in for one another" in printed
    assert (folder / "stand_ins.png").stat().st_size > 10_000


def test_tolerance_path_prints_classes_and_saves_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("tolerance_path.py", tmp_path, monkeypatch, capsys)
    assert "strong_until" in printed
    for name in ("tolerance_path.png", "tolerance_path_pair.png"):
        assert (folder / name).stat().st_size > 10_000
