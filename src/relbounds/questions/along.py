"""How far do weights reach as the tolerance grows? Walks from one set of good models to the next.

Without any tolerance the best model is the only good one. From there both ends of a weight's range
are walked, from tolerance to tolerance, so that each answer begins where the one before ended.
"""

from collections.abc import Hashable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import (
    TIGHT,
    Bound,
    Corners,
    Course,
    Engine,
    FeasibleSet,
    GrowingSets,
    Model,
    ModelSpace,
    Path,
    Search,
    Walk,
    WeightRange,
    tangents,
    unit_goal,
)
from relbounds.method.intervals import weight_ranges
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study

T = TypeVar("T")
_AT_A_TIME = 4  # weights whose ends are proved together


def along(study: Study, tolerances: Sequence[float]) -> Engine:
    """The engine for sets of these tolerances."""
    corners = study.corners_without_tolerance
    if corners is None:
        return study.engine
    sets = [set_at(study, each) for each in sorted({*tolerances})]
    return Along(study.engine, GrowingSets(corners.with_sum, sets), study.best.solution.model)


def set_at(study: Study, tolerance: float) -> FeasibleSet:
    """The models that are good with another tolerance."""
    rule, in_loss = (
        replace(study.settings.rule, tolerance=tolerance),
        study.best.choice.in_loss(study.data),
    )
    return rule.feasible_set(study.best, in_loss, study.data.groups)[0]


@ONE_BLAS_THREAD
def ranges_at(study: Study, tolerance: float, workers: Workers) -> list[WeightRange]:
    """The range of every weight with another tolerance, both ends exact: walks from known ends."""
    feasible = set_at(study, tolerance)
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

    def __init__(self, engine: Engine, growing: GrowingSets, best: Model) -> None:
        self.engine, self.growing, self._best = engine, growing, best
        self._ends: dict[Hashable, Ends] = {}
        self._goes_ahead = True

    def __getstate__(self) -> dict[str, Any]:
        """Elsewhere nothing is remembered, and no walk goes further than it is asked to."""
        return {**self.__dict__, "_ends": {}, "_goes_ahead": False}

    def block_size(self, feasible: FeasibleSet) -> int:
        return self.engine.block_size(feasible)

    def path(self, space: ModelSpace) -> Path:
        return self.engine.path(space)

    def prepare(self, feasible: FeasibleSet, start: Any = None) -> "Search | WalkedSearch":
        for place, each in enumerate(self.growing.sets):
            if feasible.space is each.space and feasible.budget == each.budget:
                return WalkedSearch(self, place)
        return self.engine.prepare(feasible, start)

    def of_weights(self, weights: Sequence[int], place: int) -> list[WeightRange | None]:
        """The range of each weight in one of the sets; None where it could not be proved."""
        corners, found = self.growing.corners, list[WeightRange | None]()
        for some in _in_parts(weights, _AT_A_TIME):
            new = [each for each in some if each not in self._ends]
            for weight, ends in zip(new, _begun(corners, new, self._best), strict=True):
                self._ends.setdefault(weight, ends)
            found += self._found([self._ends[each] for each in some], place, self._goes_ahead)
        return found

    def of_columns(
        self, columns: Sequence[FloatArray], price: float, asked: Sequence[int], place: int
    ) -> list[list[WeightRange | None]]:
        """The same of weights of columns that join the sets, each (n, e) for itself.

        In company they are asked about in few of the sets, and walks go no further than that.
        """
        goes_ahead = self._goes_ahead and len(asked) == columns[0].shape[1]
        found = list[WeightRange | None]()
        for some in _in_parts(columns, _AT_A_TIME):
            ends = [each for of in some for each in self._ends_of_columns(of, price, asked)]
            own = [of for of in some for _ in asked]
            found += self._found(ends, place, goes_ahead, own, price)
        return [list(each) for each in _in_parts(found, len(asked))]

    def _ends_of_columns(
        self, columns: FloatArray, price: float, asked: Sequence[int]
    ) -> "list[Ends]":
        """Those of some of the columns that join the sets together."""
        d, more = self.growing.corners.feasible.space.n_weights, columns.shape[1]
        keys = [(columns.tobytes(), price, each) for each in asked]
        new = [key for key in keys if key not in self._ends]
        if new:
            wider = self.growing.corners.with_columns(columns, price)
            model = Model(np.r_[self._best.weights, np.zeros(more)], self._best.offsets)
            begun = _begun(wider, [d + each for *_, each in new], model)
            for key, ends in zip(new, begun, strict=True):
                self._ends.setdefault(key, ends)
        return [self._ends[key] for key in keys]

    def _found(
        self,
        ends: "Sequence[Ends]",
        place: int,
        goes_ahead: bool,
        columns: Sequence[FloatArray] = (),
        price: float = 1.0,
    ) -> list[WeightRange | None]:
        """Ranges in one of the sets, and whatever else is on the way."""
        legs = slice(place, len(self.growing.sets) if goes_ahead else place + 1)
        none = [None] * len(ends)
        own: dict[Ends, FloatArray | None] = dict(zip(ends, columns or none, strict=True))
        with ExitStack() as held:
            for each in sorted(own, key=id):  # in one order, so that nobody waits for ever
                held.enter_context(each.lock)
            self._go_on({each: of for each, of in own.items() if each.next <= place}, legs, price)
            return [each.found.get(place) for each in ends]

    def _go_on(self, still: "dict[Ends, FloatArray | None]", legs: slice, price: float) -> None:
        """Through some of the sets; with each the columns that are its own, if it has any."""
        courses = [course for each in still for course in each.go_on(self.growing.limits[legs])]
        own = [of for of in still.values() if of is not None for _ in "lh"]
        bounds = self.growing.bounds(courses, legs, own, price) if still else []
        for k, each in enumerate(still):
            pair = slice(2 * k, 2 * k + 2)
            each.note(courses[pair], bounds[pair], legs, self.growing.sets[0].scale)
            if legs.stop == len(self.growing.sets):
                each.walks = ()


