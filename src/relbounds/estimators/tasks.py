"""The faces that scikit-learn knows: one estimator for each kind of outcome."""

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import recall_score
from sklearn.utils.multiclass import check_classification_targets

from relbounds import checks
from relbounds.arrays import FloatArray
from relbounds.estimators.base import RelevanceSelector
from relbounds.estimators.class_weight import check_class_weight, read_class_weight
from relbounds.estimators.input import Target, ordered_labels, sorted_labels
from relbounds.estimators.settings import documented
from relbounds.method.balance import Balance, sizes_of_classes
from relbounds.method.state import Settings
from relbounds.method.training_data import TrainingData
from relbounds.metrics import macro_mean_absolute_error
from relbounds.problems import (
    ClassificationProblem,
    OrdinalProblem,
    Problem,
    RegressionProblem,
    UnorderedProblem,
)

# scikit-learn reads an estimator's parameters off its own signature: hence the repeated lists.

_TOO_MANY_CLASSES = (
    "{} are for two classes, ordered classes and numbers, but y has {} classes without order. "
    "Leave {} out, analyse one class against the rest, or use OrdinalRelevance if they have one."
)
_EPSILONS = (0.0, 0.1, 0.25, 0.5)  # standard deviations of the target


class _WithClasses(ClassifierMixin, RelevanceSelector):
    """Labels in, labels out; classes of different size may count differently."""

    def __init__(
        self,
        *,
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
        self.class_weight = class_weight

    def _check_settings(self) -> None:
        super()._check_settings()
        check_class_weight(self.class_weight)

    def _balances(self, target: Target, data: TrainingData) -> tuple[Balance, ...]:
        sizes = sizes_of_classes(data.y, data.weight)
        return read_class_weight(self.class_weight, target, sizes, is_tuned=self.C is None)

    @property
    def classes_(self) -> Any:
        """The labels, in ascending order."""
        return self._target.labels.classes


@documented
class OrdinalRelevance(_WithClasses):
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


@documented
class ClassificationRelevance(_WithClasses):
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


@documented
class RegressionRelevance(RegressorMixin, RelevanceSelector):
    """Relevance of features for a number.

    Parameters
    ----------
    epsilon : float or None
        Half the width of the tube in which errors are free, in standard deviations of the
        target (in its own units with ``standardize=False``); None tunes it with C.
    {parameters}

    Attributes
    ----------
    {attributes}
    coef_ : (n_features,) array
        Weights of the best model in the units of X and y.
    intercept_ : float
        ``X @ coef_ + intercept_`` is what ``predict`` says.

    Examples
    --------
    >>> from relbounds import RegressionRelevance
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(100, n_strong=2, weak_groups=(2,), task="regression",
    ...                            random_state=0)
    >>> RegressionRelevance(random_state=0).fit(X, y).relevance_.tolist()
    [2, 2, 1, 1, 0, 0, 0]
    """

    _task = "regression"
    _explains_numbers = True

    def __init__(
        self,
        *,
        epsilon: float | None = None,
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
        self.epsilon = epsilon

    def _check_settings(self) -> None:
        super()._check_settings()
        if self.epsilon is not None:
            checks.at_least("epsilon", self.epsilon, 0, ", or None to tune it")

    def _read_target(self, y: Any, values: Any, weight: FloatArray) -> tuple[FloatArray, Target]:
        values = values.astype(np.float64)
        if values.min() == values.max():
            raise ValueError(f"y has one value only, {values[0]}; there is nothing to explain.")
        centre = float(np.average(values, weights=weight))
        spread = float(np.sqrt(np.average(np.square(values - centre), weights=weight)))
        if not self.standardize:
            return values, Target(spread=spread)
        return (values - centre) / spread, Target(centre=centre, scale=spread)

    @property
    def coef_(self) -> FloatArray:
        """Weights of the best model in the units of X and y."""
        coefficients: FloatArray = self._target.scale * self._in_given_units[0]
        return coefficients

    @property
    def intercept_(self) -> float:
        """What is added to ``X @ coef_`` to predict."""
        return float(self._target.decode(self._in_given_units[1] - self._offsets[0]))

    def _problems(self, target: Target) -> tuple[Problem, ...]:
        shares = [share * target.spread for share in _EPSILONS]
        epsilons = shares if self.epsilon is None else [self.epsilon]
        return tuple(map(RegressionProblem, epsilons))


ESTIMATORS: dict[str, Any] = {
    each._task: each for each in (OrdinalRelevance, ClassificationRelevance, RegressionRelevance)
}
"""The estimator of each task."""
