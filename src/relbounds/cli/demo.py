"""``relbounds demo``: the whole path on a table that is at hand."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.datasets import load_diabetes

from relbounds.cli.analyze import analyze
from relbounds.cli.options import add_options
from relbounds.cli.output import why_not
from relbounds.cli.terminal import Terminal
from relbounds.exceptions import WrongInputError

STAGES = ("mild", "slow", "medium", "fast", "severe")
_NAMES = {
    "bp": "blood pressure",
    "s1": "total cholesterol",
    "s2": "LDL",
    "s3": "HDL",
    "s4": "cholesterol/HDL",
    "s5": "log triglycerides",
    "s6": "blood sugar",
}


def add_command(commands: Any) -> None:
    """Describe ``relbounds demo`` to argparse."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "demo",
        help="the whole path on a real table",
        description="Which of ten measurements does the progression of diabetes need? Saves a "
        "table of 442 patients, analyses it and writes a report.",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("demo-output"),
        metavar="DIR",
        help="folder for the table and the report (default: %(default)s)",
    )
    parser.set_defaults(command=_demo)


def _demo(asked: argparse.Namespace) -> None:
    table = asked.out / "diabetes.csv"
    _save(diabetes_stages(), table)
    typed = ["analyze", str(table), "--target", "stage", "--order", ",".join(STAGES)]
    typed += ["--out", str(asked.out)]
    Terminal.of(sys.stdout).write(f"$ {shlex.join(['relbounds', *typed])}", "")
    parser = argparse.ArgumentParser()
    add_options(parser)
    analyze(parser.parse_args(typed[1:], argparse.Namespace(typed=typed)))


def diabetes_stages() -> pd.DataFrame:
    """scikit-learn's diabetes table; the progression after a year is cut into five stages."""
    X, progression = load_diabetes(return_X_y=True, as_frame=True)
    stage = pd.qcut(progression, len(STAGES), labels=list(STAGES))
    frame: pd.DataFrame = X.rename(columns=_NAMES).assign(stage=stage)
    return frame


def _save(frame: pd.DataFrame, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.to_csv(path, index=False)
    except OSError as error:
        raise WrongInputError(
            f"The table cannot be written to {path} ({why_not(path.parent, error)}); name another "
            "folder with --out."
        ) from error
