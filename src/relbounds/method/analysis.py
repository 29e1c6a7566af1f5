"""The whole way from training data to a result, stage by stage. Knows no scikit-learn."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from relbounds._version import __version__
from relbounds.arrays import FloatArray
from relbounds.engine import Engine, FeasibleSet, WeightRange
from relbounds.method.best_model import BestModel, first_that_learns, mixed_slack
from relbounds.method.confidence import hardly_penalised, settled
from relbounds.method.decision import ChanceRule
from relbounds.method.evidence.disguise import suspects
from relbounds.method.evidence.gathering import gather
from relbounds.method.intervals import bounds_of, weight_ranges
from relbounds.method.largest_weights import least_of_largest
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting, solve_probes
from relbounds.method.shadows import solve_shadows
from relbounds.method.state import KnownModels, Settings, Study
from relbounds.method.training_data import Feature, TrainingData
from relbounds.method.tuning import Choice, by_error, grid, simplest_first, tuning_table
from relbounds.problems import SlackModel
from relbounds.results.findings import Bounds, Findings
from relbounds.results.records import Evidence, Probes, Shadows, Tolerances
from relbounds.results.result import RelevanceResult

LONG = 10.0
"""Seconds after which whoever waits is told what is known so far."""
_MOST_NAMES = 12
_log = logging.getLogger(__name__)


@dataclass
class Stopwatch:
    """Seconds spent in each stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begun


@dataclass(frozen=True, eq=False)
class Means:
    """What is computed with: an engine, what is left to chance, and who does the work."""

    engine: Engine
    random_state: np.random.RandomState
    workers: Workers


def analyse(settings: Settings, data: TrainingData, means: Means) -> Study:
    """Choose, fit, gather evidence, bound every weight, probe, decide, and put all together."""
    watch = Stopwatch()
    with watch.stage("tuning"):
        table = scored_choices(settings, data, means)
        as_good = simplest_first(table) if settings.is_open else table
    with watch.stage("baseline"):
        best = first_that_learns(means.engine, data, as_good)
        if not best.has_learned and _is_told_otherwise(settings, data, best, means):
            best = first_that_learns(means.engine, data, [best.choice, *by_error(table)])
    if settings.rule.is_about_chance:
        with watch.stage("tolerance"):
            best = hardly_penalised(means.engine, data, best)
            rule = settled(settings.rule, means.engine, data, best, means.workers)
        settings = replace(settings, rule=rule)
    with watch.stage("evidence"):
        evidence = gather(means.engine, data, best, means.workers)
    if sum(watch.seconds.values()) > LONG and best.has_learned:
        _log.info(known_so_far(settings.chance, data, evidence[0]))
    measured = Measured()
    if best.has_learned:
        measured = measure(settings, data, best, evidence, means=means, watch=watch)
    sides = decide(settings.chance, data, best, measured, evidence)
    result = _result(settings, data, table, best, measured, sides=sides, seconds=watch.seconds)
    known = KnownModels.of(best.solution.model, measured.ranges)
    seed = int(means.random_state.randint(np.iinfo(np.int32).max))
    return Study(settings, data, means.engine, best, measured.feasible, known, result, seed)


def known_so_far(chance: ChanceRule, data: TrainingData, evidence: Evidence) -> str:
    """What is proved of regular features before any weight is bounded, for those who wait."""
    tested = data.regular.varies
    of_use = chance.of_use(evidence, np.ones(len(tested)), tested) & tested
    _, needed = chance.classes(of_use, evidence.needed, np.zeros_like(of_use), tested)
    names = [name for name, each in zip(data.regular.names, needed, strict=True) if each]
    shown = ", ".join(names[:_MOST_NAMES]) + f" and {len(names) - _MOST_NAMES} more" * (
        len(names) > _MOST_NAMES
    )
    return (
        f"So far: {len(names)} of {len(tested)} features are proved to add to all others"
        f"{f' ({shown})' if names else ''}, {int(of_use.sum())} to be of use. "
        "How much each may weigh takes longer."
    )


def _is_told_otherwise(
    settings: Settings, data: TrainingData, best: BestModel, means: Means
) -> bool:
    """Whether some feature proves that there is something to learn, and C was not given.

    Slacks that are read from privileged features have reasons of their own to leave nothing.
    """
    if settings.slack is not None or not settings.is_open:
        return False
    [evidence] = gather(means.engine, data, best, means.workers)
    return settings.chance.proves_any(evidence)


