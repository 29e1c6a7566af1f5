"""The shell: ``relbounds reproduce ...``. Turns arguments into calls, and errors into sentences."""

import argparse
import logging
import sys
from collections.abc import Sequence

from relbounds import reproduce
from relbounds._version import __version__
from relbounds.exceptions import RelboundsError

FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130
_log = logging.getLogger("relbounds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 0, 2 for wrong input, 1 for other failures."""
    parsed = _parser().parse_args(arguments)
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stderr)
    try:
        parsed.command(parsed)
    except KeyboardInterrupt:
        _log.error("Interrupted; the same command goes on from here.")
        return INTERRUPTED
    except Exception as error:
        if parsed.debug:
            raise
        own = isinstance(error, RelboundsError)
        _log.error("%s", error if own else f"{type(error).__name__}: {error}")
        return WRONG_INPUT if isinstance(error, reproduce.WrongInputError) else FAILED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="relbounds", description="Which features does an outcome need?"
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    reproduce.add_command(commands)
    for each in commands.choices.values():
        each.add_argument("--debug", action="store_true", help="show where an error comes from")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
