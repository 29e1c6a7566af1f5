"""Columns that count as one: the least and the most of their total relevance."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
from small_fits import estimator, privileged_table, table, told_estimator

from relbounds import ClassificationRelevance, OrdinalRelevance
from relbounds.exceptions import ConstantFeatureWarning, ConstraintError

pytestmark = pytest.mark.filterwarnings(  # blocks are for columns that replace each other
    "ignore::relbounds.exceptions.OneHotWarning"
)


def category(n: int = 240, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """A variable of four values, two high and two low, with a column for each; and idle ones."""
    rng = np.random.default_rng(seed)
    value = rng.integers(4, size=n)
    score = np.array([-1.0, -1.0, 1.0, 1.0])[value] + 0.4 * rng.normal(size=n)
    columns = {f"colour={name}": (value == k).astype(float) for k, name in enumerate("abcd")}
    idle = {f"idle {k}": rng.normal(size=n) for k in range(3)}
    return pd.DataFrame(columns | idle), np.digitize(score, np.quantile(score, [1 / 3, 2 / 3]))


def test_a_block_is_strong_although_none_of_its_columns_is() -> None:
    X, y = category()
    model = OrdinalRelevance(C=0.05, random_state=0).fit(X, y)
    assert model.relevance_.tolist() == [1, 1, 1, 1, 0, 0, 0], "each can be had from the others"
    found = model.blocks()
    assert found.names == ("colour",)
    assert found.relevance.tolist() == [2]
    assert found.intervals[0, 0] > 0.5


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_the_most_is_that_of_all_patterns_of_signs(task: str, budget: str) -> None:
    X, y, _ = table(task, n_samples=50)
    model = estimator(task, budget=budget, tolerance=0.3).fit(X, y)
    members = [0, 2, 3, 4, 5]
    [(least, most)] = model.blocks({"some": members}).intervals
    study = model._study
    prepared = study.engine.prepare(study.feasible)
    goals = np.zeros((2 ** len(members), 6))
    goals[:, members] = list(product((-1, 1), repeat=len(members)))
    best = max(bound.inner for bound in prepared.extremes(goals))
    assert most == pytest.approx(best / model.result_.norm, abs=1e-6)
    assert least >= model.intervals_[members, 0].max() - 1e-6
    assert least <= model.intervals_[members, 0].sum() + most


def test_the_least_is_reached_by_a_model_that_may_have_no_more() -> None:
    X, y, _ = table(noise=0.3)
    model = estimator("ordinal").fit(X, y)
    [(least, _)] = model.blocks({"pair": ["x2", "x3"]}).intervals
    assert least > 0.01
    model.what_if({("x2", "x3"): least * (1 + 1e-5)})
    with pytest.raises(Exception, match="No good model keeps"):
        model.what_if({("x2", "x3"): least * (1 - 1e-3)})


def test_a_block_of_one_is_the_feature_itself() -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    found = model.blocks({name: [name] for name in model.result_.feature_names})
    np.testing.assert_allclose(found.intervals, model.intervals_, atol=1e-6)
    assert found.relevance.tolist() == model.relevance_.tolist()


def test_privileged_columns_can_be_a_block() -> None:
    X, y, X_priv, *_ = privileged_table()
    model = told_estimator("ordinal").fit(X, y, X_priv)
    [(least, most)] = model.blocks({"told": ["priv1", "priv2"]}).intervals
    assert 0 <= least <= most
    assert most >= model.intervals_priv_[1:3, 1].max() - 1e-6


def test_what_is_no_block_is_refused() -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    with pytest.raises(ConstraintError, match="Blocks are a dictionary of names and lists"):
        model.blocks()
    with pytest.raises(ConstraintError, match="There is no feature 'red'"):
        model.blocks({"colour": ["red"]})


def test_a_name_on_both_sides_is_no_reason_to_take_the_wrong_class() -> None:
    X, y, X_priv, *_ = privileged_table()
    told = pd.DataFrame(X_priv).add_prefix("x")
    model = told_estimator("ordinal", n_probes=50).fit(X, y, told)
    found = model.blocks({str(k): [k] for k in range(8)})
    expected = np.r_[model.relevance_, model.relevance_priv_]
    assert (found.relevance <= np.maximum(expected, 1)).all()
    assert found.relevance[:4].tolist() == model.relevance_.tolist()


def test_privileged_findings_keep_their_stricter_reading() -> None:
    X, y, X_priv, *_ = privileged_table()
    model = told_estimator("ordinal").fit(X, y, X_priv)
    cut = model.what_if({"x0": "positive"}).privileged
    assert (cut.in_every_function.intervals <= cut.intervals + 1e-9).all()


def colours(n: int = 60) -> pd.DataFrame:
    """Names of variables and values that could be taken for one another."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "a": rng.choice(["x", "y", "z"], n, p=[0.6, 0.35, 0.05]),
            "a_x": rng.choice(["p", "q", "r", "s"], n, p=[0.45, 0.45, 0.05, 0.05]),
            "b": rng.choice(["no", "yes"], n),
        }
    )


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"drop": "first"},
        {"drop": "if_binary"},
        {"min_frequency": 0.2},
        {"max_categories": 3, "drop": "first"},
    ],
    ids=str,
)
def test_blocks_come_from_a_one_hot_encoder(settings: dict[str, object]) -> None:
    table_ = colours()
    encoder = OneHotEncoder(sparse_output=False, **settings).set_output(transform="pandas")
    X = encoder.fit_transform(table_)
    y = (table_["a"] == "x") * 1 + (table_["b"] == "yes")
    found = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, y).blocks(encoder)
    assert found.names == ("a", "a_x", "b")
    for name, members in zip(found.names, found.features, strict=True):
        alone = OneHotEncoder(sparse_output=False, **settings).fit(table_[[name]])
        assert list(members) == alone.get_feature_names_out().tolist()


