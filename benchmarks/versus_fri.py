"""How much faster is a whole fit than fri 9.0.0's, on the same data, in one run on one core?

A whole fit: tuning, intervals and 50 probes, each package with its own defaults otherwise. fri
runs in an interpreter of its own (it needs old packages); `make bench` sets that up.

    python benchmarks/versus_fri.py --fri-python .bench/bin/python [--sets 1 4] [--repeats 3]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # one core each, whatever the libraries would like

import numpy as np

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_SETS
from relbounds.metrics import selection_scores

N_PROBES = 50
FRI = f"""
import json, logging, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np, fri
logging.disable(logging.CRITICAL)
data = np.load(sys.argv[1])
model = fri.FRI(fri.ProblemName.ORDINALREGRESSION, random_state=0, n_jobs=1,
                n_probe_features={N_PROBES})
begun = time.perf_counter()
model.fit(data["X"], data["y"])
seconds = time.perf_counter() - begun
print(json.dumps([seconds, [int(each) for each in model.relevance_classes_]]))
"""


def time_fri(python: str, X: np.ndarray, y: np.ndarray) -> tuple[float, list[int]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=X, y=y)
        done = subprocess.run(
            [python, "-c", FRI, str(path)], check=True, capture_output=True, text=True
        )
    seconds, relevance = json.loads(done.stdout.splitlines()[-1])
    return seconds, relevance


def time_relbounds(X: np.ndarray, y: np.ndarray) -> tuple[float, list[int]]:
    begun = time.perf_counter()
    model = OrdinalRelevance(random_state=0, n_probes=N_PROBES).fit(X, y)
    return time.perf_counter() - begun, model.relevance_.tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fri-python", required=True, help="an interpreter that has fri 9.0.0")
    parser.add_argument("--sets", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    time_relbounds(*PAPER_SETS[1].make(random_state=99)[:2])  # imports and caches
    print(f"python {sys.version.split()[0]}, one core, {N_PROBES} probes, best of repeats")
    print("set  data   fri s   ours s   ratio   F1 fri   F1 ours")
    for number in arguments.sets:
        for data, noise in (("clean", 0.0), ("noisy", 0.5)):
            X, y, truth = PAPER_SETS[number].make(noise=noise, random_state=0)
            X = (X - X.mean(axis=0)) / X.std(axis=0)  # fri takes columns as they are
            theirs, ours = [], []
            for _ in range(arguments.repeats):
                theirs.append(time_fri(arguments.fri_python, X, y))
                ours.append(time_relbounds(X, y))
            (fri_seconds, fri_relevance), (seconds, relevance) = min(theirs), min(ours)
            print(
                f"{number:3}  {data}  {fri_seconds:6.2f}  {seconds:7.3f}  "
                f"{fri_seconds / seconds:6.1f}  {selection_scores(truth, fri_relevance).f1:7.2f}  "
                f"{selection_scores(truth, relevance).f1:8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
