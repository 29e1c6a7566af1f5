"""How far does a direction reach? Interior points in batches, the exact engine behind them."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine.dense import DenseProgram
from relbounds.engine.feasible_set import FeasibleSet, Model, ModelSpace
from relbounds.engine.highs.engine import HighsSearch, Simplex
from relbounds.engine.highs.search import extreme
from relbounds.engine.interior.directions import DirectedSearch, Direction
from relbounds.engine.interior.point import analytic_centre, reach, towards
from relbounds.engine.interior.program import Iterate, Point, Program
from relbounds.engine.polishing import polished
from relbounds.engine.proof import TIGHT, Bound, Claims, certify, prove
from relbounds.engine.working_set import FEW_WEIGHTS, Violated, WorkingSet, budget_shares
from relbounds.exceptions import InfeasibleError, SolverError

_ENOUGH = 0.5 * TIGHT  # of the scale: an interior point's own gap at which it stops
_GUESS = 1e-3  # of the scale: the same where a guess will do
_BATCH = 400_000  # numbers in an array of a batch: larger ones leave the cache
MOST_LINES = 128
"""Of a batch."""
_MANY_ROWS = 5_000  # beyond, a sample of them tells which matter to a question
_SAMPLE = 3_000  # rows of it, and then of those nearest to their hinge around an answer
_GUESSES = 8  # at a time: more would hold as much memory as the table
_PAIR = 2  # questions, mostly both ends of a weight: their answers need much the same rows
_MOST_ROUNDS = 12  # of letting rows and weights back in
_HARDLY_MISSED = 0.1 * TIGHT  # rows and limits, by a model that need not be found again
_NOTHING = np.empty(0, dtype=np.int64)
_Known = tuple[dict[int, Bound], dict[int, Claims]]
"""What is proved, by question, and what was claimed last."""


@dataclass(frozen=True, eq=False)
class Middle:
    """Where directions of a set start: what is left of it, and the centre of that.

    ``sample``: which of the rows that are left the program has, where these are too many; its
    answers are then good guesses, and no more.
    """

    working_set: WorkingSet
    program: Program
    centre: Point | None
    sample: IntArray | None = None


class InteriorSearch(DirectedSearch):
    """Good models, ready to be asked how far weights reach, many at a time."""

    def __init__(
        self, feasible: FeasibleSet, start: Middle | None, block: int | None = None
    ) -> None:
        super().__init__(feasible)
        self._exact: HighsSearch | None = None
        if start is None:
            start = self._first_middle(block)
        self.start = self.latest = start

    @property
    def _model_inside(self) -> Model:
        if self.feasible.witness is not None:
            return self.feasible.witness
        return model_inside(self.feasible, self._exact_search.start.model)

    def _first_middle(self, block: int | None) -> Middle:
        """Of what good models are likely to need, or questions about one block, if that will do."""
        model = self._model_inside
        if block is not None:
            middle = self._middle(WorkingSet.about(self.feasible, model, block), _MANY_ROWS)
            if middle.centre is not None:
                return middle
        return self._middle(WorkingSet.around(self.feasible, model), _MANY_ROWS)

    @property
    def _exact_search(self) -> HighsSearch:
        if self._exact is None:
            self._exact = Simplex().prepare(self.feasible)
        return self._exact

    def _middle(self, working_set: WorkingSet, most_rows: float = np.inf) -> Middle:
        shares, limits, lossless = budget_shares(self.feasible)
        program, sample = working_set.program(shares, limits, lossless=lossless), None
        model = self._model_inside
        weights = model.weights[working_set.weights]
        if program.n_soft > most_rows:
            program, sample = program.thinned(_SAMPLE, weights, model.offsets)
        loss = program.loss(weights, model.offsets)
        centre = analytic_centre(program, weights, model.offsets, loss)
        if (
            centre is None and working_set.sides.any()
        ):  # rows outside the working set may be all that limits a model
            return self._middle(working_set.with_all_rows, most_rows)
        return Middle(working_set, program, centre, sample)

    def answer(self, directions: list[Direction], price: float, *, paired: bool) -> list[Bound]:
        """Weights that are asked for are in the working set."""
        middle, d = self.start, self.feasible.space.n_weights
        weights = np.flatnonzero(np.any([each.goal[:d] != 0 for each in directions], axis=0))
        if not np.isin(weights, middle.working_set.weights).all():
            middle = self._middle(middle.working_set.with_more(_NOTHING, weights), _MANY_ROWS)
        if middle.sample is not None and middle.centre is not None:
            return [
                bound
                for some, guess in self._guesses(middle, directions, price)
                for bound in self._all_of(
                    self._rounds(self._nearby(middle, guess), some, price, paired=paired),
                    some,
                    price,
                    paired=paired,
                )
            ]
        found = self._rounds(middle, directions, price, paired=paired)
        return self._all_of(found, directions, price, paired=paired)

    def _all_of(
        self, known: _Known, directions: list[Direction], price: float, *, paired: bool
    ) -> list[Bound]:
        """Proved bounds; what cannot be proved here is asked of the exact engine.

        Programs of the interior point are let go of before: the exact one takes as much memory.
        """
        found, claimed = known
        missing = [i for i in range(len(directions)) if i not in found]
        for i in sorted(missing, key=lambda i: -claimed[i].reached[0] if i in claimed else 0.0):
            claim, neighbour = claimed.get(i), found.get(i ^ 1) if paired else None
            found[i] = self._shown_to_fall_short(claim, neighbour) or self._with_effort(
                directions[i], price, claim
            )
        return [found[i] for i in range(len(directions))]

    def _shown_to_fall_short(self, claim: Claims | None, neighbour: Bound | None) -> Bound | None:
        """What a claim proves, if that is that a neighbour reaches further."""
        if claim is None or neighbour is None:
            return None
        bound = prove(self.feasible, claim).bounds[0]
        return bound if self.falls_short(bound, neighbour) else None

    def _rounds(
        self, middle: Middle, directions: list[Direction], price: float, *, paired: bool
    ) -> _Known:
        """What of some questions is known.

        What was outside the working set is let in until all is proved, or nothing is outside. A
        model that misses by a little what is outside may reach further than any that does not.
        """
        found: dict[int, Bound] = {}
        claimed: dict[int, Claims] = {}
        settled, pending = set[int](), list(range(len(directions)))
        for _ in range(_MOST_ROUNDS):
            if middle.centre is None:
                break
            violated = Violated(middle.working_set)
            for some in self._batches(middle, pending, paired=paired):
                asked = [directions[i] for i in some]
                answers = self._answers(middle, asked, price, paired=paired)
                claims = self._as_claims(middle, asked, answers, price)
                proved = prove(self.feasible, claims, paired=paired)
                proves = self._proves(proved.bounds, paired=paired)
                found |= {
                    i: bound
                    for i, bound, enough in zip(some, proved.bounds, proves, strict=True)
                    if enough and i not in settled
                }
                good = proves & [bound.violation <= _HARDLY_MISSED for bound in proved.bounds]
                settled |= {i for i, enough in zip(some, good, strict=True) if enough}
                violated.note(proved, ~good)
                unproved = np.flatnonzero(~proves).tolist()
                claimed |= {some[line]: claims[line : line + 1] for line in unproved}
            pending = [i for i in pending if i not in settled]
            if not pending or not violated:
                break
            inside = violated.let_in()
            middle = self.latest = self.start  # the last one takes as much memory as the next
            middle = self.latest = self._middle(inside)
        return found, claimed

    def _guesses(
        self, middle: Middle, directions: list[Direction], price: float
    ) -> Iterator[tuple[list[Direction], Claims]]:
        """What a sample of the rows says of some questions, a pair at a time."""
        for beginning in range(0, len(directions), _GUESSES):
            asked = directions[beginning : beginning + _GUESSES]
            answers = self._answers(middle, asked, price, paired=False, enough=_GUESS)
            for first in range(0, len(asked), _PAIR):
                pair = slice(first, first + _PAIR)
                yield asked[pair], self._as_claims(middle, asked[pair], answers[pair], price)

    def _nearby(self, middle: Middle, guess: Claims) -> Middle:
        """The middle of what is left of a feasible set around the likely answers to a pair."""
        missed = guess.shortfalls(self.feasible.space)
        own = np.square(guess.columns / guess.price).sum(axis=1).max(axis=0)
        return self._middle(middle.working_set.nearest(missed, _SAMPLE, own))

    def _batches(self, middle: Middle, pending: list[int], *, paired: bool) -> Iterator[list[int]]:
        """Questions that are asked together; pairs stay together."""
        if paired:
            pending = [
                i for pair in sorted({i // 2 for i in pending}) for i in (2 * pair, 2 * pair + 1)
            ]
        numbers = 2 * (middle.program.n_rows + middle.program.n_weights)
        size = 2 * int(np.clip(_BATCH // (2 * numbers), 1, MOST_LINES // 2))
        for first in range(0, len(pending), size):
            yield pending[first : first + size]

    def _answers(
        self,
        middle: Middle,
        directions: list[Direction],
        price: float,
        *,
        paired: bool,
        enough: float = _ENOUGH,
    ) -> list[Iterate]:
        """What the interior point says of some questions."""
        assert middle.centre is not None, "a set without a centre is not asked"
        program, columns = middle.program, [direction.columns for direction in directions]
        own = middle.working_set.own(columns, price, middle.sample)
        goals = _goals(directions)[:, self._kept(middle, directions)]
        start = towards(program, own, middle.centre, goals)
        enough *= self.feasible.scale
        return reach(program, own, start, goals, enough=enough, paired=paired)

    def _as_claims(
        self, middle: Middle, directions: list[Direction], answers: list[Iterate], price: float
    ) -> Claims:
        """What answers say of all weights and rows; guesses nothing of rows."""
        goals = _goals(directions)
        weights = np.zeros_like(goals)
        weights[:, self._kept(middle, directions)] = [answer.weights for answer in answers]
        multipliers = np.empty((len(answers), 0))
        if middle.sample is None:
            multipliers = middle.working_set.multipliers_of(answers)
        return Claims(
            goals,
            weights,
            np.array([answer.offsets for answer in answers]),
            multipliers,
            np.array([answer.prices for answer in answers]),
            np.array([direction.columns.T for direction in directions]),
            price,
        )

    def _kept(self, middle: Middle, directions: list[Direction]) -> IntArray:
        """The weights of a program among all, own ones last."""
        d, of_all = self.feasible.space.n_weights, len(directions[0].goal)
        return np.concatenate([middle.working_set.weights, np.arange(d, of_all)])

    def _proves(self, bounds: list[Bound], *, paired: bool) -> BoolArray:
        """Whether bounds are tight enough.

        In a pair it is enough that one is, and that the other falls short of it.
        """
        tight = np.array([bound.is_tight(self.feasible.scale) for bound in bounds])
        if not paired:
            return tight
        short = [self.falls_short(bound, bounds[line ^ 1]) for line, bound in enumerate(bounds)]
        enough: BoolArray = tight | (np.array(short) & tight[np.arange(len(bounds)) ^ 1])
        return enough

    def _with_effort(self, direction: Direction, price: float, claim: Claims | None) -> Bound:
        """A claim with better multipliers, or else the answer of the exact engine."""
        feasible, known = self.feasible, None
        if direction.columns.shape[1]:
            feasible = feasible.over(feasible.space.with_columns(direction.columns, price))
        if claim is not None and np.isfinite(claim.multipliers).all():
            model = Model(claim.weights[0], claim.offsets[0])
            for multipliers in _better_multipliers(feasible, claim):
                bound = certify(feasible, direction.goal, model, multipliers)
                if bound.is_tight(feasible.scale):
                    return bound
                known = bound.joined(known)
            used = np.flatnonzero(model.weights)
            if (with_few := _exact_with_few(feasible, direction.goal, used)) is not None:
                return with_few
        exact = self._exact_search
        if feasible is not self.feasible:
            exact = Simplex().prepare(feasible, exact.start)
        return replace(extreme(exact, direction.goal, known=known), fell_back=True)


def _goals(directions: list[Direction]) -> FloatArray:
    return np.array([direction.goal for direction in directions])


def _exact_with_few(feasible: FeasibleSet, goal: FloatArray, weights: IntArray) -> Bound | None:
    """The exact engine's answer over some of many weights, if with all of them it is proved.

    A program of all columns is slow and takes many times the memory of the table. Weights that
    turn out to matter join.
    """
    space, weights = feasible.space, np.union1d(weights, np.flatnonzero(goal))
    if space.n_weights <= FEW_WEIGHTS:
        return None
    for _ in range(_MOST_ROUNDS):
        part = ModelSpace(space.points[:, weights], space.rows, space.prices[weights])
        try:
            search = Simplex().prepare(feasible.over(part))
            found, multipliers = search.solve(goal[weights], cold=False, unless_above=-np.inf)
        except (InfeasibleError, SolverError):
            return None
        everywhere = np.zeros(space.n_weights)
        everywhere[weights] = found.weights
        bound = certify(feasible, goal, Model(everywhere, found.offsets), multipliers)
        if bound.is_tight(feasible.scale):
            return replace(bound, fell_back=True)
        slope = np.abs(goal + space.rows.gradient(space.points, multipliers)) / space.prices
        missing = np.flatnonzero(slope > (1 + TIGHT) * slope[weights].max())
        missing = np.setdiff1d(missing, weights)
        if not len(missing):
            return None
        weights = np.union1d(weights, missing)
    return None


def _better_multipliers(feasible: FeasibleSet, claim: Claims) -> Iterator[FloatArray]:
    """Polished ones, and the best at a claim's prices, which often are right where those fail."""
    space, goal = feasible.space, claim.goals[0]
    yield polished(space, claim.multipliers[0], goal, feasible.budget.norm_share)
    if DenseProgram.suits(space):
        with suppress(SolverError):
            norm_price, loss_price = claim.prices[0].tolist()
            norm_price = max(norm_price, space.copies.least_norm_price(goal / space.prices))
            yield DenseProgram(space).solve(norm_price, loss_price, goal)[1]


def model_inside(feasible: FeasibleSet, cheapest: Model) -> Model:
    """A good model that does not touch the budget, if one is a little smaller than the cheapest."""
    budget = feasible.budget
    for share in (0.9, 0.99, 0.999):
        model = Model(share * cheapest.weights, share * cheapest.offsets)
        norm = feasible.space.norm(model)
        if norm < budget.norm_limit and feasible.cost(model) < budget.limit:
            return model
    return cheapest
