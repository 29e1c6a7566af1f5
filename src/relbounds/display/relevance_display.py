"""Which picture of which result, and what does any display need?

Matplotlib is an extra, and imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from relbounds import checks
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

    Where chance reaches further for some columns than for others, each bar has a stroke of its own
    instead. A plus marks features that are needed: proved to add to all others.

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
        require("result", result, RelevanceResult, "the result_ of a fitted estimator")
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
        made_from: Mapping[str, str] | None = None,
        kind: str = "intervals",
    ) -> Self:
        """Draw a result; ``plot`` says what the settings mean."""
        return cls(result).plot(ax=ax, sort=sort, signed=signed, made_from=made_from, kind=kind)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        ax: Axes | Sequence[Axes] | None = None,
        sort: str = "given",
        signed: bool = False,
        made_from: Mapping[str, str] | None = None,
        kind: str = "intervals",
    ) -> Self:
        """Draw what a fitted estimator found; ``plot`` says what the settings mean."""
        result = result_of(estimator)
        return cls.from_result(
            result, ax=ax, sort=sort, signed=signed, made_from=made_from, kind=kind
        )

    def plot(
        self,
        *,
        ax: Axes | Sequence[Axes] | None = None,
        sort: str = "given",
        signed: bool = False,
        made_from: Mapping[str, str] | None = None,
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
        made_from : mapping of feature names to the column each was made from, optional
            Columns made from the same one (by one-hot encoding) stay together, in a bracket.
        kind : {"intervals", "probes"}
            A bar from ``minrel`` to ``maxrel`` for each feature; or how the ``maxrel`` of the
            probes, permuted and meaningless columns, is distributed, below that of the features.

        Returns
        -------
        self
        """
        _check(sort, signed, made_from, kind)
        require_matplotlib(self)
        from relbounds.display.relevance_picture import IntervalPanels, ProbePanels, draw

        panels = ProbePanels() if kind == "probes" else IntervalPanels(sort, signed, made_from)
        drawn = draw(panels, self.result, ax)
        self.figure_, self.axes_ = drawn.axes[0].figure, drawn.axes
        self.bars_, self.legend_ = drawn.bars, drawn.legend
        return self


def _check(sort: str, signed: bool, made_from: Mapping[str, str] | None, kind: str) -> None:
    checks.one_of("sort", sort, SORTS)
    checks.one_of("kind", kind, KINDS)
    checks.one_of("signed", signed, (True, False))
    if signed and kind == "probes":
        raise ValueError("signed=True is for kind='intervals'; the sign of a probe means nothing.")
    if made_from is not None and not isinstance(made_from, Mapping):
        raise TypeError(
            "made_from must map names of features to the column each was made from, such as "
            f"{{'color=red': 'color'}}; got {type(made_from).__name__}."
        )


def result_of(estimator: Any) -> RelevanceResult:
    """What a fitted estimator of relbounds found."""
    check_is_fitted(estimator)
    if not hasattr(estimator, "result_"):
        raise TypeError(
            "estimator must be one of relbounds, such as OrdinalRelevance; got "
            f"{type(estimator).__name__}. Of a pipeline or a search, pass the part that is."
        )
    result: RelevanceResult = estimator.result_
    return result


def require(name: str, value: Any, kind: type, source: str) -> None:
    """Refuse anything else than what a display shows."""
    if not isinstance(value, kind):
        raise TypeError(
            f"{name} must be a {kind.__name__}, such as {source}; got {type(value).__name__}. "
            "An estimator is drawn by from_estimator."
        )


def require_matplotlib(display: object) -> None:
    """Say which extra brings it, where it is missing."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ModuleNotFoundError as missing:
        raise ImportError(
            f"{type(display).__name__} draws with matplotlib, which is not installed; "
            "pip install 'relbounds[plot]' brings it."
        ) from missing
