"""Which weights need exact ends, where features outnumber the samples?

Most features of a wide table are idle, and a program for each of their ends takes nearly all of the
time. The best model's multipliers bound every weight by one product; how far they let a weight go
tells, nearly, which one goes far. So features are measured in that order, until a whole block of
them lies within what chance reaches. A feature whose place others have in the best model can go
further than that order tells, so that whatever other evidence speaks for, or nearly, is measured
too. All others keep the bound, which is proved, and their weight speaks for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import BoolArray, FloatArray, IntArray
from relbounds.engine import FEW_WEIGHTS, WeightRange, outer_values
from relbounds.method.decision import ChanceRule, chance_of_each
from relbounds.method.intervals import bounds_of, weight_ranges
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting
from relbounds.method.training_data import TrainingData
from relbounds.results.records import Evidence, Probes

_BLOCK = 8  # features: so many in a row that chance reaches as far as end the search


def is_wide(n_samples: int, n_features: int) -> bool:
    """Whether only some features of a side are measured.

    With up to 100 weights, or as many as samples, all ends take little longer than a few.
    """
    return n_features > max(FEW_WEIGHTS, n_samples)


def has_wide_table(data: TrainingData) -> bool:
    """Whether that is so of any side."""
    return any(is_wide(*each.columns.shape) for each in data.tables)


@dataclass(frozen=True, eq=False)
class Ranges:
    """Ranges of all weights, and the columns of each side of which they are outer values only."""

    of_weights: Sequence[WeightRange]
    bounded: Sequence[BoolArray]


def measured_ranges(
    setting: ProbeSetting,
    probes: Sequence[Probes],
    evidence: Sequence[Evidence],
    *,
    chance: ChanceRule,
    workers: Workers,
    asked: Sequence[BoolArray] | None = None,
) -> Ranges:
    """Exact ranges of the weights that may matter; of narrow tables, of all.

    ``asked``: the columns of each side that may; None: that is to be found out.
    """
    tables = setting.data.tables
    is_open = [np.full(each.columns.shape[1], is_wide(*each.columns.shape)) for each in tables]
    search = _Search(setting, probes, evidence, is_open, chance=chance, workers=workers)
    for side in range(len(tables)):
        if asked is None:
            search.measure_side(side)
        else:
            search.measure(side, np.flatnonzero(asked[side]))
    return Ranges(search.ranges, is_open)


class _Search:
    """What is known of all weights so far; ``is_open``: the columns that are not measured."""

    def __init__(
        self,
        setting: ProbeSetting,
        probes: Sequence[Probes],
        evidence: Sequence[Evidence],
        is_open: list[BoolArray],
        *,
        chance: ChanceRule,
        workers: Workers,
    ) -> None:
        self._setting, self._probes, self._evidence = setting, probes, evidence
        self._is_open, self._chance, self._workers = is_open, chance, workers
        self._outer = outer_values(setting.feasible, setting.best.solution.multipliers)
        self.ranges = [WeightRange.within(*ends) for ends in self._outer.tolist()]

    def measure_side(self, side: int) -> None:
        """All columns, or in the order of their bounds until chance reaches as far as a block."""
        if not self._is_open[side].any():
            self.measure(side, np.arange(len(self._is_open[side])))
            return
        self.measure(side, self._spoken_for(side))
        order = self._order(side)
        for first in range(0, len(order), _BLOCK):
            block = order[first : first + _BLOCK]
            self.measure(side, block)
            if not (self._p_in_models(side)[block] <= self._chance.worth_a_weight).any():
                break
        self._measure_relevant(side)

    def _spoken_for(self, side: int) -> IntArray:
        """Columns that other evidence speaks for, or nearly: others may have their place so far."""
        evidence, varies = self._evidence[side], self._setting.data.tables[side].varies
        alone = np.ones(len(varies)) if evidence.alone is None else evidence.alone
        strongest = np.fmin(alone, evidence.needed)[varies]
        return np.flatnonzero(strongest <= self._chance.worth_a_weight)

    def _measure_relevant(self, side: int) -> None:
        """What may be relevant, even if the weight of all that is measured spoke for it."""
        table, is_open = self._setting.data.tables[side], self._is_open[side]
        while True:
            in_models = np.ones(len(table.varies))
            in_models[table.varies] = is_open
            of_use = self._chance.of_use(self._evidence[side], in_models, table.varies)
            asked = np.flatnonzero(of_use[table.varies] & is_open)
            if not len(asked):
                return
            self.measure(side, asked)

    def _order(self, side: int) -> IntArray:
        """Columns not measured, the least bounded first; of equal ones, those with most weight."""
        layout = self._setting.best.composition.layouts[side]
        bounds = layout.of_features(self._outer).max(axis=(1, 2))
        weights = layout.of_features(np.abs(self._setting.best.solution.model.weights)).max(axis=1)
        order = np.lexsort((-weights, -bounds))
        return order[self._is_open[side][order]]

    def measure(self, side: int, columns: IntArray) -> None:
        """Exact ranges of the weights of some columns."""
        layout, setting = self._setting.best.composition.layouts[side], self._setting
        asked = np.sort(np.concatenate([layout.positions(k) for k in columns] or [columns]))
        found = weight_ranges(
            setting.engine, setting.feasible, setting.start, self._workers, asked.tolist()
        )
        for position, each in zip(asked.tolist(), found, strict=True):
            self.ranges[position] = each
        self._is_open[side][columns] = False

    def _p_in_models(self, side: int) -> FloatArray:
        """Of the columns, as far as they are measured."""
        table, best = self._setting.data.tables[side], self._setting.best
        bounds = bounds_of(
            side,
            table,
            best.composition.layouts[side],
            cases=[self.ranges],
            probes=self._probes[side],
            norm=best.norm,
            bounded=self._is_open[side],
        )
        return chance_of_each(bounds, self._chance.confidence)[1][table.varies]
