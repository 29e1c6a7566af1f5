"""Many linear programs over models at once, by a primal-dual interior point that knows their form.

Each program of a batch is ``min nu norm + lambda loss - goal.w`` with limits on shares of norm and
loss. Its inequalities come in pairs of a primal side ``V`` and a dual side ``U``, whose products go
to zero together. With ``w = w+ - w-``, a slack ``s`` for every row that may be missed, priced
``omega``, prices ``c`` of weights, and ``e`` for the part of the loss that is linear::

    V   y = s + Z(w, b) - margin   s                     w+           w-           t = limit - spent
    U   alpha                      lambda omega - alpha  nu c - grad  nu c + grad  tau

    (nu, lambda) = prices + shares' tau,  grad = goal + A'alpha - lambda e_w,  T'alpha = lambda e_b

A Newton step eliminates all of these, one by one, but a dense system of the size of a model::

    K = Z' diag(theta) Z + diag(1 / (w+ / u+  +  w- / u-)),     theta = 1 / (y / alpha + s / beta)

and one unknown for each limit. Programs of a batch share all but their goals, their fixed prices,
and a few *own* columns of their own, which stand behind the weights that all have.
"""

from math import prod

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import kernels
from relbounds.engine.interior.many_weights import ManyWeights
from relbounds.engine.interior.program import Own, Places, Program

_REGULAR = 1e-13  # of the diagonal: keeps factors of singular matrices finite


class Scratch:
    """Long arrays that every step uses again: new memory costs as much as the arithmetic."""

    def __init__(self) -> None:
        self._arrays: dict[str, FloatArray] = {}

    def array(self, name: str, *shape: int) -> FloatArray:
        """An array of this shape, with whatever it had in it."""
        size = prod(shape)
        if name not in self._arrays or len(self._arrays[name]) < size:
            self._arrays[name] = np.empty(size)
        return self._arrays[name][:size].reshape(shape)


