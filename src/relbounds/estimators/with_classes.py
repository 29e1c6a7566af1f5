"""What estimators of classes share: labels, weights of classes, and scores of their own."""

from typing import Any

from sklearn.base import ClassifierMixin

from relbounds.estimators.base import RelevanceSelector
from relbounds.estimators.class_weight import check_class_weight, read_class_weight
from relbounds.estimators.input import Target
from relbounds.method.balance import Balance, sizes_of_classes
from relbounds.method.training_data import TrainingData


class WithClasses(ClassifierMixin, RelevanceSelector):
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
