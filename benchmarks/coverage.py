"""How often do confidence intervals hold the weight that endless data would have?

    python benchmarks/coverage.py [--sizes 100 1000] [--draws 100] [--truth 200000] [--coverage 0.9]

Weights are counted in the units of each sample: those of endless data, times the standard
deviations that the sample divides its columns (and a regression its target) by. Of two copies only
the sum has a value, so that each has to be allowed all of it and nothing.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.engine import ENGINES, ModelSpace
from relbounds.engine.optimum import best_model
from relbounds.problems import ClassificationProblem, OrdinalProblem, RegressionProblem

EFFECTS = np.array([1.0, 0.7, -0.5, 0.3, 0.2, 0.0, 0.0, 0.0])
SHARE_OF_ONES = 0.2
TASKS = {
    "numbers": (RegressionRelevance, RegressionProblem(0.0), {"epsilon": 0.0}),
    "two classes": (ClassificationRelevance, ClassificationProblem(), {}),
    "ordered classes": (OrdinalRelevance, OrdinalProblem("explicit"), {}),
}
DESIGNS = ("independent", "neighbours 0.9", "a copy", "spread by x0", "half of them yes or no")
CUTS = {"two classes": [0.3], "ordered classes": [-0.84, -0.25, 0.25, 0.84]}


@dataclass(frozen=True)
class Cell:
    design: str
    task: str
    R2: float

    def sample(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Columns of variance one (without the copy), and an outcome of latent variance one."""
        X, d = rng.standard_normal((n, len(EFFECTS))), len(EFFECTS)
        noise = rng.standard_normal(n)
        correlation = 0.9 if self.design == "neighbours 0.9" else 0.0
        for k in range(1, d):
            X[:, k] = correlation * X[:, k - 1] + np.sqrt(1 - correlation**2) * X[:, k]
        if self.design == "spread by x0":
            noise *= np.abs(X[:, 0])
        if self.design == "half of them yes or no":
            ones = rng.random((n, d // 2)) < SHARE_OF_ONES
            X[:, ::2] = (ones - SHARE_OF_ONES) / np.sqrt(SHARE_OF_ONES * (1 - SHARE_OF_ONES))
        distance = np.abs(np.subtract.outer(np.arange(d), np.arange(d)))
        explained = EFFECTS @ correlation**distance @ EFFECTS
        latent = np.sqrt(self.R2 / explained) * X @ EFFECTS + np.sqrt(1 - self.R2) * noise
        if self.task == "numbers":
            return X, latent
        return X, np.digitize(latent, CUTS[self.task]).astype(float)

    def truth(self, n: int) -> np.ndarray:
        """Weights of columns as they are, from many samples; the mean of four parts."""
        weights = []
        for seed in range(4):
            X, y = self.sample(np.random.default_rng([1, seed]), n // 4)
            space = ModelSpace.unpriced(X, TASKS[self.task][1].margin_rows(y))
            best = best_model(ENGINES["auto"]().path(space), 6 / np.sqrt(n))
            weights.append(best.model.weights)
        return np.mean(weights, axis=0)


def held(
    cell: Cell, truth: np.ndarray, n: int, seed: int, asked: argparse.Namespace
) -> tuple[np.ndarray, np.ndarray]:
    """Which ranges hold the true weight, and their widths."""
    X, y = cell.sample(np.random.default_rng([0, n, seed]), n)
    low = truth * X.std(axis=0) / (y.std() if cell.task == "numbers" else 1.0)
    high = low.copy()
    if cell.design == "a copy":
        X, low, high = np.c_[X, X[:, 0]], np.r_[low, 0.0], np.r_[high, high[0]]
        low[0] = 0.0
    estimator, _, own = TASKS[cell.task]
    if not asked.tuned:
        own = own | {"C": 10 / n}
    own = own | {"coverage": asked.coverage, "n_probes": 10, "random_state": 0}
    found = estimator(tolerance="confidence", budget="joint", **own).fit(X, y).weight_ranges_
    return (found[:, 0] <= low) & (high <= found[:, 1]), found[:, 1] - found[:, 0]


def lines(asked: argparse.Namespace) -> Iterator[str]:
    yield "| design | task | R2 | n | draws | coverage | worst weight | width x sqrt(n) | seconds |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for cell in map(Cell, *zip(*product(asked.designs, asked.tasks, asked.R2), strict=True)):
        truth = cell.truth(asked.truth)
        for n in asked.sizes:
            begun = time.perf_counter()
            found = [held(cell, truth, n, seed, asked) for seed in range(asked.draws)]
            holds, widths = (np.mean(each, axis=0) for each in zip(*found, strict=True))
            alone = slice(1, len(EFFECTS))  # of two copies the width is another matter
            yield (
                f"| {cell.design} | {cell.task} | {cell.R2} | {n} | {asked.draws} | "
                f"{holds.mean():.3f} | {holds.min():.2f} | "
                f"{np.sqrt(n) * widths[alone].mean():.2f} | {time.perf_counter() - begun:.0f} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--designs", nargs="+", default=DESIGNS, choices=DESIGNS)
    parser.add_argument("--tasks", nargs="+", default=list(TASKS), choices=list(TASKS))
    parser.add_argument("--R2", nargs="+", type=float, default=[0.6])
    parser.add_argument("--sizes", nargs="+", type=int, default=[100, 1000])
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--truth", type=int, default=200_000, help="samples of endless data")
    parser.add_argument("--coverage", type=float, default=0.9)
    parser.add_argument("--tuned", action="store_true", help="C (and epsilon) by cross-validation")
    for line in lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
