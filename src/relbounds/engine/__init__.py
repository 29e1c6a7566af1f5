"""Geometry: how far does a direction reach over the good models?

Knows points, rows and budgets; knows nothing of labels, tuning or scikit-learn.
"""

from typing import Any

from relbounds.engine.copies import Copies
from relbounds.engine.corners import Corners
from relbounds.engine.dense import DensePath, DenseProgram
from relbounds.engine.feasible_set import Budget, FeasibleSet, Model, ModelSpace, unit_goal
from relbounds.engine.growing import GrowingSets
from relbounds.engine.highs.engine import HighsPath, Simplex
from relbounds.engine.highs.search import Solver, extreme, full_range, relevance_range
from relbounds.engine.interior.engine import Interior
from relbounds.engine.interior.path import InteriorPath
from relbounds.engine.nearby_path import NearbyPath
from relbounds.engine.outer import outer_values
from relbounds.engine.polishing import polished
from relbounds.engine.proof import TIGHT, Bound, WeightRange, dual_bound
from relbounds.engine.protocols import Engine, Path, Search
from relbounds.engine.pulled_path import PulledPath
from relbounds.engine.restriction import RestrictedModels, Restriction
from relbounds.engine.rows import MarginRows
from relbounds.engine.walks import Course, Walk, tangents
from relbounds.engine.working_set import FEW_WEIGHTS


class Auto:
    """The engine that is faster for the size of a problem.

    The only place that chooses; measurements are in docs/decisions/engine_choice.md.
    """

    def block_size(self, feasible: FeasibleSet) -> int:
        return Interior().block_size(feasible)

    def prepare(self, feasible: FeasibleSet, start: Any = None) -> Search:
        return Interior(walks=True).prepare(feasible, start)

    def path(self, space: ModelSpace) -> Path:
        if NearbyPath.suits(space):
            return NearbyPath(space)
        if DenseProgram.suits(space):
            return DensePath(space)
        if PulledPath.suits(space):
            return PulledPath(space)
        return HighsPath(space) if HighsPath.suits(space) else InteriorPath(space)


ENGINES: dict[str, type[Engine]] = {"auto": Auto, "interior": Interior, "simplex": Simplex}

__all__ = [
    "ENGINES",
    "FEW_WEIGHTS",
    "TIGHT",
    "Auto",
    "Bound",
    "Budget",
    "Copies",
    "Corners",
    "Course",
    "Engine",
    "FeasibleSet",
    "GrowingSets",
    "HighsPath",
    "Interior",
    "MarginRows",
    "Model",
    "ModelSpace",
    "NearbyPath",
    "Path",
    "PulledPath",
    "RestrictedModels",
    "Restriction",
    "Search",
    "Simplex",
    "Solver",
    "Walk",
    "WeightRange",
    "dual_bound",
    "extreme",
    "full_range",
    "outer_values",
    "polished",
    "relevance_range",
    "tangents",
    "unit_goal",
]
