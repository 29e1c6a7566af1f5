"""Small tables and estimators that are quick to fit: what the tests of estimators share."""

from typing import Any

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.datasets import Sample, make_ordinal

PROBES = {"n_probes": 10, "random_state": 0}
"""Ten probes are the fewest allowed: enough wherever thresholds are not the point."""

FIXED = PROBES | {"C": 1.0}
"""Nothing to tune for problems with classes."""

ESTIMATORS: dict[str, Any] = {
    "ordinal": OrdinalRelevance,
    "classification": ClassificationRelevance,
    "regression": RegressionRelevance,
}


def estimator(task: str, **settings: Any) -> Any:
    """An estimator with nothing to tune and few probes, unless told otherwise."""
    tube = {"epsilon": 0.1} if task == "regression" else {}
    return ESTIMATORS[task](**FIXED | tube | settings)


def table(task: str = "ordinal", n_samples: int = 80, noise: float = 0.3, **kind: Any) -> Sample:
    """Two strong features, two that replace each other, and two idle ones."""
    shape = {"n_strong": 2, "weak_groups": (2,), "n_irrelevant": 2, "random_state": 0}
    return make_ordinal(n_samples, noise=noise, task=task, **shape | kind)
