"""Were the targets met? Each is a figure of the results and the value it should have."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from results import OURS, Results

LARGE = ("n=10000 d=20", "n=100000 d=20", "n=1000000 d=20")
WIDE = ("n=500 d=5000", "n=200 d=10000")


@dataclass(frozen=True)
class Target:
    """What was measured against what was wanted; NaN: not all measured, or with other bounds."""

    what: str
    wanted: float
    measured: float
    at_least: bool

    @property
    def verdict(self) -> str:
        if np.isnan(self.measured):
            return "open"
        met = self.measured >= self.wanted if self.at_least else self.measured <= self.wanted
        return "met" if met else "missed"


def targets(results: Results) -> list[Target]:
    """All of them. Of several problems the worst counts, and all must have been measured."""
    sets = [f"set {number} {data}" for number in range(1, 9) for data in ("clean", "noisy")]
    privileged = [f"privileged set {number}" for number in range(1, 6)]
    return [
        _at_least("times faster than fri, Sets 1 to 8", 50, _against_fri(results, sets)),
        _at_least("the same, privileged Sets 1 to 5", 50, _against_fri(results, privileged)),
        _at_least("the same, Set 9 (of fri: without its tuning)", 100, _on_set_9(results)),
        _at_least("the same, n=10,000, C given", 200, _against_fri(results, LARGE[:1], "fixed")),
        _at_least(
            "times faster a program than cvxpy with Clarabel, n=10,000",
            20,
            _a_program(results, LARGE[0], "cvxpy-clarabel"),
        ),
        _at_most("time for ten times the samples, from n=10,000", 12, _decades(results)),
        _at_most("peak memory as a multiple of the data, from n=10,000", 6, _memory(results)),
        _at_most("power of d that time grows with, from d=100 (n=500)", 2, [power(results)]),
        _at_least(
            "wide problems that finish (d=5,000 n=500, d=10,000 n=200)", 2, [_finished(results)]
        ),
        _at_least("times faster on two cores, Sets 8 and 9 and n=10,000", 1.6, two_cores(results)),
    ]


def _at_least(what: str, wanted: float, values: list[float]) -> Target:
    return Target(what, wanted, float(np.min(values)), at_least=True)


def _at_most(what: str, wanted: float, values: list[float]) -> Target:
    return Target(what, wanted, float(np.max(values)), at_least=False)


def _against_fri(results: Results, problems: Sequence[str], question: str = "fit") -> list[float]:
    return [
        results.times_faster_than_fri(problem, question)
        if results.agree(problem, "fri")
        else np.nan
        for problem in problems
    ]


def _on_set_9(results: Results) -> list[float]:
    """Our whole fits against fri's programs at a given C: its whole fits were stopped."""
    problems = ("set 9 clean", "set 9 noisy")
    return [
        results.of_fri(problem, "fixed") / results.value(problem, "fit", OURS)
        for problem in problems
    ]


def _a_program(results: Results, problem: str, method: str) -> list[float]:
    times = results.times_faster(problem, "fixed", method, "seconds_per_program")
    return [times if results.agree(problem, method) else np.nan]


def _decades(results: Results) -> list[float]:
    seconds = [results.value(problem, "fixed", OURS) for problem in LARGE]
    return [later / earlier for earlier, later in itertools.pairwise(seconds)]


def _memory(results: Results) -> list[float]:
    return [
        results.value(problem, "fixed", OURS, "rise_bytes")
        / results.value(problem, "fixed", OURS, "data_bytes")
        for problem in LARGE
    ]


def power(results: Results, smallest: int = 100) -> float:
    """The slope of time over d, both in logarithms."""
    sizes, seconds = results.curve("growth-d", "fit", OURS)
    counted = (sizes >= smallest) & ~np.isnan(seconds)
    if counted.sum() < 2:
        return np.nan
    return float(np.polyfit(np.log(sizes[counted]), np.log(seconds[counted]), 1)[0])


def _finished(results: Results) -> float:
    lines = results.lines.query("problem in @WIDE and method == @OURS")
    return float((lines["status"] == "ok").sum()) if len(lines) == len(WIDE) else np.nan


def two_cores(results: Results) -> list[float]:
    """How many times faster two processes on two cores are than one on one."""
    asked = [(f"set {number} {data}", "fit") for number in (8, 9) for data in ("clean", "noisy")]
    asked.append((LARGE[0], "fixed"))
    return [1 / results.times_faster(*each, "relbounds-auto-2") for each in asked]
