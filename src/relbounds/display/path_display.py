"""How does the answer change along the tolerance? The call; matplotlib is imported to draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from relbounds.display.relevance_display import require, require_matplotlib, result_of
from relbounds.results.answers import RelevancePath

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.legend import Legend


class RelevancePathDisplay:
    """How the class of each feature changes with the tolerance.

    A band for each feature, those that are needed longest on top. A stroke on it, and a number
    beside it, say at which tolerance a good model begins to do without the feature, which is exact.
    Other changes of class lie somewhere between two tolerances that were tried (the small ticks)
    and are drawn in the middle. ``from_estimator`` and ``from_result`` draw at once.

    Parameters
    ----------
    path : RelevancePath

    Attributes
    ----------
    figure_ : Figure
    ax_ : Axes
    bars_ : list of PolyCollection
        The bands of strong, weak and irrelevant features; of a single feature the pieces of its
        interval along the tolerance, one for each class in turn.
    legend_ : Legend

    Examples
    --------
    >>> from relbounds import OrdinalRelevance, RelevancePathDisplay
    >>> from relbounds.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(80, n_strong=2, weak_groups=(2,), random_state=0)
    >>> model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y)
    >>> display = RelevancePathDisplay.from_estimator(model, tolerances=[0, 0.1, 1])
    >>> display.figure_.savefig("tolerance_path.png")  # doctest: +SKIP
    """

    figure_: Figure | SubFigure
    ax_: Axes
    bars_: list[PolyCollection]
    legend_: Legend

    def __init__(self, path: RelevancePath) -> None:
        require("path", path, RelevancePath, "what model.tolerance_path() returns")
        self.path = path

    @classmethod
    def from_result(
        cls, path: RelevancePath, *, feature: str | int | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw what ``model.tolerance_path()`` returned; ``plot`` says what the settings mean."""
        return cls(path).plot(feature=feature, ax=ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        tolerances: Sequence[float] | None = None,
        feature: str | int | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Try tolerances on a fitted estimator, and draw what is found.

        Parameters
        ----------
        estimator : fitted estimator of relbounds
        tolerances : sequence of float, optional
            By default from 0 to 1. That of the fit is always among them.
        feature, ax
            As in ``plot``.
        """
        result_of(estimator)
        path = estimator.tolerance_path(tolerances)
        return cls.from_result(path, feature=feature, ax=ax)

    def plot(self, *, feature: str | int | None = None, ax: Axes | None = None) -> Self:
        """Draw on these axes, or in a new figure.

        Parameters
        ----------
        feature : name or index, optional
            Draw how the interval of this feature changes, and what chance reaches, instead of the
            classes of all.
        ax : matplotlib Axes, optional
            A figure with ``layout="constrained"`` makes room for names and the legend.

        Returns
        -------
        self
        """
        position = None if feature is None else self._position(feature)
        require_matplotlib(self)
        from relbounds.display.path_picture import draw

        drawn = draw(self.path, position, ax)
        self.figure_, self.ax_ = drawn.axes[0].figure, drawn.axes[0]
        self.bars_, self.legend_ = drawn.bars, drawn.legend
        return self

    def _position(self, feature: str | int) -> int:
        names = self.path.feature_names
        known = {name: position for position, name in enumerate(names)}
        position = known.get(feature, feature) if isinstance(feature, str) else feature
        if isinstance(position, bool) or position not in range(len(names)):
            raise ValueError(
                f"feature must be the name or the index of one of the {len(names)} features of the "
                f"path; got {feature!r}."
            )
        return int(position)
