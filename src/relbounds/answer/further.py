"""What is asked beyond relevance, one question after another?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from relbounds.answer.answer import Answer
from relbounds.estimators.base import RelevanceSelector
from relbounds.exceptions import InfeasibleError, SolverError
from relbounds.results.answers import Blocks
from relbounds.results.follow_ups import FollowUps, Without
from relbounds.wording.further import called
from relbounds.wording.text import listed

MOST_WORK = 2_000_000
"""Cells of all texts times programs for each: what the search for its most may take. If that is not
enough, the most is only bounded; it could take far longer than the fit."""

MOST_FORESEEN = 50_000
"""Cells of a table for whose report other tolerances, and absences, are looked at."""


@dataclass(frozen=True)
class Further:
    """Further questions.

    Attributes
    ----------
    usual : bool
        What covers for replaceable columns? Would other data say the same? What do models say of
        samples that they have not seen? What if each relevant column was gone? What will readers of
        the page ask?
    absences : tuple of tuples of str
        What does it cost to do without each set of features?
    stand_ins : bool
        Which features stand in for one another?
    """

    usual: bool = True
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
    model, blocks = answer.model, answer.follow_ups.blocks
    if wanted.usual:
        yield "covers", "What covers for what", _kept("covers", partial(model.covers, blocks))
        what = "Whether other data would say the same"
        yield "stability", what, _kept("stability", partial(model.stability, blocks))
        yield "held_out", "What models say of the unseen", _kept("held_out", model.held_out)
    for features in wanted.absences:
        what = f"What it costs to do without {listed(called(features, answer.made_from))}"
        yield "without", what, partial(_with_absence, model, features)
    if wanted.usual:
        what = "What if each column was gone"
        yield "absences", what, _kept("absences", partial(model.absences, blocks))
    if wanted.usual and _is_small(answer):
        yield (
            "foreseen",
            "What readers will ask",
            _kept("foreseen", partial(model.foreseen, blocks)),
        )
    if wanted.stand_ins:
        yield "stand_ins", "What stands in for what", _kept("stand_ins", model.redundancy)


def _is_small(answer: Answer) -> bool:
    """Whether other tolerances are looked at in no more time than the other questions take."""
    features = sum(len(side.feature_names) for side in answer.result.sides)
    return answer.result.data.n_samples * features <= MOST_FORESEEN


def _kept(name: str, ask: Callable[[], Any]) -> Callable[[FollowUps], FollowUps]:
    """Asks, and keeps what was found beside what is known."""
    return lambda known: replace(known, **{name: ask()})


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
