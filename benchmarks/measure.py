"""How long does one method take on one problem, and how much memory? Run in a process of its own.

    python benchmarks/measure.py TASK.json

reads what to do and writes the report to where the task says. Timed: ``run`` of the method and
nothing else. Imports, loading the data and a tiny first run come before.
"""

import gc
import importlib
import json
import os
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np

WARM_UP = {
    "C": 1.0,
    "gamma": 1.0,
    "tolerance": 0.1,
    "norm_tolerance": 0.1,
    "loss_tolerance": 0.1,
    "norm": 10.0,
    "norm_limit": 10.0,
    "loss_limit": 1000.0,
    "n_probes": 10,
    "rounds": 2,
    "patience": 0.0,
}
"""Settings of the first run, which any method can deal with at once."""
ENOUGH_SECONDS = 20.0
"""A run is not repeated once so much time was spent."""


def pin(n_cores):
    """The last cores, since the first one also serves the system."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-n_cores:])


def installed(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def tiny(data):
    """A problem that any method solves at once, with privileged features if the real one has."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((60, 4))
    value = X[:, 0] + X[:, 1] + 0.3 * rng.standard_normal(60)
    small = {"X": X, "y": np.argsort(np.argsort(value)) // 20}
    return small | ({"X_priv": X + 0.1} if "X_priv" in data else {})


def peak_bytes():
    """The most memory this process ever had, None where the system does not tell.

    Not ``ru_maxrss``: a new process inherits that from the one it was forked from.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return 1024 * int(line.split()[1])


def forget_peak():
    """From now on the peak is that of what follows."""
    gc.collect()
    if Path("/proc/self/clear_refs").exists():
        Path("/proc/self/clear_refs").write_text("5")


@dataclass(frozen=True)
class Run:
    """One run: its answer, its seconds, and the processor's; fewer if others had the core too."""

    answer: Any
    seconds: float
    processor_seconds: float


def timed(run):
    """The one timed region of the suite."""
    processor, begun = time.process_time(), time.perf_counter()
    answer = run()
    seconds = time.perf_counter() - begun
    return Run(answer, seconds, time.process_time() - processor)


def fastest(run, repeats):
    """The fastest of several runs, how many there were, and the peak memory before and in one."""
    forget_peak()
    before, runs = peak_bytes(), [timed(run)]
    peak = peak_bytes()
    while len(runs) < repeats and sum(each.seconds for each in runs) < ENOUGH_SECONDS:
        runs.append(timed(run))
    return min(runs, key=lambda each: each.seconds), len(runs), before, peak


def main():
    task = json.loads(Path(sys.argv[1]).read_text())
    pin(task["cores"])
    method = importlib.import_module(f"methods.{task['module']}")
    settings = task["settings"]
    with np.load(task["data"]) as stored:
        data = {name: stored[name] for name in ("X", "y", "X_priv") if name in stored}
    getattr(method, "warm_up", method.run)(tiny(data), settings | WARM_UP)
    best, repeats, before, peak = fastest(lambda: method.run(data, settings), task["repeats"])
    found = {"seconds": best.seconds} | method.report(best.answer, data, settings)
    found |= {
        "repeats": repeats,
        "core_share": best.processor_seconds / best.seconds,
        "peak_bytes": peak,
        "rise_bytes": None if peak is None else peak - before,
        "versions": {"python": python_version()}
        | {package: installed(package) for package in task["packages"]},
    }
    Path(task["report"]).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
