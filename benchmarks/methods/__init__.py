"""Which method? A module for each, with the options that make several methods of one.

A module has ``run(data, settings)``, which is what is timed, and ``report(answer, data,
settings)``, which is not; also ``warm_up`` if one small ``run`` does not load all that a large one
needs. A report has any of: ``selected``, ``selected_priv`` (relevance of each feature),
``intervals`` (as shares of the baseline's norm, NaN where not computed), ``programs``,
``programs_sampled``, ``seconds_per_program``, ``solver_seconds``, ``stages``, ``certificate_gap``;
and ``seconds`` with ``extrapolated`` where the whole was not run.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Method:
    """How to run one method.

    ``home`` names the environment: "relbounds" (this one), "fri" or "rivals".
    """

    name: str
    module: str
    home: str
    packages: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    cores: int = 1


_NUMERIC = ("numpy", "scipy")
_OURS = ("relbounds", "highspy", *_NUMERIC, "scikit-learn")
_FRI = ("fri", "cvxpy", "ecos", *_NUMERIC, "scikit-learn")

_ALL = (
    Method("relbounds-auto", "relbounds", "relbounds", _OURS, {"engine": "auto"}),
    Method("relbounds-simplex", "relbounds", "relbounds", _OURS, {"engine": "simplex"}),
    Method("relbounds-interior", "relbounds", "relbounds", _OURS, {"engine": "interior"}),
    Method(
        "relbounds-auto-2",
        "relbounds",
        "relbounds",
        _OURS,
        {"engine": "auto", "n_jobs": 2},
        cores=2,
    ),
    Method("fri", "fri", "fri", _FRI),
    Method("fri-sampled", "fri_sampled", "fri", _FRI),
    Method(
        "cvxpy-clarabel",
        "cvxpy_programs",
        "rivals",
        ("cvxpy", "clarabel", *_NUMERIC),
        {"solver": "CLARABEL"},
    ),
    Method(
        "cvxpy-highs",
        "cvxpy_programs",
        "rivals",
        ("cvxpy", "highspy", *_NUMERIC),
        {"solver": "HIGHS"},
    ),
    Method("boruta", "boruta_forest", "rivals", ("boruta", "scikit-learn", *_NUMERIC)),
    Method("rfecv", "rfecv_elastic_net", "rivals", ("scikit-learn", *_NUMERIC)),
)
METHODS = {method.name: method for method in _ALL}
