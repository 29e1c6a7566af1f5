"""What the three estimators share: reading the data, asking, selecting and predicting."""

import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from relbounds.arrays import FloatArray
from relbounds.engine import ENGINES
from relbounds.estimators.further import FollowUp
from relbounds.estimators.input import (
    PrivilegedTable,
    Target,
    read_groups,
    read_sample_weight,
)
from relbounds.estimators.one_hot import warn_of_a_column_for_every_value
from relbounds.estimators.refusals import (
    refuse_gaps,
    refuse_text,
    refuse_text_outcome,
    refuse_unusable_columns,
    refuse_what_does_not_fit,
)
from relbounds.estimators.settings import check_settings, kept_positions, selected
from relbounds.exceptions import ConstantFeatureWarning, DegenerateModelWarning
from relbounds.method.analysis import analyse
from relbounds.method.balance import Balance
from relbounds.method.decision import ChanceRule
from relbounds.method.means import Means
from relbounds.method.parallel import Workers
from relbounds.method.scaling import Scaling
from relbounds.method.state import Settings, Study
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import Table, TrainingData, make_folds, of_counted_rows
from relbounds.method.tuning import GAMMAS
from relbounds.problems import Problem
from relbounds.results.findings import Findings


class RelevanceSelector(FollowUp, SelectorMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the estimators; a subclass says how to read its target and what its problems are."""

    _task: str
    _explains_numbers = False
    _target: Any
    _scaling: Scaling
    _problem: Problem

    def __init__(
        self,
        *,
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
        self.C = C
        self.tolerance = tolerance
        self.loss_tolerance = loss_tolerance
        self.budget = budget
        self.coverage = coverage
        self.n_probes = n_probes
        self.confidence = confidence
        self.selection = selection
        self.level = level
        self.probes = probes
        self.engine = engine
        self.exact = exact
        self.cv = cv
        self.gamma = gamma
        self.slack = slack
        self.free_slack_price = free_slack_price
        self.standardize = standardize
        self.keep = keep
        self.min_features = min_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @abstractmethod
    def _read_target(self, y: Any, values: Any, weight: FloatArray) -> tuple[FloatArray, Target]:
        """The coded target and its code; ``values`` is ``y`` as an array."""

    @abstractmethod
    def _problems(self, target: Target) -> tuple[Problem, ...]:
        """The learning problems to choose from."""

    def _balances(self, target: Target, data: TrainingData) -> tuple[Balance, ...]:
        """How much classes may count in the loss; numbers have none."""
        return (Balance(),)

    def fit(
        self,
        X: Any,
        y: Any,
        X_priv: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """Find the good models and bound every weight over them.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            Sparse tables are made dense once, standardised.
        y : array-like of shape (n_samples,)
        X_priv : array-like or frame of shape (n_samples, n_privileged), optional
            Privileged features, which exist only while training. Predictions never need them.
        sample_weight : array-like of shape (n_samples,), optional
            Multiplies a sample's loss; samples of weight zero are left out.
        groups : array-like of shape (n_samples,), optional
            Labels of patients, sites or whatever rows belong to. Rows of one group count as one
            observation of what the group has as a whole, and they stay together in folds.

        Returns
        -------
        self
        """
        with _unchanged_on_failure(self):
            self._check_settings()
            values, y_values = self._read(X, y)
            privileged = self._read_privileged(X_priv, values.shape[0])
            weight = read_sample_weight(sample_weight, values.shape[0])
            counted = weight > 0
            together = read_groups(groups, counted)
            values = values if counted.all() else values[counted]
            warn_of_a_column_for_every_value(values, self._names())
            coded, target = self._read_target(y, y_values[counted], weight[counted])
            scaling = Scaling.of(values, weight[counted], standardize=self.standardize)
            tables = [Table(self._names(), scaling.apply(values), scaling.varies)]
            del values  # what was copied from a frame need not stay while models are fitted
            if privileged is not None:
                tables.append(privileged.scaled(counted, weight, standardize=self.standardize))
            kept = kept_positions(self.keep, self.min_features, self._names())
            data = TrainingData(
                tuple(tables),
                coded,
                weight[counted],
                target.classes,
                groups=together,
                centre=target.centre,
                scale=target.scale,
            )
            study = self._analyse(self._settings(target, data), data, counted)
            self.support_ = selected(study.result.regular, kept, self.min_features)
            self.result_, self._scaling, self._target = study.result, scaling, target
            self._problem, self._study = study.best.choice.problem, study
        return self

    def _read_privileged(self, X_priv: Any, n_samples: int) -> PrivilegedTable | None:
        """The privileged table, checked; its names are remembered."""
        for name in ("n_features_priv_in_", "feature_names_priv_in_"):
            if hasattr(self, name):
                delattr(self, name)
        if X_priv is None:
            return None
        privileged = PrivilegedTable.read(X_priv, n_samples, getattr(self, "feature_names_in_", ()))
        self.n_features_priv_in_ = len(privileged.names)
        self.feature_names_priv_in_ = np.array(privileged.names, dtype=object)
        return privileged

    def _read(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Numbers, in one layout of memory, and target values, checked; names are remembered.

        Sparse tables stay sparse, by columns.
        """
        refuse_unusable_columns(X)
        if self._explains_numbers:
            refuse_text_outcome(y)
        try:
            values, y_values = validate_data(
                self,
                X,
                y,
                dtype=np.float64,
                accept_sparse="csc",
                ensure_min_samples=2,
                y_numeric=self._explains_numbers,
            )
        except (ValueError, TypeError) as error:
            refuse_text(X, error)
            refuse_gaps(X, error)
            raise
        if sparse.issparse(values):
            refuse_what_does_not_fit(values.shape)
        else:
            values = np.ascontiguousarray(values)
        return values, column_or_1d(y_values, warn=True)

    def _settings(self, target: Target, data: TrainingData) -> Settings:
        has_privileged = len(data.tables) > 1
        if has_privileged and self.tolerance == "confidence":
            raise ValueError(
                "tolerance='confidence' is for fits without X_priv: slacks that are read from "
                "privileged features have no chance of their own. Use 'auto' or a number."
            )
        gammas = GAMMAS if self.gamma is None else (self.gamma,)
        return Settings(
            task=self._task,
            problems=self._problems(target),
            C=self.C,
            gammas=gammas if has_privileged else (None,),
            balances=self._balances(target, data),
            slack=self.slack if has_privileged else None,
            free_slack_price=self.free_slack_price,
            rule=GoodnessRule(self.budget, self.tolerance, self.loss_tolerance, self.coverage),
            probes=self.probes,
            n_probes=self.n_probes,
            chance=ChanceRule(self.selection, self.confidence, self.level),
            exact=self.exact,
        )

    def _analyse(self, settings: Settings, data: TrainingData, counted: Any) -> Study:
        """The whole analysis; what the user should know is said at the line that calls ``fit``."""
        if constant := data.regular.constant:
            warnings.warn(_one_value_only(constant), ConstantFeatureWarning, stacklevel=3)
        random_state = check_random_state(self.random_state)
        if settings.is_open:
            cv = of_counted_rows(self.cv, counted)
            data = replace(data, folds=make_folds(cv, data))
        means = Means(ENGINES[self.engine](), random_state, Workers(self.n_jobs, self.verbose))
        study = analyse(settings, data, means)
        if study.result.is_degenerate:
            warnings.warn(study.result.why_degenerate, DegenerateModelWarning, stacklevel=3)
        return study

    def _names(self) -> tuple[str, ...]:
        if hasattr(self, "feature_names_in_"):
            return tuple(str(name) for name in self.feature_names_in_)
        return tuple(f"x{index}" for index in range(self.n_features_in_))

    def _check_settings(self) -> None:
        check_settings(self)

    def transform(self, X: Any) -> Any:
        """The selected columns of X, sparse if X is; privileged features are not needed."""
        check_is_fitted(self)
        self._refuse_privileged(X)
        return super().transform(X)

    def _get_support_mask(self) -> Any:
        check_is_fitted(self)
        return self.support_

    @property
    def intervals_(self) -> FloatArray:
        """``[minrel, maxrel]`` of each feature, divided by the baseline's norm."""
        return self.result_.intervals

    @property
    def weight_ranges_(self) -> FloatArray:
        """``[lo, hi]`` of each weight, signed and not divided."""
        return self.result_.weight_ranges

    @property
    def relevance_(self) -> Any:
        """0 irrelevant, 1 weak, 2 strong."""
        return self.result_.relevance

    @property
    def needed_(self) -> Any:
        """Which relevant features are proved to add to all others."""
        return self.result_.needed

    def _of_privileged(self) -> Findings:
        check_is_fitted(self)
        if self.result_.privileged is None:
            raise AttributeError(
                f"This {type(self).__name__} was fitted without privileged features; "
                "call fit(X, y, X_priv=...)."
            )
        return self.result_.privileged

    @property
    def intervals_priv_(self) -> FloatArray:
        """``[minrel, maxrel]`` of each privileged feature, divided by the baseline's norm."""
        return self._of_privileged().intervals

    @property
    def weight_ranges_priv_(self) -> FloatArray:
        """``[lo, hi]`` of each privileged feature's weight in each slack function, signed."""
        return self._of_privileged().weight_ranges

    @property
    def relevance_priv_(self) -> Any:
        """0 irrelevant, 1 weak, 2 strong, for privileged features."""
        return self._of_privileged().relevance

    @property
    def needed_priv_(self) -> Any:
        """Which relevant privileged features are proved to add to all others."""
        return self._of_privileged().needed

    @property
    def support_priv_(self) -> Any:
        """Which privileged features are relevant."""
        return self._of_privileged().relevance > 0

    def predict(self, X: Any) -> Any:
        """What the best model says of new samples; privileged features are not needed.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
            Labels as they were given to ``fit``, or numbers for regression.
        """
        scores = self._scores(X)
        return self._target.decode(self._problem.predict(scores, self._offsets))

    def _scores(self, X: Any) -> FloatArray:
        """What the best model weighs new samples by, before offsets."""
        check_is_fitted(self)
        self._refuse_privileged(X)
        try:
            values = validate_data(self, X, reset=False, dtype=np.float64, accept_sparse="csr")
        except ValueError as error:
            refuse_gaps(X, error)
            raise
        return self._scaling.scores(values, self.result_.baseline.weights)

    @property
    def _offsets(self) -> FloatArray:
        return self.result_.baseline.offsets

    @property
    def _in_given_units(self) -> tuple[FloatArray, FloatArray]:
        """The best model in the units of the columns as they came: coefficients and a constant."""
        return self._scaling.undone(self.result_.baseline.weights)

    def _refuse_privileged(self, X: Any) -> None:
        given = set(getattr(X, "columns", ())) - set(getattr(self, "feature_names_in_", ()))
        n_both = self.n_features_in_ + getattr(self, "n_features_priv_in_", 0)
        if given & set(getattr(self, "feature_names_priv_in_", ())) or (
            n_both > self.n_features_in_ and np.shape(X)[1:] == (n_both,)
        ):
            raise ValueError(
                f"X has the {self.n_features_in_} regular features and privileged ones, which "
                "are needed for training only; leave the privileged ones out."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = False
        tags.input_tags.sparse = True
        return tags


def _one_value_only(names: Sequence[str]) -> str:
    return (
        f"{len(names)} feature(s) have one value only and get relevance zero: "
        f"{', '.join(names[:10])}{', ...' if len(names) > 10 else ''}."
    )


@contextmanager
def _unchanged_on_failure(estimator: BaseEstimator) -> Iterator[None]:
    """Whatever interrupts a fit, the estimator stays as it was before."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise
