"""The shell itself: arguments, exit codes, and what a terminal can show."""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from messy_tables import as_text, patients, saved

from relbounds import ClassificationRelevance
from relbounds.answer import door
from relbounds.answer.terminal import Terminal, columns_of, fitted, printable
from relbounds.cli.main import main, parser
from relbounds.exceptions import SolverError, WrongInputError
from relbounds.results.answers import Covers


@pytest.fixture
def table(tmp_path: Path) -> str:
    return str(saved(tmp_path / "patients.csv", as_text(patients())))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--jobs", "0"], "--jobs must be at least 1; got 0."),
        (["--tolerance", "-1"], "--tolerance must be finite and at least 0; got -1.0."),
        (["--tolerance", "nan"], "--tolerance must be finite and at least 0; got nan."),
        (["--tolerance", "inf"], "--tolerance must be finite and at least 0; got inf."),
        (["--slack", "mixed"], "--slack mixed is for privileged columns only; name some with"),
        (["--drop", ""], "--drop '' names no column; name one, as in --drop 'id', or leave"),
        (["--level", "0"], "--level must lie between 0 and 1; got 0.0."),
        (["--level", "1.5"], "--level must lie between 0 and 1; got 1.5."),
        (["--seed", "-1"], "--seed must be between 0 and 2^32 - 1; got -1."),
        (["--format", "pdf"], "--format must be one of html, json, csv, md"),
        (["--drop", "hight"], "--drop: the table has no column 'hight'; did you mean 'height'?"),
    ],
)
def test_wrong_settings_end_with_code_2_and_a_sentence(
    table: str, caplog: pytest.LogCaptureFixture, arguments: list[str], sentence: str
) -> None:
    assert main(["analyze", table, "--target", "outcome", *arguments]) == 2
    assert sentence in caplog.text


def test_a_folder_for_files_that_is_a_file_is_told_before_the_wait(
    table: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "_fit", lambda *_, **__: pytest.fail("it was computed"))
    assert main(["analyze", table, "--target", "outcome", "--out", table]) == 2
    assert "(it is a file, not a folder); name another folder with --out" in caplog.text


def test_nothing_is_left_behind_by_wrong_input(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["analyze", table, "--target", "nothing"]) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["patients.csv"]


def test_failures_end_with_code_1(
    table: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise SolverError("No proof was found.")

    monkeypatch.setattr(door, "_fit", fail)
    assert main(["analyze", table, "--target", "outcome", "--format", "csv"]) == 1
    assert [each.message for each in caplog.records] == ["No proof was found."]


def test_what_the_library_refuses_is_wrong_input(
    table: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("The table is of no use; mend it.")

    monkeypatch.setattr(ClassificationRelevance, "fit", refuse)
    assert main(["analyze", table, "--target", "outcome", "--format", "csv"]) == 2
    assert [each.message for each in caplog.records] == ["The table is of no use; mend it."]


def test_an_interruption_is_no_traceback(
    table: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(door, "_fit", interrupt)
    assert main(["analyze", table, "--target", "outcome", "--format", "csv"]) == 130
    assert caplog.records[-1].message == "Interrupted; nothing was written."


def test_whoever_interrupts_further_questions_keeps_the_answer(
    table: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ClassificationRelevance, "covers", interrupt)
    asked = ["--target", "outcome", "--out", str(tmp_path / "told"), "--jobs", "1"]
    assert main(["analyze", table, *asked]) == 0
    assert "further questions have no answer" in caplog.text
    printed = capsys.readouterr().out
    assert "The answer" in printed
    assert (tmp_path / "told" / "report.html").exists()


def test_the_answer_is_told_before_further_questions_are_asked(
    table: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = ["--target", "outcome", "--out", str(tmp_path / "told"), "--jobs", "1"]
    printed = []

    def covers(*_: object) -> Covers:
        printed.append(capsys.readouterr().out)
        assert (tmp_path / "told" / "report.html").exists()
        return Covers((), ())

    monkeypatch.setattr(ClassificationRelevance, "covers", covers)
    assert main(["analyze", table, *asked]) == 0
    assert "The answer" in printed[0]
    assert main(["analyze", table, *asked, "--brief"]) == 0
    assert len(printed) == 1, "nobody asked"


def test_debug_shows_where_an_error_comes_from(table: str) -> None:
    with pytest.raises(WrongInputError, match="no column 'nothing'"):
        main(["analyze", table, "--target", "nothing", "--debug"])


def test_arguments_that_are_missing_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["analyze", "table.csv"])
    assert "required: --target" in capsys.readouterr().err


def test_a_tolerance_that_is_no_number_is_refused_in_words(
    table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["analyze", table, "--target", "outcome", "--tolerance", "much"])
    said = capsys.readouterr().err
    assert "a share such as 0.1, or auto, was expected; got 'much'" in said
    assert "_tolerance" not in said


def test_help_names_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("analyze", "demo", "reproduce"))
    assert parser().prog == "relbounds"


def test_the_package_runs_as_a_module() -> None:
    """Where the folder of scripts is on no path."""
    said = subprocess.run(
        [sys.executable, "-m", "relbounds", "analyze", "nowhere.csv", "--target", "y"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 2
    assert "nowhere.csv" in said.stderr
    assert "Traceback" not in said.stderr


# What a terminal can show


class Window(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Terminal.of(Window()).coloured("a", "strong") == "\x1b[1;34ma\x1b[0m"
    assert Terminal.of(io.StringIO()).coloured("a", "strong") == "a"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Terminal.of(Window()).coloured("a", "strong") == "a"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert Terminal.of(Window()).coloured("a", "strong") == "a"


@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_the_table_fits_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    window = Window()
    monkeypatch.setattr("sys.stdout", window)
    long = "a name that goes on and on, longer than any terminal has room for, up to its end"
    frame = patients().rename(columns={"dose": long, "height": "身長身長身長身長身長身長身長"})
    path = saved(tmp_path / "long.csv", as_text(frame))
    arguments = ["--jobs", "1", "--out", str(tmp_path)]
    assert main(["analyze", str(path), "--target", "outcome", *arguments]) == 0
    lines = window.getvalue().splitlines()
    start = next(k for k, line in enumerate(lines) if "relevance" in line and "least" in line)
    table = lines[start : start + 7]
    assert all(columns_of(line) <= width for line in table)
    ends = {columns_of(line[: line.index("irrelevant")]) for line in table if "irrele" in line}
    assert len(ends) == 1


def test_streams_without_unicode_get_ascii(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii", newline="\n"))
    frame = patients().rename(columns={"dose": "größe"})
    path = saved(tmp_path / "table.csv", as_text(frame))
    arguments = ["--jobs", "1", "--out", str(tmp_path / "here")]
    assert main(["analyze", str(path), "--target", "outcome", *arguments]) == 0
    text = raw.getvalue().decode("ascii")
    assert "# strong" in text
    assert re.search(r"# strong +amo ", text)
    assert re.search(r"\. irrelevant +--- ", text)
    assert "gr\\xf6\\xdfe" in text


def test_names_cannot_steer_the_terminal() -> None:
    assert printable("a\x1b[31m\nb\u202ec") == "a [31m b c"


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abc", 5, "abc  "),
        ("abcdefghij", 8, "abc...ij"),
        ("日本語日本語", 9, "日本...語"),
        ("abcdefghij", 10, "abcdefghij"),
    ],
)
def test_long_names_are_cut_in_the_middle(text: str, width: int, shown: str) -> None:
    assert columns_of(fitted(text, width)) == width
    assert fitted(text, width).rstrip() == shown.rstrip()
