"""Which features stand in for one another? The call; matplotlib is imported when it draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from relbounds.display.relevance_display import require, require_matplotlib, result_of
from relbounds.results.answers import Redundancy
from relbounds.results.result import RelevanceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.legend import Legend


class RedundancyDisplay:
    """A tree of the relevant features, beside their relevance intervals.

    The tree joins what is alike. Where the halves of a join stand in for one another it is thick,
    with how many times the sum of their prices it costs to do without both (as long as there is
    room; all numbers are in ``redundancy.joins``). Groups are bands with a number, the place in
    ``redundancy.groups``. ``from_estimator`` and ``from_result`` draw at once.

    Parameters
    ----------
    redundancy : Redundancy
    result : RelevanceResult
        Of the same fit.

    Attributes
    ----------
    figure_ : Figure
    axes_ : list of Axes
        The panels that were drawn: the tree, and the intervals.
    ax_ : Axes
        The panel of the tree.
    bars_ : list of PolyCollection
        The bars of strong and of weak features, each from top to bottom.
    legend_ : Legend

    Examples
    --------
    >>> from relbounds import OrdinalRelevance, RedundancyDisplay
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(80, n_strong=2, weak_groups=(2,), random_state=0)
    >>> model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)
    >>> display = RedundancyDisplay.from_estimator(model)
    >>> display.figure_.savefig("stand_ins.png")  # doctest: +SKIP
    """

    figure_: Figure | SubFigure
    axes_: list[Axes]
    bars_: list[PolyCollection]
    legend_: Legend

    def __init__(self, redundancy: Redundancy, result: RelevanceResult) -> None:
        require("redundancy", redundancy, Redundancy, "what model.redundancy() returns")
        require("result", result, RelevanceResult, "the result_ of a fitted estimator")
        self.redundancy, self.result = redundancy, result

    @property
    def ax_(self) -> Axes:
        return self.axes_[0]

    @classmethod
    def from_result(
        cls,
        redundancy: Redundancy,
        result: RelevanceResult,
        *,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self:
        """Draw what ``model.redundancy()`` returned beside ``model.result_``."""
        return cls(redundancy, result).plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | Sequence[Axes] | None = None) -> Self:
        """Ask a fitted estimator which features stand in for one another, and draw it."""
        result = result_of(estimator)
        found = _nothing(result) if result.is_degenerate else estimator.redundancy()
        return cls.from_result(found, result, ax=ax)

    def plot(self, *, ax: Axes | Sequence[Axes] | None = None) -> Self:
        """Draw on these axes, or in a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, or a sequence of two, optional
            For the tree and for the intervals. Given one only, it shows the tree. A figure with
            ``layout="constrained"`` makes room for names and the legend.

        Returns
        -------
        self
        """
        require_matplotlib(self)
        from relbounds.display.redundancy_picture import draw

        drawn = draw(self.redundancy, self.result, ax)
        self.figure_, self.axes_ = drawn.axes[0].figure, drawn.axes
        self.bars_, self.legend_ = drawn.bars, drawn.legend
        return self


def _nothing(result: RelevanceResult) -> Redundancy:
    """Of a model that has learned nothing there is nothing to ask."""
    names = tuple(result.to_frame().index)
    return Redundancy(names, (), (), (), np.arange(len(names)))
