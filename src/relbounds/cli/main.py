"""The shell: ``relbounds analyze ...``. Turns arguments into calls, and errors into sentences.

All options of all commands are described here. A command is loaded when it was chosen, so that help
and mistakes in typing do not wait for solvers.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from relbounds._version import __version__
from relbounds.exceptions import RelboundsError, WrongInputError
from relbounds.results.records import SLACKS
from relbounds.wording.rules import RULES
from relbounds.wording.tasks import TASKS

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130
FORMATS = {
    "html": "report.html",
    "json": "result.json",
    "csv": "relevance.csv",
    "md": "relevance.md",
}
"""In which formats an answer can be had, and the name of each file."""
BALANCES = ("auto", "balanced", "none")
"""Of classes of different size."""
POLICIES = ("impute", "drop")
"""For missing values."""
EXPERIMENTS = (
    "table2",
    "table4",
    "table5",
    "compas",
    "table7",
    "figure2",
    "figure3",
    "bounds",
)
"""What can be reproduced, in the order of ``all``; each is a module of ``experiments``."""
STUDIES = ("tolerance", "truth", "strangers")
"""Experiments beyond the paper, not part of ``all``."""
_log = logging.getLogger("relbounds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 2 for wrong input, 1 for other failures."""
    typed = sys.argv[1:] if arguments is None else list(arguments)
    asked = parser().parse_args(typed, argparse.Namespace(typed=typed))
    level = logging.WARNING if getattr(asked, "quiet", False) else logging.INFO
    logging.basicConfig(format="%(message)s", level=level, stream=sys.stderr)
    try:
        if hasattr(asked, "table"):  # before anything is loaded that reads tables
            WrongInputError.refuse_missing(asked.table)
        import_module(f"relbounds.cli.{asked.command}").run(asked)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _log.error(asked.when_interrupted)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read standard output has seen enough; Python would complain when it closes it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if asked.debug:
            raise
        own = isinstance(error, RelboundsError)
        _log.error("%s", error if own else f"{type(error).__name__}: {error}")
        return WRONG_INPUT if isinstance(error, WrongInputError) else FAILED
    return 0


def parser() -> argparse.ArgumentParser:
    """All commands and their options; the reference in the documentation is made from it."""
    top = argparse.ArgumentParser(
        prog="relbounds",
        description="Which features does an outcome need, which can stand in for one another, and "
        "which can go?",
    )
    top.add_argument("--version", action="version", version=__version__)
    top.set_defaults(when_interrupted="Interrupted; nothing was written.")
    commands = top.add_subparsers(required=True, metavar="COMMAND", dest="command")
    for describe in (_describe_analyze, _describe_explore, _describe_demo, _describe_reproduce):
        describe(commands)
    for each in commands.choices.values():
        each.add_argument("--debug", action="store_true", help="show where an error comes from")
    return top


def _describe_analyze(commands: Any) -> None:
    analyze: argparse.ArgumentParser = commands.add_parser(
        "analyze",
        help="from a table to an answer: which columns does the target need?",
        description="Which columns of a table does the target need, which can stand in for one "
        "another, and which can go? Reads CSV, TSV, Parquet, Excel (.xlsx) and Feather files, also "
        "packed (.gz, .zip), and folders of Parquet files.",
        epilog="Names of columns are separated by commas. A name that has a comma itself is given "
        "alone; options for names can be repeated. Exit code: 0, 2 for wrong input, 1 for other "
        "failures.",
    )
    _add_table(analyze)
    _add_further(_add_question(analyze.add_argument_group("question")))
    _add_output(analyze.add_argument_group("output"))


def _describe_explore(commands: Any) -> None:
    explore: argparse.ArgumentParser = commands.add_parser(
        "explore",
        help="pull at one feature and watch the others move: a page in the browser",
        description="Fits a table as analyze does, and opens a page on which weights of features "
        "can be pulled at, limited and taken away; every answer is proved. The page is served on "
        "this machine alone, and no data leave it. Ctrl-C ends it.",
    )
    _add_table(explore)
    _add_question(explore.add_argument_group("question"))
    _add_serving(explore.add_argument_group("page"))
    explore.set_defaults(without=[], quiet=False)


def _add_table(command: argparse.ArgumentParser) -> None:
    command.add_argument("table", type=Path, metavar="TABLE", help="the file with the table")
    command.add_argument("--target", required=True, metavar="NAME", help="the column to explain")
    _add_reading(command.add_argument_group("reading"))
    _add_columns(command.add_argument_group("columns"))


