"""Is another version of relbounds as fast? Both in turn, on one core, ratios within one run.

    python benchmarks/versions/same_speed.py --old PATH --new PATH [--pairs 7] [--only NAME ...]

Fits and questions are timed inside a process for each side that stays, commands and imports as
whole processes. A first run of each is not counted. Then one side runs, the other, the other again
and the first: what disturbs the machine disturbs both. Shown are the fastest of each side and the
median of the ratios of pairs, also of the processor's seconds, which others disturb less.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from statistics import median

from aligned import aligned
from checkouts import HERE, SIDES, add_checkouts, command, environment

LONG = 5.0
"""Seconds of the processor, beyond which fewer pairs have to do."""
PAIRS, FEWER_PAIRS = 7, 3
CLINIC = HERE.parent.parent / "examples" / "clinic.csv"
WRONG_INPUT = 2


@dataclass(frozen=True)
class Taken:
    seconds: float
    processor: float


Run = Callable[[], Taken]


@dataclass(frozen=True)
class Command:
    """What is started as a process, and how it has to end."""

    arguments: tuple[str, ...]
    exit_code: int = 0

    def run(self, root: Path) -> Taken:
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            process = subprocess.Popen(
                command(*self.arguments),
                cwd=folder,
                env=environment(root),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            _, status, used = os.wait4(process.pid, 0)
            taken = Taken(time.perf_counter() - begun, used.ru_utime + used.ru_stime)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != self.exit_code:
            raise SystemExit(
                f"{' '.join(self.arguments)} of {root} ended with exit code {process.returncode}, "
                f"expected {self.exit_code}."
            )
        return taken


RELBOUNDS = ("-m", "relbounds")
COMMANDS = {
    "command: analyze clinic.csv": Command(
        (
            *RELBOUNDS,
            *("analyze", str(CLINIC), "--target", "grade", "--order", "mild,moderate,severe"),
            *("--jobs", "1", "--quiet", "--out", "answer"),
        )
    ),
    "command: --help": Command((*RELBOUNDS, "--help")),
    "command: a wrong file": Command(
        (*RELBOUNDS, "analyze", "nothing.csv", "--target", "x"), WRONG_INPUT
    ),
    **{
        f"import {name}": Command(("-c", f"import {name}"))
        for name in ("relbounds", "relbounds.exceptions", "relbounds.intake")
    },
}


class Worker:
    """A process of one checkout that stays, and its tasks."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.tasks: list[str] = self._told()

    def _told(self) -> list[str]:
        assert self._process.stdout is not None
        return list(json.loads(self._process.stdout.readline()))

    def run(self, task: str) -> Taken:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{task}\n")
        self._process.stdin.flush()
        return Taken(*map(float, self._told()))


@contextmanager
def worker(root: Path) -> Iterator[Worker]:
    """Ends when its input does."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command("speed_worker.py"), env=environment(root), stdin=pipe, stdout=pipe, text=True
    ) as process:
        yield Worker(process)


def pairs(old: Run, new: Run, n_pairs: int) -> list[tuple[Taken, Taken]]:
    """Both in turn, each second pair the other way round; the first run of each is not counted."""
    longest = max(run().processor for run in (old, new))
    found = []
    for number in range(n_pairs if longest < LONG else min(n_pairs, FEWER_PAIRS)):
        if number % 2:
            second, first = new(), old()
        else:
            first, second = old(), new()
        found.append((first, second))
    return found


def row(name: str, found: Sequence[tuple[Taken, Taken]]) -> list[str]:
    fastest = [min(each[side].seconds for each in found) for side in range(len(SIDES))]
    ratio = median(new.seconds / old.seconds for old, new in found)
    processor = median(new.processor / old.processor for old, new in found)
    numbers = (*(f"{each:.3f}" for each in fastest), f"{ratio:.2f}", f"{processor:.2f}")
    return [name, *numbers, str(len(found))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_checkouts(parser)
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of what takes no long time")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="NAME", help="such as 'fit*'")
    asked = parser.parse_args()
    roots = [getattr(asked, side) for side in SIDES]
    rows = []
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(root)) for root in roots]
        runs: dict[str, list[Run]] = {
            task: [partial(each.run, task) for each in workers] for task in workers[0].tasks
        }
        runs |= {
            name: [partial(each.run, root) for root in roots] for name, each in COMMANDS.items()
        }
        for name, (old, new) in runs.items():
            if any(fnmatch(name, pattern) for pattern in asked.only):
                rows.append(row(name, pairs(old, new, asked.pairs)))
                print("  ".join(rows[-1]), file=sys.stderr)
    print(aligned(["what", "old s", "new s", "ratio", "ratio, processor", "pairs"], rows))


if __name__ == "__main__":
    main()
