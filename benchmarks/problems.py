"""Which data? Every problem of the suite, drawn with a fixed seed, its columns standardised.

Two questions are asked of a problem. "fit" is a whole fit, everything tuned, 50 probes. "fixed"
gives C and tolerance to all, so that all solve the same programs and bounds can be compared.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.datasets import PAPER_PRIVILEGED_SETS, PAPER_SETS, make_ordinal

SEED = 0
NOISE = {"clean": 0.0, "noisy": 0.5}
GROWTH_N = (100, 1_000, 10_000, 100_000, 1_000_000)
GROWTH_D = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
LARGEST_EXACT = 1_000
"""Up to so many samples the yardstick is the exact engine, beyond it the certificates."""


@dataclass(frozen=True)
class Problem:
    """Data and what is fixed for the question "fixed".

    ``size`` is the axis that the group grows along: the number of samples, or of features.
    ``quick`` problems belong to the ten-minute version.
    """

    name: str
    group: str
    size: int
    quick: bool
    draw: Callable[[], Any]
    price: float = 10.0
    tolerance: float | str = 0.1

    def arrays(self) -> dict[str, np.ndarray]:
        """What methods are given (X, y, X_priv) and what they are judged by (truth, truth_priv)."""
        drawn = self.draw()._asdict()
        return {
            name: _standardised(value) if name.startswith("X") else value
            for name, value in drawn.items()
        }

    def fixed(self, n_samples: int) -> dict[str, Any]:
        """C is the price of one sample's loss, so a comparable C falls as samples are added."""
        return {"C": self.price / n_samples, "gamma": 1.0, "tolerance": self.tolerance}

    @property
    def yardstick(self) -> str:
        exact = self.group != "growth-n" or self.size <= LARGEST_EXACT
        return "relbounds-simplex" if exact else "relbounds-auto"


def _standardised(X: np.ndarray) -> np.ndarray:
    X -= X.mean(axis=0)
    X /= X.std(axis=0)
    return X


def _sets() -> Iterator[Problem]:
    for number, each in PAPER_SETS.items():
        for data, noise in NOISE.items():
            yield Problem(
                f"set {number} {data}",
                group="sets",
                size=each.n_samples,
                quick=number in (1, 4) or (number, data) == (8, "noisy"),
                draw=lambda each=each, noise=noise: each.make(noise=noise, random_state=SEED),
            )


def _privileged() -> Iterator[Problem]:
    for number, each in PAPER_PRIVILEGED_SETS.items():
        yield Problem(
            f"privileged set {number}",
            group="privileged",
            size=each.n_samples,
            quick=number == 1,
            draw=lambda each=each: each.make(random_state=SEED),
            price=100.0,
        )


def _grown(group: str, n_samples: int, n_features: int, size: int, quick: bool) -> Problem:
    """Five strong features, five that replace one another, the rest idle; noise everywhere."""
    return Problem(
        f"n={n_samples} d={n_features}",
        group=group,
        size=size,
        quick=quick,
        draw=lambda: make_ordinal(
            n_samples,
            n_strong=5,
            weak_groups=(5,),
            n_irrelevant=n_features - 10,
            noise=NOISE["noisy"],
            random_state=SEED,
        ),
        tolerance="auto",
    )


def problems() -> list[Problem]:
    """All of them, group after group."""
    return [
        *_sets(),
        *_privileged(),
        *(_grown("growth-n", n, 20, size=n, quick=n <= 10_000) for n in GROWTH_N),
        *(_grown("growth-d", 500, d, size=d, quick=d <= 500) for d in GROWTH_D),
        _grown("wide", 200, 10_000, size=10_000, quick=False),
    ]
