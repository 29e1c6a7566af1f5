"""The whole way from a table as it was found to numbers, with a sentence for each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from relbounds.intake.absent import meant_features
from relbounds.intake.choice import Roles, assign
from relbounds.intake.columns import Column, read_column
from relbounds.intake.encoding import Encoded, encoded, frame_of, groups_of
from relbounds.intake.journal import Journal, counted, is_or_are, rows_left_out, was_or_were
from relbounds.intake.left_out import MOST_NAMES, usable, without_constants
from relbounds.intake.missing import complete_rows, imputed
from relbounds.intake.readers import RawTable
from relbounds.intake.refusal import WrongInputError
from relbounds.intake.remarks import remark
from relbounds.intake.target import Outcome, read_outcome, read_target
from relbounds.wording import listed

FEW_ROWS = 20
"""With fewer, the reader is warned."""


@dataclass(frozen=True)
class Wishes:
    """What the user wants done with the table; names and orders as they were typed.

    Attributes
    ----------
    target : str
    privileged, drop, keep : sequences of str
        Names of columns, or several of them with commas in between.
    order : sequence of str
        Values of a text target from the lowest to the highest.
    task : str or None
        None: to be guessed.
    missing : {"impute", "drop"}
    without : sequence of str
        Each names features, or columns, that models are to do without.
    """

    target: str
    privileged: Sequence[str] = ()
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    order: Sequence[str] = ()
    task: str | None = None
    missing: str = "impute"
    without: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Prepared:
    """What an estimator is given, and what was done to get there.

    Attributes
    ----------
    X : DataFrame of floats
    y : array
    X_priv : DataFrame of floats, or None
    task : {"ordinal", "classification", "regression"}
    classes : tuple or None
        Ordered classes from the lowest to the highest.
    groups : dict
        The text column that each column of 0 and 1 was made from.
    absences : tuple of tuples of str
        The features that each of the wishes ``without`` means.
    notes, warnings : tuples of str
    """

    X: pd.DataFrame
    y: Any
    X_priv: pd.DataFrame | None
    task: str
    classes: tuple[Any, ...] | None
    groups: dict[str, str]
    absences: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


def prepare(table: RawTable, wishes: Wishes, journal: Journal) -> Prepared:
    """Choose, read, clean and encode the columns of a table."""
    roles = _roles(table, wishes, journal)
    target = read_target(roles.target, table.frame[roles.target], table.delimiter, wishes.order)
    columns = [
        read_column(name, table.frame[name], table.delimiter)
        for name in (*roles.regular, *roles.privileged)
    ]
    remark([target, *columns], journal)
    target, columns = _with_target(target, columns, journal)
    wanted = roles.privileged + (roles.regular if wishes.keep else ())
    columns = usable(columns, wanted, journal)
    if wishes.missing == "drop":
        target, columns = _without_gaps(target, columns, journal)
    outcome = read_outcome(target, wishes.task, wishes.order, journal)
    if len(target.values) < FEW_ROWS:
        journal.warn(
            f"There are only {counted(len(target.values), 'row')}; what so few say is hardly "
            "reliable."
        )
    found = encoded(imputed(columns, journal), journal)
    absences = meant_features(
        wishes.without, list(table.frame.columns), roles.target, found, journal
    )
    return _divided(roles, outcome, found, absences, journal)


def _roles(table: RawTable, wishes: Wishes, journal: Journal) -> Roles:
    columns = list(table.frame.columns)
    roles = assign(
        columns,
        target=wishes.target,
        privileged=wishes.privileged,
        drop=wishes.drop,
        keep=wishes.keep,
    )
    used = {roles.target, *roles.regular, *roles.privileged}
    if unused := [name for name in columns if name not in used]:
        journal.note(f"{listed(unused, MOST_NAMES)} {was_or_were(unused)} left out, as asked.")
    if roles.privileged:
        names = listed(roles.privileged)
        journal.note(f"{names} {is_or_are(roles.privileged)} privileged: known in training only.")
    return roles


def _with_target(
    target: Column, columns: list[Column], journal: Journal
) -> tuple[Column, list[Column]]:
    """The rows whose target is known."""
    known = ~target.missing
    if n_unknown := int(target.missing.sum()):
        journal.note(rows_left_out(n_unknown, len(known), f"without a value of {target.name}"))
        return target.rows(known), [each.rows(known) for each in columns]
    return target, columns


def _without_gaps(
    target: Column, columns: list[Column], journal: Journal
) -> tuple[Column, list[Column]]:
    """The rows that have a value in every column; gaps of a column of no use cost no row."""
    columns = without_constants(columns, journal, gaps_count=False)
    if not columns:
        return target, columns
    complete = complete_rows(columns, len(target.values), journal)
    rows = [each.rows(complete) for each in columns]
    return target.rows(complete), without_constants(rows, journal)


def _divided(
    roles: Roles,
    outcome: Outcome,
    found: list[Encoded],
    absences: tuple[tuple[str, ...], ...],
    journal: Journal,
) -> Prepared:
    privileged = [each for each in found if each.made_from.name in roles.privileged]
    regular = [each for each in found if each.made_from.name not in roles.privileged]
    for side, some, asked in (("", regular, True), ("privileged ", privileged, roles.privileged)):
        if asked and not some:
            why = " ".join(note for note in journal.notes if "left out" in note)
            raise WrongInputError(f"No {side}feature is left. {why} Name other columns.")
    return Prepared(
        X=frame_of(regular),
        y=np.asarray(outcome.y),
        X_priv=frame_of(privileged) if privileged else None,
        task=outcome.task,
        classes=outcome.classes,
        groups=groups_of(found),
        absences=absences,
        notes=tuple(journal.notes),
        warnings=tuple(journal.warnings),
    )
