"""The faces that scikit-learn knows: one estimator for each kind of outcome."""

from relbounds.estimators.tasks import (
    ClassificationRelevance,
    OrdinalRelevance,
    RegressionRelevance,
)

__all__ = ["ClassificationRelevance", "OrdinalRelevance", "RegressionRelevance"]
