"""Help and refusals do not wait for what fits: solvers take seconds to load."""

import subprocess
import sys
from pathlib import Path

import pytest
from messy_tables import as_text, patients, saved

SOLVERS = ("highspy", "scipy", "sklearn")
FOR_PICTURES = ("matplotlib",)


def loaded(code: str, folder: Path | None = None) -> set[str]:
    """Modules that Python has loaded after running some code, which may end it."""
    shown = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", shown],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    return set(done.stdout.split("\n")[-2].split())


def own(modules: set[str]) -> list[str]:
    return sorted(each for each in modules if each.split(".")[0] == "relbounds")


def heavy(modules: set[str]) -> set[str]:
    return modules & {*SOLVERS, *FOR_PICTURES}


@pytest.mark.parametrize(
    ("module", "most"),
    [
        ("relbounds", 2),
        ("relbounds.exceptions", 5),
        ("relbounds.intake", 40),
        ("relbounds.results.answers", 15),
        ("relbounds.report", 45),
    ],
)
def test_a_module_loads_little_else(module: str, most: int) -> None:
    found = loaded(f"import {module}")
    assert len(own(found)) <= most, own(found)
    assert not heavy(found)


@pytest.mark.parametrize(
    "typed",
    [
        ["--help"],
        ["--version"],
        *([each, "--help"] for each in ("analyze", "demo", "explore", "reproduce")),
    ],
    ids=" ".join,
)
def test_help_loads_neither_solvers_nor_tables(typed: list[str]) -> None:
    found = loaded(f"from relbounds.cli import main; main({typed!r})")
    assert not found & {*SOLVERS, *FOR_PICTURES, "joblib", "pandas"}
    assert len(own(found)) <= 12, own(found)


WRONG = {
    "a file that is not there": ["nothing.csv", "--target", "x"],
    "a folder": [".", "--target", "x"],
    "an empty file": ["empty.csv", "--target", "x"],
    "an unknown column": ["patients.csv", "--target", "outcom"],
    "a setting that makes no sense": ["patients.csv", "--target", "outcome", "--jobs", "0"],
    "an unknown format": ["patients.csv", "--target", "outcome", "--format", "pdf"],
}


@pytest.mark.parametrize("typed", WRONG.values(), ids=WRONG)
def test_a_refusal_loads_no_solver(tmp_path: Path, typed: list[str]) -> None:
    (tmp_path / "empty.csv").touch()
    saved(tmp_path / "patients.csv", as_text(patients()))
    arguments = ["analyze", *typed]
    found = loaded(f"from relbounds.cli import main; assert main({arguments!r}) == 2", tmp_path)
    assert not heavy(found)
