"""``relbounds demo``: the whole path on a table that is at hand."""

import argparse
import shlex
import sys
from pathlib import Path

import pandas as pd

from relbounds.answer.terminal import Terminal
from relbounds.cli import analyze, explore
from relbounds.cli.destination import why_not
from relbounds.cli.main import parser
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


def run(asked: argparse.Namespace) -> None:
    """Save the table, and analyse or explore it as anyone would."""
    table, command = asked.out / "diabetes.csv", explore if asked.explore else analyze
    typed = [str(table), "--target", "stage", "--order", ",".join(STAGES)]
    typed = ["explore", *typed] if asked.explore else ["analyze", *typed, "--out", str(asked.out)]
    Terminal.of(sys.stdout).write(f"$ {shlex.join(['relbounds', *typed])}", "")
    sys.stdout.flush()
    _save(diabetes_stages(), table)
    command.run(parser().parse_args(typed, argparse.Namespace(typed=typed)))


def diabetes_stages() -> pd.DataFrame:
    """scikit-learn's diabetes table; the progression after a year is cut into five stages."""
    from sklearn.datasets import load_diabetes  # noqa: PLC0415 - takes a second to load

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
