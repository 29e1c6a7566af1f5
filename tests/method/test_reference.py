"""The same bounds as the authors' own package (PyPI ``fri`` 9.0.0) on twelve of its sets."""

import os
from pathlib import Path

import numpy as np
import pytest
from small_sets import ranges, unpriced_set

from relbounds.arrays import relevance_of
from relbounds.engine import Budget
from relbounds.problems import OrdinalProblem

BESIDE_THE_REPOSITORY = Path(__file__).resolve().parents[3] / "shared"
FOLDER = Path(os.environ.get("RELBOUNDS_SHARED", BESIDE_THE_REPOSITORY)) / "reference"

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"The reference sets are not at {FOLDER}; RELBOUNDS_SHARED names their parent.",
)

SETS = [
    "set1_clean",
    "set1_noisy",
    "set2_clean",
    "set2_noisy",
    "set3_clean",
    "set3_noisy",
    "set4_clean",
    "set4_noisy",
    "set5_clean",
    "set5_noisy",
    "set7_noisy",
    "set8_noisy",
]


@pytest.mark.parametrize("name", SETS)
def test_intervals_are_those_of_the_authors_package(name: str) -> None:
    """Minrel and maxrel agree to 1e-6 of the norm budget: ECOS itself stops near 1e-8."""
    with np.load(FOLDER / f"{name}_seed0.npz") as stored:
        X, y = stored["X"], stored["y"].astype(np.float64)
        norm, loss = float(stored["norm_budget"]), float(stored["loss_budget"])
        expected = np.column_stack([stored["minrel"], stored["maxrel"]])
    rows = OrdinalProblem("explicit").margin_rows(y)
    feasible = unpriced_set(X, rows, Budget.split(norm, loss), scale=norm)
    difference = np.abs(relevance_of(ranges(feasible)) - expected).max() / norm
    assert difference <= 1e-6, f"{difference:.1e} of the norm budget"
