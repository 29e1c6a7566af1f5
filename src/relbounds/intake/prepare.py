"""The whole way from a table as it was found to numbers, with a sentence for each step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.exceptions import WrongInputError
from relbounds.intake.cleaning import MOST_NAMES, imputed, remark, usable
from relbounds.intake.columns import Column, read_as_text, read_column
from relbounds.intake.counts import counted_out
from relbounds.intake.encoding import Recipe, frame_of, origins, recipes
from relbounds.intake.files import RawTable
from relbounds.intake.journal import Journal
from relbounds.intake.roles import Roles, assign, named
from relbounds.intake.rows import Rows, checked_groups, checked_weights, read_weights
from relbounds.intake.suspicion import warn_of_telling_gaps
from relbounds.intake.target import Outcome, read_outcome, read_target
from relbounds.results.columns import ColumnFacts
from relbounds.wording.text import counted, is_or_are, listed, was_or_were

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
    weights : str or None
        The column that says what each row counts.
    counts : str or None
        The column that says for how many observations each row stands.
    """

    target: str
    privileged: Sequence[str] = ()
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    order: Sequence[str] = ()
    task: str | None = None
    missing: str = "impute"
    without: Sequence[str | Sequence[str]] = ()
    group: str | None = None
    weights: str | None = None
    counts: str | None = None


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
    recipes : tuple of Recipe
        How each regular column became features, and would in other rows.
    columns : tuple of ColumnFacts
        What is known of each column that was used, as it came, privileged ones last.
    made_from : dict
        The text column that each column of 0 and 1 was made from.
    absences : tuple of tuples of str
        The features that each of the wishes ``without`` means.
    notes, warnings : tuples of str
    groups : array or None
        Which rows belong together.
    weights : array or None
        What each row counts.
    """

    X: pd.DataFrame
    y: Any
    X_priv: pd.DataFrame | None
    task: str
    classes: tuple[Any, ...] | None
    recipes: tuple[Recipe, ...]
    columns: tuple[ColumnFacts, ...]
    made_from: dict[str, str]
    absences: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    groups: Any = None
    weights: FloatArray | None = None


def prepare(table: RawTable, wishes: Wishes, journal: Journal) -> Prepared:
    """Choose, read, clean and encode the columns of a table."""
    table = counted_out(table, wishes.counts, wishes.target, journal)
    roles = _roles(table, wishes, journal)
    target = read_target(roles.target, table.frame[roles.target], table.delimiter, wishes.order)
    columns = [
        read_column(name, table.frame[name], table.delimiter)
        for name in (*roles.regular, *roles.privileged)
    ]
    remark([target, *columns], journal)
    rows = Rows(target, columns, *_beside(table, roles)).known(journal)
    wanted = roles.privileged + (roles.regular if wishes.keep else ())
    used = usable(rows.columns, wanted, journal, first=table.frame.columns[0])
    rows = replace(rows, columns=used)
    if wishes.missing == "drop":
        rows = rows.without_gaps(journal)
    outcome = read_outcome(rows.target, wishes.task, wishes.order, journal)
    _refuse_without_order(roles, outcome)
    if len(rows.target.values) < FEW_ROWS:
        journal.warn(
            f"There are only {counted(len(rows.target.values), 'row')}; what so few say is hardly "
            "reliable."
        )
    warn_of_telling_gaps(rows.columns, outcome, roles.target, journal)
    gaps = [int(each.missing.sum()) for each in rows.columns]
    found = recipes(imputed(rows.columns, journal), gaps, journal)
    absences = meant_features(
        wishes.without, list(table.frame.columns), roles.target, found, journal
    )
    groups = checked_groups(rows.group, journal)
    weights = checked_weights(rows.weights, journal)
    divided = _divided(roles, outcome, found, absences, journal)
    return replace(divided, groups=groups, weights=weights)


def _beside(table: RawTable, roles: Roles) -> tuple[Column | None, Column | None]:
    """The columns that say of rows which belong together, and what each counts."""
    frame, group, weights = table.frame, roles.group, roles.weights
    return (
        read_as_text(group, frame[group]) if group else None,
        read_weights(weights, frame[weights], table.delimiter) if weights else None,
    )


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
        weights=wishes.weights,
    )
    used = {roles.target, roles.group, roles.weights, *roles.regular, *roles.privileged}
    if unused := [name for name in columns if name not in used]:
        journal.note(f"{listed(unused, MOST_NAMES)} {was_or_were(unused)} left out, as asked.")
    if roles.privileged:
        names = listed(roles.privileged)
        journal.note(f"{names} {is_or_are(roles.privileged)} privileged: known in training only.")
    return roles


def meant_features(
    typed: Sequence[str | Sequence[str]],
    columns: Sequence[str],
    target: str,
    found: Sequence[Recipe],
    journal: Journal,
) -> tuple[tuple[str, ...], ...]:
    """The features that each use of the option means; a text column means all of its own."""
    known = list(dict.fromkeys([*columns, *(name for each in found for name in each.features)]))
    absences = []
    for each in typed:
        names = named(_OPTION, [each] if isinstance(each, str) else each, known)
        features = {name: _features(name, found) for name in names}
        for name in names:
            if not features[name]:
                raise _no_feature(name, target, journal)
        absences.append(tuple(feature for name in names for feature in features[name]))
    return tuple(absences)


def _features(name: str, found: Sequence[Recipe]) -> list[str]:
    of_column = [feature for each in found if each.name == name for feature in each.features]
    return of_column or [name] * any(name in each.features for each in found)


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
    found: list[Recipe],
    absences: tuple[tuple[str, ...], ...],
    journal: Journal,
) -> Prepared:
    privileged = [each for each in found if each.name in roles.privileged]
    regular = [each for each in found if each.name not in roles.privileged]
    for side, some, asked in (("", regular, True), ("privileged ", privileged, roles.privileged)):
        if asked and not some:
            why = " ".join(note for note in journal.notes if "left out" in note)
            raise WrongInputError(f"No {side}feature is left. {why} Name other columns.")
    return Prepared(
        X=frame_of(regular, [each.column for each in regular]),
        y=np.asarray(outcome.y),
        X_priv=frame_of(privileged, [each.column for each in privileged]) if privileged else None,
        task=outcome.task,
        classes=outcome.classes,
        recipes=tuple(each.bare for each in regular),
        columns=tuple(each.facts for each in (*regular, *privileged)),
        made_from=origins(found),
        absences=absences,
        notes=tuple(journal.notes),
        warnings=tuple(journal.warnings),
    )
