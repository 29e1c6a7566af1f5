"""What does the rest of the library ask of an engine?"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import FeasibleSet, Model, ModelSpace
from relbounds.engine.proof import Bound, WeightRange

Proposal = tuple[Model, FloatArray]
"""A model and the rows' multipliers, as a solver names them: unproved."""


class Search(Protocol):
    """A feasible set made ready to be asked how far weights reach; what it says is proved."""

    @property
    def feasible(self) -> FeasibleSet: ...

    def ranges(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, both ends proved."""

    def extremes(self, goals: FloatArray) -> list[Bound]:
        """The largest ``goal.w`` for each line of (q, d) goals, proved."""

    def relevances(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, as far as the least and largest ``|w|`` need it."""

    def appended(
        self, columns: Sequence[FloatArray], price: float, asked: Sequence[int] | None = None
    ) -> list[list[WeightRange]]:
        """The same for weights of columns that join the set, each (n, e) for itself.

        ``asked``: about which of the e weights; all, unless it is told.
        """

    @property
    def start(self) -> Any:
        """Opaque and picklable: given to ``prepare``, it spares the search for a first model."""


class Path(Protocol):
    """Best models of one problem, asked for at many prices of the loss."""

    @property
    def space(self) -> ModelSpace: ...

    def solve(self, C: float, *, cold: bool) -> Proposal:
        """The best model at C and the rows' multipliers, unproved; cold: from scratch."""

    def solve_many(self, Cs: FloatArray) -> Iterable[Proposal]:
        """The same for many values of C, in ascending order."""


class Engine(Protocol):
    """A replaceable solver: prepares once, answers often."""

    def block_size(self, feasible: FeasibleSet) -> int:
        """How many weights to ask about at a time."""

    def prepare(self, feasible: FeasibleSet, start: Any = None) -> Search:
        """Make a set ready; raises ``InfeasibleError`` if it is empty.

        ``start`` comes from the same set.
        """

    def path(self, space: ModelSpace) -> Path:
        """Make a space ready to be asked for its best models."""
