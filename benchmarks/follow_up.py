"""What do further questions cost, beside the intervals of the fit and the fit itself?

Processor time of one core, and ratios within one run: Set 8 (1,000 x 40), clean and noisy.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_SETS
from relbounds.questions.along import ranges_at

REPEATS = 3


def seconds(ask: Callable[[], object]) -> float:
    """The fastest of a few; the first time, walks to known ends begin."""
    times = []
    for _ in range(REPEATS):
        begun = time.process_time()
        ask()
        times.append(time.process_time() - begun)
    return min(times)


def questions(model: Any) -> dict[str, Callable[[], object]]:
    largest = 10 + int(np.abs(model.result_.baseline.weights[10:30]).argmax())
    binding = 0.5 * float(model.result_.intervals[10:30, 1].max())
    constraints = {
        "one absent": {"x15": "absent"},
        "the weak one used most absent": {f"x{largest}": "absent"},
        "one positive": {"x15": "positive"},
        "one negative": {"x15": "negative"},
        "at most": {"x15": (0.0, binding)},
        "at least, with a sign": {"x15": ("signed", binding / 2, np.inf)},
        "a range, of either sign": {"x15": (binding / 2, binding)},
        "a total": {tuple(range(10, 20)): binding},
    }
    asked: dict[str, Callable[[], object]] = {
        f"what_if, {name}": partial(model.what_if, each) for name, each in constraints.items()
    }
    return asked | {
        "price of one": partial(model.price, "x15"),
        "prices of all 40": model.prices,
        "redundancy": model.redundancy,
        "ranges at 1.5 times the tolerance": partial(at_another_tolerance, model),
        "tolerance_path, 12 tolerances": model.tolerance_path,
    }


def at_another_tolerance(model: Any) -> object:
    return ranges_at(model._study, 1.5 * model.result_.tolerances.norm, model._workers)


def main() -> None:
    for data, noise in (("clean", 0.0), ("noisy", 0.5)):
        X, y, _ = PAPER_SETS[8].make(noise=noise, random_state=0)
        model = OrdinalRelevance(random_state=0)
        fit = seconds(partial(model.fit, X, y))
        stages = model.result_.seconds
        intervals = fit * stages["intervals"] / sum(stages.values())
        print(f"Set 8 {data}: fit {1000 * fit:.0f} ms, its intervals {1000 * intervals:.0f} ms")
        for name, ask in questions(model).items():
            taken = seconds(ask)
            print(
                f"  {name:40} {1000 * taken:7.0f} ms  {taken / intervals:6.2f} x intervals"
                f"  {taken / fit:6.2f} x fit"
            )


if __name__ == "__main__":
    main()
