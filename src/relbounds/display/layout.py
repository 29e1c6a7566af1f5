"""Where is what? Sheets, names beside bars, and what marks stand for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.font_manager import FontProperties
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import Affine2D, ScaledTranslation, Transform, blended_transform_factory

from relbounds.display.style import (
    LIMITS,
    LOOKS,
    NEEDED,
    PROBES,
    has_own_limits,
    ink,
    limits,
)
from relbounds.results.findings import Findings
from relbounds.results.records import Relevance

_POINTS = 72  # an inch
_AROUND = 1.1  # inches that the legend, titles and the axis take
_BELOW = 0.5  # inches that the axis and its label take
_HIGHEST = 200.0  # inches: more than matplotlib can save at a high resolution
_TALL = 720.0  # points
_WIDTHS = {1: 7.5, 2: 11.0}
_SIDES = "an Axes of matplotlib, or two of them for regular and privileged features"
_LENGTHS = (32, 48, 64)  # the first that tells all names apart, or the last
_SMALLEST = 4.5  # points
_LEADING = 1.35  # height of a line of text, in sizes of its font
_BRACKET = (-11.0, -7.5)  # points from the axis, between it and the names
Key = tuple[str, Any]
"""A label, and what it explains."""
_MEANINGS = {
    Relevance.STRONG: "indispensable",
    Relevance.WEAK: "of use, but not indispensable",
    Relevance.IRRELEVANT: "of no use beyond chance",
}
_WIDE = 4.8  # inches, of axes above which two columns find room
_LINE = 22 / 72  # inches that a title takes, or an axis at the top


@dataclass(frozen=True)
class Space:
    """Axes, how many rows they have room for, and how high a row is, in points."""

    ax: Axes
    rows: float
    row: float

    @property
    def is_tall(self) -> bool:
        """Whether the horizontal axis should stand at the top as well."""
        return self.rows * self.row > _TALL


def given(ax: Any, rows: Sequence[float], expected: str = _SIDES) -> list[Space]:
    """One for each number of rows, as far as there are axes."""
    axes = [ax] if isinstance(ax, Axes) else list(np.ravel(np.array(ax, dtype=object)))
    if not axes or not all(isinstance(each, Axes) for each in axes):
        raise TypeError(f"ax must be {expected}; got {ax!r}.")
    return [
        Space(each, needed, _height(each) / needed)
        for each, needed in zip(axes, rows, strict=False)  # one panel may do
    ]


def _height(ax: Axes) -> float:
    return _POINTS * ax.bbox.height / ax.figure.dpi


def new(rows: Sequence[float], row: float) -> list[Space]:
    """Beside each other in a new figure, with rows of about this height.

    The shorter panel ends where its rows do, if that leaves more room than its axis takes.
    """
    longest, shortest = max(rows), min(rows)
    row = min(row, _HIGHEST * _POINTS / longest)
    figure = plt.figure(
        figsize=(_WIDTHS[len(rows)], _AROUND + longest * row / _POINTS), layout="constrained"
    )
    spare = (longest - shortest) * row / _POINTS - _BELOW
    if spare <= 0:
        axes = figure.subplots(1, len(rows), squeeze=False)[0]
        return [Space(each, longest, row) for each in axes]
    grid = figure.add_gridspec(2, 2, height_ratios=[shortest * row / _POINTS, spare])
    return [
        Space(
            figure.add_subplot(grid[:, side] if needed == longest else grid[0, side]), needed, row
        )
        for side, needed in enumerate(rows)
    ]


def shortened(name: str, length: int) -> str:
    """On one line, and with an ellipsis in the middle if it is too long.

    >>> shortened("tumour tissue, second sample", 15)
    'tumour…sample'
    """
    line = " ".join(name.split())
    if len(line) <= length:
        return line
    head, tail = line[: length // 2], line[-(length - 1 - length // 2) :]
    return f"{head.rstrip()}…{tail.lstrip()}"


def labels(names: Sequence[str]) -> list[str]:
    """Names short enough to stand beside bars; what is still the same gets a number."""
    for length in _LENGTHS:
        short = [shortened(name, length) for name in names]
        if len(set(short)) == len(set(names)):
            return short
    numbers: dict[str, dict[str, int]] = {}
    for text, name in zip(short, names, strict=True):
        alike = numbers.setdefault(text, {})
        alike.setdefault(name, len(alike) + 1)
    return [
        f"{text} ({numbers[text][name]})" if len(numbers[text]) > 1 else text
        for text, name in zip(short, names, strict=True)
    ]


def write_names(ax: Axes, names: Sequence[str], row: float) -> None:
    """Beside rows of this height in points; of names that do not fit, one in so many."""
    size = min(_usual_size(), max(row / _LEADING, _SMALLEST))
    step = ceil(_SMALLEST * _LEADING / row)
    ax.set_yticks(
        range(0, len(names), step),
        labels(names)[::step],
        fontsize=size,
        parse_math=False,  # a dollar sign is no mathematics
        usetex=False,
    )
    if step > 1:
        ax.set_ylabel(f"{len(names):,} features, one name in {step} is shown")


def _usual_size() -> float:
    size: float = FontProperties(size=mpl.rcParams["ytick.labelsize"]).get_size_in_points()
    return size


def bracket_origins(ax: Axes, names: Sequence[str], made_from: Mapping[str, str] | None) -> None:
    """A light bracket beside the rows of columns that were made from the same one."""
    runs = list(_runs([(made_from or {}).get(name) for name in names]))
    if not runs:
        return
    ax.add_collection(
        LineCollection(
            [_bracket(first - 0.35, last + 0.35) for first, last in runs],
            colors=ink(),
            alpha=0.55,
            linewidths=1.0,
            clip_on=False,
            transform=_points_from_axis(ax),
            label="origins",
        ),
        autolim=False,
    )
    ax.tick_params(axis="y", pad=3 - min(_BRACKET))


def _bracket(top: float, bottom: float) -> list[tuple[float, float]]:
    outer, inner = _BRACKET
    return [(inner, top), (outer, top), (outer, bottom), (inner, bottom)]


def _runs(origins: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    """First and last place of neighbours that were made from the same column."""
    first = 0
    for origin, run in groupby(origins):
        last = first + len(list(run)) - 1
        if origin is not None and last > first:
            yield first, last
        first = last + 1


def _points_from_axis(ax: Axes) -> Transform:
    """Across in points from the left edge of the axes, down in rows."""
    figure: Any = ax.figure
    left_edge: Any = ax.transAxes
    points = Affine2D().scale(1 / 72) + figure.dpi_scale_trans
    across = points + ScaledTranslation(0, 0, left_edge)
    return blended_transform_factory(across, ax.transData)


def interval_keys(sides: Sequence[Findings]) -> list[Key]:
    """The classes, counted if there is one panel only, what is needed, and where chance ends."""
    counts: list[int | None] = [None, None, None]
    if len(sides) == 1:
        counts = [int((sides[0].relevance == each).sum()) for each in _MEANINGS]
    keys = [class_key(*each) for each in zip(_MEANINGS, counts, strict=True)]
    if any(side.needed.any() for side in sides):
        keys.append(needed_key())
    drawn = {which for side in sides for which in limits(side)}
    if any(has_own_limits(side) for side in sides):
        keys.append(own_limit_key())
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


def needed_key() -> Key:
    """The mark of features that are proved to be needed."""
    mark = Line2D([], [], linestyle="none", color=ink(), markersize=7, **NEEDED)
    return "needed: proved to add to all others", mark


def own_limit_key() -> Key:
    """The stroke where chance ends for one feature."""
    stroke = Line2D([], [], linestyle="none", color=ink(), marker="|", markersize=10, mew=1.6)
    return "limit of chance for this column", stroke


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
