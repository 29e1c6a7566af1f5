"""How do intervals and probes become a picture?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.legend import Legend
from matplotlib.transforms import ScaledTranslation

from relbounds.arrays import FloatArray, IntArray
from relbounds.display import layout
from relbounds.display.layout import (
    Key,
    Space,
    bracket_origins,
    interval_keys,
    probe_keys,
    write_names,
)
from relbounds.display.style import (
    FAINT,
    LOOKS,
    NEEDED,
    PROBES,
    Look,
    draw_bars,
    draw_limit,
    draw_own_limits,
    has_own_limits,
    ink,
    limits,
    set_reach,
    tidy,
)
from relbounds.results.findings import Findings, arranged
from relbounds.results.result import RelevanceResult

_THICKNESS, _THICKEST = 0.42, 10.0  # of a bar, in rows and in points
_HIGHEST_ROW, _LOWEST_ROW = 23.0, 10.0  # points
_FEWEST = 4  # rows
_LARGEST_PLUS = 7.0  # points
AXIS = "least to most |weight| over all good models"
_BINS = 24
_GROUND, _TALLEST = 4.2, 1.4  # where the histogram stands and how high it is, in rows
_SPREAD = 0.18  # between features of one class that stand close together, in rows
_CLOSE = 0.02  # of the axis


class Panels(Protocol):
    """A kind of picture, drawn panel by panel."""

    @property
    def axis(self) -> str:
        """What the horizontal axis measures."""

    def rows(self, side: Findings) -> float:
        """How many rows a side takes."""

    def comfortable_row(self, rows: float) -> float:
        """How high a row should be, in points, if there are so many."""

    def draw(self, space: layout.Space, side: Findings) -> list[PolyCollection]:
        """Draw one side, and return its bars."""

    def keys(self, sides: Sequence[Findings]) -> list[layout.Key]:
        """What the legend explains."""


@dataclass(frozen=True)
class Picture:
    """What was drawn."""

    axes: list[Axes]
    bars: list[PolyCollection]
    legend: Legend


def draw(panels: Panels, result: RelevanceResult, ax: Any) -> Picture:
    """Regular features, and privileged ones beside them, on these axes or in a new figure."""
    sides = result.sides
    rows = [panels.rows(side) for side in sides]
    new = ax is None
    spaces = layout.new(rows, panels.comfortable_row(max(rows))) if new else layout.given(ax, rows)
    bars = [
        bar for space, side in zip(spaces, sides, strict=False) for bar in panels.draw(space, side)
    ]
    axes = [space.ax for space in spaces]
    for panel in axes:
        name_axis(panel, panels.axis)
    if len(axes) > 1:
        _write_titles(axes, sides)
    if result.is_degenerate:
        write_note(axes[0], result.why_degenerate)
    keys = panels.keys(sides[: len(axes)])
    legend = layout.on_figure(spaces, keys) if new else layout.on_axes(spaces, keys)
    return Picture(axes, bars, legend)


def name_axis(ax: Axes, measured: str) -> None:
    """What a horizontal axis of weights measures."""
    ax.set_xlabel(f"{measured} (1: norm of the best)", fontsize="small")


def _write_titles(axes: Sequence[Axes], sides: Sequence[Findings]) -> None:
    for panel, side in zip(axes, sides, strict=True):
        counts = [f"{(side.relevance == each).sum()} {look.name}" for each, look in LOOKS.items()]
        panel.set_title(f"{side.side} features: {', '.join(counts)}", loc="left", fontsize="medium")


def write_note(ax: Axes, sentence: str) -> None:
    """A sentence instead of what there is not to be seen."""
    ax.text(
        0.5,
        0.5,
        fill(sentence, 56),
        transform=ax.transAxes,
        ha="center",
        va="center",
        fontsize="small",
        parse_math=False,
        bbox={"facecolor": ax.get_facecolor(), "edgecolor": ink(), "boxstyle": "round,pad=0.6"},
        zorder=5,
    )


def comfortable_row(rows: float) -> float:
    """How high a row should be, in points: many stand closer together."""
    return float(np.clip(_HIGHEST_ROW * (20 / rows) ** 0.5, _LOWEST_ROW, _HIGHEST_ROW))


@dataclass(frozen=True)
class IntervalPanels:
    """A bar for each feature, in this order, with signs or without."""

    sort: str
    signed: bool
    made_from: Mapping[str, str] | None

    @property
    def axis(self) -> str:
        """What the horizontal axis measures."""
        if self.signed:
            return "weight over all good models"
        return AXIS

    def rows(self, side: Findings) -> float:
        """One for each feature, and room for a note where there are few."""
        return max(len(side.feature_names), _FEWEST)

    def comfortable_row(self, rows: float) -> float:
        """Many stand closer together."""
        return comfortable_row(rows)

    def keys(self, sides: Sequence[Findings]) -> list[Key]:
        """Classes and thresholds."""
        return interval_keys(sides)

    def draw(self, space: Space, side: Findings) -> list[PolyCollection]:
        """The features of one side; returns the bars of each class."""
        order = arranged(side, self.sort, self.made_from)
        ranges = (_signed_ranges(side) if self.signed else side.drawn_intervals)[order]
        names = [side.feature_names[feature] for feature in order]
        bars = [
            draw_class(space, np.flatnonzero(side.relevance[order] == relevance), ranges, look)
            for relevance, look in LOOKS.items()
        ]
        _set_scales(space, side, ranges, side.chance[order], signed=self.signed)
        _mark_needed(space, np.flatnonzero(side.needed[order]), ranges)
        bracket_origins(space.ax, names, self.made_from)
        write_names(space.ax, names, space.row)
        return bars


def _signed_ranges(side: Findings) -> FloatArray:
    ranges: FloatArray = side.hulls / (np.inf if side.thresholds is None else side.norm)
    return np.where(side.is_bounded[:, None], 0.0, ranges)


def draw_class(space: Space, rows: IntArray, ranges: FloatArray, look: Look) -> PolyCollection:
    """Bars of the features in these rows, and markers at the ends further from zero."""
    low, high = ranges[rows].T
    half = min(_THICKNESS, _THICKEST / space.row) / 2
    bars = draw_bars(space.ax, low, high, rows - half, rows + half, **look.of_bars(space.row))
    ends = np.where(np.abs(high) >= np.abs(low), high, low)
    space.ax.scatter(
        ends,
        rows,
        label=f"ends of {look.name}",
        zorder=4,
        clip_on=False,
        **look.of_markers(0.65 * space.row),
    )
    return bars


def _mark_needed(space: Space, rows: IntArray, ranges: FloatArray) -> None:
    """A plus beyond the far end of each bar whose feature is proved to add to all others."""
    low, high = ranges[rows].T
    is_right = np.abs(high) >= np.abs(low)
    size = min(0.45 * space.row, _LARGEST_PLUS)
    figure: Any = space.ax.figure
    for side, chosen in ((1, is_right), (-1, ~is_right)):
        if chosen.any():
            beyond = ScaledTranslation(side * 1.5 * size / 72, 0, figure.dpi_scale_trans)
            space.ax.scatter(
                np.where(is_right, high, low)[chosen],
                rows[chosen],
                s=size**2,
                color=ink(),
                marker=NEEDED["marker"],
                linewidth=0,
                transform=space.ax.transData + beyond,
                zorder=5,
                clip_on=False,
                label="needed",
            )


def _set_scales(
    space: Space, side: Findings, ranges: FloatArray, chance: FloatArray, *, signed: bool
) -> None:
    ax, reach = space.ax, ranges.ravel().tolist()
    if has_own_limits(side):
        for sign in (1, -1) if signed else (1,):
            draw_own_limits(ax, sign * chance)
            reach += (sign * chance[np.isfinite(chance)]).tolist()
    for which, limit in limits(side).items():
        places = [limit, -limit] if signed else [limit]
        draw_limit(ax, which, places)
        reach += places
    if signed:
        ax.axvline(0, color=ink(), linewidth=0.8, zorder=1, label="zero")
    set_reach(ax, reach)
    across = ax.get_yaxis_transform()
    ax.hlines(range(len(ranges)), 0, 1, transform=across, zorder=0.5, label="leaders", **FAINT)
    ax.set_ylim(space.rows - 0.5, -0.5)  # the first feature is on top
    tidy(ax)
    if space.is_tall:
        ax.tick_params(axis="x", top=True, labeltop=True)


class ProbePanels:
    """A row for each class of features, and two for the probes."""

    axis = "maxrel: most |weight| over all good models"

    def rows(self, side: Findings) -> float:
        """The same for any number of features."""
        return 5

    def comfortable_row(self, rows: float) -> float:
        """In points."""
        return 40

    def keys(self, sides: Sequence[Findings]) -> list[Key]:
        """Probes and threshold; the classes are named beside their rows."""
        return probe_keys(sides)

    def draw(self, space: Space, side: Findings) -> list[PolyCollection]:
        """The probes and features of one side; returns the histogram's bars."""
        ax, probes, maxrel = space.ax, side.probe_intervals[:, 1], side.drawn_intervals[:, 1]
        limit = [] if side.thresholds is None else [side.thresholds.maxrel]
        set_reach(ax, [*maxrel, *probes, *limit])
        for lane, (relevance, look) in enumerate(LOOKS.items()):
            _draw_lane(
                space,
                lane,
                look,
                maxrel[(side.relevance == relevance) & ~side.is_bounded],
                ax.get_xlim()[1],
            )
        bars = _draw_histogram(ax, probes, max([*probes, *limit], default=0.0))
        draw_limit(ax, "maxrel", limit)
        ax.set_ylim(space.rows - 0.5, -0.5)
        ax.set_yticks([0, 1, 2, _GROUND - _TALLEST / 2], _lanes(side))
        tidy(ax)
        return [bars]


