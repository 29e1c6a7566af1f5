"""How good is the model that the answer rests on, and what counts as good?"""

from typing import Any

import numpy as np

from relbounds.results.records import Candidate
from relbounds.results.result import RelevanceResult
from relbounds.wording.outcome import on_classes
from relbounds.wording.tasks import TaskWords, words_of
from relbounds.wording.text import percent


def quality(result: RelevanceResult) -> dict[str, Any]:
    """The score, what it means, and the limits of good models."""
    words = words_of(result.task, is_each_told_apart=bool(result.regular.classes))
    chosen = result.chosen
    guess = np.inf if chosen is None else result.error_without_features
    guessing = words.guessing.format(guess=guess, guessed=percent(1 - guess))
    return {
        "score": "" if chosen is None else _score(words, chosen),
        "guessing": guessing if np.isfinite(guess) else "",
        "folds": 0 if chosen is None else len(chosen.errors),
        "candidates": len(result.tuning),
        "good": _what_is_good(result),
        "classes": on_classes(result),
        "facts": _facts(result),
    }


def _score(words: TaskWords, chosen: Candidate) -> str:
    score = words.score.format(
        error=chosen.mean,
        standard_error=chosen.standard_error,
        right=percent(1 - chosen.mean),
        standard_error_in_percent=percent(chosen.standard_error),
    )
    return f"On samples that it had not seen, the model {score}."


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
