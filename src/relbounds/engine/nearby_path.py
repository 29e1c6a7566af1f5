"""Best models of many rows: each is looked for among the rows near to the last one's hinges.

As the loss gets dearer, few rows change sides of their hinge, and hardly any that were far from it.
So a program has the near rows, and of the others some, which stand for all: the further away, the
fewer. What is linear around the last model is that of all rows. If then no row that is far, in the
program or not, has changed sides, the answer is that of all rows. If any has, the next program is
one around the answer.

Where many rows are at their hinge at once, as in a model without weights, which of them are missed
is as hard to say as anything. So margins are first moved a little, each by its own, and moved back
at the end: rows stay on the sides that they are then on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import kernels
from relbounds.engine.dense import MOST_COEFFICIENTS, DensePath, DenseProgram
from relbounds.engine.feasible_set import NORM_PRICE, Model, ModelSpace
from relbounds.engine.interior.path import InteriorPath
from relbounds.engine.protocols import Proposal
from relbounds.engine.rows import MarginRows
from relbounds.engine.working_set import mobility
from relbounds.exceptions import SolverError

_NEAR_ROWS = 500  # at least,
_NEAR_A_WEIGHT = 30  # and so many for each weight and offset, where weights are few,
_LEAST_NEAR = 5  # and so many where more would make the program too large
_FAR_ROWS = 2  # times the near ones, at most, that stand for all others
_MOVED = 1e-6  # of a margin: that rows are told apart by
_GROWTH = 1.5  # of the near rows, after each answer that was contradicted
_ZERO = 1e-10  # of a margin: what is nearer to its hinge is at it
_ROUNDING = 1e-13  # what is less of a weight, in units of its price, is none


@dataclass(frozen=True, eq=False)
class _Corner:
    """Where a model is, margins moved.

    Attributes
    ----------
    basis : int array
        Rows at their hinge; behind all rows weights that are zero, and offsets.
    shortfalls : (m,) array
    """

    basis: IntArray
    shortfalls: FloatArray

    @cached_property
    def missed(self) -> BoolArray:
        missed: BoolArray = self.shortfalls > 0
        return missed


@dataclass(frozen=True, eq=False)
class _Window:
    """A program around a corner.

    Attributes
    ----------
    corner : _Corner
    rows : int array
        Those of the program,
    is_near : (rows,) array
        and which of them stand for themselves alone.
    program : DenseProgram
        Its last row is what is linear in the loss of all others.
    margin : (rows + 1,) array
        Not moved.
    """

    corner: _Corner
    rows: IntArray
    is_near: BoolArray
    program: DenseProgram
    margin: FloatArray

    def solve(self, C: float) -> tuple[Model, Proposal]:
        """The best model of the program, and the one that it becomes if margins move back."""
        moved, _ = self.program.solve(NORM_PRICE, C)
        exact = self.program.beginning_at(*self.program.corner, self.margin)
        model, multipliers = exact.solve(NORM_PRICE, C)
        is_some = np.abs(model.weights) * exact.space.prices > _ROUNDING
        weights = np.where(is_some, model.weights, 0.0)
        return moved, (Model(weights, model.offsets), multipliers)

    @property
    def basis(self) -> IntArray:
        """Of the last solution, among all rows."""
        basis, inside = self.program.corner[0], len(self.rows)
        of_rows = self.rows[np.minimum(basis, inside - 1)]
        behind = basis - inside - 1 + len(self.corner.shortfalls)
        return np.where(basis < inside, of_rows, behind)

    @property
    def is_contradicted(self) -> bool:
        """Whether in the last solution some of the far rows are at their hinge or beyond."""
        basis, at_upper = self.program.corner
        inside = len(self.rows)
        has_moved = at_upper[:inside] != self.corner.missed[self.rows]
        has_moved[basis[basis < inside]] = True
        return bool(has_moved[~self.is_near].any())


class NearbyPath:
    """Minimisers of ``norm / 2 + C loss``, one after another."""

    def __init__(self, space: ModelSpace) -> None:
        self.space = space
        self._window: _Window | None = None

    @staticmethod
    def suits(space: ModelSpace) -> bool:
        """Whether rows are many, and hardly any has to be kept."""
        rows, most = space.rows, (1 + _FAR_ROWS) * _near_rows(space)
        is_small = len(rows) > most and space.n_weights * most <= MOST_COEFFICIENTS
        n_kept = int(np.count_nonzero(rows.must_hold))
        return kernels.dense_simplex is not None and is_small and n_kept <= rows.n_offsets

    def solve(self, C: float, *, cold: bool) -> Proposal:
        """The best model at C and the rows' multipliers, unproved; if cold, with all rows."""
        if not cold:
            try:
                return self._solve(C)
            except SolverError:
                self._window = None
        return self._behind.solve(C, cold=cold)

    def solve_many(self, Cs: FloatArray) -> Iterator[Proposal]:
        """Each solution starts the next."""
        return (self.solve(C, cold=False) for C in Cs.tolist())

    @cached_property
    def _behind(self) -> DensePath | InteriorPath:
        return (DensePath if DenseProgram.suits(self.space) else InteriorPath)(self.space)

    def _solve(self, C: float) -> Proposal:
        n_rows = _near_rows(self.space)
        window = self._window = self._window or self._around(self._nothing, n_rows)
        while True:
            corner = window.corner
            try:
                moved, (model, multipliers) = window.solve(C)
            except SolverError:  # too many of the rows that hold a model may be far
                if n_rows >= len(self.space.rows):
                    raise
            else:
                if not (window.is_contradicted or self._contradicts(window, model)):
                    break
                corner = self._corner_of(moved, window.basis)
            del window
            self._window = None  # let go of before the next one takes as much memory
            n_rows = int(_GROWTH * n_rows)
            window = self._window = self._around(corner, n_rows)
        everywhere = C * self._slopes(corner)
        everywhere[window.rows[window.is_near]] = multipliers[:-1][window.is_near]
        return model, everywhere

    def _contradicts(self, window: _Window, model: Model) -> bool:
        """Whether a far row is on another side than where it was."""
        missed = self.space.shortfalls(model)
        missed[window.rows[window.is_near]] = 0.0
        side = np.where(window.corner.missed, 1.0, -1.0)
        return bool((side * missed).min() < -_ZERO * self.space.rows.margin_size)

    def _slopes(self, corner: _Corner) -> FloatArray:
        """What missing each row by a little more costs."""
        rows = self.space.rows
        slopes: FloatArray = np.where(corner.missed, rows.soft_weight, -rows.surplus_weight)
        return slopes

    @property
    def _nothing(self) -> _Corner:
        d, rows = self.space.n_weights, self.space.rows
        basis = len(rows) + np.arange(d + rows.n_offsets)
        return self._corner_of(Model(np.zeros(d), np.zeros(rows.n_offsets)), basis)

    def _corner_of(self, model: Model, basis: IntArray) -> _Corner:
        return _Corner(basis, self.space.shortfalls(model) + self._moves)

    @cached_property
    def _chance(self) -> FloatArray:
        return np.random.RandomState(0).uniform(size=len(self.space.rows))

    @property
    def _moves(self) -> FloatArray:
        """Of margins; those of rows that have to be kept stay."""
        rows = self.space.rows
        moves: FloatArray = np.where(rows.must_hold, 0.0, _MOVED * rows.margin_size * self._chance)
        return moves

    @cached_property
    def _mobility(self) -> FloatArray:
        return mobility(self.space)

    def _around(self, corner: _Corner, n_rows: int) -> _Window:
        """The program of so many near rows, and of some that are far."""
        m = len(self.space.rows)
        chosen, counts = self._chosen(corner, n_rows)
        part, margin = self._part(corner, chosen, counts)
        behind = corner.basis - m + len(margin)
        basis = np.where(corner.basis < m, np.searchsorted(chosen, corner.basis), behind)
        at_upper = np.zeros(len(margin) + len(basis), dtype=bool)
        program = DenseProgram(part).beginning_at(basis, at_upper)
        return _Window(corner, chosen, counts == 1, program, margin)

    def _chosen(self, corner: _Corner, n_rows: int) -> tuple[IntArray, FloatArray]:
        """Rows near a corner, and some that are far; and for how many rows each of them stands."""
        m = len(self.space.rows)
        distance = np.abs(corner.shortfalls) / self._mobility
        nearest = np.partition(distance, n_rows)[n_rows] if n_rows < m else np.inf
        is_near = (distance <= nearest) | self.space.rows.must_hold
        is_near[corner.basis[corner.basis < m]] = True
        share = _shares(distance, is_near, n_rows)
        chosen = np.flatnonzero(self._chance[::-1] < share)
        return chosen, 1 / share[chosen]

    def _part(
        self, corner: _Corner, chosen: IntArray, counts: FloatArray
    ) -> tuple[ModelSpace, FloatArray]:
        """Some rows, each of which counts for several; behind them one that is linear.

        Around a corner it costs what all others do beyond that. Rows that have to be kept are worth
        what all others cost. And their margins before they were moved.
        """
        space, rows, some = self.space, self.space.rows, self.space.rows.subset(chosen)
        beyond, moves = self._slopes(corner), self._moves
        beyond[chosen] *= 1 - counts
        margin = np.r_[some.margin, beyond @ rows.margin]
        kept = float((rows.soft_weight + rows.surplus_weight).sum())
        of_others = sparse.csr_array(rows.offset_gradient(beyond)[None])
        part = MarginRows(
            np.arange(len(margin)),
            np.r_[some.sign, 1.0],
            sparse.vstack([some.offset_matrix, of_others], format="csr"),
            margin + np.r_[moves[chosen], beyond @ moves],
            np.r_[np.where(some.must_hold, kept, counts * some.weight), 1.0],
            np.r_[counts * some.surplus_weight, -1.0],
        )
        points = np.empty((len(margin), space.n_weights))
        points[-1] = rows.gradient(space.points, beyond)
        np.take(space.points, some.point, axis=0, out=points[:-1])
        return ModelSpace(points, part, space.prices), margin


def _near_rows(space: ModelSpace) -> int:
    n_unknown = space.n_weights + space.rows.n_offsets
    room = MOST_COEFFICIENTS // ((1 + _FAR_ROWS) * max(space.n_weights, 1))
    return max(_NEAR_ROWS, min(_NEAR_A_WEIGHT * n_unknown, max(room, _LEAST_NEAR * n_unknown)))


def _shares(distance: FloatArray, is_near: BoolArray, n_rows: int) -> FloatArray:
    """The share of rows at each distance that are in a program: all near ones.

    Of those that are up to twice as far as others, as many as of those that are nearer.
    """
    _, power = np.frexp(distance)
    power -= power.min()
    far = np.bincount(power[~is_near], minlength=power.max() + 1)
    of_each = _FAR_ROWS * n_rows / max(int(np.count_nonzero(far)), 1)
    share: FloatArray = np.where(is_near, 1.0, of_each / np.maximum(far, of_each)[power])
    return share
