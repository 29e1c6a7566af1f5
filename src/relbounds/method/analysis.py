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
from relbounds.method.state import KnownModels, Question, Study
from relbounds.method.training_data import TrainingData
from relbounds.method.tuning import Choice, grid, score_table, simplest_first
from relbounds.problems import SlackModel
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
    question: Question,
    data: TrainingData,
    *,
    engine: Engine,
    random_state: np.random.RandomState,
    workers: Workers,
) -> Study:
    """Choose, fit, bound every weight, probe, decide, and put together what was found."""
    watch = Stopwatch()
    with watch.stage("tuning"):
        table = choices(question, data, engine, workers)
    with watch.stage("baseline"):
        as_good = simplest_first(table) if question.is_open else table
        best = first_that_learns(engine, data, as_good)
    measured = Measured()
    if best.has_learned:
        measured = measure(
            question,
            data,
            best,
            engine=engine,
            random_state=random_state,
            workers=workers,
            watch=watch,
        )
    sides = decide(question.chance, data, best, measured.cases, measured.probes)
    result = _result(question, data, table, best, measured, sides=sides, seconds=watch.seconds)
    known = KnownModels.of(best.solution.model, measured.ranges)
    seed = int(random_state.randint(np.iinfo(np.int32).max))
    return Study(question, data, engine, best, measured.feasible, known, result, seed)


def choices(
    question: Question, data: TrainingData, engine: Engine, workers: Workers
) -> list[Choice]:
    """All that there is to choose from, with scores; or what is given, if that is all."""
    first, C = question.problems[0], question.C
    Cs = grid(first, data) if C is None else np.array([C])
    slack = SlackModel()
    if question.slack == "mixed" and question.free_slack_price is not None:
        slack = SlackModel(question.free_slack_price)
    elif question.slack == "mixed":
        gamma = 1.0 if len(question.gammas) > 1 else question.gammas[0]
        slack = mixed_slack(engine, first, data, float(Cs[-1]), gamma)
    if not question.is_open:
        return [Choice.given(first, slack, float(Cs[0]), question.gammas[0])]
    return score_table(
        engine,
        question.problems,
        data,
        slack,
        Cs=Cs,
        gammas=question.gammas,
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
    question: Question,
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
    feasible, tolerances = question.rule.feasible_set(best, data.weight)
    with watch.stage("intervals"):
        start = engine.prepare(feasible).start
        ranges = weight_ranges(engine, feasible, start, workers)
    with watch.stage("probes"):
        setting = ProbeSetting(engine, data, best, feasible, start, question.rule)
        probes = [
            solve_probes(
                setting,
                index,
                mode=question.probes,
                n_probes=question.chance.probes_for(side.n_features, question.n_probes),
                random_state=random_state,
                workers=workers,
            )
            for index, side in enumerate(best.composition.sides)
        ]
    return Measured(feasible, tolerances, ranges, probes)


def decide(
    chance: ChanceRule,
    data: TrainingData,
    best: BestModel,
    cases: Sequence[Sequence[WeightRange]],
    probes: Sequence[Probes | None],
) -> tuple[Findings, ...]:
    """Bounds of all features, and which of them are more than chance; side by side.

    ``cases``: ranges of all weights in each of the sets of models that are asked about.
    """
    norm, of_sides = best.norm, best.composition.sides
    return tuple(
        chance.decide(
            bounds_of(index, table, side, cases=cases, probes=found, norm=norm), table.constant
        )
        for index, (table, side, found) in enumerate(
            zip(data.tables, of_sides, probes or [None] * len(of_sides), strict=True)
        )
    )


def _result(
    question: Question,
    data: TrainingData,
    table: Sequence[Choice],
    best: BestModel,
    measured: Measured,
    *,
    sides: tuple[Findings, ...],
    seconds: dict[str, float],
) -> RelevanceResult:
    budget = measured.feasible.budget if measured.feasible else None
    scored = tuple(each.scored for each in table) if question.is_open else ()
    of_probes = [
        2 * side.n_functions * found.solved
        for side, found in zip(best.composition.sides, measured.probes, strict=False)
    ]
    return RelevanceResult(
        sides=sides,
        task=question.task,
        slack=question.slack,
        baseline=best.baseline(data.regular),
        budget=question.rule.budget,
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
