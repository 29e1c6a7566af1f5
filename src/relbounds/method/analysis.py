"""The whole way from training data to a result, stage by stage. Knows no scikit-learn."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from relbounds._version import __version__
from relbounds.engine import Engine, FeasibleSet, WeightRange
from relbounds.method.best_model import BestModel, first_that_learns, mixed_slack
from relbounds.method.decision import ChanceRule
from relbounds.method.intervals import bounds_of, weight_ranges
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting, solve_probes
from relbounds.method.state import KnownModels, Settings, Study
from relbounds.method.training_data import Table, TrainingData
from relbounds.method.tuning import Choice, grid, score_table, simplest_first
from relbounds.problems import Layout, SlackModel
from relbounds.results.findings import Findings
from relbounds.results.records import Probes, Tolerances
from relbounds.results.result import RelevanceResult


@dataclass
class Stopwatch:
    """Seconds spent in each stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begun


def analyse(
    settings: Settings,
    data: TrainingData,
    *,
    engine: Engine,
    random_state: np.random.RandomState,
    workers: Workers,
) -> Study:
    """Choose, fit, bound every weight, probe, decide, and put together what was found."""
    watch = Stopwatch()
    with watch.stage("tuning"):
        table = scored_choices(settings, data, engine, workers)
        as_good = simplest_first(table) if settings.is_open else table
    with watch.stage("baseline"):
        best = first_that_learns(engine, data, as_good)
    measured = Measured()
    if best.has_learned:
        measured = measure(
            settings,
            data,
            best,
            engine=engine,
            random_state=random_state,
            workers=workers,
            watch=watch,
        )
    sides = decide(
        settings.chance,
        data.tables,
        best.composition.layouts,
        cases=measured.cases,
        probes=measured.probes,
        norm=best.norm,
    )
    result = _result(settings, data, table, best, measured, sides=sides, seconds=watch.seconds)
    known = KnownModels.of(best.solution.model, measured.ranges)
    seed = int(random_state.randint(np.iinfo(np.int32).max))
    return Study(settings, data, engine, best, measured.feasible, known, result, seed)


def scored_choices(
    settings: Settings, data: TrainingData, engine: Engine, workers: Workers
) -> list[Choice]:
    """All that there is to choose from, with scores; or what is given, if that is all."""
    first, C = settings.problems[0], settings.C
    Cs = grid(first, data) if C is None else np.array([C])
    slack = SlackModel()
    if settings.slack == "mixed" and settings.free_slack_price is not None:
        slack = SlackModel(settings.free_slack_price)
    elif settings.slack == "mixed":
        gamma = 1.0 if len(settings.gammas) > 1 else settings.gammas[0]
        slack = mixed_slack(engine, first, data, float(Cs[-1]), gamma)
    if not settings.is_open:
        return [Choice.given(first, slack, float(Cs[0]), settings.gammas[0])]
    return score_table(
        engine,
        settings.problems,
        data,
        slack,
        Cs=Cs,
        gammas=settings.gammas,
        workers=workers,
    )


@dataclass(frozen=True, eq=False)
class Measured:
    """What the good models allow, and what chance does; nothing, if nothing was learned.

    Attributes
    ----------
    feasible : FeasibleSet or None
    tolerances : Tolerances or None
    ranges : list of WeightRange
        Of each weight.
    probes : list of Probes
        Of each side.
    """

    feasible: FeasibleSet | None = None
    tolerances: Tolerances | None = None
    ranges: Sequence[WeightRange] = ()
    probes: Sequence[Probes] = ()

    @property
    def cases(self) -> list[Sequence[WeightRange]]:
        """One set of models, or none."""
        return [self.ranges] if self.ranges else []

    @property
    def fallbacks(self) -> int:
        """How many answers were left to the exact engine."""
        of_ranges = sum(each.fallbacks for each in self.ranges)
        return of_ranges + sum(each.fallbacks for each in self.probes)


def measure(
    settings: Settings,
    data: TrainingData,
    best: BestModel,
    *,
    engine: Engine,
    random_state: np.random.RandomState,
    workers: Workers,
    watch: Stopwatch | None = None,
) -> Measured:
    """The set of good models, the range of every weight over it, and what probes reach."""
    watch = watch or Stopwatch()
    feasible, tolerances = settings.rule.feasible_set(best, data.weight)
    with watch.stage("intervals"):
        start = engine.prepare(feasible).start
        ranges = weight_ranges(engine, feasible, start, workers)
    with watch.stage("probes"):
        setting = ProbeSetting(engine, data, best, feasible, start, settings.rule)
        probes = [
            solve_probes(
                setting,
                index,
                mode=settings.probes,
                n_probes=settings.chance.probes_for(layout.n_features, settings.n_probes),
                random_state=random_state,
                workers=workers,
            )
            for index, layout in enumerate(best.composition.layouts)
        ]
    return Measured(feasible, tolerances, ranges, probes)


def decide(
    chance: ChanceRule,
    tables: Sequence[Table],
    layouts: Sequence[Layout],
    *,
    cases: Sequence[Sequence[WeightRange]],
    probes: Sequence[Probes | None],
    norm: float,
) -> tuple[Findings, ...]:
    """Bounds of all features, and which of them are more than chance; side by side.

    ``cases``: ranges of all weights in each of the sets of models that are asked about.
    """
    of_sides = zip(tables, layouts, probes or [None] * len(tables), strict=True)
    return tuple(
        chance.decide(
            bounds_of(index, table, layout, cases=cases, probes=found, norm=norm), table.constant
        )
        for index, (table, layout, found) in enumerate(of_sides)
    )


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
        programs={
            "tuning": len(scored) * len(data.folds),
            "baseline": 1,
            "intervals": 2 * len(measured.ranges),
            "probes": sum(of_probes),
        },
        seconds=seconds,
        version=__version__,
        fallbacks=measured.fallbacks,
    )
