"""Whole fits end with an answer, whatever the table is like."""

import warnings

import numpy as np
import pytest
from hostile_tables import hostile

from relbounds.exceptions import RelboundsWarning

ROUNDING = 1e-6


def ends_with_an_answer(seed: int, **most: int) -> None:
    """No error, and nothing that contradicts itself."""
    given = hostile(seed, **most)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelboundsWarning)
        model = given.estimator.fit(given.X, given.y, **given.more)
    for side in model.result_.sides:
        minrel, maxrel = side.intervals.T
        assert (minrel >= 0).all()
        assert (minrel <= maxrel + ROUNDING).all()
        assert np.isfinite(maxrel).all()
        assert (side.relevance[side.needed] > 0).all()
    result, ranges = model.result_, model.weight_ranges_
    if not result.is_degenerate:
        rounding = ROUNDING * max(result.baseline.norm, 1.0)
        assert (result.baseline.weights <= ranges[..., 1] + rounding).all()
        assert (result.baseline.weights >= ranges[..., 0] - rounding).all()
    assert model.predict(given.X).shape == given.y.shape


@pytest.mark.parametrize("seed", range(20))
def test_small_hostile_tables_have_an_answer(seed: int) -> None:
    ends_with_an_answer(seed, most_rows=50, most_columns=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400))
def test_hostile_tables_have_an_answer(seed: int) -> None:
    ends_with_an_answer(seed)
