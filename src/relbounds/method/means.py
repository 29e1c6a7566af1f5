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
    """Seconds spent in each stage, of which some may go on at once, and since when."""

    seconds: dict[str, float] = field(default_factory=dict)
    begun: float = field(default_factory=time.perf_counter)

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.begun

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun


@dataclass(frozen=True, eq=False)
class Means:
    """What is computed with: an engine, what is left to chance, who does the work, and a watch."""

    engine: Engine
    random_state: np.random.RandomState
    workers: Workers
    watch: Stopwatch = field(default_factory=Stopwatch)
