"""How do a tree and intervals become a picture? Rows in common, groups as bands with a name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patheffects import withStroke

from relbounds.arrays import FloatArray, IntArray
from relbounds.display import layout
from relbounds.display.layout import write_names
from relbounds.display.relevance_picture import (
    AXIS,
    Picture,
    comfortable_row,
    draw_class,
    name_axis,
    write_note,
)
from relbounds.display.style import FAINT, LIMITS, LOOKS, draw_bars, ink, limits, set_reach, tidy
from relbounds.display.tree import Fork, draw_tree, forks, leaves, tree_keys
from relbounds.results.answers import Redundancy
from relbounds.results.findings import Findings
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult

_AXES = "an Axes of matplotlib for the tree, or two of them for the tree and the intervals"
_BAND: dict[str, Any] = {"facecolor": "#5B7C99", "alpha": 0.17, "edgecolor": "none"}
_HALF_BAND = 0.44  # beyond the first and the last row of a group, in rows
_FEWEST = 4  # rows
_SHOWN = (Relevance.STRONG, Relevance.WEAK)


@dataclass(frozen=True)
class _Leaf:
    """A relevant feature: what stands beside it, and where its findings are."""

    label: str
    side: Findings
    position: int

    @property
    def relevance(self) -> int:
        return int(self.side.relevance[self.position])

    @property
    def limits(self) -> dict[str, float]:
        """What chance reaches in its place, by name."""
        if self.side.thresholds is None:
            return {}
        return limits(self.side) | {"maxrel": float(self.side.chance[self.position])}


@dataclass(frozen=True)
class _Rows:
    """Relevant features from top to bottom, how they are joined, and which rows a group takes."""

    leaves: list[_Leaf]
    forks: list[Fork]
    groups: list[tuple[int, int]]

    @property
    def intervals(self) -> FloatArray:
        found = [each.side.intervals[each.position] for each in self.leaves]
        return np.array(found, dtype=np.float64).reshape(-1, 2)

    @property
    def relevance(self) -> IntArray:
        return np.array([each.relevance for each in self.leaves], dtype=np.int64)


def draw(redundancy: Redundancy, result: RelevanceResult, ax: Any) -> Picture:
    """The tree, and beside it the intervals, on these axes or in a new figure."""
    rows = _rows(redundancy, result)
    spaces = _spaces(ax, max(len(rows.leaves), _FEWEST))
    for space in spaces:
        _draw_bands(space.ax, rows.groups)
        _draw_leaders(space.ax, len(rows.leaves))
    draw_tree(spaces[0], rows.forks, rows.relevance)
    bars = _draw_intervals(spaces[1], rows) if len(spaces) > 1 else []
    _write(spaces, rows)
    for space in spaces:
        _set_rows(space)
    if sentence := _note(rows.leaves, result):
        write_note(spaces[0].ax, sentence)
    above = layout.on_figure if ax is None else layout.on_axes
    return Picture([space.ax for space in spaces], bars, above(spaces, _keys(spaces, rows)))


# Which rows there are


def _rows(redundancy: Redundancy, result: RelevanceResult) -> _Rows:
    known = {} if result.is_degenerate else _relevant(result)
    _check(redundancy, result, known)
    order = {name: place for place, name in enumerate(known)}
    names = leaves(redundancy.joins, order) or list(known)
    row_of = {name: row for row, name in enumerate(names)}
    members = [[row_of[name] for name in group] for group in redundancy.groups]
    return _Rows(
        [known[name] for name in names],
        forks(redundancy.joins, row_of),
        [(min(rows), max(rows)) for rows in members],
    )


def _relevant(result: RelevanceResult) -> dict[str, _Leaf]:
    """Relevant features by name, regular ones first."""
    return {
        name: _Leaf(name if side is result.regular else f"{name} (privileged)", side, position)
        for side in result.sides
        for position, name in enumerate(side.feature_names)
        if side.relevance[position] != Relevance.IRRELEVANT
    }


def _check(redundancy: Redundancy, result: RelevanceResult, known: dict[str, _Leaf]) -> None:
    names = tuple(result.to_frame().index)
    joined = {name for join in redundancy.joins for name in join.first + join.second}
    expected = set(known) if len(known) > 1 else set()
    if names != redundancy.feature_names or joined != expected:
        raise ValueError(
            "redundancy and result must come from the same fit; these name different features."
        )


def _note(shown: Sequence[_Leaf], result: RelevanceResult) -> str:
    """Why there is no tree; nothing if there is one."""
    if result.is_degenerate:
        return result.why_degenerate
    if not shown:
        return "No feature is relevant, so there is nothing to stand in for."
    if len(shown) == 1:
        return f"Only {shown[0].label} is relevant, and no other feature can stand in for it."
    return ""


# What is drawn


def _spaces(ax: Any, rows: int) -> list[layout.Space]:
    """For the tree and the intervals."""
    if ax is not None:
        return layout.given(ax, [rows, rows], _AXES)
    spaces = layout.new([rows, rows], comfortable_row(rows))
    spaces[1].ax.sharey(spaces[0].ax)
    return spaces


def _draw_bands(ax: Axes, groups: Sequence[tuple[int, int]]) -> None:
    """Behind the rows of each group."""
    first, last = np.array(groups, dtype=np.float64).reshape(-1, 2).T
    left, right = np.zeros(len(groups)), np.ones(len(groups))
    bands = draw_bars(ax, left, right, first - _HALF_BAND, last + _HALF_BAND, **_BAND)
    bands.set(transform=ax.get_yaxis_transform(), zorder=0.2, label="groups")


def _draw_leaders(ax: Axes, rows: int) -> None:
    across = ax.get_yaxis_transform()
    ax.hlines(range(rows), 0, 1, transform=across, zorder=0.5, label="leaders", **FAINT)


def _draw_intervals(space: layout.Space, rows: _Rows) -> list[PolyCollection]:
    """Bars of strong and weak features, and what chance reaches on the side of each."""
    ax, ranges = space.ax, rows.intervals
    bars = [
        draw_class(space, np.flatnonzero(rows.relevance == each), ranges, LOOKS[each])
        for each in _SHOWN
    ]
    _draw_limits(ax, rows.leaves)
    set_reach(ax, [0.0, *ranges.ravel()])
    tidy(ax)
    name_axis(ax, AXIS)
    return bars


def _draw_limits(ax: Axes, shown: Sequence[_Leaf]) -> None:
    """A line down the rows, with a step where chance reaches further or less far."""
    for which, style in LIMITS.items():
        places = [each.limits.get(which, np.nan) for each in shown]
        if np.isnan(places).all():
            continue
        ax.plot(
            np.repeat(places, 2),
            np.arange(len(places)).repeat(2) + np.tile([-0.5, 0.5], len(places)),
            color=ink(),
            linestyle=style,
            linewidth=1.2,
            zorder=3,
            label=which,
            path_effects=[withStroke(linewidth=2.8, foreground=ax.get_facecolor())],
        )


def _write(spaces: Sequence[layout.Space], rows: _Rows) -> None:
    """Names beside the leaves, and those of groups left of the tree."""
    tree, last = spaces[0].ax, spaces[-1]
    write_names(last.ax, [each.label for each in rows.leaves], last.row)
    if last.ax is tree:
        tree.yaxis.set_label_position("right")
        tree.tick_params(axis="y", labelleft=False, labelright=True)
    else:
        tree.tick_params(axis="y", labelleft=False)
    for number, (first, final) in enumerate(rows.groups, start=1):
        tree.annotate(
            f"group {number}",
            (0, (first + final) / 2),
            (-6, 0),
            xycoords=tree.get_yaxis_transform(),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize="small",
        )


def _set_rows(space: layout.Space) -> None:
    space.ax.set_ylim(space.rows - 0.5, -0.5)  # the first feature is on top
    if space.is_tall:
        space.ax.tick_params(axis="x", top=True, labeltop=True)


def _keys(spaces: Sequence[layout.Space], rows: _Rows) -> list[layout.Key]:
    """Classes, lines of the tree, and thresholds as far as there are any."""
    keys = [layout.class_key(each, int((rows.relevance == each).sum())) for each in _SHOWN]
    drawn = {which for each in rows.leaves for which in each.limits}
    chance = [layout.limit_key(which) for which in LIMITS if which in drawn]
    return keys + (chance if len(spaces) > 1 else []) + tree_keys(rows.forks)
