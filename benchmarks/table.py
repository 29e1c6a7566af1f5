"""Puts the results into docs/benchmarks.md, between the markers of each table.

    python benchmarks/table.py [--results FILE] [--out FILE]

The text around the tables is the page's own.
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from record import STAGES
from results import OURS, RESULTS, Results
from targets import targets

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
MARKED = re.compile(r"<!-- (\w+) begin -->.*?<!-- end -->", re.DOTALL)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def shown(value: float, digits: int = 2) -> str:
    """A number with so many digits, a dash where there is none."""
    if np.isnan(value):
        return "-"
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:#.{digits}g}".rstrip(".")


def against_fri(results: Results, problem: str, question: str) -> str:
    """In brackets where bounds differ, with a tilde where fri was sampled."""
    times = shown(results.times_faster_than_fri(problem, question), 3)
    if times == "-":
        return times
    if np.isnan(results.value(problem, question, "fri")):
        times = f"~{times}"
    return times if results.agree(problem, "fri") else f"({times})"


def shares(results: Results, problem: str, question: str) -> str:
    """What part of a fit each stage takes, in percent."""
    seconds = [results.value(problem, question, OURS, f"{stage}_seconds") for stage in STAGES]
    whole = results.value(problem, question, OURS)
    return " / ".join(shown(100 * each / whole, 2) for each in seconds)


def largest_difference(results: Results, problem: str) -> str:
    lines = results.lines.query("problem == @problem and question == 'fixed'")
    return f"{lines['disagreement'].max():.0e}" if lines["disagreement"].notna().any() else "-"


def fits(results: Results) -> str:
    rows = [
        [
            problem,
            against_fri(results, problem, "fit"),
            shown(results.times_faster(problem, "fit", "relbounds-simplex")),
            shown(results.times_faster(problem, "fit", "relbounds-interior")),
            shown(results.value(problem, "fit", OURS, "f1")),
            shown(results.value(problem, "fit", "fri", "f1")),
            shares(results, problem, "fit"),
            largest_difference(results, problem),
        ]
        for group in ("sets", "privileged")
        for problem in results.problems(group)
    ]
    header = (
        "problem", "fri / auto", "simplex / auto", "interior / auto", "F1, auto", "F1, fri",
        f"% {' / '.join(STAGES)}", "bounds differ by at most",
    )  # fmt: skip
    return markdown(header, rows)


def instead(results: Results) -> str:
    rows = [
        [problem, shown(results.value(problem, "fit", OURS, "f1"))]
        + [
            shown(number)
            for method in ("boruta", "rfecv")
            for number in (
                results.value(problem, "fit", method, "f1"),
                results.times_faster(problem, "fit", method),
            )
        ]
        for group in ("sets", "growth-d", "wide")
        for problem in results.problems(group)
        if not np.isnan(results.value(problem, "fit", "boruta", "f1"))
    ]
    header = ("problem", "F1, auto", "F1, Boruta", "time / auto", "F1, RFECV", "time / auto")
    return markdown(header, rows)


def programs(results: Results) -> str:
    rivals = ("relbounds-simplex", "relbounds-interior", "cvxpy-clarabel", "cvxpy-highs")
    rows = [
        [problem, shown(1000 * results.value(problem, "fixed", OURS, "seconds_per_program"))]
        + [_per_program(results, problem, name) for name in (*rivals, "fri-sampled")]
        for group in ("sets", "growth-n")
        for problem in results.problems(group)
    ]
    header = ("problem", "auto, ms", "simplex", "interior", "Clarabel", "HiGHS", "fri")
    return markdown(header, rows)


def _per_program(results: Results, problem: str, method: str) -> str:
    times = shown(results.times_faster(problem, "fixed", method, "seconds_per_program"))
    return times if times == "-" or results.agree(problem, method) else f"({times})"


def growth_in_samples(results: Results) -> str:
    sizes, seconds = results.curve("growth-n", "fixed", OURS)
    _, rise = results.curve("growth-n", "fixed", OURS, "rise_bytes")
    _, data = results.curve("growth-n", "fixed", OURS, "data_bytes")
    factors = [np.nan, *(seconds[1:] / seconds[:-1])]
    rows = [
        [
            f"{size:,}",
            shown(seconds[place]),
            shown(factors[place]),
            shown(rise[place] / data[place]),
            against_fri(results, f"n={size} d=20", "fixed"),
            shares(results, f"n={size} d=20", "fixed"),
        ]
        for place, size in enumerate(sizes)
    ]
    header = (
        "samples", "seconds", "times the last", "peak memory / data", "fri / auto",
        f"% {' / '.join(STAGES)}",
    )  # fmt: skip
    return markdown(header, rows)


def growth_in_features(results: Results) -> str:
    problems = [*results.problems("growth-d"), *results.problems("wide")]
    rows = [
        [
            problem,
            shown(results.value(problem, "fit", OURS)),
            shown(results.value(problem, "fit", OURS, "rise_bytes") / 1e6),
            shown(results.value(problem, "fit", OURS, "f1")),
            against_fri(results, problem, "fit"),
            shares(results, problem, "fit"),
        ]
        for problem in problems
    ]
    header = (
        "problem", "seconds", "peak memory, MB", "F1", "fri / auto", f"% {' / '.join(STAGES)}",
    )  # fmt: skip
    return markdown(header, rows)


def cores(results: Results) -> str:
    both = results.lines.query("method == 'relbounds-auto-2'")
    rows = [
        [problem, shown(1 / results.times_faster(problem, question, "relbounds-auto-2"), 3)]
        for problem, question in zip(both["problem"], both["question"], strict=True)
    ]
    return markdown(("problem", "times faster on two cores"), rows)


def verdicts(results: Results) -> str:
    rows = [
        [
            target.what,
            f"{'at least' if target.at_least else 'at most'} {target.wanted:g}",
            shown(target.measured, 3),
            target.verdict,
        ]
        for target in targets(results)
    ]
    return markdown(("target", "wanted", "measured (the worst)", ""), rows)


def failures(results: Results) -> str:
    lines = results.lines.query("status != 'ok'")
    rows = lines[["problem", "question", "method", "status"]].to_numpy().tolist()
    return markdown(("problem", "question", "method", "what happened"), rows) if rows else "None."


def setting(results: Results) -> str:
    machines = sorted(set(results.lines["machine"]))
    versions = results.lines.dropna(subset="versions").groupby("method", sort=False)["versions"]
    listed = [f"- {method}: {', '.join(sorted(set(each)))}" for method, each in versions]
    disturbed = results.lines.query("cores == 1")["core_share"].min()
    first = f"{'; '.join(machines)}. Every process had at least {disturbed:.0%} of its core."
    return "\n".join([first, "", *listed])


TABLES = {
    "targets": verdicts,
    "fits": fits,
    "programs": programs,
    "samples": growth_in_samples,
    "features": growth_in_features,
    "instead": instead,
    "cores": cores,
    "failures": failures,
    "setting": setting,
}


def filled(text: str, results: Results) -> str:
    """The page with each table between its markers."""

    def table(marked: re.Match[str]) -> str:
        name = marked[1]
        return f"<!-- {name} begin -->\n\n{TABLES[name](results)}\n\n<!-- end -->"

    return MARKED.sub(table, text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--out", type=Path, default=PAGE)
    arguments = parser.parse_args()
    arguments.out.write_text(filled(PAGE.read_text(), Results(arguments.results)))


if __name__ == "__main__":
    main()
