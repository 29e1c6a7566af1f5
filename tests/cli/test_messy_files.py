"""Files as they come: every one ends with an answer or a sentence, none with a traceback."""

import io
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from messy_tables import as_text, patients, saved

from relbounds.cli.main import main

ROOT = Path(__file__).parents[2]
HOSTILE = "<script>alert(1)</script>"


def shell(*arguments: str, cwd: Path, seconds: float = 120) -> subprocess.CompletedProcess[str]:
    """The command as people start it, in a folder of their own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "relbounds", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=seconds,
    )
    assert "Traceback" not in done.stderr + done.stdout
    return done


def test_everything_at_once_is_read_by_the_command(tmp_path: Path) -> None:
    """Byte-order mark, semicolons, decimal commas, quoted line ends, odd and double names."""
    frame = patients()
    frame["color"] = frame["color"].replace("red", "dark\nred")
    header = ["id", HOSTILE, "größe 身長 📏", '"two\nlines"', "sex", "outcome"]
    frame["sex.1"] = frame["dose"] * 0 + np.arange(60) % 3
    frame = frame[["id", "dose", "height", "color", "sex", "outcome", "sex.1"]]
    text = as_text(frame, delimiter=";", decimal=",")
    text = ";".join([*header, "sex"]) + text[text.index("\n") :]
    saved(tmp_path / "messy table.csv", text, "utf-8-sig")
    done = shell(
        *("analyze", "messy table.csv", "--target", "outcome", "--format", "html,json"),
        *("--out", "out", "--jobs", "1"),
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    rows = {row["feature"]: row["relevance"] for row in found["features"]}
    assert rows[HOSTILE] == "strong"
    assert {"größe 身長 📏", "two\nlines=dark\nred", "sex=female", "sex (2)"} <= set(rows)
    assert HOSTILE not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_an_error_is_one_sentence_on_standard_error(tmp_path: Path) -> None:
    saved(tmp_path / "table.csv", as_text(patients()))
    done = shell("analyze", "table.csv", "--target", "outcom", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "--target: the table has no column 'outcom'; did you mean 'outcome'?\n"


def test_whoever_reads_only_the_first_lines_gets_no_complaint(tmp_path: Path) -> None:
    saved(tmp_path / "table.csv", as_text(patients()))
    command = [sys.executable, "-m", "relbounds", "analyze", "table.csv", "--jobs", "1"]
    command += ["--target", "outcome", "--format", "csv"]
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(command)} | true"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


# The same in this process, where it is quicker

FILES = {
    "empty": "",
    "only a header": "a,b,outcome\n",
    "only line ends": "\n\n\n",
    "no table": "Dear Sir or Madam,\n\nhere is, as you asked, my letter.\nYours, and so on, Ann\n",
    "a page": "<!doctype html>\n<html><body><p>404, not found</p></body></html>\n",
    "one column": "outcome\nyes\nno\nyes\n",
    "one row": "a,outcome\n1.5,yes\n",
    "two rows": "a,outcome\n1.5,yes\n2.5,no\n",
    "a target with one class": "a,outcome\n1.5,yes\n2.5,yes\n0.5,yes\n",
    "a target without values": "a,outcome\n1.5,\n2.5,\n0.5,\n",
    "500 different targets": "a,outcome\n" + "".join(f"{k % 7},t{k}\n" for k in range(500)),
    "three unordered targets": "a,outcome\n"
    + "".join(f"{k / 7},{'xyz'[k % 3]}\n" for k in range(9)),
    "rows of different lengths": "a,b,outcome\n1,2,yes\n1,2,3,4,5,no\n",
    "an open quotation mark": 'a,outcome\n1,"yes\n2,no\n',
    "numbers in one class each": "a,outcome\n" + "".join(f"{k % 5 / 3},{k}\n" for k in range(8)),
    "columns without values": "a,b,outcome\n" + ",,yes\n,,no\n" * 5,
    "nulls": "a,outcome\n1.5,yes\n\x00\x00,no\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_messy_file_ends_with_an_answer_or_one_sentence(
    tmp_path: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = saved(tmp_path / "table.csv", FILES[name])
    code = main(
        ["analyze", str(path), "--target", "outcome", "--out", str(tmp_path / "out"), "--jobs", "1"]
    )
    errors = [each.message for each in caplog.records if each.levelname == "ERROR"]
    if code == 0:
        assert not errors
        assert (tmp_path / "out" / "report.html").exists()
    else:
        assert code == 2
        assert len(errors) == 1
        assert errors[0].endswith((".", ".)", "?"))
        assert "\n" not in errors[0]
        assert "Error" not in errors[0]
    assert "Traceback" not in "".join(capsys.readouterr())


def test_a_folder_is_no_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert main(["analyze", str(tmp_path), "--target", "y"]) == 2
    assert "is a folder; name the file in it" in caplog.text


def test_a_file_that_is_not_there_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert main(["analyze", str(tmp_path / "nothing.csv"), "--target", "y"]) == 2
    assert "nothing.csv does not exist" in caplog.text


def test_a_file_without_permission_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = saved(tmp_path / "table.csv", as_text(patients()))
    path.chmod(0)
    with as_nobody(tmp_path):
        if os.access(path, os.R_OK, effective_ids=True):
            pytest.skip("this user may read every file, and cannot become one who may not")
        assert main(["analyze", str(path), "--target", "outcome"]) == 2
    assert "may not be read by you" in caplog.text


def test_a_folder_without_permission_is_told_before_the_wait(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = saved(tmp_path / "table.csv", as_text(patients()))
    (tmp_path / "closed").mkdir(mode=0o500)
    with as_nobody(tmp_path):
        if os.access(tmp_path / "closed", os.W_OK, effective_ids=True):
            pytest.skip("this user may write everywhere, and cannot become one who may not")
        arguments = ["--target", "outcome", "--out", str(tmp_path / "closed")]
        assert main(["analyze", str(path), *arguments]) == 2
    assert "Files cannot be written to" in caplog.text


class as_nobody:  # noqa: N801  (reads like a verb)
    """The administrator becomes a user without rights for a while; others stay who they are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        self.is_root = hasattr(os, "seteuid") and os.geteuid() == 0
        if self.is_root:
            for each in (self.folder, *self.folder.parents[:3]):
                each.chmod(each.stat().st_mode | 0o055)
            os.seteuid(65534)

    def __exit__(self, *_: object) -> None:
        if self.is_root:
            os.seteuid(0)


