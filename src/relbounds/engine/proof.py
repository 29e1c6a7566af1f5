"""How far does a direction reach, and what proves it?

A solver's word is never taken. From the point it names we recompute the value that is
reached (*inner*), from its multipliers a value that no good model can pass (*outer*).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine.feasible_set import FeasibleSet, Model, ModelSpace
from relbounds.engine.rows import MarginRows

TIGHT = 1e-7
"""An answer counts as proved if its gap is at most this share of the set's scale (or of the
answer, where that is larger), and its violation at most this share of the budget."""
_MOST_KEPT = 200  # weights, up to which models at the ends are kept
_SAME_GRADIENT = 1e-4  # gradients that differ by no more, relatively, count as equal
_NO_ROOM = 1e-12  # of the largest multiplier: one that is no further from its limits is at them
_REFINEMENTS = 2  # the second mends what rounding left of the first


@dataclass(frozen=True)
class Bound:
    """``inner <= max goal.w <= outer`` over the good models.

    ``inner`` is the value of a model that exceeds the budget by the share ``violation``
    (rounding, at most ``TIGHT``); ``outer`` holds by weak duality whatever the solver did.
    ``fell_back``: another engine had to be asked for it. ``model`` is the one that reaches it, kept
    where weights are few, since it may start what is asked later.
    """

    inner: float
    outer: float
    violation: float
    fell_back: bool = False
    model: Model | None = field(default=None, compare=False)

    @classmethod
    def by(cls, model: Model, inner: float, outer: float, violation: float) -> "Bound":
        """What a model reaches, and what is proved of that."""
        kept = model if len(model.weights) <= _MOST_KEPT else None
        return cls(inner, outer, violation, model=kept)

    @property
    def gap(self) -> float:
        return self.outer - self.inner

    def is_tight(self, scale: float) -> bool:
        return abs(self.gap) <= TIGHT * max(scale, abs(self.inner)) and self.violation <= TIGHT


@dataclass(frozen=True)
class WeightRange:
    """The signed range of one weight, each end with its proof."""

    low: Bound
    high: Bound

    @classmethod
    def zero(cls) -> "WeightRange":
        """Of a weight that is absent."""
        return cls(Bound(0.0, 0.0, 0.0), Bound(0.0, 0.0, 0.0))

    @property
    def ends(self) -> tuple[float, float]:
        """``(min w, max w)``; rounding never turns them around."""
        low, high = -self.low.inner, self.high.inner
        return min(low, high), max(low, high)

    @property
    def gaps(self) -> tuple[float, float]:
        return abs(self.low.gap), abs(self.high.gap)

    @property
    def relevance(self) -> tuple[float, float]:
        """The least and the largest ``|w|``.

        For that an end on the other side of zero may be proved no further than not to exceed
        the larger one.
        """
        ends = [min(end.inner, end.outer) for end in (self.low, self.high)]
        return max(0.0, -min(ends)), max(ends)

    @property
    def fallbacks(self) -> int:
        """How many ends another engine had to be asked for."""
        return self.low.fell_back + self.high.fell_back


def outer_value(
    space: ModelSpace,
    multipliers: FloatArray,
    goal: FloatArray,
    offset_box: tuple[FloatArray, FloatArray],
) -> tuple[float, float, float]:
    """Weak duality: what the rows' multipliers prove about ``goal . w``.

    A multiplier ``alpha_r`` may be negative only where a surplus costs something, and positive
    always. For every model that keeps the rows it has to, with ``value_r = a_r.w + t_r.b``::

        goal.w = (goal + A'alpha).w + (T'alpha).b + alpha.(margin - value) - alpha.margin
              <= norm_worth * norm  +  rest of b  +  loss_worth * loss     - alpha.margin

    Returns ``(norm_worth, loss_worth, rest)``. The offsets' coefficient vanishes up to
    rounding; what is left of it is paid for with the widest values that offsets can have, which
    the box says.
    """
    rows, alpha = space.rows, _allowed(space.rows, multipliers)
    residual = rows.offset_gradient(alpha)
    low, high = offset_box
    with np.errstate(invalid="ignore"):
        left_over = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
    gradient = np.abs(goal + rows.gradient(space.points, alpha)) / space.prices
    return (
        float(gradient.max(initial=0.0)),
        _loss_worth(rows, alpha),
        float(left_over.sum() - alpha @ rows.margin),
    )


def _allowed(rows: MarginRows, multipliers: FloatArray) -> FloatArray:
    return np.where(rows.surplus_weight > 0, multipliers, np.maximum(multipliers, 0.0))


def _loss_worth(rows: MarginRows, alpha: FloatArray) -> float:
    """The least price of the loss at which no multiplier is beyond its limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(alpha < 0, -alpha / rows.surplus_weight, alpha / rows.weight)
    return float(worth.max(initial=0.0))


