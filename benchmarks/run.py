"""Who is how fast, how exact and how right? Runs pairs of problem and method, one after another.

    python benchmarks/run.py [--quick] [--only GROUP ...] [--methods NAME ...]
                             [--questions fit|fixed] [--repeats 3] [--out FILE] [--resume]
                             [--limit SECONDS] [--patience SECONDS]

Each pair has a process and a core of its own. A line of the results is written as soon as it is
there; what fails or takes longer than the limit is recorded as such. `make bench` sets everything
up and runs the ten-minute version.
"""

import argparse
import itertools
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from methods import METHODS
from pairs import Pair, pairs
from problems import Problem, problems
from process import HERE, HOMES, measure
from record import Ledger, line

N_PROBES = 50
YARDSTICKS = HERE.parent / ".bench" / "yardsticks"


class Session:
    """One run of the suite."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._ledger = Ledger(arguments.out, resume=arguments.resume)

    def run(self, wanted: Iterable[Pair]) -> None:
        missing = [pair for pair in wanted if pair.key not in self._ledger.done]
        _refuse_missing_homes(missing)
        for problem, group in itertools.groupby(missing, lambda pair: pair.problem):
            with tempfile.TemporaryDirectory() as folder:
                path, arrays = Path(folder) / "data.npz", problem.arrays()
                np.savez(path, **arrays)
                for pair in group:
                    self._run_pair(pair, path, arrays)

    def _run_pair(self, pair: Pair, path: Path, arrays: dict[str, Any]) -> None:
        settings, yardstick = {}, None
        if pair.question == "fixed":
            settings = pair.problem.fixed(len(arrays["X"]))
            is_yardstick = pair.method.name == pair.problem.yardstick
            yardstick = None if is_yardstick else self._yardstick(pair.problem, path, settings)
            settings |= (yardstick or {}).get("shared") or {}
            if not is_yardstick and yardstick is None:
                return self._record(pair, arrays, {"status": "no yardstick"}, None)
        found = self._measure(pair.method.name, path, settings)
        if pair.question == "fixed" and yardstick is None:
            yardstick = found
            _remember(pair.problem, found)
        return self._record(pair, arrays, found, yardstick)

    def _yardstick(
        self, problem: Problem, path: Path, settings: dict[str, Any]
    ) -> dict[str, Any] | None:
        """The yardstick's report; it is measured again if this problem has none yet."""
        stored = _yardstick_file(problem)
        if not stored.exists():
            _remember(problem, self._measure(problem.yardstick, path, settings))
        found = json.loads(stored.read_text())
        return found if found.get("shared") else None

    def _measure(self, name: str, path: Path, settings: dict[str, Any]) -> dict[str, Any]:
        options = self._arguments
        return measure(
            METHODS[name],
            path,
            settings | {"n_probes": N_PROBES, "patience": options.patience},
            repeats=options.repeats,
            limit=options.limit,
        )

    def _record(
        self, pair: Pair, arrays: dict[str, Any], found: dict[str, Any], yardstick: Any
    ) -> None:
        values = line(pair, arrays, found, yardstick)
        self._ledger.append(values)
        shown = {name: values[name] for name in ("seconds", "f1", "disagreement")}
        told = ", ".join(
            f"{name} {value:.3g}" for name, value in shown.items() if value is not None
        )
        print(f"{' | '.join(pair.key)}: {values['status']} {told}", flush=True)


def _yardstick_file(problem: Problem) -> Path:
    return YARDSTICKS / f"{problem.name.replace(' ', '-')}.json"


def _remember(problem: Problem, found: dict[str, Any]) -> None:
    YARDSTICKS.mkdir(parents=True, exist_ok=True)
    _yardstick_file(problem).write_text(json.dumps(found))


def _refuse_missing_homes(wanted: Iterable[Pair]) -> None:
    missing = {pair.method.home for pair in wanted if not HOMES[pair.method.home].exists()}
    if missing:
        raise SystemExit(
            f"No interpreter for {', '.join(sorted(missing))}: `make .bench/ready` sets them up, "
            "--methods leaves them out."
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    groups = list(dict.fromkeys(problem.group for problem in problems()))
    parser.add_argument("--only", nargs="+", choices=groups, metavar="GROUP", help=str(groups))
    parser.add_argument(
        "--methods", nargs="+", choices=METHODS, metavar="NAME", help=str([*METHODS])
    )
    parser.add_argument(
        "--questions", nargs="+", choices=("fit", "fixed"), help="everything tuned, or C given"
    )
    parser.add_argument("--quick", action="store_true", help="the ten-minute version")
    parser.add_argument("--repeats", type=int, help="best of so many; 3, quick: 1")
    parser.add_argument("--out", type=Path, default=HERE / "results" / "results.csv")
    parser.add_argument("--resume", action="store_true", help="skip what the results have")
    parser.add_argument("--limit", type=float, help="seconds a pair may take; 7200, quick: 180")
    parser.add_argument("--patience", type=float, help="seconds of sampling; 60, quick: 4")
    parsed = parser.parse_args()
    usual = {"repeats": 1, "limit": 180, "patience": 4}
    if not parsed.quick:
        usual = {"repeats": 3, "limit": 7200, "patience": 60}
    for name, value in usual.items():
        if getattr(parsed, name) is None:
            setattr(parsed, name, value)
    return parsed


def main() -> None:
    arguments = _arguments()
    if not arguments.resume:
        for stored in YARDSTICKS.glob("*.json"):
            stored.unlink()
    wanted = pairs(arguments.quick, arguments.only, arguments.methods, arguments.questions)
    Session(arguments).run(wanted)


if __name__ == "__main__":
    main()
