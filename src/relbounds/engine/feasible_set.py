"""Which models are good? All models of a problem, what they may cost, and the set within that."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray, IntArray, RoughArray
from relbounds.engine.blocks import Blocks
from relbounds.engine.copies import Copies
from relbounds.engine.rows import MarginRows

_NUMBERS_AT_A_TIME = 50_000  # of points, which need not be copied as a whole
NORM_PRICE = 0.5
"""Of the norm in what best models minimise and joint budgets limit: ``norm / 2 + C * loss``."""


@dataclass(frozen=True, eq=False)
class Model:
    """Weights and offsets."""

    weights: FloatArray
    offsets: FloatArray

    def towards(self, other: "Model", share: float) -> "Model":
        """A share of the way to another: as good as both, since sets of good models are convex."""
        return Model(
            (1 - share) * self.weights + share * other.weights,
            (1 - share) * self.offsets + share * other.offsets,
        )


@dataclass(frozen=True, eq=False)
class ModelSpace:
    """Models ``(w, b)`` over points and rows, with ``norm(w) = sum_k price_k * |w_k|``.

    Attributes
    ----------
    points : (n, d) array
    rows : MarginRows
    prices : (d,) array
        What a unit of each weight counts in the norm.
    """

    points: FloatArray
    rows: MarginRows
    prices: FloatArray

    @classmethod
    def unpriced(cls, points: FloatArray, rows: MarginRows) -> "ModelSpace":
        """The space in which every weight counts the same."""
        return cls(points, rows, np.ones(points.shape[1]))

    @property
    def n_weights(self) -> int:
        return int(self.points.shape[1])

    def norm(self, model: Model) -> float:
        return float(self.prices @ np.abs(model.weights))

    def loss(self, model: Model) -> float:
        return float(self.rows.priced(self.shortfalls(model))[0])

    def losses(self, model: Model) -> FloatArray:
        """The loss of each row."""
        return self.rows.losses(self.shortfalls(model))

    def shortfalls(self, model: Model) -> FloatArray:
        """By how much each row is missed; negative: exceeded."""
        return self.rows.shortfalls(self.points @ model.weights, model.offsets)

    def row_violation(self, model: Model) -> float:
        """The most by which a row that has to be kept is missed, as a share of margins."""
        return float(self.rows.priced(self.shortfalls(model))[1])

    def offset_box(self, norm: float, loss: float) -> tuple[FloatArray, FloatArray]:
        """Limits that every offset keeps in a model of at most this norm and loss."""
        return self.rows.offset_box(self.reach * norm, loss)

    @cached_property
    def columns(self) -> FloatArray:
        """A line of points for each weight, in memory one after another."""
        return np.ascontiguousarray(self.points.T)

    @cached_property
    def rough_columns(self) -> RoughArray:
        """The same in single precision."""
        return self.columns.astype(np.float32)

    @cached_property
    def blocks(self) -> Blocks:
        """Which weights and rows have nothing to do with others?"""
        return Blocks.of(self.points, self.rows)

    @cached_property
    def copies(self) -> Copies:
        """Which columns are the same as others, and their weights count the same?"""
        return Copies.of(self.points, self.prices)

    @property
    def with_one_of_each(self) -> "ModelSpace":
        """The space of the first of copies alone: its models can do what all can."""
        return self._of_firsts if self.copies.have_copies.any() else self

    @cached_property
    def _of_firsts(self) -> "ModelSpace":
        """Kept where it is another space only: one that held itself would outlive its use."""
        kept = self.copies.is_first
        return ModelSpace(self.points[:, kept], self.rows, self.prices[kept])

    def with_all_copies(self, model: Model) -> Model:
        """A model of that space in this one: the first of copies has all of their weight."""
        if len(model.weights) == self.n_weights:
            return model
        weights = np.zeros(self.n_weights)
        weights[self.copies.is_first] = model.weights
        return Model(weights, model.offsets)

    @cached_property
    def reach(self) -> FloatArray:
        """The largest score of each point in a model of norm one."""
        reach = np.zeros(len(self.points))
        lines = max(1, _NUMBERS_AT_A_TIME // max(1, self.n_weights))
        for first in range(0, len(reach), lines):
            some = slice(first, first + lines)
            np.abs(self.points[some] / self.prices).max(axis=1, initial=0.0, out=reach[some])
        return reach

    @cached_property
    def squared_lengths(self) -> FloatArray:
        """Of points, columns in units of their prices."""
        return np.asarray(np.einsum("nd,nd,d->n", self.points, self.points, self.prices**-2.0))

    def with_columns(self, columns: FloatArray, price: float) -> "ModelSpace":
        """The space with more weights, which come last."""
        return replace(
            self,
            points=np.column_stack([self.points, columns]),
            prices=np.r_[self.prices, np.full(columns.shape[1], price)],
        )

    def with_replaced_columns(self, positions: IntArray, columns: FloatArray) -> "ModelSpace":
        """The space with other columns in some weights' places."""
        points = self.points.copy()
        points[:, positions] = columns
        return replace(self, points=points)


