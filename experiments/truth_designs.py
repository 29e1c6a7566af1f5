"""Which columns does an outcome need? Tables that are made so that this is known.

A ``Table`` is columns with their weights in the outcome; tables are put side by side by ``beside``
and get an outcome by ``with_outcome``: the weighted sum and normal noise, as it is, as two classes
or as five, of equal size. A column is

- needed, if it tells something about the outcome beside all others;
- weak, if it is not needed, but depends on needed ones, or is one of several copies;
- idle, if it has nothing to do with the outcome and with the columns that are not idle. Idle
  columns may depend on each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.datasets import PAPER_SETS

IDLE, WEAK, NEEDED = 0, 1, 2
N_CLASSES = {"ordinal": 5, "classification": 2}
Random = np.random.RandomState


@dataclass(frozen=True)
class Table:
    """Columns, their weights in the outcome and their truth.

    ``is_silent`` marks columns that tell nothing on their own, though they matter beside others.
    """

    X: np.ndarray
    weights: np.ndarray
    truth: np.ndarray
    is_silent: np.ndarray


@dataclass(frozen=True, eq=False)
class Drawn:
    """A table with its outcome.

    ``is_exact`` says whether the weak columns add nothing at all to the others. Noisy copies do
    add something, since averaging them removes noise: whether they are needed is left open.
    """

    X: np.ndarray
    y: np.ndarray
    truth: np.ndarray
    is_silent: np.ndarray
    is_exact: bool = True

    @property
    def needed(self) -> np.ndarray:
        return self.truth == NEEDED

    @property
    def weak(self) -> np.ndarray:
        return self.truth == WEAK

    @property
    def idle(self) -> np.ndarray:
        return self.truth == IDLE

    @property
    def tells_nothing_alone(self) -> np.ndarray:
        """Independent of the outcome."""
        return self.idle | self.is_silent

    @property
    def adds_nothing(self) -> np.ndarray:
        """Independent of the outcome, given all other columns."""
        return self.idle | (self.weak & self.is_exact)


def beside(*tables: Table) -> Table:
    """One table of all columns."""
    return Table(
        np.hstack([each.X for each in tables]),
        *(
            np.concatenate([getattr(each, name) for each in tables])
            for name in ("weights", "truth", "is_silent")
        ),
    )


def with_outcome(table: Table, rng: Random, task: str, r2: float) -> Drawn:
    """Noise has the share 1 - r2 of the outcome's variance; all of it where no column matters."""
    value = table.X @ table.weights
    spread = value.std()
    noise = np.sqrt(1 - r2) * rng.standard_normal(len(value))
    latent = np.sqrt(r2) * value / spread + noise if spread > 0 else noise
    return Drawn(table.X, outcome(latent, task), table.truth, table.is_silent)


def outcome(latent: np.ndarray, task: str) -> np.ndarray:
    """The numbers themselves, or classes of equal size."""
    if task == "regression":
        return latent
    return np.argsort(np.argsort(latent)) * N_CLASSES[task] // len(latent)


def columns(X: np.ndarray, truth: int, weights: np.ndarray | float = 0.0) -> Table:
    """Columns that have their truth in common."""
    d = X.shape[1]
    return Table(X, np.broadcast_to(weights, d) * 1.0, np.full(d, truth), np.zeros(d, dtype=bool))


def random_weights(rng: Random, size: int) -> np.ndarray:
    """Between 0.5 and 1, of either sign."""
    return rng.choice([-1, 1], size) * rng.uniform(0.5, 1, size)


def normal(
    rng: Random, n: int, size: int, truth: int = IDLE, weights: np.ndarray | float = 0
) -> Table:
    return columns(rng.standard_normal((n, size)), truth, weights)


def needed_columns(rng: Random, n: int, size: int) -> Table:
    return normal(rng, n, size, NEEDED, random_weights(rng, size))


def alike(rng: Random, n: int, size: int, rho: float) -> np.ndarray:
    """Columns that share a factor; ``rho`` is the correlation of any two."""
    own = rng.standard_normal((n, size))
    return np.sqrt(rho) * rng.standard_normal((n, 1)) + np.sqrt(1 - rho) * own


def chain(rng: Random, n: int, size: int, rho: float) -> np.ndarray:
    """Each column is correlated ``rho`` with the next."""
    X = rng.standard_normal((n, size))
    for j in range(1, size):
        X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
    return X


def copies(rng: Random, n: int, size: int) -> Table:
    """One variable that matters, as several columns."""
    X = np.repeat(rng.standard_normal((n, 1)), size, axis=1)
    return columns(X, WEAK, np.eye(size)[0])


