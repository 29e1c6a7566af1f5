"""How much worse than the best may a good model be? Rules that read it off the data.

Each rule gives the share by which loss and norm may exceed the best model's. Other models are
needed for most of them, at the C of the fit: without a feature, or fitted to other samples. The
public interface has no losses of single samples, so this module looks inside the fitted model.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np

from relbounds.engine.optimum import Solution, best_model
from relbounds.method.state import Study
from relbounds.method.tolerance import TOLERANCE_WITHOUT_LOSS
from relbounds.method.training_data import TrainingData

RESAMPLES = 20
CONSTANTS = (0.01, 0.03, 0.1)
SHARES_OF_GAIN = (0.1, 0.3)
LEAST = 0.001
AUTOMATIC = "automatic"


class Losses:
    """What each sample loses, in the best model and in others."""

    def __init__(self, study: Study, seed: int) -> None:
        self._study, self._random = study, np.random.RandomState(seed)
        self.best = self._of_samples(study.data, study.best.solution)
        self.total = float(self.best.sum())

    @cached_property
    def without_a_feature(self) -> list[np.ndarray]:
        """Of the best models without each feature that the best one uses."""
        data, weights = self._study.data, self._study.result.baseline.weights
        nothing = np.zeros(len(data.y))
        columns = np.flatnonzero(weights[data.regular.varies])
        without = [data.with_column(0, column, nothing) for column in columns]
        return [self._of_samples(each, self._fitted(each)) for each in without]

    @cached_property
    def without_features(self) -> np.ndarray:
        """Of the best model that uses no regular feature."""
        regular, *others = self._study.data.tables
        nothing = replace(regular, columns=0 * regular.columns)
        data = replace(self._study.data, tables=(nothing, *others))
        return self._of_samples(data, self._fitted(data))

    @cached_property
    def resampled(self) -> list[tuple[float, np.ndarray]]:
        """What models fitted to bootstrap samples lose there, and of all samples each."""
        n = len(self.best)
        draws = (self._random.randint(0, n, n) for _ in range(RESAMPLES))
        return self._refitted(draws)

    @cached_property
    def of_folds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The held-out samples of each fold, and the losses of all in the model of the others."""
        kept = [split for split in self._study.data.folds if self._has_all_classes(split[0])]
        models = self._refitted(train for train, _ in kept)
        return [(test, losses) for (_, test), (_, losses) in zip(kept, models, strict=True)]

    @cached_property
    def held_out(self) -> np.ndarray:
        """Of each sample, in the model that was fitted without it."""
        losses = np.full(len(self.best), np.nan)
        for test, all_losses in self.of_folds:
            losses[test] = all_losses[test]
        return losses[np.isfinite(losses)]

    @property
    def of_folds_error(self) -> float:
        """Standard error of the mean over folds, of the total."""
        means = [losses[test].mean() for test, losses in self.of_folds]
        return len(self.best) * float(np.std(means, ddof=1)) / np.sqrt(len(means))

    def _refitted(self, parts: Iterable[np.ndarray]) -> list[tuple[float, np.ndarray]]:
        found = []
        for part in parts:
            if self._has_all_classes(part):
                best = self._fitted(self._study.data[part])
                found.append((best.loss, self._of_samples(self._study.data, best)))
        return found

    def _has_all_classes(self, part: np.ndarray) -> bool:
        """Else a model has fewer offsets, and says nothing of the others."""
        y = self._study.data.y
        is_number = self._study.result.task == "regression"
        return is_number or len(np.unique(y[part])) == len(np.unique(y))

    def _fitted(self, data: TrainingData) -> Solution:
        choice = self._study.best.choice
        return best_model(self._study.engine.path(choice.compose(data).space), choice.C)

    def _of_samples(self, data: TrainingData, found: Solution) -> np.ndarray:
        return self._study.best.choice.compose(data).sample_losses(found.model, len(data.y))


def standard_error(losses: np.ndarray) -> float:
    """Of the total of independent losses."""
    return float(np.sqrt(np.square(losses - losses.mean()).sum()))


def paired(losses: Losses, others: Iterable[np.ndarray]) -> list[float]:
    """Standard errors of the difference to the best model."""
    return [standard_error(each - losses.best) for each in others]


RULES: dict[str, Callable[[Losses], float]] = {
    "1.5 standard errors": lambda of: 1.5 * standard_error(of.best),
    "two standard errors": lambda of: 2 * standard_error(of.best),
    "paired, without all features": lambda of: paired(of, [of.without_features])[0],
    "paired, without a feature": lambda of: max(paired(of, of.without_a_feature)),
    "paired, mean": lambda of: np.mean(paired(of, of.without_a_feature)),
    "paired, resampled": lambda of: np.mean(paired(of, (each for _, each in of.resampled))),
    "cross-validated, samples": lambda of: standard_error(of.held_out),
    "cross-validated, folds": lambda of: of.of_folds_error,
    "optimism": lambda of: of.held_out.mean() * len(of.best) - of.total,
    "bootstrap, best loss": lambda of: np.std([loss for loss, _ in of.resampled], ddof=1),
    "bootstrap, excess": lambda of: np.mean([each.sum() for _, each in of.resampled]) - of.total,
}
"""By how much the loss may be larger; the tolerance is this as a share of the best model's."""


def tolerances(study: Study, seed: int) -> dict[str, float]:
    """What each rule gives, the library's own first."""
    assert study.result.tolerances is not None, "something was learned"
    found = {AUTOMATIC: study.result.tolerances.norm}
    losses, without = Losses(study, seed), study.best.without_regular
    if without is not None:
        loss = study.best.solution.loss
        gain = min(loss, without.loss - loss) / loss
        found["one standard error"] = standard_error(losses.best) / losses.total
        found |= {f"{share} of the gain": share * gain for share in SHARES_OF_GAIN}
    if study.feasible is not None and study.feasible.budget.loss_limit > 0:
        found |= {name: max(rule(losses) / losses.total, LEAST) for name, rule in RULES.items()}
    else:
        found |= dict.fromkeys(RULES, TOLERANCE_WITHOUT_LOSS)
    return found | {f"{each:g}": each for each in CONSTANTS}