def polished(
    space: ModelSpace, multipliers: FloatArray, goal: FloatArray, norm_share: float
) -> FloatArray:
    """Multipliers whose gradient vanishes at offsets and is the same at the steepest weights.

    That is what those of a vertex do, and a solver's nearly. Those that have room are moved in
    proportion to it. ``norm_share``: what the norm costs where the loss costs one; the
    gradient is just that share of the price of the loss, unless the norm has a limit of its own.
    """
    rows, alpha = space.rows, _allowed(space.rows, multipliers)
    price = _loss_worth(rows, alpha)
    with np.errstate(invalid="ignore"):  # price 0 of a row that must hold
        room = np.fmin(alpha + price * rows.surplus_weight, price * rows.weight - alpha)
    free = np.flatnonzero(room > _NO_ROOM * np.abs(alpha).max(initial=0.0))
    gradient = (goal + rows.gradient(space.points, alpha)) / space.prices
    steepest = np.flatnonzero(
        np.abs(gradient) >= (1 - _SAME_GRADIENT) * np.abs(gradient).max(initial=0.0)
    )
    limit = np.median(np.abs(gradient[steepest])) if len(steepest) else 0.0
    if abs(limit - norm_share * price) <= _SAME_GRADIENT * limit:
        limit = norm_share * price
    chosen = rows.subset(free)
    coefficients = np.hstack(
        [
            chosen.offset_matrix.toarray(),
            chosen.sign[:, None] * (space.points / space.prices)[chosen.point][:, steepest],
        ]
    )
    root = np.sqrt(room[free])
    for _ in range(_REFINEMENTS):
        gradient = (goal + rows.gradient(space.points, alpha))[steepest] / space.prices[steepest]
        change = np.r_[-rows.offset_gradient(alpha), np.sign(gradient) * limit - gradient]
        moves = np.linalg.lstsq((root[:, None] * coefficients).T, change, rcond=None)[0]
        alpha[free] += root * moves
    return alpha


def certify(
    feasible: FeasibleSet, goal: FloatArray, model: Model, multipliers: FloatArray
) -> Bound:
    """Recompute what an engine's answer proves about the largest ``goal.w``."""
    norm_worth, loss_worth, rest = outer_value(
        feasible.space, multipliers, goal, feasible.offset_box
    )
    outer = feasible.budget.most(norm_worth, loss_worth) + rest
    return Bound.by(model, float(goal @ model.weights), outer, feasible.violation(model))


@dataclass(frozen=True, eq=False)
class Claims:
    """What an engine says of several directions, unproved; a line for each.

    Attributes
    ----------
    goals, weights : (batch, d + e) arrays
        Own weights, of columns that only one line has, come last.
    offsets : (batch, k) array
    multipliers : (batch, m) array
    prices : (batch, 2) array
        Of norm and loss.
    columns : (batch, e, n) array
        The own columns, of points.
    price : float
        What own weights count in the norm.
    """

    goals: FloatArray
    weights: FloatArray
    offsets: FloatArray
    multipliers: FloatArray
    prices: FloatArray
    columns: FloatArray
    price: float

    def __getitem__(self, lines: BoolArray | slice) -> "Claims":
        return Claims(
            self.goals[lines],
            self.weights[lines],
            self.offsets[lines],
            self.multipliers[lines],
            self.prices[lines],
            self.columns[lines],
            self.price,
        )

    def __iter__(self) -> Iterator["Claims"]:
        """Each line for itself."""
        return (self[line : line + 1] for line in range(len(self.goals)))

    @property
    def reached(self) -> FloatArray:
        reached: FloatArray = np.einsum("bd,bd->b", self.goals, self.weights)
        return reached


@dataclass(frozen=True, eq=False)
class Proved:
    """Bounds of claims, and what kept them from being tighter.

    Attributes
    ----------
    bounds : list of Bound
    shortfalls : (batch, m) array
        Of the models.
    gradients : (batch, d + e) array
        ``goal + A'alpha`` of each weight, in units of its price.
    """

    bounds: list[Bound]
    shortfalls: FloatArray
    gradients: FloatArray


