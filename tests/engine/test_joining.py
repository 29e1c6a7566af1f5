"""What the best model costs beside columns that join it is what the oracle finds."""

from collections.abc import Iterator

import numpy as np
import oracle
import pytest
from oracle import Array
from oracle_cases import PROBLEMS, target

from relbounds.engine import Auto, Engine, ModelSpace, Simplex, kernels
from relbounds.engine.dense import DensePath, DenseProgram
from relbounds.engine.feasible_set import NORM_PRICE
from relbounds.engine.joining import Joining
from relbounds.exceptions import SolverError
from relbounds.problems import Composition, SlackModel

C, GAMMA, EXACT = 2.0, 0.5, 1e-6
N = 24

compiled = pytest.mark.skipif(
    kernels.dense_simplex is None, reason="installed without a C compiler"
)
every_problem = pytest.mark.parametrize("problem", PROBLEMS)
every_engine = pytest.mark.parametrize("engine", [Auto(), Simplex()], ids=["auto", "exact"])


class Sample:
    """Privileged columns that tell how hard samples are, and others that may join them."""

    def __init__(self, problem: str, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.X, noise = rng.normal(size=(N, 3)), 0.4 * rng.normal(size=N)
        self.X_star = np.column_stack([np.abs(noise), rng.normal(size=N)])
        self.joining = [np.abs(noise) + 0.1 * rng.normal(size=N), *rng.normal(size=(3, N))]
        self.library, self.oracle = PROBLEMS[problem]
        self.y = target(problem, self.X @ [1.0, 0.6, 0.0] + noise)
        self.composition = self.composed(self.X_star)

    def composed(self, X_star: Array) -> Composition:
        rows = self.library.margin_rows(self.y)
        return SlackModel().compose(rows, [self.X, X_star]).at(GAMMA)

    @property
    def space(self) -> ModelSpace:
        return self.composition.space

    @property
    def columns(self) -> list[Array]:
        return [self.composition.layouts[1].spread(each) for each in self.joining]

    @property
    def price(self) -> float:
        return self.composition.layouts[1].price

    def least(self, *more: Array) -> float:
        """The oracle's optimum with some more privileged columns."""
        problem = self.oracle(self.X, self.y, np.ones(N))
        table = np.column_stack([self.X_star, *more])
        return oracle.baseline(oracle.with_privileged_slack(problem, table, GAMMA), C).mu


@every_engine
@every_problem
def test_costs_are_those_of_the_oracle(problem: str, engine: Engine) -> None:
    sample = Sample(problem)
    joining = Joining(engine, sample.space, C, EXACT)
    assert joining.without.objective(C) == pytest.approx(sample.least(), rel=EXACT)
    expected = [sample.least(each) for each in sample.joining]
    np.testing.assert_allclose(joining.costs(sample.columns, sample.price), expected, rtol=EXACT)


@every_problem
def test_the_program_without_columns_is_as_before(problem: str) -> None:
    """So that each set of columns begins where the first did."""
    sample = Sample(problem)
    joining = Joining(Auto(), sample.space, C, EXACT)
    first = joining.costs(sample.columns, sample.price)
    np.testing.assert_array_equal(joining.costs(sample.columns, sample.price), first)
    alone = [joining.costs([each], sample.price)[0] for each in sample.columns]
    np.testing.assert_allclose(alone, first, rtol=EXACT)


def test_no_columns_have_no_costs() -> None:
    sample = Sample("explicit")
    assert len(Joining(Auto(), sample.space, C, EXACT).costs([], sample.price)) == 0


@compiled
@every_problem
def test_a_program_with_more_lines_is_the_one_made_with_them(problem: str) -> None:
    """Its first solution is one of the program without them: all of their weights are zero."""
    sample = Sample(problem)
    program = DenseProgram(sample.space)
    program.solve(NORM_PRICE, C)
    each_joined = program.each_joined_by(sample.columns, sample.price)
    for columns, with_more in zip(sample.columns, each_joined, strict=True):
        wider = sample.space.with_columns(columns, sample.price)
        joined, _ = with_more.solve(NORM_PRICE, C)
        fresh, _ = DenseProgram(wider).solve(NORM_PRICE, C)
        assert len(joined.weights) == wider.n_weights
        costs = [NORM_PRICE * wider.norm(each) + C * wider.loss(each) for each in (joined, fresh)]
        assert costs[0] == pytest.approx(costs[1], rel=EXACT)


@compiled
def test_what_is_not_proved_next_to_the_known_is_solved_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once the method gives up, and once it gives models that are not the best."""
    sample = Sample("explicit")
    expected = [sample.least(each) for each in sample.joining]

    def gives_up(*_: object) -> DenseProgram:
        raise SolverError("enough")

    def without_columns(
        self: DenseProgram, sets: list[Array], price: float
    ) -> Iterator[DenseProgram]:
        return each_joined_by(self, [0 * columns for columns in sets], price)

    each_joined_by = DenseProgram.each_joined_by
    for broken in (gives_up, without_columns):
        joining = Joining(Auto(), sample.space, C, EXACT)
        assert isinstance(joining._path, DensePath)
        monkeypatch.setattr(DenseProgram, "each_joined_by", broken)
        found = joining.costs(sample.columns, sample.price)
        monkeypatch.setattr(DenseProgram, "each_joined_by", each_joined_by)
        np.testing.assert_allclose(found, expected, rtol=EXACT)
