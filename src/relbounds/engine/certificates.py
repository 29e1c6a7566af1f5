"""Many answers proved at once: what do models and multipliers say about how far weights reach?

The same proof as ``bound``'s, line by line of a batch.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from relbounds.arrays import FloatArray
from relbounds.engine.bound import Bound
from relbounds.engine.good_models import GoodModels


@dataclass(frozen=True, eq=False)
class Claims:
    """What an engine says of several directions, unproved; a line for each.

    Attributes
    ----------
    goals, weights : (batch, d + e) arrays
        Own weights, of columns that only one line has, come last.
    offsets : (batch, k) array
    multipliers : (batch, m) array
    columns : (batch, n, e) array
        The own columns, of points.
    price : float
        What own weights count in the norm.
    """

    goals: FloatArray
    weights: FloatArray
    offsets: FloatArray
    multipliers: FloatArray
    columns: FloatArray
    price: float

    def __iter__(self) -> Iterator["Claims"]:
        """Each line for itself."""
        for line in range(len(self.goals)):
            only = slice(line, line + 1)
            yield Claims(
                self.goals[only],
                self.weights[only],
                self.offsets[only],
                self.multipliers[only],
                self.columns[only],
                self.price,
            )

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
        shortfalls = self.shortfalls(claims)
        violation = self._violations(claims, shortfalls)
        outer, pulls = self._outer(claims)
        bounds = [
            Bound(float(inner), float(limit), float(excess))
            for inner, limit, excess in zip(claims.reached, outer, violation, strict=True)
        ]
        return Proved(bounds, shortfalls, pulls)

    def shortfalls(self, claims: Claims) -> FloatArray:
        """By how much models miss each row."""
        space, d = self._body.space, self._body.space.n_weights
        scores = claims.weights[:, :d] @ space.points.T
        scores += np.einsum("bne,be->bn", claims.columns, claims.weights[:, d:])
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

    def _outer(self, claims: Claims) -> tuple[FloatArray, FloatArray]:
        space, budget = self._body.space, self._body.budget
        rows, d = space.rows, space.n_weights
        alpha = np.where(rows.surplus_weight > 0, claims.multipliers, claims.multipliers.clip(0))
        by_point = (self._incidence @ alpha.T).T
        own = np.einsum("bn,bne->be", by_point, claims.columns) / claims.price
        pulls = np.concatenate([by_point @ space.points / space.prices, own], axis=1)
        pulls[:, :d] += claims.goals[:, :d] / space.prices
        pulls[:, d:] += claims.goals[:, d:] / claims.price
        residual = (rows.offset_matrix.T @ alpha.T).T
        low, high = self._body.offset_box
        with np.errstate(invalid="ignore", divide="ignore"):
            left_over = np.where(residual == 0, 0.0, np.maximum(residual * low, residual * high))
            worth = np.where(alpha < 0, -alpha / rows.surplus_weight, alpha / rows.weight)
        norm_worth = np.abs(pulls).max(axis=1, initial=0.0)
        loss_worth = np.nanmax(worth, axis=1, initial=0.0)
        most = [budget.most(*each) for each in zip(norm_worth, loss_worth, strict=True)]
        return most + left_over.sum(axis=1) - alpha @ rows.margin, pulls
