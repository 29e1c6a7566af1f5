"""What does a measurement say? A line of the results, judged by truth and yardstick."""

import csv
import os
from pathlib import Path
from typing import Any

import numpy as np
from pairs import Pair

from relbounds.metrics import selection_scores

STAGES = ("tuning", "baseline", "intervals", "probes")
COLUMNS = (
    "group",
    "problem",
    "question",
    "method",
    "size",
    "n_samples",
    "n_features",
    "n_privileged",
    "cores",
    "status",
    "seconds",
    "repeats",
    "core_share",
    "extrapolated",
    "programs",
    "programs_sampled",
    "seconds_per_program",
    "solver_seconds",
    *(f"{stage}_seconds" for stage in STAGES),
    "data_bytes",
    "rise_bytes",
    "peak_bytes",
    "f1",
    "f1_priv",
    "yardstick",
    "disagreement",
    "certificate_gap",
    "versions",
    "machine",
)
TAKEN_OVER = (
    "status",
    "seconds",
    "repeats",
    "core_share",
    "extrapolated",
    "programs",
    "programs_sampled",
    "seconds_per_program",
    "solver_seconds",
    "rise_bytes",
    "peak_bytes",
    "certificate_gap",
)
FINAL = ("ok", "timeout")
"""What a repetition would not change."""


def line(
    pair: Pair, arrays: dict[str, Any], found: dict[str, Any], yardstick: dict[str, Any] | None
) -> dict[str, Any]:
    """A line of the results from a report."""
    stages, versions = found.get("stages") or {}, found.get("versions", {})
    values = {
        "group": pair.problem.group,
        "problem": pair.problem.name,
        "question": pair.question,
        "method": pair.method.name,
        "size": pair.problem.size,
        "n_samples": len(arrays["X"]),
        "n_features": arrays["X"].shape[1],
        "n_privileged": arrays["X_priv"].shape[1] if "X_priv" in arrays else 0,
        "cores": pair.method.cores,
        "data_bytes": sum(arrays[name].nbytes for name in ("X", "X_priv") if name in arrays),
        "f1": _f1(arrays["truth"], found.get("selected")),
        "f1_priv": _f1(arrays.get("truth_priv"), found.get("selected_priv")),
        "yardstick": pair.problem.yardstick if pair.question == "fixed" else None,
        "disagreement": disagreement(found.get("intervals"), (yardstick or {}).get("intervals")),
        "versions": " ".join(f"{name} {number}" for name, number in versions.items()),
        "machine": machine(),
    }
    values |= {f"{stage}_seconds": stages.get(stage) for stage in STAGES}
    return values | {name: found.get(name) for name in TAKEN_OVER}


def disagreement(intervals: Any, reference: Any) -> float | None:
    """The largest difference of bounds, as a share of the baseline's norm."""
    if intervals is None or reference is None:
        return None
    return float(np.nanmax(np.abs(np.asarray(intervals) - np.asarray(reference))))


def _f1(truth: Any, selected: Any) -> float | None:
    if truth is None or selected is None:
        return None
    return selection_scores(truth, selected).f1


def machine() -> str:
    """The processor and how many cores of it there are."""
    described = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [row.split(":")[1].strip() for row in described.splitlines() if "model name" in row]
    return f"{models[0] if models else 'unknown processor'}, {os.cpu_count()} cores"


class Ledger:
    """The results so far, a file that grows line by line.

    To resume is to keep what was measured or took too long, and to try again what failed.
    """

    def __init__(self, path: Path, *, resume: bool) -> None:
        self._path = path
        kept = []
        if resume and path.exists():
            with path.open(newline="") as file:
                kept = [row for row in csv.DictReader(file) if row["status"] in FINAL]
        self.done = {(row["problem"], row["question"], row["method"]) for row in kept}
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(kept)

    def append(self, values: dict[str, Any]) -> None:
        rounded = {
            name: f"{value:.6g}" if isinstance(value, float) else value
            for name, value in values.items()
        }
        with self._path.open("a", newline="") as file:
            csv.DictWriter(file, COLUMNS).writerow(rounded)
