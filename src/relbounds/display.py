"""Pictures of a result. Reads results, computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from relbounds.decision import Relevance
from relbounds.result import RelevanceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# Okabe and Ito's colours, told apart by colour-blind readers; the hatches tell them apart in print.
_LOOKS: dict[Relevance, dict[str, Any]] = {
    Relevance.STRONG: {"color": "#0072B2", "hatch": ""},
    Relevance.WEAK: {"color": "#E69F00", "hatch": "///"},
    Relevance.IRRELEVANT: {"color": "#BBBBBB", "hatch": "..."},
}


class RelevanceDisplay:
    """Relevance intervals as bars, what chance may reach as dashed lines.

    Parameters
    ----------
    result : RelevanceResult

    Attributes
    ----------
    ax_, figure_, bars_
        What was drawn, after ``plot``.
    """

    ax_: Axes
    figure_: Figure | SubFigure
    bars_: list[Any]

    def __init__(self, result: RelevanceResult) -> None:
        self.result = result

    @classmethod
    def from_result(cls, result: RelevanceResult, *, ax: Axes | None = None) -> Self:
        """Draw a result."""
        return cls(result).plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw what a fitted estimator found."""
        return cls.from_result(estimator.result_, ax=ax)

    def plot(self, *, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        self
        """
        import matplotlib.pyplot as plt

        result, names = self.result, self.result.feature_names
        if ax is None:
            height = 1.4 + 0.3 * len(names)
            _, ax = plt.subplots(figsize=(7.5, height), layout="constrained")
        positions = np.arange(len(names))
        low, high = result.intervals.T
        # an interval may be thinner than a line: keep it visible
        lengths = np.maximum(high - low, 0.004 * high.max(initial=1e-9))
        self.bars_ = []
        for relevance, look in _LOOKS.items():
            chosen = result.relevance == relevance
            bars = ax.barh(
                positions[chosen],
                lengths[chosen],
                left=low[chosen],
                label=f"{relevance.name.lower()} ({chosen.sum()})",
                edgecolor="black",
                linewidth=0.6,
                **look,
            )
            self.bars_.append(bars)
        if result.thresholds is not None:
            line: dict[str, Any] = {"color": "black", "linewidth": 1.2}
            ax.axvline(
                result.thresholds.maxrel, linestyle="--", label="chance: most relevance", **line
            )
            ax.axvline(
                result.thresholds.minrel, linestyle=":", label="chance: least relevance", **line
            )
        ax.set_yticks(positions, names, parse_math=False)
        ax.invert_yaxis()
        ax.set_xlim(left=0)
        ax.set_xlabel("relevance over all good models (1: norm of the best)")
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small", frameon=False)
        self.ax_, self.figure_ = ax, ax.figure
        return self
