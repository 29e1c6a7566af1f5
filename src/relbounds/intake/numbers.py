"""Which numbers do texts hold? Decimal commas, separated thousands, and units beside them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from relbounds.arrays import FloatArray
from relbounds.intake.texts import MOSTLY, Texts, hopeless

MOST_UNITS = 5
"""Texts with more different things behind a number, such as addresses, have no units."""
_LEAST_NUMBERS = 3  # different ones, in a unit
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")  # 1,234,567.8
_SURELY_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3}){2,}|[^.]+,[^,]+\.\d+")  # 1,234.5
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*),\d+([eE][+-]?\d+)?")  # 1.234.567,8
_POINTS_OF_THOUSANDS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?")
_SURELY_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3}){2,}")  # 1.234.567
_BLANKS = " '\u2019\u00a0\u2009\u202f"
_SPACED = re.compile(rf"[+-]?\d{{1,3}}([{_BLANKS}]\d{{3}})+([.,]\d+)?")  # 1 234 567,8
_NO_BLANKS = str.maketrans("", "", _BLANKS)
_CURRENCIES = "$€£¥₹₽₩₺₴₪฿₫₦"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL|ZAR|Rs"
_MONEY = re.compile(rf"[A-Z]{{0,2}}[{_CURRENCIES}]|{_CODES}")
_WITH_UNIT = re.compile(
    rf"(?P<sign>[+-]?)(?P<before>{_MONEY.pattern})?\s*"
    rf"(?P<number>[+-]?(?:\d(?:[\d.,{_BLANKS}]*\d)?|[.,]\d+)(?:[eE][+-]?\d+)?)"
    rf"\s*(?P<after>(?:[^\W\d_]|[%‰°\"/{_CURRENCIES}]).{{0,15}})?"
)
_ORDINALS = ("st", "nd", "rd", "th")  # 1st, 2nd: places, not quantities


@dataclass(frozen=True, eq=False)
class Numbers:
    """A number for each text, NaN if it has none, and how texts had to be read.

    Attributes
    ----------
    values : array
    decimal_comma : bool
    thousands : {"commas", "points", "blanks"} or None
        What separates them.
    unit : str or None
        What all but a few texts have before or behind their number.
    bare : array of bool, or None
        Texts without the unit.
    """

    values: FloatArray
    decimal_comma: bool = False
    thousands: str | None = None
    unit: str | None = None
    bare: Any = None


@dataclass(frozen=True, eq=False)
class MixedUnits:
    """Units that numbers have, the most frequent first, and the texts that have another one."""

    units: tuple[str, ...]
    others: Any


def as_numbers(cells: Texts, delimiter: str | None) -> Numbers | None:
    """The numbers of texts; None if most texts are no numbers."""
    if hopeless(cells, lambda some: as_numbers(some, delimiter)):
        return None
    found = _read(cells.texts, delimiter, is_money=False)
    return found if cells.mostly(~np.isnan(found.values)) else None


def _read(texts: Any, delimiter: str | None, *, is_money: bool) -> Numbers:
    plain = _numbers(texts)
    strays = [text for text, value in zip(texts, plain, strict=True) if np.isnan(value)]
    if any(map(_SPACED.fullmatch, strays)):
        joined = [t.translate(_NO_BLANKS) if _SPACED.fullmatch(t) else t for t in texts]
        return replace(_read(joined, delimiter, is_money=is_money), thousands="blanks")
    with_comma = [text for text in strays if "," in text]
    are_thousands = (
        is_money or delimiter == "," or any(map(_SURELY_THOUSANDS.fullmatch, with_comma))
    )
    if with_comma and are_thousands and all(map(_THOUSANDS.fullmatch, with_comma)):
        without = _numbers([text.replace(",", "") for text in texts])
        return Numbers(without, thousands="commas")
    if any(map(_DECIMAL_COMMA.fullmatch, with_comma)):
        return Numbers(_numbers([_with_point(text) for text in texts]), decimal_comma=True)
    if _has_points_of_thousands(texts, is_money=is_money):
        return Numbers(_numbers([text.replace(".", "") for text in texts]), thousands="points")
    return Numbers(plain)


def numbers_of(
    texts: Iterable[str], *, decimal_comma: bool, thousands: str | None, unit: str | None
) -> FloatArray:
    """A number for each text, now that it is known how they are written; NaN for another unit."""
    marks = {"commas": ",", "points": ".", "blanks": _BLANKS}.get(thousands or "", "")
    bare = (_without_unit(text, unit) for text in texts)
    joined = [text.translate(str.maketrans("", "", marks)) for text in bare]
    return _numbers([_with_point(text) for text in joined] if decimal_comma else joined)


def _without_unit(text: str, unit: str | None) -> str:
    match = _WITH_UNIT.fullmatch(text.replace("\u2212", "-"))
    if match is None or not _unit(match):
        return text
    is_known = unit is not None and _key(_unit(match)) == _key(unit)
    return match["sign"] + match["number"] if is_known else ""


def _has_points_of_thousands(texts: Iterable[str], *, is_money: bool) -> bool:
    """Whether 1.234 is more than a thousand: amounts of money never have three decimals."""
    with_point = [text for text in texts if "." in text and text[-1].isdigit()]
    sure = is_money or any(map(_SURELY_POINTS.fullmatch, with_point))
    return bool(with_point) and sure and all(map(_POINTS_OF_THOUSANDS.fullmatch, with_point))


def _with_point(text: str) -> str:
    """A number with a decimal comma, written with a point."""
    if _POINTS_OF_THOUSANDS.fullmatch(text):
        text = text.replace(".", "")
    return text.replace(",", ".") if text.count(",") == 1 else text


def _numbers(texts: Any) -> FloatArray:
    plain = [text.replace("\u2212", "-") for text in texts]  # the sign of print
    return np.asarray(pd.to_numeric(np.asarray(plain, dtype=object), errors="coerce"), np.float64)


def with_units(cells: Texts, delimiter: str | None) -> Numbers | MixedUnits | None:
    """The numbers of texts that share a unit; None if most texts have neither.

    Numbers in different units are not put together, nor are those with a unit and those without,
    unless nearly all have it.
    """
    if hopeless(cells, lambda some: with_units(some, delimiter)):
        return None
    matches = [_WITH_UNIT.fullmatch(text.replace("\u2212", "-")) for text in cells.texts]
    there = np.array([match is not None for match in matches], dtype=bool)
    units = np.array([_unit(match) for match in matches], dtype=object)
    has_unit = there & (units != "")
    if not has_unit.any() or not cells.mostly(there):
        return None
    numbers = [match["sign"] + match["number"] if match else "" for match in matches]
    known = _by_frequency(units[has_unit], cells.counts[has_unit])
    nearly_all = cells.counts[has_unit].sum() >= MOSTLY * cells.counts[there].sum()
    if len(known) == 1 and nearly_all:
        is_money = _MONEY.search(known[0]) is not None
        found = _read(numbers, delimiter, is_money=is_money)
        return replace(found, unit=known[0], bare=there & ~has_unit)
    others = there & np.array([_key(unit) != _key(known[0]) for unit in units])
    return _mixed(known, numbers, others, there)


def _mixed(known: list[str], numbers: list[str], others: Any, there: Any) -> MixedUnits | None:
    """What to say of units, if they are any rather than words behind numbers."""
    of_first = {numbers[k] for k in np.flatnonzero(there & ~others)}
    are_places = any(unit in _ORDINALS for unit in known)
    if len(of_first) < _LEAST_NUMBERS or len(known) > MOST_UNITS or are_places:
        return None
    return MixedUnits(tuple(known), others)


def _unit(match: re.Match[str] | None) -> str:
    return f"{match['before'] or ''}{match['after'] or ''}".strip() if match else ""


def _key(unit: str) -> str:
    """The same for spellings of a unit. Short ones differ by their case: mW and MW."""
    letters = unit.rstrip(".")
    letters = letters.casefold() if len(letters) > 3 else letters
    return letters.removesuffix("s") if len(letters) > 2 else letters


def _by_frequency(units: Iterable[str], counts: Iterable[int]) -> list[str]:
    """A spelling of each unit, the most frequent unit first."""
    total: dict[str, int] = {}
    spelling: dict[str, str] = {}
    for unit, count in sorted(zip(units, counts, strict=True), key=lambda each: -each[1]):
        key = _key(unit)
        total[key] = total.get(key, 0) + int(count)
        spelling.setdefault(key, unit)
    return [spelling[key] for key in sorted(total, key=lambda key: -total[key])]
