"""What do good models allow, what does chance, and what follows for each feature?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from relbounds.arrays import BoolArray, FloatArray
from relbounds.engine import Engine, FeasibleSet, WeightRange
from relbounds.method.best_model import BestModel
from relbounds.method.decision import ChanceRule
from relbounds.method.intervals import bounds_of, weight_ranges
from relbounds.method.largest_weights import least_of_largest
from relbounds.method.means import Means
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting, draw_probes, solve_probes
from relbounds.method.shadows import solve_shadows
from relbounds.method.state import Settings
from relbounds.method.training_data import Feature, TrainingData
from relbounds.method.wide import Ranges, has_wide_table, measured_ranges
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import Evidence, Probes, Shadows, Tolerances


@dataclass(frozen=True, eq=False)
class Measured:
    """What the good models allow, and what chance does; nothing, if nothing was learned.

    Attributes
    ----------
    feasible : FeasibleSet or None
    tolerances : Tolerances or None
    cases : sequence of lists of WeightRange
        The range of each weight: over the feasible set, or over each of those that constraints
        leave of it.
    probes : sequence of Probes
        Of each side.
    shadows : sequence of tuples of Shadows
        Of each side.
    least : sequence of arrays
        Of each case the least that the largest weight of each regular feature is; empty unless each
        class has a score of its own.
    bounded : sequence of bool arrays
        Of each side the columns whose ranges are outer values only; empty if none are.
    """

    feasible: FeasibleSet | None = None
    tolerances: Tolerances | None = None
    cases: Sequence[Sequence[WeightRange]] = ()
    probes: Sequence[Probes | None] = ()
    shadows: Sequence[tuple[Shadows, ...]] = ()
    least: Sequence[FloatArray] = ()
    bounded: Sequence[BoolArray] = ()

    @property
    def ranges(self) -> Sequence[WeightRange]:
        """Of the only case, if there is any."""
        return self.cases[0] if self.cases else ()

    @property
    def fallbacks(self) -> int:
        """How many answers were left to the exact engine."""
        of_ranges = sum(each.fallbacks for ranges in self.cases for each in ranges)
        of_shadows = sum(each.fallbacks for side in self.shadows for each in side)
        return of_ranges + of_shadows + sum(each.fallbacks for each in self.probes if each)


def measure(
    settings: Settings,
    data: TrainingData,
    best: BestModel,
    evidence: Callable[[], Sequence[Evidence]],
    *,
    means: Means,
    asked: Sequence[BoolArray] | None = None,
) -> Measured:
    """The set of good models, the range of every weight over it, and what chance reaches.

    ``evidence`` is asked for when it is needed. ``asked``: of wide tables, the columns of each side
    whose weights may matter; None: that is to be found out.
    """
    feasible, tolerances = settings.rule.feasible_set(best, best.choice.in_loss(data), data.groups)
    with means.watch.stage("intervals"):
        start = means.workers.call(_start, means.engine, feasible)
    setting = ProbeSetting(means.engine, data, best, feasible, start, settings.rule)
    probed = means.workers.begin(_probed, settings, setting, means)
    if settings.asks_for_all or not has_wide_table(data):
        found = _ranges_of_all(setting, means)
    else:
        known = probed(), evidence()
        with means.watch.stage("intervals"):
            found = measured_ranges(
                setting, *known, chance=settings.chance, workers=means.workers, asked=asked
            )
    with means.watch.stage("intervals"):
        least = least_of_case(
            means.engine,
            best,
            feasible,
            found.of_weights,
            asked=~found.bounded[0] if found.bounded else None,
            workers=means.workers,
        )
    ranges = [found.of_weights]
    measured = Measured(feasible, tolerances, ranges, probed(), least=least, bounded=found.bounded)
    if settings.chance.is_papers:
        return measured
    return replace(measured, shadows=_shadows(settings, setting, measured, evidence(), means))


def _probed(settings: Settings, setting: ProbeSetting, means: Means) -> list[Probes]:
    """What chance usually reaches, side by side."""
    with means.watch.stage("probes"):
        drawn = [
            draw_probes(
                settings.chance.give_probes(table.columns), settings.n_probes, means.random_state
            )
            for table in setting.data.tables
        ]
        begun = [
            means.workers.begin(
                solve_probes, setting, side, of_side, settings.probes, means.workers
            )
            for side, of_side in enumerate(drawn)
        ]
        return [found() for found in begun]


def _ranges_of_all(setting: ProbeSetting, means: Means) -> Ranges:
    with means.watch.stage("intervals"):
        ranges = weight_ranges(means.engine, setting.feasible, setting.start, means.workers)
    return Ranges(ranges, ())


def _shadows(
    settings: Settings,
    setting: ProbeSetting,
    measured: Measured,
    evidence: Sequence[Evidence],
    means: Means,
) -> list[tuple[Shadows, ...]]:
    """What chance reaches in the place of features that nothing but their weight speaks for."""
    of_sides = zip(_bounds(setting.data, setting.best, measured), evidence, strict=True)
    with means.watch.stage("shadows"):
        return [
            solve_shadows(
                setting, index, bounds, of_side, chance=settings.chance, workers=means.workers
            )
            for index, (bounds, of_side) in enumerate(of_sides)
        ]


def _start(engine: Engine, feasible: FeasibleSet) -> object:
    return engine.prepare(feasible).start


def least_of_case(
    engine: Engine,
    best: BestModel,
    feasible: FeasibleSet,
    ranges: Sequence[WeightRange],
    *,
    weights: FloatArray | None = None,
    asked: BoolArray | None = None,
    workers: Workers,
) -> list[FloatArray]:
    """What ``Measured.least`` has of one case: nothing, or an array; see ``least_of_largest``."""
    if not best.has_a_score_a_class:
        return []
    layout = best.composition.regular
    return [
        least_of_largest(
            engine, feasible, layout, ranges, weights=weights, asked=asked, workers=workers
        )
    ]


def decide(
    chance: ChanceRule,
    data: TrainingData,
    best: BestModel,
    measured: Measured,
    evidence: Sequence[Evidence],
    *,
    absent: Sequence[Feature] = (),
) -> tuple[Findings, ...]:
    """Bounds of all features, and what is proved of them; side by side."""
    of_sides = zip(_bounds(data, best, measured), evidence, data.tables, strict=True)
    gone = [{each.name for each in absent if each.side == side} for side in range(len(data.tables))]
    return tuple(
        chance.decide(bounds, of_side, {*table.constant, *gone[side]})
        for side, (bounds, of_side, table) in enumerate(of_sides)
    )


def _bounds(data: TrainingData, best: BestModel, measured: Measured) -> list[Bounds]:
    probes = measured.probes or [None] * len(data.tables)
    shadows = measured.shadows or [()] * len(data.tables)
    bounded: Sequence[BoolArray | None] = measured.bounded or [None] * len(data.tables)
    of_sides = zip(data.tables, best.composition.layouts, probes, shadows, bounded, strict=True)
    return [
        bounds_of(
            index,
            table,
            layout,
            cases=measured.cases,
            probes=of_probes,
            shadows=of_shadows,
            norm=best.norm,
            classes=data.class_names if best.has_a_score_a_class and index == 0 else (),
            least=measured.least if index == 0 else (),
            bounded=of_bounded,
        )
        for index, (table, layout, of_probes, of_shadows, of_bounded) in enumerate(of_sides)
    ]
