"""Which tolerance makes the range of every weight a confidence interval?

The range of one weight over the joint set is where the profile of the cost stays below a limit.
Let the total loss of many samples be nearly quadratic around the best model, and ``v`` the standard
error of the difference between the losses of the best model and of one at an end of the range,
sample by sample. Costs rise with the square of the distance, ``v`` rises with the distance, and
where the end is the weight that endless data would have, their ratio is half a normal variable::

    cost(end) - cost(best) = v * |Z| / 2

So the right tolerance is the one at which ``cost(end) - cost(best) = v * z / 2``, with the quantile
``z`` of a coverage. It needs neither densities nor draws, and holds where the spread of losses
depends on the features.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import stats

from relbounds.arrays import FloatArray
from relbounds.engine import Engine, Model, WeightRange
from relbounds.engine.optimum import without_rounding
from relbounds.engine.proof import MOST_KEPT
from relbounds.exceptions import InfeasibleError
from relbounds.method.best_model import BestModel
from relbounds.method.intervals import weight_ranges
from relbounds.method.parallel import Workers
from relbounds.method.tolerance import GoodnessRule, standard_error
from relbounds.method.training_data import TrainingData

PULL_OF_CHANCE = 10.0
"""How many times as strongly as the norm chance pulls at a weight: the norm then moves it by a
twentieth of its standard error. From 5 to 20 the coverage is the same; the larger, the further
copies can be played off against each other."""
_CORRECTIONS = 2  # ranges of 100 samples: 3 to 6 % narrower than with three; one: 23 % wider


def hardly_penalised(engine: Engine, data: TrainingData, best: BestModel) -> BestModel:
    """The best model at a C so large that the norm hardly matters; C is never lowered.

    A sample that is missed pulls at a weight with the strength C, one way or the other; the norm
    with the strength one half.
    """
    space, model = best.composition.space, best.solution.model
    pull = np.linalg.norm(space.rows.by_point(space.rows.slopes(space.shortfalls(model))))
    _require_loss(bool(pull > 0))
    choice = best.choice.at(max(best.choice.C, float(PULL_OF_CHANCE / pull)))
    return BestModel.of(engine, choice.compose(data), choice)


def settled(
    rule: GoodnessRule, engine: Engine, data: TrainingData, best: BestModel, workers: Workers
) -> GoodnessRule:
    """The rule with a tolerance at which no range covers less often than asked for.

    One set serves all weights, so the tolerance is that of the weight that needs the most.
    """
    if not best.has_learned:
        return rule
    space = best.composition.space
    if space.n_weights > MOST_KEPT:
        raise ValueError(
            f"tolerance='confidence' is for at most {MOST_KEPT} features that vary; "
            f"got {space.n_weights}. Select some first, on other samples."
        )
    _require_loss(without_rounding(best.solution.loss, space.rows) > 0)
    in_loss = best.choice.in_loss(data)
    quantile = float(stats.chi2.ppf(rule.coverage, 1))
    tolerance = quantile / (2 * len(data.y))  # right for numbers with double exponential errors
    for _ in range(_CORRECTIONS):
        good = replace(rule, tolerance=tolerance)
        feasible, _ = good.feasible_set(best, in_loss, data.groups)
        ranges = weight_ranges(engine, feasible, engine.prepare(feasible).start, workers)
        errors = _errors(best, ranges, data) * best.choice.C / feasible.best_cost
        tolerance = quantile / 4 * float(np.square(errors).mean(axis=1).max()) / tolerance
    return replace(rule, tolerance=tolerance)


def _require_loss(makes_loss: bool) -> None:
    if not makes_loss:
        raise InfeasibleError(
            "tolerance='confidence' needs samples that the best model misses. It misses none of "
            "these, so that nothing says how large weights may be. Use tolerance='auto'."
        )


def _errors(best: BestModel, ranges: Sequence[WeightRange], data: TrainingData) -> FloatArray:
    """Standard errors of the difference in loss between the best model and those at both ends."""

    def losses(model: Model) -> FloatArray:
        return best.composition.sample_losses(model, len(data.y))

    at_best = losses(best.solution.model)
    ends = [end.model or best.solution.model for each in ranges for end in (each.low, each.high)]
    in_loss = best.choice.in_loss(data)
    errors = [standard_error(losses(end) - at_best, in_loss, data.groups) for end in ends]
    return np.reshape(errors, (len(ranges), 2))
