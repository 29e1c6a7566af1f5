"""The whole way from a table of numbers to a result. Knows no labels and no scikit-learn."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from relbounds._version import __version__
from relbounds.arrays import FloatArray
from relbounds.engine import FeasibleSet, WeightRange
from relbounds.engine.protocols import Engine
from relbounds.method.best_model import fit, mixed_slack
from relbounds.method.decision import fewest_probes
from relbounds.method.intervals import of_features, weight_ranges
from relbounds.method.parallel import Workers
from relbounds.method.probes import ProbeSetting, solve_probes
from relbounds.method.state import KnownModels, Study
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.training_data import Sampled, Split, spread
from relbounds.method.tuning import grid, score_table, simplest_first
from relbounds.problems import Problem, SlackModel
from relbounds.results.parts import Candidate, DataFacts, Probes
from relbounds.results.result import PrivilegedFindings, RelevanceResult


@dataclass
class Stopwatch:
    """Seconds spent in each stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begun


@dataclass(frozen=True)
class Question:
    """What is asked of the data.

    Attributes
    ----------
    task : str
    problems : dict
        The learning problem for each epsilon that is allowed; one under None if there is no tube.
    C : float or None
        None: to be tuned.
    gammas : tuple
        What gamma may be; None alone if there are no privileged features.
    slack : str or None
        "privileged" or "mixed"; None if there are no privileged features.
    free_slack_price : float or None
        What free slack costs with mixed slacks; None: from the data.
    rule : GoodnessRule
    probes, n_probes, confidence, selection, level
        How chance is measured, and what counts as more than that.
    """

    task: str
    problems: dict[float | None, Problem]
    C: float | None
    gammas: tuple[float | None, ...]
    slack: str | None
    free_slack_price: float | None
    rule: GoodnessRule
    probes: str
    n_probes: int
    confidence: float
    selection: str
    level: float

    def probes_for(self, n_features: int) -> int:
        """How many probes to draw: for an error rate enough to find one feature alone."""
        if self.selection == "probe":
            return self.n_probes
        return max(self.n_probes, fewest_probes(n_features, self.level))

    def given(self) -> Candidate | None:
        """What is left to use where nothing is left to tune; None if something is."""
        if self.C is None or len(self.gammas) > 1 or len(self.problems) > 1:
            return None
        return Candidate.given(self.C, self.gammas[0], next(iter(self.problems)))


def analyse(
    question: Question,
    sampled: Sampled,
    *,
    feature_names: Sequence[str],
    privileged_names: Sequence[str],
    data: DataFacts,
    splits: Sequence[Split],
    engine: Engine,
    random_state: np.random.RandomState,
    workers: Workers,
) -> Study:
    """Tune, fit, bound every weight, probe, and put together what was found.

    Features that ``data`` names as constant have no column in ``sampled``; they get zeros.
    """
    watch = Stopwatch()
    with watch.stage("tuning"):
        sampled = replace(sampled, slack=_slack_model(question, sampled, engine))
        given = question.given()
        table = [] if given else _score_table(question, sampled, splits, engine, workers)
    with watch.stage("baseline"):
        candidates = [given] if given else simplest_first(table)
        fitted = fit(engine, question.problems, sampled, candidates)
    sides, baseline = fitted.composition.sides, fitted.baseline
    feasible: FeasibleSet | None = None
    tolerances, limits = None, (0.0, baseline.loss)
    ranges: list[WeightRange] = []
    probes: list[Probes | None] = [None for _ in sides]
    if fitted.has_learned:
        feasible, tolerances = fitted.feasible_set(question.rule, sampled.weight)
        limits = feasible.budget.norm_limit, feasible.budget.loss_limit
        with watch.stage("intervals"):
            start = engine.prepare(feasible).start
            ranges = weight_ranges(engine, feasible, start, workers)
        with watch.stage("probes"):
            setting = ProbeSetting(engine, fitted, feasible, start, sampled.weight, question.rule)
            probes = [
                solve_probes(
                    setting,
                    side,
                    mode=question.probes,
                    n_probes=question.probes_for(sides[side].n_features),
                    random_state=random_state,
                    workers=workers,
                )
                for side in range(len(sides))
            ]
    varying = np.array([name not in data.constant_features for name in feature_names])
    (ends, gaps), *others = [
        of_features(fitted, varying, side, ranges) for side in range(len(sides))
    ]
    privileged = None
    if others:
        privileged = PrivilegedFindings(
            tuple(privileged_names),
            *others[0],
            probes[1],
            question.confidence,
            baseline.norm,
            selection=question.selection,
            level=question.level,
        )
    result = RelevanceResult(
        feature_names=tuple(feature_names),
        weight_ranges=ends,
        certificate_gaps=gaps,
        probes=probes[0],
        confidence=question.confidence,
        norm=baseline.norm,
        selection=question.selection,
        level=question.level,
        task=question.task,
        privileged=privileged,
        slack=question.slack,
        baseline=replace(baseline, weights=spread(baseline.weights, varying)),
        budget=question.rule.budget,
        tolerances=tolerances,
        norm_limit=limits[0],
        loss_limit=limits[1],
        hyperparameters=fitted.chosen.hyperparameters | sampled.slack.hyperparameters,
        tuning=tuple(table),
        data=data,
        programs={
            "tuning": len(table) * len(splits),
            "baseline": 1,
            "intervals": 2 * len(ranges),
            "probes": sum(
                2 * side.n_functions * found.solved
                for side, found in zip(sides, probes, strict=True)
                if found
            ),
        },
        seconds=watch.seconds,
        version=__version__,
        fallbacks=sum(each.fallbacks for each in ranges)
        + sum(found.fallbacks for found in probes if found),
    )
    problem = question.problems[fitted.chosen.epsilon]
    return Study(
        result,
        engine,
        fitted,
        feasible,
        KnownModels.of(fitted.best.model, ranges),
        problem,
        sampled,
        tuple(splits),
        varying,
        question.rule,
        random_state.randint(np.iinfo(np.int32).max),
    )


def _slack_model(question: Question, sampled: Sampled, engine: Engine) -> SlackModel:
    if question.slack != "mixed":
        return SlackModel()
    if question.free_slack_price is not None:
        return SlackModel(question.free_slack_price)
    epsilon, problem = next(iter(question.problems.items()))
    C = float(_grid(question, sampled)[-1])
    gamma = 1.0 if len(question.gammas) > 1 else question.gammas[0]
    return mixed_slack(engine, problem, sampled, Candidate.given(C, gamma, epsilon))


def _grid(question: Question, sampled: Sampled) -> FloatArray:
    """The values of C to choose from."""
    if question.C is not None:
        return np.array([question.C])
    return grid(next(iter(question.problems.values())), sampled)


def _score_table(
    question: Question,
    sampled: Sampled,
    splits: Sequence[Split],
    engine: Engine,
    workers: Workers,
) -> list[Candidate]:
    """Scores of all that was left open."""
    return score_table(
        engine,
        question.problems,
        sampled,
        Cs=_grid(question, sampled),
        gammas=question.gammas,
        splits=splits,
        workers=workers,
    )
