"""What does a page need to know of a result? Names and numbers; no cell of any table."""

from typing import Any

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.method.state import Study
from relbounds.results.answers import ReachedModel, Redundancy
from relbounds.results.findings import Findings, arranged
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import KINDS, in_words, marks

MOST_MODELS = 400
"""Of good models that a page mixes by itself; beyond, it waits for answers."""
MOST_ROWS = 1000
"""So many numbers of samples that a model puts elsewhere are told; of more, how many they are."""


def numbers(result: RelevanceResult) -> dict[str, Any]:
    """Of every feature, sides one after another: its range, its interval and its class."""
    sides, norm = result.sides, result.norm
    hulls = np.concatenate([side.hulls for side in sides]) / norm + 0.0
    intervals = np.concatenate([side.intervals for side in sides])
    return {
        "low": hulls[:, 0].tolist(),
        "high": hulls[:, 1].tolist(),
        "least": intervals[:, 0].tolist(),
        "most": intervals[:, 1].tolist(),
        "relevance": _all(sides, "relevance"),
        "needed": _all(sides, "needed"),
        "chance": _plain(np.concatenate([side.chance for side in sides])),
        "marks": [marks(side, k) for side in sides for k in range(len(side.feature_names))],
        "evidence": [in_words(side, k) for side in sides for k in range(len(side.feature_names))],
        "tolerance": result.tolerances.norm if result.tolerances else None,
    }


def description(study: Study) -> dict[str, Any]:
    """What stays as it is, whatever is asked."""
    result = study.result
    firsts = np.cumsum([0, *(len(side.feature_names) for side in result.sides)])
    return {
        "names": [each.name for each in study.features],
        "sides": [each.side for each in study.features],
        "order": [
            int(first + k)
            for first, side in zip(firsts, result.sides, strict=False)
            for k in arranged(side)
        ],
        "bounded": _all(result.sides, "is_bounded"),
        "constant": [len(each.positions) == 0 for each in study.features],
        "kinds": [{"name": each.name, "question": each.question} for each in KINDS],
        "samples": result.data.n_samples,
        "task": result.task,
        "models": good_models(study),
    }


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


def _all(sides: tuple[Findings, ...], name: str) -> list[Any]:
    return [each for side in sides for each in getattr(side, name).tolist()]


def _plain(values: FloatArray) -> list[float | None]:
    """With None for what JSON has no number for."""
    return [float(each) if np.isfinite(each) else None for each in values]
