"""Small tables and estimators that are quick to fit: what the tests of estimators share."""

from typing import Any

import numpy as np

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.datasets import PrivilegedSample, Sample, make_ordinal, make_privileged

PROBES = {"n_probes": 10, "random_state": 0}
"""Ten probes are the fewest allowed: enough wherever thresholds are not the point."""

FIXED = PROBES | {"C": 1.0}
"""Nothing to tune for problems with classes."""

ESTIMATORS: dict[str, Any] = {
    "ordinal": OrdinalRelevance,
    "classification": ClassificationRelevance,
    "regression": RegressionRelevance,
}

PROVED = 1e-6
"""Two solutions of programs that are equal up to rounding: each is proved to 1e-7 of the norm."""


def estimator(task: str, **settings: Any) -> Any:
    """An estimator with nothing to tune and few probes, unless told otherwise."""
    tube = {"epsilon": 0.1} if task == "regression" else {}
    return ESTIMATORS[task](**FIXED | tube | settings)


def told_estimator(task: str, **settings: Any) -> Any:
    """The same for ``privileged_table``, at prices where slacks are read from its columns.

    By the paper's rule, which asks for no shadows: they take longer than all else, and are the
    point of few tests.
    """
    return estimator(task, **{"C": 0.2, "gamma": 0.5, "selection": "probe"} | settings)


def table(task: str = "ordinal", n_samples: int = 80, noise: float = 0.3, **kind: Any) -> Sample:
    """Two strong features, two that replace each other, and two idle ones."""
    shape = {"n_strong": 2, "weak_groups": (2,), "n_irrelevant": 2, "random_state": 0}
    return make_ordinal(n_samples, noise=noise, task=task, **shape | kind)


def privileged_table(
    task: str = "ordinal", n_samples: int = 30, noise: float = 0.2, **kind: Any
) -> PrivilegedSample:
    """On each side a strong feature, two that replace each other, and an idle one."""
    shape = {"n_strong": 1, "weak_groups": (2,), "n_irrelevant": 1, "random_state": 0}
    return make_privileged(n_samples, noise=noise, task=task, **{"n_classes": 3} | shape | kind)


def facts(model: Any) -> dict[str, Any]:
    """All that was found except the time it took."""
    found: dict[str, Any] = model.result_.to_dict()
    del found["seconds"]
    return found | {"support": model.support_.tolist()}


def assert_same(found: Any, expected: Any) -> None:
    """Equal up to what is proved."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=PROVED * np.abs(expected).max())
