"""The passes over long arrays: compiled ones give the plain ones' numbers, and neither is needed.

Arrays have a line for each program: m rows, then a slack for each of the first rows, weights of
both signs, and limits.
"""

import json
import os
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from small_fits import estimator, table

from relbounds.engine.kernels import plain

Array = NDArray[np.float64]
ROUNDING = 1e-12

deterministic = settings(deadline=None, derandomize=True, max_examples=60)
shapes = st.tuples(
    st.integers(1, 4),  # programs
    st.integers(1, 12),  # rows
    st.integers(0, 12),  # of which may be missed, at most
    st.integers(1, 5),  # weights
    st.integers(0, 2**32 - 1),
)


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    pytest.importorskip("relbounds.engine.kernels.native", reason="installed without a C compiler")
    from relbounds.engine.kernels import compiled

    return compiled


class Passes:
    """All passes of one step on random arrays, as one dictionary of what they give."""

    def __init__(self, batch: int, m: int, soft: int, d: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.m, self.soft = m, min(soft, m)
        size = m + self.soft + 2 * d + 2

        def positive(*shape: int) -> Array:
            return 10 ** rng.uniform(-6, 6, size=shape)

        self.primal, self.dual = positive(batch, size), positive(batch, size)
        self.slack_price = positive(self.soft)
        self.wanted, self.d_dual = rng.normal(size=(2, batch, size))
        self.gap = rng.normal(size=(batch, m))
        self.moved = rng.normal(size=(batch, m))
        self.loss_price, self.product = rng.normal(size=batch), positive(batch)
        self.aim, self.step = positive(batch), rng.uniform(size=batch)

    def through(self, kernels: ModuleType) -> dict[str, Array]:
        """What they return and what they write, into arrays that had nothing sensible in them."""
        found: dict[str, Array] = {}
        ratio, theta, lean = self.divided(kernels, found)
        for name, gap in (("whole gap", self.gap), ("no gap", np.zeros((len(self.gap), 1)))):
            rows, weighted = nothing_sensible(self.gap), nothing_sensible(self.gap)
            found[f"cost, {name}"] = kernels.wish(
                self.wanted, gap, theta, lean, self.slack_price, rows, weighted
            )
            found |= {f"rows, {name}": rows, f"weighted, {name}": weighted}
        out = np.zeros_like(self.primal)
        kernels.row_duals(rows, self.moved, theta, lean, self.loss_price, self.slack_price, out)
        found["row duals"] = out
        foreseen = kernels.foresee(self.primal, self.dual, self.d_dual, self.product)
        found["foreseen"], found["share"] = foreseen
        wanted = nothing_sensible(self.primal)
        kernels.correct(self.primal, self.dual, ratio, self.d_dual, self.aim, self.step, wanted)
        found["corrected"] = wanted.copy()
        found["steps"] = kernels.steps(self.primal, self.dual, ratio, wanted, self.d_dual)
        found["change"] = wanted.copy()
        moved = self.primal.copy()
        kernels.move(moved, self.step, wanted)
        found["moved"] = moved
        return found

    def divided(self, kernels: ModuleType, found: dict[str, Array]) -> tuple[Array, Array, Array]:
        """Ratio, theta and lean, noted among what was found, with the sum ``stiff``."""
        ratio, theta = nothing_sensible(self.primal), nothing_sensible(self.gap)
        lean = nothing_sensible(self.gap[:, : self.soft])
        found["stiff"] = kernels.divide(
            self.primal, self.dual, self.slack_price, ratio, theta, lean
        )
        found |= {"ratio": ratio, "theta": theta, "lean": lean}
        return ratio, theta, lean


def nothing_sensible(like: Array) -> Array:
    """Room for an array of the same shape, in which nothing may be left as it is."""
    return np.full(like.shape, np.nan)


@deterministic
@given(shapes)
def test_compiled_passes_give_the_plain_numbers(
    compiled: ModuleType, shape: tuple[int, int, int, int, int]
) -> None:
    """Up to rounding, which is that of the largest number in a sum."""
    passes = Passes(*shape)
    ones, others = passes.through(plain), passes.through(compiled)
    for name, one in ones.items():
        assert others[name].shape == one.shape, name
        allowed = ROUNDING * np.abs(one).max(axis=-1, keepdims=True, initial=0.0)
        if one.ndim == 1:
            allowed = ROUNDING * terms_of(passes, name, one)
        assert (np.abs(others[name] - one) <= allowed).all(), name


def terms_of(passes: Passes, name: str, sums: Array) -> Array:
    """The size of the largest term in each sum."""
    if name in ("stiff", "share"):  # all terms are positive; no sum at all
        return sums
    soft = slice(passes.m, passes.m + passes.soft)
    if name == "foreseen":
        change = np.abs(passes.primal * passes.d_dual)
        terms = change * (2 + np.abs(passes.d_dual / passes.dual))
        return passes.product + terms.sum(axis=1)
    _, _, lean = passes.divided(plain, {})
    terms = passes.slack_price * np.abs(passes.wanted[:, soft])
    rows = np.abs(passes.wanted[:, : passes.soft]) + np.abs(passes.wanted[:, soft])
    rows += np.abs(passes.gap[:, : passes.soft])
    return np.abs(sums) + (terms + lean * rows).sum(axis=1)


@pytest.fixture(params=["plain", "compiled"])
def kernels(request: pytest.FixtureRequest) -> ModuleType:
    if request.param == "plain":
        return plain
    found: ModuleType = request.getfixturevalue("compiled")
    return found


@pytest.mark.parametrize("spoiled", ["wanted", "d_dual"])
@pytest.mark.parametrize("place", [0, 4, -1])
@pytest.mark.parametrize("garbage", [np.nan, np.inf, -np.inf])
def test_garbage_in_one_program_gives_no_step_for_it(
    kernels: ModuleType, spoiled: str, place: int, garbage: float
) -> None:
    """Steps that are not finite are how an interior point learns that it is stuck.

    Other programs of the batch do not notice.
    """
    passes = Passes(3, 5, 3, 2, seed=0)
    arrays = {"wanted": passes.wanted.copy(), "d_dual": passes.d_dual.copy()}
    arrays[spoiled][1, place] = garbage
    ratio = passes.primal / passes.dual
    found = kernels.steps(passes.primal, passes.dual, ratio, arrays["wanted"], arrays["d_dual"])
    assert np.isfinite(found[:, [0, 2]]).all()
    assert np.isnan(found[:, 1]).all()


def test_step_ends_at_the_nearest_limit(kernels: ModuleType) -> None:
    """V = (1, 2) moved by (-4, -1) reaches zero after 1/4; U moved by half of itself never does."""
    primal, dual = np.array([[1.0, 2.0]]), np.array([[1.0, 1.0]])
    d_dual = np.array([[0.5, -0.5]])
    wanted = np.array([[-4.0, -1.0]]) + primal / dual * d_dual
    found = kernels.steps(primal, dual, primal / dual, wanted, d_dual)
    assert found[:, 0] == pytest.approx([0.25, 1.0])
    assert wanted == pytest.approx(np.array([[-4.0, -1.0]]))


@pytest.mark.parametrize("size", [1, 2, 5, 32, 33, 70])
def test_factors_solve(kernels: ModuleType, size: int) -> None:
    """Matrices of three programs with two right-hand sides each, held against LAPACK's."""
    rng = np.random.default_rng(size)
    roots, rhs = rng.normal(size=(3, size, size + 2)), rng.normal(size=(3, size, 2))
    matrices = roots @ np.swapaxes(roots, 1, 2) + np.eye(size)
    factors, found = matrices.copy(), rhs.copy()
    kernels.factor(factors)
    np.testing.assert_allclose(np.tril(factors), np.linalg.cholesky(matrices), atol=1e-12 * size)
    kernels.solve(factors, found)
    np.testing.assert_allclose(matrices @ found, rhs, atol=1e-10 * size)


def test_a_matrix_that_has_no_factor_gives_no_numbers(kernels: ModuleType) -> None:
    matrices = np.array([np.eye(3), -np.eye(3), np.eye(3)])
    kernels.factor(matrices)
    assert np.isfinite(np.tril(matrices[[0, 2]])).all()
    assert np.isnan(matrices[1]).any()


def test_compiled_kernels_take_what_may_only_be_read(compiled: ModuleType) -> None:
    """What processes share is mapped into memory so that nobody writes it."""
    passes = Passes(2, 5, 3, 2, seed=0)
    expected = passes.through(compiled)
    for array in vars(passes).values():
        if isinstance(array, np.ndarray):
            array.flags.writeable = False
    for name, one in passes.through(compiled).items():
        np.testing.assert_array_equal(one, expected[name], err_msg=name)


def test_compiled_kernels_refuse_other_arrays(compiled: ModuleType) -> None:
    """They would read memory that is not theirs."""
    step, change, values = np.ones(2), np.ones((2, 3)), np.zeros((2, 3))
    with pytest.raises(TypeError, match="Expected an array of kind r; got items of 4 bytes"):
        compiled.move(values, step, change.astype(np.float32))
    with pytest.raises(ValueError, match="not C-contiguous"):
        compiled.move(values, step, np.asfortranarray(change))
    with pytest.raises(TypeError, match="Expected 7 arrays or numbers; got 2"):
        compiled.correct(values, step)
    values.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        compiled.move(values, step, change)


WITHOUT_COMPILED = """
import json, logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stderr)
sys.modules["relbounds.engine.kernels." + sys.argv[1]] = None
from relbounds.engine import kernels
from small_fits import estimator, table
sample = table("ordinal")
model = estimator("ordinal", engine="interior").fit(sample.X, sample.y)
assert kernels.interior is None
print(json.dumps([kernels.steps.__module__, model.intervals_.tolist(), model.relevance_.tolist()]))
"""


@pytest.mark.parametrize("missing", ["native", "interior"])
def test_fits_need_no_compiled_kernels(missing: str) -> None:
    """Where they are missing, which a log tells, NumPy does the passes, with the same result.

    Some compilers leave out the loop of the interior point alone, which is no news.
    """
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILED, missing],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    module, intervals, relevance = json.loads(done.stdout)
    is_told = "installed without its compiled kernels" in done.stderr
    assert is_told == (module == "relbounds.engine.kernels.plain")
    assert is_told or missing == "interior"
    sample = table("ordinal")
    here = estimator("ordinal", engine="interior").fit(sample.X, sample.y)
    np.testing.assert_allclose(intervals, here.intervals_, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(relevance, here.relevance_)
