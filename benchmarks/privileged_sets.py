"""How well are the paper's sets with privileged features recovered? Prints the README's table.

For each of the eight sets (explicit order): the mean F1 of the selection and the share of features
rightly classed strong, weak or irrelevant, on both sides, beside the paper's F1; how often the
model collapsed; and by how many classes it and one without privileged features miss (MMAE on the
training data).

    python benchmarks/privileged_sets.py [--sets 1 2 3] [--seeds 10] [--noise 0.17]
                                         [--slack privileged] [--jobs 2]
"""

import argparse
import itertools
import warnings

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_PRIVILEGED_SETS, PrivilegedSample
from relbounds.exceptions import DegenerateModelWarning
from relbounds.metrics import selection_scores

PAPER_F1 = {"regular": dict.fromkeys(range(1, 9), 1.0)}  # the paper's Table 7
PAPER_F1["privileged"] = PAPER_F1["regular"] | {6: 0.99}


def one_run(number: int, seed: int, noise: float, slack: str) -> dict[str, float]:
    data = PAPER_PRIVILEGED_SETS[number].make(noise=noise, random_state=seed)
    model = OrdinalRelevance(slack=slack, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateModelWarning)  # counted below
        model.fit(data.X, data.y, data.X_priv)
    return {
        "set": number,
        "f1": selection_scores(data.truth, model.relevance_).f1,
        "rightly classed": np.mean(model.relevance_ == data.truth),
        "f1 privileged": selection_scores(data.truth_priv, model.relevance_priv_).f1,
        "rightly classed privileged": np.mean(model.relevance_priv_ == data.truth_priv),
        "collapsed": model.result_.is_degenerate,
        "mmae": -model.score(data.X, data.y),
        "mmae without": -_without_privileged(data, seed),
        "seconds": sum(model.result_.seconds.values()),
    }


def _without_privileged(data: PrivilegedSample, seed: int) -> float:
    model = OrdinalRelevance(n_probes=10, random_state=seed)
    return model.fit(data.X, data.y).score(data.X, data.y)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, nargs="+", default=list(PAPER_PRIVILEGED_SETS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--noise", type=float, default=0.17)
    parser.add_argument("--slack", default="privileged")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    cells = itertools.product(arguments.sets, range(arguments.seeds))
    runs = pd.DataFrame(
        Parallel(n_jobs=arguments.jobs)(
            delayed(one_run)(*cell, arguments.noise, arguments.slack) for cell in cells
        )
    )
    table = runs.groupby("set").mean()
    for side, f1 in PAPER_F1.items():
        table.insert(0, f"paper {side}", [f1[number] for number in table.index])
    print(f"noise {arguments.noise}, slack {arguments.slack!r}, {arguments.seeds} seeds")
    print(table.round(3).to_string())
    print(table.mean().round(3).to_string())


if __name__ == "__main__":
    main()