def scored_choices(settings: Settings, data: TrainingData, means: Means) -> list[Choice]:
    """All that there is to choose from, with scores; or what is given, if that is all."""
    first, C, balance = settings.problems[0], settings.C, settings.balances[0]
    Cs = grid(first, data, balance) if C is None else np.array([C])
    gamma = 1.0 if len(settings.gammas) > 1 else settings.gammas[0]
    slack = SlackModel()
    if settings.slack == "mixed" and settings.free_slack_price is not None:
        slack = SlackModel(settings.free_slack_price)
    elif settings.slack == "mixed":
        largest = Choice.given(first, slack, float(Cs[-1]), gamma, balance)
        slack = mixed_slack(means.engine, data, largest)
    if not settings.is_open:
        return [Choice.given(first, slack, float(Cs[0]), gamma, balance)]
    return tuning_table(
        means.engine,
        settings.problems,
        data,
        slack,
        Cs=Cs,
        gammas=settings.gammas,
        balances=settings.balances,
        workers=means.workers,
    )


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
    """

    feasible: FeasibleSet | None = None
    tolerances: Tolerances | None = None
    cases: Sequence[Sequence[WeightRange]] = ()
    probes: Sequence[Probes | None] = ()
    shadows: Sequence[tuple[Shadows, ...]] = ()
    least: Sequence[FloatArray] = ()

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
    evidence: Sequence[Evidence],
    *,
    means: Means,
    watch: Stopwatch,
) -> Measured:
    """The set of good models, the range of every weight over it, and what chance reaches."""
    in_loss = best.choice.in_loss(data)
    feasible, tolerances = settings.rule.feasible_set(best, in_loss, data.groups)
    with watch.stage("intervals"):
        start = means.engine.prepare(feasible).start
        ranges = weight_ranges(means.engine, feasible, start, means.workers)
        least = least_of_case(means.engine, best, feasible, ranges, workers=means.workers)
    setting = ProbeSetting(means.engine, data, best, feasible, start, settings.rule)
    with watch.stage("probes"):
        probes = [
            solve_probes(
                setting,
                index,
                mode=settings.probes,
                n_probes=settings.n_probes,
                among=settings.chance.give_probes(table.columns),
                random_state=means.random_state,
                workers=means.workers,
            )
            for index, table in enumerate(data.tables)
        ]
    measured = Measured(feasible, tolerances, [ranges], probes, least=least)
    if settings.chance.is_papers:
        return measured
    with watch.stage("shadows"):
        shadows = [
            solve_shadows(
                setting,
                index,
                bounds,
                of_side,
                chance=settings.chance,
                workers=means.workers,
            )
            for index, (bounds, of_side) in enumerate(
                zip(_bounds(data, best, measured), evidence, strict=True)
            )
        ]
    return replace(measured, shadows=shadows)


def least_of_case(
    engine: Engine,
    best: BestModel,
    feasible: FeasibleSet,
    ranges: Sequence[WeightRange],
    *,
    weights: FloatArray | None = None,
    workers: Workers,
) -> list[FloatArray]:
    """What ``Measured.least`` has of one case: nothing, or an array; see ``least_of_largest``."""
    if not best.has_a_score_a_class:
        return []
    layout = best.composition.regular
    return [least_of_largest(engine, feasible, layout, ranges, weights=weights, workers=workers)]


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
    of_sides = zip(data.tables, best.composition.layouts, probes, shadows, strict=True)
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
        )
        for index, (table, layout, of_probes, of_shadows) in enumerate(of_sides)
    ]


def _result(
    settings: Settings,
    data: TrainingData,
    table: Sequence[Choice],
    best: BestModel,
    measured: Measured,
    *,
    sides: tuple[Findings, ...],
    seconds: dict[str, float],
) -> RelevanceResult:
    budget = measured.feasible.budget if measured.feasible else None
    scored = tuple(each.scored for each in table) if settings.is_open else ()
    of_probes = [
        2 * layout.n_functions * found.solved
        for layout, found in zip(best.composition.layouts, measured.probes, strict=False)
        if found
    ]
    return RelevanceResult(
        sides=sides,
        task=settings.task,
        slack=settings.slack,
        baseline=best.baseline(data.regular),
        budget=settings.rule.budget,
        tolerances=measured.tolerances,
        norm_limit=budget.norm_limit if budget else 0.0,
        loss_limit=budget.loss_limit if budget else best.solution.loss,
        hyperparameters=best.choice.hyperparameters,
        tuning=scored,
        data=data.facts,
        suspects=suspects(data),
        programs={
            "tuning": len(scored) * len(data.folds),
            "baseline": 1,
            "intervals": 2 * len(measured.ranges),
            "probes": sum(of_probes),
            "shadows": sum(
                2 * each.intervals[..., 0].size for of in measured.shadows for each in of
            ),
        },
        seconds=seconds,
        version=__version__,
        fallbacks=measured.fallbacks,
        class_weights=best.choice.class_weights(data),
    )
