"""Are classes of different size, and how much did each count? In plain sentences."""

import numpy as np

from relbounds.results.result import RelevanceResult

_MOST_CLASSES = 6
"""Of more classes only the smallest and the largest are named."""


def on_classes(result: RelevanceResult) -> list[str]:
    """One sentence on sizes and weights of classes; none, if they are of nearly the same size."""
    if result.data.is_even and result.class_weights is None:
        return []
    differ = "are of nearly the same size" if result.data.is_even else "differ in size"
    return [f"The classes {differ} ({_sizes(result)}): {_weights(result)}."]


def _sizes(result: RelevanceResult) -> str:
    """``2,887 of no, 113 of yes``"""
    classes, sizes = result.data.classes or (), result.data.class_sizes
    if sizes is None:
        return ""
    named = [f"{size:,} of {label}" for label, size in zip(classes, sizes.tolist(), strict=True)]
    if len(named) <= _MOST_CLASSES:
        return ", ".join(named)
    return f"from {named[int(sizes.argmin())]} to {named[int(sizes.argmax())]}"


def _weights(result: RelevanceResult) -> str:
    if result.class_weights is None:
        chosen = ", as cross-validation chose" if "balance" in result.hyperparameters else ""
        return f"each sample counts the same in training{chosen}"
    classes, weights = result.data.classes or (), result.class_weights
    most, least = int(weights.argmax()), int(weights.argmin())
    how = "as cross-validation chose" if _is_tuned(result) else "as asked for"
    if np.isclose(weights[most], weights[least]):
        return f"each sample counts the same in training, {how}"
    return (
        f"in training, a sample of {classes[most]} counts {weights[most] / weights[least]:.3g} "
        f"times as much as one of {classes[least]}, {how}"
    )


def _is_tuned(result: RelevanceResult) -> bool:
    return len({each.balance for each in result.tuning}) > 1
