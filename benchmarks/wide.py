"""Are wide tables answered in time, and rightly? Beside three others, in one run.

    OMP_NUM_THREADS=1 python benchmarks/wide.py [--sizes 200x1000 500x5000] [--draws 2]
                                                [--methods relbounds stability knockoffs boruta]

relbounds' own generator: five features that are needed, five that replace one another, all others
idle, noise 0.5. A line for each size, draw and method: the processor's seconds, how many of the ten
are found, how many idle ones are called relevant, F1, and the peak of memory so far in MB.

Stability selection: fifty halves of the samples, on each the first 20 features that a lasso path
lets in, and those that are among them in 0.7 of the halves. Knockoffs: Gaussian, equicorrelated,
of a covariance that is shrunk as Ledoit and Wolf do; by coefficients of a lasso over both, whose
strength five folds choose, with a false discovery rate of at most 0.2 (knockoff+). Boruta:
methods/boruta_forest.py, 50 rounds (benchmarks/requirements-rivals.txt).
"""

import argparse
import resource
import time
import warnings
from collections.abc import Callable
from itertools import product

import numpy as np
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.linear_model import LassoCV, lars_path

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal

HALVES, ENTERING, OFTEN = 50, 20, 0.7
FALSE_RATE = 0.2
N_RELEVANT = 10


def table(n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Standardised columns, the relevant ones first, and classes."""
    data = make_ordinal(
        n, n_strong=5, weak_groups=(5,), n_irrelevant=d - N_RELEVANT, noise=0.5, random_state=seed
    )
    return (data.X - data.X.mean(axis=0)) / data.X.std(axis=0), data.y


def by_relbounds(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return OrdinalRelevance(random_state=0).fit(X, y).support_


def by_stability(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    random, counts = np.random.RandomState(0), np.zeros(X.shape[1])
    for _ in range(HALVES):
        half = random.permutation(len(y))[: len(y) // 2]
        _, entered, _ = lars_path(X[half], y[half] - y[half].mean(), max_iter=ENTERING)
        counts[entered] += 1
    return counts >= OFTEN * HALVES


def by_knockoffs(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    both = np.hstack([X, knockoffs_of(X, np.random.RandomState(0))])
    lasso = LassoCV(cv=5, random_state=0).fit(both, y - y.mean())
    mine, theirs = np.abs(lasso.coef_).reshape(2, -1)
    ahead = mine - theirs
    for line in np.sort(np.abs(ahead[ahead != 0])):
        if 1 + (ahead <= -line).sum() <= FALSE_RATE * max(1, (ahead >= line).sum()):
            return ahead >= line
    return np.zeros(X.shape[1], dtype=bool)


def knockoffs_of(X: np.ndarray, random: np.random.RandomState) -> np.ndarray:
    """Columns that depend on one another, and on the others, as the columns do, drawn anew.

    The covariance is ``shrunk I + (1 - shrunk) V S^2 V'``, so that all is done in the space of V,
    of as many lines as samples; a matrix of all columns by all would take 800 MB at 10,000.
    """
    n, d = X.shape
    shrunk = ledoit_wolf_shrinkage(X)
    U, S, V = np.linalg.svd(X / np.sqrt(n), full_matrices=False)
    sizes = shrunk + (1 - shrunk) * S**2
    apart = min(1.0, 2 * shrunk)
    noise = random.standard_normal((n, d))
    beyond = np.sqrt(max(0.0, 2 * apart - apart**2 / shrunk))
    within = np.sqrt(2 * apart - apart**2 / sizes)
    drawn = beyond * noise + (noise @ V.T * (within - beyond)) @ V
    return X - np.sqrt(n) * (U * (apart * S / sizes)) @ V + drawn


def by_boruta(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from methods import boruta_forest  # noqa: PLC0415 - a rival that need not be installed

    return boruta_forest.run({"X": X, "y": y}, {"rounds": 50}).support_


METHODS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "relbounds": by_relbounds,
    "stability": by_stability,
    "knockoffs": by_knockoffs,
    "boruta": by_boruta,
}


def line(n: int, d: int, seed: int, method: str) -> str:
    X, y = table(n, d, seed)
    begun = time.process_time()
    selected = METHODS[method](X, y)
    seconds = time.process_time() - begun
    found, false = selected[:N_RELEVANT].sum(), selected[N_RELEVANT:].sum()
    score = 2 * found / (N_RELEVANT + found + false)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"{n}x{d} {seed} {method:<10} {seconds:8.1f} {found:3d} {false:4d} {score:6.3f} {peak:6d}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", default=["200x1000"])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    by_relbounds(*table(60, 20, 0))  # what is compiled once is not timed
    print("size seed method      seconds found false  F1     MB")
    for size, seed, method in product(asked.sizes, range(asked.draws), asked.methods):
        n, d = map(int, size.split("x"))
        print(line(n, d, seed, method), flush=True)


if __name__ == "__main__":
    main()
