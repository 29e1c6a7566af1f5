"""How well are the paper's artificial sets recovered? Prints the table that the README shows.

For each set, clean and noisy (sigma 0.5), and both orders: the mean F1 of the selection, and the
share of features rightly classed strong, weak or irrelevant, over the seeds, beside the paper's F1.

    python benchmarks/paper_sets.py [--sets 1 2 3 4 5 6 7] [--seeds 10] [--jobs 2]
"""

import argparse
import itertools

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_SETS
from relbounds.metrics import selection_scores

NOISE = {"clean": 0.0, "noisy": 0.5}
ORDERS = ("explicit", "implicit")
PAPER_F1 = {  # the paper's Table 2
    ("clean", "explicit"): {**dict.fromkeys(range(1, 9), 1.0), 9: 0.98},
    ("clean", "implicit"): {**dict.fromkeys(range(1, 9), 1.0), 9: 0.98},
    ("noisy", "explicit"): {
        1: 0.95, 2: 0.97, 3: 0.97, 4: 0.96, 5: 1.0, 6: 0.94, 7: 0.90, 8: 0.98, 9: 1.0,
    },
    ("noisy", "implicit"): {
        1: 0.98, 2: 0.98, 3: 0.96, 4: 0.97, 5: 1.0, 6: 0.94, 7: 0.91, 8: 0.98, 9: 1.0,
    },
}  # fmt: skip


def one_run(number: int, data: str, order: str, seed: int) -> dict[str, object]:
    X, y, truth = PAPER_SETS[number].make(noise=NOISE[data], random_state=seed)
    model = OrdinalRelevance(order, random_state=seed).fit(X, y)
    return {
        "set": number,
        "data": data,
        "order": order,
        "seed": seed,
        "f1": selection_scores(truth, model.relevance_).f1,
        "rightly classed": np.mean(model.relevance_ == truth),
        "seconds": sum(model.result_.seconds.values()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, nargs="+", default=list(range(1, 8)))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    cells = itertools.product(arguments.sets, NOISE, ORDERS, range(arguments.seeds))
    runs = pd.DataFrame(Parallel(n_jobs=arguments.jobs)(delayed(one_run)(*cell) for cell in cells))
    table = runs.groupby(["set", "data", "order"], as_index=False)[
        ["f1", "rightly classed", "seconds"]
    ].mean()
    table.insert(
        3, "paper f1", [PAPER_F1[row.data, row.order][row.set] for row in table.itertuples()]
    )
    print(table.round(3).to_string(index=False))
    missed = table[table["f1"] < table["paper f1"] - 0.01]
    print(f"\ncells below the paper's F1 minus 0.01: {len(missed)} of {len(table)}")
    noisy = table[(table["data"] == "noisy") & (table["order"] == "explicit")]
    print(f"noisy sets, explicit order, rightly classed: {noisy['rightly classed'].mean():.3f}")


if __name__ == "__main__":
    main()
