"""How does the class of each feature change along the tolerance? A band for each."""

from collections.abc import Sequence

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from relbounds.arrays import FloatArray, IntArray
from relbounds.display.bars import draw_bars
from relbounds.display.legends import Key, class_key
from relbounds.display.looks import FAINT, LOOKS, Look, ink
from relbounds.display.names import write_names
from relbounds.display.runs import Run, arranged, runs
from relbounds.display.scales import tidy
from relbounds.display.sheet import Space
from relbounds.display.tolerance_axis import draw_used, middle, set_tolerances, used_key
from relbounds.tolerance_path import RelevancePath

_THICKNESS, _THICKEST = 0.5, 12.0  # of a band, in rows and in points
_NOTHING = 1e-6  # a tolerance that is rounding


def draw_classes(space: Space, path: RelevancePath) -> list[PolyCollection]:
    """A row for each feature; returns the bands of each class."""
    ax, order = space.ax, arranged(path)
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
        label="needed until",
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
    right.set_ylabel("needed until", fontsize="small")


def end_text(strong_until: float) -> str:
    """A tolerance in three digits.

    >>> [end_text(each) for each in (0.0, 0.00007, 0.0166, 0.36, 123.4, np.inf)]
    ['0', '<0.001', '0.0166', '0.360', '123', 'always']
    """
    if np.isinf(strong_until):
        return "always"
    if strong_until < 1e-3:
        return "<0.001" if strong_until > _NOTHING else "0"
    return f"{strong_until:#.3g}".rstrip(".")


def class_keys(path: RelevancePath) -> list[Key]:
    """Classes, where features cease to be needed, and the tolerance of the fit."""
    end = Line2D([], [], linestyle="none", marker="|", markersize=11, color=ink(), mew=2.2)
    exact = ("from here on a good model does without it", end)
    return [*(class_key(each) for each in LOOKS), exact, used_key(path)]
