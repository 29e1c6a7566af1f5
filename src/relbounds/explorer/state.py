"""What has a person asked of good models? Constraints and a tolerance, as a page sends them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relbounds.exceptions import ConstraintError

MOST_CONSTRAINTS = 200
_EXPECTED = (
    'A state is {"constraints": [[[features], what is asked], ...], "tolerance": a number or null}'
)


@dataclass(frozen=True)
class State:
    """Constraints as ``model.what_if`` takes them, and a tolerance; None: that of the fit."""

    constraints: tuple[tuple[Any, Any], ...] = ()
    tolerance: float | None = None

    @classmethod
    def read(cls, value: Any) -> "State":
        """From JSON; whatever is not a state is refused."""
        if not isinstance(value, dict) or not set(value) <= {"constraints", "tolerance"}:
            raise ConstraintError(f"{_EXPECTED}; got {_short(value)}.")
        items, tolerance = value.get("constraints", []), value.get("tolerance")
        if not isinstance(items, list) or len(items) > MOST_CONSTRAINTS:
            raise ConstraintError(f"{_EXPECTED}, at most {MOST_CONSTRAINTS}; got {_short(items)}.")
        if tolerance is not None and not (_is_number(tolerance) and 0 <= tolerance < np.inf):
            raise ConstraintError(f"A tolerance is at least 0; got {_short(tolerance)}.")
        constraints = tuple(_constraint(each) for each in items)
        if len({key for key, _ in constraints}) < len(constraints):
            raise ConstraintError("The same features have two constraints; one is enough.")
        return cls(constraints, None if tolerance is None else float(tolerance))

    @property
    def asked(self) -> dict[Any, Any]:
        """What ``what_if`` takes."""
        return dict(self.constraints)

    @property
    def text(self) -> str:
        """The state as ``read`` takes it, short."""
        items = [
            [list(key) if isinstance(key, tuple) else [key], _written(asked)]
            for key, asked in self.constraints
        ]
        whole = {"constraints": items, "tolerance": self.tolerance}
        return json.dumps({name: each for name, each in whole.items() if each or each == 0})


def _constraint(item: Any) -> tuple[Any, Any]:
    if not isinstance(item, list) or len(item) != 2 or not _are_features(item[0]):
        raise ConstraintError(f"{_EXPECTED}; got {_short(item)}.")
    features, asked = item
    if isinstance(asked, list):
        asked = _ends(asked)
    is_total = _is_number(asked)
    return (tuple(features) if len(features) > 1 or is_total else features[0]), asked


def _are_features(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(_is_feature, value))


def _is_feature(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _ends(asked: list[Any]) -> tuple[Any, ...]:
    """With infinity for an open end, which JSON has no number for."""
    if asked and asked[0] == "signed":
        return ("signed", *_open(asked[1:], -np.inf))
    return _open(asked, 0.0)


def _open(ends: Sequence[Any], least: float) -> tuple[Any, ...]:
    opened = (least, np.inf)
    if len(ends) != 2 or not all(each is None or _is_number(each) for each in ends):
        raise ConstraintError(f"A range has two numbers, or null for none; got {_short(ends)}.")
    return tuple(end if each is None else each for each, end in zip(ends, opened, strict=True))


def _written(asked: Any) -> Any:
    if not isinstance(asked, tuple):
        return asked
    return [None if _is_number(each) and np.isinf(each) else each for each in asked]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not np.isnan(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
