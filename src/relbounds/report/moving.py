"""What does a page need so that bars move without anybody to ask? Names, numbers and one script."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from markupsafe import Markup

from relbounds.arrays import FloatArray
from relbounds.front import bundle, source
from relbounds.report.rendering import digest_of
from relbounds.results.answers import ConstrainedResult
from relbounds.results.explored import Foreseen
from relbounds.results.findings import Findings, arranged
from relbounds.results.result import RelevanceResult
from relbounds.wording.evidence import KINDS, in_words, marks
from relbounds.wording.exploring import of_constraints, of_tolerance

_START = '$offline.show(document.getElementById("moving"));'
_DIGITS = 7
_DRAWN = ("relevance", "needed", "chance", "marks", "tolerance")


def moving_view(
    result: RelevanceResult,
    found: Foreseen | None,
    made_from: Mapping[str, str] | None,
    command: str | None,
) -> dict[str, Any]:
    """All that the section of the page is made of; empty if nothing was foreseen."""
    if found is None or not (found.along or found.gone):
        return {}
    script, style = Markup(f"{bundle('offline')}\n{_START}"), Markup(source("explorer.css"))
    return {
        "script": script,
        "style": style,
        "digests": {"script": digest_of(script), "style": digest_of(style)},
        "data": _embedded(_told(result, found, made_from or {}, command)),
        "left_out": len(_features(result)) - sum(len(each) == 1 for each in found.gone),
    }


def _told(
    result: RelevanceResult, found: Foreseen, made_from: Mapping[str, str], command: str | None
) -> dict[str, Any]:
    names, first = _features(result), numbers(result)
    return {
        "start": {
            **fixed(result),
            "answer": {**first, "sentences": []},
            "madeFrom": [made_from.get(each) for each in names],
            "models": [],
            "command": command,
        },
        "path": [
            {**_short(numbers(each), first), "sentences": of_tolerance(each, result)}
            for each in found.along
        ],
        "prices": _prices(found, names),
        "without": [
            {
                "features": sorted(map(names.index, gone)),
                "answer": _absent(then, gone, price, first),
            }
            for gone, then, price in zip(
                found.gone, found.without, found.prices.tolist(), strict=True
            )
        ],
    }


def _absent(
    then: RelevanceResult | None, gone: tuple[str, ...], price: float, first: dict[str, Any]
) -> dict[str, Any]:
    if not isinstance(then, ConstrainedResult):
        needs = price if np.isfinite(price) else None
        return {"conflict": [0], "needs": needs, "sentences": []}
    return {**_short(numbers(then), first), "sentences": of_constraints(then, gone, ())}


def _prices(found: Foreseen, names: list[str]) -> list[float | None]:
    known = {
        gone[0]: price
        for gone, price in zip(found.gone, found.prices.tolist(), strict=True)
        if len(gone) == 1 and np.isfinite(price)
    }
    return [known.get(name) for name in names]


def _features(result: RelevanceResult) -> list[str]:
    return [name for side in result.sides for name in side.feature_names]


def _short(told: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """What differs from the first answer, and is drawn; with digits that can be seen."""
    drawn = {name: told[name] for name in _DRAWN if told[name] != first[name]}
    ends = {name: [round(each, _DIGITS) for each in told[name]] for name in ("low", "high")}
    return {**drawn, **ends}


def _embedded(told: dict[str, Any]) -> Markup:
    """JSON that no name in it can end."""
    text = json.dumps(told, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def fixed(result: RelevanceResult) -> dict[str, Any]:
    """What stays as it is, whatever is asked."""
    firsts = np.cumsum([0, *(len(side.feature_names) for side in result.sides)])
    constant = set(result.data.constant_features)
    return {
        "names": _features(result),
        "order": [
            int(first + k)
            for first, side in zip(firsts, result.sides, strict=False)
            for k in arranged(side)
        ],
        "bounded": _all(result.sides, "is_bounded"),
        "constant": [name in constant for name in _features(result)],
        "kinds": [{"name": each.name, "question": each.question} for each in KINDS],
        "samples": result.data.n_samples,
    }


def numbers(result: RelevanceResult) -> dict[str, Any]:
    """Of every feature, sides one after another: its range, its interval and its class."""
    sides, norm = result.sides, result.norm
    hulls = np.concatenate([side.hulls for side in sides]) / norm + 0.0
    intervals = np.concatenate([side.intervals for side in sides])
    return {
        "low": hulls[:, 0].tolist(),
        "high": hulls[:, 1].tolist(),
        "least": intervals[:, 0].tolist(),
        "most": intervals[:, 1].tolist(),
        "relevance": _all(sides, "relevance"),
        "needed": _all(sides, "needed"),
        "chance": _plain(np.concatenate([side.chance for side in sides])),
        "marks": [marks(side, k) for side in sides for k in range(len(side.feature_names))],
        "evidence": [in_words(side, k) for side in sides for k in range(len(side.feature_names))],
        "tolerance": result.tolerances.norm if result.tolerances else None,
    }


def _all(sides: tuple[Findings, ...], name: str) -> list[Any]:
    return [each for side in sides for each in getattr(side, name).tolist()]


def _plain(values: FloatArray) -> list[float | None]:
    """With None for what JSON has no number for."""
    return [round(float(each), _DIGITS) if np.isfinite(each) else None for each in values]
