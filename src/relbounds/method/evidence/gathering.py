"""What do features prove without regard to the weight that good models give them?"""

from collections.abc import Sequence

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import Engine
from relbounds.method.best_model import BestModel
from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import Outcome, all_fit, p_beside_others
from relbounds.method.evidence.price import PriceTest
from relbounds.method.parallel import Workers
from relbounds.method.training_data import Feature, Table, TrainingData, columns_of
from relbounds.results.records import Evidence

_MOST_CLASSES = 0.1  # of the samples: ranks of more are taken as numbers


def gather(
    engine: Engine,
    data: TrainingData,
    best: BestModel,
    workers: Workers,
    absent: Sequence[Feature] = (),
    *,
    known_alone: FloatArray | None = None,
    known: Evidence | None = None,
) -> tuple[Evidence, ...]:
    """Evidence of all features, side by side; of those that are absent none for being needed.

    ``known_alone``: what each feature says alone, which absent ones do not change. ``known``: all
    evidence of regular features, where ``without_models`` had it.
    """
    found = [known or workers.call(_of_regular, data, best, absent, known_alone)]
    for privileged in data.tables[1:]:
        asked = range(privileged.columns.shape[1])
        test = PriceTest(engine, data, best, absent)
        p = workers.map(_p_privileged, (test,), asked, "evidence")
        found.append(Evidence(None, _placed(privileged, np.array(p))))
    return tuple(found)


def without_models(data: TrainingData, *, unordered: bool, workers: Workers) -> Evidence | None:
    """Evidence of regular features, if no model has to tell which of them can be tested."""
    return workers.call(_without_models, data, unordered)


def _without_models(data: TrainingData, unordered: bool) -> Evidence | None:
    columns = data.regular.columns
    if not all_fit(_outcome(data, unordered=unordered), columns):
        return None
    return _evidence_of(data, np.zeros(columns.shape[1]), unordered)


def _of_regular(
    data: TrainingData,
    best: BestModel,
    absent: Sequence[Feature],
    known_alone: FloatArray | None,
) -> Evidence:
    return _evidence_of(
        data, _used(best), best.has_a_score_a_class, absent, known_alone=known_alone
    )


def _evidence_of(
    data: TrainingData,
    used: FloatArray,
    unordered: bool,
    absent: Sequence[Feature] = (),
    *,
    known_alone: FloatArray | None = None,
) -> Evidence:
    """Of regular columns: alone, and of being needed, also by each class."""
    regular = data.regular
    singles = [np.array([column]) for column in range(regular.columns.shape[1])]
    if known_alone is None:
        alone = p_alone(
            regular.columns, data.y, data.weight, singles, data.groups, unordered=unordered
        )
    else:
        alone = known_alone[regular.varies]
    needed, of_classes = _p_needed(data, used, singles, absent, unordered=unordered)
    alone[columns_of(absent, 0)] = 1.0
    placed = None if of_classes is None else _placed(regular, of_classes)
    return Evidence(_placed(regular, alone), _placed(regular, needed), placed)


def p_needed(
    data: TrainingData,
    best: BestModel,
    sets: Sequence[IntArray],
    absent: Sequence[Feature] = (),
) -> tuple[FloatArray, FloatArray | None]:
    """How often chance would add as much to all others as each set of regular columns does.

    Of classes without order also to tell each from the rest: (sets, classes). Likely to be needed
    is what the best model uses; without some features others may be.
    """
    return _p_needed(data, _used(best), sets, absent, unordered=best.has_a_score_a_class)


def _used(best: BestModel) -> FloatArray:
    """How much the best model uses each regular column, all classes together."""
    weights: FloatArray = np.abs(best.composition.predictor(best.solution.model).weights)
    return weights.sum(axis=1) if best.has_a_score_a_class else weights


def _outcome(data: TrainingData, *, unordered: bool) -> Outcome:
    n_classes = data.n_classes
    if not unordered and n_classes and n_classes > _MOST_CLASSES * len(data.y):
        n_classes = None
    return Outcome(data.y, n_classes, data.weight, data.groups, not unordered)


def _p_needed(
    data: TrainingData,
    used: FloatArray,
    sets: Sequence[IntArray],
    absent: Sequence[Feature],
    *,
    unordered: bool,
) -> tuple[FloatArray, FloatArray | None]:
    columns, targets = data.regular.columns, data.y[:, None]
    if unordered:
        targets = targets == np.arange(len(data.classes or ()))
    alike = np.abs((targets - targets.mean(axis=0)).T @ columns).sum(axis=0)
    n_likely = len(used) if absent else np.count_nonzero(used)
    present = np.setdiff1d(np.arange(columns.shape[1]), columns_of(absent, 0))
    p = p_beside_others(
        _outcome(data, unordered=unordered),
        columns,
        sets,
        present=present,
        likely=np.lexsort((-alike, -used))[:n_likely],
    )
    if data.classes is not None:
        telling = present[_tell_all(columns[:, present], data.y)]
        if len(telling):
            p[[len(np.setdiff1d(telling, each)) > 0 for each in sets]] = 1.0
    return (p[:, 0], p[:, 1:]) if unordered else (p, None)


def _tell_all(columns: FloatArray, y: FloatArray) -> BoolArray:
    """Columns in which each class has an interval of its own: beside one nothing is left to tell.

    Residuals would not say so: a trace of a ridge always leaves some.
    """
    of_classes = [columns[y == rank] for rank in np.unique(y)]
    least, most = (np.array([end(each, axis=0) for each in of_classes]) for end in (np.min, np.max))
    order = np.argsort(least, axis=0)
    least, most = (np.take_along_axis(each, order, axis=0) for each in (least, most))
    apart: BoolArray = np.logical_and.reduce(most[:-1] < least[1:])
    return apart


def _placed(table: Table, p: FloatArray) -> FloatArray:
    """P-values of all features; those of constant ones are one."""
    everywhere = np.ones((len(table.varies), *p.shape[1:]))
    everywhere[table.varies] = p
    return everywhere


def _p_privileged(test: PriceTest, column: int) -> float:
    return test.p_value(column)
