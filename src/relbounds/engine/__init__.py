"""Geometry: how far does a direction reach over the good models?

Knows points, rows and budgets; knows nothing of labels, tuning or scikit-learn.
"""

from typing import Any, Protocol

from relbounds.arrays import FloatArray
from relbounds.engine.bound import TIGHT, Bound, Model, Multipliers, Prepared, extreme, outer_value
from relbounds.engine.budget import Budget
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.simplex import Simplex


class PreparedWithStart(Prepared, Protocol):
    """A prepared body that tells where its programs start."""

    @property
    def start(self) -> Any:
        """Opaque and picklable: given to ``prepare``, it spares the search for a first model."""


class Path(Protocol):
    """Baselines of one problem, asked for at many C."""

    @property
    def points(self) -> FloatArray: ...

    @property
    def rows(self) -> MarginRows: ...

    def solve(self, C: float, *, cold: bool) -> tuple[Model, Multipliers]:
        """The best model at C, unproved; cold: from scratch."""


class Engine(Protocol):
    """A replaceable solver: prepares once, answers often; what it says is proved by others."""

    def prepare(self, body: GoodModels, start: Any = None) -> PreparedWithStart:
        """Make a body ready; raises ``InfeasibleError`` if it is empty.

        ``start`` may come from the same body or from one with fewer features.
        """

    def path(self, points: FloatArray, rows: MarginRows) -> Path:
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
    "Multipliers",
    "Path",
    "Prepared",
    "Simplex",
    "extreme",
    "outer_value",
]
