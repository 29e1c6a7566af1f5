"""Runs independent tasks on as many workers as asked, and shows how far they are.

Pieces of work are fixed by the caller and BLAS has one thread in every task, so answers depend
neither on the number of workers nor on where they are.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ContextDecorator, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import pairwise
from math import ceil
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from joblib import Parallel, delayed
from joblib.parallel import get_active_backend
from threadpoolctl import ThreadpoolController
from tqdm.auto import tqdm

from relbounds.method.threads import FIRST, LATER, Threads

T = TypeVar("T")
_MAPPED_FROM = "100K"
"""Arrays of this size or more reach other processes as a file in memory that all of them share."""
_MOST_STAGES = 8  # that go on at once


@dataclass(frozen=True)
class Workers:
    """Workers of joblib's current backend, and whether a progress bar is wanted.

    Unless the user chooses a backend they are threads: these start at once and copy nothing.
    ``pool``: the threads, where several stages share them, and ``stages``: those in which stages
    wait for them. ``rank``: of their tasks.
    """

    n_jobs: int | None = None
    verbose: int = 0
    pool: Threads | None = None
    stages: ThreadPoolExecutor | None = None
    rank: int = FIRST

    @contextmanager
    def shared(self) -> "Iterator[Workers]":
        """The same workers for stages that go on at once, if they are threads.

        Whoever has nothing left to do in one stage helps in the next. Whatever happens, no task
        goes on when this ends.
        """
        backend, n_jobs = self._backend()
        n_workers = backend.effective_n_jobs(n_jobs)
        if n_workers == 1 or not getattr(backend, "uses_threads", False):
            yield self
            return
        pool, stages = Threads(n_workers), ThreadPoolExecutor(_MOST_STAGES)
        try:
            yield replace(self, pool=pool, stages=stages)
        finally:
            pool.shutdown()
            stages.shutdown()

    @property
    def later(self) -> "Workers":
        """The same, for what is done when nobody else asks."""
        return replace(self, rank=LATER)

    def begin(self, stage: Callable[..., T], *given: Any) -> Callable[[], T]:
        """A stage that is needed later: what it gives, for whoever asks; or its error.

        Workers that are not shared do it at once.
        """
        if self.stages is None or self.pool is None:
            answer = stage(*given)
            return lambda: answer
        return partial(_asked_for, self.pool, self.stages.submit(stage, *given))

    def call(self, task: Callable[..., T], *given: Any) -> T:
        """What one task gives: by a worker if stages share some, or else here."""
        if self.pool is None:
            return _run(task, given)
        answer: T = self.pool.submit(self.rank, _run, task, given).result()
        return answer

    def map(
        self, task: Callable[..., T], shared: tuple[Any, ...], pieces: Sequence[Any], what: str
    ) -> list[T]:
        """``[task(*shared, piece) for piece in pieces]``, in that order whoever does the work.

        No task may change what is shared.
        """
        with ONE_BLAS_THREAD:
            answers = self._answers(task, shared, pieces, what)
            return list(tqdm(answers, desc=what, total=len(pieces), disable=not self.verbose))

    def _answers(
        self, task: Callable[..., T], shared: tuple[Any, ...], pieces: Sequence[Any], what: str
    ) -> Iterable[T]:
        if self.pool is not None:
            submit = partial(self.pool.submit, self.rank)
            return _in_order([submit(_run, task, shared, piece) for piece in pieces])
        backend, n_jobs = self._backend()
        if hasattr(backend, "client"):
            return _on_dask(backend, task, shared, pieces, what)
        n_workers = backend.effective_n_jobs(n_jobs)
        if n_workers == 1:
            return (task(*shared, piece) for piece in pieces)
        if getattr(backend, "uses_threads", False):
            return _in_threads(n_workers, task, shared, pieces)
        return _in_processes(n_jobs, backend, task, shared, pieces)

    def _backend(self) -> tuple[Any, Any]:
        """joblib's, and how many workers it is asked for."""
        backend, _ = get_active_backend(prefer="threads")
        # preferring threads, joblib forgets the n_jobs of its parallel_config: asked once more
        return backend, get_active_backend()[1] if self.n_jobs is None else self.n_jobs


