"""The pictures of docs/method.md, each drawn from a computation: ``python docs/draw_method.py``.

With two features all models fit on a page: a model is a point, its weights are its coordinates.
Which points are good models is computed here on a grid, by the definition; the intervals are those
that the library finds. So each picture also shows whether the two agree.
"""

from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

from relbounds import ClassificationRelevance, OrdinalRelevance, Relevance, RelevanceResult

BLUE, ORANGE, GREY, GREEN, RED = "#0072B2", "#E69F00", "#999999", "#009E73", "#D55E00"
COLORS = {Relevance.STRONG: BLUE, Relevance.WEAK: ORANGE, Relevance.IRRELEVANT: GREY}
MARKERS = {Relevance.STRONG: "s", Relevance.WEAK: "D", Relevance.IRRELEVANT: "o"}
N_PATIENTS = 90


@dataclass
class Patients:
    """Ill (1) or well (-1), and two measurements in standard units."""

    points: np.ndarray
    ill: np.ndarray
    names: tuple[str, str]

    def relevance(self, tolerance: float = 0.1) -> RelevanceResult:
        """What the library finds, at a C that suits all pictures."""
        frame = pd.DataFrame(self.points, columns=self.names)
        model = ClassificationRelevance(C=0.1, tolerance=tolerance, random_state=0)
        return model.fit(frame, self.ill).result_

    def losses(self, weights: np.ndarray) -> np.ndarray:
        """The loss of each pair of weights, with the offset that suits it best.

        Between the offsets at which a patient begins to miss the margin the loss is linear.
        """
        scores = weights @ self.points.T
        offsets = self.ill - scores
        best = np.full(len(weights), np.inf)
        for offset in offsets.T:
            short = 1 - self.ill * (scores + offset[:, None])
            best = np.minimum(best, np.maximum(short, 0).sum(axis=1))
        return best


def two_causes() -> Patients:
    """Two measurements without relation to each other; the illness depends on both."""
    rng = np.random.default_rng(3)
    first, second, chance = rng.standard_normal((3, N_PATIENTS))
    return _patients(first, second, 1.2 * first + 0.8 * second + 0.7 * chance, ("crp", "fever"))


def twins() -> Patients:
    """Two measurements of the same thing."""
    rng = np.random.default_rng(5)
    lungs, chance, first, second = rng.standard_normal((4, N_PATIENTS))
    return _patients(
        lungs + 0.1 * first, lungs + 0.1 * second, lungs + 0.5 * chance, ("FEV1", "peak flow")
    )


def _patients(
    first: np.ndarray, second: np.ndarray, severity: np.ndarray, names: tuple[str, str]
) -> Patients:
    points = StandardScaler().fit_transform(np.column_stack([first, second]))
    return Patients(points, np.where(severity > 0, 1, -1), names)


def grid(result: RelevanceResult, steps: int = 141) -> tuple[np.ndarray, np.ndarray]:
    """A square of weights, around zero, that holds every good model."""
    ends = 1.15 * result.norm_limit * np.linspace(-1, 1, steps)
    across, up = np.meshgrid(ends, ends)
    return ends, np.column_stack([across.ravel(), up.ravel()])


def excess(patients: Patients, result: RelevanceResult, weights: np.ndarray) -> np.ndarray:
    """How far a model is beyond what a good one may have; at most 1: it is good."""
    norms = np.abs(weights).sum(axis=1) / result.norm_limit
    return np.maximum(norms, patients.losses(weights) / result.loss_limit)


def draw_set(ax: Axes, patients: Patients, result: RelevanceResult, **look: object) -> None:
    """The good models, as an area in the plane of weights."""
    ends, weights = grid(result)
    values = excess(patients, result, weights).reshape(len(ends), -1)
    ax.contourf(ends, ends, values, levels=[0, 1], colors=[look.get("color", GREEN)], alpha=0.35)
    ax.contour(ends, ends, values, levels=[1], colors=[look.get("color", GREEN)], linewidths=1.5)


def view(results: list[RelevanceResult]) -> tuple[float, float]:
    """Limits of both axes, with room for shadows below zero."""
    ends = np.concatenate([result.weight_ranges.ravel() for result in results])
    low, high = min(0.0, ends.min()), ends.max()
    return low - 0.35 * (high - low), high + 0.15 * (high - low)


