"""Which column has which role?"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from relbounds.exceptions import WrongInputError
from relbounds.intake.journal import unknown_column


@dataclass(frozen=True)
class Roles:
    """Which column has which role; regular and privileged ones in the order of the table."""

    target: str
    regular: tuple[str, ...]
    privileged: tuple[str, ...]
    group: str | None = None
    weights: str | None = None


def assign(
    columns: Sequence[str],
    *,
    target: str,
    privileged: Sequence[str],
    drop: Sequence[str],
    keep: Sequence[str],
    group: str | None = None,
    weights: str | None = None,
) -> Roles:
    """Give every column its role; a column that is given two is refused."""
    for option, name in (("--target", target), ("--group", group), ("--weights", weights)):
        if name is not None and name not in columns:
            raise unknown_column(option, name, columns)
    beside = {"--group": [group] if group else [], "--weights": [weights] if weights else []}
    teachers = named("--privileged", privileged, columns)
    dropped = named("--drop", drop, columns)
    kept = named("--keep", keep, columns) or list(columns)
    _refuse_both({"--target": [target], **beside, "--privileged": teachers, "--drop": dropped})
    _refuse_both({"--keep": kept if keep else [], "--drop": dropped, **beside})
    others = {target, group, weights, *teachers, *dropped}
    regular = tuple(each for each in columns if each in set(kept) - others)
    if not regular:
        raise WrongInputError(
            f"Beside the target {target!r} no column is left as a feature; name fewer in --drop or "
            "more in --keep, or another table."
        )
    privileged = tuple(each for each in columns if each in set(teachers))
    return Roles(target, regular, privileged, group, weights)


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
