"""Two classes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from relbounds.arrays import FloatArray
from relbounds.engine import MarginRows
from relbounds.metrics import macro_mean_absolute_error
from relbounds.problems.problem import classes_below, code_classes, offset_rows


@dataclass(frozen=True)
class ClassificationProblem:
    """Class 1 lies above the one offset by a margin of one, class 0 below it."""

    def code(self, y: FloatArray) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        return code_classes(y)

    def margin_rows(self, y: FloatArray) -> MarginRows:
        return offset_rows(
            np.arange(len(y)),
            np.zeros(len(y), dtype=np.int64),
            np.where(y > 0, 1.0, -1.0),
            margin=np.ones(len(y)),
            n_offsets=1,
        )

    def predict(self, scores: FloatArray, offsets: FloatArray) -> FloatArray:
        return classes_below(scores, offsets)

    def error(self, y: FloatArray, predicted: FloatArray, sample_weight: FloatArray) -> float:
        """One minus the balanced accuracy, over the classes that are there."""
        return macro_mean_absolute_error(y, predicted, sample_weight=sample_weight)
