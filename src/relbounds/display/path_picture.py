"""How do classes and intervals change along the tolerance? The picture of a path."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from relbounds.arrays import FloatArray, IntArray
from relbounds.display import layout
from relbounds.display.layout import Key, Space, class_key, limit_key, write_names
from relbounds.display.relevance_picture import Picture, comfortable_row
from relbounds.display.style import FAINT, LIMITS, LOOKS, Look, draw_bars, ink, tidy
from relbounds.results.answers import RelevancePath
from relbounds.results.records import Relevance

_AXIS_LABEL = "tolerance: how much worse than the best a good model may be"
_SMALLEST = 1e-3  # below, the axis is even
_THICKNESS, _THICKEST = 0.5, 12.0  # of a band, in rows and in points
_NOTHING = 1e-6  # a tolerance that is rounding
ROWS, ROW = 9, 28.0  # as high as so many rows, in points
_LABEL = "least to most |weight| (1: norm of the best)"
_MARKER = 9.0  # points
_AXES = "an Axes of matplotlib"
_FEWEST = 4  # rows


@dataclass(frozen=True)
class Run:
    """Tolerances over which a feature is of one class, and those of them that were tried."""

    row: int
    relevance: Relevance
    low: float
    high: float
    tried: tuple[float, ...]


def draw(path: RelevancePath, feature: int | None, ax: Any) -> Picture:
    """On these axes or in a new figure."""
    if feature is None:
        rows = max(len(path.feature_names), _FEWEST)
        space = _space(ax, rows, comfortable_row(rows))
        bars, keys = draw_classes(space, path), class_keys(path)
    else:
        space = _space(ax, ROWS, ROW)
        bars, keys = draw_feature(space.ax, path, feature), feature_keys(path, feature)
    above = layout.on_figure if ax is None else layout.on_axes
    return Picture([space.ax], bars, above([space], keys))


def _space(ax: Any, rows: int, row: float) -> layout.Space:
    spaces = layout.new([rows], row) if ax is None else layout.given(ax, [rows], _AXES)
    return spaces[0]


def draw_classes(space: Space, path: RelevancePath) -> list[PolyCollection]:
    """A row for each feature; returns the bands of each class."""
    ax, order = space.ax, longest_needed_first(path)
    set_tolerances(ax, path)
    found = runs(path)
    bands = [
        _draw_class(space, [run for run in found if run.relevance == relevance], look)
        for relevance, look in LOOKS.items()
    ]
    _mark_ends(space, path.strong_until[order])
    draw_used(ax, path)
    ax.set_ylim(space.rows - 0.5, -0.5)  # what is needed longest is on top
    tidy(ax)
    if space.is_tall:
        ax.tick_params(axis="x", top=True, labeltop=True)
    ax.grid(axis="x", which="both", **FAINT)
    write_names(ax, [path.feature_names[k] for k in order], space.row)
    _write_ends(space, path, order)
    return bands


def _draw_class(space: Space, found: Sequence[Run], look: Look) -> PolyCollection:
    """Bands of one class, and a marker on each that is wide enough."""
    rows = np.array([run.row for run in found], dtype=np.float64)
    low, high = np.array([(run.low, run.high) for run in found]).reshape(-1, 2).T
    half = min(_THICKNESS, _THICKEST / space.row) / 2
    bands = draw_bars(space.ax, low, high, rows - half, rows + half, **look.of_bars(space.row))
    space.ax.scatter(
        middle(space.ax, low, high),
        rows,
        label=f"marks of {look.name}",
        zorder=4,
        **look.of_markers(0.55 * space.row),
    )
    return bands


def _mark_ends(space: Space, strong_until: FloatArray) -> None:
    """Where good models begin to do without a feature, if that is on the axis."""
    low, high = space.ax.get_xlim()
    rows = np.flatnonzero((strong_until > max(low, _NOTHING)) & (strong_until <= high))
    space.ax.scatter(
        strong_until[rows],
        rows,
        marker="|",
        s=(0.8 * min(space.row, 20.0)) ** 2,
        linewidth=2.2,
        color=ink(),
        zorder=5,
        label="in every good model until",
        path_effects=[withStroke(linewidth=4.2, foreground=space.ax.get_facecolor())],
    )


def _write_ends(space: Space, path: RelevancePath, order: IntArray) -> None:
    """The same in numbers, right of each band that has a name."""
    named = space.ax.get_yticks().astype(int)
    sizes = {tick.get_fontsize() for tick in space.ax.get_yticklabels()}
    right = space.ax.secondary_yaxis("right")
    right.set_yticks(
        named, [end_text(path.strong_until[order[k]]) for k in named], fontsize=min(sizes)
    )
    right.tick_params(axis="y", length=0)
    right.spines["right"].set_visible(False)
    right.set_ylabel("in every good model until", fontsize="small")


def end_text(strong_until: float) -> str:
    """A tolerance in three digits; nothing if it is not known.

    >>> [end_text(each) for each in (0.0, 0.00007, 0.0166, 0.36, 123.4, np.inf, np.nan)]
    ['0', '<0.001', '0.0166', '0.360', '123', 'always', '']
    """
    if np.isnan(strong_until):
        return ""
    if np.isinf(strong_until):
        return "always"
    if strong_until < 1e-3:
        return "<0.001" if strong_until > _NOTHING else "0"
    return f"{strong_until:#.3g}".rstrip(".")


def class_keys(path: RelevancePath) -> list[Key]:
    """Classes, where good models begin to do without features, and the tolerance of the fit."""
    end = Line2D([], [], linestyle="none", marker="|", markersize=11, color=ink(), mew=2.2)
    exact = ("from here on a good model does without it", end)
    return [*(class_key(each) for each in LOOKS), exact, used_key(path)]


def draw_feature(ax: Axes, path: RelevancePath, feature: int) -> list[PolyCollection]:
    """From least to most weight, cut where the class changes; returns the pieces."""
    set_tolerances(ax, path)
    pieces = [_draw_run(ax, path, feature, run) for run in of_feature(path, feature)]
    _draw_limit(ax, path)
    draw_used(ax, path)
    tidy(ax)
    ax.grid(axis="y", **FAINT)
    ax.set_ylim(0, 1.06 * max(path.drawn_intervals[:, feature].max(), path.thresholds.max()))
    ax.set_ylabel(_LABEL, fontsize="small")
    ax.set_title(path.feature_names[feature], loc="left", fontsize="medium", parse_math=False)
    return pieces


def _draw_run(ax: Axes, path: RelevancePath, feature: int, run: Run) -> PolyCollection:
    """The interval over tolerances of one class, and a marker at each that was tried."""
    look, tried = LOOKS[run.relevance], np.array(run.tried)
    tolerances = np.unique([run.low, *run.tried, *_inside(path, feature, run), run.high])
    low, high = _ends(path, feature, tolerances)
    piece = ax.fill_between(tolerances, low, high, zorder=2, **look.of_bars())
    ax.scatter(
        tried,
        _ends(path, feature, tried)[1],
        label=f"tried, {look.name}",
        zorder=4,
        clip_on=False,
        **look.of_markers(_MARKER),
    )
    return piece


def _inside(path: RelevancePath, feature: int, run: Run) -> list[float]:
    """The tolerance at which good models begin to do without the feature, if it is there."""
    exact = float(path.strong_until[feature])
    return [exact] if run.low < exact < run.high else []


def _ends(
    path: RelevancePath, feature: int, tolerances: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Least and most weight, even between tolerances that were tried, and exact where it ends."""
    tried, (low, high) = path.tolerances, path.drawn_intervals[:, feature].T
    exact = np.nan_to_num(path.strong_until[feature])
    after = np.searchsorted(tried, exact)
    known = np.insert(tried, after, exact), np.insert(low, after, 0.0)
    return np.interp(tolerances, *known), np.interp(tolerances, tried, high)


