"""Answers that were walked to are those of engines that begin anew, and need no more than those."""

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_SETS
from relbounds.engine import Bound, Corners, Model, Simplex, WeightRange, unit_goal
from relbounds.exceptions import InfeasibleError
from relbounds.method.state import Study
from relbounds.questions.along import Ends, WalkedSearch, along, ranges_at, set_at

pytest.importorskip("relbounds.engine.kernels.native", reason="installed without a C compiler")

TWICE_PROVED = 3e-7  # of the norm: how far two answers of the library may be apart
PRICES = 3e-6  # the same of prices, which are proved to 1e-6


def fitted(kind: str) -> Any:
    if kind == "privileged":
        X, y, X_priv, *_ = privileged_table()
        return told_estimator("ordinal").fit(X, y, X_priv=X_priv)
    if kind == "mixed":
        X, y, X_priv, *_ = privileged_table()
        return told_estimator("ordinal", slack="mixed").fit(X, y, X_priv=X_priv)
    if kind == "unordered":
        X, y, _ = table("ordinal", n_samples=30)
        return estimator("classification").fit(X, np.array(list("aabbc"))[y.astype(int)])
    task, _, budget = kind.partition(" ")
    X, y, _ = table(task)
    settings = {"budget": budget} if budget else {}
    return estimator(task, **settings).fit(X, y)


KINDS = (
    "ordinal", "ordinal joint", "classification", "regression", "regression joint",
    "privileged", "mixed", pytest.param("unordered", marks=pytest.mark.slow),
)  # fmt: skip


