"""How does each class of relevance look? Told apart in grey and by colour-blind readers too."""

from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl

from relbounds.decision import Relevance

LARGEST_MARKER = 12.0  # points


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

PROBES: dict[str, Any] = {"facecolor": "#9A9A9A", "edgecolor": "#5A5A5A", "linewidth": 0.5}

FAINT: dict[str, Any] = {"color": "#888888", "alpha": 0.2, "linewidth": 0.6}
"""Lines that lead the eye."""

LIMITS: dict[str, Literal["--", ":"]] = {"maxrel": "--", "minrel": ":"}
"""How the thresholds are drawn."""


def ink() -> Any:
    """The colour of lines and notes, which suits dark styles too."""
    return mpl.rcParams["text.color"]
