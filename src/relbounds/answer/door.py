"""The one door: from a frame or a file to an answer."""

import json
import re
import shlex
import warnings
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline

from relbounds.answer.answer import Answer
from relbounds.answer.encoder import TableEncoder
from relbounds.answer.further import Further, asked_further, texts_as_one
from relbounds.estimators import ESTIMATORS
from relbounds.estimators.base import RelevanceSelector
from relbounds.estimators.one_hot import ENCODE_WITH_FEWER
from relbounds.exceptions import (
    DegenerateModelWarning,
    OneHotWarning,
    RelboundsWarning,
    SolverError,
    WrongInputError,
)
from relbounds.intake import Journal, Layout, Prepared, RawTable, Wishes, prepare, read_table
from relbounds.intake.frames import frame_as_table
from relbounds.report import doubts
from relbounds.results.follow_ups import FollowUps
from relbounds.results.result import RelevanceResult
from relbounds.wording.relevance import why_degenerate_in_shell
from relbounds.wording.text import counted

_OPTION = re.compile(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)")
_DROPPED = re.compile(r"--drop (?:'[^']*'|[^\s'`]+)(?: --drop (?:'[^']*'|[^\s'`]+))*(?=\.$)")
_SWITCHES = {"header": "header=True", "no-header": "header=False"}


def analyze(
    table: Any,
    target: str,
    *,
    order: Sequence[Any] | None = None,
    task: str | None = None,
    drop: str | Sequence[str] | None = None,
    keep: str | Sequence[str] | None = None,
    privileged: str | Sequence[str] | None = None,
    group: str | None = None,
    weights: str | None = None,
    counts: str | None = None,
    missing: str = "impute",
    sheet: str | None = None,
    skip_rows: int | None = None,
    header: bool | None = None,
    without: Sequence[str | Sequence[str]] | None = None,
    stand_ins: bool = False,
    further: bool = True,
    random_state: int = 0,
    **settings: Any,
) -> Answer:
    """Which columns of a table does the target need, which can stand in, and which can go?

    Does what ``relbounds analyze`` does at the shell: texts, gaps, dates and identifiers are taken
    as they come, and everything that was done to the data is said (``notes``).

    Parameters
    ----------
    table : frame of pandas or polars, or path of a file
    target : str
        The column to explain.
    order : sequence, optional
        The values of the target in ascending order, if there is one: ordered classes.
    task : {"ordinal", "classification", "regression"}, optional
        By default guessed.
    drop, keep : names of columns, optional
        Columns to leave out; the only ones to use.
    privileged : names of columns, optional
        Columns that are known in training only.
    group : str, optional
        Rows with the same value in this column belong together.
    weights : str, optional
        The column that says how much each row counts, such as the weights of a survey.
    counts : str, optional
        The column that says how often each row was seen, in a table of frequencies.
    missing : {"impute", "drop"}
        What becomes of gaps: the median, and a value of their own in a text; or their rows are left
        out.
    sheet, skip_rows, header
        How a file is read: the sheet of a workbook, lines above the table, whether there is a row
        of names. By default found.
    without : sequence of columns, or of lists of them
        What does it cost to do without? Each is a question of its own.
    stand_ins : bool
        Whether to ask which features stand in for one another, which can take long.
    further : bool
        Whether to ask the usual further questions: what covers for replaceable columns, whether
        other data would say the same, what models say of samples that they have not seen, and what
        would be without each relevant column.
    random_state : int
        For permuted columns.
    **settings
        Of the estimator: ``tolerance``, ``selection``, ``level``, ``class_weight``, ``n_jobs``, and
        all others.

    Returns
    -------
    Answer

    Examples
    --------
    >>> import pandas as pd
    >>> import relbounds
    >>> from sklearn.datasets import load_iris
    >>> iris = load_iris(as_frame=True).frame
    >>> answer = relbounds.analyze(iris, "target", task="classification")
    >>> answer.to_frame()["relevance"].tolist()
    ['weak', 'weak', 'weak', 'strong']
    >>> answer.predict(iris.head(2)).tolist()
    [0, 0]
    """
    journal = Journal()
    wishes = Wishes(
        target=target,
        order=[str(each) for each in _many(order)],
        task=task,
        drop=_many(drop),
        keep=_many(keep),
        privileged=_many(privileged),
        group=group,
        weights=weights,
        counts=counts,
        missing=missing,
        without=_many(without),
    )
    try:
        raw = _raw(table, journal, Layout(sheet, skip_rows, header))
        prepared = prepare(raw, wishes, journal)
    except WrongInputError as error:
        raise WrongInputError(_in_python(str(error))) from None
    answer = first_answer(
        prepared, {"random_state": random_state, **settings}, target=target, source=raw.source
    )
    wanted = Further(usual=further, absences=prepared.absences, stand_ins=stand_ins)
    for _, known in asked_further(answer, wanted):
        answer = known
    for sentence in answer.warnings:
        warnings.warn(sentence, RelboundsWarning, stacklevel=2)
    return answer