def _draw_limit(ax: Axes, path: RelevancePath) -> None:
    ax.plot(
        path.tolerances,
        path.thresholds,
        color=ink(),
        linestyle=LIMITS["maxrel"],
        linewidth=1.2,
        zorder=3,
        label="maxrel",
        path_effects=[withStroke(linewidth=2.8, foreground=ax.get_facecolor())],
    )


def feature_keys(path: RelevancePath, feature: int) -> list[Key]:
    """The classes that occur, what chance reaches, and the tolerance of the fit."""
    seen = [each for each in LOOKS if each in path.relevance[:, feature]]
    return [*(class_key(each) for each in seen), limit_key("maxrel"), used_key(path)]


def longest_needed_first(path: RelevancePath) -> IntArray:
    """Positions of the features: what is strong longest first, then what is of use soonest."""
    is_ever_strong = (path.relevance == Relevance.STRONG).any(axis=0)
    strong_until = np.where(is_ever_strong, path.strong_until, 0.0)
    how_often_relevant = (path.relevance != Relevance.IRRELEVANT).sum(axis=0)
    ends = np.nan_to_num(path.strong_until, posinf=np.inf)
    order: IntArray = np.lexsort((-ends, -how_often_relevant, -strong_until))
    return order


def runs(path: RelevancePath) -> list[Run]:
    """Those of all features, in rows from top to bottom."""
    return [
        run
        for row, k in enumerate(longest_needed_first(path))
        for run in of_feature(path, int(k), row)
    ]


