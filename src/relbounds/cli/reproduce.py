"""``relbounds reproduce``: the paper's tables and figures, beside the printed numbers.

The experiments are in the folder ``experiments`` of a checkout. This module finds it and asks it to
run; what is computed, and how, is written there.
"""

import argparse
import importlib
import logging
import sys
from pathlib import Path
from typing import Any

from joblib import cpu_count

from relbounds.cli.main import EXPERIMENTS
from relbounds.exceptions import RelboundsError, WrongInputError

_log = logging.getLogger(__name__)


def run(asked: argparse.Namespace) -> None:
    """Run what was asked for, and say where the results are."""
    if asked.jobs is not None and asked.jobs < 1:
        raise WrongInputError(f"--jobs must be at least 1; got {asked.jobs}.")
    checkout = find_checkout()
    names = EXPERIMENTS if asked.what == "all" else (asked.what,)
    out = asked.out or (Path("reproduced") if asked.quick else checkout / "experiments" / "results")
    failures = _run(checkout, names, out, asked)
    _log.info("Results are in %s", out)
    if failures:
        wrong = all(isinstance(error, WrongInputError) for error in failures)
        raise (WrongInputError if wrong else RelboundsError)(
            "\n".join(dict.fromkeys(map(str, failures)))
        )


def _run(
    checkout: Path, names: tuple[str, ...], out: Path, asked: argparse.Namespace
) -> list[RelboundsError]:
    """Run all of them, whatever becomes of some; gives what went wrong."""
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    experiments = [_module(name) for name in names]
    lacking = _lacks_data(experiments, asked.data)
    failures = list(lacking)
    for experiment in experiments:
        if lacking and experiment.NEEDS_DATA:
            _log.warning("%s is left out: it needs the benchmark data.", experiment.NAME)
            continue
        try:
            _module("pieces").run(
                experiment, out, asked.quick, asked.jobs or cpu_count(), asked.data
            )
        except RelboundsError as error:
            failures.append(error)
    return failures


def _lacks_data(experiments: list[Any], given: Path | None) -> list[RelboundsError]:
    """Told before anything is computed: a sentence, if data are needed and missing."""
    finder = _module("benchmark_data")
    if any(experiment.NEEDS_DATA for experiment in experiments):
        try:
            finder.folder(given)
        except finder.MissingDataError as error:
            return [WrongInputError(str(error))]
    return []


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"experiments.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("experiments"):
            raise
        raise WrongInputError(
            f"The experiments need {error.name}: pip install 'relbounds[reproduce]'."
        ) from error


def find_checkout() -> Path:
    """The checkout that this package is installed from, or else the current folder."""
    for place in (Path(__file__).resolve().parents[3], Path.cwd()):
        if (place / "experiments" / "pieces.py").exists():
            return place
    raise WrongInputError(
        "The experiments are not part of the installed package: run this in a checkout of the "
        "relbounds repository."
    )
