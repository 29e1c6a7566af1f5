"""Draws the figures of docs/benchmarks.md.

    python benchmarks/figures.py [--results FILE] [--folder FOLDER]

All that they show is in the results.
"""

import argparse
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from results import FRI, OURS, RESULTS, Results

FOLDER = Path(__file__).parent.parent / "docs" / "images"
COLOURS = {
    "relbounds-auto": "#0b6e4f",
    "relbounds-interior": "#6bbf59",
    "relbounds-simplex": "#2e86ab",
    "fri": "#c0392b",
    "cvxpy-clarabel": "#e08e0b",
    "cvxpy-highs": "#8e6c8a",
    "boruta": "#7f7f7f",
    "rfecv": "#b5b5b5",
}
KINDS = {
    "clean": {"marker": "o", "linestyle": "", "color": "#0b6e4f"},
    "noisy": {"marker": "s", "linestyle": "", "color": "#c0392b"},
}
WANTED = 50


def versus_fri(results: Results) -> Figure:
    """How many times faster than fri; hollow where bounds differ or were not compared."""
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    problems = [*results.problems("sets"), *results.problems("privileged")]
    labels = list(dict.fromkeys(_without_noise(problem) for problem in problems))
    for problem in problems:
        axes.plot(
            labels.index(_without_noise(problem)),
            results.times_faster_than_fri(problem, "fit"),
            fillstyle="full" if results.agree(problem, "fri") else "none",
            **KINDS["clean" if problem.endswith("clean") else "noisy"],
        )
    for kind, style in KINDS.items():
        axes.plot([], [], label=kind, **style)
    axes.axhline(WANTED, color="0.6", linestyle="--", linewidth=1, label=f"{WANTED} times")
    axes.set(yscale="log", ylim=(1, None), ylabel="times faster than fri 9.0.0")
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right")
    axes.legend(frameon=False)
    return figure


def _without_noise(problem: str) -> str:
    return problem.removesuffix(" clean").removesuffix(" noisy")


def growth_in_samples(results: Results) -> Figure:
    figure, (fit, program, memory) = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
    engines = ("relbounds-auto", "relbounds-interior", "relbounds-simplex")
    for method in (*engines, *FRI):
        _draw(fit, method, results.curve("growth-n", "fixed", method, "seconds"))
        _draw(memory, method, results.curve("growth-n", "fixed", method, "rise_bytes"))
    for method in (*engines, "cvxpy-clarabel", "cvxpy-highs", "fri-sampled"):
        _draw(program, method, results.curve("growth-n", "fixed", method, "seconds_per_program"))
    _draw(
        memory, "cvxpy-clarabel", results.curve("growth-n", "fixed", "cvxpy-clarabel", "rise_bytes")
    )
    sizes, data = results.curve("growth-n", "fixed", OURS, "data_bytes")
    memory.plot(sizes, 6 * data, color="0.6", linestyle="--", linewidth=1, label="6 x data")
    fit.set(ylabel="seconds, a fit with C given and 50 probes")
    program.set(ylabel="seconds a program")
    memory.set(ylabel="peak memory of the fit, bytes")
    for axes in (fit, program, memory):
        _finish(axes, "samples (20 features)")
    return figure


def growth_in_features(results: Results) -> Figure:
    figure, axes = plt.subplots(figsize=(6, 3.8), layout="constrained")
    for method in COLOURS:
        _draw(axes, method, results.curve("growth-d", "fit", method, "seconds"))
    _draw(axes, "fri-sampled", results.curve("growth-d", "fit", "fri-sampled", "seconds"))
    sizes, seconds = results.curve("growth-d", "fit", OURS)
    if len(sizes):
        guide = seconds[-1] * np.square(sizes / sizes[-1])
        axes.plot(sizes, guide, color="0.6", linestyle="--", linewidth=1, label="quadratic")
    axes.set(ylabel="seconds, a whole fit")
    _finish(axes, "features (500 samples)")
    return figure


def _draw(axes: Axes, method: str, curve: tuple[np.ndarray, np.ndarray]) -> None:
    """A line for a method, dotted where it was multiplied up from a sample."""
    if np.isfinite(curve[1]).any():
        colour = COLOURS[method.removesuffix("-sampled")]
        style = ":" if method.endswith("sampled") else "-"
        axes.plot(*curve, style, marker="o", markersize=4, color=colour, label=method)


def _finish(axes: Axes, xlabel: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=xlabel)
    if axes.lines:
        axes.legend(frameon=False, fontsize=7)


FIGURES = {
    "bench_fri.png": versus_fri,
    "bench_samples.png": growth_in_samples,
    "bench_features.png": growth_in_features,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    mpl.use("agg")
    mpl.rcParams.update({"axes.spines.top": False, "axes.spines.right": False})
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        draw(Results(arguments.results)).savefig(arguments.folder / name, dpi=150)


if __name__ == "__main__":
    main()
