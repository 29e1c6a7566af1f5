"""Which model is the best at a price of the loss, and what proves it?"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import NORM_PRICE, Budget, FeasibleSet, Model, ModelSpace
from relbounds.engine.highs.engine import Simplex
from relbounds.engine.polishing import polished, settled
from relbounds.engine.proof import ADVICE, TIGHT, DualBound, dual_bound
from relbounds.engine.protocols import Path, Proposal
from relbounds.engine.rows import MarginRows
from relbounds.exceptions import InfeasibleError, SolverError

Box = tuple[FloatArray, FloatArray]
_ZERO = 1e-9
_TIE_BREAK = 1e-6
_ROUGH = 1e-3  # a model that is further off than that is not meant for the best one
_LEAST_SCALE = 1e-6  # of the most that a norm can be: where a best model has hardly any
_BATCH = 30_000  # multipliers that are held and proved together: a path's are as many as the table


@dataclass(frozen=True, eq=False)
class Solution:
    """A minimiser of ``norm / 2 + C * loss``.

    Attributes
    ----------
    model : Model
    norm, loss : float
    gap : float
        By how much, relatively, the objective may exceed the true optimum (proved).
    row_violation : float
        The most by which a row that has to be kept is missed, as a share of margins.
    multipliers : (m,) array
        Of the rows, as the solver named them: a proof for whoever recomputes it.
    """

    model: Model
    norm: float
    loss: float
    gap: float
    row_violation: float
    multipliers: FloatArray

    def objective(self, C: float) -> float:
        return NORM_PRICE * self.norm + C * self.loss

    def is_proved(self, allowed: float) -> bool:
        return self.gap <= allowed and self.row_violation <= TIGHT


def best_model(path: Path, C: float) -> Solution:
    """The best model at C, proved optimal by weak duality, or ``SolverError``."""
    return best_models(path, np.array([C]))[0]


def best_models(path: Path, Cs: FloatArray, allowed: float = TIGHT) -> list[Solution]:
    """The best model at each C, proved optimal by weak duality, or ``SolverError``.

    ``allowed``: by how much, relatively, the objective may exceed the optimum.
    """
    return list(one_by_one(path, Cs, allowed))


def one_by_one(path: Path, Cs: FloatArray, allowed: float) -> Iterator[Solution]:
    """The same for whoever keeps none of them: multipliers of all take as much as the table."""
    space = path.space
    if len(space.rows) == 0:
        nothing = Model(np.zeros(space.n_weights), np.zeros(space.rows.n_offsets))
        yield from (Solution(nothing, 0.0, 0.0, 0.0, 0.0, np.empty(0)) for _ in Cs)
        return
    lines, proposals = max(1, _BATCH // len(space.rows)), _proposals(path, Cs)
    for first in range(0, len(Cs), lines):
        some = Cs[first : first + lines]
        try:
            found = _judged(space, some, list(islice(proposals, len(some))), allowed)
        except SolverError:
            yield from (_from_scratch(path, C, allowed) for C in Cs[first:].tolist())
            return
        for C, each in zip(some.tolist(), found, strict=True):
            yield each if each.is_proved(allowed) else _from_scratch(path, C, allowed)


def _proposals(path: Path, Cs: FloatArray) -> Iterator[Proposal]:
    if len(Cs) == 1:
        yield path.solve(float(Cs[0]), cold=False)
    else:
        yield from path.solve_many(Cs)


def _from_scratch(path: Path, C: float, allowed: float) -> Solution:
    model, multipliers = path.solve(C, cold=True)
    [best] = _judged(path.space, np.array([C]), [(model, multipliers)], allowed)
    if not best.is_proved(allowed) and best.gap <= _ROUGH and best.row_violation <= _ROUGH:
        best = _more_precise(path.space, C, best)
    if not best.is_proved(allowed):
        raise SolverError(
            f"The best model at C={C:g} could not be proved: its objective may be "
            f"{best.gap:.1e} above the optimum, and it misses a row "
            f"that has to be kept by {best.row_violation:.1e}, where {allowed:.0e} and "
            f"{TIGHT:.0e} are allowed. {ADVICE}"
        )
    return best


def _more_precise(space: ModelSpace, C: float, best: Solution) -> Solution:
    """The same model or the vertex that it nearly is, proved by the box of all models as good."""
    settled_model = settled(space, best.model, best.multipliers)
    [[norm, loss, row_violation]] = _costs(space, [settled_model]).tolist()
    if row_violation <= TIGHT and norm * NORM_PRICE + C * loss < best.objective(C):
        best = replace(best, model=settled_model, norm=norm, loss=loss, row_violation=row_violation)
    try:
        return replace(best, gap=min(best.gap, _gap_within_box(space, C, best)))
    except (InfeasibleError, SolverError):
        return best


def _gap_within_box(space: ModelSpace, C: float, best: Solution) -> float:
    """By how much, relatively, the objective may exceed the least one, of models no worse.

    If one had an objective that is less by ``d``, the multipliers would prove of nothing that it
    is at most ``outer - d * loss_worth / C``, and nothing is zero.
    """
    budget = Budget.joint(C, best.objective(C))
    scale = max(best.norm, _LEAST_SCALE * budget.norm_limit)
    box = Simplex().prepare(FeasibleSet(space, budget, scale)).box
    if box is None:
        return np.inf
    nothing = np.zeros(space.n_weights)
    exact = polished(space, best.multipliers, nothing, budget.norm_share)
    bounds = [box.exact(nothing, each) for each in (best.multipliers, exact)]
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = [np.abs(box.within(each)) / each.loss_worth for each in bounds]
    return float(np.fmin.reduce(gaps)[0]) * C / budget.limit


def _judged(
    space: ModelSpace, Cs: FloatArray, proposals: list[Proposal], allowed: float
) -> list[Solution]:
    """What models cost, and what multipliers prove of that."""
    costs = _costs(space, [model for model, _ in proposals])
    objectives = NORM_PRICE * costs[:, 0] + Cs * costs[:, 1]
    box = space.offset_box(np.fmax.reduce(objectives) / NORM_PRICE, np.fmax.reduce(objectives / Cs))
    every = np.array([multipliers for _, multipliers in proposals])
    gaps = _gaps(space, Cs, objectives, every, box=box, allowed=allowed)
    return [
        Solution(model, norm, loss, gap, row_violation, multipliers)
        for (model, multipliers), (norm, loss, row_violation), gap in zip(
            proposals, costs.tolist(), gaps.tolist(), strict=True
        )
    ]


def _costs(space: ModelSpace, models: list[Model]) -> FloatArray:
    """Norm, loss and row violation, a line for each model."""
    weights = np.array([model.weights for model in models])
    offsets = np.array([model.offsets for model in models])
    missed = space.rows.shortfalls(weights @ space.points.T, offsets)
    return np.column_stack([np.abs(weights) @ space.prices, *space.rows.priced(missed)])


@np.errstate(all="ignore")  # what is no number proves nothing
def _gaps(
    space: ModelSpace,
    Cs: FloatArray,
    objectives: FloatArray,
    multipliers: FloatArray,
    *,
    box: Box,
    allowed: float,
) -> FloatArray:
    """By how much, relatively, objectives may exceed the least ones."""
    gaps = 1 - _least(space, Cs, multipliers, box) / objectives
    gaps[objectives / Cs <= _rounding(space.rows)] = 0.0
    loose = gaps > allowed
    if loose.any():
        nothing = np.zeros(space.n_weights)
        exact = np.array(
            [
                polished(space, each, nothing, NORM_PRICE / C)
                for each, C in zip(multipliers[loose], Cs[loose].tolist(), strict=True)
            ]
        )
        better = 1 - _least(space, Cs[loose], exact, box) / objectives[loose]
        gaps[loose] = np.fmin(gaps[loose], better)
    return gaps


def _least(space: ModelSpace, Cs: FloatArray, multipliers: FloatArray, box: Box) -> FloatArray:
    """Values that no model's objective falls below."""
    bound = dual_bound(space, multipliers, np.zeros((len(Cs), space.n_weights)), box)
    return least_objectives(bound, Cs)


def least_objectives(bound: DualBound, Cs: FloatArray) -> FloatArray:
    """Values that no model's objective falls below, by what is proved of nothing: it is zero."""
    price = np.maximum(bound.norm_worth / NORM_PRICE, bound.loss_worth / Cs)
    price[price == 0] = np.inf  # without multipliers: nothing costs less than nothing
    return -bound.rest / price


def canonical_best_model(path: Path, C: float) -> Solution:
    """The best model at C with the smallest loss, whichever vertex a solver would find.

    Norm and loss of the optimum are unique except at isolated values of C, where the
    optimum just above C has the smallest loss. So C is raised by one part in a million.
    """
    return best_model(path, C * (1 + _TIE_BREAK))


def has_weights(weights: FloatArray) -> bool:
    """Whether a model uses any feature."""
    return bool(np.abs(weights).sum() > _ZERO)


def without_rounding(loss: float, rows: MarginRows) -> float:
    """A loss that is no more than rounding of margins is none."""
    return 0.0 if loss <= _rounding(rows) else loss


def _rounding(rows: MarginRows) -> float:
    return _ZERO * rows.typical_price * rows.margin_size * len(rows)