def _lanes(side: Findings) -> list[str]:
    """What stands in each row, and how many."""
    counts = [f"{each.name.lower()} ({(side.relevance == each).sum()})" for each in LOOKS]
    return [*counts, f"probes ({len(side.probe_intervals)})"]


def _draw_lane(space: Space, lane: int, look: Look, maxrel: FloatArray, width: float) -> None:
    places = np.sort(maxrel)
    space.ax.scatter(
        places,
        lane + _SPREAD * levels(places, _CLOSE * width),
        label=look.name,
        zorder=4,
        clip_on=False,
        **look.of_markers(0.2 * space.row * min(1.0, (40 / max(1, len(places))) ** 0.3)),
    )


def levels(places: FloatArray, close: float) -> IntArray:
    """Heights at which ascending places do not hide each other, the middle one preferred.

    >>> levels(np.array([0.1, 0.11, 0.12, 0.5]), close=0.05).tolist()
    [0, 1, -1, 0]
    """
    last = dict.fromkeys((0, 1, -1, 2, -2), -np.inf)
    chosen = []
    for place in places.tolist():
        free = [level for level, taken in last.items() if place - taken >= close]
        level = free[0] if free else min(last, key=lambda each: last[each])
        last[level] = place
        chosen.append(level)
    return np.array(chosen, dtype=int)


def _draw_histogram(ax: Axes, probes: FloatArray, reach: float) -> PolyCollection:
    """Bars, and below them a stroke for each probe."""
    counts, edges = np.histogram(probes, _BINS, range=(0.0, reach or 1.0))
    tops = _GROUND - _TALLEST * counts / max(1, counts.max())
    left, right = edges[:-1], edges[1:]
    seen = counts > 0
    bars = draw_bars(
        ax, left[seen], right[seen], tops[seen], np.full(seen.sum(), _GROUND), **PROBES
    )
    strokes = [[(value, _GROUND + 0.06), (value, _GROUND + 0.22)] for value in probes]
    ax.add_collection(
        LineCollection(strokes, colors=ink(), linewidths=0.7, alpha=0.6, label="probes"),
        autolim=False,
    )
    return bars
