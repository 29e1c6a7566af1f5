"""What happened when somebody pulled at a feature, in a sentence?"""

from collections.abc import Mapping, Sequence

import numpy as np

from relbounds.arrays import BoolArray
from relbounds.results.answers import ConstrainedResult
from relbounds.results.result import RelevanceResult
from relbounds.wording.text import is_or_are, listed


def of_constraints(
    result: ConstrainedResult, absent: Sequence[str], limited: Sequence[str]
) -> list[str]:
    """Who else is needed only now, who is no longer, and who is in every model that is left."""
    now, before = _Told(result), _Told(result.before)
    others = ~np.isin(now.names, [*absent, *limited])
    strong, needed = now.strong & ~before.strong, now.needed & ~before.needed
    said = _said(
        {
            "indispensable": now.of(strong & others),
            "needed": now.of(needed & ~strong & others),
            "in every good model": now.of(now.used & ~before.used & ~now.needed & others),
            "no longer proved to add to the others": now.of(before.needed & ~now.needed & others),
        }
    )
    beginning = _beginning(absent, limited)
    if said:
        return [f"{beginning}, {'; '.join(said)}."]
    return [f"{beginning}, nothing else becomes needed."]


def of_tolerance(result: RelevanceResult, first: RelevanceResult) -> list[str]:
    """Whose class differs from that at the tolerance of the fit."""
    now, before, used = _Told(result), _Told(first), result.tolerances
    said = _said(
        {
            "indispensable": now.of(now.strong & ~before.strong),
            "no longer indispensable": now.of(before.strong & ~now.strong),
            "of use": now.of(now.relevant & ~before.relevant),
            "of no use beyond chance": now.of(before.relevant & ~now.relevant),
        }
    )
    share = f"{used.norm:.3g}" if used else ""
    return [
        f"With a tolerance of {share}, {'; '.join(said) if said else 'every class is the same'}."
    ]


def _beginning(absent: Sequence[str], limited: Sequence[str]) -> str:
    if not absent:
        return "Within these limits"
    return f"Without {listed(absent)}{' and within the limits' if limited else ''}"


def _said(found: Mapping[str, Sequence[str]]) -> list[str]:
    """What is said of those of whom there is anything to say."""
    return [f"{listed(names)} {is_or_are(names)} {what}" for what, names in found.items() if names]


class _Told:
    """What a result says of all its features, sides one after another."""

    def __init__(self, result: RelevanceResult) -> None:
        sides = result.sides
        self.names = np.array([name for side in sides for name in side.feature_names])
        relevance = np.concatenate([side.relevance for side in sides])
        self.relevant: BoolArray = relevance > 0
        self.strong: BoolArray = relevance == 2
        self.needed: BoolArray = np.concatenate([side.needed for side in sides])
        self.used: BoolArray = np.concatenate([side.in_every_model for side in sides])

    def of(self, chosen: BoolArray) -> list[str]:
        names: list[str] = self.names[chosen].tolist()
        return names
