"""Which features are models to do without? Names as they are typed, checked against the table."""

from collections.abc import Sequence

from relbounds.intake.choice import named
from relbounds.intake.encoding import Encoded
from relbounds.intake.journal import Journal
from relbounds.intake.refusal import WrongInputError

_OPTION = "--without"


def meant_features(
    typed: Sequence[str], columns: Sequence[str], found: Sequence[Encoded], journal: Journal
) -> tuple[tuple[str, ...], ...]:
    """The features that each use of the option means; a text column means all of its own."""
    known = list(dict.fromkeys([*columns, *(each.name for each in found)]))
    return tuple(
        tuple(
            feature
            for name in named(_OPTION, [each], known)
            for feature in _features(name, found, journal)
        )
        for each in typed
    )


def _features(name: str, found: Sequence[Encoded], journal: Journal) -> list[str]:
    of_column = [each.name for each in found if each.made_from.name == name]
    meant = of_column or [each.name for each in found if each.name == name]
    if not meant:
        why = [note for note in journal.notes if "left out" in note and name in note]
        reason = " ".join(why) or "It is the target."
        raise WrongInputError(
            f"{_OPTION}: {name!r} is not among the features. {reason} Name another column."
        )
    return meant
