"""Do shares of halves tell what fresh data of the same size would say?

    python benchmarks/stability.py [--designs 60] [--fresh 60] [--halves 20] [--seed 1]

A design is ten columns, most of them with an effect of its own, and often a text that matters and
one that does not. How often fresh data prove a column (alone or beside others at 0.001; needed with
a false discovery rate of 0.05) is counted over draws; the shares of halves are those of three more.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy import stats

from relbounds.method.decision import benjamini_hochberg
from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import Outcome, p_beside_others
from relbounds.method.groups import Groups
from relbounds.method.training_data import Table, TrainingData
from relbounds.questions.stability import as_of_all, halves_of

N_COLUMNS = 10
DRAWS = 3
BINS = (-0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
HOW = {
    "as they are": lambda p, k: p,
    "chi-square doubled": lambda p, k: stats.chi2.sf(2 * stats.chi2.isf(p, k), k),
    "doubled, less its degrees": as_of_all,
}


@dataclass(frozen=True)
class Design:
    n: int
    common: float
    effects: np.ndarray
    n_classes: int | None
    levels: np.ndarray
    strength: float
    of_groups: float
    has_weights: bool
    cuts: np.ndarray

    @classmethod
    def drawn(cls, rng: np.random.Generator, number: int) -> "Design":
        effects = np.where(rng.random(N_COLUMNS) < 0.6, rng.uniform(-0.45, 0.45, N_COLUMNS), 0.0)
        design = cls(
            n=int(rng.choice([100, 200, 400])),
            common=float(rng.choice([0.0, 0.5])),
            effects=effects,
            n_classes=(None, 2, 4)[number % 3],
            levels=rng.standard_normal(int(rng.choice([1, 4, 9]))),
            strength=float(rng.uniform(0, 0.6)),
            of_groups=float(rng.choice([0.0, 0.0, 0.7])),
            has_weights=bool(rng.random() < 0.3),
            cuts=np.empty(0),
        )
        if design.n_classes is None:
            return design
        many = replace(design, n=20_000, n_classes=None).sample(np.random.default_rng(1))
        shares = np.arange(1, design.n_classes) / design.n_classes
        return replace(design, cuts=np.quantile(many.y, shares))

    @property
    def sets(self) -> list[np.ndarray]:
        """Columns that are tested as one."""
        k = len(self.levels) - 1
        texts = [N_COLUMNS + np.arange(k), N_COLUMNS + k + np.arange(k)] if k else []
        return [*(np.array([each]) for each in range(N_COLUMNS)), *texts]

    def sample(self, rng: np.random.Generator) -> TrainingData:
        n, shared = self.n, rng.standard_normal((self.n, 1))
        own = rng.standard_normal((n, N_COLUMNS))
        X = np.sqrt(self.common) * shared + np.sqrt(1 - self.common) * own
        y = X @ self.effects + rng.standard_normal(n)
        if len(self.levels) > 1:
            for strength in (self.strength, 0.0):
                code = rng.integers(0, len(self.levels), n)
                X = np.column_stack([X, code[:, None] == np.arange(1, len(self.levels))])
                y = y + strength * self.levels[code]
        groups = Groups(np.arange(n) // 5) if self.of_groups else None
        if groups is not None:
            y = y + self.of_groups * rng.standard_normal(groups.count)[groups.codes]
        weight = rng.uniform(0.3, 3.0, n) if self.has_weights else np.ones(n)
        classes = None
        if self.n_classes is not None:
            y, classes = np.digitize(y, self.cuts).astype(float), tuple(range(self.n_classes))
        d = X.shape[1]
        columns = Table(tuple(f"x{k}" for k in range(d)), X, np.ones(d, dtype=bool))
        return TrainingData((columns,), y, weight, classes, groups=groups)


def evidence(data: TrainingData, sets: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    columns, every = data.regular.columns, np.arange(data.regular.columns.shape[1])
    outcome = Outcome(data.y, data.n_classes, data.weight, data.groups)
    alone = p_alone(columns, data.y, data.weight, sets, data.groups)
    return alone, p_beside_others(outcome, columns, sets, present=every, likely=every)


def proved(alone: np.ndarray, needed: np.ndarray) -> np.ndarray:
    of_use = np.fmin(alone, needed) <= 0.001
    return np.array([of_use, benjamini_hochberg(needed, 0.05) & of_use])


def lines(asked: argparse.Namespace) -> Iterator[tuple[bool, int, float, np.ndarray]]:
    """Is it a text, is it about being needed, how often fresh data say so, and shares of halves."""
    rng = np.random.default_rng(asked.seed)
    for number in range(asked.designs):
        design = Design.drawn(rng, number)
        sets, degrees = design.sets, np.array([len(each) for each in design.sets])
        fresh = [proved(*evidence(design.sample(rng), sets)) for _ in range(asked.fresh)]
        truth = np.mean(fresh, axis=0)
        for _ in range(DRAWS):
            data = design.sample(rng)
            halves = [evidence(data[half], sets) for half in halves_of(data, asked.halves)]
            shares = [
                np.mean([proved(how(a, degrees), how(b, degrees)) for a, b in halves], axis=0)
                for how in HOW.values()
            ]
            for kind, k in np.ndindex(2, len(sets)):
                said = np.array([share[kind, k] for share in shares])
                yield degrees[k] > 1, kind, float(truth[kind, k]), said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("designs", 60), ("fresh", 60), ("halves", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    found = list(lines(parser.parse_args()))
    for is_text, kind in ((False, 0), (False, 1), (True, 0), (True, 1)):
        some = [
            (truth, said) for text, each, truth, said in found if (text, each) == (is_text, kind)
        ]
        truth, said = (np.array(each) for each in zip(*some, strict=True))
        what = "texts" if is_text else "single columns"
        print(f"\n{what}, {('relevant', 'needed')[kind]}: {len(some)}")
        for place, how in enumerate(HOW):
            share = said[:, place]
            error = share - truth
            cells = [
                f"{truth[there].mean():.2f} ({there.sum()})" if there.any() else "-"
                for low, high in pairwise(BINS)
                for there in [(share > low) & (share <= high)]
            ]
            print(f"{how:26} bias {error.mean():+.3f} rms {np.sqrt(np.mean(error**2)):.3f}", *cells)


if __name__ == "__main__":
    main()