def _add_serving(group: argparse._ArgumentGroup) -> None:
    help_ = "constraints and tolerance to begin with, as the page copies them"
    group.add_argument("--state", metavar="JSON", help=help_)
    group.add_argument("--no-browser", action="store_true", help="only print the address")
    group.add_argument(
        "--port", type=int, default=0, metavar="N", help="where to listen (default: any free one)"
    )
    help_ = "another address of this machine, which others may reach; not encrypted"
    group.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=help_)


def _add_reading(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--sheet",
        metavar="NAME",
        help="the sheet of an Excel file, by its name or its number from 1 (default: the first)",
    )
    group.add_argument(
        "--skip-rows",
        type=int,
        metavar="N",
        help="lines above the table, such as titles (default: found)",
    )
    group.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row holds the names of the columns; without them they are called "
        "'column 1', 'column 2' and so on (default: found)",
    )


def _add_columns(group: argparse._ArgumentGroup) -> None:
    for option, text in {
        "--privileged": "columns that are known in training only, such as later examinations",
        "--drop": "columns to leave out",
        "--keep": "use only these columns (and the privileged ones)",
    }.items():
        group.add_argument(option, action="append", default=[], metavar="A,B,C", help=text)
    group.add_argument(
        "--group",
        metavar="NAME",
        help="rows with the same value in this column belong together, such as those of a patient, "
        "a site or a school, and count as one observation of what it has as a whole",
    )
    group.add_argument(
        "--weights",
        metavar="NAME",
        help="how much each row counts, such as the weights of a survey: numbers of at least 0",
    )
    group.add_argument(
        "--counts",
        metavar="NAME",
        help="how often each row was seen, in a table of frequencies: it stands for so many rows",
    )
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


def _add_question(group: argparse._ArgumentGroup) -> argparse._ArgumentGroup:
    group.add_argument(
        "--task",
        choices=TASKS,
        help="ordinal: ordered classes; classification: two or more classes without order; "
        "regression: a number (default: guessed)",
    )
    group.add_argument(
        "--order",
        action="append",
        default=[],
        metavar="LOW,...,HIGH",
        help="the values of the target in ascending order, if there is one: ordered classes",
    )
    group.add_argument(
        "--balance",
        choices=BALANCES,
        default=BALANCES[0],
        help="how much classes of different size count. auto: rare ones more, as far as that "
        "predicts better; balanced: all alike; none: as they come (default: %(default)s)",
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
        "--selection",
        choices=tuple(RULES),
        default=next(iter(RULES)),
        help="what has to be proved of a relevant feature. "
        f"{'; '.join(f'{name}: {words}' for name, words in RULES.items())} (default: %(default)s)",
    )
    group.add_argument(
        "--level",
        type=float,
        default=0.05,
        metavar="RATE",
        help="the error rate over all features: of those that are needed, and of relevant ones "
        "with fdr and fwer (default: %(default)s)",
    )
    group.add_argument(
        "--seed", type=int, default=0, metavar="N", help="for permuted columns (default: 0)"
    )
    group.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="cores to use; the answer is the same for any number (default: all)",
    )
    return group


def _add_further(group: argparse._ArgumentGroup) -> None:
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
        "--brief",
        action="store_true",
        help="the answer alone, without the questions that are usually asked after it: what "
        "covers for replaceable columns, whether other data would say the same, what models say of "
        "samples that they have not seen, and what would be without each column",
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


def _describe_demo(commands: Any) -> None:
    demo: argparse.ArgumentParser = commands.add_parser(
        "demo",
        help="the whole path on a real table",
        description="Which of ten measurements does the progression of diabetes need? Saves a "
        "table of 442 patients, analyses it and writes a report.",
    )
    demo.add_argument(
        "--out",
        type=Path,
        default=Path("demo-output"),
        metavar="DIR",
        help="folder for the table and the report (default: %(default)s)",
    )
    demo.add_argument(
        "--explore", action="store_true", help="explore the table in the browser instead"
    )


def _describe_reproduce(commands: Any) -> None:
    reproduce: argparse.ArgumentParser = commands.add_parser(
        "reproduce",
        help="the paper's tables and figures, beside the printed numbers",
        description="Compute tables and figures of the paper, or a study beyond it "
        f"({', '.join(STUDIES)}). "
        "Stops at any time; the same command goes on where it stopped.",
    )
    reproduce.add_argument(
        "what", choices=(*EXPERIMENTS, "all", *STUDIES), metavar="WHAT", help="%(choices)s"
    )
    reproduce.add_argument("--quick", action="store_true", help="a few minutes' version")
    reproduce.add_argument("--data", type=Path, metavar="DIR", help="folder of the benchmark data")
    reproduce.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where results go: experiments/results of the checkout; reproduced/ if quick",
    )
    reproduce.add_argument("--jobs", type=int, metavar="N", help="processes (default: all cores)")
    reproduce.set_defaults(when_interrupted="Interrupted; the same command goes on from here.")
