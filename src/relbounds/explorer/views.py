"""What does a page need to know of a result? Names and numbers; no cell of any table."""

from typing import Any

import numpy as np

from relbounds.method.state import Study
from relbounds.report.moving import fixed
from relbounds.results.answers import Redundancy
from relbounds.results.explored import ReachedModel

MOST_MODELS = 400
"""Of good models that a page mixes by itself; beyond, it waits for answers."""
MOST_ROWS = 1000
"""So many numbers of samples that a model puts elsewhere are told; of more, how many they are."""


def description(study: Study) -> dict[str, Any]:
    """What stays as it is, whatever is asked."""
    return {**fixed(study.result), "models": good_models(study)}


def good_models(study: Study) -> list[list[float]]:
    """The best model and those at the ends of ranges, a line each, as shares of the norm.

    None where features have several weights, or where there are too many.
    """
    models = [end.model for end in study.known.ends.values() if end.model is not None]
    is_single = all(len(each.positions) <= 1 for each in study.features)
    if not is_single or len(models) > MOST_MODELS:
        return []
    weights = np.array([each.weights for each in (study.known.best, *models)])
    placed = np.zeros((len(weights), len(study.features)))
    for place, feature in enumerate(study.features):
        if len(feature.positions):
            placed[:, place] = weights[:, feature.positions[0]]
    rounded: list[list[float]] = np.round(placed / study.result.norm, 7).tolist()
    return rounded


def model_view(model: ReachedModel) -> dict[str, Any]:
    """One good model, and which samples it puts elsewhere than the best one."""
    rows = None if model.otherwise is None else model.otherwise.tolist()
    return {
        "weights": model.weights.tolist(),
        "norm": model.norm,
        "loss": model.loss,
        "error": model.error,
        "error_of_best": model.error_of_best,
        "otherwise": None if rows is None else len(rows),
        "rows": [] if rows is None else [row + 1 for row in rows[:MOST_ROWS]],
    }


def groups_view(found: Redundancy) -> list[dict[str, Any]]:
    """Who stands in for whom: places of features, and a sentence."""
    places = {name: place for place, name in enumerate(found.feature_names)}
    return [
        {"members": [places[name] for name in group], "sentence": sentence}
        for group, sentence in zip(found.groups, found.sentences(), strict=True)
    ]
