"""Runs Python with the relbounds of one checkout or another. Knows no module of either."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SIDES = ("old", "new")


def add_checkouts(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """The options for two source roots."""
    for side in SIDES:
        parser.add_argument(
            f"--{side}",
            type=checkout,
            required=required,
            metavar="PATH",
            help="a folder that contains src/relbounds",
        )


def checkout(text: str) -> Path:
    root = Path(text).resolve()
    if not (root / "src" / "relbounds").is_dir():
        raise argparse.ArgumentTypeError(
            f"expected a folder that contains src/relbounds; {text} does not"
        )
    return root


def command(*arguments: str) -> list[str]:
    """This interpreter; what is no option is a script of this folder."""
    first, *others = arguments
    return [sys.executable, first if first.startswith("-") else str(HERE / first), *others]


def environment(root: Path) -> dict[str, str]:
    """One core each, and the relbounds of this checkout before any that is installed."""
    return os.environ | dict.fromkeys(THREADS, "1") | {"PYTHONPATH": str(root / "src")}


def output(root: Path, arguments: Sequence[str], given: str = "") -> str:
    """What a Python of this checkout prints."""
    done = subprocess.run(
        command(*arguments),
        env=environment(root),
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout
