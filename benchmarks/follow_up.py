"""What do further questions cost, beside the intervals of the fit? Set 8, ratios within one run."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_SETS

REPEATS = 3


def seconds(ask: Callable[[], object]) -> float:
    """The fastest of a few."""
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        ask()
        times.append(time.perf_counter() - begun)
    return min(times)


def main() -> None:
    for data, noise in (("clean", 0.0), ("noisy", 0.5)):
        X, y, _ = PAPER_SETS[8].make(noise=noise, random_state=0)
        fits = [OrdinalRelevance(random_state=0).fit(X, y) for _ in range(REPEATS)]
        model, intervals = fits[-1], min(fit.result_.seconds["intervals"] for fit in fits)
        largest = 10 + int(np.abs(model.result_.baseline.weights[10:30]).argmax())
        binding = 0.5 * float(model.result_.intervals[10:30, 1].max())
        questions = {
            "what_if, one absent": partial(model.what_if, {"x15": "absent"}),
            "what_if, the weak one used most": partial(model.what_if, {f"x{largest}": "absent"}),
            "what_if, one positive": partial(model.what_if, {"x15": "positive"}),
            "what_if, a range": partial(model.what_if, {"x15": (binding / 2, binding)}),
            "what_if, a total": partial(model.what_if, {tuple(range(10, 20)): binding}),
            "price of one": partial(model.price, "x15"),
            "prices of all 40": model.prices,
            "redundancy": model.redundancy,
        }
        print(f"Set 8 {data}: intervals of the fit {intervals:.3f} s")
        taken = {name: seconds(ask) for name, ask in questions.items()}
        one = taken["what_if, one absent"]
        for name, each in taken.items():
            print(f"  {name:32} {each / intervals:6.2f} x intervals  {each / one:6.2f} x what_if")


if __name__ == "__main__":
    main()
