"""Number by number: what engines spend their time in, compiled where numba is installed.

The passes over long arrays of an interior point are two to four times as fast with numba (extra
``relbounds[fast]``), and their answers differ in rounding alone. A dense simplex method is there
only with numba; HiGHS does what it does.
"""

from pathlib import Path
from types import ModuleType

from relbounds.engine.kernels import plain


def _compiled() -> tuple[ModuleType, ModuleType] | None:
    try:
        from relbounds.engine.kernels import compiled, dense_simplex
    except ImportError:
        return None
    return compiled, dense_simplex


_passes, dense_simplex = _compiled() or (plain, None)
divide, wish, row_duals = _passes.divide, _passes.wish, _passes.row_duals
foresee, correct, steps, move = _passes.foresee, _passes.correct, _passes.steps, _passes.move
factor, solve = _passes.factor, _passes.solve


def wait_for_compiling() -> bool:
    """Whether the first answers wait some ten seconds for numba, as after an installation."""
    if dense_simplex is None:
        return False
    folder = Path(_passes.divide.stats.cache_path)
    return not any(folder.glob(f"{_passes.__name__.rpartition('.')[2]}.*.nbi"))


__all__ = [
    "correct",
    "dense_simplex",
    "divide",
    "factor",
    "foresee",
    "move",
    "row_duals",
    "solve",
    "steps",
    "wait_for_compiling",
    "wish",
]
