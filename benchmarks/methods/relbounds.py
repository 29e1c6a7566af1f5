"""This library: a whole fit, or one with C and tolerance given."""

import warnings

from relbounds import OrdinalRelevance


def run(data, settings):
    fixed = {name: settings[name] for name in ("C", "tolerance") if name in settings}
    if "X_priv" in data and "gamma" in settings:
        fixed["gamma"] = settings["gamma"]
    model = OrdinalRelevance(
        engine=settings["engine"],
        n_probes=settings["n_probes"],
        n_jobs=settings.get("n_jobs", 1),
        random_state=0,
        **fixed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(data["X"], data["y"], X_priv=data.get("X_priv")).result_


def warm_up(data, settings):
    """Every engine that "auto" may choose, since solvers are loaded at their first use."""
    asked = settings["engine"]
    for engine in ("simplex", "interior") if asked == "auto" else (asked,):
        run(data, settings | {"engine": engine})


def report(result, data, settings):
    intervals = result.programs["intervals"]
    return {
        "selected": result.relevance.tolist(),
        "selected_priv": result.privileged.relevance.tolist() if result.privileged else None,
        "intervals": result.intervals.tolist(),
        "programs": sum(result.programs.values()),
        "seconds_per_program": result.seconds["intervals"] / intervals if intervals else None,
        "stages": result.seconds,
        "certificate_gap": float(result.certificate_gaps.max() / result.norm),
        "shared": _shared(result),
    }


def _shared(result):
    """What other methods need to solve the same programs."""
    if result.is_degenerate:
        return None
    return {
        "norm": result.norm,
        "norm_limit": result.norm_limit,
        "loss_limit": result.loss_limit,
        "norm_tolerance": result.tolerances.norm,
        "loss_tolerance": result.tolerances.loss,
    }
