"""How far do weights reach as the tolerance grows? Walks from one set of good models to the next.

Without any tolerance the best model is the only good one. From there both ends of a weight's range
are walked, from tolerance to tolerance, so that each answer begins where the one before ended.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import (
    TIGHT,
    Bound,
    Corners,
    Engine,
    FeasibleSet,
    Model,
    ModelSpace,
    Path,
    Search,
    WeightRange,
    unit_goal,
)
from relbounds.method.intervals import weight_ranges
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study

_MOST_COEFFICIENTS = 200_000  # beyond, walks of all probes together would take much memory


def along(study: Study) -> Engine:
    """The engine for sets of growing tolerance, one after another."""
    corners = study.corners_without_tolerance
    if corners is None or corners.rows.size > _MOST_COEFFICIENTS:
        return study.engine
    return Along(study.engine, corners, study.best.solution.model)


@ONE_BLAS_THREAD
def ranges_at(study: Study, tolerance: float, workers: Workers) -> list[WeightRange]:
    """The range of every weight with another tolerance, both ends exact: walks from known ends."""
    rule, in_loss = (
        replace(study.settings.rule, tolerance=tolerance),
        study.best.choice.in_loss(study.data),
    )
    feasible, _ = rule.feasible_set(study.best, in_loss, study.data.groups)
    keys = [(k, sign) for k in range(feasible.space.n_weights) for sign in (-1, 1)]
    begun = [study.walk(*key) for key in keys]
    known = [walk for walk in begun if walk is not None and not walk.is_lost]
    if study.corners is None or len(known) < len(keys):
        return weight_ranges(study.engine, feasible, study.engine.prepare(feasible).start, workers)
    corners = study.corners.within(feasible)
    ends = corners.bounds([corners.led_on(walk).go_on() for walk in known])
    ranges = [WeightRange(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)]
    missing = [
        k
        for k, each in enumerate(ranges)
        if not (each.low.is_tight(feasible.scale) and each.high.is_tight(feasible.scale))
    ]
    if missing:
        solved = study.engine.prepare(feasible).ranges(missing)
        for k, each in zip(missing, solved, strict=True):
            ranges[k] = each
    return ranges


class Along:
    """An engine that remembers its walks, for sets that grow around a best model.

    Ranges are proved as far as relevance needs them. What cannot be walked, or proved, another
    engine is asked for.
    """

    def __init__(self, engine: Engine, corners: Corners, best: Model) -> None:
        self.engine, self._corners, self._best = engine, corners, best
        self._ends: dict[Hashable, Ends] = {}

    def block_size(self, feasible: FeasibleSet) -> int:
        return self.engine.block_size(feasible)

    def path(self, space: ModelSpace) -> Path:
        return self.engine.path(space)

    def prepare(self, feasible: FeasibleSet, start: Any = None) -> "Search | WalkedSearch":
        if feasible.space is not self._corners.feasible.space:
            return self.engine.prepare(feasible, start)
        return WalkedSearch(self, self._corners.within(feasible))

    def ends_of(self, weight: int) -> "Ends":
        """Those of a weight, where they are now."""
        if weight not in self._ends:
            self._ends[weight] = Ends(self._corners, weight, self._best)
        return self._ends[weight]

    def ends_of_columns(
        self, columns: FloatArray, price: float, asked: Sequence[int]
    ) -> "list[Ends]":
        """Those of some of the columns that join the set together."""
        d, more = self._corners.feasible.space.n_weights, columns.shape[1]
        keys = [(columns.tobytes(), price, each) for each in asked]
        new = [key for key in keys if key not in self._ends]
        if new:
            wider = self._corners.with_columns(columns, price)
            model = Model(np.r_[self._best.weights, np.zeros(more)], self._best.offsets)
            self._ends |= {key: Ends(wider, d + key[2], model) for key in new}
        return [self._ends[key] for key in keys]


class WalkedSearch:
    """A set of growing ones, ready to be asked how far weights reach."""

    start = None

    def __init__(self, along: Along, corners: Corners) -> None:
        self.feasible, self._along, self._corners = corners.feasible, along, corners

    def ranges(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, as far as relevance needs it."""
        found = self._proved([self._along.ends_of(weight) for weight in weights])
        missing = [k for k, each in zip(weights, found, strict=True) if each is None]
        solved = iter(self._engine_search.ranges(missing) if missing else ())
        return [each or next(solved) for each in found]

    relevances = ranges

    def extremes(self, goals: FloatArray) -> list[Bound]:
        return self._engine_search.extremes(goals)

    def appended(
        self, columns: Sequence[FloatArray], price: float, asked: Sequence[int] | None = None
    ) -> list[list[WeightRange]]:
        """The same for weights of columns that join the set, each (n, e) for itself."""
        asked = range(columns[0].shape[1]) if asked is None else asked
        more = len(asked)
        ends = [each for of in columns for each in self._along.ends_of_columns(of, price, asked)]
        found = self._proved(ends, [of for of in columns for _ in range(2 * more)], price)
        of_columns = [found[first : first + more] for first in range(0, len(found), more)]
        return [
            [each for each in of if each] if all(of) else self._by_engine(column, price, asked)
            for column, of in zip(columns, of_columns, strict=True)
        ]

    def _by_engine(
        self, column: FloatArray, price: float, asked: Sequence[int]
    ) -> list[WeightRange]:
        return self._engine_search.appended([column], price, asked)[0]

    @property
    def _engine_search(self) -> Search:
        return self._along.engine.prepare(self.feasible)

    def _proved(
        self, ends: "Sequence[Ends]", columns: Sequence[FloatArray] = (), price: float = 1.0
    ) -> list[WeightRange | None]:
        for each in ends:
            each.go_on(self._corners.limits)
        walks = [walk for each in ends for walk in each.walks]
        bounds = self._corners.bounds(walks, columns, price)
        pairs = zip(bounds[::2], bounds[1::2], strict=True)
        scale = self.feasible.scale
        return [each.proved(pair, scale) for each, pair in zip(ends, pairs, strict=True)]


class Ends:
    """Walks to both ends of a weight's range, and how far they have reached.

    Sets grow, so that what was reached once stays. An end on the other side of zero than the one
    further away does not change relevance, and goes no further than to show that.
    """

    def __init__(self, corners: Corners, weight: int, best: Model) -> None:
        goals = [unit_goal(corners.feasible.space, weight, sign) for sign in (-1, 1)]
        self.walks = [corners.walk(goal, best) for goal in goals]
        self._known = [Bound(float(goal @ best.weights), np.inf, 0.0) for goal in goals]

    def go_on(self, limits: FloatArray) -> None:
        """To the ends of a wider set."""
        further = int(np.argmax([each.inner for each in self._known]))
        first, second = self.walks[further], self.walks[1 - further]
        first.turn_to(limits).go_on()
        is_beyond_zero = self._known[1 - further].inner >= 0
        most = first.reached if first.is_at_end and is_beyond_zero else -np.inf
        second.turn_to(limits).go_on(most)

    def proved(self, bounds: Sequence[Bound], scale: float) -> WeightRange | None:
        """The range, if what was found proves its ends as far as relevance needs them."""
        for end, (walk, bound) in enumerate(zip(self.walks, bounds, strict=True)):
            if walk.is_at_end and bound.is_tight(scale):
                self._known[end] = bound
            elif walk.falls_short and bound.outer <= bounds[1 - end].inner + TIGHT * scale:
                self._known[end] = replace(self._known[end], outer=bound.outer)
            else:
                return None
        return WeightRange(*self._known)