def draw_plane(ax: Axes, patients: Patients, limits: tuple[float, float]) -> None:
    ax.axhline(0, color="black", linewidth=0.8)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(xlim=limits, ylim=limits, aspect="equal")
    ax.set_xlabel(f"weight of {patients.names[0]}")
    ax.set_ylabel(f"weight of {patients.names[1]}")


def draw_best(ax: Axes, result: RelevanceResult) -> None:
    ax.plot(*result.baseline.weights, "*", color="black", markersize=13, label="best model")


def draw_shadows(ax: Axes, result: RelevanceResult, limits: tuple[float, float]) -> None:
    """The range of each weight: the shadow of the set of good models on an axis."""
    (left, right), (low, high) = result.weight_ranges
    near, far = limits
    wall = near + 0.06 * (far - near)
    bar = {"linewidth": 7, "solid_capstyle": "butt"}
    first, second = (COLORS[Relevance(each)] for each in result.relevance)
    ax.plot([left, right], [wall, wall], color=first, **bar)
    ax.plot([wall, wall], [low, high], color=second, **bar)
    dots = {"color": GREY, "linestyle": ":", "linewidth": 1}
    for end in (left, right):
        ax.plot([end, end], [wall, far], **dots)
    for end in (low, high):
        ax.plot([wall, far], [end, end], **dots)
    middle = {"textcoords": "offset points", "ha": "center", "va": "center"}
    ax.annotate("shadow", ((left + right) / 2, wall), (0, 11), **middle)
    ax.annotate("shadow", (wall, (low + high) / 2), (11, 0), rotation=90, **middle)


def draw_patients(ax: Axes, patients: Patients) -> None:
    for sign, marker, color, label in ((1, "o", RED, "ill"), (-1, "s", BLUE, "well")):
        chosen = patients.points[patients.ill == sign]
        ax.scatter(*chosen.T, marker=marker, color=color, s=18, alpha=0.7, label=label)
    ax.set(xlim=(-3, 3), ylim=(-3, 3), aspect="equal")
    ax.set_xlabel(f"{patients.names[0]} (standard units)")
    ax.set_ylabel(f"{patients.names[1]} (standard units)")


def draw_line(ax: Axes, patients: Patients, weights: np.ndarray, color: str) -> None:
    """Where a model changes from ill to well, with the offset that suits it best."""
    scores = patients.points @ weights
    offsets = patients.ill - scores
    misses = [np.maximum(0, 1 - patients.ill * (scores + each)).sum() for each in offsets]
    offset = offsets[int(np.argmin(misses))]
    across = np.array([-3.0, 3.0])
    ax.plot(across, -(offset + weights[0] * across) / weights[1], color=color, linewidth=2)


def models() -> Figure:
    """A model is a line through the patients, and a point in the plane of weights."""
    patients = two_causes()
    result = patients.relevance()
    figure, (left, right) = _panels(2)
    draw_patients(left, patients)
    _, weights = grid(result, steps=80)
    good = weights[excess(patients, result, weights) <= 1]
    right.scatter(*good.T, s=7, color=GREEN, label="good models")
    examples = [
        good[np.argmin(good[:, 0])],
        good[np.argmax(good[:, 0])],
        good[np.argmax(good[:, 1])],
    ]
    for each, color, marker in zip(examples, (ORANGE, "#CC79A7", "#56B4E9"), "ovD", strict=True):
        draw_line(left, patients, each, color)
        right.plot(*each, marker, color=color, markeredgecolor="black", markersize=9)
    draw_line(left, patients, result.baseline.weights, "black")
    draw_plane(right, patients, view([result]))
    draw_best(right, result)
    left.set_title("Four good models: lines between ill and well")
    right.set_title("The same four, and all others: points")
    left.legend(loc="lower left")
    right.legend(loc="upper left")
    return figure


def shadow() -> Figure:
    """The set of good models and its shadows: two strong features."""
    patients = two_causes()
    figure, (ax,) = _panels(1)
    _draw_answer(ax, patients)
    ax.set_title("Both shadows keep away from zero: strong")
    return figure


