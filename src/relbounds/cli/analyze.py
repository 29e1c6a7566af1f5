"""``relbounds analyze``: from a table to an answer.

Solvers are loaded once the table is known to be of use: that takes seconds, and whoever mistyped a
name need not wait for them.
"""

import argparse
import math
import sys

from relbounds.cli.formats import Destination
from relbounds.cli.terminal import Terminal, show_answer, show_data, warn
from relbounds.exceptions import WrongInputError
from relbounds.intake import Journal, Layout, Prepared, Wishes, prepare, read_table
from relbounds.results.records import SLACKS


def run(asked: argparse.Namespace) -> None:
    """Read, prepare, fit and tell."""
    _check(asked)
    journal = Journal()
    layout = Layout(asked.sheet, asked.skip_rows, asked.header)
    prepared = prepare(read_table(asked.table, journal, layout), _wishes(asked), journal)
    _fit_and_tell(prepared, asked)


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
    )


def _fit_and_tell(prepared: Prepared, asked: argparse.Namespace) -> None:
    destination = Destination.of(asked.format, asked.out, asked.table)
    terminal = Terminal.of(sys.stdout)
    for_people = destination.folder is not None and not asked.quiet
    warn(prepared.warnings)
    if for_people:
        show_data(terminal, prepared, asked.target)
        terminal.stream.flush()
    from relbounds.cli.fitting import answer  # noqa: PLC0415 - loads solvers

    found = answer(prepared, asked)
    if destination.folder is None:
        terminal.write(destination.text(found).rstrip("\n"))
        return
    paths = destination.save(found)
    if for_people:
        show_answer(terminal, found)
        terminal.heading("Files")
        terminal.write(*(str(path) for path in paths))
