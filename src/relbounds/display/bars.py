"""How are many bars drawn at once? As one collection; a thousand artists would take seconds."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

Edges = NDArray[np.floating[Any]]


def draw_bars(
    ax: Axes, left: Edges, right: Edges, top: Edges, bottom: Edges, **look: Any
) -> PolyCollection:
    """A bar for each four edges."""
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    bars = PolyCollection(list(np.moveaxis(corners, -1, 0)), zorder=2, **look)
    ax.add_collection(bars, autolim=False)
    return bars
