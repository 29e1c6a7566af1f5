"""What tests of reports share: a reader of pages, hostile names, and many features."""

from functools import cache
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest
from other_results import altered
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds import OrdinalRelevance, RelevanceResult
from relbounds.results.columns import ColumnFacts

HOSTILE = (
    "<script>alert(1)</script>",
    "\"quoted\" & 'single', comma",
    "שלום עולם",
    "</script><img src=x onerror=alert(2)>",
    "=two\nlines",
    "naïve 変数 " + "very_long_name_" * 20,
)
"""Names of columns that a careless page would take for markup, or be torn by."""


@cache
def tuned_result() -> RelevanceResult:
    """Two strong, two weak and two irrelevant features; C tuned."""
    X, y, _ = table()
    return estimator("ordinal", C=None).fit(X, y).result_


@cache
def told_result() -> RelevanceResult:
    """Four regular and four privileged features."""
    X, y, X_priv, *_ = privileged_table()
    names = pd.DataFrame(X_priv, columns=["scan", "notes", "age", "<b>bold</b>"])
    return told_estimator("ordinal", selection="evidence").fit(X, y, names).result_


@cache
def degenerate_result() -> RelevanceResult:
    """Nothing was learned."""
    X, y, _ = table()
    with pytest.warns(match="uses no feature at all"):
        return estimator("ordinal", C=1e-6).fit(X, y).result_


@cache
def hostile_result() -> RelevanceResult:
    """Six features with these names, and one of a single value."""
    X, y, _ = table()
    frame = pd.DataFrame(X, columns=list(HOSTILE)).assign(constant=1.0)
    with pytest.warns(match="constant"):
        return estimator("ordinal").fit(frame, y).result_


LEVELS = ("colour=red", "colour=green", "colour=very_dark_blue")
"""What a text column with white as its usual value became."""


@cache
def texts_model() -> OrdinalRelevance:
    """A number and a text that matter, and one of each that does not; C tuned."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((160, 2))
    colour, shape = rng.randint(0, 4, 160), rng.randint(0, 3, 160)
    score = X[:, 0] + np.array([0.0, 1.5, -1.5, 0.5])[colour] + 0.5 * rng.standard_normal(160)
    columns = {"width_of_sepals": X[:, 0]}
    columns |= {name: (colour == k).astype(float) for k, name in enumerate(LEVELS, start=1)}
    columns |= {"shape=round": shape == 1, "shape=flat": shape == 2, "idle": X[:, 1]}
    frame = pd.DataFrame(columns).astype(float)
    y = np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))
    return estimator("ordinal", C=None).fit(frame, y)


@cache
def texts_follow_ups() -> dict[str, Any]:
    """Everything that a report of it can show."""
    model = texts_model()
    blocks = model.blocks()
    return {
        "blocks": blocks,
        "covers": model.covers(),
        "stability": model.stability(blocks, n_halves=10),
        "held_out": model.held_out(),
        "absences": model.absences(blocks),
        "columns": {
            "colour": ColumnFacts.of_levels(
                "colour",
                ["white", "red", "green", "very_dark_blue"],
                [50, 40, 40, 30],
                reference="white",
            ),
            "idle": ColumnFacts("idle", "number", 3, -2.5, 0.25, 3.0),
        },
    }


def many_features(result: RelevanceResult, n_features: int) -> RelevanceResult:
    """The same result with so many features, most of them irrelevant."""
    rng = np.random.RandomState(0)
    highest = result.norm * result.thresholds.maxrel * rng.uniform(0.2, 1.2, n_features)
    ranges = np.stack([-highest, highest], axis=1)
    ranges[:3, 0] = ranges[:3, 1] / 2
    return altered(
        result,
        feature_names=tuple(f"measurement {k} of the sample" for k in range(n_features)),
        weight_ranges=ranges,
        p_alone=np.ones(n_features),
        p_needed=np.where(np.arange(n_features) < 3, 1e-9, 1.0),
    )


class Page(HTMLParser):
    """The elements of a page in their order: tag, attributes, and all text inside."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict, list[str]]] = []
        self._open: list[tuple[str, dict, list[str]]] = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs) -> None:
        element = (tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in {
            "meta",
            "link",
            "input",
            "col",
            "circle",
            "path",
            "rect",
            "line",
            "br",
            "wbr",
        }:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data) -> None:
        for _, _, texts in self._open:
            texts.append(data)

    def texts(self, tag: str, **attributes: str) -> list[str]:
        """What elements say that have these attributes (a class among others)."""
        return ["".join(texts) for _, texts in self.found(tag, **attributes)]

    def found(self, tag: str, **attributes: str) -> list[tuple[dict, list[str]]]:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            (held, texts)
            for name, held, texts in self.elements
            if name == tag
            and all(value in (held.get(key) or "").split() for key, value in wanted.items())
        ]
