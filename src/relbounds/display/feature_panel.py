"""How do one feature's interval and class change along the tolerance?"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patheffects import withStroke

from relbounds.arrays import FloatArray
from relbounds.display.legends import Key, class_key, limit_key
from relbounds.display.looks import FAINT, LIMITS, LOOKS, ink
from relbounds.display.runs import Run, of_feature
from relbounds.display.scales import tidy
from relbounds.display.tolerance_axis import draw_used, set_tolerances, used_key
from relbounds.tolerance_path import RelevancePath

ROWS, ROW = 9, 28.0  # as high as so many rows, in points
_LABEL = "least to most |weight| (1: norm of the best)"
_MARKER = 9.0  # points


def draw_feature(ax: Axes, path: RelevancePath, feature: int) -> list[PolyCollection]:
    """From least to most weight, cut where the class changes; returns the pieces."""
    set_tolerances(ax, path)
    pieces = [_draw_run(ax, path, feature, run) for run in of_feature(path, feature)]
    _draw_limit(ax, path)
    draw_used(ax, path)
    tidy(ax)
    ax.grid(axis="y", **FAINT)
    ax.set_ylim(0, 1.06 * max(path.intervals[:, feature].max(), path.thresholds.max()))
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
    tried, (low, high) = path.tolerances, path.intervals[:, feature].T
    exact = path.strong_until[feature]
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
