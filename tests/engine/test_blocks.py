"""Which weights have nothing to do with others, and do questions about some reach as far?"""

import numpy as np
from small_sets import TWO_PROVED

from relbounds.engine import Budget, FeasibleSet, Interior, ModelSpace, Simplex
from relbounds.engine.optimum import best_model
from relbounds.problems import SlackModel, UnorderedProblem
from relbounds.problems.tasks import offset_rows


def three_classes(n: int = 240) -> FeasibleSet:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 4)), np.arange(n) % 3
    X[:, 0] += 2 * (y == 1)
    X[:, 1] += 2 * (y == 2)
    rows = UnorderedProblem().margin_rows(y.astype(np.float64))
    space = SlackModel().compose(rows, [X], 3).space
    best = best_model(Interior().path(space), 0.1)
    budget = Budget.split(1.05 * best.norm, 1.05 * best.loss)
    return FeasibleSet(space, budget, best.norm, best.model)


def test_each_class_is_a_block() -> None:
    blocks = three_classes(30).space.blocks
    assert blocks.count == 3
    np.testing.assert_array_equal(blocks.of_weights, np.repeat([0, 1, 2], 4))
    np.testing.assert_array_equal(blocks.of_rows, np.repeat([0, 1, 2], 30))
    np.testing.assert_array_equal(blocks.of_points, np.repeat([0, 1, 2], 30))


def test_an_offset_that_no_weight_stands_beside_is_a_block_of_its_own() -> None:
    """Rows of the second offset speak of a point whose values are all zero."""
    X, rng = np.zeros((9, 3)), np.random.default_rng(0)
    X[:6] = rng.normal(size=(6, 3))
    rows = offset_rows(
        np.arange(9), np.repeat([0, 1], [6, 3]), np.ones(9), margin=np.ones(9), n_offsets=2
    )
    assert ModelSpace.unpriced(X, rows).blocks.count == 2
    X[8, 1] = 1.0
    assert ModelSpace.unpriced(X, rows).blocks.count == 1


def test_a_question_about_one_block_has_few_rows_of_others_and_the_same_answer() -> None:
    feasible = three_classes()
    search = Interior().prepare(feasible)
    part = search.start[1].working_set
    inside = np.bincount(feasible.space.blocks.of_rows[part.sides == 0], minlength=3)
    assert inside[0] < inside[1]
    assert inside[2] < inside[1]
    found = np.array([each.ends for each in search.ranges(range(12))])
    exact = np.array([each.ends for each in Simplex().prepare(feasible).ranges(range(12))])
    np.testing.assert_allclose(found, exact, rtol=0, atol=TWO_PROVED * feasible.scale)
