"""Over which tolerances does a feature keep its class? Pure functions of a path."""

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from relbounds.arrays import IntArray
from relbounds.decision import Relevance
from relbounds.tolerance_path import RelevancePath


@dataclass(frozen=True)
class Run:
    """Tolerances over which a feature is of one class, and those of them that were tried."""

    row: int
    relevance: Relevance
    low: float
    high: float
    tried: tuple[float, ...]


def arranged(path: RelevancePath) -> IntArray:
    """Positions of the features: what is strong longest first, then what is of use soonest."""
    is_ever_strong = (path.relevance == Relevance.STRONG).any(axis=0)
    strong_until = np.where(is_ever_strong, path.strong_until, 0.0)
    how_often_relevant = (path.relevance != Relevance.IRRELEVANT).sum(axis=0)
    order: IntArray = np.lexsort((-path.strong_until, -how_often_relevant, -strong_until))
    return order


def runs(path: RelevancePath) -> list[Run]:
    """Those of all features, in rows from top to bottom."""
    return [run for row, k in enumerate(arranged(path)) for run in of_feature(path, int(k), row)]


def of_feature(path: RelevancePath, feature: int, row: int = 0) -> list[Run]:
    """Those of one feature, from the least tolerance on."""
    classes, tried = path.relevance[:, feature], path.tolerances
    places = [list(places) for _, places in groupby(range(len(tried)), lambda k: classes[k])]
    edges = [tried[0], *(_edge(path, feature, run[-1]) for run in places[:-1]), tried[-1]]
    return [
        Run(row, Relevance(classes[run[0]]), low, high, tuple(tried[run].tolist()))
        for run, low, high in zip(places, edges[:-1], edges[1:], strict=True)
    ]


def _edge(path: RelevancePath, feature: int, last: int) -> float:
    """Where a class ends after the last tolerance at which it was found.

    A strong feature is so as long as no good model does without it, which is known exactly. Of
    other changes only the tolerances before and after are known, and their middle is taken.
    """
    before, after = path.tolerances[last : last + 2]
    exact = path.strong_until[feature]
    if path.relevance[last, feature] == Relevance.STRONG and before <= exact <= after:
        return float(exact)
    return float((before + after) / 2)
