"""The authors' package, fri 9.0.0: a whole fit.

Its baseline is ``|w| + C loss`` where ours is ``|w|/2 + C loss``, so it is given twice our C; with
privileged features both have the half. A fit solves 10 x 3 + 1 baselines (4 where C is given),
three programs a feature and three a probe; six for privileged features and their probes.
"""

import logging
import warnings

import fri
import numpy as np

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


def table(data):
    """The columns as fri wants them, privileged ones last, and how many those are."""
    if "X_priv" not in data:
        return data["X"], 0
    return np.hstack([data["X"], data["X_priv"]]), data["X_priv"].shape[1]


def model(n_privileged, settings):
    """An estimator that is not fitted yet."""
    names = fri.ProblemName
    fixed = {}
    if "C" in settings:
        fixed = {
            "C": settings["C"] * (1 if n_privileged else 2),
            "w_l1_slack": settings["norm_tolerance"],
            "loss_slack": settings["loss_tolerance"],
        }
        if n_privileged:
            fixed["scaling_lupi_w"] = settings["gamma"]
    return fri.FRI(
        names.LUPI_ORDREGRESSION if n_privileged else names.ORDINALREGRESSION,
        random_state=0,
        n_jobs=settings.get("n_jobs", 1),
        n_probe_features=settings["n_probes"],
        **fixed,
    )


def n_programs(n_features, n_privileged, settings):
    baselines = 4 if "C" in settings else 31
    regular = 3 * (n_features + settings["n_probes"])
    return baselines + regular + (6 * (n_privileged + settings["n_probes"]) if n_privileged else 0)


def run(data, settings):
    X, n_privileged = table(data)
    return model(n_privileged, settings).fit(X, data["y"], lupi_features=n_privileged)


def warm_up(data, settings):
    """In this process: in others, cvxpy's variables can be confused after so small a fit."""
    run(data, settings | {"n_jobs": 1})


def report(fitted, data, settings):
    n_features = fitted.n_features_
    found = {
        "selected": [int(each) for each in fitted.relevance_classes_nonpriv_],
        "programs": n_programs(n_features, fitted.lupi_features_, settings),
    }
    if fitted.lupi_features_:
        found["selected_priv"] = [int(each) for each in fitted.relevance_classes_priv_]
    elif "C" in settings:
        found["intervals"] = fitted.interval_.tolist()
    return found