class Prover:
    """Proves claims about one set."""

    def __init__(self, feasible: FeasibleSet) -> None:
        self._feasible = feasible

    @cached_property
    def _incidence(self) -> sparse.csr_array:
        """From rows to points, with signs."""
        rows, n = self._feasible.space.rows, len(self._feasible.space.points)
        entries = (rows.sign, (rows.point, np.arange(len(rows))))
        return sparse.csr_array(entries, shape=(n, len(rows)))

    def prove(self, claims: Claims) -> Proved:
        """What claims prove, their multipliers balanced where that is needed."""
        shortfalls = self.shortfalls(claims)
        violation = self._violations(claims, shortfalls)
        outer, gradients = self._outer(claims)
        loose = outer - claims.reached > TIGHT * self._feasible.scale
        if loose.any():
            balanced = self._balanced(claims[loose])
            outer[loose] = np.fmin(outer[loose], self._outer(balanced)[0])
        bounds = [
            Bound.by(Model(*model), float(inner), float(limit), float(excess))
            for *model, inner, limit, excess in zip(
                claims.weights, claims.offsets, claims.reached, outer, violation, strict=True
            )
        ]
        return Proved(bounds, shortfalls, gradients)

    def shortfalls(self, claims: Claims) -> FloatArray:
        """By how much models miss each row."""
        space, d = self._feasible.space, self._feasible.space.n_weights
        scores = claims.weights[:, :d] @ space.points.T
        scores += np.einsum("ben,be->bn", claims.columns, claims.weights[:, d:])
        rows = space.rows
        values = scores[:, rows.point]
        values *= rows.sign
        values += (rows.offset_matrix @ claims.offsets.T).T
        return np.subtract(rows.margin, values, out=values)

    def _violations(self, claims: Claims, shortfalls: FloatArray) -> FloatArray:
        feasible, rows = self._feasible, self._feasible.space.rows
        budget, d = feasible.budget, feasible.space.n_weights
        weight = np.where(rows.must_hold, 0.0, rows.weight)
        loss = np.maximum(shortfalls, 0) @ weight - np.minimum(shortfalls, 0) @ rows.surplus_weight
        size = np.abs(claims.weights)
        norm = size[:, :d] @ feasible.space.prices + claims.price * size[:, d:].sum(axis=1)
        cost = budget.norm_price * norm + budget.loss_price * loss
        row_violation = shortfalls[:, rows.must_hold].max(axis=1, initial=0.0) / rows.margin_size
        of_cost, of_norm = (cost - budget.limit) / feasible.cost_unit, norm / budget.norm_limit - 1
        violations: FloatArray = np.maximum(np.maximum(of_cost, of_norm), row_violation)
        return violations

    def _balanced(self, claims: Claims) -> Claims:
        """The same with multipliers whose gradient at offsets vanishes, as it nearly does.

        Those that have room are moved in proportion to it. What is left of it would be paid
        for with the widest values that offsets can have.
        """
        rows = self._feasible.space.rows
        alpha = _allowed_lines(rows, claims.multipliers)
        price = _loss_worths(rows, alpha)[:, None]
        with np.errstate(invalid="ignore"):
            room = np.fmin(alpha + price * rows.surplus_weight, price * rows.weight - alpha)
        room = np.where(room > 0, room, 0.0)
        offsets = rows.offset_matrix.toarray()
        matrices = np.stack([(room * column) @ offsets for column in offsets.T], axis=1)
        moves = np.linalg.pinv(matrices, hermitian=True) @ (alpha @ offsets)[:, :, None]
        alpha -= room * (moves[:, :, 0] @ offsets.T)
        return replace(claims, multipliers=alpha)

    def _outer(self, claims: Claims) -> tuple[FloatArray, FloatArray]:
        space, budget = self._feasible.space, self._feasible.budget
        rows, d = space.rows, space.n_weights
        alpha = _allowed_lines(rows, claims.multipliers)
        by_point = (self._incidence @ alpha.T).T
        own = np.einsum("bn,ben->be", by_point, claims.columns) / claims.price
        gradients = np.concatenate([by_point @ space.points / space.prices, own], axis=1)
        gradients[:, :d] += claims.goals[:, :d] / space.prices
        gradients[:, d:] += claims.goals[:, d:] / claims.price
        residual = (rows.offset_matrix.T @ alpha.T).T
        low, high = self._feasible.offset_box
        with np.errstate(invalid="ignore"):
            left_over = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
        norm_worth, loss_worth = (
            np.abs(gradients).max(axis=1, initial=0.0),
            _loss_worths(rows, alpha),
        )
        most = [budget.most(*each) for each in zip(norm_worth, loss_worth, strict=True)]
        return most + left_over.sum(axis=1) - alpha @ rows.margin, gradients


def _allowed_lines(rows: MarginRows, multipliers: FloatArray) -> FloatArray:
    """Multipliers may be negative only where a surplus costs something."""
    return np.where(rows.surplus_weight > 0, multipliers, np.maximum(multipliers, 0.0))


def _loss_worths(rows: MarginRows, alpha: FloatArray) -> FloatArray:
    """The least price of the loss at which no multiplier is beyond its limits, line by line."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(alpha < 0, -alpha / rows.surplus_weight, alpha / rows.weight)
    price: FloatArray = np.nanmax(worth, axis=1, initial=0.0)
    return price
