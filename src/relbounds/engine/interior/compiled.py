"""Programs as the compiled loop takes them, and what it makes of them."""

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.interior.program import Iterate, Own, Places, Point, Program

_MOST_LIMITS = 2


def suits(program: Program) -> bool:
    """Whether there is a compiled loop, and Python's knows no way to square less."""
    return (
        kernels.interior is not None
        and len(program.limits) <= _MOST_LIMITS
        and not program.has_many_weights
        and all(squares.uses_all for _, _, squares in program.parts)
    )


def ended(
    program: Program,
    own: Own,
    start: Point,
    goals: FloatArray,
    prices: FloatArray,
    *,
    enough: FloatArray,
    constant: float = np.nan,
    paired: bool = False,
) -> list[Iterate]:
    """Where the programs of a batch end; see ``kernels.interior``."""
    loop, at = kernels.interior, Places.of(program, own)
    assert loop is not None, "only what suits is asked"
    programs = loop.Programs(*_shared(program), *_own(own), *_moving(start))
    goals = np.ascontiguousarray(goals)
    loop.reach(programs, goals, prices, enough, constant=constant, paired=paired)
    weights = programs.primal[:, at.plus] - programs.primal[:, at.minus]
    of_limits = programs.dual[:, at.limits] @ program.shares
    multipliers = programs.dual[:, at.rows].copy()
    return list(map(Iterate, weights, programs.offsets, multipliers, prices + of_limits))


def centred(program: Program, own: Own, start: Point) -> Point | None:
    """The analytic centre, from a point inside; None if lost."""
    loop = kernels.interior
    assert loop is not None, "only what suits is asked"
    programs = loop.Programs(*_shared(program), *_own(own), *_moving(start))
    if not loop.centre(programs):
        return None
    return Point(programs.primal, programs.dual, programs.offsets, programs.gap)


def _shared(program: Program) -> tuple[FloatArray | IntArray, ...]:
    coefficients = np.ascontiguousarray(program.coefficients)
    prices = program.slack_price, program.linear, program.prices, program.shares
    return coefficients, *map(np.ascontiguousarray, prices), *_kinds(program)


def _kinds(program: Program) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Orders of rows, where in them points differ, the ends of each kind, and columns."""
    kinds = program.kinds
    sizes = [(len(kind.first), len(kind.rows), len(kind.columns)) for kind in kinds]
    return (
        np.concatenate([kind.rows for kind in kinds]),
        np.concatenate([np.append(kind.first, len(kind.rows)) for kind in kinds]),
        np.cumsum(sizes, axis=0),
        np.concatenate([kind.columns for kind in kinds]),
    )


def _own(own: Own) -> tuple[FloatArray, FloatArray, IntArray, float]:
    spans = np.array([(span.start, span.stop) for span in own.spans], dtype=np.int64)
    columns, linear = np.ascontiguousarray(own.columns), np.ascontiguousarray(own.linear)
    return columns, linear, spans.reshape(-1, 2), own.price


def _moving(start: Point) -> tuple[FloatArray, ...]:
    """Copies, since they are moved."""
    parts = start.primal, start.dual, start.offsets, start.gap
    return tuple(np.array(part, order="C") for part in parts)
