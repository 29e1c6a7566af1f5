"""What constraints leave of the oracle's programs, by brute force over signs.

Shares no code with relbounds. The relevance ``|w|`` is linear where the sign of ``w`` is known. So
each weight that a limit of relevance speaks of gets either sign, and a program is solved for every
pattern of signs: in an orthant, and with the weight chosen that has to be large enough, all
constraints are rows. What all good models do is what those of some orthant do.

A feature is a tuple of weights, each named by its block and place: a regular one has one weight, a
privileged one has two (``u_chi`` and ``u_xi``), and a constant one none. Its relevance is the
largest ``|weight|``, so that it is as large as a lower limit where *one* of its weights is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
from oracle import Array, Limit, Program, Rows, limited, solved
from scipy import sparse

Weight = tuple[str, int]
Feature = tuple[Weight, ...]
PRIVILEGED_BLOCKS = ("u_chi", "u_xi")


def regular(k: int) -> Feature:
    return (("w", k),)


def privileged(k: int) -> Feature:
    return tuple((block, k) for block in PRIVILEGED_BLOCKS)


@dataclass(frozen=True)
class Signed:
    """``low <= w <= high`` for every weight of the features."""

    features: tuple[Feature, ...]
    low: float
    high: float


@dataclass(frozen=True)
class Relevance:
    """``low <= max |w| <= high`` for each of the features."""

    features: tuple[Feature, ...]
    low: float
    high: float


@dataclass(frozen=True)
class Total:
    """``sum |w| <= most`` over all weights of all features."""

    features: tuple[Feature, ...]
    most: float


Asked = Signed | Relevance | Total


def weights_of(asked: Asked) -> list[Weight]:
    return sorted({weight for feature in asked.features for weight in feature})


def signed_weights(constraints: Sequence[Asked]) -> list[Weight]:
    """Those that get either sign."""
    limited = [each for each in constraints if not isinstance(each, Signed)]
    return sorted({weight for each in limited for weight in weights_of(each)})


class Orthant(NamedTuple):
    """Rows that hold where weights have given signs and chosen weights are large.

    ``case`` names the large weights and their signs: over all orthants of a case together, the
    constraints are convex.
    """

    case: tuple[tuple[Weight, int], ...]
    rows: Rows


def orthants(program: Program, constraints: Sequence[Asked]) -> Iterator[Orthant]:
    """Each pattern of signs, with each choice of weights that have to be large."""
    weights = signed_weights(constraints)
    large = [
        (feature, each.low)
        for each in constraints
        if isinstance(each, Relevance) and each.low > 0
        for feature in each.features
    ]
    for signs in product((1, -1), repeat=len(weights)):
        sign = dict(zip(weights, signs, strict=True))
        rows = [row for each in constraints for row in _rows(program, each, sign)]
        rows += [(-sign[weight] * program.unit(*weight), 0.0) for weight in weights]
        for chosen in product(*(feature for feature, _ in large)):
            least = [
                (-sign[weight] * program.unit(*weight), -low)
                for weight, (_, low) in zip(chosen, large, strict=True)
            ]
            case = tuple((weight, sign[weight]) for weight in chosen)
            yield Orthant(case, _together(program, rows + least))


def _rows(program: Program, asked: Asked, sign: dict[Weight, int]) -> Iterator[tuple[Array, float]]:
    """``row . v <= upper`` for what is linear once signs are known; limits below are chosen."""
    units = [(weight, program.unit(*weight)) for weight in weights_of(asked)]
    if isinstance(asked, Total):
        yield sum((sign[weight] * unit for weight, unit in units), 0 * program.norm), asked.most
        return
    for weight, unit in units:
        if isinstance(asked, Relevance):
            yield sign[weight] * unit, asked.high
        else:
            yield unit, asked.high
            yield -unit, -asked.low


def _together(program: Program, rows: list[tuple[Array, float]]) -> Rows:
    """Rows as a matrix, without those that limit nothing."""
    finite = [(row, upper) for row, upper in rows if upper < np.inf]
    matrix = np.array([row for row, _ in finite]).reshape(-1, len(program.norm))
    return matrix, np.array([upper for _, upper in finite])


def least_tolerance(program: Program, budget: list[Limit], constraints: Sequence[Asked]) -> float:
    """The least t at which a model keeps constraints and ``1 + t`` times every limit."""
    found = [
        _least_tolerance(program, budget, each.rows) for each in orthants(program, constraints)
    ]
    return min(found, default=np.inf)


def _least_tolerance(program: Program, budget: list[Limit], rows: Rows) -> float:
    """One program, with t as a further variable."""
    limits = [
        np.r_[norm_price * program.norm + loss_price * program.loss, -most]
        for norm_price, loss_price, most in budget
    ]
    kept = np.vstack([program.matrix, rows[0]])
    matrix = np.vstack([np.column_stack([kept, np.zeros(len(kept))]), *limits])
    upper = np.concatenate([program.upper, rows[1], [limit.most for limit in budget]])
    cost = np.eye(matrix.shape[1])[-1]
    found = solved(cost, matrix, upper, np.vstack([program.signs, [-1.0, np.inf]]))
    return np.inf if found is None else float(found[-1])


Ranges = dict[Weight, tuple[float, float]]


def constrained_ranges(
    program: Program, budget: list[Limit], constraints: Sequence[Asked]
) -> dict[tuple[tuple[Weight, int], ...], Ranges]:
    """``[min w, max w]`` of every weight in every case that holds a good model."""
    found: dict[tuple[tuple[Weight, int], ...], Ranges] = {}
    for orthant in orthants(program, constraints):
        ranges = _ranges(program, budget, orthant.rows)
        if ranges is not None:
            before = found.get(orthant.case, ranges)
            found[orthant.case] = {
                weight: _hull(before[weight], ranges[weight]) for weight in ranges
            }
    return found


def _ranges(program: Program, budget: list[Limit], rows: Rows) -> Ranges | None:
    """Both ends of every weight, or None where there is no good model.

    All ends are asked for at once: a copy of the variables for each, which have nothing to do with
    one another.
    """
    weights = _all(program)
    units = np.array([program.unit(*weight) for weight in weights])
    matrix, upper = limited(program, budget, rows)
    copies = 2 * len(weights)
    found = solved(
        np.vstack([units, -units]).ravel(),
        sparse.kron(sparse.eye_array(copies), matrix, format="csc"),
        np.tile(upper, copies),
        np.tile(program.signs, (copies, 1)),
    )
    if found is None:
        return None
    low, high = found.reshape(2, *units.shape)
    ends = np.column_stack([(units * low).sum(axis=1), (units * high).sum(axis=1)])
    return {weight: (float(lo), float(hi)) for weight, (lo, hi) in zip(weights, ends, strict=True)}


def _hull(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), max(one[1], other[1])


def constrained_range(cases: Sequence[Ranges], weight: Weight) -> tuple[float, float]:
    """What holds a weight in all cases."""
    return min(each[weight][0] for each in cases), max(each[weight][1] for each in cases)


def constrained_interval(cases: Sequence[Ranges], feature: Feature) -> tuple[float, float]:
    """The least and the largest relevance over all cases.

    In one case it is the paper's: the larger ones of both functions.
    """
    lows = [max(_least_size(each[weight]) for weight in feature) for each in cases]
    highs = [max(abs(end) for end in each[weight]) for each in cases for weight in feature]
    return min(lows), max(highs)


def _least_size(ends: tuple[float, float]) -> float:
    return max(0.0, ends[0], -ends[1])


def largest(program: Program, budget: list[Limit], direction: Array) -> float:
    """The largest ``direction . (w, u_chi, u_xi)`` over good models."""
    goal = np.sum(
        [
            size * program.unit(*weight)
            for size, weight in zip(direction, _all(program), strict=True)
        ],
        axis=0,
    )
    found = solved(-goal, *limited(program, budget), program.signs)
    if found is None:
        raise RuntimeError("The oracle's program has no solution.")
    return float(goal @ found)


def _all(program: Program) -> list[Weight]:
    blocks = [block for block in ("w", *PRIVILEGED_BLOCKS) if block in program.sizes]
    return [(block, k) for block in blocks for k in range(program.sizes[block])]
