"""Three and more classes without order: real tables, symmetries, further questions, and words."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics import balanced_accuracy_score
from small_fits import PROBES

from relbounds import ClassificationRelevance, RelevanceDisplay, write_report
from relbounds.exceptions import FewSamplesWarning
from relbounds.results.result import RelevanceResult
from relbounds.wording.relevance import about, direction, summary

IRIS = load_iris(as_frame=True)
SPECIES = IRIS.target_names[IRIS.target]
PETAL_WIDTH = "petal width (cm)"


@pytest.fixture(scope="module")
def iris() -> Any:
    return ClassificationRelevance(random_state=0).fit(IRIS.data, SPECIES)


def test_iris_is_what_a_multinomial_regression_and_rank_tests_say(iris: Any) -> None:
    """Without petal width its likelihood falls most: p = 0.003, and 0.2 to 0.5 without a sepal's.

    (Without petal length p is 0.001, with a trace of a ridge, which near separable classes need.)
    """
    found = iris.result_.to_frame()
    assert (found["relevance"] != "irrelevant").all()
    assert found["needed"].tolist() == [False, False, False, True]
    assert found.loc[PETAL_WIDTH, "relevance"] == "strong"
    assert (found["p_needed"][:2] > 0.1).all()
    assert found["p_needed"].iloc[2] < 0.1
    groups = [IRIS.data[IRIS.target == k] for k in range(3)]
    expected = [stats.kruskal(*(each[name] for each in groups)).pvalue for name in IRIS.data]
    np.testing.assert_allclose(found["p_alone"], expected, rtol=1e-6)


def test_wine_has_no_column_that_is_needed_and_none_that_is_idle() -> None:
    """Three cultivars are told apart without loss, and still so without any one column."""
    X, y = load_wine(return_X_y=True)
    model = ClassificationRelevance(**PROBES).fit(X, y)
    assert (model.relevance_ > 0).all()
    assert not model.needed_.any()
    assert model.score(X, y) > 0.98


def test_labels_come_back_and_the_score_is_the_balanced_accuracy(iris: Any) -> None:
    assert iris.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    predicted = iris.predict(IRIS.data)
    assert set(predicted) == set(SPECIES)
    assert iris.score(IRIS.data, SPECIES) == pytest.approx(
        balanced_accuracy_score(SPECIES, predicted)
    )
    assert iris.score(IRIS.data, SPECIES) > 0.94
    assert iris.result_.baseline.weights.shape == (4, 3)
    assert iris.weight_ranges_.shape == (4, 3, 2)


def test_other_names_of_classes_change_nothing_but_their_order(iris: Any) -> None:
    names = {"setosa": "z", "versicolor": "y", "virginica": "x"}
    renamed = ClassificationRelevance(random_state=0).fit(
        IRIS.data, [names[each] for each in SPECIES]
    )
    found, before = renamed.result_.regular, iris.result_.regular
    assert found.classes == ("x", "y", "z")
    close = {"rtol": 0, "atol": 1e-6}
    np.testing.assert_allclose(found.intervals, before.intervals, **close)
    np.testing.assert_allclose(
        found.intervals_of_classes[:, ::-1], before.intervals_of_classes, **close
    )
    np.testing.assert_allclose(
        found.p_needed_of_classes[:, ::-1], before.p_needed_of_classes, rtol=1e-3
    )
    np.testing.assert_allclose(found.p_needed, before.p_needed, rtol=1e-3)
    np.testing.assert_allclose(found.p_alone, before.p_alone, rtol=1e-6)
    assert renamed.relevance_.tolist() == iris.relevance_.tolist()


def test_a_feature_is_in_every_good_model_if_its_absence_costs_more_than_the_tolerance(
    iris: Any,
) -> None:
    """Though no class by itself needs petal width, all of them together do."""
    side = iris.result_.regular
    assert iris.prices()["indispensable"].tolist() == side.in_every_model.tolist()
    at = side.feature_names.index(PETAL_WIDTH)
    assert not side.intervals_of_classes[at, :, 0].any()
    assert side.in_every_model[at]


def test_intervals_hold_the_best_model_and_those_of_classes(iris: Any) -> None:
    side, best = iris.result_.regular, np.abs(iris.result_.baseline.weights) / iris.result_.norm
    of_classes = side.intervals_of_classes
    assert (of_classes[..., 0] <= best + 1e-6).all()
    assert (best <= of_classes[..., 1] + 1e-6).all()
    assert (side.intervals[:, 0] >= of_classes[..., 0].max(axis=1) - 1e-6).all()
    assert (side.intervals[:, 0] <= best.max(axis=1) + 1e-6).all()
    np.testing.assert_allclose(side.intervals[:, 1], of_classes[..., 1].max(axis=1))
    stricter = side.in_every_function
    np.testing.assert_allclose(stricter.intervals, of_classes.min(axis=1))
    assert (stricter.relevance <= side.relevance).all()


def test_a_row_for_each_feature_and_class(iris: Any) -> None:
    frame = iris.result_.to_class_frame()
    assert frame.index.names == ["feature", "class"]
    assert len(frame) == 12
    needed = frame.loc[PETAL_WIDTH, "needed"]
    assert needed[needed].index.tolist() == ["versicolor", "virginica"]
    assert iris.result_.to_frame().loc[PETAL_WIDTH, "needed_for"] == "versicolor, virginica"
    assert (frame["low"] <= frame["high"]).all()
    assert frame.loc[("sepal width (cm)", "versicolor"), "sign"] == -1


def test_a_result_survives_a_dictionary(iris: Any) -> None:
    restored = RelevanceResult.from_dict(iris.result_.to_dict())
    pd.testing.assert_frame_equal(restored.to_frame(), iris.result_.to_frame())
    pd.testing.assert_frame_equal(restored.to_class_frame(), iris.result_.to_class_frame())


def test_two_classes_have_one_score_and_no_rows_for_classes() -> None:
    model = ClassificationRelevance(C=1.0, **PROBES).fit(IRIS.data, IRIS.target == 1)
    assert model.result_.baseline.weights.shape == (4,)
    assert "needed_for" not in model.result_.to_frame()
    with pytest.raises(ValueError, match="three or more classes without order; use to_frame"):
        model.result_.to_class_frame()


def test_without_a_feature_others_are_needed_more() -> None:
    """Petal length and petal width stand in for one another."""
    data = load_iris(as_frame=True)
    iris = ClassificationRelevance(C=3.0, tolerance=0.3, **PROBES).fit(data.data, data.target)
    without = iris.what_if({"petal length (cm)": "absent"})
    before, now = iris.result_.to_frame()["minrel"], without.to_frame()["minrel"]
    assert now["petal length (cm)"] == 0
    assert now[PETAL_WIDTH] > before[PETAL_WIDTH] + 0.1
    assert without.regular.classes == iris.result_.regular.classes
    total = iris.what_if({"petal length (cm)": "absent", ("sepal length (cm)",): 0.2})
    assert (total.intervals[:, 0] >= without.intervals[:, 0] - 1e-6).all()
    assert (total.intervals[:, 1] <= without.intervals[:, 1] + 1e-6).all()


def test_a_block_and_stand_ins_are_those_of_all_classes(iris: Any) -> None:
    blocks = iris.blocks({"petal": ["petal length (cm)", PETAL_WIDTH]}).to_frame()
    assert blocks.loc["petal", "relevance"] == "strong"
    assert blocks.loc["petal", "p_needed"] < iris.result_.p_needed.min()
    assert any(PETAL_WIDTH in group for group in iris.redundancy().groups)


def test_intervals_grow_with_the_tolerance() -> None:
    model = ClassificationRelevance(C=1.0, tolerance=0.05, **PROBES).fit(IRIS.data, SPECIES)
    path = model.tolerance_path([0.01, 0.3])
    assert (np.diff(path.intervals[..., 0], axis=0) <= 1e-6).all()
    assert (np.diff(path.intervals[..., 1], axis=0) >= -1e-6).all()


@pytest.mark.parametrize("probes", ["replace", "refit"])
def test_probes_can_take_the_place_of_their_originals(probes: str) -> None:
    settings = PROBES | {"n_probes": 15, "probes": probes}
    model = ClassificationRelevance(C=0.3, tolerance=0.3, **settings).fit(IRIS.data, SPECIES)
    assert model.result_.probes.intervals.shape[1:] == (3, 2)


def test_a_class_that_folds_lack_is_no_trouble() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [20, 20, 3])
    X = rng.normal(size=(43, 3)) + 3 * np.eye(3)[np.repeat([0, 1, 2], [20, 20, 3])]
    with pytest.warns(FewSamplesWarning, match="class 'c'"):
        model = ClassificationRelevance(**PROBES).fit(X, y)
    assert model.score(X, y) > 0.9
    assert np.isfinite(model.prices()["error_without"]).all()


def test_sentences_say_which_class_needs_a_feature(iris: Any, tmp_path: Path) -> None:
    result = iris.result_
    said = "petal width (cm): needed to tell each of versicolor and virginica from the rest."
    assert said in summary(result)
    assert "in the class where that is most" in about(result.regular, 0)
    assert direction(result, result.regular, 1) == (
        "Larger values speak against versicolor in every good model."
    )
    page = write_report(result, tmp_path / "page.html", random_state=0).read_text()
    assert said in page
    assert "Class by class" in page
    assert "classes without order" in page
    assert "Guessing is right in 33 %." in page
    assert said in result._repr_html_()


@pytest.mark.parametrize("signed", [False, True])
def test_a_picture_has_a_bar_for_each_feature(iris: Any, signed: bool) -> None:
    shown = RelevanceDisplay.from_result(iris.result_, signed=signed)
    assert len(shown.ax_.get_yticklabels()) == 4


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [3, 5])
def test_idle_features_are_hardly_ever_relevant_and_needed_ones_are_found(n_classes: int) -> None:
    """Of 40 draws with two needed features, one like the first, and idle ones, some rare."""
    relevant, needed = np.zeros(8), np.zeros(8)
    angle = 2 * np.pi * np.arange(n_classes) / n_classes
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 8))
        X[:, 2] = X[:, 0] + 0.3 * X[:, 2]
        X[:, 5] = X[:, 4] + 0.3 * X[:, 5]
        X[:, 6:] = X[:, 6:] > [1.3, 1.8]
        score = 3 * (np.outer(X[:, 0], np.cos(angle)) + np.outer(X[:, 1], np.sin(angle)))
        y = (score + rng.gumbel(size=score.shape)).argmax(axis=1)
        model = ClassificationRelevance(random_state=0).fit(X, y)
        relevant += model.relevance_ > 0
        needed += model.needed_
    assert (relevant[:3] >= 38).all()
    assert (needed[:2] >= 35).all()
    assert relevant[3:].sum() <= 3
    assert needed[2:].sum() <= 4


@pytest.mark.parametrize("n_classes", [3, 5, 8])
def test_the_many_do_not_win_by_being_many(n_classes: int) -> None:
    """Classes of one size around a circle: each is one of several against all others."""
    rng = np.random.RandomState(0)
    code = np.arange(200) % n_classes
    angle = 2 * np.pi * code / n_classes
    X = rng.standard_normal((200, 4))
    X[:, :2] += np.column_stack([np.cos(angle), np.sin(angle)])
    model = ClassificationRelevance(n_probes=10, random_state=0).fit(X, code)
    assert model.relevance_[:2].tolist() == [2, 2]
    assert not model.relevance_[2:].any()
