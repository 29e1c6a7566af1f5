"""The shell: ``relbounds analyze ...``. Turns arguments into calls, and errors into sentences."""

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from relbounds._version import __version__
from relbounds.cli import analyze, demo, reproduce
from relbounds.exceptions import RelboundsError, WrongInputError

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130
_log = logging.getLogger("relbounds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 2 for wrong input, 1 for other failures."""
    typed = sys.argv[1:] if arguments is None else list(arguments)
    parsed = parser().parse_args(typed, argparse.Namespace(typed=typed))
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stderr)
    try:
        parsed.command(parsed)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _log.error(parsed.when_interrupted)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read standard output has seen enough; Python would complain when it closes it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if parsed.debug:
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
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for command in (analyze, demo, reproduce):
        command.add_command(commands)
    for each in commands.choices.values():
        each.add_argument("--debug", action="store_true", help="show where an error comes from")
    return top
