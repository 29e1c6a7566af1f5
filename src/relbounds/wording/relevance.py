"""What does a result say, in plain sentences? Read by the command line and by reports."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum

import numpy as np

from relbounds.results.findings import Findings, arranged
from relbounds.results.records import RESOLUTION, SIDES, Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import close_calls, in_words, kinds_asked
from relbounds.wording.first import first_lines
from relbounds.wording.tasks import TASK_WORDS
from relbounds.wording.text import (
    between,
    counted_in_words,
    is_or_are,
    listed,
    percent,
)

NOUNS = dict(zip(SIDES, ("feature", "privileged feature"), strict=True))
"""What a feature of each side is called."""


class Group(Enum):
    """What is said of features, the most important first; weak ones are of two kinds.

    The value is the claim in a few words.
    """

    INDISPENSABLE = "indispensable"
    OWN = "adds something of its own, but little"
    REPLACEABLE = "useful, but replaceable"
    IDLE = "of no use beyond chance"

    @classmethod
    def of(cls, relevance: int, needed: bool) -> "Group":
        """The group of a feature or of a block."""
        if relevance == Relevance.WEAK:
            return cls.OWN if needed else cls.REPLACEABLE
        return cls.INDISPENSABLE if relevance == Relevance.STRONG else cls.IDLE

    @property
    def relevance(self) -> Relevance:
        """The class that it belongs to."""
        return {
            Group.INDISPENSABLE: Relevance.STRONG,
            Group.IDLE: Relevance.IRRELEVANT,
        }.get(self, Relevance.WEAK)

    def said_of(self, count: int) -> str:
        """``is indispensable``, of so many."""
        if self is Group.OWN:
            return self.value if count == 1 else "add something of their own, but little"
        return f"{'are' if count > 1 else 'is'} {self.value}"


_ADVICE = {  # of one feature, of several
    Group.INDISPENSABLE: (
        "Keep it: without it, no model is as good.",
        "Keep them: without any one of these, no model is as good.",
    ),
    Group.OWN: (
        "Keep it, unless a model that is a little worse will do.",
        "Keep them, unless a model that is a little worse will do.",
    ),
    Group.REPLACEABLE: (
        "If you drop it, ask again without it: what stands in for it has to stay.",
        (
            "Do not drop them all at once. What stands in for one of them may be another one of "
            "them; drop one, and ask again."
        ),
    ),
    Group.IDLE: (
        "It can be left out, as long as the others stay.",
        "These can be left out, as long as the others stay.",
    ),
}


@dataclass(frozen=True)
class Verdict:
    """What is said of all features of one group.

    Attributes
    ----------
    group : Group
    names : tuple of str
        Those that can weigh most first; empty if there are none.
    claim : str
        ``Two features are indispensable``
    reason : str
        ``every good model uses each, and each adds to all others``; empty if there are none.
    """

    group: Group
    names: tuple[str, ...]
    claim: str
    reason: str

    @property
    def label(self) -> str:
        """The class in one word."""
        return self.group.relevance.name.lower()

    @property
    def advice(self) -> str:
        """What to do about them; empty if there are none."""
        return _ADVICE[self.group][len(self.names) > 1] if self.names else ""

    @property
    def is_worth_saying(self) -> bool:
        """That nothing is indispensable, or idle, is an answer too."""
        return bool(self.names) or self.group in (Group.INDISPENSABLE, Group.IDLE)

    @property
    def sentence(self) -> str:
        if not self.names:
            return f"{self.claim}."
        return f"{self.claim} ({self.label}): {listed(self.names)}; {self.reason}."


def summary(result: RelevanceResult) -> list[str]:
    """The answer: what to know beforehand, and a sentence for each group, most important first."""
    first = first_lines(result)
    if result.is_degenerate:
        return [*first, result.why_degenerate, *evidence_without_models(result)]
    return first + [
        sentence
        for side in result.sides
        for sentence in (
            *(each.sentence for each in answers(side) if each.is_worth_saying),
            *needed_for_classes(side),
            *caution(side),
            *close_calls(side),
        )
    ]


def evidence_without_models(result: RelevanceResult) -> list[str]:
    """What is known of features although the best model uses none; nothing, if none is relevant."""
    return [
        each.sentence
        for side in result.sides
        if side.relevance.any()
        for each in answers(side)
        if each.names
    ]


def why_degenerate_in_shell(result: RelevanceResult) -> str:
    """Why there are no intervals, and what whoever typed a command can do; C is not among that."""
    if result.slack != "privileged":
        return result.degeneracy
    return f"{result.degeneracy} --slack mixed gives samples slack of their own."


def needed_for_classes(side: Findings) -> list[str]:
    """Which features are needed to tell which class from the rest, if classes have no order."""
    found: dict[tuple[str, ...], list[str]] = {}
    for k, name in _names_where(side, lambda k: bool(side.classes) and bool(side.needed[k])):
        found.setdefault(side.needed_for(k), []).append(name)
    return [f"{listed(names)}: {_told_apart(side, classes)}." for classes, names in found.items()]


def _told_apart(side: Findings, classes: tuple[str, ...]) -> str:
    """``needed to tell versicolor from the rest``."""
    if not classes:
        return "needed, but no single class is proved to need that"
    which = classes[0] if len(classes) == 1 else f"each of {listed(classes)}"
    return f"needed to tell {'every class' if classes == side.classes else which} from the rest"


def headline(side: Findings) -> str:
    """The shortest answer: how many features of one side are of each group."""
    found = [each for each in answers(side) if each.names or each.group is Group.INDISPENSABLE]
    first, *others = [each.claim for each in found]
    return "; ".join([first, *(each[0].lower() + each[1:] for each in others)]) + "."


def group_of(side: Findings, position: int) -> Group:
    """What is said of one feature."""
    return Group.of(int(side.relevance[position]), bool(side.needed[position]))


def answers(side: Findings) -> list[Verdict]:
    """What is said of the features of one side, group by group, most important first."""
    grouped = _names_where(side, lambda k: True)
    return [
        _answer(side, group, tuple(name for k, name in grouped if group_of(side, k) is group))
        for group in Group
    ]


def _names_where(side: Findings, chosen: Callable[[int], bool]) -> list[tuple[int, str]]:
    """Positions and names of features, those that can weigh most first."""
    return [(k, side.feature_names[k]) for k in arranged(side).tolist() if chosen(k)]


def _answer(side: Findings, group: Group, names: tuple[str, ...]) -> Verdict:
    noun = NOUNS[side.side]
    if not names and group is Group.IDLE:
        return Verdict(group, names, f"Every {noun} is of more use than chance", "")
    claim = f"{counted_in_words(len(names), noun)} {group.said_of(len(names))}"
    return Verdict(group, names, claim, _reason(side, group, len(names)) if names else "")


def _reason(side: Findings, group: Group, count: int) -> str:
    each, any_ = ("it", "it") if count == 1 else ("each", "any of them")
    by_weight = side.selection == "probe"
    about = "the outcome" if side.side == "regular" else "how hard a sample is"
    is_sure = not by_weight or bool(side.needed[side.relevance == Relevance.STRONG].all())
    match group:
        case Group.INDISPENSABLE:
            adds = f", and {each} adds to all others" if is_sure else ""
            return f"every good model uses {each}{adds}"
        case Group.OWN:
            without = (
                "the best model does without it"
                if side.probes is None
                else "a model that is worse by no more than the tolerance does without it"
            )
            return f"{each} adds to all others, but {without}"
        case Group.REPLACEABLE if by_weight:
            return f"some good model gives {each} more weight than chance would"
        case Group.REPLACEABLE:
            tells = f"{each} tells something about {about}"
            return f"{tells}, but nothing proves that it adds to the others"
        case Group.IDLE if by_weight:
            return f"no good model gives {any_} more weight than chance gives a permuted column"
        case Group.IDLE:
            none = "it is not" if count == 1 else "none of them is"
            return f"{_where(side)}, {none} proved to tell more than chance could"


def _where(side: Findings) -> str:
    """``alone, in good models and beside all others``, as far as that was asked."""
    places = ("alone", "in good models", "beside all others")
    return listed([places[kind] for kind in kinds_asked(side)])


def caution(side: Findings) -> list[str]:
    """Sentences on features whose numbers seem to say more than their group."""
    used = [
        [
            name
            for k, name in _names_where(side, lambda k: bool(side.in_every_model[k]))
            if group_of(side, k) is group
        ]
        for group in (Group.IDLE, Group.REPLACEABLE)
    ]
    idle, replaceable = used
    sentences = []
    if idle:
        sentences.append(
            f"Think before you drop {listed(idle)}: every good model uses {_them(idle)}, though "
            f"nothing proves that {_they(idle)} more than chance."
        )
    if replaceable:
        sentences.append(
            f"Every good model uses {listed(replaceable)}, but that "
            f"{'it adds' if len(replaceable) == 1 else 'each adds'} to the others is not proved."
        )
    return [*sentences, *_told_otherwise(side)]


def _told_otherwise(side: Findings) -> list[str]:
    """What the paper's rule leaves out of account."""
    names = [
        name
        for _, name in _names_where(
            side, lambda k: not side.relevance[k] and bool(side.is_proved[k].any())
        )
    ]
    if not names:
        return []
    sentence = (
        f"By the paper's rule {listed(names)} {is_or_are(names)} irrelevant, but alone or beside "
        f"all others {_they(names)} more than chance would."
    )
    return [sentence]


