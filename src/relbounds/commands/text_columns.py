"""Does a text column matter as one, whatever is said of its columns of 0 and 1?"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.blocks import Blocks
from relbounds.decision import RESOLUTION, Relevance
from relbounds.result import RelevanceResult
from relbounds.selector import RelevanceSelector

MOST_COLUMNS = 20
MOST_CELLS = 20_000
"""Least and most totals are found exactly for texts with no more columns of 0 and 1 each, and no
more cells together; if that is too much, for those of which a column is relevant. It takes up to
some three seconds. All others are only bounded: they could take far longer than the fit."""


def texts_as_one(model: RelevanceSelector, groups: Mapping[str, str]) -> Blocks | None:
    """The text columns that became several columns; None if there are none."""
    columns: dict[str, list[str]] = {}
    for feature, column in groups.items():
        columns.setdefault(column, []).append(feature)
    texts = {column: features for column, features in columns.items() if len(features) > 1}
    measured = _worth_measuring(model.result_, texts)
    parts = [
        model.blocks({column: features})
        if column in measured
        else _bounded(model, column, features)
        for column, features in texts.items()
    ]
    return _joined(parts) if parts else None


def _worth_measuring(result: RelevanceResult, texts: Mapping[str, list[str]]) -> list[str]:
    classes = result.to_frame()["relevance"].cat.codes
    short = [column for column, features in texts.items() if len(features) <= MOST_COLUMNS]
    relevant = [column for column in short if classes[texts[column]].any()]
    for chosen in (short, relevant):
        if result.data.n_samples * sum(len(texts[column]) for column in chosen) <= MOST_CELLS:
            return chosen
    return []


def _joined(parts: Sequence[Blocks]) -> Blocks:
    return Blocks(
        tuple(name for each in parts for name in each.names),
        tuple(features for each in parts for features in each.features),
        np.concatenate([each.intervals for each in parts]),
        np.concatenate([each.gaps for each in parts]),
        np.concatenate([each.relevance for each in parts]),
    )


def _bounded(model: RelevanceSelector, column: str, features: Sequence[str]) -> Blocks:
    """The class exactly; least and most only as far as single columns and the best model tell."""
    found = model.result_.to_frame().loc[list(features)]
    surely, least = _least_total(model, found)
    most, at_most = _most_total(model.result_, found)
    highest = int(found["relevance"].cat.codes.max())
    is_strong = least > RESOLUTION and highest > Relevance.IRRELEVANT
    return Blocks(
        (column,),
        (tuple(features),),
        np.array([[least, most]]),
        np.array([[least - surely, at_most - most]]),
        np.array([Relevance.STRONG if is_strong else min(highest, Relevance.WEAK)], dtype=int),
    )


def _least_total(model: RelevanceSelector, found: pd.DataFrame) -> tuple[float, float]:
    """What no good model goes below, and what a good model reaches."""
    surely = float(found["minrel"].max())
    total = _total_of_best_model(model.result_, found.index)
    if surely <= RESOLUTION and (
        total <= RESOLUTION or not model.price(list(found.index)).is_indispensable
    ):
        return 0.0, 0.0
    return surely, total


def _most_total(result: RelevanceResult, found: pd.DataFrame) -> tuple[float, float]:
    """What a good model reaches, and what none exceeds; privileged weights count twice."""
    reached, together = float(found["maxrel"].max()), float(found["maxrel"].sum())
    if (found["side"] == "regular").all():
        return reached, max(reached, min(together, result.norm_limit / result.norm))
    return reached, 2 * together


def _total_of_best_model(result: RelevanceResult, features: Iterable[str]) -> float:
    """As a share of its norm."""
    best, of_privileged = result.baseline, result.privileged
    weights = dict(zip(result.feature_names, np.abs(best.weights), strict=True))
    if of_privileged is not None and best.privileged_weights is not None:
        told: FloatArray = np.abs(best.privileged_weights).sum(axis=1)
        weights |= dict(zip(of_privileged.feature_names, told, strict=True))
    return float(sum(weights[each] for each in features)) / result.norm
