"""Are the settings sensible? One sentence each: what was expected, what came."""

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any


def one_of(name: str, value: Any, options: Iterable[Any]) -> None:
    options = list(options)
    if value not in options:
        valid = ", ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be one of {valid}; got {value!r}.")


def positive(name: str, value: Any) -> None:
    if not _is_number(value) or not 0 < value < float("inf"):
        raise ValueError(f"{name} must be a positive number, or None to tune it; got {value!r}.")


def at_least(name: str, value: Any, least: float, instead: str) -> None:
    if not _is_number(value) or not least <= value < float("inf"):
        raise ValueError(f"{name} must be a number of at least {least}{instead}; got {value!r}.")


def share(name: str, value: Any) -> None:
    if not _is_number(value) or not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1; got {value!r}.")


def whole(name: str, value: Any, least: int, why: str = "") -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}{why}; got {value!r}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