def of_feature(path: RelevancePath, feature: int, row: int = 0) -> list[Run]:
    """Those of one feature, from the least tolerance on."""
    classes, tried = path.relevance[:, feature], path.tolerances
    places = [list(places) for _, places in groupby(range(len(tried)), lambda k: classes[k])]
    edges = [tried[0], *(_edge(path, feature, run[-1]) for run in places[:-1]), tried[-1]]
    return [
        Run(row, Relevance(classes[run[0]]), low, high, tuple(tried[run].tolist()))
        for run, low, high in zip(places, edges[:-1], edges[1:], strict=True)
    ]


def _edge(path: RelevancePath, feature: int, last: int) -> float:
    """Where a class ends after the last tolerance at which it was found.

    A strong feature is so as long as no good model does without it, which is known exactly. Of
    other changes only the tolerances before and after are known, and their middle is taken.
    """
    before, after = path.tolerances[last : last + 2]
    exact = path.strong_until[feature]
    if path.relevance[last, feature] == Relevance.STRONG and before <= exact <= after:
        return float(exact)
    return float((before + after) / 2)


def set_tolerances(ax: Axes, path: RelevancePath) -> None:
    """From the least to the largest that was tried, with a tick for each."""
    tried = path.tolerances
    (low, high), even_below = _reach(tried), _even_below(tried)
    ax.set_xscale("symlog", linthresh=even_below)
    ticks = _ticks(low, high, even_below)
    ax.set_xticks(ticks, [f"{each:g}" for each in ticks])
    ax.set_xticks(tried, minor=True)
    ax.set_xlim(low, high)
    ax.set_xlabel(_AXIS_LABEL, fontsize="small")


def _even_below(tried: FloatArray) -> float:
    """Where powers of ten begin: at the least positive tolerance, if that is not very small."""
    return max(float(min(tried[tried > 0], default=1.0)), _SMALLEST)


def _reach(tried: FloatArray) -> tuple[float, float]:
    low, high = float(tried[0]), float(tried[-1])
    return (low, high) if low < high else (0.0, 2 * high or 1.0)


def _ticks(low: float, high: float, even_below: float) -> list[float]:
    """Zero and powers of ten, or the ends where there are few of these.

    >>> _ticks(0.0, 1.0, 0.001), _ticks(0.0, 1.0, 0.01), _ticks(0.02, 0.08, 0.02)
    ([0.0, 0.001, 0.01, 0.1, 1.0], [0.0, 0.01, 0.1, 1.0], [0.02, 0.08])
    """
    powers = [each for each in (0.001, 0.01, 0.1, 1.0, 10.0) if each >= even_below]
    inside = [each for each in (0.0, *powers) if low <= each <= high]
    return inside if len(inside) > 1 else sorted({low, *inside, high})


def draw_used(ax: Axes, path: RelevancePath) -> None:
    """A line at the tolerance of the fit, with a rim that shows it on dark bars."""
    rim = withStroke(linewidth=2.8, foreground=ax.get_facecolor())
    ax.axvline(path.used, label="used", zorder=3, path_effects=[rim], **_used())


def used_key(path: RelevancePath) -> Key:
    """What that line stands for."""
    return f"tolerance of the fit ({path.used:.3g})", Line2D([], [], **_used())


def _used() -> dict[str, Any]:
    return {"color": ink(), "linewidth": 1.3, "linestyle": (0, (7, 3))}


def middle(ax: Axes, low: FloatArray, high: FloatArray) -> FloatArray:
    """Halfway between tolerances, as the axis shows them."""
    scale = ax.xaxis.get_transform()
    found: FloatArray = scale.inverted().transform(
        (scale.transform(low) + scale.transform(high)) / 2
    )
    return np.asarray(found)
