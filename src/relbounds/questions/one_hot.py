"""Which columns did one-hot encoding make of one variable?"""

from collections.abc import Sequence
from typing import Any

from relbounds.exceptions import ConstraintError

_ENCODED = "="
_STEP = "__"


def by_name(names: Sequence[str]) -> dict[str, list[str]]:
    """Columns ``colour=red``, ``colour=blue`` were made of ``colour``."""
    found: dict[str, list[str]] = {}
    for name in names:
        if _ENCODED in name:
            found.setdefault(name.split(_ENCODED)[0], []).append(name)
    return found


def is_encoder(given: Any) -> bool:
    """Whether this is a fitted ``OneHotEncoder`` of scikit-learn, or like one."""
    return hasattr(given, "categories_") and hasattr(given, "get_feature_names_out")


def by_encoder(encoder: Any, names: Sequence[str]) -> dict[str, list[str]]:
    """Columns by the encoder's variables; a name may have a transformer's before it."""
    made = [_known(str(name), names) for name in encoder.get_feature_names_out()]
    counts = _counts(encoder)
    if sum(counts) != len(made):
        raise ConstraintError(
            f"Blocks are taken from a OneHotEncoder, which makes a column for each value; this "
            f"{type(encoder).__name__} makes {len(made)} columns of {sum(counts)} values. Give a "
            "dictionary of names and lists of features instead."
        )
    variables = getattr(encoder, "feature_names_in_", [f"x{i}" for i in range(len(counts))])
    found, first = {}, 0
    for variable, count in zip(variables, counts, strict=True):
        found[str(variable)] = made[first : first + count]
        first += count
    return {variable: columns for variable, columns in found.items() if columns}


def _counts(encoder: Any) -> list[int]:
    """How many columns each variable has: rare values share one, and one may be dropped."""
    n = len(encoder.categories_)
    rare = getattr(encoder, "infrequent_categories_", None) or [None] * n
    dropped = getattr(encoder, "drop_idx_", None)
    counts = []
    for i, categories in enumerate(encoder.categories_):
        shared = 0 if rare[i] is None else len(rare[i]) - 1
        is_dropped = dropped is not None and dropped[i] is not None
        counts.append(len(categories) - shared - is_dropped)
    return counts


def _known(made: str, names: Sequence[str]) -> str:
    if made in names:
        return made
    matches = [name for name in names if name.endswith(_STEP + made)]
    if len(matches) != 1:
        raise ConstraintError(
            f"The encoder made {made!r}, but {len(matches) or 'none'} of the model's features "
            f"{'have' if matches else 'has'} that name; fit the model to a frame with the "
            "encoder's names (set_output(transform='pandas')), or give a dictionary of names and "
            "lists of features."
        )
    return matches[0]
