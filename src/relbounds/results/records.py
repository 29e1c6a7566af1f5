"""Frozen records that turn into JSON-ready dictionaries and back."""

from dataclasses import fields
from types import UnionType
from typing import Any, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from relbounds.arrays import FloatArray, IntArray

T = TypeVar("T", bound=np.generic)


class Record:
    """Base of dataclasses made of numbers, texts, arrays, dictionaries and other records.

    Arrays are held as views that cannot be changed; whose they are may go on with them.
    """

    def __post_init__(self) -> None:
        held = vars(self)
        for name, value in held.items():
            if isinstance(value, np.ndarray):
                held[name] = frozen(value.view())

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain Python values that ``json.dumps`` takes."""
        return {name: _plain(getattr(self, name)) for name in _field_types(type(self))}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The record that ``to_dict`` was called on."""
        types = _field_types(cls)
        if set(values) != set(types):
            missing, extra = sorted(set(types) - set(values)), sorted(set(values) - set(types))
            raise ValueError(
                f"A {cls.__name__} has the fields {list(types)}; "
                f"missing here: {missing}, not known: {extra}."
            )
        return cls(**{name: _restored(values[name], types[name]) for name in types})


def frozen(array: NDArray[T]) -> NDArray[T]:
    """The array itself, which from now on refuses to be changed."""
    array.setflags(write=False)
    return array


def _field_types(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)


def _restored(value: Any, kind: Any) -> Any:
    if get_origin(kind) is UnionType:
        kind = next(option for option in get_args(kind) if option is not type(None))
    if value is None:
        return None
    if kind == FloatArray:
        return np.array(value, dtype=np.float64)
    if kind == IntArray:
        return np.array(value, dtype=np.int64)
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind.from_dict(value)
    if get_origin(kind) is tuple:
        return tuple(_restored(item, get_args(kind)[0]) for item in value)
    return value
