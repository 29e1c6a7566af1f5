"""The interior point itself: from the middle of a feasible set, or from nowhere, to the best model.

See ``newton`` for the programs, their batches, and the names of things.
"""

import numpy as np

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import kernels
from relbounds.engine.interior import compiled
from relbounds.engine.interior.newton import Newton, Scratch, back
from relbounds.engine.interior.program import Iterate, Own, Places, Point, Program

_QUIET = np.errstate(all="ignore")  # what overflows is stuck, and proves nothing
_MOST_STEPS = 200
_MOST_CENTRING_STEPS = 60
_CENTRED = 0.5  # length of a Newton step, relative to the distances from all limits
_TO_LIMIT = 0.99  # how much of the way to the nearest limit a step may go
_KEPT_BY = 1e-3  # of a margin: how far inside rows that have to be kept are at first
_FIRST_PRODUCT = 2.0  # first products of V and U, in units that leave the goal's dual side positive
_ROUNDING = 1e-3  # of enough: with products this small the rest is rounding, and stays
_FAR = 1e-3  # of the first products: as long as they are larger, rough steps are as good
_PATIENCE = 70  # steps in which the products have to become half as large


@_QUIET
def analytic_centre(
    program: Program, weights: FloatArray, offsets: FloatArray, loss: float
) -> Point | None:
    """The analytic centre within the limits, from a model of this loss inside them; None if lost.

    Newton's method for the sum of logarithms of V; the start of every direction.
    """
    own, scratch = Own.none(1, program.n_rows), Scratch()
    at = Places.of(program, own)
    primal, gap = _inside(program, at, weights, offsets, loss)
    offsets = offsets[None]
    if not (primal > 0).all():
        return None
    if compiled.suits(program):
        return compiled.centred(program, own, Point(primal, primal, offsets, gap))
    for _ in range(_MOST_CENTRING_STEPS):
        newton = Newton(program, own, at, primal=primal, dual=1 / primal, scratch=scratch)
        dual, change = newton.step(primal, np.zeros(1), gap)
        move = (primal - newton.ratio * dual) / primal
        if not np.isfinite(move).all():
            return None
        length = np.sqrt(np.square(move).sum())
        if length < _CENTRED and not gap.any():
            return Point(primal, dual, offsets, gap)
        step = min(1.0, 0.9 / max(-move.min(), 1e-9))
        primal += step * move * primal
        offsets = offsets + step * change
        gap = (1 - step) * gap
    return None


def _inside(
    program: Program, at: Places, weights: FloatArray, offsets: FloatArray, loss: float
) -> tuple[FloatArray, FloatArray]:
    """V of a model, a little away from every limit, and the gap of rows that have to be kept."""
    soft, slack_price = program.n_soft, program.slack_price.sum()
    missed = program.margin - program.coefficients @ np.r_[weights, offsets]
    spare = program.limits - program.shares @ [program.prices @ np.abs(weights), loss]
    of_norm = np.min(spare / (program.shares[:, 0] * program.prices.sum())) / 8
    of_loss = np.min(spare / (program.shares[:, 1] * slack_price)) / 4 if soft else 0.0
    primal = np.empty((1, at.size))
    primal[0, at.plus] = np.maximum(weights, 0) + of_norm
    primal[0, at.minus] = np.maximum(-weights, 0) + of_norm
    primal[0, at.slacks] = np.maximum(missed[:soft], 0) + of_loss
    surplus = -missed
    surplus[:soft] += primal[0, at.slacks]
    primal[0, at.rows] = surplus
    least = _KEPT_BY * max(np.abs(program.margin).max(initial=0.0), _KEPT_BY)
    primal[0, at.rows][soft:] = np.maximum(surplus[soft:], least)
    grown = [2 * of_norm * program.prices.sum(), of_loss * slack_price]
    primal[0, at.limits] = spare - program.shares @ grown
    return primal, (primal[0, at.rows] - surplus)[None]


@_QUIET
def towards(program: Program, own: Own, middle: Point, goals: FloatArray) -> Point:
    """Where to start for each goal: the centre, own weights beside it, the goal in the dual."""
    batch, d, e = len(goals), program.n_weights, own.n_weights
    at, before = Places.of(program, own), Places.of(program, own.without_columns)
    primal, dual = np.empty((batch, at.size)), np.empty((batch, at.size))
    for values, old in ((primal, middle.primal), (dual, middle.dual)):
        values[:, at.rows], values[:, at.slacks] = old[:, before.rows], old[:, before.slacks]
        values[:, at.plus][:, :d] = old[:, before.plus]
        values[:, at.minus][:, :d] = old[:, before.minus]
        values[:, at.limits] = old[:, before.limits]
    if e:
        norm = np.min(primal[0, at.limits] / program.shares[:, 0]) / 4
        primal[:, at.limits] -= norm * program.shares[:, 0]
        for part in (at.plus, at.minus):
            primal[:, part][:, d:] = norm / (2 * e * own.price)
            dual[:, part][:, d:] = own.price * (dual[:, at.limits] @ program.shares[:, :1])
    lowest = np.minimum(dual[:, at.plus], dual[:, at.minus])
    dual *= _FIRST_PRODUCT * np.max(np.abs(goals) / lowest, axis=1, keepdims=True)
    dual[:, at.plus] -= goals
    dual[:, at.minus] += goals
    offsets = np.repeat(middle.offsets, batch, axis=0)
    return Point(primal, dual, offsets, np.zeros((batch, 1)))


