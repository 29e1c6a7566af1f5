"""Threads that take tasks from one queue, and those that can wait when there are no others."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread
from typing import Any

FIRST, LATER, LAST = range(3)
"""Ranks of tasks; after the last there is nothing."""


class Threads:
    """Some threads, which begin with the first task that cannot wait.

    ``concurrent.futures`` has no ranks: what can wait would be done first if it came first.
    """

    def __init__(self, most: int) -> None:
        self._most, self._is_over, self._lock = most, False, Lock()
        self._threads: list[Thread] = []
        self._queue: PriorityQueue[tuple[int, int, Future[Any], Callable[[], Any]]] = (
            PriorityQueue()
        )
        self._number = count()

    def submit(self, rank: int, task: Callable[..., Any], *given: Any) -> "Future[Any]":
        """What a task will give; tasks of the same rank are begun in the order they came."""
        future = Future[Any]()
        with self._lock:
            if self._is_over:
                raise RuntimeError("These threads have been shut down: nothing else can be begun.")
            self._queue.put((rank, next(self._number), future, partial(task, *given)))
            if rank == FIRST or self._threads:
                self._one_more()
        return future

    def begin(self) -> None:
        """Also what can wait, if nothing else has come."""
        with self._lock:
            while len(self._threads) < self._most and not self._is_over:
                self._one_more()

    def shutdown(self) -> None:
        """Tasks that are under way end; all others are given up."""
        with self._lock:
            self._is_over = True
            while not self._queue.empty():
                self._queue.get()[2].cancel()
            for _ in self._threads:
                self._queue.put((LAST, next(self._number), Future(), lambda: None))
        for each in self._threads:
            each.join()

    def _one_more(self) -> None:
        if len(self._threads) < self._most:
            thread = Thread(target=self._work, name=f"relbounds worker {len(self._threads)}")
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        while True:
            rank, _, future, task = self._queue.get()
            if rank == LAST:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(task())
            except BaseException as error:
                future.set_exception(error)
            del future, task  # what they hold is not needed while waiting
