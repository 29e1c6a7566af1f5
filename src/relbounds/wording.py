"""What does a result say, in plain sentences? Read by the command line and by reports."""

from collections.abc import Sequence

from relbounds.arrangement import arranged
from relbounds.decision import Relevance
from relbounds.result import Findings, RelevanceResult

MOST_NAMES = 8
"""Of more features a sentence names only the first ones."""

_SAYINGS = {
    Relevance.STRONG: (
        "indispensable",
        "no good model does without {them}",
    ),
    Relevance.WEAK: (
        "useful but replaceable",
        "some good model uses {each}, another does without, so that other features can stand in",
    ),
    Relevance.IRRELEVANT: (
        "of no use beyond chance",
        "no good model needs {them} more than a column of permuted, meaningless values",
    ),
}


def summary(result: RelevanceResult) -> list[str]:
    """The answer: a sentence for each class of relevance, most important first."""
    if result.is_degenerate:
        return [result.why_degenerate]
    sentences = _of_side(result, "feature")
    if result.privileged is not None:
        sentences += _of_side(result.privileged, "privileged feature")
    return sentences


def _of_side(side: Findings, noun: str) -> list[str]:
    order = arranged(side)
    names = {
        relevance: [side.feature_names[k] for k in order if side.relevance[k] == relevance]
        for relevance in _SAYINGS
    }
    return [_sentence(names[each], each, noun) for each in _SAYINGS if names[each]] + [
        f"No {noun} is {_SAYINGS[each][0]}." for each in _SAYINGS if not names[each]
    ]


def _sentence(names: Sequence[str], relevance: Relevance, noun: str) -> str:
    what, why = _SAYINGS[relevance]
    one = len(names) == 1
    count = f"One {noun} is" if one else f"{len(names)} {noun}s are"
    reason = why.format(them="it" if one else "them", each="it" if one else "each")
    return f"{count} {what} ({relevance.name.lower()}): {listed(names)}; {reason}."


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """``a, b and c``; beyond so many ``a, b and 7 more``."""
    shown = list(names[:most])
    left = len(names) - len(shown)
    last = f"{left} more" if left else shown.pop()
    return f"{', '.join(shown)} and {last}" if shown else last
