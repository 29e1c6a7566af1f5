"""Generalisation: what do the paper's bounds promise on the sets of Table 2, and what comes true?

A sample's loss is the ramp loss at the boundaries of its class: how far it misses each margin, at
most 1 for each. The bounds are on its expectation, for the best model and for all good ones, with
95 % confidence. The expectation itself is taken from fresh samples of the same kind. What good
models lose is seen on many of them: the best model with one weight moved, up or down, as far as
its budgets allow.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from experiments import pages
from experiments.pieces import Piece, Row
from relbounds import OrdinalRelevance, RelevanceResult
from relbounds.datasets import PAPER_SETS
from relbounds.metrics import macro_mean_absolute_error

NAME = "bounds"
TITLE = "Generalisation bounds on the sets of Table 2"
NEEDS_DATA = False

NOISE = {"clean": 0.0, "noisy": 0.5}
RUNS, FRESH = 5, 10_000
QUICK_SETS = (4, 3, 2, 1)
_HALVINGS = 40


def pieces(quick: bool) -> list[Piece]:
    numbers = QUICK_SETS if quick else sorted(PAPER_SETS, reverse=True)
    return [
        Piece(
            f"set {number} {data} run {run}", compare, {"number": number, "data": data, "run": run}
        )
        for number in numbers
        for data in NOISE
        for run in range(1 if quick else RUNS)
    ]


def compare(number: int, data: str, run: int) -> list[Row]:
    """The bounds of one draw, and the losses of best and good models on it and on fresh samples.

    Both are drawn at once, since a draw has constants and class limits of its own.
    """
    n = PAPER_SETS[number].n_samples
    X, y, _ = replace(PAPER_SETS[number], n_samples=n + FRESH).make(NOISE[data], run)
    X = (X - X[:n].mean(axis=0)) / X[:n].std(axis=0)
    found = OrdinalRelevance(random_state=run).fit(X[:n], y[:n])
    result, best = found.result_, found.result_.baseline
    steps = good_steps(result, X[:n], y[:n])
    fresh = X[n:] @ best.weights
    worst = max(
        ramp_loss(fresh + step * X[n:, feature], best.offsets, y[n:]) for feature, step in steps
    )
    return [
        {
            "set": number,
            "data": data,
            "run": run,
            "bound_best": result.generalization_bound(baseline_only=True),
            "bound_good": result.generalization_bound(),
            "norm": best.norm,
            "norm_limit": result.norm_limit,
            "hinge_loss": best.loss / n,
            "hinge_loss_limit": result.loss_limit / n,
            "n_classes": len(result.data.classes),
            "train_ramp_best": ramp_loss(X[:n] @ best.weights, best.offsets, y[:n]),
            "fresh_ramp_best": ramp_loss(fresh, best.offsets, y[n:]),
            "fresh_ramp_worst_good": worst,
            "good_models": len(steps),
            "fresh_mmae_best": macro_mean_absolute_error(y[n:], found.predict(X[n:])),
            "beyond_R": np.mean(np.abs(X[n:]).max(axis=1) > result.data.largest_value),
        }
    ]


def hinge_losses(scores: np.ndarray, offsets: np.ndarray, y: np.ndarray) -> np.ndarray:
    """By how much each sample misses its margin at the boundary above its class and below it."""
    ends = np.concatenate([[-np.inf], offsets, [np.inf]])
    missed = 1 - np.column_stack([ends[y + 1] - scores, scores - ends[y]])
    return np.maximum(0, missed)


def ramp_loss(scores: np.ndarray, offsets: np.ndarray, y: np.ndarray) -> float:
    """The mean over samples; between 0 and 2."""
    return float(np.minimum(1, hinge_losses(scores, offsets, y)).sum(axis=1).mean())


def good_steps(result: RelevanceResult, X: np.ndarray, y: np.ndarray) -> list[tuple[int, float]]:
    """(feature, step): how far each weight of the best model can go if all else stays.

    Two for each feature, down and up. Norm and loss are convex, so that halving finds where they
    leave the budget.
    """
    best = result.baseline
    scores = X @ best.weights

    def is_good(feature: int, step: float) -> bool:
        norm = best.norm - abs(best.weights[feature]) + abs(best.weights[feature] + step)
        loss = hinge_losses(scores + step * X[:, feature], best.offsets, y).sum()
        return norm <= result.norm_limit and loss <= result.loss_limit

    found = []
    for feature in range(X.shape[1]):
        for sign in (-1.0, 1.0):
            near, far = 0.0, sign * 2 * result.norm_limit
            for _ in range(_HALVINGS):
                middle = (near + far) / 2
                near, far = (middle, far) if is_good(feature, middle) else (near, middle)
            found.append((feature, near))
    return found


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    means = rows.groupby(["set", "data"], as_index=False).mean(numeric_only=True)
    table = means.drop(columns="run").assign(runs=rows.groupby(["set", "data"]).size().to_numpy())
    pages.write_csv(table, out / "bounds.csv")
    pages.write_page(
        out / "bounds.md",
        TITLE,
        [_ABOUT, _summary(rows), _shown(table), _READING],
        rows,
        seeds=f"run k is drawn with seed k, from 0 to {rows['run'].max()}",
    )


_ABOUT = (
    "Explicit order, all settings at their defaults. A sample loses at most 2 (1 at each boundary "
    f"of its class). Fresh samples: {FRESH:,} for each run. Good models: the best one with one "
    "weight moved as far as the budgets allow, two for each feature; shown is the one that loses "
    "most. Their bound takes the largest norm and the largest loss that a good model may have (in "
    "the paper good models may have more norm only). Means over runs."
)
_READING = (
    "A bound above 2 promises nothing about a loss that cannot exceed 2. The training loss is "
    "multiplied by the number of classes, and the largest part is the norm's, with its factor "
    "4 R sqrt(2 log(2d) / n). What the bounds are good for is comparison: the column `good / best` "
    "says how much of the promise is given up by admitting all good models.\n\n"
    "The theorem asks for features within R. Those here are Gaussian; R is the largest value in "
    "the training data, and the last column is the share of fresh samples with a value beyond it."
)


def _summary(rows: pd.DataFrame) -> str:
    holds = (rows["fresh_ramp_best"] <= rows["bound_best"]) & (
        rows["fresh_ramp_worst_good"] <= rows["bound_good"]
    )
    ratio = rows["bound_good"] / rows["bound_best"]
    gap = rows["fresh_ramp_worst_good"] - rows["fresh_ramp_best"]
    return (
        f"- Both bounds hold in {holds.sum()} of {len(rows)} runs; the smallest of all is "
        f"{rows['bound_best'].min():.0f}, the largest loss on fresh samples "
        f"{rows['fresh_ramp_worst_good'].max():.2f}.\n"
        f"- The bound for all good models is {ratio.mean():.2f} times that for the best one (at "
        f"most {ratio.max():.2f} times); the good models seen lose up to {gap.mean():.3f} more "
        f"than the best on average, and {gap.max():.3f} at most."
    )


def _shown(table: pd.DataFrame) -> str:
    columns = {
        "set": table["set"],
        "data": table["data"],
        "bound, best": table["bound_best"],
        "bound, good": table["bound_good"],
        "good / best": table["bound_good"] / table["bound_best"],
        "training hinge loss": table["hinge_loss"],
        "training ramp loss": table["train_ramp_best"],
        "fresh ramp loss, best": table["fresh_ramp_best"],
        "fresh ramp loss, good": table["fresh_ramp_worst_good"],
        "fresh MMAE, best": table["fresh_mmae_best"],
        "beyond R": table["beyond_R"],
    }
    digits = {"bound, best": 0, "bound, good": 0}
    return pages.markdown_of(pd.DataFrame(columns), digits)
