"""The answers of one checkout to all cases. Run inside of it.

    python benchmarks/versions/answers.py FILE [--quick] [--except NAME ...] [--only NAME ...]

writes the named values of every case, and where its relbounds was found, to a file.
"""

import argparse
import logging
import pickle
import time
import warnings
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path

from answer_cases import Case, cases
from named_values import Value, Values, of_error

import relbounds

N_QUICK = 40


def add_choice(parser: argparse.ArgumentParser) -> None:
    """The options that choose cases."""
    parser.add_argument(
        "--quick", action="store_true", help=f"about {N_QUICK} cases, some of each group"
    )
    parser.add_argument(
        "--except", dest="left_out", nargs="+", default=[], metavar="NAME", help="such as 'path-*'"
    )
    parser.add_argument("--only", nargs="+", default=["*"], metavar="NAME")


def chosen(asked: argparse.Namespace) -> list[Case]:
    """The cases that were asked for; quick ones are spread evenly over each group."""
    wanted = [
        case
        for case in cases()
        if _matches(case, asked.only) and not _matches(case, asked.left_out)
    ]
    step = -(-len(wanted) // N_QUICK) if asked.quick else 1
    groups = dict.fromkeys(case.group for case in wanted)
    return [
        case
        for group in groups
        for case in [each for each in wanted if each.group == group][::step]
    ]


def _matches(case: Case, patterns: Iterable[str]) -> bool:
    return any(fnmatch(case.name, pattern) for pattern in patterns)


def answer(case: Case) -> Values:
    """What a case gives, or how it fails, with the warnings on the way."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            found = case.answer()
        except Exception as error:
            found = of_error(error)
    said = sorted(f"{each.category.__name__}: {each.message}" for each in told)
    return found | {"warnings": Value(said)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    add_choice(parser)
    asked = parser.parse_args()
    logging.disable()
    found, seconds = {}, {}
    for case in chosen(asked):
        begun = time.perf_counter()
        found[case.name] = answer(case)
        seconds[case.name] = time.perf_counter() - begun
    content = {"relbounds": relbounds.__file__, "answers": found, "seconds": seconds}
    asked.file.write_bytes(pickle.dumps(content))


if __name__ == "__main__":
    main()
