"""``relbounds analyze``: from a table to an answer."""

import argparse
import logging
import math
import shlex
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from relbounds.cli.formats import Answer
from relbounds.cli.options import add_options
from relbounds.cli.output import Destination
from relbounds.cli.terminal import Terminal, show_answer, show_data
from relbounds.estimators.base import RelevanceSelector
from relbounds.estimators.tasks import (
    ClassificationRelevance,
    OrdinalRelevance,
    RegressionRelevance,
)
from relbounds.exceptions import (
    DegenerateModelWarning,
    InfeasibleError,
    RelboundsWarning,
    SolverError,
    WrongInputError,
)
from relbounds.intake import Journal, Prepared, Wishes, prepare, read_table
from relbounds.report import doubts
from relbounds.results.answers import Blocks, FollowUps, Without
from relbounds.results.records import SLACKS
from relbounds.results.result import RelevanceResult
from relbounds.wording.further import called
from relbounds.wording.relevance import why_degenerate_in_shell
from relbounds.wording.text import listed

MOST_WORK = 2_000_000
"""Cells of all texts times programs for each: what the search for its most may take. If that is not
enough, the most is only bounded; it could take far longer than the fit."""


def texts_as_one(model: RelevanceSelector, groups: Mapping[str, str]) -> Blocks | None:
    """The text columns that became several columns; None if there are none."""
    columns: dict[str, list[str]] = {}
    for feature, column in groups.items():
        columns.setdefault(column, []).append(feature)
    texts = {column: features for column, features in columns.items() if len(features) > 1}
    if not texts:
        return None
    cells = model.result_.data.n_samples * sum(map(len, texts.values()))
    return model.blocks(texts, most_programs=MOST_WORK // cells)


T = TypeVar("T")


def follow_ups(
    model: RelevanceSelector,
    groups: Mapping[str, str],
    absences: Sequence[Sequence[str]],
    *,
    stand_ins: bool,
) -> tuple[FollowUps, list[str]]:
    """Text columns as one, and what was asked for; and sentences on what has no answer.

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

    blocks = tried("What text columns weigh as one", partial(texts_as_one, model, groups))
    without = [
        tried(
            f"What it costs to do without {listed(called(features, groups))}",
            partial(_without, model, features),
        )
        for features in absences
    ]
    found = tried("What stands in for what", model.redundancy) if stand_ins else None
    answered = tuple(each for each in without if each is not None)
    return FollowUps(blocks=blocks, without=answered, stand_ins=found), failures


def _nothing_to_ask(absences: Sequence[Sequence[str]], *, stand_ins: bool) -> list[str]:
    options = ["--without"] * bool(absences) + ["--stand-ins"] * stand_ins
    return [f"There are no good models to ask for {listed(options)}."] if options else []


def _without(model: RelevanceSelector, features: Sequence[str]) -> Without:
    price = model.price(list(features))
    if price.is_indispensable:
        return Without(price)
    try:
        return Without(price, model.what_if({tuple(features): "absent"}))
    except InfeasibleError:  # a price at the very end of the tolerance: no room to move in
        return Without(price)


_ESTIMATORS: dict[str, Any] = {
    "ordinal": OrdinalRelevance,
    "classification": ClassificationRelevance,
    "regression": RegressionRelevance,
}
_log = logging.getLogger(__name__)


def add_command(commands: Any) -> None:
    """Describe ``relbounds analyze`` to argparse."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "analyze",
        help="from a table to an answer: which columns does the target need?",
        description="Which columns of a table does the target need, which can stand in for one "
        "another, and which can go? Reads CSV, TSV, Parquet, Excel (.xlsx) and Feather files.",
        epilog="Names of columns are separated by commas. A name that has a comma itself is given "
        "alone; options for names can be repeated. Exit code: 0, 2 for wrong input, 1 for other "
        "failures.",
    )
    add_options(parser)
    parser.set_defaults(command=analyze)


def analyze(asked: argparse.Namespace) -> None:
    """Read, prepare, fit and tell."""
    _check(asked)
    journal = Journal()
    prepared = prepare(read_table(asked.table, journal), _wishes(asked), journal)
    destination = Destination.of(asked.format, asked.out, asked.table)
    terminal = Terminal.of(sys.stdout)
    for_people = destination.folder is not None and not asked.quiet
    _warn(prepared.warnings)
    if for_people:
        show_data(terminal, prepared, asked.target)
        terminal.stream.flush()
    answer = _answer(prepared, asked)
    _tell(terminal, destination, answer, for_people=for_people)


def _check(asked: argparse.Namespace) -> None:
    if asked.jobs < 1:
        raise WrongInputError(f"--jobs must be at least 1; got {asked.jobs}.")
    if asked.tolerance != "auto" and not 0 <= asked.tolerance < math.inf:
        raise WrongInputError(f"--tolerance must be finite and at least 0; got {asked.tolerance}.")
    if not 0 <= asked.seed < 2**32:
        raise WrongInputError(f"--seed must be between 0 and 2^32 - 1; got {asked.seed}.")
    if asked.slack != SLACKS[0] and not asked.privileged:
        raise WrongInputError(
            f"--slack {asked.slack} is for privileged columns only; name some with --privileged, "
            "or leave it out."
        )


def _wishes(asked: argparse.Namespace) -> Wishes:
    return Wishes(
        target=asked.target,
        privileged=asked.privileged,
        drop=asked.drop,
        keep=asked.keep,
        order=asked.order,
        task=asked.task,
        missing=asked.missing,
        without=asked.without,
    )


def _answer(prepared: Prepared, asked: argparse.Namespace) -> Answer:
    model = _ESTIMATORS[prepared.task](
        tolerance=asked.tolerance,
        random_state=asked.seed,
        n_jobs=asked.jobs,
        slack=asked.slack,
        verbose=int(sys.stderr.isatty() and not asked.quiet),
        **({"classes": list(prepared.classes)} if prepared.classes else {}),
    )
    said = [*_fit(model, prepared), *doubts(model.result_)]
    found, failures = follow_ups(
        model, prepared.groups, prepared.absences, stand_ins=asked.stand_ins
    )
    said += failures
    _warn(said)
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
            model.fit(prepared.X, prepared.y, X_priv=prepared.X_priv)
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


def _warn(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        _log.warning("Warning: %s", sentence)


def _tell(
    terminal: Terminal, destination: Destination, answer: Answer, *, for_people: bool
) -> None:
    if destination.folder is None:
        terminal.write(destination.text(answer).rstrip("\n"))
        return
    paths = destination.save(answer)
    if for_people:
        show_answer(terminal, answer)
        terminal.heading("Files")
        terminal.write(*(str(path) for path in paths))
