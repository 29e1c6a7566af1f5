"""Tasks that tell what a worker sees: in a module of their own, which workers can import."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

from relbounds.engine import ModelSpace
from relbounds.exceptions import InfeasibleError

_arrivals = 0


class Courier:
    """Counts in each process how often it was unpickled there."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrive, ()


def _arrive() -> Courier:
    global _arrivals  # noqa: PLW0603
    _arrivals += 1
    return Courier()


def arrivals(courier: Courier, piece: int) -> tuple[int, int]:
    """The process, and how many couriers have arrived in it."""
    return os.getpid(), _arrivals


def weighted_sum(points: np.ndarray, factor: float, piece: int) -> float:
    return float((points[piece] * factor).sum())


def process(piece: int) -> int:
    return os.getpid()


def address(points: np.ndarray, piece: int) -> int:
    """Where in memory an array is."""
    return int(points.ctypes.data)


def aligned(*arrays: np.ndarray) -> tuple[int, bool]:
    """The process, and whether all numbers are at addresses that are multiples of their size."""
    return os.getpid(), all(each.flags.aligned for each in arrays)


def files(space: ModelSpace, piece: int) -> dict[str, str | None]:
    """The files that a space's arrays are mapped from."""
    arrays = {
        "points": space.points,
        "sign": space.rows.sign,
        "offset_matrix": space.rows.offset_matrix.data,
        "prices": space.prices,
    }
    return {name: getattr(each, "filename", None) for name, each in arrays.items()}


def blas_threads(piece: int) -> set[int]:
    """How many threads the loaded BLAS libraries use."""
    np.ones((200, 200)) @ np.ones((200, 200))
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def meet(barrier: threading.Barrier, piece: int) -> int:
    """Returns once as many tasks as the barrier asks for run at the same time."""
    return barrier.wait(timeout=30)


def fail_at(culprit: int, piece: int) -> int:
    if piece == culprit:
        raise InfeasibleError(f"piece {piece} cannot be")
    return piece


def die_once(folder: Path, points: np.ndarray, piece: np.ndarray) -> float:
    """A sum; each of the first two pieces kills its worker when it is tried first."""
    mark = folder / str(piece[0])
    if piece[0] < 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float((points + piece[0]).sum())


def connected() -> bool:
    """Whether the worker has a client of its own."""
    from distributed import get_client

    return get_client().status == "running"
