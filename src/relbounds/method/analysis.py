"""The whole way from training data to a result, stage by stage. Knows no scikit-learn."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from relbounds._version import __version__
from relbounds.method.best_model import BestModel, first_that_learns, mixed_slack
from relbounds.method.confidence import hardly_penalised, settled
from relbounds.method.decision import ChanceRule
from relbounds.method.evidence.disguise import suspects
from relbounds.method.evidence.gathering import gather, without_models
from relbounds.method.means import Means, Stopwatch
from relbounds.method.measuring import Measured, decide, measure
from relbounds.method.parallel import ONE_BLAS_THREAD, Workers
from relbounds.method.state import KnownModels, Settings, Study
from relbounds.method.training_data import TrainingData
from relbounds.method.tuning import Choice, by_error, grid, simplest_first, tuning_table
from relbounds.problems import SlackModel
from relbounds.results.findings import Findings
from relbounds.results.records import Evidence
from relbounds.results.result import RelevanceResult
from relbounds.results.suspicion import Suspect

LONG = 10.0
"""Seconds after which whoever waits is told what is known so far."""
_MOST_NAMES = 12
_FIRST_STAGES = "tuning", "baseline", "evidence"
_log = logging.getLogger(__name__)


@ONE_BLAS_THREAD
def analyse(settings: Settings, data: TrainingData, means: Means) -> Study:
    """Choose, fit, gather evidence, bound every weight, probe, decide, and put all together.

    BLAS has one thread from beginning to end: others that it had woken between two tasks would go
    on waiting busily, on the cores that workers need.
    """
    watch = Stopwatch(dict.fromkeys(_FIRST_STAGES, 0.0))
    with means.workers.shared() as workers:
        return _analysed(settings, data, replace(means, workers=workers, watch=watch))


def _analysed(settings: Settings, data: TrainingData, means: Means) -> Study:
    """The same by workers that stages share: one that nothing waits for yet goes on meanwhile."""
    watch, begin = means.watch, means.workers.begin
    n_features = max(len(table.names) for table in data.tables)
    settings = replace(settings, chance=settings.chance.over(n_features))
    later = means.workers.later
    known = begin(_known_without_models, settings, data, replace(means, workers=later))
    with watch.stage("tuning"):
        table = scored_choices(settings, data, means)
        as_good = simplest_first(table) if settings.is_open else table
    with watch.stage("baseline"):
        best = means.workers.call(first_that_learns, means.engine, data, as_good)
        if not best.has_learned and _is_told_otherwise(settings, data, best, known(), means):
            best = first_that_learns(means.engine, data, [best.choice, *by_error(table)])
    if settings.rule.is_about_chance:
        with watch.stage("tolerance"):
            best = hardly_penalised(means.engine, data, best)
            rule = settled(settings.rule, means.engine, data, best, means.workers)
        settings = replace(settings, rule=rule)
    evidence = begin(_evidence, settings, data, best, known, means)
    suspected = begin(_suspected, data, evidence, later)
    measured = Measured()
    if best.has_learned:
        measured = measure(settings, data, best, evidence, means=means)
    sides = decide(settings.chance, data, best, measured, evidence())
    result = _result(
        settings, data, table, best, measured, sides=sides, suspected=suspected(), watch=watch
    )
    models = KnownModels.of(best.solution.model, measured.ranges)
    seed = int(means.random_state.randint(np.iinfo(np.int32).max))
    return Study(settings, data, means.engine, best, measured.feasible, models, result, seed)


def _known_without_models(settings: Settings, data: TrainingData, means: Means) -> Evidence | None:
    """Evidence that can be gathered while a model is chosen."""
    unordered = settings.problems[0].n_scores(data.y) > 1
    with means.watch.stage("evidence"):
        return without_models(data, unordered=unordered, workers=means.workers)


def _evidence(
    settings: Settings,
    data: TrainingData,
    best: BestModel,
    known: Callable[[], Evidence | None],
    means: Means,
) -> tuple[Evidence, ...]:
    """Of all features; whoever has waited long is told."""
    with means.watch.stage("evidence"):
        evidence = gather(means.engine, data, best, means.workers, known=known())
    if means.watch.elapsed > LONG and best.has_learned:
        _log.info(known_so_far(settings.chance, data, evidence[0]))
    return evidence


def _suspected(
    data: TrainingData, evidence: Callable[[], object], workers: Workers
) -> tuple[Suspect, ...]:
    """The last thing that is needed: it waits until it keeps nobody from what others wait for."""
    evidence()
    return workers.call(suspects, data)


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
    settings: Settings,
    data: TrainingData,
    best: BestModel,
    known: Evidence | None,
    means: Means,
) -> bool:
    """Whether some feature proves that there is something to learn, and C was not given.

    Slacks that are read from privileged features have reasons of their own to leave nothing.
    """
    if settings.slack is not None or not settings.is_open:
        return False
    [evidence] = gather(means.engine, data, best, means.workers, known=known)
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


def _result(
    settings: Settings,
    data: TrainingData,
    table: Sequence[Choice],
    best: BestModel,
    measured: Measured,
    *,
    sides: tuple[Findings, ...],
    suspected: tuple[Suspect, ...],
    watch: Stopwatch,
) -> RelevanceResult:
    budget = measured.feasible.budget if measured.feasible else None
    scored = tuple(each.scored for each in table) if settings.is_open else ()
    of_probes = [
        2 * layout.n_functions * found.solved
        for layout, found in zip(best.composition.layouts, measured.probes, strict=False)
        if found
    ]
    unasked = [
        layout.n_functions * int(each.sum())
        for layout, each in zip(best.composition.layouts, measured.bounded, strict=False)
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
        suspects=suspected,
        programs={
            "tuning": len(scored) * len(data.folds),
            "baseline": 1,
            "intervals": 2 * (len(measured.ranges) - sum(unasked)),
            "probes": sum(of_probes),
            "shadows": sum(
                2 * each.intervals[..., 0].size for of in measured.shadows for each in of
            ),
        },
        seconds=watch.seconds,
        version=__version__,
        fallbacks=measured.fallbacks,
        class_weights=best.choice.class_weights(data),
    )
