"""The examples run as they are."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[str, Path]:
    """What an example prints, and the folder it saves its picture in."""
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out, tmp_path / "demo-output"


def test_diabetes_stages_prints_a_table_and_saves_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("diabetes_stages.py", tmp_path, monkeypatch, capsys)
    assert "bmi" in printed
    assert "strong" in printed
    assert (folder / "diabetes.png").stat().st_size > 10_000


def test_hard_samples_prints_both_sides_and_saves_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, folder = run("hard_samples.py", tmp_path, monkeypatch, capsys)
    assert "noise 0.1  privileged" in printed
    assert (folder / "hard_samples.png").stat().st_size > 10_000
