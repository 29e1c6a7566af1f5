"""Times fits and questions in one process of one checkout, as often as it is asked to.

    python benchmarks/versions/speed_worker.py

tells the names of its tasks as a line of JSON. Every line that it reads is such a name; it answers
with the seconds and the processor's seconds of one run. What a task needs is made when it is first
named, and a first run loads solvers: neither belongs to what its caller compares.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache, partial

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_PRIVILEGED_SETS, PAPER_SETS, make_ordinal

NOISE = {"clean": 0.0, "noisy": 0.5}
Run = Callable[[], object]


def _model() -> OrdinalRelevance:
    return OrdinalRelevance(random_state=0, n_jobs=1)


def _fit_of_set(number: int, noise: float) -> Run:
    X, y, _ = PAPER_SETS[number].make(noise=noise, random_state=0)
    return lambda: _model().fit(X, y)


def _fit_of_many_samples() -> Run:
    X, y, _ = make_ordinal(
        10_000, n_strong=5, weak_groups=(5,), n_irrelevant=10, noise=0.5, random_state=0
    )
    return lambda: _model().fit(X, y)


def _fit_with_privileged() -> Run:
    sample = PAPER_PRIVILEGED_SETS[4].make(random_state=0)
    return lambda: _model().fit(sample.X, sample.y, X_priv=sample.X_priv)


@cache
def _set_8() -> OrdinalRelevance:
    X, y, _ = PAPER_SETS[8].make(noise=NOISE["noisy"], random_state=0)
    return _model().fit(X, y)


TASKS: dict[str, Callable[[], Run]] = {
    **{
        f"fit, Set {number} {kind}": partial(_fit_of_set, number, noise)
        for number in (1, 4, 8)
        for kind, noise in NOISE.items()
    },
    "fit, 10,000 x 20": _fit_of_many_samples,
    "fit, privileged Set 4": _fit_with_privileged,
    "what_if, Set 8 noisy": lambda: partial(_set_8().what_if, {"x15": "absent"}),
    "redundancy, Set 8 noisy": lambda: _set_8().redundancy,
}


@cache
def _prepared(name: str) -> Run:
    return TASKS[name]()


def _answer(content: object) -> None:
    print(json.dumps(content), flush=True)


def main() -> None:
    warnings.simplefilter("ignore")
    _answer(list(TASKS))
    for line in sys.stdin:
        run = _prepared(line.strip())
        processor, begun = time.process_time(), time.perf_counter()
        run()
        _answer([time.perf_counter() - begun, time.process_time() - processor])


if __name__ == "__main__":
    main()