def anywhere(program: Program, prices: FloatArray) -> Point:
    """Where to start without limits: no weights to speak of, every row missed and kept by one."""
    at = Places.of(program, Own.none(len(prices), program.n_rows))
    soft, size = program.n_soft, float(np.abs(program.margin).max(initial=0.0)) or 1.0
    primal, dual = np.empty((len(prices), at.size)), np.empty((len(prices), at.size))
    missed = program.margin
    slacks = np.maximum(missed[:soft], 0) + size
    primal[:, at.slacks], primal[:, at.rows] = slacks, size
    primal[:, at.rows][:, :soft] = slacks - missed[:soft]
    share = slacks / (slacks + primal[0, at.rows][:soft])
    dual[:, at.rows][:, :soft] = prices[:, 1:] * (program.slack_price * share)
    dual[:, at.slacks] = prices[:, 1:] * (program.slack_price * (1 - share))
    product = np.einsum("bm,bm->b", primal[:, at.slacks], dual[:, at.slacks]) / max(soft, 1)
    if not soft:
        product = prices[:, 1] * size
    dual[:, at.rows][:, soft:] = product[:, None] / primal[:, at.rows][:, soft:]
    for part in (at.plus, at.minus):
        dual[:, part] = prices[:, :1] * program.prices
        primal[:, part] = product[:, None] / dual[:, part]
    gap = primal[:, at.rows] + program.margin
    gap[:, :soft] -= primal[:, at.slacks]
    k = program.n_shared - program.n_weights
    return Point(primal, dual, np.zeros((len(prices), k)), np.where(np.abs(gap) > 1e-12, gap, 0.0))


@_QUIET
def reach(
    program: Program,
    own: Own,
    start: Point,
    goals: FloatArray,
    *,
    enough: float,
    paired: bool = False,
) -> list[Iterate]:
    """The largest ``goal.w`` within the limits for each goal, up to ``enough``.

    In pairs, a program that has reached zero also stops as soon as it cannot exceed its neighbour.
    """
    prices = np.zeros((len(goals), 2))
    if compiled.suits(program):
        each = np.full(len(goals), enough)
        return compiled.ended(program, own, start, goals, prices, enough=each, paired=paired)
    batch = _Batch(program, own, start, goals, prices)
    values = np.full(len(goals), -np.inf)
    answers: dict[int, Iterate] = {}
    for step in range(_MOST_STEPS + 1):
        reached, beyond = batch.measure()
        values[batch.index] = reached
        done = batch.are_close(beyond, enough)
        if paired:
            done |= (reached + beyond <= values[batch.index ^ 1]) & (reached >= 0)
        if batch.ended(done, step, answers):
            break
        batch.advance()
    return [answers[index] for index in range(len(goals))]


@_QUIET
def minimise(program: Program, start: Point, prices: FloatArray, *, enough: float) -> list[Iterate]:
    """The least ``nu norm + lambda loss`` for each pair of prices, up to the share ``enough``."""
    own, nowhere = Own.none(len(prices), program.n_rows), np.zeros((len(prices), program.n_weights))
    if compiled.suits(program):
        each = np.full(len(prices), enough)
        return compiled.ended(
            program, own, start, nowhere, prices, enough=each, constant=program.constant
        )
    batch = _Batch(program, own, start, nowhere, prices)
    answers: dict[int, Iterate] = {}
    for step in range(_MOST_STEPS + 1):
        _, beyond = batch.measure()
        close = batch.are_close(beyond, enough * batch.objective())
        if batch.ended(close, step, answers):
            break
        batch.advance()
    return [answers[index] for index in range(len(prices))]


