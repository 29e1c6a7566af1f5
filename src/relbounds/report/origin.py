"""What were the data, and how can the answer be computed again?"""

import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from relbounds.result import RelevanceResult
from relbounds.wording import listed

Facts = list[tuple[str, str]]

_LIBRARIES = {
    "NumPy": "numpy",
    "SciPy": "scipy",
    "scikit-learn": "scikit-learn",
    "HiGHS": "highspy",
}
_SYMBOLS = {
    "C": "C, the price of loss",
    "gamma": "gamma, the price of privileged weights",
    "epsilon": "epsilon, the error that costs nothing",
    "free_slack_price": "free_slack_price",
}
_OUTCOMES = {
    "ordinal": "ordered classes",
    "classification": "two classes",
    "regression": "a number",
}
PAPER = (
    "L. Pfannschmidt, J. Jakob, F. Hinder, M. Biehl, P. Tino and B. Hammer: Feature relevance "
    "determination for ordinal regression in the context of feature redundancies and privileged "
    "information. Neurocomputing, 2020."
)


def data_facts(
    result: RelevanceResult,
    target: str | None,
    source: str | None,
    groups: Mapping[str, str] | None,
) -> Facts:
    """What is known of the data."""
    facts = [
        ("Source", source or ""),
        ("Outcome", " \N{EN DASH} ".join(filter(None, [target, _OUTCOMES[result.task]]))),
        ("Classes, in order", _classes(result)),
        ("Samples", f"{result.data.n_samples:,}"),
        ("Features", f"{len(result.feature_names):,}{_made_from(result.feature_names, groups)}"),
    ]
    if result.privileged is not None:
        names = result.privileged.feature_names
        facts.append(("Privileged features", f"{len(names):,}{_made_from(names, groups)}"))
    if result.data.constant_features:
        facts.append(("Of a single value", listed(result.data.constant_features, most=50)))
    return [(name, value) for name, value in facts if value]


def _classes(result: RelevanceResult) -> str:
    classes = result.data.classes or ()
    between = " < " if result.task == "ordinal" else ", "
    return between.join(map(str, classes))


def _made_from(names: tuple[str, ...], groups: Mapping[str, str] | None) -> str:
    made = [groups[name] for name in names if name in groups] if groups else []
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
    facts.append(("Confidence", f"{result.confidence:g}"))
    seed = "not told to this page" if random_state is None else str(random_state)
    return [*facts, ("Seed (random_state)", seed)]


def versions(result: RelevanceResult) -> Facts:
    """Of the libraries that this page was written with; relbounds' own is that of the result."""
    return [
        ("relbounds", result.version),
        ("Python", platform.python_version()),
        *((name, version(package)) for name, package in _LIBRARIES.items()),
    ]


def stages(result: RelevanceResult) -> list[dict[str, str]]:
    """What each stage asked of the solver, and how long it took."""
    return [
        {"name": name, "programs": f"{result.programs.get(name, 0):,}", "seconds": f"{spent:.2f}"}
        for name, spent in result.seconds.items()
    ]
