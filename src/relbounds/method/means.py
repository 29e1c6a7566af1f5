"""With what is computed, and how long do the stages take?"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from relbounds.engine import Engine
from relbounds.method.parallel import Workers


@dataclass
class Stopwatch:
    """Seconds spent in each stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun


@dataclass(frozen=True, eq=False)
class Means:
    """What is computed with: an engine, what is left to chance, and who does the work."""

    engine: Engine
    random_state: np.random.RandomState
    workers: Workers
