"""The fast engine: interior points in batches, every answer proved, the exact engine behind it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.engine.feasible_set import FeasibleSet, ModelSpace
from relbounds.engine.interior.by_blocks import BlockSearch
from relbounds.engine.interior.by_copies import CopySearch, PreparedSearch
from relbounds.engine.interior.path import InteriorPath
from relbounds.engine.interior.pulled import Begun, PulledSearch
from relbounds.engine.interior.search import MOST_LINES, InteriorSearch, Middle
from relbounds.engine.interior.walked import WalkedSearch
from relbounds.engine.outward import Outward
from relbounds.engine.pull import Pulls
from relbounds.engine.working_set import FEW_WEIGHTS

_BLOCK = 45_000  # rows and weights, times the weights that one worker is asked about
_FEWEST_WEIGHTS = 4  # that one worker is asked about
_FEWEST_OF_MANY = 8  # the same where each has others join the working set, which these share


@dataclass(frozen=True)
class Interior:
    """Prepares feasible sets and paths of best models for the interior point.

    ``walks``: where programs are small, walks from the best model may come first.
    """

    walks: bool = False

    def block_size(self, feasible: FeasibleSet) -> int:
        """Enough weights for a batch, and few enough for several workers to get some.

        Where weights are outside the working set, the few that some questions need join it.
        """
        space = feasible.space.with_one_of_each
        if space.n_weights / space.blocks.count > FEW_WEIGHTS:
            return _FEWEST_OF_MANY
        size = (len(space.rows) + space.n_weights) / space.blocks.count
        return int(np.clip(_BLOCK // size, _FEWEST_WEIGHTS, MOST_LINES // 2))

    def prepare(self, feasible: FeasibleSet, start: Any = None) -> PreparedSearch | CopySearch:
        if feasible.space.copies.have_copies.any():
            return CopySearch(feasible, start, self._prepare)
        return self._prepare(feasible, start)

    def _prepare(self, feasible: FeasibleSet, start: Any) -> PreparedSearch:
        if feasible.space.blocks.count > 1:
            return BlockSearch(feasible, start)
        ready = self._walked(feasible, start)
        if ready is not None:
            return WalkedSearch(feasible, ready)
        if Pulls.suit(feasible):
            return PulledSearch(feasible, start)
        return InteriorSearch(feasible, start)

    def _walked(self, feasible: FeasibleSet, start: Any) -> Outward | None:
        """Where walks begin, unless another search has begun already, or is faster."""
        if not self.walks or isinstance(start, Begun | Middle):
            return None
        return start or Outward.ready(feasible)

    def path(self, space: ModelSpace) -> InteriorPath:
        return InteriorPath(space)
