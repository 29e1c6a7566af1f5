"""Which features are models to do without? Names as they are typed, checked against the table."""

from collections.abc import Sequence

from relbounds.intake.choice import named
from relbounds.intake.encoding import Encoded
from relbounds.intake.journal import Journal
from relbounds.intake.refusal import WrongInputError

_OPTION = "--without"


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
