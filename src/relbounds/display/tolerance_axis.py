"""How is a tolerance read? On an axis that holds zero and several powers of ten."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from relbounds.arrays import FloatArray
from relbounds.display.legends import Key
from relbounds.display.looks import ink
from relbounds.tolerance_path import RelevancePath

_LABEL = "tolerance: how much worse than the best a good model may be"
_SMALLEST = 1e-3  # below, the axis is even


def set_tolerances(ax: Axes, path: RelevancePath) -> None:
    """From the least to the largest that was tried, with a tick for each."""
    tried = path.tolerances
    (low, high), even_below = _reach(tried), _even_below(tried)
    ax.set_xscale("symlog", linthresh=even_below)
    ticks = _ticks(low, high, even_below)
    ax.set_xticks(ticks, [f"{each:g}" for each in ticks])
    ax.set_xticks(tried, minor=True)
    ax.set_xlim(low, high)
    ax.set_xlabel(_LABEL, fontsize="small")


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
