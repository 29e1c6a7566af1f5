"""What once went wrong, each found by hand while privileged features were built."""

import warnings

import numpy as np
import pytest
from small_fits import PROBES
from small_sets import training_data

from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.datasets import PAPER_PRIVILEGED_SETS, make_privileged, make_semantic
from relbounds.engine import Model, Simplex, relevance_range
from relbounds.engine.optimum import best_model
from relbounds.exceptions import (
    DegenerateModelWarning,
    FewSamplesWarning,
    SolverError,
    TooFewProbesError,
)
from relbounds.method.best_model import BestModel, null_loss
from relbounds.method.tolerance import GoodnessRule
from relbounds.method.tuning import Choice
from relbounds.problems import ClassificationProblem, RegressionProblem, SlackModel

every_slack = pytest.mark.parametrize("slack", ["privileged", "mixed"])


def notes_that_explain_all(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Regular features are noise; two of three privileged ones are the slacks themselves."""
    rng = np.random.RandomState(seed)
    X, y = rng.standard_normal((100, 3)), rng.standard_normal(100)
    return X, y, np.column_stack([np.maximum(y, 0), np.maximum(-y, 0), rng.standard_normal(100)])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_what_the_notes_explain_is_not_the_features_merit(seed: int) -> None:
    X, y, notes = notes_that_explain_all(seed)
    model = RegressionRelevance(random_state=seed).fit(X, y, notes)
    assert not model.relevance_.any()
    assert model.relevance_priv_[2] == 0


def test_gain_is_measured_against_the_best_use_of_the_notes_alone() -> None:
    X, y, notes = notes_that_explain_all(0)
    choice = Choice.given(RegressionProblem(0.1), SlackModel(), 0.01, 1.0)
    best = BestModel.of(Simplex(), choice.compose(training_data(y, X, notes)), choice)
    of_notes = best.without_regular
    assert of_notes.loss < 0.8 * null_loss(Simplex(), best.composition)
    objective, without = (each.norm / 2 + 0.01 * each.loss for each in (best.solution, of_notes))
    assert objective <= without


def test_a_good_regression_loses_no_more_than_a_fifth() -> None:
    """Where the loss is far below what the model gains, a fifth of the gain is no measure."""
    data = make_privileged(150, task="regression", random_state=0)
    model = RegressionRelevance(C=1.0, gamma=1.0, epsilon=0.1, **PROBES)
    tolerances = model.fit(data.X, data.y, data.X_priv).result_.tolerances
    assert 0 < tolerances.loss <= 0.2 + 1e-12


@every_slack
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_a_fold_may_lack_a_class(slack: str) -> None:
    rng = np.random.RandomState(0)
    X, told, y = rng.normal(size=(12, 2)), rng.normal(size=(12, 2)), np.r_[0, np.ones(11, int)]
    model = OrdinalRelevance(slack=slack, **PROBES)
    with pytest.warns(FewSamplesWarning):
        model.fit(X, y, told)
    assert model.relevance_priv_.shape == (2,)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.filterwarnings("ignore::relbounds.exceptions.RelboundsWarning")
def test_an_objective_that_is_only_rounding_is_optimal(seed: int) -> None:
    """A fold in which one sample makes a class is learned without norm and loss."""
    rng = np.random.RandomState(seed)
    X, told, y = rng.normal(size=(12, 2)), rng.normal(size=(12, 2)), np.r_[0, np.ones(11, int)]
    model = ClassificationRelevance(slack="mixed", **PROBES).fit(X, y, told)
    assert model.relevance_.shape == (2,)


def test_probes_that_leave_nothing_to_learn_are_no_evidence() -> None:
    """Without any one of the notes the model collapses: a threshold of 0 would be the result."""
    data = make_semantic(random_state=0)
    model = OrdinalRelevance(C=0.5, gamma=1.0, probes="refit", **PROBES)
    with pytest.raises(
        TooFewProbesError, match=r"Only \d of 10 probes of (regular|privileged) features"
    ):
        model.fit(data.X, data.y, data.X_priv)


@pytest.mark.parametrize("C", [0.4, 1.0, 5.0])
def test_a_joint_budget_spares_as_much_as_a_split_one(C: float) -> None:
    """However near the C at which weights appear, where the objective gains nothing yet."""
    data = PAPER_PRIVILEGED_SETS[1].make(random_state=1)
    settings = PROBES | {"C": C, "gamma": 1.0}
    joint = OrdinalRelevance(budget="joint", **settings).fit(data.X, data.y, data.X_priv).result_
    split = OrdinalRelevance(**settings).fit(data.X, data.y, data.X_priv).result_
    assert joint.tolerances.norm == split.tolerances.norm == split.tolerances.loss > 1e-4


def test_columns_without_names_share_none() -> None:
    """Privileged columns called x0, x1 are no namesakes of columns that have no names."""
    pd = pytest.importorskip("pandas")
    data = make_privileged(60, n_strong=1, weak_groups=(), n_irrelevant=1, random_state=0)
    told = pd.DataFrame(data.X_priv, columns=["x0", "x1"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateModelWarning)
        model = OrdinalRelevance(C=1.0, gamma=1.0, **PROBES).fit(data.X, data.y, told)
    assert model.feature_names_priv_in_.tolist() == ["x0", "x1"]


def fitted() -> BestModel:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 2))
    data = training_data((X.sum(axis=1) > 0).astype(np.float64), X)
    choice = Choice.given(ClassificationProblem(), SlackModel(), 1.0, None)
    return BestModel.of(Simplex(), choice.compose(data), choice)


def test_a_model_beyond_the_budget_is_not_believed_where_its_multipliers_are_right() -> None:
    """The second sign only has to be shown to fall short; its model is then never looked at."""
    feasible, _ = GoodnessRule("split", 0.1).feasible_set(fitted(), np.ones(20))
    honest = Simplex().prepare(feasible)

    class Liar:
        def __getattr__(self, name: str) -> object:
            return getattr(honest, name)

        def solve(self, goal: np.ndarray, *, cold: bool, unless_above: float) -> object:
            model, multipliers = honest.solve(goal, cold=cold, unless_above=unless_above)
            if np.isfinite(unless_above):
                model = Model(model.weights + 100 * goal.sum(), model.offsets)
            return model, multipliers

    expected = relevance_range(honest, 0).relevance[1]
    assert relevance_range(Liar(), 0).relevance[1] == pytest.approx(
        expected, abs=1e-6 * feasible.scale
    )


def test_a_solver_that_gives_up_when_warm_is_asked_again_from_scratch() -> None:
    path = Simplex().path(fitted().composition.space)

    class Weak:
        def __init__(self) -> None:
            self.asked_cold: list[bool] = []

        def __getattr__(self, name: str) -> object:
            return getattr(path, name)

        def solve(self, C: float, *, cold: bool) -> object:
            self.asked_cold.append(cold)
            if not cold:
                raise SolverError("HiGHS gave up.")
            return path.solve(C, cold=True)

        def solve_many(self, Cs: np.ndarray) -> object:
            return [self.solve(C, cold=False) for C in Cs.tolist()]

    weak = Weak()
    assert best_model(weak, 1.0).gap <= 1e-7
    assert weak.asked_cold == [False, True]
