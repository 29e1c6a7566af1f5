"""How good is the model that the answer rests on, and what counts as good?"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from relbounds.results.records import Candidate
from relbounds.results.result import RelevanceResult
from relbounds.wording.text import percent


class Reading(NamedTuple):
    """What the score was, what it would be without any feature, and that as an error."""

    score: str = ""
    guessing: str = ""
    guessing_error: float = np.inf


def quality(result: RelevanceResult) -> dict[str, Any]:
    """The score, what it means, and the limits of good models."""
    chosen = _chosen(result)
    read = Reading() if chosen is None else _READINGS[result.task](result, chosen)
    return {
        "score": read.score,
        "guessing": read.guessing,
        "no_better": chosen is not None
        and chosen.mean + chosen.standard_error >= read.guessing_error,
        "folds": 0 if chosen is None else len(chosen.errors),
        "candidates": len(result.tuning),
        "good": _what_is_good(result),
        "facts": _facts(result),
    }


def _chosen(result: RelevanceResult) -> Candidate | None:
    """The line of the score table that was chosen; None if nothing was tuned."""
    wanted = {
        name: value for name, value in result.hyperparameters.items() if name != "free_slack_price"
    }
    return next((each for each in result.tuning if each.hyperparameters == wanted), None)


def _of_ranks(result: RelevanceResult, chosen: Candidate) -> Reading:
    ranks = np.arange(len(result.data.classes or ()))
    guess = float(np.abs(ranks[:, None] - ranks).mean(axis=0).min())
    score = (
        f"On samples that it had not seen, the model missed by {chosen.mean:.2f} classes on "
        f"average (standard error {chosen.standard_error:.2f}), every class counting the same."
    )
    return Reading(score, f"Always naming the middle class would miss by {guess:.2f}.", guess)


def _of_labels(_result: RelevanceResult, chosen: Candidate) -> Reading:
    score = (
        f"On samples that it had not seen, the model was right in {percent(1 - chosen.mean)} "
        f"(standard error {percent(chosen.standard_error)}), both classes counting the same."
    )
    return Reading(score, "Guessing is right in 50 %.", 0.5)


def _of_numbers(result: RelevanceResult, chosen: Candidate) -> Reading:
    smallest = min(result.tuning, key=lambda each: each.C)
    guess = np.inf if smallest.has_weights else smallest.mean
    without = f"A model without features misses by {guess:.2f}." if np.isfinite(guess) else ""
    score = (
        f"On samples that it had not seen, the model missed by {chosen.mean:.2f} on average "
        f"(standard error {chosen.standard_error:.2f}), in standard deviations of the outcome "
        "(in its own units with standardize=False)."
    )
    return Reading(score, without, guess)


_READINGS: dict[str, Callable[[RelevanceResult, Candidate], Reading]] = {
    "ordinal": _of_ranks,
    "classification": _of_labels,
    "regression": _of_numbers,
}


def _what_is_good(result: RelevanceResult) -> str:
    if result.tolerances is None:
        return ""
    norm, loss = result.tolerances.norm, result.tolerances.loss
    if loss is None:
        return (
            "A model counts as good if its total weight and its loss together (half the total "
            f"weight and C times the loss) exceed the best model's by at most {percent(norm)}."
        )
    same = f"each exceed the best model's by at most {percent(norm)}"
    each = f"exceed the best model's by at most {percent(norm)} (weight) and {percent(loss)} (loss)"
    return (
        "A model counts as good if its total weight and its loss (what it gets wrong on these "
        f"data) {same if norm == loss else each}."
    )


def _facts(result: RelevanceResult) -> list[tuple[str, str]]:
    best = result.baseline
    facts = [("Total weight of the best model", f"{best.norm:.4g}")]
    if not result.is_degenerate:
        facts.append(("Of a good model, at most", f"{result.norm_limit:.4g}"))
    facts.append(("Loss of the best model", f"{best.loss:.4g}"))
    if not result.is_degenerate:
        facts.append(("Of a good model, at most", f"{result.loss_limit:.4g}"))
    return facts
