"""What is there to know of the outcome? Sizes of classes and what each counts, odd numbers."""

import numpy as np

from relbounds.results.result import RelevanceResult
from relbounds.wording.text import percent

_SKEWED = 2.0  # as numbers are that fall off exponentially
_MOST_CLASSES = 6
"""Of more classes only the smallest and the largest are named."""


def on_classes(result: RelevanceResult) -> list[str]:
    """One sentence on sizes and weights of classes; none, if they are of nearly the same size."""
    if result.data.is_even and result.class_weights is None:
        return []
    size = "size" if result.data.class_shares is None else "weight"
    differ = f"are of nearly the same {size}" if result.data.is_even else f"differ in {size}"
    return [f"The classes {differ} ({_sizes(result)}): {_weights(result)}."]


def on_numbers(result: RelevanceResult) -> list[str]:
    """A hint, if most numbers are the same or few are far larger than the rest."""
    data = result.data
    if data.largest_tie is not None and data.is_mostly_one_value:
        hint = (
            f"{percent(data.largest_tie)} of the outcomes have the same value, and a model of "
            "their size learns little from the rest. Whether an outcome has that value is a "
            "question of its own: ask it with two classes."
        )
        return [hint]
    if data.skew is not None and data.skew > _SKEWED:
        hint = (
            f"A few outcomes are far larger than the rest (skewness {data.skew:.1f}), and what is "
            "needed is hard to prove beside them. On a logarithmic scale, or as ordered classes, "
            "features may show more."
        )
        return [hint]
    return []


def _sizes(result: RelevanceResult) -> str:
    """``2,887 of no, 113 of yes``; ``96 % no, 3.8 % yes`` if samples differ in weight."""
    data = result.data
    sizes = data.class_sizes if data.class_shares is None else data.class_shares
    if sizes is None:
        return ""
    told = map(percent, sizes) if data.class_shares is not None else (f"{n:,} of" for n in sizes)
    named = [f"{size} {label}" for size, label in zip(told, data.classes or (), strict=True)]
    if len(named) <= _MOST_CLASSES:
        return ", ".join(named)
    return f"from {named[int(sizes.argmin())]} to {named[int(sizes.argmax())]}"


def _weights(result: RelevanceResult) -> str:
    weigh_alike = result.data.class_shares is None
    alike = "each sample counts " + ("the same" if weigh_alike else "by its weight")
    if result.class_weights is None:
        chosen = ", as cross-validation chose" if "balance" in result.hyperparameters else ""
        return f"{alike} in training{chosen}"
    classes, weights = result.data.classes or (), result.class_weights
    most, least = int(weights.argmax()), int(weights.argmin())
    how = "as cross-validation chose" if _is_tuned(result) else "as asked for"
    if np.isclose(weights[most], weights[least]):
        return f"{alike} in training, {how}"
    other = classes[least] if weigh_alike else f"{classes[least]} of the same weight"
    return (
        f"in training, a sample of {classes[most]} counts {weights[most] / weights[least]:.3g} "
        f"times as much as one of {other}, {how}"
    )


def _is_tuned(result: RelevanceResult) -> bool:
    return len({each.balance for each in result.tuning}) > 1
