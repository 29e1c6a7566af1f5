"""Classes without order: every bound is the oracle's, and toys solved by hand."""

from dataclasses import dataclass
from itertools import cycle, islice, product

import numpy as np
import oracle
import pytest
from oracle import Array
from oracle_cases import best_model_with_weights, check_certificates
from small_sets import TWO_PROVED, set_around

from relbounds.engine import ENGINES, FeasibleSet
from relbounds.method.intervals import weight_ranges
from relbounds.method.largest_weights import least_of_largest
from relbounds.method.parallel import Workers
from relbounds.problems import ClassificationProblem, Composition, SlackModel, UnorderedProblem

ALONE = Workers(None, 0)


@dataclass(frozen=True)
class Case:
    """One problem, named by all that makes it."""

    kind: str
    n_classes: int
    budget: str
    tolerance: float
    weighted: bool
    engine: str
    seed: int

    def __str__(self) -> str:
        weights = "weighted" if self.weighted else "unweighted"
        return (
            f"{self.kind}-{self.n_classes}-{self.budget}-{self.tolerance}-{weights}-{self.engine}-"
            f"{self.seed}"
        )


def blobs(rng: np.random.Generator, n_classes: int) -> tuple[Array, Array]:
    """Classes around centres of their own, which overlap."""
    X, y = _table(rng, n_classes)
    return X + 2 * rng.normal(size=(n_classes, X.shape[1]))[y], y


def apart(rng: np.random.Generator, n_classes: int) -> tuple[Array, Array]:
    """Each class can be told from the rest without loss."""
    X, y = _table(rng, n_classes)
    angle = 2 * np.pi * y / n_classes
    X[:, :2] = 0.1 * X[:, :2] + 3 * np.column_stack([np.cos(angle), np.sin(angle)])
    return X, y


def in_a_row(rng: np.random.Generator, n_classes: int) -> tuple[Array, Array]:
    """Classes in the middle, which no line tells from the rest."""
    X, y = _table(rng, n_classes)
    X[:, 0] += 2 * y
    return X, y


def twins(rng: np.random.Generator, n_classes: int) -> tuple[Array, Array]:
    X, y = blobs(rng, n_classes)
    X[:, -1] = X[:, 0]
    return X, y


def integers(rng: np.random.Generator, n_classes: int) -> tuple[Array, Array]:
    """Columns of -1, 0 and 1: full of ties."""
    X, y = _table(rng, n_classes)
    X = rng.integers(-1, 2, size=X.shape).astype(np.float64)
    X[:, 0] += 2 * (y == 0)
    return X, y


def _table(rng: np.random.Generator, n_classes: int) -> tuple[Array, Array]:
    n = n_classes * rng.integers(3, 6)
    return rng.normal(size=(n, rng.integers(2, 4))), np.arange(n) % n_classes


KINDS = {kind.__name__: kind for kind in (blobs, apart, in_a_row, twins, integers)}
_OF_EACH = product(KINDS, (3, 4), ("split", "joint"), (0.0, 1e-3, 0.05, 0.3, 1.0))
CASES = [
    Case(kind, n_classes, budget, tolerance, seed % 3 == 0, "auto" if seed % 2 else "simplex", seed)
    for seed, (kind, n_classes, budget, tolerance) in enumerate(islice(cycle(list(_OF_EACH)), 200))
]


def draw(case: Case) -> tuple[Array, Array, Array, float]:
    """Columns, target, sample weights and where to look for C."""
    rng = np.random.default_rng(case.seed)
    X, y = KINDS[case.kind](rng, case.n_classes)
    weight = rng.uniform(0.2, 3.0, size=len(X)) if case.weighted else np.ones(len(X))
    return X, y.astype(np.float64), weight, 1e2 if case.kind == "apart" else 0.3


def composed(X: Array, y: Array, weight: Array | None = None) -> Composition:
    problem = UnorderedProblem()
    rows = problem.margin_rows(y).weighted(np.ones(len(y)) if weight is None else weight)
    return SlackModel().compose(rows, [X], problem.n_scores(y))


def limits(feasible: FeasibleSet) -> list[oracle.Limit]:
    """The set's budget in the oracle's words, with some room: see ``test_oracle_agreement``."""
    budget, room = feasible.budget, 1 + 1e-11
    rows = [oracle.Limit(budget.norm_price, budget.loss_price, room * budget.limit)]
    return rows if budget.norm_price else [*rows, oracle.Limit(1, 0, room * budget.norm_limit)]


def ends_of(feasible: FeasibleSet, engine: str = "simplex") -> Array:
    solver = ENGINES[engine]()
    found = weight_ranges(solver, feasible, solver.prepare(feasible).start, ALONE)
    return np.array([each.ends for each in found])


def is_left_to_the_slow_tests(case: Case) -> bool:
    """Four in five; the others have all kinds, budgets and tolerances."""
    return (case.seed + case.seed // 5) % 5 > 0


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=pytest.mark.slow if is_left_to_the_slow_tests(case) else ())
        for case in CASES
    ],
    ids=str,
)
def test_every_bound_is_the_oracles(case: Case) -> None:
    """Of each class by itself, and the least of a feature's largest weight over classes."""
    X, y, weight, first_C = draw(case)
    expected = oracle.with_free_slack(oracle.unordered(X, y, weight))
    composition = composed(X, y, weight)
    best, C = best_model_with_weights(composition, first_C)
    assert best.norm / 2 + C * best.loss == pytest.approx(
        oracle.baseline(expected, C).mu, rel=TWO_PROVED
    )
    feasible, engine = set_around(composition, best, C, case.budget, case.tolerance), case.engine
    solver = ENGINES[engine]()
    found = weight_ranges(solver, feasible, solver.prepare(feasible).start, ALONE)
    check_certificates(found, feasible.scale)
    budget, layout = limits(feasible), composition.regular
    ranges = [oracle.weight_range(expected, budget, k) for k in range(layout.n_weights)]
    close = {"rtol": 0, "atol": 1e-6 * best.norm}
    np.testing.assert_allclose([each.ends for each in found], ranges, **close)
    least = least_of_largest(solver, feasible, layout, found, workers=ALONE)
    of_oracle = [
        oracle.least_of_largest(expected, budget, layout.positions(k).tolist())
        for k in range(layout.n_features)
    ]
    np.testing.assert_allclose(least, of_oracle, **close)


