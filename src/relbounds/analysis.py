"""The whole way from a table of numbers to a result. Knows no labels and no scikit-learn."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from relbounds._version import __version__
from relbounds.arrays import FloatArray
from relbounds.baseline import (
    Baseline,
    BestModel,
    GoodnessRule,
    canonical_best_model,
    has_weights,
)
from relbounds.engine import Engine
from relbounds.intervals import WeightRange, weight_ranges
from relbounds.parallel import Workers
from relbounds.probes import Probes, ProbeSetting, solve_probes
from relbounds.problems import SLACK_MODELS, Composition, Problem
from relbounds.result import DataFacts, PrivilegedFindings, RelevanceResult
from relbounds.tuning import GAMMAS, Candidate, Sampled, Split, choose, grid, score_table


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
    C, gamma : float or None
        None: to be tuned.
    slack : str
        The slack model, which matters if there are privileged features.
    rule : GoodnessRule
    probes, n_probes, confidence
        How chance is measured.
    """

    task: str
    problems: dict[float | None, Problem]
    C: float | None
    gamma: float | None
    slack: str
    rule: GoodnessRule
    probes: str
    n_probes: int
    confidence: float

    def given(self, sampled: Sampled) -> Candidate | None:
        """What is left to use where nothing is left to tune; None if something is."""
        gammas = self.gammas(sampled)
        if self.C is None or len(gammas) > 1 or len(self.problems) > 1:
            return None
        return Candidate.given(self.C, gammas[0], next(iter(self.problems)))

    def gammas(self, sampled: Sampled) -> tuple[float | None, ...]:
        """What gamma may be."""
        if sampled.privileged is None:
            return (None,)
        return GAMMAS if self.gamma is None else (self.gamma,)


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
) -> RelevanceResult:
    """Tune, fit, bound every weight, probe, and put together what was found.

    Features that ``data`` names as constant have no column in ``sampled``; they get zeros.
    """
    watch, slack = Stopwatch(), SLACK_MODELS[question.slack]
    with watch.stage("tuning"):
        given = question.given(sampled)
        table = [] if given else _score_table(question, sampled, splits, engine, workers)
        chosen = given or choose(table)
    composition = sampled.compose(question.problems[chosen.epsilon], slack).at(chosen.gamma)
    with watch.stage("baseline"):
        best = canonical_best_model(engine.path(composition.space), chosen.C)
    ranges: list[WeightRange] = []
    probes: list[Probes | None] = [None for _ in composition.sides]
    tolerances, limits = None, (0.0, best.loss)
    if has_weights(composition.predictor(best.model).weights):
        body, tolerances = question.rule.good_models(composition, sampled.weight, best, chosen.C)
        limits = body.budget.norm_limit, body.budget.loss_limit
        with watch.stage("intervals"):
            start = engine.prepare(body).start
            ranges = weight_ranges(engine, body, start, workers)
        with watch.stage("probes"):
            setting = ProbeSetting(
                engine, composition, body, start, sampled.weight, question.rule, chosen.C
            )
            probes = [
                solve_probes(
                    setting, side, question.probes, question.n_probes, random_state, workers
                )
                for side in range(len(composition.sides))
            ]
    varying = np.array([name not in data.constant_features for name in feature_names])
    ends = _array([each.ends for each in ranges], composition)
    gaps = _array([each.gaps for each in ranges], composition)
    baseline = _baseline(best, composition, varying)
    privileged = None
    if sampled.privileged is not None:
        side = composition.sides[1]
        privileged = PrivilegedFindings(
            feature_names=tuple(privileged_names),
            weight_ranges=side.of_features(ends),
            certificate_gaps=side.of_features(gaps),
            probes=probes[1],
            confidence=question.confidence,
            norm=baseline.norm,
        )
    return RelevanceResult(
        feature_names=tuple(feature_names),
        weight_ranges=_spread(composition.regular.of_features(ends)[:, 0], varying),
        certificate_gaps=_spread(composition.regular.of_features(gaps)[:, 0], varying),
        probes=probes[0],
        confidence=question.confidence,
        norm=baseline.norm,
        task=question.task,
        privileged=privileged,
        slack=question.slack if privileged else None,
        baseline=baseline,
        budget=question.rule.budget,
        tolerances=tolerances,
        norm_limit=limits[0],
        loss_limit=limits[1],
        hyperparameters=chosen.hyperparameters,
        tuning=tuple(table),
        data=data,
        programs={
            "tuning": len(table) * len(splits),
            "baseline": 1,
            "intervals": 2 * len(ranges),
            "probes": sum(
                2 * side.n_functions * found.solved
                for side, found in zip(composition.sides, probes, strict=True)
                if found
            ),
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
    return score_table(
        engine,
        question.problems,
        sampled,
        slack=SLACK_MODELS[question.slack],
        Cs=grid(a_problem, sampled) if question.C is None else np.array([question.C]),
        gammas=question.gammas(sampled),
        splits=splits,
        workers=workers,
    )


def _baseline(best: BestModel, composition: Composition, varying: Any) -> Baseline:
    """The best model, its parts told apart."""
    predictor = composition.predictor(best.model)
    told = composition.sides[1:]
    return Baseline(
        weights=_spread(predictor.weights, varying),
        offsets=predictor.offsets,
        norm=float(np.abs(predictor.weights).sum()),
        loss=best.loss,
        gap=best.gap,
        privileged_weights=told[0].of_features(best.model.weights) if told else None,
        privileged_offsets=best.model.offsets[len(predictor.offsets) :] if told else None,
    )


def _array(found: list[tuple[float, float]], composition: Composition) -> FloatArray:
    """One pair for each weight; zeros if none were looked for."""
    return np.array(found) if found else np.zeros((composition.space.n_weights, 2))


def _spread(values: FloatArray, varying: Any) -> FloatArray:
    """Values of the varying features in their places, zeros for the constant ones."""
    spread = np.zeros((len(varying), *values.shape[1:]))
    spread[varying] = values
    return spread
