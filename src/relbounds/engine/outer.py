"""What do the multipliers of one model prove of all weights at once?"""

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine.feasible_set import FeasibleSet
from relbounds.engine.proof import dual_bound


def outer_values(feasible: FeasibleSet, multipliers: FloatArray) -> FloatArray:
    """What no good model's ``-w`` and ``w`` can pass: (d, 2), by one product with the points.

    Multipliers of the best model prove ``0 <= spare`` for what good models may spend beyond it.
    They hold ``t`` times over, and as long as ``1 / price_k + t gradient_k <= t norm_worth`` for
    the goal ``w_k`` too: then ``w_k <= t spare``. Where that says little, the norm's limit holds.
    """
    space, budget = feasible.space, feasible.budget
    goals = np.zeros((1, space.n_weights))
    bound = dual_bound(space, multipliers[None], goals, feasible.offset_box)
    [spare], [worth], [gradients] = bound.within(budget), bound.norm_worth, bound.gradients
    with np.errstate(divide="ignore", invalid="ignore"):
        values = spare / np.stack([worth + gradients, worth - gradients], axis=1)
    outer: FloatArray = np.fmin(values, budget.norm_limit) / space.prices[:, None]
    return outer
