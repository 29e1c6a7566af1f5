"""The set of good models: the body that every engine measures."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.budget import Budget
from relbounds.engine.model_space import Model, ModelSpace


@dataclass(frozen=True, eq=False)
class GoodModels:
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
        What the best model costs of the body that this is, or was cut from; infinite if not known.
    """

    space: ModelSpace
    budget: Budget
    scale: float
    witness: Model | None = None
    best_cost: float = np.inf

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

    def cost(self, model: Model) -> float:
        """What the budget's limit applies to."""
        budget = self.budget
        return budget.norm_price * self.space.norm(model) + budget.loss_price * self.space.loss(
            model
        )

    def violation(self, model: Model) -> float:
        """By how much, relatively, a model breaks limits and rows; not positive for a good one."""
        return max(
            (self.cost(model) - self.budget.limit) / self.cost_unit,
            self.space.norm(model) / self.budget.norm_limit - 1,
            self.space.breach(model),
        )

    def over(self, space: ModelSpace) -> "GoodModels":
        """The same budget over another space, of which no good model is known."""
        return replace(self, space=space, witness=None)
