"""``relbounds explore``: from a table to a page on which it can be pulled at."""

import argparse
import json
import shlex
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

from relbounds.answer.terminal import Terminal
from relbounds.cli.analyze import read, settings, warn
from relbounds.exceptions import ConstraintError, WrongInputError
from relbounds.explorer.state import State

if TYPE_CHECKING:
    from relbounds.explorer.door import Explorer
    from relbounds.explorer.session import Session

_MOST_PORT = 65_535


def run(asked: argparse.Namespace) -> None:
    """Read, prepare and fit; then answer the page until somebody interrupts."""
    state = _state(asked)
    prepared = read(asked)
    warn(prepared.warnings)
    terminal = Terminal.of(sys.stdout)
    terminal.say(f"Finding out what {asked.target} needs ...")
    terminal.stream.flush()
    try:
        import relbounds.explorer.server  # noqa: F401, PLC0415 - an extra; tells if it is missing
    except ModuleNotFoundError as error:
        raise WrongInputError(str(error)) from error
    from relbounds.answer.door import first_answer  # noqa: PLC0415
    from relbounds.explorer.session import Session  # noqa: PLC0415

    answer = first_answer(
        prepared,
        settings(asked),
        target=asked.target,
        source=asked.table.name,
        command=shlex.join(["relbounds", "analyze", *_of_analyze(asked.typed)]),
    )
    warn(answer.warnings[len(prepared.warnings) :])
    explorer = _listening(Session.of(answer), asked, state)
    terminal.write(f"Explore at {explorer.address}", "Ctrl-C ends it.")
    terminal.stream.flush()
    if not asked.no_browser:
        explorer.open()
    try:
        explorer.run()
    except KeyboardInterrupt:
        terminal.write("Ended.")


def _listening(session: "Session", asked: argparse.Namespace, state: State | None) -> "Explorer":
    """The explorer at its place; what is to be known of that is said like all else."""
    from relbounds.explorer.door import Explorer  # noqa: PLC0415 - loads the server

    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            explorer = Explorer(session, host=asked.host, port=asked.port, state=state)
    except OSError as error:
        raise WrongInputError(
            f"Nothing can listen on {asked.host}:{asked.port} ({error.strerror}); choose another "
            "--port or --host."
        ) from error
    warn([str(each.message) for each in caught])
    return explorer


def _state(asked: argparse.Namespace) -> State | None:
    if not 0 <= asked.port <= _MOST_PORT:
        raise WrongInputError(f"--port must be between 0 and {_MOST_PORT}; got {asked.port}.")
    if asked.state is None:
        return None
    try:
        return State.read(json.loads(asked.state))
    except (ConstraintError, ValueError) as error:
        raise WrongInputError(f"--state cannot be read. {error}") from error


def _of_analyze(typed: Sequence[str]) -> list[str]:
    """What was typed, without the command's name and what only a page has use for."""
    pages = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for option in ("--state", "--port", "--host"):
        pages.add_argument(option)
    pages.add_argument("--no-browser", action="store_true")
    return pages.parse_known_args(typed[1:])[1]
