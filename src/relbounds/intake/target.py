"""What is to be explained: classes, ordered classes or a number?"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from relbounds.exceptions import WrongInputError
from relbounds.intake.cleaning import different_units
from relbounds.intake.columns import Column, Kind, read_as_text, read_column
from relbounds.intake.journal import Journal
from relbounds.wording.tasks import TASKS
from relbounds.wording.text import listed

MOST_GUESSED = 10
"""A target of more different whole numbers is guessed to be a quantity, not a scale."""
MOST_CLASSES = 50
"""Ordered classes beyond this number would have hardly any rows each."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The target's values, what is asked of them, and their order if it has to be said."""

    task: str
    y: Any
    classes: tuple[Any, ...] | None = None


def read_target(
    name: str, cells: "pd.Series[Any]", delimiter: str | None, order: Sequence[str]
) -> Column:
    """The target's cells. A text among numbers, such as 4+, is a class if an order is given."""
    column = read_column(name, cells, delimiter)
    if column.reading.units:
        raise WrongInputError(
            f"--target {name} has numbers in {different_units(column)}; write all in one."
        )
    odd = column.reading.strays or column.reading.kept
    if not odd:
        return column
    texts = read_as_text(name, cells)
    if order:
        return texts
    few = len(texts.levels) <= MOST_GUESSED
    example = shlex.quote(",".join(texts.levels)) if few else "LOW,...,HIGH"
    strays = listed([repr(text) for text in odd], most=3)
    kind = "dates" if column.kind == Kind.DATE else "numbers"
    raise WrongInputError(
        f"--target {name} holds {strays} among {kind}: if that is a class, give all values from "
        f"the lowest to the highest, as in --order {example}; if the value is not known, leave the "
        "cell empty."
    )


def read_outcome(
    column: Column, task: str | None, order: Sequence[str], journal: Journal
) -> Outcome:
    """The target as an estimator wants it. A guess is noted; what cannot be done is refused."""
    labels = _labels(column)
    classes: list[Any] = np.unique(labels).tolist()
    if len(classes) < 2:
        has = f"has one value only, {classes[0]!r}" if classes else "has no values"
        raise WrongInputError(
            f"--target {column.name} {has}; at least two different values are needed. "
            "Name another column."
        )
    if order:
        return _in_order(column, labels, _checked_order(column, classes, task, order), journal)
    if column.ordered and task in (None, "ordinal"):
        return _in_own_order(column, labels, classes, journal)
    asked = task or _guess(column, classes, journal)
    _refuse_impossible(column, asked, classes)
    if asked == "classification" and len(classes) > 2:
        names = listed(list(map(class_name, classes)), MOST_CLASSES)
        journal.note(
            f"{column.name} has {len(classes)} classes without order, each of which is told from "
            f"the rest: {names}."
        )
    elif asked == "classification":
        journal.note(
            f"{column.name} has the classes {classes[0]} and {classes[1]}; a positive sign speaks "
            f"for {classes[1]}."
        )
    if asked == "regression":
        labels = labels.astype(np.float64)
    return Outcome(asked, labels, tuple(classes) if asked == "ordinal" else None)


def _labels(column: Column) -> Any:
    values = column.values
    if column.kind == Kind.TEXT:
        return np.array(column.levels)[values.astype(np.int64)]
    if column.kind == Kind.BOOLEAN:
        return values.astype(bool)
    return values.astype(np.int64) if column.is_whole else values


def _guess(column: Column, classes: list[Any], journal: Journal) -> str:
    """What is most likely asked; said, because it may be wrong."""
    if len(classes) == 2:
        task, why = "classification", "has two values"
    elif column.kind == Kind.TEXT:
        _refuse_impossible(column, "classification", classes)
        journal.note(
            f"{column.name} is text with {len(classes)} values, so the task is guessed to be "
            "classification (if they are ordered, say --order LOW,...,HIGH)."
        )
        return "classification"
    elif column.is_whole and len(classes) <= MOST_GUESSED:
        task, why = "ordinal", f"has {len(classes)} different whole numbers"
    else:
        what = "dates" if column.kind == Kind.DATE else "numbers"
        task, why = "regression", f"has {len(classes):,} different {what}"
    others = [each for each in TASKS if each != task and _is_possible(column, each, classes)]
    told = " or ".join(f"--task {each}" for each in others)
    otherwise = f" (else say {told})" if told else ""
    journal.note(f"{column.name} {why}, so the task is guessed to be {task}{otherwise}.")
    return task


