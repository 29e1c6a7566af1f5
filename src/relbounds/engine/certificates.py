"""Many answers proved at once: what do models and multipliers say about how far weights reach?

The same proof as ``bound``'s, line by line of a batch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine.bound import TIGHT, Bound
from relbounds.engine.good_models import GoodModels
from relbounds.engine.margin_rows import MarginRows
from relbounds.engine.model_space import Model


@dataclass(frozen=True, eq=False)
class Claims:
    """What an engine says of several directions, unproved; a line for each.

    Attributes
    ----------
    goals, weights : (batch, d + e) arrays
        Own weights, of columns that only one line has, come last.
    offsets : (batch, k) array
    multipliers : (batch, m) array
    prices : (batch, 2) array
        Of norm and loss.
    columns : (batch, e, n) array
        The own columns, of points.
    price : float
        What own weights count in the norm.
    """

    goals: FloatArray
    weights: FloatArray
    offsets: FloatArray
    multipliers: FloatArray
    prices: FloatArray
    columns: FloatArray
    price: float

    def __getitem__(self, lines: BoolArray | slice) -> "Claims":
        return Claims(
            self.goals[lines],
            self.weights[lines],
            self.offsets[lines],
            self.multipliers[lines],
            self.prices[lines],
            self.columns[lines],
            self.price,
        )

    def __iter__(self) -> Iterator["Claims"]:
        """Each line for itself."""
        return (self[line : line + 1] for line in range(len(self.goals)))

    @property
    def reached(self) -> FloatArray:
        reached: FloatArray = np.einsum("bd,bd->b", self.goals, self.weights)
        return reached


@dataclass(frozen=True, eq=False)
class Proved:
    """Bounds of claims, and what kept them from being tighter.

    Attributes
    ----------
    bounds : list of Bound
    shortfalls : (batch, m) array
        Of the models.
    pulls : (batch, d + e) array
        Of the multipliers at each weight, in units of its price.
    """

    bounds: list[Bound]
    shortfalls: FloatArray
    pulls: FloatArray


class Prover:
    """Proves claims about one body."""

    def __init__(self, body: GoodModels) -> None:
        self._body = body

    @cached_property
    def _incidence(self) -> sparse.csr_array:
        """From rows to points, with signs."""
        rows, n = self._body.space.rows, len(self._body.space.points)
        entries = (rows.sign, (rows.point, np.arange(len(rows))))
        return sparse.csr_array(entries, shape=(n, len(rows)))

    def prove(self, claims: Claims) -> Proved:
        """What claims prove, their multipliers balanced where that is needed."""
        shortfalls = self.shortfalls(claims)
        violation = self._violations(claims, shortfalls)
        outer, pulls = self._outer(claims)
        loose = outer - claims.reached > TIGHT * self._body.scale
        if loose.any():
            balanced = self._balanced(claims[loose])
            outer[loose] = np.fmin(outer[loose], self._outer(balanced)[0])
        bounds = [
            Bound.by(Model(*model), float(inner), float(limit), float(excess))
            for *model, inner, limit, excess in zip(
                claims.weights, claims.offsets, claims.reached, outer, violation, strict=True
            )
        ]
        return Proved(bounds, shortfalls, pulls)

    def shortfalls(self, claims: Claims) -> FloatArray:
        """By how much models miss each row."""
        space, d = self._body.space, self._body.space.n_weights
        scores = claims.weights[:, :d] @ space.points.T
        scores += np.einsum("ben,be->bn", claims.columns, claims.weights[:, d:])
        rows = space.rows
        values = scores[:, rows.point]
        values *= rows.sign
        values += (rows.offset_matrix @ claims.offsets.T).T
        return np.subtract(rows.margin, values, out=values)

    def _violations(self, claims: Claims, shortfalls: FloatArray) -> FloatArray:
        body, rows = self._body, self._body.space.rows
        budget, d = body.budget, body.space.n_weights
        weight = np.where(rows.must_hold, 0.0, rows.weight)
        loss = np.maximum(shortfalls, 0) @ weight - np.minimum(shortfalls, 0) @ rows.surplus_weight
        size = np.abs(claims.weights)
        norm = size[:, :d] @ body.space.prices + claims.price * size[:, d:].sum(axis=1)
        cost = budget.norm_price * norm + budget.loss_price * loss
        breach = shortfalls[:, rows.must_hold].max(axis=1, initial=0.0) / rows.margin_size
        of_cost, of_norm = (cost - budget.limit) / body.cost_unit, norm / budget.norm_limit - 1
        violations: FloatArray = np.maximum(np.maximum(of_cost, of_norm), breach)
        return violations

    def _balanced(self, claims: Claims) -> Claims:
        """The same with multipliers that pull at no offset, which an interior point's nearly do.

        Those that have room are moved in proportion to it. What is left of the pull would be paid
        for with the widest values that offsets can have.
        """
        rows = self._body.space.rows
        alpha = _allowed(rows, claims.multipliers)
        price = _loss_worth(rows, alpha)[:, None]
        with np.errstate(invalid="ignore"):
            room = np.fmin(alpha + price * rows.surplus_weight, price * rows.weight - alpha)
        room = np.where(room > 0, room, 0.0)
        offsets = rows.offset_matrix.toarray()
        matrices = np.stack([(room * column) @ offsets for column in offsets.T], axis=1)
        moves = np.linalg.pinv(matrices, hermitian=True) @ (alpha @ offsets)[:, :, None]
        alpha -= room * (moves[:, :, 0] @ offsets.T)
        return replace(claims, multipliers=alpha)

    def _outer(self, claims: Claims) -> tuple[FloatArray, FloatArray]:
        space, budget = self._body.space, self._body.budget
        rows, d = space.rows, space.n_weights
        alpha = _allowed(rows, claims.multipliers)
        by_point = (self._incidence @ alpha.T).T
        own = np.einsum("bn,ben->be", by_point, claims.columns) / claims.price
        pulls = np.concatenate([by_point @ space.points / space.prices, own], axis=1)
        pulls[:, :d] += claims.goals[:, :d] / space.prices
        pulls[:, d:] += claims.goals[:, d:] / claims.price
        residual = (rows.offset_matrix.T @ alpha.T).T
        low, high = self._body.offset_box
        with np.errstate(invalid="ignore"):
            left_over = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
        norm_worth, loss_worth = np.abs(pulls).max(axis=1, initial=0.0), _loss_worth(rows, alpha)
        most = [budget.most(*each) for each in zip(norm_worth, loss_worth, strict=True)]
        return most + left_over.sum(axis=1) - alpha @ rows.margin, pulls


def _allowed(rows: MarginRows, multipliers: FloatArray) -> FloatArray:
    """Multipliers may be negative only where a surplus costs something."""
    return np.where(rows.surplus_weight > 0, multipliers, np.maximum(multipliers, 0.0))


def _loss_worth(rows: MarginRows, alpha: FloatArray) -> FloatArray:
    """The least price of the loss at which no multiplier is beyond its limits, line by line."""
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(alpha < 0, -alpha / rows.surplus_weight, alpha / rows.weight)
    price: FloatArray = np.nanmax(worth, axis=1, initial=0.0)
    return price
