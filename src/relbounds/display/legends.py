"""What do bars, markers and lines stand for? One legend, above everything that is drawn."""

from collections.abc import Sequence
from typing import Any

from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import ScaledTranslation

from relbounds.decision import Relevance
from relbounds.display.looks import LIMITS, LOOKS, PROBES, ink
from relbounds.display.scales import limits
from relbounds.display.sheet import Space
from relbounds.result import Findings

Key = tuple[str, Any]
"""A label, and what it explains."""

_MEANINGS = {
    Relevance.STRONG: "every good model needs it",
    Relevance.WEAK: "others can stand in",
    Relevance.IRRELEVANT: "no more than chance",
}
_WIDE = 4.8  # inches, of axes above which two columns find room
_LINE = 22 / 72  # inches that a title takes, or an axis at the top


def interval_keys(sides: Sequence[Findings]) -> list[Key]:
    """The classes, counted if there is one panel only, and the thresholds."""
    counts: list[int | None] = [None, None, None]
    if len(sides) == 1:
        counts = [int((sides[0].relevance == each).sum()) for each in _MEANINGS]
    keys = [class_key(*each) for each in zip(_MEANINGS, counts, strict=True)]
    drawn = {which for side in sides for which in limits(side)}
    return keys + [limit_key(which) for which in LIMITS if which in drawn]


def probe_keys(sides: Sequence[Findings]) -> list[Key]:
    """The probes, and what chance may reach."""
    probes = ("probes: permuted, meaningless columns", Patch(**PROBES))
    return [probes] if sides[0].thresholds is None else [probes, limit_key("maxrel")]


def class_key(relevance: Relevance, count: int | None = None) -> Key:
    """What a class means, and how many features are of it if that is told."""
    counted = "" if count is None else f" ({count})"
    return f"{LOOKS[relevance].name}{counted}: {_MEANINGS[relevance]}", _swatch(relevance)


def _swatch(relevance: Relevance) -> tuple[Patch, Line2D]:
    """A piece of bar, and the marker at its end."""
    look = LOOKS[relevance]
    marker = Line2D(
        [],
        [],
        linestyle="none",
        marker=look.marker,
        markersize=7 * look.size,
        markerfacecolor=look.marker_face,
        markeredgecolor=look.marker_edge,
    )
    return Patch(**look.of_bars()), marker


def limit_key(which: str) -> Key:
    """The line at a threshold."""
    line = Line2D([], [], color=ink(), linewidth=1.2, linestyle=LIMITS[which])
    return f"limit of chance ({which})", line


def on_figure(spaces: Sequence[Space], keys: Sequence[Key]) -> Legend:
    """Above all panels of a new figure, which makes room for it."""
    figure: Any = spaces[0].ax.figure
    legend: Legend = figure.legend(
        loc="outside upper left", ncols=2 if len(spaces) == 1 else 4, **_style(keys)
    )
    return legend


def on_axes(spaces: Sequence[Space], keys: Sequence[Key]) -> Legend:
    """Above the first panel, its title and its upper axis."""
    ax = spaces[0].ax
    lines = bool(ax.get_title(loc="left")) + spaces[0].is_tall
    figure: Any = ax.figure
    above = ScaledTranslation(0, _LINE * lines, figure.dpi_scale_trans)
    return ax.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1),
        bbox_transform=ax.transAxes + above,
        ncols=2 if ax.bbox.width > _WIDE * figure.dpi else 1,
        **_style(keys),
    )


def _style(keys: Sequence[Key]) -> dict[str, Any]:
    return {
        "handles": [key for _, key in keys],
        "labels": [label for label, _ in keys],
        "handler_map": {tuple: HandlerTuple(ndivide=None, pad=0)},
        "handlelength": 2.4,
        "columnspacing": 1.4,
        "handletextpad": 0.6,
        "borderaxespad": 0.2,
        "fontsize": "small",
        "frameon": False,
    }
