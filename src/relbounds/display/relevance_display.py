"""Which picture of which result? Matplotlib is an extra, and imported when something is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from relbounds import checks
from relbounds.display import base
from relbounds.results.findings import SORTS
from relbounds.results.result import RelevanceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.legend import Legend
KINDS = ("intervals", "probes")


class RelevanceDisplay:
    """Relevance intervals as bars, and how far chance may reach as dashed lines.

    Privileged features have a panel of their own beside the regular ones, since chance reaches
    further or less far there. ``from_estimator`` and ``from_result`` draw at once.

    Parameters
    ----------
    result : RelevanceResult

    Attributes
    ----------
    figure_ : Figure
    axes_ : list of Axes
        The panels that were drawn: regular features, and privileged ones.
    ax_ : Axes
        The panel of the regular features.
    bars_ : list of PolyCollection
        Panel by panel the bars of strong, weak and irrelevant features, each from top to bottom;
        of a picture of probes the bars of each panel's histogram.
    legend_ : Legend

    Examples
    --------
    >>> from relbounds import OrdinalRelevance, RelevanceDisplay
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(80, n_strong=2, weak_groups=(2,), random_state=0)
    >>> model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)
    >>> display = RelevanceDisplay.from_estimator(model, sort="relevance")
    >>> display.figure_.savefig("relevance.png")  # doctest: +SKIP
    """

    figure_: Figure | SubFigure
    axes_: list[Axes]
    bars_: list[PolyCollection]
    legend_: Legend

    def __init__(self, result: RelevanceResult) -> None:
        base.require("result", result, RelevanceResult, "the result_ of a fitted estimator")
        self.result = result

    @property
    def ax_(self) -> Axes:
        return self.axes_[0]

    @classmethod
    def from_result(
        cls,
        result: RelevanceResult,
        *,
        ax: Axes | Sequence[Axes] | None = None,
        sort: str = "given",
        signed: bool = False,
        groups: Mapping[str, str] | None = None,
        kind: str = "intervals",
    ) -> Self:
        """Draw a result; ``plot`` says what the settings mean."""
        return cls(result).plot(ax=ax, sort=sort, signed=signed, groups=groups, kind=kind)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        ax: Axes | Sequence[Axes] | None = None,
        sort: str = "given",
        signed: bool = False,
        groups: Mapping[str, str] | None = None,
        kind: str = "intervals",
    ) -> Self:
        """Draw what a fitted estimator found; ``plot`` says what the settings mean."""
        result = base.result_of(estimator)
        return cls.from_result(result, ax=ax, sort=sort, signed=signed, groups=groups, kind=kind)

    def plot(
        self,
        *,
        ax: Axes | Sequence[Axes] | None = None,
        sort: str = "given",
        signed: bool = False,
        groups: Mapping[str, str] | None = None,
        kind: str = "intervals",
    ) -> Self:
        """Draw on these axes, or in a new figure.

        Parameters
        ----------
        ax : matplotlib Axes, or a sequence of two, optional
            Given one only, it shows the regular features. A figure with ``layout="constrained"``
            makes room for names and the legend.
        sort : {"given", "relevance"}
            Features as in the data; or strong ones first, and among equals the one that can weigh
            most.
        signed : bool
            Whether bars show weights with their signs, around a line at zero. A privileged
            feature has a weight in each of two functions, and its bar holds both: it may cross
            zero although every good model needs the feature.
        groups : mapping of feature names to the column each was made from, optional
            Columns made from the same one (by one-hot encoding) stay together, in a bracket.
        kind : {"intervals", "probes"}
            A bar from ``minrel`` to ``maxrel`` for each feature; or how the ``maxrel`` of the
            probes, permuted and meaningless columns, is distributed, below that of the features.

        Returns
        -------
        self
        """
        _check(sort, signed, groups, kind)
        base.require_matplotlib(self)
        from relbounds.display.relevance_picture import IntervalPanels, ProbePanels, draw

        panels = ProbePanels() if kind == "probes" else IntervalPanels(sort, signed, groups)
        drawn = draw(panels, self.result, ax)
        self.figure_, self.axes_ = drawn.axes[0].figure, drawn.axes
        self.bars_, self.legend_ = drawn.bars, drawn.legend
        return self


def _check(sort: str, signed: bool, groups: Mapping[str, str] | None, kind: str) -> None:
    checks.one_of("sort", sort, SORTS)
    checks.one_of("kind", kind, KINDS)
    checks.one_of("signed", signed, (True, False))
    if signed and kind == "probes":
        raise ValueError("signed=True is for kind='intervals'; the sign of a probe means nothing.")
    if groups is not None and not isinstance(groups, Mapping):
        raise TypeError(
            "groups must map names of features to the column each was made from, such as "
            f"{{'color=red': 'color'}}; got {type(groups).__name__}."
        )