def twin_shadow() -> Figure:
    """Twins: the set lies across, and each shadow reaches zero."""
    patients = twins()
    figure, (left, right) = _panels(2)
    draw_patients(left, patients)
    left.legend(loc="lower right")
    left.set_title("Two measurements of the same thing")
    _draw_answer(right, patients)
    right.set_title("Both shadows reach zero: each can go, not both")
    return figure


def _draw_answer(ax: Axes, patients: Patients) -> None:
    result = patients.relevance()
    draw_set(ax, patients, result)
    draw_plane(ax, patients, view([result]))
    draw_shadows(ax, result, view([result]))
    draw_best(ax, result)
    ax.legend(loc="upper right")


def tolerance() -> Figure:
    """The more a good model may lose, the larger their set, and the wider the intervals."""
    patients = two_causes()
    results = {each: patients.relevance(each) for each in (0.5, 0.2, 0.05)}
    figure, (left, right) = _panels(2)
    for (each, result), color in zip(results.items(), ("#56B4E9", GREEN, BLUE), strict=True):
        draw_set(left, patients, result, color=color)
        left.plot([], [], color=color, linewidth=6, label=f"tolerance {each:g}")
    draw_plane(left, patients, view(list(results.values())))
    draw_best(left, results[0.05])
    left.set_title("The set grows with the tolerance")
    left.legend(loc="upper right")
    _draw_intervals(right, results)
    return figure


def _draw_intervals(ax: Axes, results: dict[float, RelevanceResult]) -> None:
    rows, labels = [], []
    for feature, name in enumerate(results[0.5].feature_names):
        for each in sorted(results):
            result = results[each]
            low, high = result.intervals[feature]
            weak = result.relevance[feature] == Relevance.WEAK
            look = {"color": ORANGE if weak else BLUE, "hatch": "///" if weak else ""}
            ax.barh(len(rows), high - low, left=low, edgecolor="black", height=0.6, **look)
            rows.append(len(rows))
            labels.append(f"{name}, {each:g}")
    ax.set_yticks(rows, labels)
    ax.invert_yaxis()
    ax.set_xlim(left=0)
    ax.set_xlabel("relevance")
    ax.set_title("Intervals grow too (hatched: weak)")


def probes() -> Figure:
    """What permuted measurements reach, and what the real ones do."""
    X, progression = load_diabetes(return_X_y=True, as_frame=True)
    result = OrdinalRelevance(random_state=0).fit(X, pd.qcut(progression, 5, labels=False)).result_
    figure, (ax,) = _panels(1, height=3.6, width=8)
    chance = result.probe_intervals[:, 1]
    ax.scatter(chance, np.zeros_like(chance), marker="|", s=160, color=GREY, label="probes")
    order = np.argsort(result.intervals[:, 1])
    for place, feature in enumerate(order, start=1):
        relevance = Relevance(result.relevance[feature])
        look = {"color": COLORS[relevance], "marker": MARKERS[relevance]}
        ax.plot(result.intervals[feature, 1], place, markeredgecolor="black", **look)
    for relevance, marker in MARKERS.items():
        color, name = COLORS[relevance], relevance.name.lower()
        ax.plot([], [], marker, color=color, markeredgecolor="black", label=name)
    ax.axvline(result.thresholds.maxrel, color="black", linestyle="--", label="threshold")
    ax.set_yticks(range(len(order) + 1), ["50 probes", *X.columns[order]])
    ax.set_xlim(left=0)
    ax.set_xlabel("maxrel: the most that a good model makes of it")
    ax.legend(loc="lower right")
    return figure


def _panels(number: int, width: float = 5.2, height: float = 5.2) -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(width * number, height), layout="constrained")
    return figure, figure.subplots(1, number, squeeze=False)[0]


PICTURES = {
    "method_models": models,
    "method_shadow": shadow,
    "method_twins": twin_shadow,
    "method_tolerance": tolerance,
    "method_probes": probes,
}


def main(folder: Path = Path(__file__).parent / "images") -> None:
    with mpl.rc_context({"font.size": 11}):
        for name, draw in PICTURES.items():
            draw().savefig(folder / f"{name}.png", dpi=110)


if __name__ == "__main__":
    main()
