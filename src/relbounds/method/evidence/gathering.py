"""What do features prove without regard to the weight that good models give them?"""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from relbounds.arrays import FloatArray, IntArray
from relbounds.engine import Engine
from relbounds.method.best_model import BestModel
from relbounds.method.evidence.alone import p_alone
from relbounds.method.evidence.beside_others import Outcome, own_part, p_beside_others
from relbounds.method.parallel import Workers
from relbounds.method.training_data import Feature, Table, TrainingData, columns_of
from relbounds.results.records import Evidence


def gather(
    engine: Engine,
    data: TrainingData,
    best: BestModel,
    workers: Workers,
    absent: Sequence[Feature] = (),
) -> tuple[Evidence, ...]:
    """Evidence of all features, side by side; of those that are absent none for being needed."""
    regular, *others = data.tables
    singles = [np.array([column]) for column in range(regular.columns.shape[1])]
    alone = p_alone(regular.columns, data.y, data.weight, singles)
    needed = p_needed(data, best, singles, absent)
    found = [Evidence(_placed(regular, alone), _placed(regular, needed))]
    for privileged in others:
        asked = range(privileged.columns.shape[1])
        p = workers.map(_p_privileged, (engine, data, best, absent), asked, "evidence")
        found.append(Evidence(None, _placed(privileged, np.array(p))))
    return tuple(found)


def p_needed(
    data: TrainingData,
    best: BestModel,
    sets: Sequence[IntArray],
    absent: Sequence[Feature] = (),
) -> FloatArray:
    """How often chance would add as much to all others as each set of regular columns does."""
    n_classes = None if data.classes is None else len(data.classes)
    weights = np.abs(best.composition.predictor(best.solution.model).weights)
    columns = data.regular.columns
    return p_beside_others(
        Outcome(data.y, n_classes, data.weight),
        columns,
        sets,
        present=np.setdiff1d(np.arange(columns.shape[1]), columns_of(absent, 0)),
        likely=np.argsort(-weights, kind="stable")[: np.count_nonzero(weights)],
    )


def _placed(table: Table, p: FloatArray) -> FloatArray:
    """P-values of all features; those of constant ones are one."""
    everywhere = np.ones(len(table.varies))
    everywhere[table.varies] = p
    return everywhere


def _p_privileged(
    engine: Engine, data: TrainingData, best: BestModel, absent: Sequence[Feature], column: int
) -> float:
    """How often chance would add as much to slacks as a privileged column does.

    The best model without it has multipliers, which say what each sample's slack would gain by a
    change of either slack function: the scores of a test like that for regular features. A column
    that the best model does without has no price.
    """
    layout, columns = best.composition.layouts[1], data.tables[1].columns
    gone = columns_of(absent, 1)
    is_used = best.solution.model.weights[layout.positions(column)].any()
    if column in gone or not (is_used or absent):
        return 1.0
    without = data.without([*absent, Feature("", 1, column, np.empty(0, np.int64))])
    space = best.choice.compose(without).space
    _, multipliers = engine.path(space).solve(best.choice.C, cold=False)
    by_point = space.rows.by_point(multipliers)
    scores = np.zeros((len(data.y), layout.n_functions))
    shares = layout.shares[: len(by_point)]
    np.add.at(scores, layout.sample[: len(by_point)], by_point[:, None] * shares)
    present = np.setdiff1d(np.arange(columns.shape[1]), gone)
    own = own_part(columns[:, present], np.searchsorted(present, [column]), np.ones(len(columns)))
    return _p_of_scores(scores * own, len(columns) - len(present) - 1)


def _p_of_scores(products: FloatArray, degrees: int) -> float:
    """How often chance would have products of two residuals add up to as much."""
    total = products.sum(axis=0)
    if degrees < 1 or not total.any():
        return 1.0
    rank = np.linalg.matrix_rank(products)
    size = total @ np.linalg.pinv(products.T @ products, hermitian=True) @ total / rank
    return float(stats.f.sf(size * degrees / len(products), rank, degrees))