@pytest.fixture(scope="module", params=KINDS)
def both(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """The same fit twice: once to be walked, once not."""
    walked, plain = fitted(request.param), fitted(request.param)
    plain._study.__dict__["corners"] = None
    assert Corners.suit(walked._study.feasible.space)
    return walked, plain


def questions(model: Any, rng: np.random.Generator) -> Iterator[dict[Any, Any]]:
    """Of every kind, possible ones and others."""
    d = len(model.result_.feature_names)
    most = model.result_.intervals[:, 1]
    for k in rng.permutation(d)[:2].tolist():
        size = float(most[k] * rng.uniform(0.1, 1.2))
        yield {k: "absent"}
        yield {k: str(rng.choice(["positive", "negative"]))}
        yield {k: (0.0, size)}
        yield {k: (0.5 * size, np.inf)}
        yield {k: ("signed", -0.2 * size, size)}
    for side in model.result_.sides[1:]:  # of privileged features, which have several weights
        k = int(side.intervals[:, 1].argmax())
        size = float(side.intervals[k, 1])
        yield {d + k: (0.4 * size, 0.5 * size)}
        yield {d + k: (0.4 * size, 0.4 * size)}
    some = tuple(rng.permutation(d)[: d // 2].tolist())
    yield {some: 0.5 * float(most.max())}
    yield {some: 0.5 * float(most.max()), int(rng.integers(d)): "absent"}
    yield {tuple(range(d)): 0.0}


def answer(model: Any, constraints: dict[Any, Any]) -> Any:
    try:
        return model.what_if(constraints)
    except InfeasibleError as error:
        return error


def test_constrained_answers_are_those_of_engines_that_begin_anew(both: tuple[Any, Any]) -> None:
    walked, plain = both
    n_possible = 0
    for asked in questions(walked, np.random.default_rng(0)):
        found, expected = answer(walked, asked), answer(plain, asked)
        if isinstance(expected, InfeasibleError):
            assert isinstance(found, InfeasibleError)
            assert found.conflict == expected.conflict
            assert found.tolerance == pytest.approx(expected.tolerance, rel=PRICES, abs=PRICES)
            continue
        n_possible += 1
        for ours, others in zip(found.sides, expected.sides, strict=True):
            np.testing.assert_allclose(ours.intervals, others.intervals, atol=TWICE_PROVED)
            np.testing.assert_allclose(
                ours.weight_ranges / found.norm,
                others.weight_ranges / found.norm,
                atol=TWICE_PROVED * max(1.0, np.abs(others.weight_ranges).max() / found.norm),
            )
            assert ours.relevance.tolist() == others.relevance.tolist()
            assert ours.gaps.max() <= 1e-6 * found.norm
    assert n_possible > 2


def test_the_path_is_that_of_engines_that_begin_anew(both: tuple[Any, Any]) -> None:
    walked, plain = both
    asked = [0.0, 0.2]
    found, expected = walked.tolerance_path(asked), plain.tolerance_path(asked)
    for ours, others in ((found, expected), (found.privileged, expected.privileged)):
        if others is None:
            continue
        np.testing.assert_allclose(ours.intervals, others.intervals, atol=1e-6)
        np.testing.assert_allclose(ours.thresholds, others.thresholds, atol=1e-5)
        np.testing.assert_allclose(ours.strong_until, others.strong_until, rtol=PRICES, atol=PRICES)
        assert ours.relevance.tolist() == others.relevance.tolist()


@pytest.mark.parametrize("tolerance", [0.0, 0.02, 0.7])
def test_ranges_at_another_tolerance_are_those_of_a_fit_with_it(
    both: tuple[Any, Any], tolerance: float
) -> None:
    walked, plain = ([each.ends for each in ranges_of(model, tolerance)] for model in both)
    size = np.abs(plain).max()
    np.testing.assert_allclose(walked, plain, atol=TWICE_PROVED * size)


def ranges_of(model: Any, tolerance: float) -> list[WeightRange]:
    return ranges_at(model._study, tolerance, model._workers)


def test_some_of_the_columns_that_join_may_be_asked_about() -> None:
    study: Study = fitted("ordinal")._study
    rng, n = np.random.default_rng(0), len(study.feasible.space.points)
    columns = list(rng.normal(size=(3, n, 2)))
    search = along(study, [study.result.tolerances.norm]).prepare(study.feasible)
    assert isinstance(search, WalkedSearch)
    some = search.appended(columns, 1.0, [1])
    walked = search.appended(columns, 1.0)
    solved = study.engine.prepare(study.feasible).appended(columns, 1.0, [1])
    allowed = TWICE_PROVED * search.feasible.scale
    for [ours], (_, again), [others] in zip(some, walked, solved, strict=True):
        assert ours.relevance == pytest.approx(again.relevance, abs=allowed)
        assert ours.relevance == pytest.approx(others.relevance, abs=allowed)


def test_with_a_joint_budget_all_ends_are_walked_from_the_best_model() -> None:
    """There one piece too many is zero; walks that let go of the wrong one were lost."""
    X, y, _ = PAPER_SETS[1].make(noise=0.5, random_state=0)
    model = OrdinalRelevance(budget="joint", C=1.0, n_probes=10, random_state=0).fit(X, y)
    study: Study = model._study
    engine, weights = along(study, [0.0, 0.1]), range(X.shape[1])
    for place, feasible in enumerate(engine.growing.sets):
        found = engine.of_weights(weights, place)
        assert all(found)
        solved = Simplex().prepare(feasible).relevances(weights)
        np.testing.assert_allclose(
            [each.relevance for each in found],
            [each.relevance for each in solved],
            atol=TWICE_PROVED * feasible.scale,
        )


def test_what_is_walked_elsewhere_is_the_same_and_goes_no_further_than_asked() -> None:
    """Processes get a copy of the engine, which remembers nothing."""
    study: Study = fitted("ordinal")._study
    engine = along(study, [0.01, 0.1, 0.5])
    elsewhere = pickle.loads(pickle.dumps(engine))
    for here, there in zip(engine.growing.sets, elsewhere.growing.sets, strict=True):
        found = engine.prepare(here).ranges([0, 3])
        again = elsewhere.prepare(there).ranges([0, 3])
        assert [each.relevance for each in found] == [
            pytest.approx(each.relevance, abs=TWICE_PROVED * here.scale) for each in again
        ]
        assert [len(ends.found) for ends in engine._ends.values()] == [3, 3]
    assert [ends.next for ends in elsewhere._ends.values()] == [3, 3]


def test_sets_that_were_passed_are_left_to_another_engine() -> None:
    """Walks that go no further than asked do not turn back."""
    study: Study = fitted("ordinal")._study
    engine = pickle.loads(pickle.dumps(along(study, [0.01, 0.5])))
    narrow, wide = engine.growing.sets
    engine.prepare(wide).ranges([0])
    [found] = engine.prepare(narrow).ranges([0])
    [solved] = study.engine.prepare(narrow).ranges([0])
    assert found.relevance == pytest.approx(solved.relevance, abs=TWICE_PROVED * narrow.scale)


def test_the_exact_engine_is_asked_where_it_was_chosen() -> None:
    X, y, _ = table()
    model = estimator("ordinal", engine="simplex").fit(X, y)
    study: Study = model._study
    assert study.corners is None
    assert study.walk(0, 1) is None


def test_pickles_have_no_walks() -> None:
    model = fitted("ordinal")
    before = len(pickle.dumps(model))
    model.what_if({4: "absent"})
    model.tolerance_path([0.1])
    assert len(pickle.dumps(model)) == before


def test_workers_that_ask_for_the_same_columns_get_the_same_answers() -> None:
    """Permuted indicators are often the same: both workers walked to the ends of one of them."""
    study = fitted("ordinal")._study
    tolerances = (0.01, 0.1, 0.5)
    columns = [np.eye(len(study.data.y))[:, [k]] for k in (3, 4, 3, 5, 3, 4)]
    alone = along(study, tolerances)
    for feasible in alone.growing.sets:
        expected = alone.prepare(feasible).appended(columns, 1.0)
        for _ in range(8):
            together = along(study, tolerances).prepare(feasible)
            with ThreadPoolExecutor(4) as pool:
                asked = [pool.submit(together.appended, columns, 1.0) for _ in range(4)]
                for found in asked:
                    for (one,), (other,) in zip(found.result(), expected, strict=True):
                        np.testing.assert_allclose(one.relevance, other.relevance, atol=1e-9)


def test_a_model_of_the_other_sign_counts_if_it_is_proved_to_be_good() -> None:
    """The end beyond zero was reached, but not proved: what falls short later proves nothing."""
    ends = Ends([], Model(np.array([0.5]), np.empty(0)))
    ends._known = [Bound(-0.5, np.inf, 0.0), Bound(0.5, np.inf, 0.0)]
    loose, far = Bound(0.1, 0.101, 0.0), Bound(1.0, 1.0, 0.0)
    assert ends._proved([loose, far], [False, False], 1.0) is None
    short, farther = Bound(0.2, 1.0, 0.0), Bound(2.0, 2.0, 0.0)
    assert ends._proved([short, farther], [True, False], 1.0) is None
    ends._known[0] = Bound(-1e-15, np.inf, 0.0)
    found = ends._proved([short, farther], [True, False], 1.0)
    assert found is not None
    assert found.relevance == (0.0, 2.0)


@pytest.fixture(scope="module")
def of_many_weights() -> Any:
    """More numbers than are summed side by side, and weights that are zero at most corners."""
    X, y, _ = PAPER_SETS[8].make(noise=0.5, random_state=3)
    return OrdinalRelevance(random_state=0).fit(X[:300], y[:300])


def test_a_path_of_many_weights_ends_where_the_exact_engine_does(of_many_weights: Any) -> None:
    study, path = of_many_weights._study, of_many_weights.tolerance_path([0.01, 0.5])
    scale = study.feasible.scale
    for place in np.flatnonzero(path.tolerances != path.used):
        exact = Simplex().prepare(set_at(study, path.tolerances[place])).ranges([0, 15, 35])
        relevance = np.array([each.relevance for each in exact]) / scale
        np.testing.assert_allclose(
            path.intervals[place, [0, 15, 35]], relevance, rtol=0, atol=TWICE_PROVED
        )


def test_weights_that_walks_pass_over_leave_the_inverse_right(of_many_weights: Any) -> None:
    """Of the gradients at places: of weights that rest there, of rows, and of both costs."""
    study = of_many_weights._study
    corners, d = study.corners_without_tolerance, study.feasible.space.n_weights
    best = study.best.solution.model
    walk = corners.walk(unit_goal(study.feasible.space, 12, 1), best)
    walk.turn_to(corners.within(set_at(study, 0.3)).limits).go_on()
    assert walk.is_at_end
    corner = walk.corner
    of_pieces = np.vstack([np.eye(d, len(walk.goal)), corner.rows])
    above = (corner.side > 0).astype(int)
    costs = np.take_along_axis(corner.slopes, above[:, None, None], axis=2)[:, :, 0]
    of_costs = np.where(corner.side[:, None] == 0, 0.0, costs).T @ of_pieces
    gradients = np.array([of_pieces[p] if p >= 0 else of_costs[-1 - p] for p in corner.place])
    assert (corner.place < d).sum() > len(of_costs), "some weights rest"
    np.testing.assert_allclose(gradients @ corner.inverse, np.eye(len(walk.goal)), atol=1e-7)
