"""What stands beside a bar? The feature's name, short enough, and a bracket around its group."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.font_manager import FontProperties
from matplotlib.transforms import Affine2D, ScaledTranslation, Transform, blended_transform_factory

from relbounds.display.looks import ink

_LENGTHS = (32, 48, 64)  # the first that tells all names apart, or the last
_SMALLEST = 4.5  # points
_LEADING = 1.35  # height of a line of text, in sizes of its font
_BRACKET = (-11.0, -7.5)  # points from the axis, between it and the names


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
    """Names short enough to stand beside bars, and different if that is possible."""
    for length in _LENGTHS:
        short = [shortened(name, length) for name in names]
        if len(set(short)) == len(set(names)):
            break
    return short


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


def bracket_groups(ax: Axes, names: Sequence[str], groups: Mapping[str, str] | None) -> None:
    """A light bracket beside the rows of columns that were made from the same one."""
    runs = list(_runs([(groups or {}).get(name) for name in names]))
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
            label="groups",
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
