"""What is shown of further questions? Text columns as one, absences, stand-ins."""

from collections.abc import Mapping
from typing import Any

from relbounds.blocks import Blocks
from relbounds.decision import Relevance
from relbounds.follow_up_wording import (
    NOT_EVERY_WEAK_ONE,
    FollowUps,
    block_claim,
    least_and_most,
    of_absence,
    of_blocks,
    of_stand_ins,
    remarks_on,
)
from relbounds.result import RelevanceResult
from relbounds.wording import between

_MOST_COLUMNS = 12
"""Of more columns only the first ones are named."""


def further_view(
    result: RelevanceResult, asked: FollowUps, groups: Mapping[str, str] | None
) -> dict[str, Any]:
    """What was asked beyond the relevance of single features, as plain values."""
    stand_ins = asked.stand_ins
    return {
        "caution": of_blocks(result, asked.blocks),
        "blocks": [] if asked.blocks is None else _rows(asked.blocks),
        "remarks": [] if asked.blocks is None else remarks_on(asked.blocks),
        "without": [of_absence(result, each, groups) for each in asked.without],
        "stand_ins": [] if stand_ins is None else of_stand_ins(stand_ins),
        "stand_ins_remark": NOT_EVERY_WEAK_ONE,
    }


def _rows(blocks: Blocks) -> list[dict[str, Any]]:
    rows = []
    for k, name in enumerate(blocks.names):
        relevance, features = Relevance(blocks.relevance[k]), blocks.features[k]
        least, most = (between(*ends) for ends in least_and_most(blocks, k))
        rows.append(
            {
                "name": name,
                "relevance": relevance.name.lower(),
                "claim": block_claim(blocks, k),
                "least": least,
                "most": most,
                "features": features[:_MOST_COLUMNS],
                "more": len(features[_MOST_COLUMNS:]),
            }
        )
    return rows
