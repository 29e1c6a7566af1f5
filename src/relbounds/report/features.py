"""What is shown of the features of one side? The rows of a table that is a picture too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from relbounds.results.findings import Findings, arranged
from relbounds.results.records import RESOLUTION, Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import NOT_ASKED, marks
from relbounds.wording.relevance import about, direction

_MOST_TICKS = 5  # beside zero
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.5)  # of the next power of ten; the last for rounding
_THINNEST = 0.5  # percent of the axis: a bar that can be seen
_VISIBLE = 1e-3  # of the norm: a difference that can be seen
_AT_LEAST = "\N{GREATER-THAN OR EQUAL TO} "
_AT_MOST = "\N{LESS-THAN OR EQUAL TO} "
_OF_CLASSES = ["needed_for"]  # what a table of classes says
_DIRECTIONS = {
    1: "\N{UPWARDS ARROW} up",
    -1: "\N{DOWNWARDS ARROW} down",
    0: "open",
}


@dataclass(frozen=True)
class Axis:
    """From 0 to ``end``, a share of the best model's norm."""

    end: float

    @classmethod
    def of(cls, *sides: Findings) -> Self:
        """An axis that holds all intervals, all probes and the thresholds."""
        values = [0.0]
        for side in sides:
            values += [side.drawn_intervals.max(initial=0.0), side.probe_intervals.max(initial=0.0)]
            if side.thresholds is not None:
                values += [side.thresholds.minrel, side.thresholds.maxrel]
                values += side.chance[np.isfinite(side.chance)].tolist()
        return cls(1.03 * float(max(values)) or 1.0)

    def place(self, value: float) -> float:
        """The position of a value, in percent of the axis's length."""
        return round(100 * float(value) / self.end, 2)

    @property
    def ticks(self) -> list[dict[str, Any]]:
        power = 10.0 ** np.ceil(np.log10(self.end))
        step = next(each * power for each in _STEPS if self.end / (each * power) <= _MOST_TICKS)
        values = np.arange(0, self.end, step)
        return [
            {"place": self.place(value), "label": f"{100 * value:g} %", "anchor": _anchor(share)}
            for value, share in zip(values, values / self.end, strict=True)
        ]

    @property
    def decimals(self) -> int:
        """How many decimals of a percentage tell the axis's values apart."""
        return max(1, 1 - int(np.ceil(np.log10(self.end))))

    def written(self, value: float) -> str:
        """A value as a percentage, in a column of others."""
        if abs(value) <= RESOLUTION:
            return "0 %"
        text = f"{100 * value:.{self.decimals}f}"
        return f"{text} %" if float(text) else f"< {10.0**-self.decimals:.{self.decimals}f} %"


def _anchor(share: float) -> str:
    """Which part of a tick's label stands at the tick, so that labels stay on the axis."""
    return "start" if share < 0.02 else "end" if share > 0.94 else "middle"


@dataclass(frozen=True, eq=False)
class Levels:
    """What columns that count as one consist of.

    Attributes
    ----------
    side : Findings
        What was found of the features that they consist of.
    of : mapping of names to names
        The features of each column; those that are one by themselves are not there.
    """

    side: Findings
    of: Mapping[str, Sequence[str]] = field(default_factory=dict)


def side_view(
    result: RelevanceResult,
    side: Findings,
    made_from: Mapping[str, str] | None = None,
    most_rows: int | None = None,
    levels: Levels | None = None,
) -> dict[str, Any]:
    """All that the table of one side shows, as plain values; rows by relevance."""
    levels = levels or Levels(side)
    axis = Axis.of(side, levels.side)
    rows = _rows(result, side, axis, made_from, most_rows)
    below = {name: row for row in _level_rows(result, levels, axis) for name in [row["name"]]}
    for row in rows:
        row["levels"] = [below[name] for name in levels.of.get(row["name"], ())]
    return {
        "rows": rows,
        "left_out": len(side.feature_names) - len(rows),
        "ticks": axis.ticks,
        "chance": chance(side, axis),
        "has_one_line": has_one_line(levels.side),
        "classes": class_rows(levels.side, axis, made_from),
        "counts": {
            each.name.lower(): int((side.relevance == each).sum()) for each in reversed(Relevance)
        },
    }


