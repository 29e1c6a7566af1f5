"""Geometry: how far does a direction reach over the good models?

Knows points, rows and budgets; knows nothing of labels, tuning or scikit-learn.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from relbounds.arrays import FloatArray
from relbounds.engine.bound import (
    TIGHT,
    Bound,
    Prepared,
    WeightRange,
    extreme,
    full_range,
    outer_value,
    polished,
    relevance_range,
    unit_goal,
)
from relbounds.engine.budget import Budget
from relbounds.engine.dense import DensePath, DenseProgram
from relbounds.engine.good_models import GoodModels
from relbounds.engine.interior import Interior
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.model_space import Model, ModelSpace
from relbounds.engine.restriction import RestrictedModels, Restriction
from relbounds.engine.simplex import Simplex


class PreparedBody(Protocol):
    """A body made ready to be asked how far weights reach; what it says is proved."""

    @property
    def body(self) -> GoodModels: ...

    def ranges(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, both ends proved."""

    def extremes(self, goals: FloatArray) -> list[Bound]:
        """The largest ``goal.w`` for each line of (q, d) goals, proved."""

    def relevances(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, as far as the least and largest ``|w|`` need it."""

    def strangers(self, columns: Sequence[FloatArray], price: float) -> list[list[WeightRange]]:
        """The same for weights of columns that join the body, each (n, e) for itself."""

    @property
    def start(self) -> Any:
        """Opaque and picklable: given to ``prepare``, it spares the search for a first model."""


class Path(Protocol):
    """Baselines of one problem, asked for at many prices of the loss."""

    @property
    def space(self) -> ModelSpace: ...

    def solve(self, C: float, *, cold: bool) -> tuple[Model, FloatArray]:
        """The best model at C and the rows' multipliers, unproved; cold: from scratch."""

    def solve_many(self, Cs: FloatArray) -> list[tuple[Model, FloatArray]]:
        """The same for many values of C, in ascending order."""


class Engine(Protocol):
    """A replaceable solver: prepares once, answers often."""

    def block_size(self, body: GoodModels) -> int:
        """How many weights to ask about at a time."""

    def prepare(self, body: GoodModels, start: Any = None) -> PreparedBody:
        """Make a body ready; raises ``InfeasibleError`` if it is empty.

        ``start`` comes from the same body.
        """

    def path(self, space: ModelSpace) -> Path:
        """Make a baseline problem ready."""


class Auto:
    """The engine that is faster for the size of a problem; see ARCHITECTURE for measurements."""

    def block_size(self, body: GoodModels) -> int:
        return Interior().block_size(body)

    def prepare(self, body: GoodModels, start: Any = None) -> PreparedBody:
        return Interior().prepare(body, start)

    def path(self, space: ModelSpace) -> Path:
        if DenseProgram.suits(space):
            return DensePath(space)
        small = len(space.rows) * space.n_weights < _SMALL
        return Simplex().path(space) if small else Interior().path(space)


_SMALL = 30_000  # coefficients, up to which HiGHS's warm starts win along a path
ENGINES: dict[str, type[Engine]] = {"auto": Auto, "interior": Interior, "simplex": Simplex}

__all__ = [
    "ENGINES",
    "TIGHT",
    "Bound",
    "Budget",
    "Engine",
    "GoodModels",
    "Interior",
    "MarginRows",
    "Model",
    "ModelSpace",
    "Path",
    "Prepared",
    "PreparedBody",
    "RestrictedModels",
    "Restriction",
    "Simplex",
    "WeightRange",
    "extreme",
    "full_range",
    "outer_value",
    "polished",
    "relevance_range",
    "unit_goal",
]
