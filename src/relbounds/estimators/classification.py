"""The estimator of classes without order: two, or more."""

from typing import Any

import numpy as np
from sklearn.metrics import recall_score
from sklearn.utils.multiclass import check_classification_targets

from relbounds.arrays import FloatArray
from relbounds.estimators.input import Target, sorted_labels
from relbounds.estimators.settings import documented
from relbounds.estimators.with_classes import WithClasses
from relbounds.method.state import Settings
from relbounds.method.training_data import TrainingData
from relbounds.problems import (
    ClassificationProblem,
    Problem,
    UnorderedProblem,
)

# as in ordinal: the list of parameters is repeated for scikit-learn

_TOO_MANY_CLASSES = (
    "{} are for two classes, ordered classes and numbers, but y has {} classes without order. "
    "Leave {} out, analyse one class against the rest, or use OrdinalRelevance if they have one."
)


@documented
class ClassificationRelevance(WithClasses):
    """Relevance of features for two classes, or for more that have no order.

    Each of three or more classes is told from the rest by a score of its own, all of them within
    one budget; a feature then has an interval for each class (``result_.to_class_frame()``), and
    ``intervals_`` are about the largest of its weights.

    Parameters
    ----------
    {class_weight}
    {parameters}

    Attributes
    ----------
    {attributes}
    classes_ : array
        The labels, sorted; of two, positive weights speak for the second, and of more those of each
        class speak for it.
    coef_ : (1, n_features) array, or (n_classes, n_features) of more than two
        Weights of the best model in the units of X.
    intercept_ : (1,) or (n_classes,) array
        What is added to ``X @ coef_.T`` for the decision function.

    Examples
    --------
    >>> from relbounds import ClassificationRelevance
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(150, n_strong=2, weak_groups=(2,), task="classification",
    ...                            random_state=0)
    >>> ClassificationRelevance(random_state=0).fit(X, y).relevance_.tolist()
    [2, 2, 1, 1, 0, 0, 0]
    """

    _task = "classification"

    def _settings(self, target: Target, data: TrainingData) -> Settings:
        n_classes = len(target.classes or ())
        if len(data.tables) > 1 and n_classes > 2:
            raise ValueError(_TOO_MANY_CLASSES.format("Privileged features", n_classes, "X_priv"))
        if data.groups is not None and n_classes > 2:
            raise ValueError(_TOO_MANY_CLASSES.format("Groups", n_classes, "groups"))
        return super()._settings(target, data)

    def _read_target(self, y: Any, values: Any, weight: FloatArray) -> tuple[FloatArray, Target]:
        check_classification_targets(values)
        labels = sorted_labels(y, values)
        return labels.code(values), Target(labels)

    def _problems(self, target: Target) -> tuple[Problem, ...]:
        if len(target.classes or ()) > 2:
            return (UnorderedProblem(),)
        return (ClassificationProblem(),)

    @property
    def coef_(self) -> FloatArray:
        """Weights of the best model in the units of X, a line a score."""
        coefficients: FloatArray = np.atleast_2d(self._in_given_units[0])
        return coefficients

    @property
    def intercept_(self) -> FloatArray:
        """What is added to ``X @ coef_.T``."""
        intercept: FloatArray = self._in_given_units[1] - self._offsets
        return intercept

    def decision_function(self, X: Any) -> FloatArray:
        """How much the best model speaks for the second class, or for each of more classes.

        ``X @ coef_.T + intercept_``; the class that it speaks for most is predicted.

        There are no probabilities behind a margin. Where they are needed, let scikit-learn's
        ``CalibratedClassifierCV`` learn them from held-out samples.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,), or (n_samples, n_classes) of more than two
            Of two classes positive where the second is predicted; 1 and -1 are the margins.
        """
        distance: FloatArray = self._scores(X) - self._offsets
        return distance

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The balanced accuracy: the mean share that is right in each class."""
        share: float = recall_score(
            y,
            self.predict(X),
            labels=np.unique(y),
            average="macro",
            sample_weight=sample_weight,
            zero_division=0.0,
        )
        return float(share)
