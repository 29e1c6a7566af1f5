"""Data whose truth is known."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from relbounds.arrays import FloatArray, IntArray


class Sample(NamedTuple):
    """A table, its target, and each column's true relevance (2 strong, 1 weak, 0 irrelevant)."""

    X: FloatArray
    y: FloatArray | IntArray
    truth: IntArray


class PrivilegedSample(NamedTuple):
    """A table, its target, what only a teacher sees, and the true relevance of both sides."""

    X: FloatArray
    y: FloatArray | IntArray
    X_priv: FloatArray
    truth: IntArray
    truth_priv: IntArray


@dataclass(frozen=True)
class PaperSet:
    """One line of the paper's table of artificial sets."""

    n_samples: int
    n_strong: int
    n_weak: int
    n_irrelevant: int

    def make(self, noise: float = 0.0, random_state: int | np.random.RandomState = 0) -> Sample:
        """Draw the set; the paper's noisy version has ``noise=0.5``."""
        return make_ordinal(
            n_samples=self.n_samples,
            n_strong=self.n_strong,
            weak_groups=(self.n_weak,) if self.n_weak else (),
            n_irrelevant=self.n_irrelevant,
            noise=noise,
            random_state=random_state,
        )


PAPER_SETS: dict[int, PaperSet] = {
    1: PaperSet(150, 6, 0, 6),
    2: PaperSet(150, 0, 6, 6),
    3: PaperSet(150, 3, 4, 3),
    4: PaperSet(256, 6, 6, 6),
    5: PaperSet(512, 1, 2, 11),
    6: PaperSet(200, 1, 20, 0),
    7: PaperSet(200, 1, 20, 20),
    8: PaperSet(1000, 10, 20, 10),
    9: PaperSet(1000, 10, 20, 200),
}
"""The paper's nine artificial sets, by their number."""


@dataclass(frozen=True)
class PaperPrivilegedSet:
    """One line of the paper's table of artificial sets with privileged features.

    Where ``n_idle`` is 0 the privileged features are clean versions of the regular ones; else
    they are so many columns of noise beside an ordinary set.
    """

    n_samples: int
    n_strong: int
    n_weak: int
    n_irrelevant: int
    n_idle: int = 0

    def make(
        self, noise: float = 0.17, random_state: int | np.random.RandomState = 0
    ) -> PrivilegedSample:
        """Draw the set; ``noise`` is that of the regular features where privileged ones are clean.

        The paper writes 1; 0.17 is what its authors' program has.
        """
        rng = _random_state(random_state)
        shape: dict[str, Any] = {
            "n_strong": self.n_strong,
            "weak_groups": (self.n_weak,) if self.n_weak else (),
            "n_irrelevant": self.n_irrelevant,
            "random_state": rng,
        }
        if not self.n_idle:
            return make_privileged(self.n_samples, noise=noise, **shape)
        X, y, truth = make_ordinal(self.n_samples, **shape)
        idle = rng.standard_normal((self.n_samples, self.n_idle))
        return PrivilegedSample(X, y, idle, truth, np.zeros(self.n_idle, dtype=np.int64))


PAPER_PRIVILEGED_SETS: dict[int, PaperPrivilegedSet] = {
    1: PaperPrivilegedSet(200, 6, 0, 3),
    2: PaperPrivilegedSet(200, 0, 12, 3),
    3: PaperPrivilegedSet(200, 6, 6, 0),
    4: PaperPrivilegedSet(200, 3, 6, 0),
    5: PaperPrivilegedSet(200, 1, 4, 0),
    6: PaperPrivilegedSet(200, 1, 40, 10),
    7: PaperPrivilegedSet(200, 4, 2, 2, n_idle=3),
    8: PaperPrivilegedSet(200, 0, 4, 2, n_idle=3),
}
"""The paper's eight artificial sets with privileged features, by their number."""


