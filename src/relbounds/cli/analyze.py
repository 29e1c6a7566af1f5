"""``relbounds analyze``: from a table to an answer.

Solvers are loaded once the table is known to be of use: that takes seconds, and whoever mistyped a
name need not wait for them.
"""

import argparse
import logging
import math
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from relbounds.answer.terminal import Terminal
from relbounds.cli.destination import Destination
from relbounds.cli.main import BALANCES
from relbounds.exceptions import WrongInputError
from relbounds.intake import Journal, Layout, Prepared, Wishes, prepare, read_table
from relbounds.intake.target import class_name
from relbounds.results.records import SLACKS
from relbounds.wording.text import counted

T = TypeVar("T")
_BALANCE: dict[str, dict[str, object]] = {
    "auto": {},
    "balanced": {"class_weight": "balanced"},
    "none": {"class_weight": None},
}
_log = logging.getLogger(__name__)


def run(asked: argparse.Namespace) -> None:
    """Read, prepare, fit and tell."""
    _fit_and_tell(read(asked), asked)


def read(asked: argparse.Namespace) -> Prepared:
    """The table as it was asked for; what cannot be is refused before anything is loaded."""
    _check(asked)
    journal = Journal()
    layout = Layout(asked.sheet, asked.skip_rows, asked.header)
    prepared = prepare(read_table(asked.table, journal, layout), _wishes(asked), journal)
    if asked.balance != BALANCES[0] and prepared.task == "regression":
        raise WrongInputError(
            f"--balance {asked.balance} is for classes, but {asked.target} is taken for a number; "
            "leave it out, or say --task."
        )
    return prepared


def _check(asked: argparse.Namespace) -> None:
    if asked.jobs is not None and asked.jobs < 1:
        raise WrongInputError(f"--jobs must be at least 1; got {asked.jobs}.")
    if asked.tolerance != "auto" and not 0 <= asked.tolerance < math.inf:
        raise WrongInputError(f"--tolerance must be finite and at least 0; got {asked.tolerance}.")
    if not 0 < asked.level < 1:
        raise WrongInputError(f"--level must lie between 0 and 1; got {asked.level}.")
    if not 0 <= asked.seed < 2**32:
        raise WrongInputError(f"--seed must be between 0 and 2^32 - 1; got {asked.seed}.")
    if asked.slack != SLACKS[0] and not asked.privileged:
        raise WrongInputError(
            f"--slack {asked.slack} is for privileged columns only; name some with --privileged, "
            "or leave it out."
        )


def _wishes(asked: argparse.Namespace) -> Wishes:
    return Wishes(
        target=asked.target,
        privileged=asked.privileged,
        drop=asked.drop,
        keep=asked.keep,
        order=asked.order,
        task=asked.task,
        missing=asked.missing,
        without=asked.without,
        group=asked.group,
        weights=asked.weights,
        counts=asked.counts,
    )


def _fit_and_tell(prepared: Prepared, asked: argparse.Namespace) -> None:
    """The answer as soon as it is there, then further questions, one after another."""
    destination = Destination.of(asked.format, asked.out, asked.table)
    terminal = Terminal.of(sys.stdout)
    for_people = destination.folder is not None and not asked.quiet
    warn(prepared.warnings)
    if for_people:
        _show_data(terminal, prepared, asked.target)
        terminal.stream.flush()
    from relbounds.answer.door import first_answer  # noqa: PLC0415 - loads solvers
    from relbounds.answer.further import Further, asked_further  # noqa: PLC0415
    from relbounds.answer.screen import FURTHER, show_answer  # noqa: PLC0415

    answer = first_answer(
        prepared,
        settings(asked),
        target=asked.target,
        source=asked.table.name,
        command=shlex.join(["relbounds", *asked.typed]),
    )
    warn(answer.warnings[len(prepared.warnings) :])
    if for_people:
        destination.save(answer)
        show_answer(terminal, answer)
        terminal.stream.flush()
    wanted = Further(usual=not asked.brief, absences=prepared.absences, stand_ins=asked.stand_ins)
    for what, known in _until_interrupted(asked_further(answer, wanted)):
        warn(known.warnings[len(answer.warnings) :])
        answer = known
        if for_people and what in FURTHER:
            FURTHER[what](terminal, answer)
            terminal.stream.flush()
    if destination.folder is None:
        terminal.write(destination.text(answer).rstrip("\n"))
        return
    paths = destination.save(answer)
    if for_people:
        terminal.heading("Files")
        terminal.write(*(str(path) for path in paths))


def settings(asked: argparse.Namespace) -> dict[str, object]:
    """Of the estimator."""
    from joblib import cpu_count  # noqa: PLC0415 - solvers' company

    return {
        "tolerance": asked.tolerance,
        "selection": asked.selection,
        "level": asked.level,
        "random_state": asked.seed,
        "n_jobs": asked.jobs or cpu_count(),
        "slack": asked.slack,
        **_BALANCE[asked.balance],
        "verbose": int(sys.stderr.isatty() and not asked.quiet),
    }


def _until_interrupted(steps: Iterator[T]) -> Iterator[T]:
    """Whoever interrupts further questions keeps what is known by then."""
    try:
        yield from steps
    except KeyboardInterrupt:
        _log.warning("Interrupted: what is known stands; further questions have no answer.")


def warn(sentences: Sequence[str]) -> None:
    """Say what a reader has to know, where answers for machines are not disturbed."""
    for sentence in sentences:
        _log.warning("Warning: %s", sentence)


def _show_data(terminal: Terminal, prepared: Prepared, target: str) -> None:
    """What was read and done; shown before the long wait, in case it is not what was meant."""
    order = f" ({' < '.join(map(class_name, prepared.classes))})" if prepared.classes else ""
    features, n_columns = counted(prepared.X.shape[1], "feature"), len(prepared.recipes)
    if n_columns < prepared.X.shape[1]:
        features = f"{counted(n_columns, 'column')} that became {features}"
    size = f"{counted(len(prepared.X), 'row')}, {features}"
    if prepared.X_priv is not None:
        size += f" and {counted(prepared.X_priv.shape[1], 'privileged feature')}"
    terminal.say(f"What does {target} need? {prepared.task.capitalize()}{order}, {size}.")
    terminal.heading("What was done to the data")
    for note in prepared.notes:
        terminal.say(note, indent="  ", first="- ")