# Large ones


def lines_of(n_rows: int) -> Iterator[str]:
    """Rows of some 200 bytes: an outcome, three measurements, a text and a long remark."""
    random = np.random.RandomState(0)
    remark = "nothing worth saying and said at length " * 4
    yield "dose,height,pulse,color,remark,outcome\n"
    for _ in range(n_rows // 1000):
        for a, b, c, d in random.normal(size=(1000, 4)):
            color = "red" if c > b else "blue"
            yield f"{a:.5f},{b:.5f},{c:.5f},{color},{remark}{a:.9f},{a + d / 2 > 0}\n"


@pytest.mark.slow
def test_a_file_of_200_mb_ends_well(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("w") as file:
        file.writelines(lines_of(1_050_000))
    assert path.stat().st_size > 200e6
    begun = time.monotonic()
    arguments = ["--target", "outcome", "--format", "csv", "--jobs", "1"]
    done = shell("analyze", str(path), *arguments, cwd=tmp_path, seconds=3600)
    assert done.returncode == 0
    assert "dose,dose,regular,strong" in done.stdout
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    assert used < 4e9, f"{used:.2g} bytes, {time.monotonic() - begun:.0f} s"


@pytest.mark.slow
def test_1000_features_of_2000_rows_end_with_a_report(tmp_path: Path) -> None:
    random = np.random.RandomState(0)
    frame = pd.DataFrame(random.normal(size=(2000, 1000)).round(4)).add_prefix("f")
    score = frame["f0"] + frame["f1"] + 0.5 * frame["f2"] + 0.7 * random.normal(size=2000)
    frame["grade"] = np.digitize(score, np.quantile(score, [0.25, 0.5, 0.75]))
    frame.to_csv(tmp_path / "wide.csv", index=False)
    done = shell("analyze", "wide.csv", "--target", "grade", cwd=tmp_path, seconds=3600)
    assert (done.returncode, done.stderr) == (0, "")
    assert "more features are in the files below." in done.stdout
    assert (tmp_path / "wide-relevance" / "report.html").stat().st_size > 1000


# What is written


def test_names_are_never_written_as_formulas(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers stay numbers, also negative ones."""
    names = {"dose": '=HYPERLINK("http://x")', "height": "-height", "sex": "+sex"}
    frame = patients()[["dose", "height", "sex", "color", "outcome"]].rename(columns=names)
    path = saved(tmp_path / "table.csv", as_text(frame))
    always = ["--target", "outcome", "--format", "csv", "--jobs", "1"]
    assert main(["analyze", str(path), *always]) == 0
    text = capsys.readouterr().out
    assert "\"'=HYPERLINK(" in text
    written = pd.read_csv(io.StringIO(text))
    cells = written.select_dtypes(["object", "string"]).melt()["value"]
    assert not cells.str.startswith(("=", "+", "-", "@")).any()
    assert (written["low"] < 0).any()
