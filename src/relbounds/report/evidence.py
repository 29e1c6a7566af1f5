"""How sure is the answer, and how can it be computed again?"""

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from relbounds._version import __version__
from relbounds.report.features import Axis, chance, has_one_line
from relbounds.results.findings import Findings
from relbounds.results.records import Relevance
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import (
    KINDS,
    close_calls,
    kinds_asked,
    on_open_ones,
    proved_counts,
    rule_of,
)
from relbounds.wording.outcome import on_numbers
from relbounds.wording.rules import RULES, share
from relbounds.wording.tasks import words_of
from relbounds.wording.text import listed, percent, probability

_NEAREST = 3
_WIDTH, _HEIGHT, _MARGIN = 1000, 40, 9  # of a lane in the picture
_GOLDEN = (np.sqrt(5) - 1) / 2
_EDGE = "of all indispensable ones it has the least weight in a good model, {least}"
_PROBES_DO = {
    "append": "joined the features",
    "replace": "took the place of its original",
    "refit": "took the place of its original, and what counts as good was computed anew",
}
Facts = list[tuple[str, str]]
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "highspy")
_SYMBOLS = {
    "C": "C, the price of loss",
    "gamma": "gamma, the price of privileged weights",
    "epsilon": "epsilon, the error that costs nothing",
    "balance": "balance, the power of a class's size by which rare ones count more",
    "free_slack_price": "free_slack_price",
}
PAPER = (
    "L. Pfannschmidt, J. Jakob, F. Hinder, M. Biehl, P. Tino and B. Hammer: Feature relevance "
    "determination for ordinal regression in the context of feature redundancies and privileged "
    "information. Neurocomputing, 2020."
)


def sureness(result: RelevanceResult, side: Findings, single: Findings) -> dict[str, Any]:
    """What the certainty of one side's answer rests on; the side has probes.

    ``single``: the same side, none of whose columns count as one. Chance is known of those alone.
    """
    probes, limits = side.probes, side.thresholds
    if probes is None or limits is None:
        raise ValueError("A result without probes has no certainty to speak of.")
    axis = Axis.of(single)
    return {
        "questions": _questions(side),
        "rule": rule_of(side),
        "selection": side.selection,
        "probes": probes.solved,
        "probes_do": _PROBES_DO[probes.mode],
        "most": percent(limits.maxrel),
        "typical": percent(float(np.median(side.probe_intervals[:, 1]))),
        "confidence": share(side.confidence),
        "alarm": share(1 - side.confidence),
        "n_features": len(side.feature_names),
        "false_alarms": _false_alarms(side),
        "own_shadows": len(single.shadows),
        "has_one_line": has_one_line(single),
        "ticks": axis.ticks,
        "chance": chance(side, axis),
        "lanes": _lanes(single, axis),
        "calls": _closest_calls(side, result.data.constant_features),
        "close": close_calls(side),
        "limit": probability(side.proof_limit),
        "open": on_open_ones(side),
    }


def _questions(side: Findings) -> list[dict[str, Any]]:
    """The questions that were asked of each feature, and of how many the answer is yes."""
    counts = proved_counts(side)
    return [
        {"kind": KINDS[kind].letter, "text": KINDS[kind].question, "yes": counts[kind]}
        for kind in kinds_asked(side)
    ]


def _false_alarms(side: Findings) -> str:
    """How many of idle features would be called relevant; empty where the rule itself says so."""
    if side.selection in ("fdr", "fwer"):
        return ""
    kinds = 1 if side.selection == "probe" else len(kinds_asked(side))
    return f"{len(side.feature_names) * kinds * (1 - side.confidence):.2g}"


def doubts(result: RelevanceResult) -> list[str]:
    """What the result itself warns of, in sentences."""
    return on_numbers(result) + [
        f"{side.probes.infeasible} of {side.probes.asked} permuted {side.side} columns left no "
        "good model and were left out: what chance reaches may be underrated."
        for side in result.sides
        if side.probes is not None and side.probes.infeasible
    ]


def largest_gap(result: RelevanceResult) -> str:
    """The largest distance between what is reached and what cannot be passed, in powers of ten."""
    gaps = [side.gaps[~side.is_bounded].max(initial=0.0) for side in result.sides]
    gap = float(max(gaps)) / result.norm
    return f"10^{max(-16, int(np.ceil(np.log10(max(gap, 1e-16)))))}"


def _lanes(side: Findings, axis: Axis) -> list[dict[str, Any]]:
    """Dots at the most weight of each feature, and above them those of permuted columns."""
    lanes = {"permuted": side.probe_intervals[:, 1]} | {
        each.name.lower(): side.intervals[(side.relevance == each) & ~side.is_bounded, 1]
        for each in Relevance
    }
    return [
        {"name": name, "count": len(values), "dots": _dots([axis.place(each) for each in values])}
        for name, values in lanes.items()
    ]


def _dots(places: list[float]) -> str:
    """A path of dots, spread over the height of a lane so that few hide one another."""
    room = _HEIGHT - 2 * _MARGIN
    return "".join(
        f"M{_WIDTH / 100 * place:.1f} {_MARGIN + room * (index * _GOLDEN % 1):.1f}h0"
        for index, place in enumerate(places)
    )


