"""What do classes without order cost? A fit of K classes beside K fits of one class and the rest.

    python benchmarks/unordered.py

Processor time of default fits, ratios within one run; set OMP_NUM_THREADS=1 for fair figures.
"""

import time
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_iris, load_wine

from relbounds import ClassificationRelevance

Table = tuple[np.ndarray, np.ndarray]


def made_up(n: int, d: int, n_classes: int = 3) -> Table:
    """Classes around a circle in two columns, a third much like the first, all others idle."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)), np.arange(n) % n_classes
    angle = 2 * np.pi * y / n_classes
    X[:, 0] += 1.5 * np.cos(angle)
    X[:, 1] += 1.5 * np.sin(angle)
    X[:, 2] = X[:, 0] + 0.5 * X[:, 2]
    return X, y


def tables() -> Iterator[tuple[str, Table]]:
    yield "iris, 150 x 4", load_iris(return_X_y=True)
    yield "wine, 178 x 13", load_wine(return_X_y=True)
    yield "made up, 200 x 9", made_up(200, 9)
    yield "made up, 1,000 x 20", made_up(1000, 20)
    yield "made up, 5 classes, 1,000 x 20", made_up(1000, 20, n_classes=5)


def seconds_of_fit(X: np.ndarray, y: np.ndarray) -> float:
    begun = time.process_time()
    ClassificationRelevance(random_state=0).fit(X, y)
    return time.process_time() - begun


def main() -> None:
    warnings.simplefilter("ignore")  # of classes that a line does not tell from the rest
    for n_classes in (2, 3):  # what is loaded is loaded first
        seconds_of_fit(*made_up(60, 4, n_classes))
    for name, (X, y) in tables():
        of_all = seconds_of_fit(X, y)
        of_each = sum(seconds_of_fit(X, (y == k).astype(int)) for k in np.unique(y))
        print(f"{name:32} {of_all:6.2f} s {of_each:6.2f} s {of_all / of_each:6.2f}", flush=True)


if __name__ == "__main__":
    main()
