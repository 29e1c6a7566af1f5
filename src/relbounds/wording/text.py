"""How are names, numbers and shares written in a sentence?"""

from collections.abc import Sequence

from relbounds.results.records import RESOLUTION

MOST_NAMES = 8
"""Of more features a sentence names only the first ones."""
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def between(least: float, most: float) -> str:
    """``between 29 % and 47 %``; ``29 %`` if both look the same."""
    low, high = percent(least), percent(most)
    return low if low == high else f"between {low} and {high}"


def percent(share: float) -> str:
    """A share as people say it, with two digits that count: ``47 %``, ``3.1 %``, ``0.02 %``."""
    if abs(share) <= RESOLUTION:
        return "0 %"
    rounded_up = (0.0995, 0.00995, 0.000995, 0.0000995)  # what takes 0, 1, 2, 3 decimals
    decimals = sum(abs(share) < size for size in rounded_up)
    return f"{100 * share:.{decimals}f} %"


def in_words(number: int) -> str:
    """``two``; numbers beyond twelve in digits: ``1,200``."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def counted_in_words(number: int, noun: str) -> str:
    """``No feature``, ``Two features``: the beginning of a sentence."""
    return f"{in_words(number).capitalize()} {noun}{'s' if number > 1 else ''}"


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """``a, b and c``; beyond so many ``a, b and 7 more``."""
    shown = list(names[:most])
    left = len(names) - len(shown)
    last = f"{left} more" if left else shown.pop()
    return f"{', '.join(shown)} and {last}" if shown else last


def counted(number: int, noun: str) -> str:
    """``1 row``, ``1,200 rows``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def rows_left_out(number: int, of: int, which: str) -> str:
    """``1 row with gaps was left out; 20 rows stay.``, where ``which`` is ``with gaps``."""
    were, stay = "was" if number == 1 else "were", "stays" if of - number == 1 else "stay"
    return (
        f"{counted(number, 'row')} {which} {were} left out; {counted(of - number, 'row')} {stay}."
    )


def is_or_are(names: Sequence[object]) -> str:
    return "is" if len(names) == 1 else "are"


def was_or_were(names: Sequence[object]) -> str:
    return "was" if len(names) == 1 else "were"


def written(error: float) -> str:
    """An error with two digits that count."""
    return f"{error:.2f}" if error >= 0.0995 else f"{error:.2g}"


def probability(p: float) -> str:
    """A p-value with the digits that count: ``0.02``, ``8e-14``, ``below 1e-16``."""
    if p < 1e-16:
        return "below 1e-16"
    return f"{p:.2g}" if p >= 0.001 else f"{p:.1g}".replace("e-0", "e-")
