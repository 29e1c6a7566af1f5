"""What is there to know of a column as it came? Its gaps, and its range or its levels."""

from relbounds.results.columns import ColumnFacts
from relbounds.wording.text import counted, listed

_MOST_LEVELS = 12
"""Of more levels a sentence names only the most frequent."""


def of_column(facts: ColumnFacts) -> str:
    """``From 18 to 60, half of the values up to 36. No gaps.``"""
    return " ".join(filter(None, [_values(facts), _gaps(facts)]))


def _values(facts: ColumnFacts) -> str:
    if facts.levels:
        return f"{counted(len(facts.levels), 'value')}: {_levels(facts)}."
    if facts.least is None or facts.middle is None or facts.most is None:
        return ""
    unit = " days after the earliest date" if facts.kind == "date" else ""
    least, middle, most = (_number(each) for each in (facts.least, facts.middle, facts.most))
    return f"From {least} to {most}{unit}, half of the values up to {middle}."


def _number(value: float) -> str:
    """With the digits that count: ``1,043``, ``0.25``, ``1.5e+09``."""
    is_whole = value == int(value) and abs(value) < 1e9
    return f"{int(value):,}" if is_whole else f"{value:.4g}"


def _levels(facts: ColumnFacts) -> str:
    named = [
        f"{level} {count:,}{' (compared with)' if level == facts.reference else ''}"
        for level, count in zip(facts.levels, facts.counts, strict=True)
    ]
    return listed(named, _MOST_LEVELS)


def _gaps(facts: ColumnFacts) -> str:
    return f"{counted(facts.n_missing, 'gap')}." if facts.n_missing else "No gaps."
