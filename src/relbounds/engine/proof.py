"""How far does a direction reach, and what proves it?

A solver's word is never taken. From the point it names we recompute the value that is
reached (*inner*), from its multipliers a value that no good model can pass (*outer*).
Proofs come in batches, a line for each answer; a single answer is a batch of one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, relevance_of
from relbounds.engine.feasible_set import Budget, FeasibleSet, Model, ModelSpace
from relbounds.engine.rows import MarginRows
from relbounds.engine.sums import sums_of_products

TIGHT = 1e-7
"""An answer counts as proved if its gap is at most this share of the set's scale (or of the
answer, where that is larger), and its violation at most this share of the budget."""
ADVICE = (
    "Columns or sample weights of very different size, a very large C and a very small or large "
    "tolerance make programs hard: scale the columns (standardize=True), or choose a smaller C or "
    "another tolerance."
)
"""What to do where a program is not solved, or its answer not proved."""
_FEW = 0.1  # of all weights
MOST_KEPT = 200
"""Weights, up to which models at the ends are kept."""


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
        kept = model if len(model.weights) <= MOST_KEPT else None
        return cls(inner, outer, violation, model=kept)

    @property
    def gap(self) -> float:
        return self.outer - self.inner

    def joined(self, other: "Bound | None") -> "Bound":
        """What both prove of the same question: who comes nearest to the nearer limit.

        Mostly that is who reaches further; what reaches beyond the limit exceeds a budget a little.
        """
        if other is None:
            return self
        outer = float(np.fmin(self.outer, other.outer))
        good = [each for each in (self, other) if each.violation <= TIGHT] or [self]
        away = np.nan_to_num([abs(outer - each.inner) for each in good], nan=np.inf)
        return replace(good[int(np.argmin(away))], outer=outer)

    def is_tight(self, scale: float) -> bool:
        return abs(self.gap) <= TIGHT * max(scale, abs(self.inner)) and self.violation <= TIGHT


@dataclass(frozen=True)
class WeightRange:
    """The signed range of one weight, each end with its proof.

    ``high`` bounds the largest ``w``, and ``low`` the largest ``-w``: see ``ends``.
    """

    low: Bound
    high: Bound

    @classmethod
    def zero(cls) -> "WeightRange":
        """Of a weight that is absent."""
        return cls(Bound(0.0, 0.0, 0.0), Bound(0.0, 0.0, 0.0))

    @classmethod
    def within(cls, low: float, high: float) -> "WeightRange":
        """Of a weight of which no more is known than that ``-w`` and ``w`` cannot pass these."""
        return cls(Bound(low, low, 0.0), Bound(high, high, 0.0))

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
        """``(minrel, maxrel)``: the least and the largest ``|w|``.

        For that an end on the other side of zero may be proved no further than not to exceed
        the larger one.
        """
        low, high = (min(end.inner, end.outer) for end in (self.low, self.high))
        least, most = relevance_of(np.array([-low, high])).tolist()
        return least, most

    @property
    def fallbacks(self) -> int:
        """How many ends another engine had to be asked for."""
        return self.low.fell_back + self.high.fell_back


class DualBound(NamedTuple):
    """``goal.w <= norm_worth * norm + loss_worth * loss + rest`` for all models, line by line.

    ``gradients``, (batch, d + e): ``goal + A'alpha`` of each weight, in units of its price.
    """

    norm_worth: FloatArray
    loss_worth: FloatArray
    rest: FloatArray
    gradients: FloatArray

    def within(self, budget: Budget) -> FloatArray:
        """What no model within a budget can pass."""
        return budget.most(self.norm_worth, self.loss_worth) + self.rest


def dual_bound(
    space: ModelSpace,
    multipliers: FloatArray,
    goals: FloatArray,
    offset_box: tuple[FloatArray, FloatArray],
    *,
    columns: FloatArray | None = None,
    price: float = 1.0,
) -> DualBound:
    """Weak duality: what (batch, m) multipliers of the rows prove about ``goal . w``.

    A multiplier ``alpha_r`` may be negative only where a surplus costs something, and positive
    always. For every model that keeps the rows it has to, with ``value_r = a_r.w + t_r.b``::

        goal.w = (goal + A'alpha).w + (T'alpha).b + alpha.(margin - value) - alpha.margin
              <= norm_worth * norm  +  rest of b  +  loss_worth * loss     - alpha.margin

    The offsets' coefficient vanishes up to rounding; what is left of it is paid for with the widest
    values that offsets can have, which the box says. ``columns`` and ``price`` are those of
    ``Claims``: weights that only one line has.
    """
    rows, alpha = space.rows, allowed(space.rows, multipliers)
    by_point, prices = rows.by_point(alpha), space.prices
    gradients = by_point @ space.points[: by_point.shape[1]]
    if columns is not None and columns.shape[1]:
        own = np.einsum("bn,ben->be", by_point, columns[:, :, : by_point.shape[1]])
        gradients = np.concatenate([gradients, own], axis=1)
        prices = np.r_[prices, np.full(own.shape[1], price)]
    gradients += goals
    gradients /= prices
    left_over = _left_over(rows.offset_gradient(alpha), offset_box)
    return DualBound(
        np.abs(gradients).max(axis=1, initial=0.0),
        loss_worth(rows, alpha),
        left_over - alpha @ rows.margin,
        gradients,
    )


def exact_dual_bound(
    space: ModelSpace,
    multipliers: FloatArray,
    goal: FloatArray,
    offset_box: tuple[FloatArray, FloatArray],
) -> DualBound:
    """The same of one line, by sums that are rounded once: of large terms little may be left."""
    rows, alpha, d = space.rows, allowed(space.rows, multipliers), space.n_weights
    terms = np.column_stack([rows.coefficients(space.points), -rows.margin])
    sums = sums_of_products(alpha, terms, np.r_[goal, np.zeros(rows.n_offsets + 1)])[None]
    gradients = sums[:, :d] / space.prices
    return DualBound(
        np.abs(gradients).max(axis=1, initial=0.0),
        loss_worth(rows, alpha[None]),
        _left_over(sums[:, d:-1], offset_box) + sums[:, -1],
        gradients,
    )


def _left_over(residual: FloatArray, offset_box: tuple[FloatArray, FloatArray]) -> FloatArray:
    """What gradients of offsets cost at most, which should be none."""
    low, high = offset_box
    with np.errstate(invalid="ignore"):
        most = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
    total: FloatArray = most.sum(axis=1)
    return total


def allowed(rows: MarginRows, multipliers: FloatArray) -> FloatArray:
    """Multipliers may be negative only where a surplus costs something."""
    positive: FloatArray = np.maximum(multipliers, 0.0)
    return (
        np.where(rows.surplus_weight > 0, multipliers, positive) if rows.have_surplus else positive
    )


def loss_worth(rows: MarginRows, alpha: FloatArray) -> FloatArray:
    """The least price of the loss at which no multiplier, all allowed, is beyond its limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = alpha / rows.weight
        if rows.have_surplus:
            worth = np.where(alpha < 0, -alpha / rows.surplus_weight, worth)
    # 0 / 0, a multiplier that is not used of a row that costs nothing, asks for no price: fmax
    # passes it over. A multiplier that is no number makes no proof: the rest is none either.
    price: FloatArray = np.fmax.reduce(worth, axis=-1, initial=0.0)
    return price


