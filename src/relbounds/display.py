"""Pictures of a result. Reads results, computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from relbounds.decision import Relevance
from relbounds.result import RelevanceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
    figure_: Figure
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

        result = self.result
        names = result.feature_names
        if ax is None:
            _, ax = plt.subplots(figsize=(max(5.0, 0.45 * len(names)), 4.0), layout="constrained")
        positions = np.arange(len(names))
        low, high = result.intervals.T
        self.bars_ = []
        for relevance, look in reversed(_LOOKS.items()):
            chosen = result.relevance == relevance
            if chosen.any():
                bars = ax.bar(
                    positions[chosen],
                    # a strong feature's interval may be thinner than a line: keep it visible
                    np.maximum(high - low, 0.004 * max(1e-9, high.max()))[chosen],
                    bottom=low[chosen],
                    label=f"{relevance.name.lower()} ({chosen.sum()})",
                    edgecolor="black",
                    linewidth=0.6,
                    **look,
                )
                self.bars_.append(bars)
        if result.thresholds is not None:
            ax.axhline(
                result.thresholds.maxrel, linestyle="--", color="black", linewidth=1,
                label="chance, most",
            )
            ax.axhline(
                result.thresholds.minrel, linestyle=":", color="black", linewidth=1,
                label="chance, least",
            )
        turned = len(names) > 12 or max(map(len, names)) > 5
        ax.set_xticks(positions, names, rotation=90 if turned else 0)
        ax.set_ylabel("relevance (share of the best model's norm)")
        ax.set_ylim(bottom=0)
        ax.legend(fontsize="small")
        self.ax_, self.figure_ = ax, ax.get_figure()
        return self
