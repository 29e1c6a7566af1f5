"""What does a result say, in plain sentences? Read by the command line and by reports."""

from collections.abc import Collection
from dataclasses import dataclass

from relbounds.results.findings import Findings, arranged
from relbounds.results.records import RESOLUTION, SIDES, Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.tasks import TASK_WORDS
from relbounds.wording.text import between, in_words, listed, percent

NOUNS = dict(zip(SIDES, ("feature", "privileged feature"), strict=True))
"""What a feature of each side is called."""
CLAIMS = {
    Relevance.STRONG: "indispensable",
    Relevance.WEAK: "useful but replaceable",
    Relevance.IRRELEVANT: "of no use beyond chance",
}
_REASONS = {
    Relevance.STRONG: "no good model does without {them}",
    Relevance.WEAK: (
        "some good model uses {each}, another does without, so that other features can stand in"
    ),
    Relevance.IRRELEVANT: (
        "no good model gives {them} more weight than chance gives a column of permuted, "
        "meaningless values"
    ),
}
_ADVICE = {  # of one feature, of several
    Relevance.STRONG: (
        "Keep it: without it, no model is as good.",
        "Keep them: without any one of these, no model is as good.",
    ),
    Relevance.WEAK: (
        "If you drop it, ask again without it: what stands in for it has to stay.",
        (
            "Do not drop them all at once. What stands in for one of them may be another one of "
            "them; drop one, and ask again."
        ),
    ),
    Relevance.IRRELEVANT: (
        "It can be left out, as long as the others stay.",
        "These can be left out, as long as the others stay.",
    ),
}


@dataclass(frozen=True)
class Verdict:
    """What is said of all features of one class of relevance.

    Attributes
    ----------
    relevance : Relevance
    names : tuple of str
        Those that can weigh most first; empty if there are none.
    claim : str
        ``Two features are indispensable``
    reason : str
        ``no good model does without them``; empty if there are none.
    """

    relevance: Relevance
    names: tuple[str, ...]
    claim: str
    reason: str

    @property
    def advice(self) -> str:
        """What to do about them; empty if there are none."""
        return _ADVICE[self.relevance][len(self.names) > 1] if self.names else ""

    @property
    def sentence(self) -> str:
        if not self.names:
            return f"{self.claim}."
        label = self.relevance.name.lower()
        return f"{self.claim} ({label}): {listed(self.names)}; {self.reason}."


def summary(result: RelevanceResult) -> list[str]:
    """The answer: a sentence for each class of relevance, most important first."""
    if result.is_degenerate:
        return [result.why_degenerate]
    return [
        sentence
        for side in result.sides
        for sentence in (*(each.sentence for each in answers(side)), *caution(side))
    ]


def why_degenerate_in_shell(result: RelevanceResult) -> str:
    """Why nothing is relevant, and what whoever typed a command can do; C is not among that."""
    if result.slack != "privileged":
        return result.degeneracy
    return f"{result.degeneracy} --slack mixed gives samples slack of their own."


def headline(side: Findings) -> str:
    """The shortest answer: how many features of one side are of each class."""
    found = [each for each in answers(side) if each.names or each.relevance is Relevance.STRONG]
    first, *others = [each.claim for each in found]
    return "; ".join([first, *(each[0].lower() + each[1:] for each in others)]) + "."


def answers(side: Findings) -> list[Verdict]:
    """What is said of the features of one side, class by class, most important first."""
    order = arranged(side)
    return [
        _answer(
            relevance,
            tuple(side.feature_names[k] for k in order if side.relevance[k] == relevance),
            NOUNS[side.side],
        )
        for relevance in CLAIMS
    ]


def _answer(relevance: Relevance, names: tuple[str, ...], noun: str) -> Verdict:
    if not names and relevance is Relevance.IRRELEVANT:
        return Verdict(relevance, names, f"Every {noun} is of more use than chance", "")
    one = len(names) == 1
    verb = f"{noun} is" if len(names) < 2 else f"{noun}s are"
    reason = _REASONS[relevance].format(them="it" if one else "them", each="it" if one else "each")
    claim = f"{in_words(len(names)).capitalize()} {verb} {CLAIMS[relevance]}"
    return Verdict(relevance, names, claim, reason if names else "")


def caution(side: Findings) -> list[str]:
    """A sentence on features that every good model uses, but none more than chance may."""
    order = arranged(side)
    names = [
        side.feature_names[k]
        for k in order
        if side.needed[k] and side.relevance[k] == Relevance.IRRELEVANT
    ]
    if not names:
        return []
    them = "it" if len(names) == 1 else "them"
    sentence = (
        f"Think before you drop {listed(names)}: every good model uses {them}, though none with "
        "more weight than chance can reach."
    )
    return [sentence]


def about(side: Findings, position: int, constant: Collection[str] = ()) -> str:
    """What is said of one feature: how much weight good models give it, and chance could.

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
    if side.thresholds is None:
        return "Nothing was learned from these data, so that nothing can be said about it."
    least, most = side.intervals[position]
    share = "of the best model's total weight"
    chance = f"chance reaches at most {percent(side.thresholds.maxrel)}"
    relevance = side.relevance[position]
    if relevance == Relevance.STRONG:
        return f"Every good model gives it {between(least, most)} {share}; {chance}."
    if relevance == Relevance.WEAK:
        return (
            f"Some good model gives it up to {percent(most)} {share}, where {chance}; "
            f"another {_without(float(least))}."
        )
    used = side.needed[position]
    but = f" But every good model gives it at least {percent(least)}." if used else ""
    return f"No good model gives it more than {percent(most)} {share}; {chance}.{but}"


def direction(result: RelevanceResult, side: Findings, position: int) -> str:
    """What larger values of a feature go with in every good model; empty if models differ."""
    sign = side.signs[position]
    if not sign:
        return ""
    size = "Larger" if sign > 0 else "Smaller"
    if side is result.privileged:
        return f"{size} values go with harder samples in every good model."
    last = "" if result.data.classes is None else result.data.classes[-1]
    higher = TASK_WORDS[result.task].higher.format(last=last)
    return f"{size} values go with {higher} in every good model."


def _without(least: float) -> str:
    if least <= RESOLUTION:
        return "does without it"
    return f"gets by with {percent(least)}, which is no more than chance reaches"
