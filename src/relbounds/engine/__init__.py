"""Geometry: how far does a direction reach over the good models?

Knows points, rows and budgets; knows nothing of labels, tuning or scikit-learn.
"""

from typing import Any, Protocol

from relbounds.arrays import FloatArray
from relbounds.engine.bound import TIGHT, Bound, Prepared, extreme, outer_value, polished
from relbounds.engine.budget import Budget
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.model_space import Model, ModelSpace
from relbounds.engine.simplex import Simplex


class PreparedWithStart(Prepared, Protocol):
    """A prepared body that tells where its programs start."""

    @property
    def start(self) -> Any:
        """Opaque and picklable: given to ``prepare``, it spares the search for a first model."""


class Path(Protocol):
    """Baselines of one problem, asked for at many prices of loss and weights."""

    @property
    def space(self) -> ModelSpace: ...

    def price_weights(self, prices: FloatArray) -> None:
        """From now on the space has these prices."""

    def solve(self, C: float, *, cold: bool) -> tuple[Model, FloatArray]:
        """The best model at C and the rows' multipliers, unproved; cold: from scratch."""


class Engine(Protocol):
    """A replaceable solver: prepares once, answers often; what it says is proved by others."""

    def prepare(self, body: GoodModels, start: Any = None) -> PreparedWithStart:
        """Make a body ready; raises ``InfeasibleError`` if it is empty.

        ``start`` may come from the same body or from one without its last weights.
        """

    def path(self, space: ModelSpace) -> Path:
        """Make a baseline problem ready."""


ENGINES: dict[str, type[Engine]] = {"simplex": Simplex}

__all__ = [
    "ENGINES",
    "TIGHT",
    "Bound",
    "Budget",
    "Engine",
    "GoodModels",
    "MarginRows",
    "Model",
    "ModelSpace",
    "Path",
    "Prepared",
    "Simplex",
    "extreme",
    "outer_value",
    "polished",
]
