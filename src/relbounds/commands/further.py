"""Which further questions are asked, and what do the good models answer?"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from relbounds.commands.text_columns import texts_as_one
from relbounds.exceptions import InfeasibleError, SolverError
from relbounds.follow_up_wording import FollowUps, Without, called
from relbounds.selector import RelevanceSelector
from relbounds.wording import listed

T = TypeVar("T")


def follow_ups(
    model: RelevanceSelector,
    groups: Mapping[str, str],
    absences: Sequence[Sequence[str]],
    *,
    stand_ins: bool,
) -> tuple[FollowUps, list[str]]:
    """Text columns as one, and what was asked for; and sentences on what has no answer.

    The answer about single features stands whatever becomes of these.
    """
    if model.result_.is_degenerate:
        return FollowUps(), _nothing_to_ask(absences, stand_ins=stand_ins)
    failures: list[str] = []

    def tried(what: str, ask: Callable[[], T]) -> T | None:
        try:
            return ask()
        except SolverError as error:
            failures.append(f"{what} has no answer. {error}")
            return None

    blocks = tried("What text columns weigh as one", partial(texts_as_one, model, groups))
    without = [
        tried(
            f"What it costs to do without {listed(called(features, groups))}",
            partial(_without, model, features),
        )
        for features in absences
    ]
    found = tried("What stands in for what", model.redundancy) if stand_ins else None
    answered = tuple(each for each in without if each is not None)
    return FollowUps(blocks=blocks, without=answered, stand_ins=found), failures


def _nothing_to_ask(absences: Sequence[Sequence[str]], *, stand_ins: bool) -> list[str]:
    options = ["--without"] * bool(absences) + ["--stand-ins"] * stand_ins
    return [f"There are no good models to ask for {listed(options)}."] if options else []


def _without(model: RelevanceSelector, features: Sequence[str]) -> Without:
    price = model.price(list(features))
    if price.is_indispensable:
        return Without(price)
    try:
        return Without(price, model.what_if({tuple(features): "absent"}))
    except InfeasibleError:  # a price at the very end of the tolerance: no room to move in
        return Without(price)
