"""The same programs through cvxpy: the largest and smallest weight of features.

The budgets are those of the yardstick. The direction is a parameter, so that cvxpy compiles the
program once; the first program, which pays for that, is kept apart. As many features as patience
allows, in random order; no tuning, no probes. (A solver's own time may count the setup that it did
once in every program: Clarabel's does.)
"""

import time

import cvxpy as cp
import numpy as np
from scipy import sparse


def run(data, settings):
    n_features = data["X"].shape[1]
    weights, direction, problem = _program(data["X"], data["y"], settings)
    begun, found, seconds, solver_seconds = time.perf_counter(), {}, [], []
    for feature in np.random.RandomState(0).permutation(n_features):
        ends = []
        for sign in (-1.0, 1.0):
            start = time.perf_counter()
            direction.value = sign * (np.arange(n_features) == feature)
            problem.solve(solver=settings["solver"])
            if weights.value is None:
                raise ArithmeticError(problem.status)
            ends.append(float(weights.value[feature]))
            seconds.append(time.perf_counter() - start)
            solver_seconds.append(problem.solver_stats.solve_time)
        found[int(feature)] = ends
        if time.perf_counter() - begun > settings["patience"]:
            break
    return found, seconds, solver_seconds


def _program(X, y, settings):
    """Rows of class j: below offset j and above offset j - 1, each by one, or slack makes up."""
    ranks, n_offsets = y.astype(int), int(y.max())
    below, above = np.flatnonzero(ranks < n_offsets), np.flatnonzero(ranks > 0)
    sample = np.concatenate([below, above])
    offset = np.concatenate([ranks[below], ranks[above] - 1])
    sign = np.repeat([-1.0, 1.0], [len(below), len(above)])
    at_offset = sparse.csr_matrix((sign, (np.arange(len(sample)), offset)))
    weights, offsets = cp.Variable(X.shape[1]), cp.Variable(n_offsets)
    slack, direction = cp.Variable(len(sample), nonneg=True), cp.Parameter(X.shape[1])
    constraints = [
        (sign[:, None] * X[sample]) @ weights - at_offset @ offsets + slack >= 1,
        cp.diff(offsets) >= 0,
        cp.norm1(weights) <= settings["norm_limit"],
        cp.sum(slack) <= settings["loss_limit"],
    ]
    return weights, direction, cp.Problem(cp.Maximize(direction @ weights), constraints)


def report(answer, data, settings):
    found, seconds, solver_seconds = answer
    n_features = data["X"].shape[1]
    intervals = np.full((n_features, 2), np.nan)
    for feature, (low, high) in found.items():
        interval = max(0.0, low, -high), max(abs(low), abs(high))
        intervals[feature] = np.array(interval) / settings["norm"]
    later = float(np.mean(seconds[1:]))
    return {
        "seconds": seconds[0] + (2 * n_features - 1) * later,
        "extrapolated": len(found) < n_features,
        "intervals": intervals.tolist(),
        "programs": 2 * n_features,
        "programs_sampled": 2 * len(found),
        "seconds_per_program": later,
        "solver_seconds": float(np.mean(solver_seconds[1:])),
    }
