"""The whole way from a table as it was found to numbers, with a sentence for each step."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.exceptions import WrongInputError
from relbounds.intake.cleaning import (
    MOST_NAMES,
    complete_rows,
    imputed,
    remark,
    usable,
    without_constants,
)
from relbounds.intake.columns import Column, read_as_text, read_column
from relbounds.intake.encoding import Encoded, encoded, frame_of, origins
from relbounds.intake.files import RawTable
from relbounds.intake.journal import Journal, unknown_column
from relbounds.intake.suspicion import warn_of_telling_gaps
from relbounds.intake.target import Outcome, read_outcome, read_target
from relbounds.wording.text import counted, is_or_are, listed, rows_left_out, was_or_were

_OPTION = "--without"
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
    group : str or None
        The column whose equal values tell which rows belong together.
    """

    target: str
    privileged: Sequence[str] = ()
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    order: Sequence[str] = ()
    task: str | None = None
    missing: str = "impute"
    without: Sequence[str] = ()
    group: str | None = None


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
    made_from : dict
        The text column that each column of 0 and 1 was made from.
    absences : tuple of tuples of str
        The features that each of the wishes ``without`` means.
    notes, warnings : tuples of str
    groups : array or None
        Which rows belong together.
    """

    X: pd.DataFrame
    y: Any
    X_priv: pd.DataFrame | None
    task: str
    classes: tuple[Any, ...] | None
    made_from: dict[str, str]
    absences: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    groups: Any = None


@dataclass(frozen=True)
class Roles:
    """Which column has which role; regular and privileged ones in the order of the table."""

    target: str
    regular: tuple[str, ...]
    privileged: tuple[str, ...]
    group: str | None = None


def prepare(table: RawTable, wishes: Wishes, journal: Journal) -> Prepared:
    """Choose, read, clean and encode the columns of a table."""
    roles = _roles(table, wishes, journal)
    target = read_target(roles.target, table.frame[roles.target], table.delimiter, wishes.order)
    columns = [
        read_column(name, table.frame[name], table.delimiter)
        for name in (*roles.regular, *roles.privileged)
    ]
    remark([target, *columns], journal)
    group = read_as_text(roles.group, table.frame[roles.group]) if roles.group else None
    target, columns, group = _known(target, columns, group, journal)
    wanted = roles.privileged + (roles.regular if wishes.keep else ())
    columns = usable(columns, wanted, journal)
    if wishes.missing == "drop":
        target, columns, group = _without_gaps(target, columns, group, journal)
    outcome = read_outcome(target, wishes.task, wishes.order, journal)
    _refuse_without_order(roles, outcome)
    if len(target.values) < FEW_ROWS:
        journal.warn(
            f"There are only {counted(len(target.values), 'row')}; what so few say is hardly "
            "reliable."
        )
    warn_of_telling_gaps(columns, outcome, roles.target, journal)
    found = encoded(imputed(columns, journal), journal)
    absences = meant_features(
        wishes.without, list(table.frame.columns), roles.target, found, journal
    )
    groups = _checked_groups(group, journal)
    return replace(_divided(roles, outcome, found, absences, journal), groups=groups)


def _refuse_without_order(roles: Roles, outcome: Outcome) -> None:
    """What three and more classes without order cannot have yet."""
    n_classes = len(set(outcome.y)) if outcome.task == "classification" else 0
    given = {"--group": roles.group, "--privileged": roles.privileged}
    for option in [option for option, names in given.items() if names and n_classes > 2]:
        raise WrongInputError(
            f"{option} is for two classes, ordered classes and numbers, but {roles.target!r} has "
            f"{n_classes} classes without order. Say their order, if they have one (--order "
            f"LOW,...,HIGH), or leave {option} out."
        )


def _roles(table: RawTable, wishes: Wishes, journal: Journal) -> Roles:
    columns = list(table.frame.columns)
    roles = assign(
        columns,
        target=wishes.target,
        privileged=wishes.privileged,
        drop=wishes.drop,
        keep=wishes.keep,
        group=wishes.group,
    )
    used = {roles.target, roles.group, *roles.regular, *roles.privileged}
    if unused := [name for name in columns if name not in used]:
        journal.note(f"{listed(unused, MOST_NAMES)} {was_or_were(unused)} left out, as asked.")
    if roles.privileged:
        names = listed(roles.privileged)
        journal.note(f"{names} {is_or_are(roles.privileged)} privileged: known in training only.")
    return roles


def assign(
    columns: Sequence[str],
    *,
    target: str,
    privileged: Sequence[str],
    drop: Sequence[str],
    keep: Sequence[str],
    group: str | None = None,
) -> Roles:
    """Give every column its role; a column that is given two is refused."""
    for option, name in (("--target", target), ("--group", group)):
        if name is not None and name not in columns:
            raise unknown_column(option, name, columns)
    grouping = [] if group is None else [group]
    teachers = named("--privileged", privileged, columns)
    dropped = named("--drop", drop, columns)
    kept = named("--keep", keep, columns) or list(columns)
    once = {"--target": [target], "--group": grouping, "--privileged": teachers, "--drop": dropped}
    _refuse_both(once)
    _refuse_both({"--keep": kept if keep else [], "--drop": dropped, "--group": grouping})
    others = {target, *grouping, *teachers, *dropped}
    regular = tuple(each for each in columns if each in set(kept) - others)
    if not regular:
        raise WrongInputError(
            f"Beside the target {target!r} no column is left as a feature; name fewer in --drop or "
            "more in --keep, or another table."
        )
    return Roles(target, regular, tuple(each for each in columns if each in set(teachers)), group)


def named(option: str, typed: Iterable[str], columns: Sequence[str]) -> list[str]:
    """Columns named by an option: ``a,b,c``, or one name that may itself have commas."""
    known, found = set(columns), []
    for each in typed:
        names = [each] if each in known else _cut(each)
        if not names:
            raise WrongInputError(
                f"{option} {each!r} names no column; name one, as in {option} {columns[0]!r}, or "
                "leave the option out."
            )
        for name in names:
            if name not in known:
                raise unknown_column(option, name, columns)
        found += names
    return list(dict.fromkeys(found))


def _cut(typed: str) -> list[str]:
    cells = next(csv.reader([typed], skipinitialspace=True), [])
    return [cell.strip() for cell in cells if cell.strip()]


def _refuse_both(roles: dict[str, list[str]]) -> None:
    first: dict[str, str] = {}
    for option, names in roles.items():
        for name in names:
            if name in first:
                raise WrongInputError(
                    f"The column {name!r} is named by {first[name]} and by {option}; name it once."
                )
            first[name] = option


Rows = tuple[Column, list[Column], Column | None]
"""The target, the features and the groups of some rows."""


def _of_rows(target: Column, columns: list[Column], group: Column | None, kept: Any) -> Rows:
    return target.rows(kept), [each.rows(kept) for each in columns], group and group.rows(kept)


def _known(target: Column, columns: list[Column], group: Column | None, journal: Journal) -> Rows:
    """The rows whose target is known, and their group, if rows belong to any."""
    known = np.ones(len(target.missing), dtype=bool)
    for each in (target, group):
        if each is not None and (known & each.missing).any():
            before, known = int(known.sum()), known & ~each.missing
            which = f"without a value of {each.name}"
            journal.note(rows_left_out(before - int(known.sum()), before, which))
    if known.all():
        return target, columns, group
    return _of_rows(target, columns, group, known)


def _without_gaps(
    target: Column, columns: list[Column], group: Column | None, journal: Journal
) -> Rows:
    """The rows that have a value in every column; gaps of a column of no use cost no row."""
    columns = without_constants(columns, journal, gaps_count=False)
    if not columns:
        return target, columns, group
    complete = complete_rows(columns, len(target.values), journal)
    target, columns, group = _of_rows(target, columns, group, complete)
    return target, without_constants(columns, journal), group


def _checked_groups(group: Column | None, journal: Journal) -> Any:
    """Which rows belong together, noted; labels that say nothing of that are refused."""
    if group is None:
        return None
    n_groups, n_rows = len(np.unique(group.values)), len(group.values)
    if n_groups in (1, n_rows):
        has = "the same value" if n_groups == 1 else "a different value"
        raise WrongInputError(
            f"--group {group.name} has {has} in every row, which does not tell which rows belong "
            "together; name a column whose values several rows share, or leave the option out."
        )
    journal.note(
        f"Rows of the same {group.name} count as one observation of all that it has as a whole: "
        f"{n_rows:,} rows of {n_groups:,}."
    )
    return group.values.astype(np.int64)


def meant_features(
    typed: Sequence[str],
    columns: Sequence[str],
    target: str,
    found: Sequence[Encoded],
    journal: Journal,
) -> tuple[tuple[str, ...], ...]:
    """The features that each use of the option means; a text column means all of its own."""
    known = list(dict.fromkeys([*columns, *(each.name for each in found)]))
    absences = []
    for each in typed:
        names = named(_OPTION, [each], known)
        features = {name: _features(name, found) for name in names}
        for name in names:
            if not features[name]:
                raise _no_feature(name, target, journal)
        absences.append(tuple(feature for name in names for feature in features[name]))
    return tuple(absences)


def _features(name: str, found: Sequence[Encoded]) -> list[str]:
    of_column = [each.name for each in found if each.made_from.name == name]
    return of_column or [each.name for each in found if each.name == name]


def _no_feature(name: str, target: str, journal: Journal) -> WrongInputError:
    """Why a column of the table is none of the features."""
    if name == target:
        why = "it is the target"
    elif name in journal.useless:
        why = f"it was left out, since it has {journal.useless[name]}"
    else:
        why = "it was left out, as asked"
    return WrongInputError(
        f"{_OPTION}: {name!r} is not among the features: {why}. Name another column."
    )


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
        made_from=origins(found),
        absences=absences,
        notes=tuple(journal.notes),
        warnings=tuple(journal.warnings),
    )
