"""Number by number: what engines spend their time in, compiled where numba is installed.

The passes over long arrays of an interior point are two to four times as fast with numba (extra
``relbounds[fast]``), and their answers differ in rounding alone. A dense simplex method is there
only with numba; HiGHS does what it does.
"""

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
    "wish",
]