def _them(names: Collection[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _they(names: Collection[str]) -> str:
    return "it tells" if len(names) == 1 else "they tell"


def about(side: Findings, position: int, constant: Collection[str] = ()) -> str:
    """What is said of one feature: its weight in good models, its group, and the evidence.

    Parameters
    ----------
    side : Findings
    position : int
        Of the feature, in the order of the data.
    constant : collection of str
        Names of the features that have a single value.
    """
    if side.feature_names[position] in constant:
        return "It has a single value in these data, so that no model can learn from it."
    said = [_weight(side, position), _standing(side, position), in_words(side, position)]
    if side.classes and side.needed[position]:
        apart = _told_apart(side, side.needed_for(position))
        said.append(f"{apart[0].upper()}{apart[1:]}.")
    if side.is_close[position]:
        said.append("Too close to call.")
    return " ".join(filter(None, said))


def _weight(side: Findings, position: int) -> str:
    """How much weight good models give a feature, and chance could get."""
    if side.thresholds is None:
        return "There are no good models that use features."
    least, most = side.intervals[position]
    share, limit = "of the best model's total weight", percent(side.chance[position])
    if np.isnan(side.chance[position]):
        return _total(side, position, share)
    if side.classes:
        share += " in the class where that is most"
    if side.is_bounded[position]:
        return (
            f"No good model gives it more than {percent(most)} {share}. How much less was not "
            "computed: nothing speaks for it, and others that could weigh more do not exceed "
            "chance."
        )
    if side.in_every_model[position]:
        return (
            f"Every good model gives it {between(least, most)} {share}; chance reaches at most "
            f"{limit}."
        )
    return (
        f"Some good model gives it {percent(most)} {share}, where chance reaches at most {limit}; "
        f"another {_without(float(least))}."
    )


def _total(side: Findings, position: int, share: str) -> str:
    """The same of a column that became several, which weigh something together."""
    least, most = side.intervals[position]
    if side.in_every_model[position]:
        return f"Every good model gives its values together {between(least, most)} {share}."
    return (
        f"Some good model gives its values together {percent(most)} {share}; another does without."
    )


def _without(least: float) -> str:
    if least <= RESOLUTION:
        return "does without it"
    return f"gets by with {percent(least)}, which is no more than chance reaches"


def _standing(side: Findings, position: int) -> str:
    match group_of(side, position):
        case Group.INDISPENSABLE:
            return "It adds to all others." if side.needed[position] else ""
        case Group.OWN:
            return "It adds to all others, but little."
        case Group.REPLACEABLE:
            return "Nothing proves that it adds to the others."
        case Group.IDLE:
            proved = side.is_proved[position].any()
            return "" if proved else "Nothing proves that it is of use."


def direction(result: RelevanceResult, side: Findings, position: int) -> str:
    """What larger values of a feature go with in every good model; empty if models differ."""
    if side.classes:
        return _directions_of_classes(side, position)
    sign = side.signs[position]
    if not sign:
        return ""
    size = "Larger" if sign > 0 else "Smaller"
    if side is result.privileged:
        return f"{size} values go with harder samples in every good model."
    last = "" if result.data.classes is None else result.data.classes[-1]
    higher = TASK_WORDS[result.task].higher.format(last=last)
    return f"{size} values go with {higher} in every good model."


def _directions_of_classes(side: Findings, position: int) -> str:
    signs = side.signs_of_classes[position].tolist()
    named = {
        word: [name for name, each in zip(side.classes, signs, strict=True) if each == sign]
        for word, sign in (("for", 1), ("against", -1))
    }
    said = [f"{word} {listed(names)}" for word, names in named.items() if names]
    return f"Larger values speak {' and '.join(said)} in every good model." if said else ""
