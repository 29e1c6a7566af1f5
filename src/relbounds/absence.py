"""What does it cost to do without some features?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.constraints import Feature
from relbounds.parallel import Workers
from relbounds.records import Record
from relbounds.study import Study
from relbounds.tuning import Sampled, errors_of
from relbounds.what_if import absence, is_unkept, learned_body, over_baseline


@dataclass(frozen=True)
class Price(Record):
    """The price of doing without some features.

    Attributes
    ----------
    features : tuple of str
    tolerance : float
        The least tolerance at which a good model does without them: by how much, relatively, the
        norm and the loss of the best model have to be exceeded. Infinite if there is none.
    is_indispensable : bool
        Whether no good model does without them all: the price is above the tolerance of the fit.
    error, error_without : float
        Cross-validated, at the chosen hyperparameters; NaN if the fit had nothing to tune, and so
        no folds.
    """

    features: tuple[str, ...]
    tolerance: float
    is_indispensable: bool
    error: float
    error_without: float

    @property
    def score_fall(self) -> float:
        """By how much the cross-validated error grows."""
        return self.error_without - self.error


def price(study: Study, features: Any, workers: Workers) -> Price:
    """What it costs to do without all of these features at once."""
    return _prices(study, [study.reader.features(features)], workers)[0]


def prices(study: Study, workers: Workers) -> pd.DataFrame:
    """What it costs to do without each single feature."""
    found = _prices(study, [[each] for each in study.reader.known], workers)
    columns = {
        "price": [each.tolerance for each in found],
        "indispensable": [each.is_indispensable for each in found],
        "error_without": [each.error_without for each in found],
        "score_fall": [each.score_fall for each in found],
    }
    names = pd.Index([each.features[0] for each in found], name="feature")
    return pd.DataFrame(columns, index=names)


def _prices(study: Study, absences: Sequence[Sequence[Feature]], workers: Workers) -> list[Price]:
    learned_body(study)
    error = _error(study, study.sampled)
    return workers.map(_price, (study, error), list(absences), "prices")


def _price(study: Study, error: float, features: Sequence[Feature]) -> Price:
    absent = absence(study, features)
    needed = over_baseline(study, [absent])
    return Price(
        tuple(each.name for each in features),
        needed,
        is_unkept(study, absent, needed),
        error,
        _error(study, _without(study, features)),
    )


def _error(study: Study, sampled: Sampled) -> float:
    """The mean error over the folds."""
    if not study.splits:
        return np.nan
    errors: FloatArray = errors_of(
        study.engine, study.problem, sampled, study.fit.chosen, study.splits
    )
    return float(errors.mean())


def _without(study: Study, features: Sequence[Feature]) -> Sampled:
    """The data without some columns."""
    sampled, n = study.sampled, study.sides[0].n_features
    gone = np.concatenate([each.positions for each in features]).astype(np.int64)
    points = np.delete(sampled.points, gone[gone < n], axis=1)
    if sampled.privileged is None:
        return replace(sampled, points=points)
    told = gone[(gone >= n) & (gone < n + sampled.privileged.shape[1])] - n
    return replace(sampled, points=points, privileged=np.delete(sampled.privileged, told, axis=1))
