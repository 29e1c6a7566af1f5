"""What is asked beyond relevance, one question after another?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter

from relbounds.answer.answer import Answer
from relbounds.estimators.base import RelevanceSelector
from relbounds.exceptions import InfeasibleError, SolverError
from relbounds.results.answers import Blocks, FollowUps, Without
from relbounds.wording.further import called
from relbounds.wording.text import listed

MOST_WORK = 2_000_000
"""Cells of all texts times programs for each: what the search for its most may take. If that is not
enough, the most is only bounded; it could take far longer than the fit."""


@dataclass(frozen=True)
class Further:
    """Further questions.

    Attributes
    ----------
    covers : bool
        What covers for replaceable features?
    absences : tuple of tuples of str
        What does it cost to do without each set of features?
    stand_ins : bool
        Which features stand in for one another?
    """

    covers: bool = True
    absences: tuple[tuple[str, ...], ...] = ()
    stand_ins: bool = False


def asked_further(answer: Answer, wanted: Further) -> Iterator[tuple[str, Answer]]:
    """What was asked, and the answer that knows it too, one question after another.

    The answer about single features stands whatever becomes of these; what has no answer is said
    among the warnings.
    """
    if answer.result.is_degenerate:
        if sentences := _nothing_to_ask(wanted):
            yield "nothing", replace(answer, warnings=(*answer.warnings, *sentences))
        return
    for name, questions in groupby(_questions(answer, wanted), key=itemgetter(0)):
        for _, what, ask in questions:
            answer = _asked(answer, what, ask)
        yield name, answer


def _asked(answer: Answer, what: str, ask: Callable[[FollowUps], FollowUps]) -> Answer:
    try:
        return replace(answer, follow_ups=ask(answer.follow_ups))
    except SolverError as error:
        sentence = f"{what} has no answer. {error}"
        return replace(answer, warnings=(*answer.warnings, sentence))


Question = tuple[str, str, Callable[[FollowUps], FollowUps]]


def _questions(answer: Answer, wanted: Further) -> Iterator[Question]:
    model = answer.model
    if wanted.covers:
        yield "covers", "What covers for what", lambda known: replace(known, covers=model.covers())
    for features in wanted.absences:
        names = listed(called(features, answer.made_from))
        what = f"What it costs to do without {names}"
        yield "without", what, partial(_with_absence, model, features)
    if wanted.stand_ins:
        what = "What stands in for what"
        yield "stand_ins", what, lambda known: replace(known, stand_ins=model.redundancy())


def _nothing_to_ask(wanted: Further) -> list[str]:
    options = ["--without"] * bool(wanted.absences) + ["--stand-ins"] * wanted.stand_ins
    return [f"There are no good models to ask for {listed(options)}."] if options else []


def texts_as_one(model: RelevanceSelector, made_from: Mapping[str, str]) -> Blocks | None:
    """The text columns that became several columns; None if there are none."""
    columns: dict[str, list[str]] = {}
    for feature, column in made_from.items():
        columns.setdefault(column, []).append(feature)
    texts = {column: features for column, features in columns.items() if len(features) > 1}
    if not texts:
        return None
    cells = model.result_.data.n_samples * sum(map(len, texts.values()))
    return model.blocks(texts, most_programs=MOST_WORK // cells)


def _with_absence(model: RelevanceSelector, features: Sequence[str], known: FollowUps) -> FollowUps:
    return replace(known, without=(*known.without, without(model, features)))


def without(model: RelevanceSelector, features: Sequence[str]) -> Without:
    """What it costs to do without features, and what is found then, if a good model does."""
    price = model.price(list(features))
    if price.is_indispensable:
        return Without(price)
    try:
        return Without(price, model.what_if({tuple(features): "absent"}))
    except InfeasibleError:  # a price at the very end of the tolerance: no room to move in
        return Without(price)