def test_an_encoders_columns_are_found_behind_a_transformers_name() -> None:
    table_ = colours().drop(columns="a_x").assign(age=np.arange(60.0))
    encode = OneHotEncoder(sparse_output=False)
    columns = ColumnTransformer([("told", encode, ["a", "b"])], remainder="passthrough")
    X = columns.set_output(transform="pandas").fit_transform(table_)
    model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, table_["b"] == "yes")
    found = model.blocks(columns.named_transformers_["told"])
    assert found.features[1] == ("told__b_no", "told__b_yes")


def test_an_encoder_of_other_columns_is_refused() -> None:
    X, y = category()
    encoder = OneHotEncoder().fit(colours())
    with pytest.raises(ConstraintError, match="The encoder made 'a_x', but none of the model's"):
        OrdinalRelevance(C=0.05, n_probes=10, random_state=0).fit(X, y).blocks(encoder)


def idle_category(seed: int, effect: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    """A variable of twelve values beside a number that decides."""
    rng = np.random.default_rng(seed)
    value, dose = rng.integers(12, size=150), rng.normal(size=150)
    score = dose + effect * np.linspace(-1, 1, 12)[value] + 0.5 * rng.normal(size=150)
    columns = {f"town={k}": (value == k).astype(float) for k in range(1, 12)}
    return pd.DataFrame(columns | {"dose": dose}), (score > 0).astype(int)


def test_a_block_that_chance_made_useful_is_not_strong() -> None:
    """There is a column by which some sample can be told: no good model does without the block."""
    used, strong, needed = 0, 0, 0
    for seed in range(24):
        model = ClassificationRelevance(C=0.2, tolerance=0.001, n_probes=19, random_state=0)
        found = model.fit(*idle_category(seed)).blocks(most_programs=0)
        used += found.intervals[0, 0] > 1e-6
        strong += found.relevance[0] == 2
        needed += found.needed[0]
    assert used >= 20
    assert strong == needed == 0, "at 0.001 each"


def test_a_block_is_needed_though_no_column_is_of_any_use() -> None:
    """What is too little in each of eleven columns is enough in all of them together."""
    model = ClassificationRelevance(n_probes=50, random_state=0).fit(*idle_category(3, effect=0.8))
    found = model.blocks()
    assert model.relevance_.tolist() == [0] * 11 + [2]
    assert found.p_needed[0] < 0.001 < model.result_.p_needed[:-1].min()
    assert (found.relevance.tolist(), found.needed.tolist()) == ([1], [True])


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_a_text_with_an_effect_is_needed_as_a_whole_and_an_idle_one_is_not(task: str) -> None:
    """A column for every value: each can be had from the others, so that none is needed."""
    rng = np.random.default_rng(0)
    told, idle, dose = rng.integers(5, size=300), rng.integers(5, size=300), rng.normal(size=300)
    score = dose + np.array([-1.0, -0.5, 0.0, 0.5, 1.0])[told] + 0.7 * rng.normal(size=300)
    columns = {f"told={k}": told == k for k in range(5)} | {
        f"idle={k}": idle == k for k in range(5)
    }
    X = pd.DataFrame(columns, dtype=float).assign(dose=dose)
    y = score if task == "regression" else np.digitize(score, [-1, 1] if task == "ordinal" else [0])
    model = estimator(task, C=0.1).fit(X, y)
    found = model.blocks(most_programs=0)
    assert found.names == ("told", "idle")
    assert found.needed.tolist() == [True, False]
    assert found.relevance[0] > 0
    assert found.relevance[1] == 0
    assert model.needed_.tolist() == [False] * 10 + [True]
    frame = found.to_frame()
    for kind in ("p_alone", "p_in_models", "p_needed"):
        assert frame.loc["told", kind] < 0.001 < frame.loc["idle", kind]


def test_evidence_of_a_block_in_models_is_that_of_its_best_column_times_their_number() -> None:
    X, y, _ = table()
    model = estimator("ordinal").fit(X, y)
    found, p = model.blocks({"pair": [2, 3], "idle": [4, 5]}), model.result_.p_in_models
    expected = [min(1.0, 2 * p[[2, 3]].min()), min(1.0, 2 * p[[4, 5]].min())]
    np.testing.assert_allclose(found.p_in_models, expected)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_block_of_constant_columns_is_irrelevant(weighted: bool) -> None:
    X, y, _ = table()
    still = pd.DataFrame(X).add_prefix("x").assign(still=1.0, quiet=2.0)
    weight = np.linspace(1, 2, len(y)) if weighted else None
    with pytest.warns(ConstantFeatureWarning):
        model = estimator("ordinal").fit(still, y, sample_weight=weight)
    found = model.blocks({"both": ["still", "quiet"], "mixed": ["still", "x0"]})
    assert found.relevance.tolist() == [0, model.relevance_[0]]
    assert found.p_alone[0] == found.p_in_models[0] == found.p_needed[0] == 1
    assert found.p_needed[1] == pytest.approx(model.result_.p_needed[0], rel=1e-6)


@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_a_search_that_is_cut_short_still_bounds_the_most(task: str) -> None:
    X, y, _ = table(task, n_samples=30, n_irrelevant=6)
    model = estimator(task, tolerance=0.1).fit(X, y)
    whole, short = (model.blocks({"idle": range(4, 10)}, most_programs=n) for n in (2048, 0))
    assert whole.gaps.max() < 1e-6 < short.gaps[0, 1]
    assert short.intervals[0, 0] == pytest.approx(whole.intervals[0, 0], abs=1e-6)
    assert short.intervals[0, 1] <= whole.intervals[0, 1] + 1e-6
    assert short.intervals[0, 1] + short.gaps[0, 1] >= whole.intervals[0, 1] - 1e-6


@pytest.mark.parametrize("wrong", [-1, 1.5, "many"])
def test_programs_are_counted_in_whole_numbers(wrong: object) -> None:
    X, y, _ = table()
    with pytest.raises(ValueError, match="most_programs must be a whole number of at least 0"):
        estimator("ordinal").fit(X, y).blocks({"all": [0]}, most_programs=wrong)


def test_an_encoder_that_makes_one_column_of_a_variable_is_refused() -> None:
    table_ = colours()
    encoder = OrdinalEncoder().set_output(transform="pandas")
    X = encoder.fit_transform(table_)
    model = OrdinalRelevance(C=1.0, n_probes=10, random_state=0).fit(X, table_["b"] == "yes")
    with pytest.raises(ConstraintError, match="this OrdinalEncoder makes 3 columns of 9 values"):
        model.blocks(encoder)


def test_blocks_are_told_alike_whatever_the_seed() -> None:
    X, y = category()
    one, other = (OrdinalRelevance(C=0.05, random_state=seed).fit(X, y).blocks() for seed in (0, 1))
    assert one.relevance.tolist() == other.relevance.tolist()
    assert one.p_alone.tolist() == other.p_alone.tolist()
    assert one.p_needed.tolist() == other.p_needed.tolist()
