"""Pictures of a result. Reads results, computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from relbounds.decision import Relevance
from relbounds.result import Findings, RelevanceResult

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

    Privileged features have a panel of their own, since chance reaches further or less far there.

    Parameters
    ----------
    result : RelevanceResult

    Attributes
    ----------
    axes_, figure_, bars_
        What was drawn, after ``plot``: a panel for each side, and its bars.
    ax_
        The panel of the regular features.
    """

    axes_: list[Axes]
    figure_: Figure | SubFigure
    bars_: list[Any]

    def __init__(self, result: RelevanceResult) -> None:
        self.result = result

    @property
    def ax_(self) -> Axes:
        return self.axes_[0]

    @classmethod
    def from_result(
        cls, result: RelevanceResult, *, ax: Axes | Sequence[Axes] | None = None
    ) -> Self:
        """Draw a result."""
        return cls(result).plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | Sequence[Axes] | None = None) -> Self:
        """Draw what a fitted estimator found."""
        return cls.from_result(estimator.result_, ax=ax)

    def plot(self, *, ax: Axes | Sequence[Axes] | None = None) -> Self:
        """Draw on these axes, or on new ones.

        Parameters
        ----------
        ax : matplotlib Axes, or a sequence of two, optional
            Given one only, it shows the regular features.

        Returns
        -------
        self
        """
        sides: dict[str, Findings] = {"regular features": self.result}
        if self.result.privileged is not None:
            sides["privileged features"] = self.result.privileged
        if ax is None:
            axes = _new_axes(list(sides.values()))
        else:
            axes = list(ax) if isinstance(ax, Sequence | np.ndarray) else [ax]
        self.bars_ = []
        for panel, (title, side) in zip(axes, sides.items(), strict=False):  # one panel may do
            self.bars_ += _draw(panel, side)
            if len(axes) > 1:
                panel.set_title(title, loc="left", fontsize="medium")
            last = panel
        last.set_xlabel("relevance over all good models (1: norm of the best)")
        self.axes_, self.figure_ = axes, axes[0].figure
        return self


def _new_axes(sides: list[Findings]) -> list[Axes]:
    import matplotlib.pyplot as plt

    lengths = [len(side.feature_names) for side in sides]
    _, axes = plt.subplots(
        len(sides),
        squeeze=False,
        figsize=(7.5, 0.4 + len(sides) + 0.3 * sum(lengths)),
        height_ratios=[length + 1 for length in lengths],
        layout="constrained",
    )
    return list(axes[:, 0])


def _draw(ax: Axes, side: Findings) -> list[Any]:
    """The features of one side; returns the bars of each class of relevance."""
    from matplotlib.patches import Patch

    positions = np.arange(len(side.feature_names))
    low, high = side.intervals.T
    # an interval may be thinner than a line: keep it visible
    lengths = np.maximum(high - low, 0.004 * high.max(initial=1e-9))
    drawn: list[Any] = []
    legend: list[Any] = []  # bars of a class without features would lend it no look
    for relevance, look in _LOOKS.items():
        chosen = side.relevance == relevance
        label = f"{relevance.name.lower()} ({chosen.sum()})"
        bars = ax.barh(
            positions[chosen],
            lengths[chosen],
            left=low[chosen],
            label=label,
            edgecolor="black",
            linewidth=0.6,
            **look,
        )
        drawn.append(bars)
        legend.append(Patch(facecolor=look["color"], hatch=look["hatch"], ec="black", label=label))
    if side.thresholds is not None:
        line: dict[str, Any] = {"color": "black", "linewidth": 1.2}
        for limit, style, what in (
            (side.thresholds.maxrel, "--", "most"),
            (side.thresholds.minrel, ":", "least"),
        ):
            label = f"chance: {what} relevance"
            legend.append(ax.axvline(limit, linestyle=style, label=label, **line))
    ax.set_yticks(positions, side.feature_names, parse_math=False)
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.legend(
        handles=legend, loc="upper left", bbox_to_anchor=(1, 1), fontsize="small", frameon=False
    )
    return drawn
