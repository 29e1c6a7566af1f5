"""How do things look? Colours and shapes, reach of an axis, many bars as one artist."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from relbounds.results.findings import Findings
from relbounds.results.records import RESOLUTION, Relevance

LARGEST_MARKER = 12.0  # points
PROBES: dict[str, Any] = {"facecolor": "#9A9A9A", "edgecolor": "#5A5A5A", "linewidth": 0.5}
FAINT: dict[str, Any] = {"color": "#888888", "alpha": 0.2, "linewidth": 0.6}
"""Lines that lead the eye."""
LIMITS: dict[str, Literal["--", ":"]] = {"maxrel": "--", "minrel": ":"}
"""How the thresholds are drawn."""
NEEDED: dict[str, Any] = {"marker": "P", "markeredgewidth": 0.0}
"""What marks a feature that is needed: a plus, in ink."""
_ROOM = 0.04  # of the axis, beyond what is drawn
_STROKE = 0.38  # half of a mark's height, in rows
Edges = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Look:
    """Colours whose greys are far apart, a hatch of the bar, and a marker at its far end."""

    name: str
    face: str
    edge: str
    hatch: str
    marker: str
    marker_face: str
    marker_edge: str
    size: float
    """Of the marker, so that all look equally large; a white edge takes a part of it."""

    def of_bars(self, row: float = 20.0) -> dict[str, Any]:
        """In rows of this height, in points: edges must not hide a thin bar."""
        return {
            "facecolor": self.face,
            "edgecolor": self.edge,
            "hatch": self.hatch,
            "linewidth": min(0.7, 0.07 * row),
            "label": self.name,
        }

    def of_markers(self, size: float) -> dict[str, Any]:
        """At most of this size, in points."""
        return {
            "s": (self.size * min(size, LARGEST_MARKER)) ** 2,
            "marker": self.marker,
            "facecolor": self.marker_face,
            "edgecolor": self.marker_edge,
            "linewidth": min(0.9, 0.15 * size),
        }


LOOKS = {
    Relevance.STRONG: Look("strong", "#0B5394", "#06305A", "", "s", "#0B5394", "#FFFFFF", 1.1),
    Relevance.WEAK: Look("weak", "#F2B134", "#8A5A00", "///", "D", "#F2B134", "#8A5A00", 0.8),
    Relevance.IRRELEVANT: Look(
        "irrelevant", "#F0F0F0", "#777777", "", "o", "#FFFFFF", "#777777", 0.95
    ),
}
"""Of each class, the most important first."""


def ink() -> Any:
    """The colour of lines and notes, which suits dark styles too."""
    return mpl.rcParams["text.color"]


def limits(side: Findings) -> dict[str, float]:
    """Lines for all features, by name; one of zero for minrel says nothing that the axis does not.

    Chance has one for maxrel where it reaches as far in the place of every feature.
    """
    if side.thresholds is None:
        return {}
    maxrel, minrel = side.thresholds.maxrel, side.thresholds.minrel
    shared = {} if has_own_limits(side) else {"maxrel": maxrel}
    return shared | ({"minrel": minrel} if minrel > 0 else {})


def has_own_limits(side: Findings) -> bool:
    """Whether chance reaches further in the place of some features, or nobody knows how far."""
    return side.thresholds is not None and not np.ptp(side.chance) <= RESOLUTION


def draw_limit(ax: Axes, which: str, places: Iterable[float]) -> None:
    """A line for each place where chance may reach, with a rim that shows it on dark bars."""
    for place in places:
        ax.axvline(
            place,
            color=ink(),
            linestyle=LIMITS[which],
            linewidth=1.2,
            zorder=3,
            label=which,
            path_effects=[withStroke(linewidth=2.8, foreground=ax.get_facecolor())],
        )


def draw_own_limits(ax: Axes, places: Edges) -> None:
    """A stroke across each row where chance ends for its feature, with the same rim."""
    ends = [
        [(place, row - _STROKE), (place, row + _STROKE)]
        for row, place in enumerate(places.tolist())
    ]
    strokes = LineCollection(ends, colors=ink(), linewidths=1.6, zorder=3, label="chance")
    strokes.set_path_effects([withStroke(linewidth=3.2, foreground=ax.get_facecolor())])
    ax.add_collection(strokes, autolim=False)


def set_reach(ax: Axes, values: Iterable[float]) -> None:
    """An axis of all these values and zero, with a little room at ends other than zero."""
    low, high = min(0.0, *values), max(0.0, *values)
    if low == high:
        high = 1.0
    room = _ROOM * (high - low)
    ax.set_xlim(low - room if low < 0 else 0.0, high + room)


def tidy(ax: Axes) -> None:
    """No frame, and faint lines up from the axis."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(axis="y", length=0, pad=LARGEST_MARKER / 2 + 2)
    ax.grid(axis="x", **FAINT)
    ax.set_axisbelow(True)


def draw_bars(
    ax: Axes, left: Edges, right: Edges, top: Edges, bottom: Edges, **look: Any
) -> PolyCollection:
    """A bar for each four edges."""
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    bars = PolyCollection(list(np.moveaxis(corners, -1, 0)), zorder=2, **look)
    ax.add_collection(bars, autolim=False)
    return bars
