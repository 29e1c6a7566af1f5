"""What do models say of samples that they have not seen, beside what these are?"""

import numpy as np

from relbounds.arrays import FloatArray, IntArray
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import Study
from relbounds.method.training_data import Split
from relbounds.method.tuning import held_out_predictions
from relbounds.results.other_data import HeldOut

_PARTS = 6
"""Of numbers: so many that a picture is a picture, and few enough to be read."""


@ONE_BLAS_THREAD
def held_out(study: Study, workers: Workers) -> HeldOut:
    """Counted over the folds at the chosen settings; on the training data if there are no folds."""
    data, folds = study.data, study.data.folds
    every = np.arange(len(data.y))
    splits = folds or ((every, every),)
    said = workers.map(_said, (study,), list(splits), "held out")
    asked = np.concatenate([test for _, test in splits])
    edges = None if data.classes is not None else _edges(data.y)
    are, said_to_be = (_part(each, edges) for each in (data.y[asked], np.concatenate(said)))
    size = len(data.classes or ()) if edges is None else len(edges) - 1
    counts = np.zeros((size, size))
    np.add.at(counts, (are, said_to_be), data.weight[asked])
    given = None if edges is None else data.as_given(edges)
    return HeldOut(data.class_names, given, counts, has_seen=not folds)


def _said(study: Study, split: Split) -> FloatArray:
    return held_out_predictions(study.engine, study.data, study.best.choice, split)


def _edges(y: FloatArray) -> FloatArray:
    """Where parts of about equally many samples begin and end."""
    edges: FloatArray = np.unique(np.quantile(y, np.linspace(0, 1, _PARTS + 1)))
    return edges if len(edges) > 1 else np.append(edges, edges)


def _part(values: FloatArray, edges: FloatArray | None) -> IntArray:
    """Ranks of classes; in which part a number lies, the first or the last if beyond all."""
    if edges is None:
        return values.astype(np.int64)
    return np.searchsorted(edges[1:-1], values, side="right")
