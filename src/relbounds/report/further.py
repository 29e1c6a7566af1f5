"""What was asked beyond the relevance of single features, as plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

from relbounds.results.answers import Absence, Absences, Blocks, Covers
from relbounds.results.follow_ups import FollowUps
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import KINDS, block_marks
from relbounds.wording.further import (
    HOW_COVERED,
    NOT_EVERY_WEAK_ONE,
    block_claim,
    least_and_most,
    of_absence,
    of_blocks,
    of_stand_ins,
    remarks_on,
)
from relbounds.wording.text import between, listed, probability, written

_MOST_COLUMNS = 12
"""Of more columns only the first ones are named."""
_MOST_COVERED = 30
"""So many lines of who covers for whom people read."""


def further_view(
    result: RelevanceResult,
    asked: FollowUps,
    made_from: Mapping[str, str] | None,
    *,
    is_folded: bool,
) -> dict[str, Any]:
    """Sections of the page; blocks have none where the table of features shows them."""
    stand_ins, blocks = asked.stand_ins, None if is_folded else asked.blocks
    return {
        "caution": of_blocks(result, blocks),
        "blocks": [] if blocks is None else _rows(result, blocks),
        "remarks": [] if asked.blocks is None else remarks_on(result, asked.blocks),
        "covers": {} if asked.covers is None else covers_view(asked.covers),
        "covers_remark": HOW_COVERED,
        "without": [of_absence(result, each, made_from) for each in asked.without],
        "absences": [] if asked.absences is None else _absences(asked.absences),
        "stand_ins": [] if stand_ins is None else of_stand_ins(stand_ins),
        "stand_ins_remark": NOT_EVERY_WEAK_ONE,
    }


def covers_view(found: Covers) -> dict[str, Any]:
    """Who covers for whom; those that the same features cover for stand in one line."""
    covered: dict[tuple[str, ...], list[str]] = {}
    for name, by in zip(found.names, found.by, strict=True):
        covered.setdefault(by, []).append(name)
    unknown = covered.pop((), [])
    lines = [{"covered": names, "by": list(by)} for by, names in covered.items()]
    if not lines and not unknown:
        return {}
    return {
        "lines": lines[:_MOST_COVERED],
        "more": len(lines[_MOST_COVERED:]),
        "unknown": listed(unknown) if unknown else "",
    }


def _absences(found: Absences) -> list[dict[str, Any]]:
    """Those first without which models err most."""
    costly = sorted(found.each, key=lambda one: -one.price.error_without)
    return [_absence(each) for each in costly]


def _absence(one: Absence) -> dict[str, Any]:
    price = one.price
    is_known = price.error == price.error
    return {
        "name": one.name,
        "error": f"{written(price.error)} \N{RIGHTWARDS ARROW} {written(price.error_without)}"
        if is_known
        else "",
        "is_indispensable": price.is_indispensable,
        "tolerance": f"{price.tolerance:.2g}",
        "needed": list(one.needed),
        "no_longer": list(one.no_longer_needed),
    }


def _rows(result: RelevanceResult, blocks: Blocks) -> list[dict[str, Any]]:
    rows = []
    for k, name in enumerate(blocks.names):
        relevance, features = Relevance(blocks.relevance[k]), blocks.features[k]
        least, most = (between(*ends) for ends in least_and_most(blocks, k))
        rows.append(
            {
                "name": name,
                "relevance": relevance.name.lower(),
                "claim": block_claim(blocks, k),
                "marks": block_marks(result, blocks, k),
                "saying": _p_values(blocks, k),
                "least": least,
                "most": most,
                "features": features[:_MOST_COLUMNS],
                "more": len(features[_MOST_COLUMNS:]),
            }
        )
    return rows


def _p_values(blocks: Blocks, position: int) -> str:
    values = (blocks.p_alone, blocks.p_in_models, blocks.p_needed)
    return "; ".join(
        f"{kind.name}: p = {probability(p[position])}"
        for kind, p in zip(KINDS, values, strict=True)
    )


def text_columns(blocks: Blocks | None, made_from: Mapping[str, str] | None) -> bool:
    """Whether blocks are the columns that texts became: each of one text, no feature in two.

    What each feature was made from is either told or seen from its name, which then begins with
    the name of its block.
    """
    if blocks is None:
        return False
    members = [name for features in blocks.features for name in features]
    return len(set(members)) == len(members) and all(
        _is_made_from(features, name, made_from)
        for name, features in zip(blocks.names, blocks.features, strict=True)
    )


def _is_made_from(
    features: Sequence[str], column: str, made_from: Mapping[str, str] | None
) -> bool:
    if made_from is None:
        return all(name.startswith(column) for name in features)
    return set(features) == {name for name, origin in made_from.items() if origin == column}
