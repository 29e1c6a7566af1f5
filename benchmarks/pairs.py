"""Which method meets which problem, and with which question?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from methods import METHODS, Method
from problems import Problem, problems

ENGINES = ("relbounds-auto", "relbounds-simplex", "relbounds-interior")
PROGRAMS = ("cvxpy-clarabel", "cvxpy-highs")
INSTEAD = ("boruta", "rfecv")


@dataclass(frozen=True)
class Pair:
    """One line of the results."""

    problem: Problem
    question: str
    method: Method

    @property
    def key(self) -> tuple[str, str, str]:
        return self.problem.name, self.question, self.method.name


@dataclass(frozen=True)
class Rule:
    """These methods meet the problems of a group from one size to another."""

    group: str
    question: str
    methods: tuple[str, ...]
    smallest: int = 0
    largest: int = 10**9
    largest_quick: int = 10**9

    def admits(self, problem: Problem, quick: bool) -> bool:
        largest = min(self.largest, self.largest_quick) if quick else self.largest
        return problem.group == self.group and self.smallest <= problem.size <= largest


RULES = (
    Rule("sets", "fit", (*ENGINES, "fri")),
    Rule("sets", "fit", ("relbounds-auto-2",), smallest=1_000),
    Rule("sets", "fit", INSTEAD, largest_quick=256),
    Rule("sets", "fixed", (*ENGINES, "fri-sampled", *PROGRAMS)),
    Rule("privileged", "fit", (*ENGINES, "fri")),
    Rule("privileged", "fixed", (*ENGINES, "fri-sampled")),
    Rule("growth-n", "fixed", ("relbounds-auto", "relbounds-interior")),
    Rule("growth-n", "fixed", ("relbounds-simplex",), largest=10_000, largest_quick=1_000),
    Rule("growth-n", "fixed", ("fri",), largest=1_000),
    Rule("growth-n", "fixed", ("fri-sampled",), smallest=10_000, largest=10_000),
    Rule("growth-n", "fixed", ("cvxpy-clarabel",), largest=100_000),
    Rule("growth-n", "fixed", ("cvxpy-highs",), largest=10_000, largest_quick=1_000),
    Rule("growth-n", "fixed", ("relbounds-auto-2",), smallest=10_000, largest=100_000),
    Rule("growth-d", "fit", ("relbounds-auto", "relbounds-interior")),
    Rule("growth-d", "fit", ("relbounds-simplex",), largest=1_000, largest_quick=100),
    Rule("growth-d", "fit", ("fri",), largest=100, largest_quick=20),
    Rule("growth-d", "fit", ("fri-sampled",), smallest=200, largest=500, largest_quick=0),
    Rule(
        "growth-d",
        "fixed",
        (*ENGINES, "fri-sampled", "cvxpy-clarabel"),
        largest=500,
        largest_quick=20,
    ),
    Rule("growth-d", "fit", INSTEAD, largest=1_000, largest_quick=0),
    Rule("wide", "fit", ("relbounds-auto", "relbounds-interior", "boruta")),
)


def pairs(
    quick: bool,
    groups: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    questions: Sequence[str] | None = None,
) -> list[Pair]:
    """All pairs in the order to run them, a problem's yardstick before what it is compared with."""
    wanted = [
        pair
        for problem in problems()
        if (not quick or problem.quick) and (groups is None or problem.group in groups)
        for pair in _pairs_of(problem, quick)
        if names is None or pair.method.name in names
        if questions is None or pair.question in questions
    ]
    return wanted


def _pairs_of(problem: Problem, quick: bool) -> Iterator[Pair]:
    for question in ("fit", "fixed"):
        names = [
            name
            for rule in RULES
            if rule.question == question and rule.admits(problem, quick)
            for name in rule.methods
        ]
        for name in sorted(names, key=lambda name: name != problem.yardstick):
            yield Pair(problem, question, METHODS[name])
