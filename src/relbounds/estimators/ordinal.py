"""The estimator of ordered classes: stages, ratings, grades."""

from typing import Any

import numpy as np

from relbounds import checks
from relbounds.arrays import FloatArray
from relbounds.estimators.input import Target, ordered_labels
from relbounds.estimators.settings import documented
from relbounds.estimators.with_classes import WithClasses
from relbounds.metrics import macro_mean_absolute_error
from relbounds.problems import (
    OrdinalProblem,
    Problem,
)

# scikit-learn reads an estimator's parameters off its own signature: hence the repeated lists.


@documented
class OrdinalRelevance(WithClasses):
    """Relevance of features for ordered classes, such as stages, ratings or grades.

    Parameters
    ----------
    order : {"explicit", "implicit"}
        Whether a sample keeps its distance from the boundaries of its own class only, whose
        order is then required, or from all boundaries, which puts them in order.
    classes : sequence or None
        All classes in ascending order. Needed for text, unless ``y`` is an ordered pandas
        Categorical; numbers are ordered as they are.
    {class_weight}
    {parameters}

    Attributes
    ----------
    {attributes}
    classes_ : array
        The labels in ascending order.
    coef_ : (n_features,) array
        Weights of the best model in the units of X: ``X @ coef_`` is its score, which is higher
        for higher classes.
    thresholds_ : (n_classes - 1,) array
        Where one class ends and the next begins, in units of the score, ascending. They take the
        place of an ``intercept_``.

    Examples
    --------
    >>> from relbounds import OrdinalRelevance
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(150, n_strong=2, weak_groups=(2,), n_irrelevant=2,
    ...                            random_state=0)
    >>> model = OrdinalRelevance(random_state=0).fit(X, y)
    >>> model.relevance_.tolist()
    [2, 2, 1, 1, 0, 0]
    """

    _task = "ordinal"

    def __init__(
        self,
        order: str = "explicit",
        *,
        classes: Any = None,
        class_weight: Any = "auto",
        C: float | None = None,
        tolerance: float | str = "auto",
        loss_tolerance: float | str | None = None,
        budget: str = "split",
        coverage: float = 0.9,
        n_probes: int = 50,
        confidence: float = 0.999,
        selection: str = "evidence",
        level: float = 0.05,
        probes: str = "append",
        engine: str = "auto",
        exact: bool = False,
        cv: Any = None,
        gamma: float | None = None,
        slack: str = "privileged",
        free_slack_price: float | None = None,
        standardize: bool = True,
        keep: Any = None,
        min_features: int = 0,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            class_weight=class_weight,
            C=C,
            tolerance=tolerance,
            loss_tolerance=loss_tolerance,
            budget=budget,
            coverage=coverage,
            n_probes=n_probes,
            confidence=confidence,
            selection=selection,
            level=level,
            probes=probes,
            engine=engine,
            exact=exact,
            cv=cv,
            gamma=gamma,
            slack=slack,
            free_slack_price=free_slack_price,
            standardize=standardize,
            keep=keep,
            min_features=min_features,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.order = order
        self.classes = classes

    def _check_settings(self) -> None:
        super()._check_settings()
        checks.one_of("order", self.order, ("explicit", "implicit"))

    def _read_target(self, y: Any, values: Any, weight: FloatArray) -> tuple[FloatArray, Target]:
        labels = ordered_labels(y, values, self.classes)
        return labels.code(values), Target(labels)

    def _problems(self, target: Target) -> tuple[Problem, ...]:
        return (OrdinalProblem(self.order),)

    @property
    def coef_(self) -> FloatArray:
        """Weights of the best model in the units of X."""
        return self._in_given_units[0]

    @property
    def thresholds_(self) -> FloatArray:
        """Where one class ends and the next begins, in units of ``X @ coef_``, ascending."""
        thresholds: FloatArray = np.sort(self._offsets) - self._in_given_units[1]
        return thresholds

    def decision_function(self, X: Any) -> FloatArray:
        """How far inside each class the best model sees new samples.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_classes), or (n_samples,) for two classes
            The distance of the score ``X @ coef_`` from the nearer end of each class: positive
            inside, negative outside, so that the largest is that of the predicted class. Of two
            classes as in scikit-learn: how far beyond the one threshold.
        """
        beyond = self._scores(X)[:, None] - np.sort(self._offsets)
        if beyond.shape[1] == 1:
            return beyond[:, 0]
        endless = np.full((len(beyond), 1), np.inf)
        above, below = np.hstack([endless, beyond]), np.hstack([-beyond, endless])
        inside: FloatArray = np.minimum(above, below)
        return inside

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Minus the MMAE in ranks: 0 is perfect, and larger is better.

        A class that was never seen counts by its place in the order.
        """
        predicted = self.predict(X)
        order = self._target.labels.order_with(y)
        return -macro_mean_absolute_error(y, predicted, labels=order, sample_weight=sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # scikit-learn's check asks for high accuracy on blobs that lie in no order
        tags.classifier_tags.poor_score = True
        return tags
