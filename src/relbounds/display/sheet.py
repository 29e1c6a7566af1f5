"""Where is drawn? On the axes that were given, or on new ones as large as their rows need."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

_POINTS = 72  # an inch
_AROUND = 1.1  # inches that the legend, titles and the axis take
_BELOW = 0.5  # inches that the axis and its label take
_HIGHEST = 200.0  # inches: more than matplotlib can save at a high resolution
_TALL = 720.0  # points
_WIDTHS = {1: 7.5, 2: 11.0}
_SIDES = "an Axes of matplotlib, or two of them for regular and privileged features"


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