def dummy(rng: Random, n: int, ones: int) -> np.ndarray:
    return (rng.permutation(n) < ones).astype(float)[:, None]


def text(rng: Random, counts: Sequence[int]) -> np.ndarray:
    """One column for each level but the first; ``counts`` has how often each occurs."""
    levels = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    return (levels[:, None] == np.arange(1, len(counts))).astype(float)


def independent(rng: Random, n: int, needed: int = 4, idle: int = 8) -> Table:
    return beside(needed_columns(rng, n, needed), normal(rng, n, idle))


def neighbours(rng: Random, n: int, rho: float) -> Table:
    """A chain with every third column needed, and an idle chain of six."""
    X = chain(rng, n, 12, rho)
    is_needed = np.arange(12) % 3 == 1
    weights = np.where(is_needed, random_weights(rng, 12), 0)
    truth = np.where(is_needed, NEEDED, WEAK)
    own = Table(X, weights, truth, np.zeros(12, dtype=bool))
    return beside(own, columns(chain(rng, n, 6, rho), IDLE))


def idle_group(rng: Random, n: int, size: int, rho: float) -> Table:
    """An idle group beside four needed columns, three copies and a single idle column."""
    return beside(
        normal(rng, n, 4, NEEDED, 1.0),
        copies(rng, n, 3),
        normal(rng, n, 1),
        columns(alike(rng, n, size, rho), IDLE),
    )


def idle_pairs(rng: Random, n: int, needed: int, rho: float) -> Table:
    """Three idle pairs beside so many needed columns."""
    pairs = [columns(alike(rng, n, 2, rho), IDLE) for _ in range(3)]
    return beside(needed_columns(rng, n, needed), *pairs)


def texts(rng: Random, n: int) -> Table:
    """A useful and two idle texts with rare levels, beside three needed and three idle columns."""
    return beside(
        columns(text(rng, _counts(n, (35, 30, 25, 10))), NEEDED, np.array([1.0, -1.0, 1.5])),
        columns(text(rng, _counts(n, (40, 30, 20, 6, 4))), IDLE),
        columns(text(rng, _counts(n, (50, 20, 15, 10, 3, 2))), IDLE),
        needed_columns(rng, n, 3),
        normal(rng, n, 3),
    )


def _counts(n: int, percents: Sequence[int]) -> list[int]:
    """What does not come out even joins the first level."""
    others = [n * each // 100 for each in percents[1:]]
    return [n - sum(others), *others]


def rare_dummies(rng: Random, n: int) -> Table:
    """Idle dummies with 1 to 30 ones and a useful one with 30, beside dense columns."""
    rare = np.hstack([dummy(rng, n, ones) for ones in (1, 2, 3, 5, 10, 30)])
    return beside(
        columns(rare, IDLE),
        columns(dummy(rng, n, 30), NEEDED, 2.0),
        needed_columns(rng, n, 4),
        normal(rng, n, 4),
    )


def suppressor(rng: Random, n: int, copied: int = 1) -> Table:
    """What the outcome needs plus a nuisance, and the nuisance by itself: once, or as copies."""
    nuisance = rng.standard_normal((n, 1))
    disturbed = columns(rng.standard_normal((n, 1)) + nuisance, NEEDED, 1.0)
    alone = columns(
        np.repeat(nuisance, copied, axis=1),
        NEEDED if copied == 1 else WEAK,
        -np.eye(copied)[0],
    )
    silent = Table(alone.X, alone.weights, alone.truth, np.ones(copied, dtype=bool))
    return beside(disturbed, silent, needed_columns(rng, n, 2), normal(rng, n, 5))


def small_effects(rng: Random, n: int) -> Table:
    """Effects of 1 and of 0.2."""
    return beside(normal(rng, n, 6, NEEDED, np.repeat([1.0, 0.2], 3)), normal(rng, n, 6))


def noise_only(rng: Random, n: int, size: int, rho: float = 0.0) -> Table:
    """Nothing matters; ``rho`` is the correlation of any two columns."""
    return columns(alike(rng, n, size, rho), IDLE)


def paper_set(rng: Random, number: int, noise: float) -> Drawn:
    """One of the paper's; its noise is in the columns, and makes weak ones differ."""
    X, y, truth = PAPER_SETS[number].make(noise, random_state=rng)
    return Drawn(X, y, truth, np.zeros(len(truth), dtype=bool), is_exact=noise == 0)