def _many(names: Any) -> list[Any]:
    """One name, several or none, as a list."""
    if names is None:
        return []
    return [names] if isinstance(names, str) else list(names)


def _raw(table: Any, journal: Journal, layout: Layout) -> RawTable:
    if isinstance(table, str | PathLike):
        return read_table(Path(table), journal, layout)
    raw = frame_as_table(table)
    rows, columns = (
        counted(*each) for each in zip(raw.frame.shape, ("row", "column"), strict=True)
    )
    journal.note(f"The table has {rows} and {columns}.")
    return raw


def _in_python(sentence: str) -> str:
    """With arguments in the place of options: ``drop`` for ``--drop``."""
    sentence = _DROPPED.sub(lambda found: f"drop={_list(found[0])}", sentence)
    return _OPTION.sub(lambda found: f"`{_argument(found[1])}`", sentence)


def _list(options: str) -> str:
    """Of the names in ``--drop age --drop sex``."""
    return json.dumps(shlex.split(options)[1::2], ensure_ascii=False)


def _argument(option: str) -> str:
    return _SWITCHES.get(option, option.replace("-", "_"))


def first_answer(
    prepared: Prepared,
    settings: Mapping[str, Any],
    *,
    target: str,
    source: str,
    command: str | None = None,
) -> Answer:
    """Fit, and see what texts are as a whole; further questions come later."""
    of_task = {"classes": list(prepared.classes)} if prepared.classes else {}
    model = ESTIMATORS[prepared.task](**settings, **of_task)
    said = [*_fit(model, prepared, in_shell=command is not None), *doubts(model.result_)]
    try:
        blocks = texts_as_one(model, prepared.made_from)
    except SolverError as error:
        blocks = None
        said.append(f"What text columns weigh as one has no answer. {error}")
    notes, warned = list(prepared.notes), [*prepared.warnings, *said]
    if command is None:
        notes, warned = ([_in_python(each) for each in some] for some in (notes, warned))
    return Answer(
        pipeline=Pipeline([("table", TableEncoder.of(prepared.recipes)), ("relevance", model)]),
        target=target,
        source=source,
        columns=prepared.columns,
        made_from=prepared.made_from,
        notes=tuple(notes),
        warnings=tuple(warned),
        seed=int(settings["random_state"]),
        command=command,
        follow_ups=FollowUps(blocks),
    )


def _fit(model: RelevanceSelector, prepared: Prepared, *, in_shell: bool) -> list[str]:
    """Fit; gives the sentences of the warnings. What the library refuses is wrong input."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model.fit(
                prepared.X,
                prepared.y,
                X_priv=prepared.X_priv,
                sample_weight=prepared.weights,
                groups=prepared.groups,
            )
        except ValueError as error:
            if type(error) is ValueError:
                raise WrongInputError(str(error)) from error
            raise
    said = [_sentence(each, model.result_, in_shell=in_shell) for each in caught]
    return list(dict.fromkeys(said))


def _sentence(caught: warnings.WarningMessage, result: RelevanceResult, *, in_shell: bool) -> str:
    if caught.category is DegenerateModelWarning and in_shell:
        return why_degenerate_in_shell(result)
    if caught.category is OneHotWarning:
        return f"{caught.message}".replace(ENCODE_WITH_FEWER, "Leave one of them out with --drop.")
    own = issubclass(caught.category, RelboundsWarning)
    return f"{caught.message}" if own else f"{caught.category.__name__}: {caught.message}"
