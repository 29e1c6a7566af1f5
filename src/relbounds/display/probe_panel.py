"""How relevant do permuted features look? Their distribution, below the features themselves."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection

from relbounds.arrays import FloatArray, IntArray
from relbounds.display.bars import draw_bars
from relbounds.display.legends import Key, probe_keys
from relbounds.display.looks import LOOKS, PROBES, Look, ink
from relbounds.display.scales import draw_limit, set_reach, tidy
from relbounds.display.sheet import Space
from relbounds.result import Findings

_BINS = 24
_GROUND, _TALLEST = 4.2, 1.4  # where the histogram stands and how high it is, in rows
_SPREAD = 0.18  # between features of one class that stand close together, in rows
_CLOSE = 0.02  # of the axis


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
        ax, probes, maxrel = space.ax, side.probe_intervals[:, 1], side.intervals[:, 1]
        limit = [] if side.thresholds is None else [side.thresholds.maxrel]
        set_reach(ax, [*maxrel, *probes, *limit])
        for lane, (relevance, look) in enumerate(LOOKS.items()):
            _draw_lane(space, lane, look, maxrel[side.relevance == relevance], ax.get_xlim()[1])
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
