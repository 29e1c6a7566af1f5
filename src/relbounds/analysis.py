"""The whole way from a table of numbers to a result. Knows no labels and no scikit-learn."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relbounds._version import __version__
from relbounds.arrays import FloatArray
from relbounds.baseline import GoodnessRule, canonical_best_model
from relbounds.engine import Engine
from relbounds.intervals import weight_ranges
from relbounds.parallel import Workers
from relbounds.probes import ProbeSetting, solve_probes
from relbounds.problems import Problem
from relbounds.result import DataFacts, RelevanceResult
from relbounds.tuning import Candidate, Sampled, Split, choose, grid, score_table


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
    rule : GoodnessRule
    probes, n_probes, confidence
        How chance is measured.
    """

    task: str
    problems: dict[float | None, Problem]
    C: float | None
    rule: GoodnessRule
    probes: str
    n_probes: int
    confidence: float

    def given(self) -> Candidate | None:
        """What is left to use where nothing is left to tune; None if something is."""
        if self.C is None or len(self.problems) > 1:
            return None
        return Candidate.given(self.C, next(iter(self.problems)))


def analyse(
    question: Question,
    sampled: Sampled,
    *,
    feature_names: Sequence[str],
    data: DataFacts,
    splits: Sequence[Split],
    engine: Engine,
    random_state: np.random.RandomState,
    workers: Workers,
) -> RelevanceResult:
    """Tune, fit, bound every weight, probe, and put together what was found.

    Features that ``data`` names as constant have no column in ``sampled``; they get zeros.
    """
    watch = Stopwatch()
    with watch.stage("tuning"):
        given = question.given()
        table = [] if given else _score_table(question, sampled, splits, engine, workers)
        chosen = given or choose(table)
    problem = question.problems[chosen.epsilon]
    rows = sampled.rows(problem)
    with watch.stage("baseline"):
        baseline = canonical_best_model(engine.path(sampled.points, rows), chosen.C)
    ranges, probes, tolerances, limits = [], None, None, (0.0, baseline.loss)
    if baseline.has_weights:
        body, tolerances = question.rule.good_models(
            sampled.points, rows, sampled.weight, baseline, chosen.C
        )
        limits = body.budget.norm_limit, body.budget.loss_limit
        with watch.stage("intervals"):
            start = engine.prepare(body).start
            ranges = weight_ranges(engine, body, start, workers)
        with watch.stage("probes"):
            probes = solve_probes(
                ProbeSetting(engine, body, start, sampled.weight, question.rule, chosen.C),
                question.probes,
                question.n_probes,
                random_state,
                workers,
            )
    varying = np.array([name not in data.constant_features for name in feature_names])
    return RelevanceResult(
        task=question.task,
        feature_names=tuple(feature_names),
        weight_ranges=_spread(_pairs([each.ends for each in ranges], varying), varying),
        certificate_gaps=_spread(_pairs([each.gaps for each in ranges], varying), varying),
        baseline=baseline.with_weights(_spread(baseline.weights, varying)),
        budget=question.rule.budget,
        tolerances=tolerances,
        norm_limit=limits[0],
        loss_limit=limits[1],
        hyperparameters=chosen.hyperparameters,
        tuning=tuple(table),
        probes=probes,
        confidence=question.confidence,
        data=data,
        programs={
            "tuning": len(table) * len(splits),
            "baseline": 1,
            "intervals": 2 * len(ranges),
            "probes": 2 * probes.solved if probes else 0,
        },
        seconds=watch.seconds,
        version=__version__,
    )


def _score_table(
    question: Question,
    sampled: Sampled,
    splits: Sequence[Split],
    engine: Engine,
    workers: Workers,
) -> list[Candidate]:
    """Scores of all that was left open."""
    a_problem = next(iter(question.problems.values()))
    Cs = grid(a_problem, sampled) if question.C is None else np.array([question.C])
    return score_table(engine, question.problems, sampled, Cs=Cs, splits=splits, workers=workers)


def _pairs(found: list[tuple[float, float]], varying: Any) -> FloatArray:
    """One pair for each varying feature; zeros if none were looked for."""
    return np.array(found) if found else np.zeros((int(varying.sum()), 2))


def _spread(values: FloatArray, varying: Any) -> FloatArray:
    """Values of the varying features in their places, zeros for the constant ones."""
    spread = np.zeros((len(varying), *values.shape[1:]))
    spread[varying] = values
    return spread
