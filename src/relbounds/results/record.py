"""What do all parts of a result have in common? Frozen; to a JSON-ready dictionary and back."""

from dataclasses import MISSING, fields
from reprlib import Repr
from types import UnionType
from typing import Any, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from relbounds.arrays import BoolArray, FloatArray, IntArray

T = TypeVar("T", bound=np.generic)
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


class Record:
    """Base of dataclasses made of numbers, texts, arrays, dictionaries and other records.

    Arrays are held as views that cannot be changed; the caller's own arrays stay as they are.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # or dataclass writes one

    def __post_init__(self) -> None:
        held = vars(self)
        for name, value in held.items():
            if isinstance(value, np.ndarray):
                held[name] = frozen(value.view())

    def __repr__(self) -> str:
        """Short: what numbers an array has, ``to_dict`` tells."""
        told = (f"{name}={_brief(getattr(self, name))}" for name in _field_types(type(self)))
        return f"{type(self).__name__}({', '.join(told)})"

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain Python values that ``json.dumps`` takes."""
        return {name: _plain(getattr(self, name)) for name in _field_types(type(self))}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        """The record that ``to_dict`` was called on.

        Fields that have a default may be missing: earlier versions did not know them all.
        """
        types = _field_types(cls)
        missing = sorted(_required(cls) - set(values))
        extra = sorted(set(values) - set(types))
        if missing or extra:
            raise ValueError(
                f"A {cls.__name__} has the fields {list(types)}; "
                f"missing here: {missing}, not known: {extra}."
            )
        return cls(**{name: _restored(value, types[name]) for name, value in values.items()})


def frozen(array: NDArray[T]) -> NDArray[T]:
    """The array itself, which from now on refuses to be changed."""
    array.setflags(write=False)
    return array


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"<{' x '.join(map(str, value.shape))} array>"
    if isinstance(value, tuple) and any(isinstance(item, Record) for item in value):
        return f"<{len(value)} x {type(value[0]).__name__}>"
    return f"<{type(value).__name__}>" if isinstance(value, Record) else _SHORT.repr(value)


def _field_types(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _required(cls: type) -> set[str]:
    """Names of the fields that have no default."""
    return {
        each.name
        for each in fields(cls)
        if each.default is MISSING and each.default_factory is MISSING
    }


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


_ARRAYS = ((FloatArray, np.float64), (IntArray, np.int64), (BoolArray, np.bool_))


def _restored(value: Any, kind: Any) -> Any:
    if get_origin(kind) is UnionType:
        kind = next(option for option in get_args(kind) if option is not type(None))
    if value is None:
        return None
    for array, dtype in _ARRAYS:
        if kind == array:
            return np.array(value, dtype=dtype)
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind.from_dict(value)
    if get_origin(kind) is tuple:
        return tuple(_restored(item, get_args(kind)[0]) for item in value)
    return value
