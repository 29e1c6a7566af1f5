"""The examples run as they are."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_diabetes_stages_prints_a_table_and_saves_a_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / "diabetes_stages.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "bmi" in printed
    assert "strong" in printed
    assert (tmp_path / "demo-output" / "diabetes.png").stat().st_size > 10_000
