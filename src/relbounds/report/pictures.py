"""How is the outcome spread, and what do models say of it? Bars, and a table with shades."""

from typing import Any

import numpy as np

from relbounds.results.data_facts import Histogram
from relbounds.results.other_data import HeldOut
from relbounds.results.result import RelevanceResult
from relbounds.wording.other_data import of_held_out
from relbounds.wording.text import percent

_MOST_CLASSES = 20
"""Of more classes the picture has only the largest."""
_WIDTH, _HEIGHT = 600, 110  # of the picture of numbers
_SHADES = 5


def outcome_view(result: RelevanceResult) -> dict[str, Any]:
    """The sizes of classes, or how numbers are spread; empty if neither is known."""
    if result.data.class_sizes is not None:
        return {"classes": _classes(result), "more": _left_out(result)}
    spread = result.data.histogram
    return {} if spread is None else {"numbers": _bars(spread)}


def _classes(result: RelevanceResult) -> list[dict[str, Any]]:
    """The classes in their order; of too many the largest."""
    sizes, labels = result.data.class_sizes, result.data.classes or ()
    assert sizes is not None, "there are classes"
    shown = np.sort(np.argsort(-sizes, kind="stable")[:_MOST_CLASSES]).tolist()
    return [
        {
            "label": str(labels[k]),
            "count": f"{sizes[k]:,}",
            "share": percent(sizes[k] / sizes.sum()),
            "width": round(100 * float(sizes[k] / sizes.max()), 2),
        }
        for k in shown
    ]


def _left_out(result: RelevanceResult) -> int:
    return max(0, len(result.data.classes or ()) - _MOST_CLASSES)


def _bars(spread: Histogram) -> dict[str, Any]:
    counts, edges = spread.counts, spread.edges
    step, tallest = _WIDTH / len(counts), max(int(counts.max()), 1)
    heights = [_HEIGHT * count / tallest for count in counts.tolist()]
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "bars": "".join(
            f"M{k * step:.1f} {_HEIGHT}v{-height:.1f}h{step - 1:.1f}v{height:.1f}z"
            for k, height in enumerate(heights)
            if height
        ),
        "least": f"{edges[0]:.4g}",
        "middle": f"{spread.middle:.4g}",
        "most": f"{edges[-1]:.4g}",
    }


def held_out_view(found: HeldOut | None) -> dict[str, Any]:
    """Lines by what samples are, columns by what is said of them; empty if nobody asked."""
    if found is None:
        return {}
    of_line = found.counts.sum(axis=1, keepdims=True)
    shares = found.counts / np.where(of_line > 0, of_line, 1.0)
    labels = found.parts
    return {
        "labels": labels,
        "lines": [
            {
                "label": label,
                "cells": [_cell(*pair) for pair in zip(shares[k], found.counts[k], strict=True)],
            }
            for k, label in enumerate(labels)
        ],
        "about": of_held_out(found),
        "is_of_numbers": found.edges is not None,
    }


def _cell(share: float, count: float) -> dict[str, str]:
    whole = f"{count:,.0f}" if count == round(count) else ""
    return {
        "share": f"{100 * share:.0f} %",
        "count": whole,
        "shade": f"shade-{int(np.ceil(share * _SHADES))}",
    }
