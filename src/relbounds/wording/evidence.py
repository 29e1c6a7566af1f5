"""What proves that a feature is of use, in plain words? Three questions, and their answers."""

from dataclasses import dataclass

import numpy as np

from relbounds.results.answers import Blocks
from relbounds.results.findings import Findings, arranged
from relbounds.results.result import RelevanceResult
from relbounds.wording.rules import rule
from relbounds.wording.text import listed, probability

YES, NO, PARTLY, NOT_ASKED = "yes", "no", "(yes)", "\N{EN DASH}"
_OPEN = {PARTLY: "not sure among so many"}
_ONLY_BY_ITSELF = (
    "it would be proved to add to the others if it were the only one asked about; among so many, "
    "that can be chance."
)


@dataclass(frozen=True)
class Kind:
    """One kind of evidence.

    Attributes
    ----------
    name : str
        Of its column.
    letter : str
        Its mark on a terminal.
    question : str
    meaning : str
        What a yes says, in a few words.
    """

    name: str
    letter: str
    question: str
    meaning: str


KINDS = (
    Kind("alone", "a", "Does it tell something alone?", "tells something about the outcome alone"),
    Kind(
        "in models",
        "m",
        "Does some good model give it more weight than chance would?",
        "some good model gives it more weight than chance would",
    ),
    Kind("beside others", "o", "Does it add to all others?", "adds to all others"),
)


def kinds_asked(side: Findings) -> tuple[int, ...]:
    """Positions of the kinds of evidence that there can be.

    Privileged features say nothing of the outcome, and where nothing was learned there are no good
    models to ask.
    """
    asked = (side.side == "regular", side.probes is not None, True)
    return tuple(np.flatnonzero(asked).tolist())


def marks(side: Findings, position: int) -> tuple[str, str, str]:
    """An answer to each of the three questions about a feature."""
    asked = kinds_asked(side)
    alone, in_models, beside = (
        NOT_ASKED if kind not in asked else YES if side.is_proved[position, kind] else NO
        for kind in range(len(KINDS))
    )
    return alone, in_models, _third(beside, needed=bool(side.needed[position]))


def block_marks(result: RelevanceResult, blocks: Blocks, position: int) -> tuple[str, str, str]:
    """The same about a block, each kind of evidence by itself."""
    limit = 1 - result.confidence if blocks.relevance[position] else -1.0
    alone, in_models, beside = (
        YES if p[position] <= limit else NO
        for p in (blocks.p_alone, blocks.p_in_models, blocks.p_needed)
    )
    if not set(blocks.features[position]) <= set(result.feature_names):
        alone = NOT_ASKED
    return alone, in_models, _third(beside, needed=bool(blocks.needed[position]))


def _third(by_itself: str, *, needed: bool) -> str:
    """Needed takes an error rate over all features."""
    return YES if needed else PARTLY if by_itself == YES else NO


def in_words(side: Findings, position: int) -> str:
    """The answers with their p-values: ``Alone: yes (p = 8e-14). In models: no (p = 0.02).``"""
    answers = marks(side, position)
    return " ".join(
        f"{KINDS[kind].name.capitalize()}: {_OPEN.get(answers[kind], answers[kind])} "
        f"(p = {probability(side.p_of_kinds[position, kind])})."
        for kind in kinds_asked(side)
    )


def on_open_ones(side: Findings, mark: str = PARTLY) -> list[str]:
    """What the mark says of features that are needed only if nobody asks about others."""
    found = any(PARTLY in marks(side, k) for k in range(len(side.feature_names)))
    return [f"{mark}: {_ONLY_BY_ITSELF}"] if found else []


def rule_of(side: Findings) -> str:
    """By which rule features of this side are called relevant, and with which error rate."""
    kinds = {1: "one", 2: "two", 3: "three"}[len(kinds_asked(side))]
    return rule(side.selection, side.confidence, side.level, kinds)


def close_calls(side: Findings) -> list[str]:
    """A sentence on features whose evidence is next to what it has to be."""
    names = [side.feature_names[k] for k in arranged(side) if side.is_close[k]]
    return [f"Too close to call: {listed(names)}. More data may decide otherwise."] if names else []


def legend(side: Findings) -> str:
    """What the letters of a terminal's table stand for."""
    said = [f"{KINDS[kind].letter} = {KINDS[kind].meaning}" for kind in kinds_asked(side)]
    return f"why: {', '.join(said)}."


def proved_counts(side: Findings) -> list[int]:
    """How many features each kind of evidence speaks for; of the last, how many are needed."""
    alone, in_models, _ = np.count_nonzero(side.is_proved, axis=0).tolist()
    return [alone, in_models, int(side.needed.sum())]