def _closest_calls(side: Findings, constant: tuple[str, ...]) -> list[dict[str, Any]]:
    """The features whose evidence is nearest to what it has to be, on both sides of that."""
    varies = ~np.isin(side.feature_names, constant)
    used, strong = side.relevance > 0, side.relevance == Relevance.STRONG
    calls = [
        _call(side, k)
        for chosen, nearness in ((used, -side.strongest), (~used & varies, side.strongest))
        for k in _nearest(nearness, chosen, _NEAREST)
    ]
    over_least = side.threshold_distances[:, 0]
    return calls + [
        _call(side, k, _EDGE.format(least=percent(side.intervals[k, 0])))
        for k in _nearest(over_least, strong, 1)
    ]


def _nearest(distances: Any, chosen: Any, most: int) -> list[int]:
    positions = np.flatnonzero(chosen)
    nearest: list[int] = positions[np.argsort(distances[positions], kind="stable")][:most].tolist()
    return nearest


def _call(side: Findings, k: int, what: str = "") -> dict[str, Any]:
    """What is said of one feature: on the edge of another class, or of being more than chance."""
    best = np.nanargmin(np.abs(side.p_of_kinds[k] - side.strongest[k]))
    strongest = f"its strongest evidence ({KINDS[best].name}) has p = "
    return {
        "name": side.feature_names[k],
        "relevance": Relevance(side.relevance[k]).name.lower(),
        "what": what or f"{strongest}{probability(side.strongest[k])}",
        "close": not what and bool(side.is_close[k]),
    }


def data_facts(
    result: RelevanceResult,
    target: str | None,
    source: str | None,
    made_from: Mapping[str, str] | None,
) -> Facts:
    """What is known of the data."""
    words = words_of(result.task, is_each_told_apart=bool(result.regular.classes))
    facts = [
        ("Source", source or ""),
        ("Outcome", " \N{EN DASH} ".join(filter(None, [target, words.outcome]))),
        (
            "Classes" if result.regular.classes else "Classes, in order",
            words.between_classes.join(map(str, result.data.classes or ())),
        ),
        ("Samples of each class", _sizes(result)),
        ("Samples", f"{result.data.n_samples:,}"),
        ("Groups of samples that belong together", _groups(result)),
        ("Features", f"{len(result.feature_names):,}{_of_text(result.feature_names, made_from)}"),
    ]
    if result.privileged is not None:
        names = result.privileged.feature_names
        facts.append(("Privileged features", f"{len(names):,}{_of_text(names, made_from)}"))
    if result.data.constant_features:
        facts.append(("Of a single value", listed(result.data.constant_features, most=50)))
    return [(name, value) for name, value in facts if value]


def _groups(result: RelevanceResult) -> str:
    return "" if result.data.n_groups is None else f"{result.data.n_groups:,}"


def _sizes(result: RelevanceResult) -> str:
    sizes = () if result.data.class_sizes is None else result.data.class_sizes.tolist()
    return ", ".join(f"{size:,}" for size in sizes)


def _of_text(names: tuple[str, ...], made_from: Mapping[str, str] | None) -> str:
    made = [made_from[name] for name in names if name in made_from] if made_from else []
    if not made:
        return ""
    columns = len(set(made))
    return f", {len(made)} of them made from {columns} column{'s' if columns > 1 else ''} of text"


def settings(result: RelevanceResult, random_state: Any) -> Facts:
    """What decides the answer, beside the data."""
    chosen = "chosen by cross-validation" if result.tuning else "given"
    facts = [
        (_SYMBOLS.get(name, name), f"{value:.6g} ({chosen})")
        for name, value in result.hyperparameters.items()
    ]
    if result.tolerances is not None:
        facts.append(("Tolerance as used", f"{result.tolerances.norm:.6g}"))
        if result.tolerances.loss not in (None, result.tolerances.norm):
            facts.append(("Tolerance of the loss", f"{result.tolerances.loss:.6g}"))
    facts.append(("Budget", result.budget))
    if result.slack:
        facts.append(("Slack", result.slack))
    if result.probes is not None:
        facts.append(("Permuted columns", f"{result.probes.asked}, mode {result.probes.mode}"))
    facts += [
        ("Confidence", f"{result.confidence:g}"),
        ("Selection", f"{result.selection}: {RULES[result.selection]}"),
        ("Level (error rate over all features)", f"{result.level:g}"),
    ]
    seed = "not told to this page" if random_state is None else str(random_state)
    return [*facts, ("Seed (random_state)", seed)]


def versions() -> dict[str, str]:
    """Of Python, of relbounds and of the packages that numbers depend on."""
    found = {"python": platform.python_version(), "relbounds": __version__}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # an extra that is not installed
            continue
    return found


def stages(result: RelevanceResult) -> list[dict[str, str]]:
    """What each stage asked of the solver, and how long it took."""
    return [
        {"name": name, "programs": f"{result.programs.get(name, 0):,}", "seconds": f"{spent:.2f}"}
        for name, spent in result.seconds.items()
    ]
