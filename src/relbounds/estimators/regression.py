"""The estimator of numbers."""

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from relbounds import checks
from relbounds.arrays import FloatArray
from relbounds.estimators.base import RelevanceSelector
from relbounds.estimators.input import Target
from relbounds.estimators.settings import documented
from relbounds.problems import (
    Problem,
    RegressionProblem,
)

_EPSILONS = (0.0, 0.1, 0.25, 0.5)  # standard deviations of the target


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
