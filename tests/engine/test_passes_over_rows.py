"""What compiled passes over rows say is what NumPy says, whatever rows cost."""

import numpy as np
import pytest
from scipy import sparse

from relbounds.engine import MarginRows, kernels
from relbounds.engine.multipliers import combined

pytestmark = pytest.mark.skipif(kernels.margins is None, reason="needs compiled kernels")
SEEDS = range(20)


def some_rows(seed: int) -> MarginRows:
    """Rows of one or two offsets or none, some to be kept, some whose surplus costs something."""
    rng = np.random.RandomState(seed)
    m, n_offsets = rng.randint(1, 60), rng.randint(1, 5)
    entries = rng.randint(-2, 3, size=(m, n_offsets)) * (rng.rand(m, n_offsets) < 0.5)
    weight = np.where(rng.rand(m) < 0.2, np.inf, rng.rand(m))
    return MarginRows(
        rng.randint(12, size=m),
        rng.choice([-1.0, 0.0, 1.0], size=m),
        sparse.csr_array(entries.astype(float)),
        rng.standard_normal(m),
        weight,
        np.where(rng.rand(m) < 0.3, rng.rand(m), 0.0),
    )


@pytest.fixture(params=[1, 3])
def batch(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize("seed", SEEDS)
def test_models_miss_and_pay_the_same(
    seed: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, rng = some_rows(seed), np.random.RandomState(seed)
    scores, offsets = rng.standard_normal((batch, 12)), rng.standard_normal((batch, rows.n_offsets))
    missed = rows.shortfalls(scores, offsets)
    loss, violation = rows.priced(missed)
    np.testing.assert_allclose(rows.shortfalls(scores[0], offsets[0]), missed[0], rtol=1e-12)
    monkeypatch.setattr(kernels, "margins", None)
    np.testing.assert_allclose(missed, rows.shortfalls(scores, offsets), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose((loss, violation), rows.priced(missed), rtol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_multipliers_add_up_to_the_same(
    seed: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, rng = some_rows(seed), np.random.RandomState(seed)
    multipliers = rng.standard_normal((batch, len(rows))) * (rng.rand(batch, len(rows)) < 0.7)
    found = combined(rows, multipliers)
    monkeypatch.setattr(kernels, "margins", None)
    for ours, plain in zip(found, combined(rows, multipliers), strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_offsets_have_the_same_limits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, rng = some_rows(seed), np.random.RandomState(seed)
    reach, loss = rng.rand(12), float(rng.rand())
    box = rows.offset_box(reach, loss)
    monkeypatch.setattr(kernels, "margins", None)
    np.testing.assert_allclose(box, rows.offset_box(reach, loss), rtol=1e-9, atol=1e-9)


def test_a_multiplier_that_is_no_number_proves_nothing() -> None:
    rows = some_rows(0)
    multipliers = np.ones((2, len(rows)))
    multipliers[1, 0] = np.nan
    margins = combined(rows, multipliers).margins
    assert np.isfinite(margins[0])
    assert np.isnan(margins[1])


def test_rows_that_cost_nothing_limit_no_offset() -> None:
    """Zero weight and no loss: what it may cost to miss such a row is not known."""
    free = MarginRows(
        np.array([0, 1]),
        np.ones(2),
        sparse.csr_array(np.array([[-1.0], [-1.0]])),
        np.ones(2),
        np.array([0.0, 1.0]),
        np.zeros(2),
    )
    low, high = free.offset_box(np.ones(2), 0.0)
    assert low == -np.inf
    assert high == 0.0


def test_a_batch_may_be_empty() -> None:
    rows = some_rows(1)
    missed = rows.shortfalls(np.empty((0, 12)), np.empty((0, rows.n_offsets)))
    assert missed.shape == (0, len(rows))
    assert combined(rows, missed).margins.shape == (0,)
