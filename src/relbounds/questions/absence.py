"""What does it cost to do without some features?"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from relbounds.method.parallel import Workers
from relbounds.method.state import Study, learned_set
from relbounds.method.training_data import Feature, Split, TrainingData
from relbounds.method.tuning import FoldModel, fold_model
from relbounds.questions.constraints import Reader
from relbounds.questions.feasibility import absence, is_unkept, over_baseline
from relbounds.results.answers import Price


def price(study: Study, features: Any, workers: Workers) -> Price:
    """What it costs to do without all of these features at once."""
    return _prices(study, [Reader.of(study).features(features)], workers)[0]


def prices(study: Study, workers: Workers) -> pd.DataFrame:
    """What it costs to do without each single feature."""
    found = _prices(study, [[each] for each in study.features], workers)
    columns = {
        "price": [each.tolerance for each in found],
        "indispensable": [each.is_indispensable for each in found],
        "error_without": [each.error_without for each in found],
        "score_fall": [each.score_fall for each in found],
    }
    names = pd.Index([each.features[0] for each in found], name="feature")
    return pd.DataFrame(columns, index=names)


def _prices(study: Study, absences: Sequence[Sequence[Feature]], workers: Workers) -> list[Price]:
    learned_set(study)
    folds = [_fold_model(study, study.data, split) for split in study.data.folds]
    return workers.map(_price, (study, folds), list(absences), "prices")


def _price(study: Study, folds: Sequence[FoldModel], features: Sequence[Feature]) -> Price:
    absent = absence(study, features)
    needed = over_baseline(study, [absent])
    return Price(
        tuple(each.name for each in features),
        needed,
        is_unkept(study, absent, needed),
        _mean([each.error for each in folds]),
        _mean(_errors_without(study, folds, features)),
    )


def _mean(errors: Sequence[float]) -> float:
    return float(np.mean(errors)) if errors else np.nan


def _errors_without(
    study: Study, folds: Sequence[FoldModel], features: Sequence[Feature]
) -> list[float]:
    """The error in each fold; a model that uses none of the features is the best without, too."""
    gone, data = np.concatenate([each.positions for each in features]), study.data.without(features)
    return [
        _fold_model(study, data, split).error if each.weights[gone].any() else each.error
        for each, split in zip(folds, study.data.folds, strict=True)
    ]


def _fold_model(study: Study, data: TrainingData, split: Split) -> FoldModel:
    return fold_model(study.engine, data, study.best.choice, split)