def _is_possible(column: Column, task: str, classes: list[Any]) -> bool:
    try:
        _refuse_impossible(column, task, classes)
    except WrongInputError:
        return False
    return True


def _refuse_impossible(column: Column, task: str, classes: list[Any]) -> None:
    if column.kind == Kind.TEXT and task == "regression":
        raise WrongInputError(
            f"--task regression needs numbers, but {column.name} holds text such as "
            f"{classes[0]!r}; use --task classification, --task ordinal with --order, or name "
            "another target."
        )
    if task == "classification":
        _refuse_what_are_no_classes(column, classes)
    if task == "ordinal" and column.kind == Kind.TEXT:
        raise WrongInputError(
            f"--task ordinal has to know the order of {column.name}, which is text: give its "
            f"{len(classes):,} values from the lowest to the highest, as --order LOW,...,HIGH; if "
            "they have no order, use --task classification."
        )
    if task == "ordinal" and len(classes) > MOST_CLASSES:
        raise WrongInputError(
            f"--task ordinal needs at most {MOST_CLASSES} ordered classes, but {column.name} has "
            f"{len(classes):,} different values; use --task regression, or cut it into classes."
        )


def _refuse_what_are_no_classes(column: Column, classes: list[Any]) -> None:
    if len(classes) > MOST_CLASSES and column.kind == Kind.TEXT:
        raise WrongInputError(
            f"--target {column.name} has {len(classes):,} different texts; at most {MOST_CLASSES} "
            "classes or numbers were expected. Name another column, or put values together first."
        )
    if len(classes) > MOST_CLASSES or (len(classes) > 2 and not _are_labels(column)):
        raise WrongInputError(
            f"--task classification needs at most {MOST_CLASSES} classes, texts or whole numbers, "
            f"but {column.name} has {len(classes):,} different numbers; use --task regression, or "
            "cut it into classes."
        )


def _are_labels(column: Column) -> bool:
    return column.kind in (Kind.TEXT, Kind.BOOLEAN) or column.is_whole


def _in_own_order(column: Column, labels: Any, classes: list[Any], journal: Journal) -> Outcome:
    order = tuple(level for level in column.levels if level in classes)
    journal.note(f"The file itself says that {column.name} is ordered: {' < '.join(order)}.")
    return Outcome("ordinal", labels, order)


def _in_order(column: Column, labels: Any, order: list[Any], journal: Journal) -> Outcome:
    journal.note(f"{column.name} is ordered as asked: {' < '.join(map(class_name, order))}.")
    return Outcome("ordinal", labels, tuple(order))


def _checked_order(
    column: Column, classes: list[Any], task: str | None, typed: Sequence[str]
) -> list[Any]:
    """The classes in the order that was typed, in which each has to be there once."""
    if task not in (None, "ordinal"):
        raise WrongInputError(f"--order is for --task ordinal, not for {task}; leave one out.")
    texts = {class_name(label): label for label in classes}
    order = list(typed) if set(typed) >= set(texts) else _split(typed)
    if unknown := [each for each in order if each not in texts]:
        raise WrongInputError(
            f"--order lists {listed(unknown)}, which {column.name} does not hold; its values are "
            f"{listed(list(texts), MOST_CLASSES)}."
        )
    if unlisted := [each for each in texts if each not in order]:
        raise WrongInputError(
            f"--order does not list {listed(unlisted)}, which {column.name} holds; add what is "
            "missing, in its place, or leave those cells empty."
        )
    if len(set(order)) < len(order):
        raise WrongInputError(f"--order {','.join(order)} lists a value twice; list each once.")
    return [texts[each] for each in order]


def class_name(label: Any) -> str:
    """A class as people type it: 1 rather than 1.0."""
    return f"{label:g}" if isinstance(label, float) else str(label)


def _split(order: Sequence[str]) -> list[str]:
    return [part.strip() for each in order for part in each.split(",")]
