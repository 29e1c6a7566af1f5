"""Runs independent tasks on as many workers as asked, and shows how far they are."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from joblib import Parallel, delayed
from tqdm.auto import tqdm

T = TypeVar("T")


@dataclass(frozen=True)
class Workers:
    """Workers of joblib's current backend, and whether a progress bar is wanted."""

    n_jobs: int | None = None
    verbose: int = 0

    def map(
        self, task: Callable[..., T], arguments: Iterable[tuple[Any, ...]], what: str
    ) -> list[T]:
        """``[task(*a) for a in arguments]``, in that order however many workers there are."""
        calls: Sequence[Any] = [delayed(task)(*each) for each in arguments]
        answers = Parallel(n_jobs=self.n_jobs, return_as="generator")(calls)
        bar = tqdm(answers, desc=what, total=len(calls), disable=not self.verbose)
        return list(bar)


def blocks(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Consecutive pieces: the same for every number of workers, so that answers are too."""
    return [items[first : first + size] for first in range(0, len(items), size)]