class _Batch:
    """Where the programs of a batch are that have not ended."""

    def __init__(
        self,
        program: Program,
        own: Own,
        start: Point,
        goals: FloatArray,
        prices: FloatArray,
    ) -> None:
        self._program, self._own, self._at = program, own, Places.of(program, own)
        self._primal, self._dual = start.primal.copy(), start.dual.copy()
        self._offsets, self._gap = start.offsets.copy(), start.gap
        self._goals, self._prices = goals, prices
        self.index, self._scratch = np.arange(len(goals)), Scratch()
        self._first_product = np.einsum("bi,bi->b", start.primal, start.dual).max()
        self._stuck = np.zeros(len(goals), dtype=bool)
        self._earlier = np.full((_PATIENCE, len(goals)), np.inf)

    def are_close(self, beyond: FloatArray, enough: FloatArray | float) -> BoolArray:
        """Whether programs are near enough to their ends, or rounding is all that is left."""
        close: BoolArray = (beyond <= enough) | (self._product <= _ROUNDING * enough)
        return close

    def ended(self, done: BoolArray, step: int, answers: dict[int, Iterate]) -> bool:
        """Take down the answers of programs that are done, or stuck, and leave them behind."""
        done = done | self._stuck | (step == _MOST_STEPS)
        for line in np.flatnonzero(done):
            answers[int(self.index[line])] = self._answer(int(line))
        if done.any():
            self._keep(~done)
        return bool(done.all())

    def _keep(self, chosen: BoolArray) -> None:
        self._own = self._own[chosen]
        self._earlier = self._earlier[:, chosen]
        for name in (
            "_primal", "_dual", "_offsets", "_gap", "_goals", "_prices", "_residual",
            "_product", "_stuck", "index",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name)[chosen])

    @property
    def _all_prices(self) -> FloatArray:
        """Of norm and loss: those that are fixed, and those of the limits."""
        prices: FloatArray = self._prices + self._dual[:, self._at.limits] @ self._program.shares
        return prices

    def measure(self) -> tuple[FloatArray, FloatArray]:
        """What each program has reached, and what it may reach beyond."""
        program, at, d = self._program, self._at, self._program.n_weights
        primal, dual = self._primal, self._dual
        self._product = np.einsum("bi,bi->b", primal, dual)
        plus, minus = primal[:, at.plus], primal[:, at.minus]
        residual = back(program, self._own, dual[:, at.rows])
        loss_price = self._all_prices[:, 1:]
        residual[:, : program.n_shared] -= loss_price * program.linear
        residual[:, program.n_shared :] -= loss_price * self._own.linear
        tracked = (dual[:, at.minus] - dual[:, at.plus]) / 2 - self._goals
        residual[:, :d] -= tracked[:, :d]
        residual[:, program.n_shared :] -= tracked[:, d:]
        self._residual = residual
        unmatched = np.abs(residual[:, d : program.n_shared] * self._offsets).sum(axis=1)
        of_weights = np.maximum(
            np.abs(residual[:, :d] / program.prices).max(axis=1, initial=0.0),
            np.abs(residual[:, program.n_shared :] / self._own.price).max(axis=1, initial=0.0),
        )
        unmatched += of_weights * ((plus + minus) @ self._at.prices)
        unmatched[self._gap.any(axis=1)] = np.inf
        reached = np.einsum("bd,bd->b", self._goals, plus - minus)
        return reached, self._product + unmatched

    def objective(self) -> FloatArray:
        """What fixed prices make of norm and loss."""
        program, at, primal = self._program, self._at, self._primal
        plus, minus = primal[:, at.plus], primal[:, at.minus]
        model = np.concatenate([plus - minus, self._offsets], axis=1)
        loss = primal[:, at.slacks] @ program.slack_price + model @ program.linear
        norm = (plus + minus) @ program.prices
        objective: FloatArray = self._prices[:, 0] * norm
        objective += self._prices[:, 1] * (loss + program.constant)
        return objective

    def advance(self) -> None:
        """One predictor and one corrector step; programs that rounding has stopped stay."""
        primal, dual = self._primal, self._dual
        newton = Newton(
            self._program,
            self._own,
            self._at,
            primal=primal,
            dual=dual,
            scratch=self._scratch,
            rough=bool(self._product.min() > _FAR * self._first_product),
        )
        wanted = self._scratch.array("wanted", *primal.shape)
        d_dual, _ = newton.step(np.negative(primal, out=wanted), self._residual, self._gap)
        after, share = kernels.foresee(primal, dual, d_dual, self._product)
        aim = (after / self._product) ** 3 * self._product / self._at.size
        kernels.correct(primal, dual, newton.ratio, d_dual, aim, share, wanted)
        d_dual, d_offsets = newton.step(wanted, self._residual, self._gap)
        steps = kernels.steps(primal, dual, newton.ratio, wanted, d_dual)
        steps = np.where(steps < 1, _TO_LIMIT * steps, steps)
        self._earlier = np.concatenate([self._earlier[1:], self._product[None]])
        self._stuck = ~np.isfinite(steps).all(axis=0) | (self._earlier[0] < 2 * self._product)
        if self._stuck.any():
            steps[:, self._stuck] = 0.0
            for change in (wanted, d_dual, d_offsets):
                change[self._stuck] = 0.0
        kernels.move(primal, steps[0], wanted)
        kernels.move(dual, steps[1], d_dual)
        self._offsets += steps[0, :, None] * d_offsets
        if self._gap.any():
            self._gap = (1 - steps[0, :, None]) * self._gap

    def _answer(self, line: int) -> Iterate:
        at = self._at
        return Iterate(
            self._primal[line, at.plus] - self._primal[line, at.minus],
            self._offsets[line].copy(),
            self._dual[line, at.rows].copy(),
            self._all_prices[line],
        )