def make_ordinal(
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    weak_groups: tuple[int, ...] = (4,),
    n_irrelevant: int = 3,
    n_classes: int = 5,
    noise: float = 0.0,
    task: str = "ordinal",
    random_state: int | np.random.RandomState | None = None,
) -> Sample:
    """Draw a table in which some columns are needed, some replace one another, some are idle.

    The target is the sum of ``n_strong`` standard normal variables and one hidden one for
    each weak group. Strong columns are the variables themselves. The columns of a weak group
    are its hidden variable, each moved by a constant between 1 and 2: copies of one another
    once standardised. Irrelevant columns are standard normal. Noise is added last, to every
    column. Note that noisy copies are no exact substitutes, since averaging them removes noise.

    Parameters
    ----------
    n_samples : int
    n_strong : int
    weak_groups : tuple of int
        The number of columns in each weak group (at least 2 each).
    n_irrelevant : int
    n_classes : int
        Classes of equal size, ``0..n_classes-1``; left-over samples join the last. Used for
        the ordinal task only: a classification has two classes.
    noise : float
        Standard deviation of the noise.
    task : {"ordinal", "classification", "regression"}
    random_state : int, RandomState or None

    Returns
    -------
    Sample
        ``X`` of shape (n_samples, n_features), not standardised; ``y``; ``truth``.

    Examples
    --------
    >>> X, y, truth = make_ordinal(100, n_strong=1, weak_groups=(2,), n_irrelevant=1)
    >>> X.shape, truth.tolist()
    ((100, 4), [2, 1, 1, 0])
    """
    rng = _random_state(random_state)
    weights = np.ones(n_strong + len(weak_groups))
    clean, value = _clean(n_samples, n_strong, weak_groups, weights, rng)
    _refuse(n_classes, noise)
    X = np.hstack([clean, rng.standard_normal((n_samples, n_irrelevant))])
    X += noise * rng.standard_normal(X.shape)
    return Sample(X, _target(value, task, n_classes), _truth(n_strong, weak_groups, n_irrelevant))


def make_privileged(
    n_samples: int = 200,
    *,
    n_strong: int = 3,
    weak_groups: tuple[int, ...] = (4,),
    n_irrelevant: int = 3,
    n_classes: int = 5,
    noise: float = 0.17,
    task: str = "ordinal",
    random_state: int | np.random.RandomState | None = None,
) -> PrivilegedSample:
    """Draw a table of noisy features, whose clean versions only a teacher sees.

    As ``make_ordinal``, but each variable has a weight of its own, between 0.5 and 1. The
    privileged columns are clean, the regular ones have noise on top. Irrelevant columns are drawn
    for each side by itself.

    Parameters
    ----------
    n_samples, n_strong, weak_groups, n_irrelevant, n_classes, task, random_state
        As in ``make_ordinal``; the numbers of columns are those of each side.
    noise : float
        Standard deviation of the noise on regular columns. The paper writes 1, with which slacks
        that are read from privileged features explain nothing; its authors' program has about
        0.17.

    Returns
    -------
    PrivilegedSample
        ``X``, ``y``, ``X_priv``, ``truth``, ``truth_priv``.

    Examples
    --------
    >>> sample = make_privileged(100, n_strong=1, weak_groups=(2,), n_irrelevant=1)
    >>> sample.X_priv.shape, sample.truth_priv.tolist()
    ((100, 4), [2, 1, 1, 0])
    """
    rng = _random_state(random_state)
    weights = rng.uniform(0.5, 1, n_strong + len(weak_groups))
    clean, value = _clean(n_samples, n_strong, weak_groups, weights, rng)
    _refuse(n_classes, noise)
    idle, idle_priv = rng.standard_normal((2, n_samples, n_irrelevant))
    noisy = clean + noise * rng.standard_normal(clean.shape)
    truth = _truth(n_strong, weak_groups, n_irrelevant)
    y = _target(value, task, n_classes)
    return PrivilegedSample(
        np.hstack([noisy, idle]), y, np.hstack([clean, idle_priv]), truth, truth.copy()
    )


