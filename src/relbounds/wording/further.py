"""What do answers to further questions say, in plain sentences?

Read by the command line and by reports.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from relbounds.results.answers import FREE, Blocks, Covers, Price, Redundancy
from relbounds.results.follow_ups import Without
from relbounds.results.records import RESOLUTION, Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import YES, block_marks
from relbounds.wording.relevance import Group
from relbounds.wording.text import is_or_are, listed, written

NO_STAND_INS = "No group of features was found that stand in for one another."
NOT_EVERY_WEAK_ONE = (
    "Not every weak feature is in a group: what replaces it may be several others together, and "
    "what adds something of its own has nothing that replaces it."
)
HOW_COVERED = (
    "A feature that is covered adds to the others once all that covers for it is left out, and is "
    "not proved to before. So do not drop it together with all of them."
)
_MOST_COVERED, _MOST_COVERS = 12, 6
"""How many sentences, and how many names in each, people read."""
_VISIBLE = 1e-4  # a gap that can show in a table


def of_blocks(result: RelevanceResult, blocks: Blocks | None) -> list[str]:
    """What a summary of single columns hides: they may be needed together."""
    if blocks is None:
        return []
    hidden: dict[Group, list[str]] = {group: [] for group in _AS_A_WHOLE}
    best = _groups(result)
    for k, name in enumerate(blocks.names):
        group = _group(blocks, k)
        columns = [best.get(each, Group.IDLE) for each in blocks.features[k]]
        better = any(_ORDER[each] <= _ORDER[group] for each in columns)
        if group in hidden and not better:
            hidden[group].append(name)
    return [_hidden(group, names) for group, names in hidden.items() if names]


_ORDER = {group: place for place, group in enumerate(Group)}
_AS_A_WHOLE = {  # what is said of one block, of several, and of none of its columns
    Group.INDISPENSABLE: ("is indispensable", "are each indispensable", "is by itself"),
    Group.OWN: ("adds to all others", "each add to all others", "is proved to by itself"),
    Group.REPLACEABLE: ("tells something", "each tell something", "is proved to by itself"),
}


def _groups(result: RelevanceResult) -> dict[str, Group]:
    """The group of each feature."""
    frame = result.to_frame()
    return {
        name: Group.of(relevance, needed)
        for name, relevance, needed in zip(
            frame.index, frame["relevance"].cat.codes, frame["needed"], strict=True
        )
    }


def _group(blocks: Blocks, position: int) -> Group:
    return Group.of(int(blocks.relevance[position]), bool(blocks.needed[position]))


def _hidden(group: Group, names: Sequence[str]) -> str:
    one, several, none = _AS_A_WHOLE[group]
    said, their = (one, "its") if len(names) == 1 else (several, "their")
    return f"{listed(names)} {said} as a whole, although none of {their} columns {none}."


def block_claim(blocks: Blocks, position: int) -> str:
    """What is said of one block, in a few words."""
    group = _group(blocks, position)
    return _USED[group] if _is_used(blocks, position) and group in _USED else group.value


_USED = {
    Group.REPLACEABLE: "in every good model, but not proved to add to the others",
    Group.IDLE: "in every good model, but not proved to be of use",
}
"""What is said instead of a claim that the least weight would seem to contradict."""


def _is_used(blocks: Blocks, position: int) -> bool:
    return bool(blocks.intervals[position, 0] > RESOLUTION)


def least_and_most(blocks: Blocks, position: int) -> tuple[tuple[float, float], ...]:
    """Between which values the least total of a block lies, and its most."""
    (least, most), (below, above) = blocks.intervals[position], blocks.gaps[position]
    return (least - below, least), (most, most + above)


def remarks_on(result: RelevanceResult, blocks: Blocks) -> list[str]:
    """What a reader of the table of blocks has to know."""
    remarks = _only_bounded(blocks)
    for group, claim in _USED.items():
        used = [
            name
            for k, name in enumerate(blocks.names)
            if _is_used(blocks, k) and _group(blocks, k) is group
        ]
        if used:
            remarks.append(f"{listed(used)}: {claim}.")
    by_column = [
        name
        for k, name in enumerate(blocks.names)
        if blocks.relevance[k] > Relevance.IRRELEVANT and YES not in block_marks(result, blocks, k)
    ]
    if by_column:
        remarks.append(
            f"{listed(by_column)}: relevant because of single columns; as a whole nothing is "
            "proved."
        )
    return remarks


def _only_bounded(blocks: Blocks) -> list[str]:
    """What the most of a block may be, where it was not searched to the end."""
    bounds = [
        f"{name} {blocks.intervals[k, 1] + blocks.gaps[k, 1]:.2f}"
        for k, name in enumerate(blocks.names)
        if blocks.gaps[k, 1] > _VISIBLE
    ]
    if not bounds:
        return []
    sentence = (
        "The most of a text is what was reached; finding it exactly could take long. It is at "
        f"most: {listed(bounds)}. No class depends on it."
    )
    return [sentence]


def of_absence(
    result: RelevanceResult | None, without: Without, made_from: Mapping[str, str] | None = None
) -> list[str]:
    """Whether a good model does without some features, at what price, and what changes.

    ``result``: where the price is held beside the tolerance that was used; may be None.
    """
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


def _too_much(result: RelevanceResult | None, price: Price) -> str:
    if not np.isfinite(price.tolerance):
        return ", whatever the tolerance"
    return f": the tolerance would have to be {_beside_used(result, price)}"


def _cost(result: RelevanceResult | None, price: Price) -> str:
    error = _error(price, "")
    if price.tolerance > FREE:
        taken = f"it takes a tolerance of {_beside_used(result, price)}"
        return f"{taken}, and {error}" if error else taken
    if _grows(price):
        return f"it takes no tolerance, but {error}"
    return f"it costs nothing ({error})" if error else "it costs nothing"


def _beside_used(result: RelevanceResult | None, price: Price) -> str:
    """The tolerance that is needed beside the one used, with so many digits that they differ."""
    used = None if result is None else result.tolerances
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
    """Which other features are needed only now, or no longer."""
    became = without.became()
    if became is None or without.then is None:
        return []
    changes = _taking_over(_groups(without.then), became["needed"])
    if lost := became["no_longer_needed"]:
        changes.append(f"{listed(lost)} {is_or_are(lost)} no longer proved to add to the others")
    return [f"Then {'; '.join(changes)}."] if changes else ["Nothing else becomes needed."]


def _taking_over(groups: Mapping[str, Group], needed: Sequence[str]) -> list[str]:
    found = {group: [name for name in needed if groups[name] is group] for group in Group}
    return [
        f"{listed(names)} {group.said_of(len(names))} ({group.relevance.name.lower()})"
        for group, names in found.items()
        if names
    ]


def of_covers(found: Covers) -> list[str]:
    """What covers for replaceable features; those that the same features cover for together."""
    covered: dict[tuple[str, ...], list[str]] = {}
    for name, by in zip(found.names, found.by, strict=True):
        covered.setdefault(by, []).append(name)
    unknown = covered.pop((), [])
    said = [
        f"{listed(names)} {is_or_are(names)} covered by {listed(by, _MOST_COVERS)}."
        for by, names in covered.items()
    ]
    said, more = said[:_MOST_COVERED], len(said[_MOST_COVERED:])
    if more:
        said.append(f"{more} more are covered by others.")
    if unknown:
        said.append(f"What covers for {listed(unknown)} was not found.")
    return said


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
