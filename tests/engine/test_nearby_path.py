"""Best models of many rows, each looked for around the last one: those of all rows."""

from typing import Any

import numpy as np
import pytest
from engine_cases import FAMILIES, PROBLEMS, Case, composed, none_to_speak_of
from numpy.typing import NDArray
from scipy import sparse

from relbounds.engine import ENGINES, TIGHT, MarginRows, Model, ModelSpace, Simplex, kernels
from relbounds.engine import nearby_path as nearby
from relbounds.engine.dense import DensePath
from relbounds.engine.nearby_path import NearbyPath
from relbounds.engine.optimum import best_model, best_models
from relbounds.exceptions import SolverError

pytestmark = pytest.mark.skipif(
    kernels.dense_simplex is None, reason="installed without a C compiler"
)

Array = NDArray[np.float64]
CS = np.logspace(-4, 2, 13)


@pytest.fixture
def few_are_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of twenty rows and more, so that hundreds are many."""
    monkeypatch.setattr(nearby, "_NEAR_ROWS", 20)
    monkeypatch.setattr(nearby, "_NEAR_A_WEIGHT", 2)


def space_of(
    family: str, problem: str, slack: str = "free", n: int = 300, d: int = 4
) -> ModelSpace:
    case = Case(family, problem, slack, "split", C=1.0, tolerance=0.1, seed=3, n=n, d=d)
    return composed(case)[0].space


def rare_values(n: int) -> ModelSpace:
    """Two classes, one of them rare, and indicators that say little: good models have no weights.

    All rows of the frequent class are then at their hinge.
    """
    rng = np.random.default_rng(0)
    points = (rng.uniform(size=(n, 6)) < np.array([0.5, 0.3, 0.1, 0.05, 0.02, 0.01])) * 1.0
    sign = np.where(rng.uniform(size=n) < 0.2 + 0.2 * points[:, 4], 1.0, -1.0)
    ones = np.ones(n)
    offsets = sparse.csr_array(-sign[:, None])
    rows = MarginRows(np.arange(n), sign, offsets, ones, ones, np.zeros(n))
    return ModelSpace.unpriced(points, rows)


def costs(space: ModelSpace, models: list[Model]) -> Array:
    return np.array(
        [space.norm(each) / 2 + C * space.loss(each) for C, each in zip(CS, models, strict=True)]
    )


@pytest.mark.usefixtures("few_are_near")
@pytest.mark.parametrize("slack", ["free", "weighted"])
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("family", FAMILIES)
def test_models_cost_what_those_of_all_rows_do(family: str, problem: str, slack: str) -> None:
    space = space_of(family, problem, slack)
    found = [model for model, _ in NearbyPath(space).solve_many(CS)]
    exact = [model for model, _ in Simplex().path(space).solve_many(CS)]
    none = CS * none_to_speak_of(space)
    difference = costs(space, found) - costs(space, exact)
    assert (np.abs(difference) <= TIGHT * costs(space, exact) + none).all()
    assert max(space.row_violation(each) for each in found) <= TIGHT


@pytest.mark.usefixtures("few_are_near")
@pytest.mark.parametrize("problem", ["explicit", "classification", "regression"])
def test_multipliers_of_all_rows_prove_them(problem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is asked for from scratch; noise leaves most rows far from their hinge."""
    monkeypatch.setattr(NearbyPath, "_behind", None)
    space = space_of("noisy", problem, n=600)
    assert all(each.gap <= TIGHT for each in best_models(NearbyPath(space), CS))


@pytest.mark.usefixtures("few_are_near")
def test_programs_have_few_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    space, sizes, around = space_of("noisy", "explicit", n=2_000), [], NearbyPath._around

    def noted(*given: Any) -> Any:
        window = around(*given)
        sizes.append(len(window.rows))
        return window

    monkeypatch.setattr(NearbyPath, "_around", noted)
    list(NearbyPath(space).solve_many(CS))
    assert np.median(sizes) < 0.1 * len(space.rows)


@pytest.mark.usefixtures("few_are_near")
def test_where_rows_are_at_their_hinge_by_the_thousand() -> None:
    """Which of them are missed is found by moving margins apart; no weight is left of that."""
    space = rare_values(3_000)
    found = best_models(NearbyPath(space), CS)
    exact = best_models(Simplex().path(space), CS)
    assert [each.loss for each in found] == pytest.approx([each.loss for each in exact], rel=TIGHT)
    assert not found[0].model.weights.any()
    for one, other in zip(found, exact, strict=True):
        np.testing.assert_array_equal(one.model.weights != 0, np.abs(other.model.weights) > 1e-9)
        assert one.gap <= TIGHT


@pytest.mark.usefixtures("few_are_near")
def test_a_model_does_not_depend_on_those_before_it() -> None:
    space = space_of("noisy", "explicit", n=1_000)
    along = best_models(NearbyPath(space), CS)
    alone = [best_model(NearbyPath(space), C) for C in CS.tolist()]
    for one, other in zip(along, alone, strict=True):
        np.testing.assert_allclose(one.model.weights, other.model.weights, atol=1e-9)


@pytest.mark.usefixtures("few_are_near")
def test_what_is_lost_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    space = space_of("noisy", "explicit")
    exact = best_models(Simplex().path(space), CS)

    def lost(*_: Any) -> Any:
        raise SolverError("lost")

    monkeypatch.setattr(nearby._Window, "solve", lost)
    found = best_models(NearbyPath(space), CS)
    assert [each.loss for each in found] == pytest.approx([each.loss for each in exact], rel=1e-6)


def test_it_is_used_where_rows_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    small = space_of("noisy", "explicit", n=100)
    assert isinstance(ENGINES["auto"]().path(small), DensePath)
    monkeypatch.setattr(nearby, "_NEAR_ROWS", 20)
    monkeypatch.setattr(nearby, "_NEAR_A_WEIGHT", 2)
    assert isinstance(ENGINES["auto"]().path(small), NearbyPath)
    kept = space_of("noisy", "explicit", "privileged", n=100)
    assert not NearbyPath.suits(kept)
    monkeypatch.setattr(kernels, "dense_simplex", None)
    assert not NearbyPath.suits(small)


@pytest.mark.parametrize(("d", "suits"), [(100, True), (130, True), (250, True), (300, False)])
def test_more_weights_have_fewer_near_rows_each_until_there_are_too_few(
    d: int, suits: bool
) -> None:
    """A table of texts has a hundred columns soon; 106 fell back to interior points at once."""
    n = 20_000
    ones, offsets = np.ones(n), sparse.csr_array(np.ones((n, 1)))
    rows = MarginRows(np.arange(n), ones, offsets, ones, ones, np.zeros(n))
    assert NearbyPath.suits(ModelSpace.unpriced(np.zeros((n, d)), rows)) == suits