def make_semantic(
    n_samples: int = 400,
    *,
    noise: tuple[float, ...] = (0.1, 0.5, 2.0),
    n_irrelevant: int = 3,
    n_classes: int = 5,
    random_state: int | np.random.RandomState | None = None,
) -> PrivilegedSample:
    """Draw the paper's example of a teacher who knows which samples are hard, and why.

    One strong feature for each level of noise; the samples fall into as many groups and one more.
    A group has noise of its level on its feature, the last group has none. The privileged features
    are that noise, zero outside their group.

    Parameters
    ----------
    n_samples : int
        In groups of equal size; left-over samples join the last.
    noise : tuple of float
    n_irrelevant : int
        Regular columns that have nothing to do with the target.
    n_classes : int
        Of equal size, cut from the sum of the clean strong features.
    random_state : int, RandomState or None

    Returns
    -------
    PrivilegedSample
        Both sides' strong features are called 2 in the truth.

    Examples
    --------
    >>> sample = make_semantic(random_state=0)
    >>> sample.X.shape, (sample.X_priv != 0).sum(axis=0).tolist()
    ((400, 6), [100, 100, 100])
    """
    rng = _random_state(random_state)
    n_strong = len(noise)
    if n_strong == 0:
        raise ValueError("Nothing to learn: ask for at least one level of noise.")
    _refuse(n_classes, min(noise))
    if n_samples <= n_strong:
        raise ValueError(f"{n_samples} samples cannot fill {n_strong + 1} groups.")
    strong = rng.standard_normal((n_samples, n_strong))
    group = np.arange(n_samples) // (n_samples // (n_strong + 1))
    added = np.where(group[:, None] == np.arange(n_strong), noise, 0.0)
    added *= rng.standard_normal((n_samples, n_strong))
    return PrivilegedSample(
        np.hstack([strong + added, rng.standard_normal((n_samples, n_irrelevant))]),
        _target(strong.sum(axis=1), "ordinal", n_classes),
        added,
        _truth(n_strong, (), n_irrelevant),
        _truth(n_strong, (), 0),
    )


def _random_state(seed: int | np.random.RandomState | None) -> np.random.RandomState:
    return seed if isinstance(seed, np.random.RandomState) else np.random.RandomState(seed)


def _refuse(n_classes: int, noise: float) -> None:
    if n_classes < 2 or noise < 0:
        raise ValueError(
            "n_classes must be at least 2 and noise at least 0; "
            f"got n_classes={n_classes} and noise={noise}."
        )


def _clean(
    n_samples: int,
    n_strong: int,
    weak_groups: tuple[int, ...],
    weights: FloatArray,
    rng: np.random.RandomState,
) -> tuple[FloatArray, FloatArray]:
    """Strong and weak columns without noise, and the value that the target is made from."""
    if n_strong + len(weak_groups) == 0:
        raise ValueError("Nothing to learn: ask for a strong feature or a weak group.")
    if any(size < 2 for size in weak_groups):
        raise ValueError(
            f"A weak group needs at least two columns that replace one another; got {weak_groups}."
        )
    hidden = rng.standard_normal((n_samples, n_strong + len(weak_groups)))
    groups = [
        hidden[:, [n_strong + group]] + rng.uniform(1, 2, size)
        for group, size in enumerate(weak_groups)
    ]
    return np.hstack([hidden[:, :n_strong], *groups]), hidden @ weights


def _truth(n_strong: int, weak_groups: tuple[int, ...], n_irrelevant: int) -> IntArray:
    return np.repeat([2, 1, 0], [n_strong, sum(weak_groups), n_irrelevant])


def _target(value: FloatArray, task: str, n_classes: int) -> FloatArray | IntArray:
    if task == "regression":
        return value
    counts = {"ordinal": n_classes, "classification": 2}
    if task not in counts:
        raise ValueError(f"task must be 'ordinal', 'classification' or 'regression'; got {task!r}.")
    size = len(value) // counts[task]
    if size == 0:
        raise ValueError(f"{len(value)} samples cannot fill {counts[task]} classes.")
    rank = np.argsort(np.argsort(value))
    labels: IntArray = np.minimum(rank // size, counts[task] - 1)
    return labels
