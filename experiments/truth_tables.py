"""Real tables with an outcome that is made up, so that it is known which columns it needs.

A third of a table's columns have weights. Some of its columns stand beside them once more, with
rows shuffled together: they depend on each other as before, and on nothing else, so they are idle.
All other columns of the table are weak: they add nothing, and whether they depend on needed ones
is up to the table.
"""

from functools import cache

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

from experiments import benchmark_data
from experiments.truth_designs import (
    IDLE,
    NEEDED,
    WEAK,
    Random,
    Table,
    beside,
    columns,
    random_weights,
)

OF_SCIKIT_LEARN = {
    "diabetes": load_diabetes,
    "wine": load_wine,
    "breast cancer": load_breast_cancer,
}
TABLES = (*OF_SCIKIT_LEARN, "winequality-red", "eucalyptus")
MOST_ROWS = 800
MISSING = -1e6  # what lies below is a code for a missing value


@cache
def table_of(name: str) -> np.ndarray:
    """The standardised columns of a table, its first rows; none is a sum of others.

    Where the levels of a text are complete, the last one could be told from the others, and a
    weight could move from one to the next: it is left out.
    """
    if name in OF_SCIKIT_LEARN:
        X = OF_SCIKIT_LEARN[name]().data[:MOST_ROWS]
    else:
        found = benchmark_data.load(name).X[:MOST_ROWS]
        X = found.where(found > MISSING).pipe(_filled).to_numpy(float)
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    own = np.abs(np.diag(np.linalg.qr(X, mode="r"))) / np.sqrt(len(X))
    return X[:, own > 1e-6]


def _filled(table: pd.DataFrame) -> pd.DataFrame:
    return table.fillna(table.median())


def real(rng: Random, name: str, shuffled: int = 6) -> Table:
    """A real table, a third of its columns needed, and so many shuffled ones beside them."""
    X = table_of(name)
    n, d = X.shape
    chosen = rng.permutation(d) < max(1, d // 3)
    weights = np.where(chosen, random_weights(rng, d), 0)
    truth = np.where(chosen, NEEDED, WEAK)
    own = Table(X, weights, truth, np.zeros(d, dtype=bool))
    again = X[rng.permutation(n)][:, rng.permutation(d)[:shuffled]]
    return beside(own, columns(again, IDLE))


def useless(rng: Random, name: str) -> Table:
    """A real table of which the outcome knows nothing."""
    X = table_of(name)
    return columns(X[rng.permutation(len(X))], IDLE)
