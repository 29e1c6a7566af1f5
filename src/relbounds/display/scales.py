"""How far does an axis reach, and how far does chance?"""

from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from relbounds.display.looks import FAINT, LARGEST_MARKER, LIMITS, ink
from relbounds.result import Findings

_ROOM = 0.04  # of the axis, beyond what is drawn


def limits(side: Findings) -> dict[str, float]:
    """The thresholds by name; one of zero for minrel says nothing that the axis does not."""
    if side.thresholds is None:
        return {}
    maxrel, minrel = side.thresholds.maxrel, side.thresholds.minrel
    return {"maxrel": maxrel} | ({"minrel": minrel} if minrel > 0 else {})


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
