"""How much should classes count in the loss? What the user asked for, checked."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.estimators.input import Target
from relbounds.method.balance import Balance, balances_for

_OPTIONS = "'auto', 'balanced', None or a dictionary such as {'low': 1, 'high': 5}"


def check_class_weight(asked: Any) -> None:
    """Refuse what is no way to weigh classes, whatever they are."""
    if asked is None or (isinstance(asked, str) and asked in ("auto", "balanced")):
        return
    if not isinstance(asked, Mapping):
        raise ValueError(f"class_weight must be {_OPTIONS}; got {asked!r}.")
    for label, weight in asked.items():
        is_number = isinstance(weight, Real) and not isinstance(weight, bool | np.bool_)
        if not is_number or not 0 < weight < np.inf:
            raise ValueError(
                f"class_weight must give every class a positive number, but {label!r} has "
                f"{weight!r}. To do without a class, leave its rows out."
            )


def read_class_weight(
    asked: Any, target: Target, sizes: FloatArray, *, is_tuned: bool
) -> tuple[Balance, ...]:
    """What there is to choose from.

    Parameters
    ----------
    asked : what ``check_class_weight`` let pass
    target : Target
        Of a task with classes.
    sizes : (n_classes,) array
        Sums of sample weights.
    is_tuned : bool
        Whether C is; where it is given, "auto" has nothing to be tuned with.
    """
    if isinstance(asked, Mapping):
        return (Balance(given=_of_labels(asked, target)),)
    if asked == "balanced":
        return (Balance(1.0),)
    return balances_for(sizes) if asked == "auto" and is_tuned else (Balance(),)


def _of_labels(asked: Mapping[Any, float], target: Target) -> tuple[float, ...]:
    classes, known = target.classes or (), target.declared
    if unknown := [label for label in asked if label not in known]:
        raise ValueError(
            f"class_weight has a weight for {unknown[0]!r}, which is no class of y; the classes "
            f"are {list(known[:10])}."
        )
    if missing := [label for label in classes if label not in asked]:
        raise ValueError(
            f"class_weight must have a weight for each class, but {missing[0]!r} has none; add "
            f"{missing[0]!r}: 1 if it should count as it comes."
        )
    return tuple(float(asked[label]) for label in classes)
