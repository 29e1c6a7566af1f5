"""What can be said to ``relbounds analyze``?"""

import argparse
from pathlib import Path

from joblib import cpu_count

from relbounds.cli.output import FORMATS
from relbounds.intake.cleaning import POLICIES
from relbounds.intake.target import TASKS
from relbounds.results.records import SLACKS


def add_options(parser: argparse.ArgumentParser) -> None:
    """Everything that ``analyze`` understands."""
    parser.add_argument("table", type=Path, metavar="TABLE", help="the file with the table")
    parser.add_argument("--target", required=True, metavar="NAME", help="the column to explain")
    _add_columns(parser.add_argument_group("columns"))
    _add_question(parser.add_argument_group("question"))
    _add_output(parser.add_argument_group("output"))


def _add_columns(group: argparse._ArgumentGroup) -> None:
    for option, text in {
        "--privileged": "columns that are known in training only, such as later examinations",
        "--drop": "columns to leave out",
        "--keep": "use only these columns (and the privileged ones)",
    }.items():
        group.add_argument(option, action="append", default=[], metavar="A,B,C", help=text)
    group.add_argument(
        "--slack",
        choices=SLACKS,
        default=SLACKS[0],
        help="for --privileged only. privileged: what privileged columns say of a sample is all "
        "that excuses an error; mixed: a sample may also have slack of its own (default: "
        "%(default)s)",
    )
    group.add_argument(
        "--missing",
        choices=POLICIES,
        default=POLICIES[0],
        help="impute: missing numbers become the median, missing texts a value of their own; "
        "drop: rows with missing values are left out (default: %(default)s). Rows without a "
        "target are always left out",
    )


def _add_question(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--task", choices=TASKS, help="ordered classes, two classes or a number (default: guessed)"
    )
    group.add_argument(
        "--order",
        action="append",
        default=[],
        metavar="LOW,...,HIGH",
        help="the values of a text target in ascending order",
    )
    group.add_argument(
        "--tolerance",
        type=_tolerance,
        default="auto",
        metavar="SHARE",
        help="how much worse than the best a good model may be, such as 0.1 (default: from the "
        "data)",
    )
    group.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="A,B,C",
        help="what does it cost to do without these columns, all at once, and which others take "
        "over? Every use of the option is a question of its own",
    )
    group.add_argument(
        "--stand-ins",
        action="store_true",
        help="which features stand in for one another? Can take several times as long as the rest",
    )
    group.add_argument(
        "--seed", type=int, default=0, metavar="N", help="for folds and probes (default: 0)"
    )
    group.add_argument(
        "--jobs",
        type=int,
        default=cpu_count(),
        metavar="N",
        help="cores to use; the answer is the same for any number (default: all)",
    )


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--format",
        action="append",
        default=[],
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}, or several of them: html,csv (default: html)",
    )
    group.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder for the files (default: NAME-relevance, after the table's NAME). Without it "
        "a single json, csv or md is printed on standard output instead",
    )
    group.add_argument(
        "--quiet", action="store_true", help="no table for people and no progress bar"
    )


def _tolerance(text: str) -> float | str:
    try:
        return text if text == "auto" else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"a share such as 0.1, or auto, was expected; got {text!r}"
        ) from None