class WalkedSearch:
    """A set of growing ones, ready to be asked how far weights reach."""

    start = None

    def __init__(self, along: Along, place: int) -> None:
        self.feasible, self._along, self._place = along.growing.sets[place], along, place

    def ranges(self, weights: Sequence[int]) -> list[WeightRange]:
        """The range of each weight, as far as relevance needs it."""
        found = self._along.of_weights(weights, self._place)
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
        of_columns = self._along.of_columns(columns, price, asked, self._place)
        missing = [of for of, found in zip(columns, of_columns, strict=True) if not all(found)]
        solved = iter(self._engine_search.appended(missing, price, asked) if missing else ())
        return [
            [each for each in found if each] if all(found) else next(solved) for found in of_columns
        ]

    @property
    def _engine_search(self) -> Search:
        return self._along.engine.prepare(self.feasible)


class Ends:
    """Walks to both ends of a weight's range through sets that grow, and what they have found.

    What was reached once stays. An end on the other side of zero than the one further away does
    not change relevance, and goes no further than to show that. Several workers may ask for the
    same: whoever has the ``lock`` walks.
    """

    def __init__(self, walks: Sequence[Walk], best: Model) -> None:
        self.walks, self.next, self.lock = walks, 0, Lock()
        self.found: dict[int, WeightRange | None] = {}
        reached = [float(walk.goal[: len(best.weights)] @ best.weights) for walk in walks]
        self._known = [Bound(each, np.inf, 0.0) for each in reached]

    def go_on(self, limits: FloatArray) -> list[Course]:
        """To both ends within each of some limits; what is likely to reach further goes first."""
        inner = [each.inner for each in self._known]
        apart = inner if inner[0] != inner[1] else tangents(self.walks, limits[len(limits) // 2])
        further = int(np.argmax(apart))
        first = self.walks[further].along(limits, inner[further])
        nearer = 1 - further
        second = self.walks[nearer].along(limits, inner[nearer], first.reached)
        return [second, first] if further else [first, second]

    def note(
        self,
        courses: Sequence[Course],
        bounds: Sequence[Sequence[Bound]],
        legs: slice,
        scale: float,
    ) -> None:
        """The range in each set, if what was met proves its ends as far as relevance needs them."""
        fall_short = zip(*(each.falls_short.tolist() for each in courses), strict=True)
        for leg, pair in enumerate(zip(zip(*bounds, strict=True), fall_short, strict=True)):
            self.found[legs.start + leg] = self._proved(*pair, scale)
        self.next = legs.stop

    def _proved(
        self, bounds: Sequence[Bound], fall_short: Sequence[bool], scale: float
    ) -> WeightRange | None:
        for end, bound in enumerate(bounds):
            if bound.is_tight(scale):
                self._known[end] = bound
            elif (
                fall_short[end]
                and self._is_beyond_zero(end, scale)
                and (bound.outer <= bounds[1 - end].inner + TIGHT * scale)
            ):
                reached = max(self._known[end].inner, 0.0)
                self._known[end] = replace(self._known[end], inner=reached, outer=bound.outer)
            else:
                return None
        return WeightRange(*self._known)

    def _is_beyond_zero(self, end: int, scale: float) -> bool:
        """Whether a model that is proved to be good has the weight of that end's sign, or none."""
        return self._known[end].inner >= -TIGHT * scale


def _begun(corners: Corners, weights: Sequence[int], best: Model) -> list[Ends]:
    """Walks to both ends of weights, from the best model on."""
    space = corners.feasible.space
    goals = [unit_goal(space, weight, sign) for weight in weights for sign in (-1, 1)]
    walks = corners.from_best(goals, best) if goals else []
    return [Ends(pair, best) for pair in _in_parts(walks, 2)]


def _in_parts(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[first : first + size] for first in range(0, len(items), size)]
