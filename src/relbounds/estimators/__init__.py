"""The faces that scikit-learn knows: one estimator for each kind of outcome."""

from typing import Any

from relbounds.estimators.classification import ClassificationRelevance
from relbounds.estimators.ordinal import OrdinalRelevance
from relbounds.estimators.regression import RegressionRelevance

ESTIMATORS: dict[str, Any] = {
    each._task: each for each in (OrdinalRelevance, ClassificationRelevance, RegressionRelevance)
}
"""The estimator of each task."""

__all__ = ["ESTIMATORS", "ClassificationRelevance", "OrdinalRelevance", "RegressionRelevance"]