class Newton:
    """Newton's equations at one point of a batch; its long arrays last until the next one."""

    def __init__(
        self,
        program: Program,
        own: Own,
        at: Places,
        *,
        primal: FloatArray,
        dual: FloatArray,
        scratch: Scratch,
        rough: bool = False,
    ) -> None:
        self._program, self._own, self._at, self._scratch = program, own, at, scratch
        batch = len(primal)
        self.ratio = scratch.array("ratio", *primal.shape)
        self._theta = scratch.array("theta", batch, program.n_rows)
        self._lean = scratch.array("lean", batch, program.n_soft)
        self._slack_stiff = kernels.divide(
            primal, dual, program.slack_price, self.ratio, self._theta, self._lean
        )
        plus, minus = self.ratio[:, at.plus], self.ratio[:, at.minus]
        self._stiff = 1 / (plus + minus)
        self._weight_lean = (plus - minus) * self._stiff * self._at.prices
        self._border, self._rough, self._is_factored = self._borders(), rough, False
        self._matrix: FloatArray | None = None
        self._many: ManyWeights | None = None
        if program.has_many_weights:
            self._many = ManyWeights(program, own, self._theta, self._stiff)

    def _normal_matrix(self) -> FloatArray:
        program, own, q = self._program, self._own, self._program.n_shared
        size = q + own.n_weights
        matrix = np.empty((len(self._theta), size, size))
        matrix[:, :q, :q] = program.gram(self._theta, rough=self._rough)
        for several, span in own.alike:
            columns = own.columns[:, several, span]
            weighted = self._scratch.array("weighted", *columns.shape)
            np.multiply(self._theta[:, None, span], columns, out=weighted)
            across = weighted.reshape(-1, weighted.shape[2]) @ program.coefficients[span]
            mine = slice(q + several.start, q + several.stop)
            matrix[:, mine, :q] = across.reshape(len(matrix), -1, q)
            matrix[:, :q, mine] = np.swapaxes(matrix[:, mine, :q], 1, 2)
            for others, their_span in own.alike:
                both = _overlap(span, their_span)
                here = slice(both.start - span.start, both.stop - span.start)
                theirs = slice(q + others.start, q + others.stop)
                matrix[:, mine, theirs] = weighted[:, :, here] @ np.swapaxes(
                    own.columns[:, others, both], 1, 2
                )
        matrix[:, self._at.weights, self._at.weights] += self._stiff
        matrix.reshape(len(matrix), -1)[:, :: size + 1] *= 1 + _REGULAR
        return matrix

    def _borders(self) -> FloatArray:
        """How weights and offsets lean on each limit."""
        program, own = self._program, self._own
        of_prices = np.zeros((len(self._theta), program.n_shared + own.n_weights, 2))
        of_prices[:, self._at.weights, 0] = self._weight_lean
        of_prices[:, : program.n_shared, 1] = program.linear
        of_prices[:, program.n_shared :, 1] = own.linear
        of_prices[:, :, 1] -= back(program, own, self._lean)
        border: FloatArray = of_prices @ program.shares.T
        return border

    def _between_limits(self) -> FloatArray:
        """What limits have to do with one another, weights and offsets eliminated."""
        program, at, ratio = self._program, self._at, self.ratio
        of_norm = ratio[:, at.plus] * ratio[:, at.minus] * self._stiff @ (4 * self._at.prices**2)
        both = np.stack([of_norm, self._slack_stiff], axis=1)
        matrix = (program.shares * both[:, None, :]) @ program.shares.T
        each = range(len(program.limits))
        matrix[:, each, each] += ratio[:, at.limits]
        limits: FloatArray = matrix + np.swapaxes(self._border, 1, 2) @ self._solved_border
        return limits

    def _solved(self, rhs: FloatArray) -> FloatArray:
        """The normal equations' solution; the first call factors them and solves the borders."""
        if self._is_factored:
            return self._solved_by_factors(rhs[:, :, None])[:, :, 0]
        self._is_factored = True
        found = self._solved_by_factors(np.concatenate([self._border, rhs[:, :, None]], axis=2))
        self._solved_border = found[:, :, :-1]
        self._limit_matrix = self._between_limits()
        return found[:, :, -1].copy()

    def _solved_by_factors(self, rhs: FloatArray) -> FloatArray:
        """In the space of rows as long as that is precise, and else in that of models."""
        if self._many is not None and (found := self._many.solve(rhs)) is not None:
            return found
        if self._matrix is None:
            self._many, self._matrix = None, self._normal_matrix()
            kernels.factor(self._matrix)
        kernels.solve(self._matrix, rhs)
        return rhs

    def step(
        self, wanted: FloatArray, residual: FloatArray, gap: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """``(dU, db)`` with ``dV + ratio * dU = wanted``, all other equations kept.

        ``residual`` is what the dual equations of weights and offsets still lack, and ``gap`` what
        the rows do (one column of zeros: nothing).
        """
        program, at = self._program, self._at
        rows = self._scratch.array("rows", *self._theta.shape)
        weighted = self._scratch.array("weighted", *self._theta.shape)
        of_loss = kernels.wish(
            wanted, gap, self._theta, self._lean, program.slack_price, rows, weighted
        )
        plus, minus = wanted[:, at.plus], wanted[:, at.minus]
        across = plus - minus
        rhs = back(program, self._own, weighted)
        rhs += residual
        rhs[:, self._at.weights] += across * self._stiff
        model = self._solved(rhs)
        of_norm = (plus + minus) @ self._at.prices - np.einsum(
            "bd,bd->b", self._weight_lean, across
        )
        spent = np.stack([of_norm, of_loss], axis=1) @ program.shares.T
        spent += wanted[:, at.limits] + np.einsum("bpj,bp->bj", self._border, model)
        tau = _solved_or_nan(self._limit_matrix, spent)
        model -= np.einsum("bpj,bj->bp", self._solved_border, tau)
        of_prices = tau @ program.shares
        norm_price, loss_price = of_prices[:, :1], np.ascontiguousarray(of_prices[:, 1])
        dual = self._scratch.array("dual", *wanted.shape)
        moved = forth(program, self._own, model, self._scratch)
        kernels.row_duals(
            rows, moved, self._theta, self._lean, loss_price, program.slack_price, dual
        )
        gradient = (
            model[:, self._at.weights] - across
        ) * self._stiff + self._weight_lean * norm_price
        price = self._at.prices * norm_price
        dual[:, at.plus], dual[:, at.minus] = price - gradient, price + gradient
        dual[:, at.limits] = tau
        return dual, model[:, program.n_weights : program.n_shared]


def _solved_or_nan(matrices: FloatArray, rhs: FloatArray) -> FloatArray:
    """Solutions; no numbers where one is singular, which a set without interior can make it."""
    try:
        return np.linalg.solve(matrices, rhs[:, :, None])[:, :, 0].astype(np.float64, copy=False)
    except np.linalg.LinAlgError:
        return np.full_like(rhs, np.nan)


def back(program: Program, own: Own, rows: FloatArray) -> FloatArray:
    """``Z'`` times values of the first rows, own columns last."""
    m = rows.shape[1]
    shared = program.back(rows)
    if not own.n_weights:
        return shared
    of_own = np.empty((len(rows), own.n_weights))
    for several, span in own.alike:
        both = _overlap(span, slice(0, m))
        columns = own.columns[:, several, both]
        of_own[:, several] = (columns @ rows[:, both, None])[:, :, 0]
    return np.concatenate([shared, of_own], axis=1)


def _overlap(first: slice, second: slice) -> slice:
    """Rows of both, which may be none."""
    start = max(first.start, second.start)
    return slice(start, max(start, min(first.stop, second.stop)))


def forth(program: Program, own: Own, model: FloatArray, scratch: Scratch) -> FloatArray:
    """``Z`` times weights, offsets and own weights."""
    rows = scratch.array("moved", len(model), program.n_rows)
    program.forth(model[:, : program.n_shared], rows)
    for several, span in own.alike:
        weights = model[:, None, program.n_shared + several.start : program.n_shared + several.stop]
        rows[:, span] += (weights @ own.columns[:, several, span])[:, 0]
    return rows
