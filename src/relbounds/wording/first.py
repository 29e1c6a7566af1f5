"""What has to be said before the answer? Suspicions, a model of no use, classes that are tiny."""

import json
import shlex
from collections.abc import Sequence

from relbounds.results.result import RelevanceResult
from relbounds.wording.text import MOST_NAMES, counted, listed, written

_ENCODED = "="  # colour=red was made of colour
FEW_SAMPLES = 5
"""A class of no more is hardly known."""


def first_lines(result: RelevanceResult) -> list[str]:
    """Sentences that come before all others; mostly none."""
    return [*on_suspects(result), *on_a_bad_model(result), *on_small_classes(result)]


def on_suspects(result: RelevanceResult) -> list[str]:
    """Who may be the outcome in disguise: alone, or together in a model that hardly errs."""
    if result.suspects:
        return [_alone(result)]
    if together := result.suspected_together:
        return [_together(together)]
    return []


def _alone(result: RelevanceResult) -> str:
    names = [each.column for each in result.suspects]
    them = "it" if len(names) == 1 else "them"
    is_sure = max(each.error for each in result.suspects) == 0
    tells = "tells" if len(names) == 1 else "each tell"
    what = "the outcome" if result.data.classes is None else "the classes apart"
    return (
        f"{listed(names)} alone {tells} {what} {'' if is_sure else 'almost '}without error: "
        f"{_is_it(names, 'part of how the outcome was defined')} Beside {them} all others can look "
        f"idle. Leave {them} out with {_options(names)}."
    )


def _together(names: Sequence[str]) -> str:
    columns = list(dict.fromkeys(name.partition(_ENCODED)[0] for name in names))
    them = "it" if len(columns) == 1 else "them"
    return (
        f"The best model hardly errs on samples that it had not seen, by {listed(columns)}: "
        f"{_is_it(columns, 'what the outcome is made of')} If so, leave {them} out with "
        f"{_options(columns)}."
    )


def _is_it(names: Sequence[str], what: str) -> str:
    is_it, did = ("is it", "did it") if len(names) == 1 else ("are they", "did they")
    return f"{is_it} {what}, or {did} come after it?"


def _options(names: Sequence[str]) -> str:
    """What leaves columns out, at the shell and in Python."""
    shown = list(names[:MOST_NAMES])
    typed = " ".join(f"--drop {shlex.quote(name)}" for name in shown)
    return f"{typed} (drop={json.dumps(shown, ensure_ascii=False)} in Python)"


def on_a_bad_model(result: RelevanceResult) -> list[str]:
    """A warning, if the best model is no better than one that gives the same answer to all."""
    chosen = result.chosen
    if chosen is None or result.is_degenerate or not result.is_no_better_than_a_constant:
        return []
    how = "worse" if result.errs_more_than_a_constant else "hardly better"
    sentence = (
        f"The best model predicts {how} than one that gives the same answer to all: on samples "
        f"that it had not seen its error was {written(chosen.mean)}, against "
        f"{written(result.error_without_features)}. What is said about weights is of little worth; "
        "what features tell alone and beside all others holds."
    )
    return [sentence]


def on_small_classes(result: RelevanceResult) -> list[str]:
    """Classes that have so few samples that hardly anything is known of them."""
    if result.data.class_sizes is None:
        return []
    few = [
        f"{label} ({counted(size, 'sample')})"
        for label, size in zip(
            result.data.classes or (), result.data.class_sizes.tolist(), strict=True
        )
        if size <= FEW_SAMPLES
    ]
    if not few:
        return []
    them = "it" if len(few) == 1 else "them"
    sentence = (
        f"Hardly anything is known of the class{'es' * (len(few) > 1)} {listed(few)}: put {them} "
        f"together with another, or leave {them} out, if what tells {them} apart does not matter."
    )
    return [sentence]