def unit_goal(space: ModelSpace, k: int, sign: int) -> FloatArray:
    """The goal of one weight, large or small."""
    goal = np.zeros(space.n_weights)
    goal[k] = sign
    return goal


@dataclass(frozen=True)
class Budget:
    """``norm_price * |w|_1 + loss_price * loss <= limit`` and ``|w|_1 <= norm_limit``."""

    norm_price: float
    loss_price: float
    limit: float
    norm_limit: float

    @classmethod
    def split(cls, norm: float, loss: float, loss_unit: float = 1.0) -> "Budget":
        """``|w|_1`` and the loss each have a limit of their own.

        Losses are counted in units of their size, which keeps solvers' tolerances meaningful.
        """
        return cls(
            norm_price=0.0, loss_price=1 / loss_unit, limit=loss / loss_unit, norm_limit=norm
        )

    @classmethod
    def joint(cls, C: float, limit: float) -> "Budget":
        """``|w|_1 / 2 + C * loss <= limit``, which implies ``|w|_1 <= 2 * limit``."""
        return cls(NORM_PRICE, loss_price=C, limit=limit, norm_limit=limit / NORM_PRICE)

    @property
    def norm_share(self) -> float:
        """What the norm costs where the loss costs one."""
        return self.norm_price / self.loss_price

    @property
    def loss_limit(self) -> float:
        """The most that the loss can be."""
        return self.limit / self.loss_price

    def cost(self, norm: FloatArray | float, loss: FloatArray) -> FloatArray:
        """What the limit applies to."""
        return self.norm_price * norm + self.loss_price * loss

    def most(self, norm_worth: FloatArray, loss_worth: FloatArray) -> FloatArray:
        """The largest ``norm_worth * |w|_1 + loss_worth * loss``, for worths of at least 0.

        Taken at one of the two corners of (norm, loss) that no other dominates.
        """
        left_for_loss = (self.limit - self.norm_price * self.norm_limit) / self.loss_price
        return np.maximum(
            loss_worth * self.loss_limit,
            norm_worth * self.norm_limit + loss_worth * left_for_loss,
        )


@dataclass(frozen=True, eq=False)
class FeasibleSet:
    """``{(w, b) : the rows that have to be kept are, with (norm, loss) within the budget}``.

    Attributes
    ----------
    space : ModelSpace
    budget : Budget
    scale : float
        The size of weights, here: the norm that gaps are measured against.
    witness : Model or None
        A good model, if one is known.
    best_cost : float
        What the best model costs of the set that this is, or was cut from; infinite if not known.
    best_price : float or None
        The price of the loss at which the witness is the best of all models, if it is.
    """

    space: ModelSpace
    budget: Budget
    scale: float
    witness: Model | None = None
    best_cost: float = np.inf
    best_price: float | None = None

    @property
    def cost_unit(self) -> float:
        """What it costs to miss a margin: the size of costs, even where none are made."""
        rows = self.space.rows
        missed = rows.typical_price * rows.margin_size
        return max(self.budget.limit, self.budget.loss_price * missed)

    @cached_property
    def offset_box(self) -> tuple[FloatArray, FloatArray]:
        """Limits that offsets keep in all good models."""
        return self.space.offset_box(self.budget.norm_limit, self.budget.loss_limit)

    def offset_box_with(self, columns: FloatArray, price: float) -> tuple[FloatArray, FloatArray]:
        """Limits that they also keep where one line of columns, (batch, e, n), joins the set."""
        of_columns = np.abs(columns).max(axis=(0, 1), initial=0.0) / price
        reach = np.maximum(self.space.reach, of_columns) * self.budget.norm_limit
        return self.space.rows.offset_box(reach, self.budget.loss_limit)

    def cost(self, model: Model) -> float:
        """What the budget's limit applies to."""
        return float(self.cost_of(self.space.norm(model), self.space.shortfalls(model)))

    def cost_of(self, norm: FloatArray | float, missed: FloatArray) -> FloatArray:
        """The same of a model's norm and shortfalls, or of several models', a line each."""
        return self.budget.cost(norm, self.space.rows.priced(missed)[0])

    def violation(self, model: Model) -> float:
        """By how much, relatively, a model breaks limits and rows; not positive for a good one."""
        return float(self.excess(self.space.norm(model), self.space.shortfalls(model)))

    def excess(self, norm: FloatArray | float, missed: FloatArray) -> FloatArray:
        """The same of a model's norm and shortfalls, or of several models', a line each."""
        return self.excess_of_limits(norm, *self.space.rows.priced(missed))

    def excess_of_limits(
        self, norm: FloatArray | float, loss: FloatArray, row_violation: FloatArray
    ) -> FloatArray:
        """The same where the loss is known, and by how much rows that have to be kept are not."""
        budget = self.budget
        of_cost = (budget.cost(norm, loss) - budget.limit) / self.cost_unit
        of_norm = norm / budget.norm_limit - 1
        excess: FloatArray = np.maximum(np.maximum(of_cost, of_norm), row_violation)
        return excess

    def over(self, space: ModelSpace, witness: Model | None = None) -> "FeasibleSet":
        """The same budget over another space, of which a good model may be known."""
        return replace(self, space=space, witness=witness, best_price=None)
