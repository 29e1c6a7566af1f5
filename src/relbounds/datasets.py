"""Data whose truth is known."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from relbounds.arrays import FloatArray, IntArray


class Sample(NamedTuple):
    """A table, its target, and each column's true relevance (2 strong, 1 weak, 0 irrelevant)."""

    X: FloatArray
    y: FloatArray | IntArray
    truth: IntArray


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
    if n_strong + len(weak_groups) == 0:
        raise ValueError("Nothing to learn: ask for a strong feature or a weak group.")
    if n_classes < 2 or noise < 0:
        raise ValueError(
            "n_classes must be at least 2 and noise at least 0; "
            f"got n_classes={n_classes} and noise={noise}."
        )
    if any(size < 2 for size in weak_groups):
        raise ValueError(
            f"A weak group needs at least two columns that replace one another; got {weak_groups}."
        )
    rng = (
        np.random.RandomState(random_state)
        if not isinstance(random_state, np.random.RandomState)
        else random_state
    )
    hidden = rng.standard_normal((n_samples, n_strong + len(weak_groups)))
    groups = [
        hidden[:, [n_strong + group]] + rng.uniform(1, 2, size)
        for group, size in enumerate(weak_groups)
    ]
    X = np.hstack([hidden[:, :n_strong], *groups, rng.standard_normal((n_samples, n_irrelevant))])
    X += noise * rng.standard_normal(X.shape)
    truth = np.repeat([2, 1, 0], [n_strong, sum(weak_groups), n_irrelevant])
    return Sample(X, _target(hidden.sum(axis=1), task, n_classes), truth)


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
