"""The whole way from a table of numbers to a result. Knows no labels and no scikit-learn."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from relbounds._version import __version__
from relbounds.arrays import FloatArray
from relbounds.baseline import (
    FREE_SLACK_PRICE,
    Baseline,
    BestModel,
    GoodnessRule,
    best_model,
    canonical_best_model,
    has_weights,
    loss_without_weights,
    safe_free_slack_price,
)
from relbounds.decision import RESOLUTION
from relbounds.engine import Engine, Model
from relbounds.intervals import WeightRange, weight_ranges
from relbounds.parallel import Workers
from relbounds.probes import Probes, ProbeSetting, solve_probes
from relbounds.problems import Composition, Problem, SlackModel
from relbounds.result import DataFacts, PrivilegedFindings, RelevanceResult
from relbounds.tuning import GAMMAS, Candidate, Sampled, Split, grid, score_table, simplest_first


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
    slack : {"privileged", "mixed"}
        Whether slacks are read from privileged features alone, if there are any.
    free_slack_price : float or None
        What free slack costs with mixed slacks; None: from the data.
    rule : GoodnessRule
    probes, n_probes, confidence
        How chance is measured.
    """

    task: str
    problems: dict[float | None, Problem]
    C: float | None
    gamma: float | None
    slack: str
    free_slack_price: float | None
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
    watch = Stopwatch()
    with watch.stage("tuning"):
        sampled = replace(sampled, slack=_slack_model(question, sampled, engine))
        given = question.given(sampled)
        table = [] if given else _score_table(question, sampled, splits, engine, workers)
        candidates = [given] if given else simplest_first(table)
    with watch.stage("baseline"):
        chosen, composition, best, idle_loss = _fit(question, sampled, candidates, engine)
    ranges: list[WeightRange] = []
    probes: list[Probes | None] = [None for _ in composition.sides]
    tolerances, limits = None, (0.0, best.loss)
    if _has_learned(composition, best, idle_loss):
        body, tolerances = question.rule.good_models(
            composition, sampled.weight, best, chosen.C, idle_loss
        )
        limits = body.budget.norm_limit, body.budget.loss_limit
        with watch.stage("intervals"):
            start = engine.prepare(body).start
            ranges = weight_ranges(engine, body, start, workers)
        with watch.stage("probes"):
            setting = ProbeSetting(
                engine, composition, body, start, sampled.weight, question.rule, chosen.C, idle_loss
            )
            probes = [
                solve_probes(
                    setting,
                    side,
                    mode=question.probes,
                    n_probes=question.n_probes,
                    random_state=random_state,
                    workers=workers,
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
        hyperparameters=chosen.hyperparameters | sampled.slack.hyperparameters,
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


def _slack_model(question: Question, sampled: Sampled, engine: Engine) -> SlackModel:
    """Free slack at its usual price, unless that leaves nothing to learn; then at a safe one."""
    if question.slack == "privileged" or sampled.privileged is None:
        return SlackModel()
    if question.free_slack_price is not None:
        return SlackModel(question.free_slack_price)
    problem = next(iter(question.problems.values()))
    C = float(grid(problem, sampled)[-1])
    usual = SlackModel(FREE_SLACK_PRICE)
    composition = replace(sampled, slack=usual).compose(problem)
    best = best_model(engine.path(composition.space), C)
    if _has_learned(composition, best, loss_without_weights(engine, composition)):
        return usual
    free = replace(sampled, privileged=None).compose(problem)
    return SlackModel(min(FREE_SLACK_PRICE, safe_free_slack_price(engine, free, C)))


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
        Cs=grid(a_problem, sampled) if question.C is None else np.array([question.C]),
        gammas=question.gammas(sampled),
        splits=splits,
        workers=workers,
    )


def _fit(
    question: Question,
    sampled: Sampled,
    candidates: Sequence[Candidate],
    engine: Engine,
) -> tuple[Candidate, Composition, BestModel, float | None]:
    """The best model of the first candidate that learns anything, or of the first if none does.

    What has weights in most folds may have none on all of the data. With privileged features the
    loss of the best model without weights comes last.
    """
    fits = []
    for candidate in candidates:
        problem = question.problems[candidate.epsilon]
        composition = sampled.compose(problem).at(candidate.gamma)
        best = canonical_best_model(engine.path(composition.space), candidate.C)
        told = sampled.privileged is not None
        idle_loss = loss_without_weights(engine, composition) if told else None
        fits.append((candidate, composition, best, idle_loss))
        if _has_learned(composition, best, idle_loss):
            return fits[-1]
    return fits[0]


def _has_learned(composition: Composition, best: BestModel, idle_loss: float | None) -> bool:
    """Whether a model uses any regular feature, and gains by it more than rounding."""
    gains = idle_loss is None or best.loss < (1 - RESOLUTION) * idle_loss
    return gains and has_weights(composition.predictor(best.model).weights)


def _baseline(best: BestModel, composition: Composition, varying: Any) -> Baseline:
    """The best model, its parts told apart; weights that are only rounding are none."""
    predictor = composition.predictor(best.model)
    if not has_weights(predictor.weights):
        predictor = Model(np.zeros_like(predictor.weights), predictor.offsets)
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
