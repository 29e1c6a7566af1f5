"""fri 9.0.0 where a whole fit takes too long: some of its programs, multiplied up.

The baseline and its search run in full. Of the features and of the probes, each side apart, as many
are solved as patience allows, in random order, at least one each.
"""

import time

import numpy as np
from fri.compute import RelevanceBoundsIntervals

from methods.fri import model, n_programs, table


def run(data, settings):
    X, n_privileged = table(data)
    fri_model = model(n_privileged, settings)
    fri_model.problem_object_ = fri_model.problem_type(**fri_model.other_args)
    begun = time.perf_counter()
    best, _ = fri_model._fit_baseline(X, data["y"], n_privileged)
    baseline_seconds = time.perf_counter() - begun
    bounds = _bounds(fri_model, best, X, data["y"], n_privileged)
    n_features = X.shape[1] - n_privileged
    sides = [np.arange(n_features), np.arange(n_features, X.shape[1])][: 1 + bool(n_privileged)]
    patience = settings["patience"] / (2 * len(sides))
    solved = [_features(bounds, dims, patience) for dims in sides]
    probes = [_probe_seconds(bounds, dims, settings["n_probes"], patience) for dims in sides]
    seconds = baseline_seconds + sum(
        len(dims) * np.mean([each for _, each in features.values()])
        + settings["n_probes"] * np.mean(probe_seconds)
        for dims, features, probe_seconds in zip(sides, solved, probes, strict=True)
    )
    return {"seconds": seconds, "features": solved[0], "norm": best.L1_factor}


def _bounds(fri_model, best, X, y, n_privileged):
    """What fri makes of its best model: the source of all bounds, a probe at a time."""
    prepared = fri_model.problem_object_.preprocessing((X, y), lupi_features=n_privileged)
    return RelevanceBoundsIntervals(
        prepared,
        fri_model.problem_object_,
        best,
        fri_model.random_state,
        n_resampling=1,
        n_jobs=1,
        verbose=0,
    )


def _features(bounds, dims, patience):
    """Interval, not normalised, and seconds of each feature that there was time for."""
    begun, found = time.perf_counter(), {}
    for feature in np.random.RandomState(0).permutation(dims):
        start = time.perf_counter()
        interval = bounds.compute_relevance_bounds(np.array([feature]))[0]
        found[int(feature)] = interval, time.perf_counter() - start
        if time.perf_counter() - begun > patience:
            break
    return found


def _probe_seconds(bounds, dims, n_probes, patience):
    seconds = []
    while len(seconds) < n_probes and sum(seconds) <= patience:
        start = time.perf_counter()
        bounds.compute_probe_values(dims, isUpper=True)
        bounds.compute_probe_values(dims, isUpper=False)
        seconds.append(time.perf_counter() - start)
    return seconds


def report(answer, data, settings):
    n_features = data["X"].shape[1]
    n_privileged = data["X_priv"].shape[1] if "X_priv" in data else 0
    intervals = np.full((n_features, 2), np.nan)
    for feature, (interval, _) in answer["features"].items():
        intervals[feature] = interval / answer["norm"]
    return {
        "seconds": answer["seconds"],
        "extrapolated": True,
        "intervals": intervals.tolist() if "C" in settings else None,
        "programs": n_programs(n_features, n_privileged, settings),
        "programs_sampled": 3 * len(answer["features"]),
        "seconds_per_program": np.mean([each for _, each in answer["features"].values()]) / 3,
    }
