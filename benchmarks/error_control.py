"""How large is the false discovery rate at level 0.1, and how much is found? Boruta beside it.

    python benchmarks/error_control.py [--draws 100] [--boruta 20]

Boruta (the extra ``reproduce``) takes seconds a draw, so that it gets fewer of the same draws.
"""

import argparse

import numpy as np
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier

from relbounds import OrdinalRelevance
from relbounds.datasets import make_ordinal

LEVEL = 0.1


def selected_by_relbounds(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    model = OrdinalRelevance(selection="fdr", level=LEVEL, random_state=seed).fit(X, y)
    return model.relevance_ > 0


def selected_by_boruta(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    forest = RandomForestClassifier(class_weight="balanced", max_depth=5, random_state=seed)
    return BorutaPy(forest, n_estimators="auto", random_state=seed).fit(X, y).support_


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--boruta", type=int, default=20)
    asked = parser.parse_args()
    for name, select, draws in (
        ("relbounds, fdr", selected_by_relbounds, asked.draws),
        ("Boruta", selected_by_boruta, asked.boruta),
    ):
        found = []
        for seed in range(draws):
            X, y, truth = make_ordinal(
                150, n_strong=3, weak_groups=(3,), n_irrelevant=14, noise=0.5, random_state=seed
            )
            chosen = select(X, y, seed)
            false = np.sum(chosen & (truth == 0)) / max(chosen.sum(), 1)
            found.append((false, np.mean(chosen[truth > 0])))
        rate, power = np.mean(found, axis=0)
        error = np.std(found, axis=0)[0] / np.sqrt(draws)
        print(
            f"{name:15} {draws} draws: false discoveries {rate:.3f} (standard error {error:.3f}), "
            f"found of what is relevant {power:.3f}"
        )


if __name__ == "__main__":
    main()