def test_there_are_two_hundred_cases() -> None:
    assert len(set(CASES)) == len(CASES) == 200


def test_three_corners_solved_by_hand() -> None:
    """One sample a class: A at (2, 0), B at (0, 2), C at (-2, -2).

    A score of least norm that keeps A at 1 and the others at -1: with ``w = (1/2, 0)`` and
    ``b = 0`` A has 1, B has 0, so B needs ``b >= 1``, and then A needs ``w_1 >= 1``: the difference
    between A and B is ``2 w_1 - 2 w_2 >= 2`` and that between A and C ``4 w_1 + 2 w_2 >= 2``. The
    least ``|w_1| + |w_2|`` is 1, for all ``w_1 - w_2 = 1`` between ``(1, 0)`` and ``(2/3, -1/3)``
    (where C is at its margin, too); ``(0, -1)`` would bring C above A. So ``w_A1`` has the range
    [2/3, 1] and ``w_A2`` the range [-1/3, 0]; B is A's mirror image. C differs from A by
    ``-4 w_1 - 2 w_2 >= 2`` and from B by ``-2 w_1 - 4 w_2 >= 2``: the only solution of norm 2/3 is
    ``(-1/3, -1/3)``. Nothing is lost, and with tolerance 0 good models have the norm 8/3.
    """
    X, y = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0]]), np.arange(3.0)
    composition = composed(X, y)
    best, C = best_model_with_weights(composition, 1e3)
    assert best.loss == pytest.approx(0, abs=1e-9)
    assert best.norm == pytest.approx(8 / 3)
    ends = composition.regular.of_features(ends_of(set_around(composition, best, C, "split", 0.0)))
    third = 1 / 3
    by_hand = [
        [[2 * third, 1], [-third, 0], [-third, -third]],
        [[-third, 0], [2 * third, 1], [-third, -third]],
    ]
    np.testing.assert_allclose(ends, by_hand, atol=1e-6)


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.2])
def test_two_classes_with_a_joint_budget_have_twice_the_tolerance(tolerance: float) -> None:
    """Either score is the other's mirror image, and costs ``mu`` at best.

    One may cost what the other leaves of ``2 mu (1 + tolerance)``: ``mu (1 + 2 tolerance)``, which
    are the good models of two classes with one score at twice the tolerance. (A split budget lets
    one score trade norm for loss with the other, so that there the two differ for any tolerance but
    zero.)
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = (X[:, 0] + 0.7 * rng.normal(size=30) > 0).astype(np.float64)
    several, one = composed(X, y), SlackModel().compose(ClassificationProblem().margin_rows(y), [X])
    best, C = best_model_with_weights(several, 0.3)
    single, _ = best_model_with_weights(one, C)
    ends = several.regular.of_features(ends_of(set_around(several, best, C, "joint", tolerance)))
    of_one = ends_of(set_around(one, single, C, "joint", 2 * tolerance))
    close = {"rtol": 0, "atol": 1e-6 * best.norm}
    np.testing.assert_allclose(ends[:, 1], of_one, **close)
    np.testing.assert_allclose(ends[:, 0], -of_one[:, ::-1], **close)


def test_a_joint_budget_is_shared_by_classes_that_cost_their_least() -> None:
    """One class may spend what all others leave: with a joint budget, that is each for itself."""
    X, y = blobs(np.random.default_rng(5), 3)
    composition = composed(X, y.astype(np.float64))
    best, C = best_model_with_weights(composition, 0.3)
    ends = composition.regular.of_features(ends_of(set_around(composition, best, C, "joint", 0.1)))
    mu = best.norm / 2 + C * best.loss
    for k in range(3):
        rows = ClassificationProblem().margin_rows((y == k).astype(np.float64))
        program = oracle.with_free_slack(
            oracle.classification(X, (y == k).astype(np.float64), np.where(y == k, 1.5, 0.75))
        )
        assert len(rows) == len(y)
        own = oracle.baseline(program, C).mu
        budget = [oracle.Limit(0.5, C, own + 0.1 * mu)]
        expected = [oracle.weight_range(program, budget, j) for j in range(X.shape[1])]
        np.testing.assert_allclose(ends[:, k], expected, rtol=0, atol=1e-6 * best.norm)


def test_other_codes_of_the_same_classes_exchange_their_answers() -> None:
    X, y = blobs(np.random.default_rng(2), 3)
    order = np.array([2, 0, 1])
    ends = []
    for code in (y, order[y]):
        composition = composed(X, code.astype(np.float64))
        best, C = best_model_with_weights(composition, 0.3)
        feasible = set_around(composition, best, C, "split", 0.1)
        ends.append(composition.regular.of_features(ends_of(feasible)))
    np.testing.assert_allclose(ends[0], ends[1][:, order], atol=1e-6)
