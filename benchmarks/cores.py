"""How much faster is a whole fit with two workers, and what does the second one cost?

    python benchmarks/cores.py [--problems "set 8 noisy" ...] [--pairs 5]

Fits with one and with two workers alternate, after one that is not counted. One line for each
problem: the best seconds of both by the clock and their ratio, and those of the processor, whose
ratio says what workers cost one another. Other work on the machine spoils the first ratio.
"""

import argparse
import time

import numpy as np
from problems import problems

from relbounds import OrdinalRelevance

DEFAULT = ["set 8 clean", "set 8 noisy", "set 9 noisy", "n=10000 d=20"]
WORKERS = (1, 2)


def seconds(X: np.ndarray, y: np.ndarray, n_jobs: int) -> tuple[float, float]:
    """Of a whole fit: by the clock, and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    OrdinalRelevance(n_jobs=n_jobs, random_state=0).fit(X, y)
    return time.perf_counter() - clock, time.process_time() - processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", nargs="+", default=DEFAULT)
    parser.add_argument("--pairs", type=int, default=5)
    asked = parser.parse_args()
    known = {problem.name: problem for problem in problems()}
    for name in asked.problems:
        data = known[name].arrays()
        seconds(data["X"], data["y"], 1)
        runs = [
            [seconds(data["X"], data["y"], n_jobs) for n_jobs in WORKERS]
            for _ in range(asked.pairs)
        ]
        (one, one_cpu), (two, two_cpu) = np.min(runs, axis=0)
        print(
            f"{name}: by the clock {one:.2f} and {two:.2f} s, {one / two:.2f} times as fast; "
            f"of the processor {one_cpu:.2f} and {two_cpu:.2f} s, {two_cpu / one_cpu:.2f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