def chunks(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Consecutive pieces of about this size, and an even number of them unless it is one.

    They are the same for every number of workers, so that answers are too. None is empty: of
    nothing there is none, and an odd number of single items stays odd.
    """
    if len(items) <= size:
        return [items] if len(items) else []
    n_pieces = min(2 * ceil(len(items) / (2 * size)), len(items))
    ends = [len(items) * piece // n_pieces for piece in range(n_pieces + 1)]
    return [items[first:last] for first, last in pairwise(ends)]


def _run(task: Callable[..., T], shared: tuple[Any, ...], *piece: Any) -> T:
    with ONE_BLAS_THREAD:
        return task(*shared, *piece)


def _in_threads(
    n_workers: int, task: Callable[..., T], shared: tuple[Any, ...], pieces: Sequence[Any]
) -> Iterator[T]:
    """Answers in order. Whatever happens, no task outlives this call.

    joblib leaves its threads behind when it is interrupted. If Python ends while one of them is
    in HiGHS, the process aborts.
    """
    pool = ThreadPoolExecutor(n_workers)
    try:
        yield from _in_order([pool.submit(_run, task, shared, piece) for piece in pieces])
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(futures: "Sequence[Future[T]]") -> Iterator[T]:
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def _asked_for(pool: Threads, future: "Future[T]") -> T:
    pool.begin()
    return future.result()


def _in_processes(
    n_jobs: int,
    backend: Any,
    task: Callable[..., T],
    shared: tuple[Any, ...],
    pieces: Sequence[Any],
) -> Iterable[T]:
    answers: Iterable[T] = Parallel(
        n_jobs,
        batch_size=1,
        max_nbytes=_MAPPED_FROM,
        return_as="generator" if backend.supports_return_generator else "list",
    )(delayed(_run)(task, shared, piece) for piece in pieces)
    return answers


def _on_dask(
    backend: Any, task: Callable[..., T], shared: tuple[Any, ...], pieces: Sequence[Any], what: str
) -> Iterator[T]:
    """Answers of the Dask cluster that a backend of joblib belongs to, in order.

    joblib would scatter what is shared, and it would be lost with the worker that has it. Here
    it is the result of a task: each worker fetches it once, and the scheduler can repeat it.
    """
    from distributed import as_completed

    with _submitted(backend, task, shared, pieces, what) as futures, backend.retrieval_context():
        places = {future.key: place for place, future in enumerate(futures)}
        found: dict[int, _Packed] = {}
        due = 0
        for future, answer in as_completed(futures, with_results=True):
            found[places[future.key]] = answer
            while due in found:
                yield found.pop(due).value
                due += 1


@contextmanager
def _submitted(
    backend: Any, task: Callable[..., T], shared: tuple[Any, ...], pieces: Sequence[Any], what: str
) -> Iterator[list[Any]]:
    """The futures of the answers; those that nobody waits for any more are given up."""
    import dask

    client, run = backend.client, uuid4().hex
    # Dask warns of large tasks, and the one with the data may be large
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": 2**60}):
        packed = pickle.dumps(_Packed(shared), protocol=pickle.HIGHEST_PROTOCOL)
        at_hand = client.submit(pickle.loads, packed, key=f"shared-{run}")
        futures = client.map(
            _run_packed,
            [_Packed((task, piece)) for piece in pieces],
            shared=at_hand,
            key=[f"{what}-{run}-{place}" for place in range(len(pieces))],
            **backend.submit_kwargs,
        )
    try:
        yield futures
    finally:
        client.cancel([*futures, at_hand])


def _run_packed(task_and_piece: "_Packed", shared: "_Packed") -> "_Packed":
    task, piece = task_and_piece.value
    return _Packed(_run(task, shared.value, piece))


@dataclass(frozen=True, slots=True)
class _Packed:
    """Something that travels over Dask as one string of bytes.

    Dask sends arrays apart and may put them at odd addresses, where NumPy adds in another order
    and last digits change.
    """

    value: Any

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (pickle.dumps(self.value, protocol=pickle.HIGHEST_PROTOCOL),)


def _unpacked(value: bytes) -> _Packed:
    return _Packed(pickle.loads(value))


@dataclass
class _OneBlasThread(ContextDecorator):
    """While anyone in this process is inside, BLAS uses one thread.

    The first to enter notes the number of threads and the last to leave restores it: with a limit
    of each task's own, one that ends would lift its neighbour's. All set it, because some BLAS
    libraries keep a number for each thread.
    """

    inside: int = 0
    before: Any = None
    lock: Lock = field(default_factory=Lock)

    def __enter__(self) -> None:
        with self.lock:
            limiter = _controller().limit(limits=1, user_api="blas")
            if not self.inside:
                self.before = limiter
            self.inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                self.before.restore_original_limits()


ONE_BLAS_THREAD = _OneBlasThread()


@cache
def _controller() -> ThreadpoolController:
    """The libraries that are loaded: to look for them takes a hundred times as long as to ask."""
    return ThreadpoolController()
