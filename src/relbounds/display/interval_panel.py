"""How little and how much may each feature weigh? A bar for each, and what chance may reach."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.collections import PolyCollection

from relbounds.arrangement import arranged
from relbounds.arrays import FloatArray, IntArray
from relbounds.display.bars import draw_bars
from relbounds.display.legends import Key, interval_keys
from relbounds.display.looks import FAINT, LOOKS, Look, ink
from relbounds.display.names import bracket_groups, write_names
from relbounds.display.scales import draw_limit, limits, set_reach, tidy
from relbounds.display.sheet import Space
from relbounds.result import Findings

_THICKNESS, _THICKEST = 0.42, 10.0  # of a bar, in rows and in points
_HIGHEST_ROW, _LOWEST_ROW = 23.0, 10.0  # points
_FEWEST = 4  # rows
AXIS = "least to most |weight| over all good models"


def comfortable_row(rows: float) -> float:
    """How high a row should be, in points: many stand closer together."""
    return float(np.clip(_HIGHEST_ROW * (20 / rows) ** 0.5, _LOWEST_ROW, _HIGHEST_ROW))


@dataclass(frozen=True)
class IntervalPanels:
    """A bar for each feature, in this order, with signs or without."""

    sort: str
    signed: bool
    groups: Mapping[str, str] | None

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
        order = arranged(side, self.sort, self.groups)
        ranges = (_signed_ranges(side) if self.signed else side.intervals)[order]
        names = [side.feature_names[feature] for feature in order]
        bars = [
            draw_class(space, np.flatnonzero(side.relevance[order] == relevance), ranges, look)
            for relevance, look in LOOKS.items()
        ]
        _set_scales(space, side, ranges, signed=self.signed)
        bracket_groups(space.ax, names, self.groups)
        write_names(space.ax, names, space.row)
        return bars


def _signed_ranges(side: Findings) -> FloatArray:
    ranges: FloatArray = side.hulls / (np.inf if side.thresholds is None else side.norm)
    return ranges


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


def _set_scales(space: Space, side: Findings, ranges: FloatArray, *, signed: bool) -> None:
    ax, reach = space.ax, ranges.ravel().tolist()
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