def chance(side: Findings, axis: Axis, position: int | None = None) -> dict[str, Any]:
    """What chance may reach, usually or in the place of one feature; of the least, if anything.

    Nothing of columns that count as one, whose chance is not known.
    """
    if side.thresholds is None or (position is not None and np.isnan(side.chance[position])):
        return {}
    most = side.thresholds.maxrel if position is None else side.chance[position]
    return {
        name: {"place": axis.place(value), "text": axis.written(value)}
        for name, value in {"most": most, "least": side.thresholds.minrel}.items()
        if name == "most" or value > RESOLUTION
    }


def has_one_line(side: Findings) -> bool:
    """Whether chance reaches as far in the place of any feature."""
    known = side.chance[np.isfinite(side.chance)]
    return not len(known) or bool(np.ptp(known) <= RESOLUTION)


def _rows(
    result: RelevanceResult,
    side: Findings,
    axis: Axis,
    made_from: Mapping[str, str] | None,
    most_rows: int | None,
) -> list[dict[str, Any]]:
    exact = _exact(result, side)
    given = {int(k): number for number, k in enumerate(arranged(side, "given", made_from), start=1)}
    return [
        _row(result, side, k, axis)
        | {
            "rank": rank,
            "given": given[k],
            "exact": exact[k],
            "made_from": (made_from or {}).get(side.feature_names[k], ""),
        }
        for rank, k in enumerate(arranged(side, "relevance", made_from)[:most_rows].tolist())
    ]


def _level_rows(result: RelevanceResult, levels: Levels, axis: Axis) -> list[dict[str, Any]]:
    """The features of columns that count as one."""
    wanted = {name for names in levels.of.values() for name in names}
    exact = _exact(result, levels.side) if wanted else []
    return [
        _row(result, levels.side, k, axis) | {"exact": exact[k]}
        for k, name in enumerate(levels.side.feature_names)
        if name in wanted
    ]


def _row(result: RelevanceResult, side: Findings, k: int, axis: Axis) -> dict[str, Any]:
    least, most = side.intervals[k]
    start, end = (axis.place(each) for each in side.drawn_intervals[k])
    is_whole = np.isnan(side.chance[k])
    return {
        "name": side.feature_names[k],
        "relevance": Relevance(side.relevance[k]).name.lower(),
        "marks": marks(side, k),
        "saying": f"{about(side, k, result.data.constant_features)} "
        f"{direction(result, side, k)}".strip(),
        "chance": chance(side, axis, k),
        "start": start,
        "width": round(max(end - start, _THINNEST), 2),
        "least": axis.written(least),
        "most": f"{_sign(side, k)}{axis.written(most)}",
        "direction": NOT_ASKED if is_whole else _DIRECTIONS[int(side.signs[k])],
    }


def _sign(side: Findings, k: int) -> str:
    """Before the most of a feature, where it is at most that, or at least.

    The latter of a column that counts as one, if it may be larger than what was found.
    """
    if side.is_bounded[k]:
        return _AT_MOST
    is_whole = np.isnan(side.chance[k])
    return _AT_LEAST if is_whole and side.gaps[k, 0, 1] > _VISIBLE * side.norm else ""


def class_rows(
    side: Findings, axis: Axis, made_from: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """What each relevant feature weighs in telling each class from the rest, if classes have that.

    The most relevant feature first.
    """
    if not side.classes:
        return []
    relevant = [k for k in arranged(side, "relevance", made_from).tolist() if side.relevance[k]]
    return [
        {
            "name": side.feature_names[k],
            "cells": [
                {
                    "class": name,
                    "least": axis.written(side.intervals_of_classes[k, place, 0]),
                    "most": axis.written(side.intervals_of_classes[k, place, 1]),
                    "direction": _DIRECTIONS[int(side.signs_of_classes[k, place])],
                    "needed": bool(side.needed_of_classes[k, place]),
                }
                for place, name in enumerate(side.classes)
            ],
        }
        for k in relevant
    ]


def exact_columns(result: RelevanceResult) -> list[str]:
    """The names of the values in a row's ``exact``, the feature's own name first."""
    frame = result.to_frame()
    return [str(frame.index.name), *frame.columns.drop(_OF_CLASSES, errors="ignore")]


def _exact(result: RelevanceResult, side: Findings) -> list[str]:
    """For each feature the values of ``to_frame``, as a line of a CSV file without quotes."""
    numbers = side.to_frame().assign(bounded=side.is_bounded)[exact_columns(result)[1:]]
    text: str = numbers.to_csv(index=False, header=False, float_format="%.9g", lineterminator="\n")
    return text.splitlines()
