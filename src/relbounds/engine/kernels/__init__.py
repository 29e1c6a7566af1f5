"""Number by number: what engines spend their time in, compiled where a compiler was at hand.

The installation compiles the C of c/, or a wheel brings it compiled. Without either the passes over
long arrays of an interior point are NumPy's and its loop is Python's, with answers that differ in
rounding alone, and HiGHS and interior points do what the dense simplex method and walks from corner
to corner do.
"""

import logging
from types import ModuleType

from relbounds.engine.kernels import plain


def _compiled() -> tuple[ModuleType, ...] | None:
    try:
        from relbounds.engine.kernels import (
            compiled,
            corners,
            dense_simplex,
            logit,
            margins,
            outward,
            pull,
        )
    except ImportError:
        logging.getLogger(__name__).info(
            "relbounds was installed without its compiled kernels, which take a C compiler. "
            "Other code does the same; fits take up to five times as long, follow-ups up to ten."
        )
        return None
    return compiled, corners, dense_simplex, logit, margins, outward, pull


def _loop() -> ModuleType | None:
    """None also where a compiler leaves it out because NumPy's products are faster than its own."""
    try:
        from relbounds.engine.kernels import interior, native
    except ImportError:
        return None
    return interior if hasattr(native, "reach") else None


_passes, corners, dense_simplex, logit, margins, outward, pull = _compiled() or (
    plain,
    *(None,) * 6,
)
interior = _loop()
divide, wish, row_duals = _passes.divide, _passes.wish, _passes.row_duals
foresee, correct, steps, move = _passes.foresee, _passes.correct, _passes.steps, _passes.move
factor, solve = _passes.factor, _passes.solve


__all__ = [
    "corners",
    "correct",
    "dense_simplex",
    "divide",
    "factor",
    "foresee",
    "interior",
    "logit",
    "margins",
    "move",
    "outward",
    "pull",
    "row_duals",
    "solve",
    "steps",
    "wish",
]
