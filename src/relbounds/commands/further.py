"""Which further questions are asked, and what do the good models answer?"""

from collections.abc import Mapping, Sequence

from relbounds.commands.text_columns import texts_as_one
from relbounds.exceptions import InfeasibleError
from relbounds.follow_up_wording import FollowUps, Without
from relbounds.selector import RelevanceSelector


def follow_ups(
    model: RelevanceSelector,
    groups: Mapping[str, str],
    absences: Sequence[Sequence[str]],
    *,
    stand_ins: bool,
) -> FollowUps:
    """Text columns as one, and what was asked for; nothing, if nothing was learned."""
    if model.result_.is_degenerate:
        return FollowUps()
    return FollowUps(
        blocks=texts_as_one(model, groups),
        without=tuple(_without(model, features) for features in absences),
        stand_ins=model.redundancy() if stand_ins else None,
    )


def _without(model: RelevanceSelector, features: Sequence[str]) -> Without:
    price = model.price(list(features))
    if price.is_indispensable:
        return Without(price)
    try:
        return Without(price, model.what_if({tuple(features): "absent"}))
    except InfeasibleError:  # a price at the very end of the tolerance: no room to move in
        return Without(price)
