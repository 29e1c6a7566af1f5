"""How do panels become a picture? Titles, labels, one legend, and a note if nothing was learned."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Protocol

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.legend import Legend

from relbounds.display import legends, sheet
from relbounds.display.looks import LOOKS, ink
from relbounds.result import Findings, RelevanceResult


class Kind(Protocol):
    """A kind of picture, drawn panel by panel."""

    @property
    def axis(self) -> str:
        """What the horizontal axis measures."""

    def rows(self, side: Findings) -> float:
        """How many rows a side takes."""

    def comfortable_row(self, rows: float) -> float:
        """How high a row should be, in points, if there are so many."""

    def draw(self, space: sheet.Space, side: Findings) -> list[PolyCollection]:
        """Draw one side, and return its bars."""

    def keys(self, sides: Sequence[Findings]) -> list[legends.Key]:
        """What the legend explains."""


@dataclass(frozen=True)
class Picture:
    """What was drawn."""

    axes: list[Axes]
    bars: list[PolyCollection]
    legend: Legend


def draw(kind: Kind, result: RelevanceResult, ax: Any) -> Picture:
    """Regular features, and privileged ones beside them, on these axes or in a new figure."""
    sides = [result] if result.privileged is None else [result, result.privileged]
    rows = [kind.rows(side) for side in sides]
    new = ax is None
    spaces = sheet.new(rows, kind.comfortable_row(max(rows))) if new else sheet.given(ax, rows)
    bars = [
        bar for space, side in zip(spaces, sides, strict=False) for bar in kind.draw(space, side)
    ]
    axes = [space.ax for space in spaces]
    for panel in axes:
        name_axis(panel, kind.axis)
    if len(axes) > 1:
        _write_titles(axes, sides)
    if result.is_degenerate:
        write_note(axes[0], result.why_degenerate)
    keys = kind.keys(sides[: len(axes)])
    legend = legends.on_figure(spaces, keys) if new else legends.on_axes(spaces, keys)
    return Picture(axes, bars, legend)


def name_axis(ax: Axes, measured: str) -> None:
    """What a horizontal axis of weights measures."""
    ax.set_xlabel(f"{measured} (1: norm of the best)", fontsize="small")


def _write_titles(axes: Sequence[Axes], sides: Sequence[Findings]) -> None:
    for panel, side, name in zip(axes, sides, ("regular", "privileged"), strict=True):
        counts = [f"{(side.relevance == each).sum()} {look.name}" for each, look in LOOKS.items()]
        panel.set_title(f"{name} features: {', '.join(counts)}", loc="left", fontsize="medium")


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
