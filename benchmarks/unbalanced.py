"""Is a true feature found where most outcomes are of one class, and is an idle one left alone?

    python benchmarks/unbalanced.py [--sizes 300 1000 20000] [--classes 2 3 5] [--draws 2]

One true feature beside idle ones. Two, three and five classes, of which the lowest has all samples
but a share; the AUC is that of the true feature telling the lowest class from the rest. A line for
each size, number of classes and share: fits, those that failed because a bound could not be proved,
those in which a rank correlation of the true feature has p < 0.001, how often it is then relevant,
strong, and needed, idle features that are called relevant, best models without weights, and the
processor's seconds of a fit.
"""

import argparse
import time
import warnings
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from scipy import optimize, stats

from relbounds import ClassificationRelevance, OrdinalRelevance
from relbounds.exceptions import RelboundsWarning, SolverError
from relbounds.results.records import Relevance

SHARES = (0.3, 0.1, 0.03)
"""Of samples above the lowest class."""
N_CLASSES = (2, 3, 5)
AUCS = (0.7, 0.8, 0.95)
SURE = 0.001
"""The p-value of a rank correlation from which on the feature has to be found."""
_MANY = 200_000


@dataclass(frozen=True)
class Cell:
    """How samples come about."""

    n: int
    n_classes: int
    share: float

    def sample(self, auc: float, seed: int, n_idle: int) -> tuple[np.ndarray, np.ndarray]:
        """The first column matters; classes above the lowest are of the same size."""
        key = [self.n, self.n_classes, round(1000 * self.share), round(100 * auc), seed]
        rng, upper = np.random.default_rng(key), self.n_classes - 1
        X = rng.standard_normal((self.n, 1 + n_idle))
        score = effect_of(auc, self.share) * X[:, 0] + rng.logistic(size=self.n)
        cuts = 1 - self.share * np.arange(upper, 0, -1) / upper
        return X, np.digitize(score, np.quantile(score, cuts))


@dataclass(frozen=True)
class Draw:
    """What became of one sample."""

    rank_test_finds: bool
    true: int
    needed: bool
    n_idle_relevant: int
    n_idle: int
    has_weights: bool
    seconds: float


@cache
def effect_of(auc: float, share: float) -> float:
    """The log odds a standard deviation at which a normal feature has this AUC."""
    rng = np.random.default_rng(0)
    x, noise = rng.standard_normal(_MANY), rng.logistic(size=_MANY)

    def excess(effect: float) -> float:
        score = effect * x + noise
        is_upper = score > np.quantile(score, 1 - share)
        ranks, n_upper = stats.rankdata(x), is_upper.sum()
        above = ranks[is_upper].sum() - n_upper * (n_upper + 1) / 2
        return float(above / (n_upper * (_MANY - n_upper)) - auc)

    return float(optimize.brentq(excess, 0.1, 20.0, xtol=1e-2))


def drawn(X: np.ndarray, y: np.ndarray) -> Draw | None:
    """One fit with the library's defaults; None if a bound could not be proved."""
    estimator = ClassificationRelevance if y.max() == 1 else OrdinalRelevance
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelboundsWarning)
        try:
            result = estimator(random_state=0).fit(X, y).result_
        except SolverError:
            return None
    return Draw(
        rank_test_finds=bool(stats.spearmanr(X[:, 0], y).pvalue < SURE),
        true=int(result.relevance[0]),
        needed=bool(result.needed[0]),
        n_idle_relevant=int((result.relevance[1:] > 0).sum()),
        n_idle=X.shape[1] - 1,
        has_weights=not result.is_degenerate,
        seconds=time.process_time() - begun,
    )


def line(found: list[Draw | None]) -> str:
    draws = [each for each in found if each is not None]
    sure = [each for each in draws if each.rank_test_finds]
    idle = sum(each.n_idle_relevant for each in draws), sum(each.n_idle for each in draws)

    def share(hits: list[bool]) -> str:
        return f"{np.mean(hits):.2f}" if hits else "   -"

    return "  ".join(
        [
            f"{len(found):5}  {len(found) - len(draws):6}  {len(sure):4}",
            share([each.true > Relevance.IRRELEVANT for each in sure]).rjust(8),
            share([each.true == Relevance.STRONG for each in sure]).rjust(6),
            share([each.needed for each in sure]).rjust(6),
            f"{idle[0]:4} of {idle[1]:5}",
            f"{sum(not each.has_weights for each in draws):10}",
            f"{np.mean([each.seconds for each in draws]):7.1f}",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[300, 1000, 20_000])
    parser.add_argument("--classes", type=int, nargs="+", default=N_CLASSES)
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--draws", type=int, default=2, help="of each AUC")
    parser.add_argument("--idle", type=int, default=8, help="idle features")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    asked = parser.parse_args()
    head = " fits  failed  sure  relevant  strong  needed  idle relevant  no weights  seconds"
    print(f"{'samples':>7}  classes  share  {head}")
    every = []
    seeds = range(asked.first, asked.first + asked.draws)
    for n, n_classes, share in product(asked.sizes, asked.classes, asked.shares):
        cell = Cell(n, n_classes, share)
        draws = [drawn(*cell.sample(*each, asked.idle)) for each in product(AUCS, seeds)]
        every += draws
        print(f"{n:7}  {n_classes:7}  {share:5}  {line(draws)}", flush=True)
    print(f"{'all':>7}  {'':7}  {'':5}  {line(every)}")


if __name__ == "__main__":
    main()
