"""Element by element: the passes over long arrays that an interior point spends its time in.

With numba installed (extra ``relbounds[fast]``) they are compiled, two to four times as fast; their
answers differ in rounding alone.
"""

from types import ModuleType

from relbounds.engine.kernels import plain


def _fastest() -> ModuleType:
    try:
        from relbounds.engine.kernels import compiled
    except ImportError:
        return plain
    return compiled


_passes = _fastest()
divide, wish, row_duals = _passes.divide, _passes.wish, _passes.row_duals
foresee, correct, steps, move = _passes.foresee, _passes.correct, _passes.steps, _passes.move
factor, solve = _passes.factor, _passes.solve

__all__ = [
    "correct",
    "divide",
    "factor",
    "foresee",
    "move",
    "row_duals",
    "solve",
    "steps",
    "wish",
]
