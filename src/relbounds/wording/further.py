"""What do answers to further questions say, in plain sentences?

Read by the command line and by reports.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from relbounds.results.answers import FREE, Blocks, Price, Redundancy, Without
from relbounds.results.records import RESOLUTION, Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.relevance import CLAIMS
from relbounds.wording.text import listed, written

NO_STAND_INS = "No group of features was found that stand in for one another."
ONLY_BOUNDED = (
    "Where two numbers stand for a most, it lies between them: finding it exactly could take long. "
    "The class does not depend on it."
)
NOT_EVERY_WEAK_ONE = (
    "Not every weak feature is in a group: what replaces it may be several others together."
)
_VISIBLE = 1e-4  # a gap that can show in a table


def of_blocks(result: RelevanceResult, blocks: Blocks | None) -> list[str]:
    """What a summary of single columns hides: they may be needed together."""
    if blocks is None:
        return []
    strong = _strong(result)
    hidden = [
        name
        for name, features, relevance in zip(
            blocks.names, blocks.features, blocks.relevance, strict=True
        )
        if relevance == Relevance.STRONG and strong.isdisjoint(features)
    ]
    return [_hidden(hidden)] if hidden else []


def block_claim(blocks: Blocks, position: int) -> str:
    """What is said of one block, in a few words."""
    if _is_used_by_chance(blocks, position):
        return "in every good model, but no more than chance"
    return CLAIMS[Relevance(blocks.relevance[position])]


def _is_used_by_chance(blocks: Blocks, position: int) -> bool:
    is_used = bool(blocks.intervals[position, 0] > RESOLUTION)
    return is_used and blocks.relevance[position] == Relevance.IRRELEVANT


def least_and_most(blocks: Blocks, position: int) -> tuple[tuple[float, float], ...]:
    """Between which values the least total of a block lies, and its most."""
    (least, most), (below, above) = blocks.intervals[position], blocks.gaps[position]
    return (least - below, least), (most, most + above)


def remarks_on(blocks: Blocks) -> list[str]:
    """What a reader of the least and the most has to know."""
    used = [name for k, name in enumerate(blocks.names) if _is_used_by_chance(blocks, k)]
    remarks = [ONLY_BOUNDED] if (blocks.gaps > _VISIBLE).any() else []
    if used:
        remarks.append(
            f"{listed(used)}: in every good model, but no more than chance would make it."
        )
    return remarks


def _strong(result: RelevanceResult) -> set[str]:
    frame = result.to_frame()
    return set(frame.index[frame["relevance"] == "strong"])


def _hidden(names: Sequence[str]) -> str:
    are, their = ("is", "its") if len(names) == 1 else ("are each", "their")
    return (
        f"{listed(names)} {are} indispensable as a whole, although none of {their} columns is by "
        "itself."
    )


def of_absence(
    result: RelevanceResult, without: Without, made_from: Mapping[str, str] | None = None
) -> list[str]:
    """Whether a good model does without some features, at what price, and what changes."""
    price, names = without.price, called(without.price.features, made_from)
    at_once = " at once" if len(names) > 1 else ""
    if price.is_indispensable:
        needed = f"No good model does without {listed(names)}{at_once}{_too_much(result, price)}"
        error = _error(price, "would ")
        return [f"{needed}{'; ' if error else ''}{error}."]
    return [
        f"Without {listed(names)}: a good model exists; {_cost(result, price)}.",
        *_then(without),
    ]


def called(features: Sequence[str], made_from: Mapping[str, str] | None) -> list[str]:
    """Names of features; all columns of one text are called by its name."""
    origins = made_from or {}
    whole = {
        column
        for column in origins.values()
        if {name for name, each in origins.items() if each == column} <= set(features)
    }
    names = (origins[each] if origins.get(each) in whole else each for each in features)
    return list(dict.fromkeys(names))


def _too_much(result: RelevanceResult, price: Price) -> str:
    if not np.isfinite(price.tolerance):
        return ", whatever the tolerance"
    return f": the tolerance would have to be {_beside_used(result, price)}"


def _cost(result: RelevanceResult, price: Price) -> str:
    error = _error(price, "")
    if price.tolerance > FREE:
        taken = f"it takes a tolerance of {_beside_used(result, price)}"
        return f"{taken}, and {error}" if error else taken
    if _grows(price):
        return f"it takes no tolerance, but {error}"
    return f"it costs nothing ({error})" if error else "it costs nothing"


def _beside_used(result: RelevanceResult, price: Price) -> str:
    """The tolerance that is needed beside the one used, with so many digits that they differ."""
    used = result.tolerances
    if used is None:
        return f"{price.tolerance:.2g}"
    if used.loss not in (None, used.norm):
        both = f"{used.norm:.2g} for the weight and {used.loss:.2g} for the loss"
        return f"{price.tolerance:.2g} (used: {both})"
    digits = next((k for k in range(2, 9) if f"{price.tolerance:.{k}g}" != f"{used.norm:.{k}g}"), 9)
    return f"{price.tolerance:.{digits}g} (used: {used.norm:.{digits}g})"


def _error(price: Price, would: str) -> str:
    """How the cross-validated error changes; empty if it is not known."""
    if not np.isfinite(price.score_fall):
        return ""
    before, after = written(price.error), written(price.error_without)
    if before == after:
        return f"the cross-validated error {'would stay' if would else 'stays'} at {before}"
    verb = "grow" if price.score_fall > 0 else "fall"
    return f"the cross-validated error {would}{verb}{'' if would else 's'} from {before} to {after}"


def _grows(price: Price) -> bool:
    return price.score_fall > 0 and written(price.error) != written(price.error_without)


def _then(without: Without) -> list[str]:
    """Which other features change their class."""
    became = without.became()
    if became is None:
        return []
    changes = [
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} "
        f"{CLAIMS[Relevance[label.upper()]]} ({label})"
        for label, names in became.items()
        if names
    ]
    return [f"Then {'; '.join(changes)}."] if changes else ["No other feature changes its class."]


def of_stand_ins(found: Redundancy) -> list[str]:
    """Who stands in for whom, or that nobody does."""
    return found.sentences() or [NO_STAND_INS]


def of_group(group: Sequence[str], needed: Sequence[str]) -> str:
    text = f"{listed(group)} stand in for one another"
    if len(needed) == 1:
        return f"{text}, but {needed[0]} is needed all the same."
    if len(needed) == 2:
        first, second = needed
        return f"{text}: without {first}, {second} becomes indispensable, and the other way round."
    return f"{text}: at least one of {listed(needed)} is needed."
