"""What does a prepared table answer? Fits it, and asks what is to be asked further."""

import argparse
import shlex
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from joblib import cpu_count

from relbounds.cli.answer import Answer
from relbounds.cli.terminal import warn
from relbounds.estimators.base import RelevanceSelector
from relbounds.estimators.tasks import ESTIMATORS
from relbounds.exceptions import (
    DegenerateModelWarning,
    InfeasibleError,
    RelboundsWarning,
    SolverError,
    WrongInputError,
)
from relbounds.intake import Prepared
from relbounds.report import doubts
from relbounds.results.answers import Blocks, FollowUps, Without
from relbounds.results.result import RelevanceResult
from relbounds.wording.further import called
from relbounds.wording.relevance import why_degenerate_in_shell
from relbounds.wording.text import listed

MOST_WORK = 2_000_000
"""Cells of all texts times programs for each: what the search for its most may take. If that is not
enough, the most is only bounded; it could take far longer than the fit."""
T = TypeVar("T")


def answer(prepared: Prepared, asked: argparse.Namespace) -> Answer:
    """Fit, ask further, and warn of what was said meanwhile."""
    model = ESTIMATORS[prepared.task](
        tolerance=asked.tolerance,
        selection=asked.selection,
        level=asked.level,
        random_state=asked.seed,
        n_jobs=asked.jobs or cpu_count(),
        slack=asked.slack,
        verbose=int(sys.stderr.isatty() and not asked.quiet),
        **({"classes": list(prepared.classes)} if prepared.classes else {}),
    )
    said = [*_fit(model, prepared), *doubts(model.result_)]
    found, failures = follow_ups(
        model, prepared.made_from, prepared.absences, stand_ins=asked.stand_ins
    )
    said += failures
    warn(said)
    return Answer(
        result=model.result_,
        prepared=prepared,
        source=asked.table.name,
        target=asked.target,
        warnings=(*prepared.warnings, *said),
        command=shlex.join(["relbounds", *asked.typed]),
        seed=asked.seed,
        follow_ups=found,
    )


def _fit(model: RelevanceSelector, prepared: Prepared) -> list[str]:
    """Fit; gives the sentences of the warnings. What the library refuses is wrong input."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model.fit(prepared.X, prepared.y, X_priv=prepared.X_priv, groups=prepared.groups)
        except ValueError as error:
            if type(error) is ValueError:
                raise WrongInputError(str(error)) from error
            raise
    return list(dict.fromkeys(_sentence(each, model.result_) for each in caught))


def _sentence(caught: warnings.WarningMessage, result: RelevanceResult) -> str:
    if caught.category is DegenerateModelWarning:
        return why_degenerate_in_shell(result)
    own = issubclass(caught.category, RelboundsWarning)
    return f"{caught.message}" if own else f"{caught.category.__name__}: {caught.message}"


def follow_ups(
    model: RelevanceSelector,
    made_from: Mapping[str, str],
    absences: Sequence[Sequence[str]],
    *,
    stand_ins: bool,
) -> tuple[FollowUps, list[str]]:
    """Text columns as one, what covers for what, and what was asked for.

    And sentences on what has no answer.

    The answer about single features stands whatever becomes of these.
    """
    if model.result_.is_degenerate:
        return FollowUps(), _nothing_to_ask(absences, stand_ins=stand_ins)
    failures: list[str] = []

    def tried(what: str, ask: Callable[[], T]) -> T | None:
        try:
            return ask()
        except SolverError as error:
            failures.append(f"{what} has no answer. {error}")
            return None

    blocks = tried("What text columns weigh as one", partial(texts_as_one, model, made_from))
    without = [
        tried(
            f"What it costs to do without {listed(called(features, made_from))}",
            partial(_without, model, features),
        )
        for features in absences
    ]
    found = tried("What stands in for what", model.redundancy) if stand_ins else None
    answered = tuple(each for each in without if each is not None)
    return FollowUps(blocks, answered, found, model.covers()), failures


def _nothing_to_ask(absences: Sequence[Sequence[str]], *, stand_ins: bool) -> list[str]:
    options = ["--without"] * bool(absences) + ["--stand-ins"] * stand_ins
    return [f"There are no good models to ask for {listed(options)}."] if options else []


def texts_as_one(model: RelevanceSelector, made_from: Mapping[str, str]) -> Blocks | None:
    """The text columns that became several columns; None if there are none."""
    columns: dict[str, list[str]] = {}
    for feature, column in made_from.items():
        columns.setdefault(column, []).append(feature)
    texts = {column: features for column, features in columns.items() if len(features) > 1}
    if not texts:
        return None
    cells = model.result_.data.n_samples * sum(map(len, texts.values()))
    return model.blocks(texts, most_programs=MOST_WORK // cells)


def _without(model: RelevanceSelector, features: Sequence[str]) -> Without:
    price = model.price(list(features))
    if price.is_indispensable:
        return Without(price)
    try:
        return Without(price, model.what_if({tuple(features): "absent"}))
    except InfeasibleError:  # a price at the very end of the tolerance: no room to move in
        return Without(price)