def room_of(rows: MarginRows, alpha: FloatArray) -> FloatArray:
    """How far each multiplier is from its limits at the price of the loss that all need."""
    price = loss_worth(rows, alpha)[..., None]
    with np.errstate(invalid="ignore"):  # price 0 of a row that must hold
        return np.fmin(alpha + price * rows.surplus_weight, price * rows.weight - alpha)


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

    def norms(self, space: ModelSpace) -> FloatArray:
        size, d = np.abs(self.weights), space.n_weights
        norms: FloatArray = size[:, :d] @ space.prices + self.price * size[:, d:].sum(axis=1)
        return norms

    def shortfalls(self, space: ModelSpace) -> FloatArray:
        """By how much models miss each row."""
        d, used = space.n_weights, np.flatnonzero(self.weights.any(axis=0))
        used = used[used < d]
        if len(used) < _FEW * d:  # as of wide tables
            scores = self.weights[:, used] @ space.columns[used]
        else:
            scores = self.weights[:, :d] @ space.points.T
        if self.columns.shape[1]:
            scores += np.einsum("ben,be->bn", self.columns, self.weights[:, d:])
        return space.rows.shortfalls(scores, self.offsets)

    def dual_bound(self, feasible: FeasibleSet) -> DualBound:
        """What the multipliers prove, as they are."""
        box = feasible.offset_box
        if self.columns.shape[1]:
            box = feasible.offset_box_with(self.columns, self.price)
        return self.dual_bound_within(feasible.space, box)

    def dual_bound_within(self, space: ModelSpace, box: tuple[FloatArray, FloatArray]) -> DualBound:
        """The same of models whose offsets are within a box."""
        return dual_bound(
            space,
            self.multipliers,
            self.goals,
            box,
            columns=self.columns,
            price=self.price,
        )


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


def certify(
    feasible: FeasibleSet, goal: FloatArray, model: Model, multipliers: FloatArray
) -> Bound:
    """What one answer proves about the largest ``goal.w``, its multipliers as they are."""
    bound = dual_bound(feasible.space, multipliers[None], goal[None], feasible.offset_box)
    outer = float(bound.within(feasible.budget)[0])
    return Bound.by(model, float(goal @ model.weights), outer, feasible.violation(model))


def prove(feasible: FeasibleSet, claims: Claims) -> Proved:
    """What claims prove, their multipliers balanced where that is needed."""
    space, budget = feasible.space, feasible.budget
    bound, missed = claims.dual_bound(feasible), claims.shortfalls(space)
    outer = bound.within(budget)
    loose = outer - claims.reached > TIGHT * feasible.scale
    if loose.any():
        balanced = _balanced(space.rows, claims[loose])
        outer[loose] = np.fmin(outer[loose], balanced.dual_bound(feasible).within(budget))
    models = map(Model, claims.weights, claims.offsets)
    violation = feasible.excess(claims.norms(space), missed)
    values = np.column_stack([claims.reached, outer, violation]).tolist()
    bounds = [Bound.by(model, *each) for model, each in zip(models, values, strict=True)]
    return Proved(bounds, missed, bound.gradients)


def _balanced(rows: MarginRows, claims: Claims) -> Claims:
    """The same with multipliers whose gradient at offsets vanishes, as it nearly does.

    Those that have room are moved in proportion to it. What is left of it would be paid
    for with the widest values that offsets can have.
    """
    alpha = allowed(rows, claims.multipliers)
    room = np.fmax(room_of(rows, alpha), 0.0)
    units = np.eye(rows.n_offsets)
    matrices = np.stack([rows.offset_gradient(room * rows.added(each)) for each in units], axis=1)
    moves = np.linalg.pinv(matrices, hermitian=True) @ rows.offset_gradient(alpha)[:, :, None]
    alpha -= room * rows.added(moves[:, :, 0])
    return replace(claims, multipliers=alpha)
