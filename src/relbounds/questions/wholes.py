"""Which features are one column? Those of a block are; every other is one by itself."""

from collections.abc import Sequence

from relbounds.method.state import Study
from relbounds.method.training_data import Feature
from relbounds.results.answers import Blocks
from relbounds.results.findings import Findings
from relbounds.results.whole_columns import whole_columns

Whole = Sequence[Feature]
"""The features that are one column."""


def regular_wholes(study: Study, blocks: Blocks | None) -> tuple[Findings, list[Whole]]:
    """What was found of whole columns, and which regular features each consists of."""
    side = whole_columns(study.result, blocks).regular
    features = {each.name: each for each in study.features if each.side == 0}
    named = zip(blocks.names, blocks.features, strict=True) if blocks else ()
    of_block = {name: members for name, members in named if len(members) > 1}
    members_of = [of_block.get(name, (name,)) for name in side.feature_names]
    return side, [[features[name] for name in each] for each in members_of]
