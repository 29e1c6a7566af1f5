"""``fit(..., groups=...)``: whose rows belong together, from labels to answers."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, LeaveOneGroupOut, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from small_fits import ESTIMATORS, PROBES, estimator, facts, privileged_table, told_estimator

from relbounds import RelevanceResult
from relbounds.exceptions import FewSamplesWarning

TASKS = list(ESTIMATORS)
PATIENT = np.repeat(np.arange(20), 6)
N = len(PATIENT)


def visits(task: str = "classification", seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Of 20 patients: a column of theirs and one of visits matter, two of theirs are idle."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(20, 3))[PATIENT], rng.normal(size=N)])
    score = X[:, 0] + 0.7 * X[:, 3] + rng.normal(size=20)[PATIENT] + 0.5 * rng.normal(size=N)
    if task == "regression":
        return X, score
    limits = [0.5] if task == "classification" else [0.33, 0.67]
    return X, np.searchsorted(np.quantile(score, limits), score)


@pytest.mark.parametrize("task", TASKS)
def test_groups_change_evidence_and_tolerance_but_not_the_best_model(task: str) -> None:
    X, y = visits(task)
    without = estimator(task).fit(X, y).result_
    with_groups = estimator(task).fit(X, y, groups=PATIENT).result_
    np.testing.assert_array_equal(with_groups.baseline.weights, without.baseline.weights)
    assert with_groups.tolerances.norm > without.tolerances.norm, "groups of losses vary more"
    assert with_groups.p_alone[0] > without.p_alone[0]
    assert with_groups.p_needed[0] > without.p_needed[0]
    assert (with_groups.data.n_groups, without.data.n_groups) == (20, None)


@pytest.mark.parametrize(
    "labels",
    [
        PATIENT.tolist(),
        [f"patient {each}" for each in PATIENT],
        pd.Series(PATIENT).astype("category"),
        pd.Series(PATIENT, dtype="Int64"),
        (PATIENT / 7).astype(object),
    ],
    ids=["list", "texts", "categories", "nullable", "objects"],
)
def test_labels_may_be_of_any_kind(labels: Any) -> None:
    X, y = visits()
    expected = estimator("classification").fit(X, y, groups=PATIENT).result_
    found = estimator("classification").fit(X, y, groups=labels).result_
    assert found.data.n_groups == 20
    np.testing.assert_allclose(found.p_needed, expected.p_needed)
    assert found.relevance.tolist() == expected.relevance.tolist()


def test_the_number_of_groups_is_told_and_read_again() -> None:
    X, y = visits()
    result = estimator("classification").fit(X, y, groups=PATIENT).result_
    assert result.to_dict()["data"]["n_groups"] == 20
    assert RelevanceResult.from_dict(result.to_dict()).data.n_groups == 20


def test_rows_of_weight_zero_leave_their_groups() -> None:
    X, y = visits()
    weight = np.where(PATIENT < 3, 0.0, 1.0)
    with_zeros = estimator("classification").fit(X, y, groups=PATIENT, sample_weight=weight)
    counted = weight > 0
    without = estimator("classification").fit(X[counted], y[counted], groups=PATIENT[counted])
    assert facts(with_zeros) == facts(without)
    assert with_zeros.result_.data.n_groups == 17


def test_tuning_and_workers_give_the_same_answer_again() -> None:
    X, y = visits()
    model = ESTIMATORS["classification"]
    first = model(**PROBES).fit(X, y, groups=PATIENT)
    again = model(**PROBES, n_jobs=2).fit(X, y, groups=PATIENT)
    assert facts(first) == facts(again)


def test_blocks_and_questions_know_the_groups() -> None:
    X, y = visits()
    names = ["a", "b", "c", "d"]
    model = estimator("classification").fit(pd.DataFrame(X, columns=names), y, groups=PATIENT)
    blocks = model.blocks({"one": ["a"], "two": ["a", "b"]})
    frame = model.result_.to_frame()
    assert blocks.p_alone[0] == pytest.approx(frame.loc["a", "p_alone"])
    assert blocks.p_needed[0] == pytest.approx(frame.loc["a", "p_needed"])
    assert 0 < blocks.p_needed[1] < 1
    assert model.what_if({"b": "absent"}).p_needed[0] < 1


def test_privileged_features_are_permuted_by_groups() -> None:
    data = privileged_table(n_samples=60)
    labels = np.arange(60) // 3
    model = told_estimator("ordinal").fit(data.X, data.y, X_priv=data.X_priv, groups=labels)
    alone = told_estimator("ordinal").fit(data.X, data.y, X_priv=data.X_priv)
    assert model.result_.data.n_groups == 20
    found, before = model.result_.privileged, alone.result_.privileged
    assert not np.array_equal(found.probes.intervals, before.probes.intervals)
    assert ((found.p_needed > 0) & (found.p_needed <= 1)).all()


@pytest.mark.parametrize("cv", [GroupKFold(4), LeaveOneGroupOut()], ids=["folds", "one out"])
def test_a_splitter_that_wants_groups_gets_them(cv: Any) -> None:
    X, y = visits()
    model = ESTIMATORS["classification"](**PROBES, cv=cv).fit(X, y, groups=PATIENT)
    n_folds = cv.get_n_splits(X, y, PATIENT)
    assert all(len(each.errors) == n_folds for each in model.result_.tuning)


def test_a_splitter_that_wants_groups_says_how_to_give_them() -> None:
    X, y = visits()
    model = ESTIMATORS["classification"](**PROBES, cv=GroupKFold(4))
    with pytest.raises(ValueError, match=r"asks which rows belong together; give .* groups="):
        model.fit(X, y)


def test_searches_of_scikit_learn_hand_groups_to_their_splitter() -> None:
    X, y = visits()
    search = GridSearchCV(estimator("classification"), {"C": [0.1, 1.0]}, cv=GroupKFold(4))
    assert search.fit(X, y, groups=PATIENT).best_estimator_.result_.data.n_groups is None
    scores = cross_validate(
        estimator("classification"), X, y, groups=PATIENT, cv=GroupKFold(4), return_estimator=True
    )
    assert len(scores["estimator"]) == 4


def test_groups_are_routed_as_metadata() -> None:
    X, y = visits()
    weight = np.ones(N)
    with config_context(enable_metadata_routing=True):
        asks = estimator("classification").set_fit_request(groups=True, sample_weight=False)
        asks.set_score_request(sample_weight=False)
        search = GridSearchCV(asks, {"C": [0.1, 1.0]}, cv=GroupKFold(4))
        found = search.fit(X, y, groups=PATIENT).best_estimator_
        pipeline = make_pipeline(StandardScaler(), asks, LogisticRegression())
        scores = cross_validate(
            pipeline,
            X,
            y,
            cv=GroupKFold(4),
            params={"groups": PATIENT},
            return_estimator=True,
            error_score="raise",
        )
        weighted = estimator("classification").set_fit_request(groups=True, sample_weight=True)
        both = make_pipeline(weighted).fit(X, y, groups=PATIENT, sample_weight=weight)
    assert found.result_.data.n_groups == 20
    assert [each[1].result_.data.n_groups for each in scores["estimator"]] == [15] * 4
    assert both[0].result_.data.n_groups == 20


def missing(value: Any) -> list[Any]:
    return [value, value, *(f"patient {each}" for each in PATIENT[2:])]


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (PATIENT[:-1], r"one label for each of the 120 samples; its shape is \(119,\)"),
        (PATIENT[:, None], r"one label for each of the 120 samples; its shape is \(120, 1\)"),
        (missing(None), "no label for 2 of the 120 samples"),
        (missing(np.nan), "no label for 2 of the 120 samples"),
        (pd.Series(missing(pd.NA)), "no label for 2 of the 120 samples"),
        (np.where(PATIENT == 1, np.nan, PATIENT), "no label for 6 of the 120 samples"),
        (np.zeros(N), "the same label for all 120 samples.* at least two groups"),
        (np.arange(N), "another label for each of the 120 samples.* or leave groups out"),
    ],
    ids=["short", "table", "none", "nan", "na", "nan number", "one", "all different"],
)
def test_labels_that_make_no_groups_are_refused(labels: Any, says: str) -> None:
    X, y = visits()
    with pytest.raises(ValueError, match=says):
        estimator("classification").fit(X, y, groups=labels)


def test_a_class_of_one_patient_is_said_and_fitted() -> None:
    X, y = visits("ordinal")
    y = np.where(PATIENT == 7, 3, y)
    with pytest.warns(FewSamplesWarning, match="wants 5 groups, .* class 3 has 1") as said:
        model = ESTIMATORS["ordinal"](**PROBES).fit(X, y, groups=PATIENT)
    assert said[0].filename == __file__, "the line that calls fit"
    assert model.result_.data.n_groups == 20


def test_one_of_two_classes_in_one_patient_is_said_and_fitted() -> None:
    X, _ = visits()
    y = (PATIENT == 7).astype(int)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = ESTIMATORS["classification"](**PROBES).fit(X + y[:, None], y, groups=PATIENT)
    few = [str(each.message) for each in said if each.category is FewSamplesWarning]
    assert len(few) == 1
    assert "class 1 has 1; some folds do without" in few[0]
    assert (model.relevance_ == 0).all(), "one patient proves nothing"


def test_fewer_patients_than_folds_are_said_and_fitted() -> None:
    X, y = visits()
    with pytest.warns(FewSamplesWarning, match="wants 5 groups, .* the data has 3"):
        model = ESTIMATORS["classification"](**PROBES).fit(X, y, groups=PATIENT // 7)
    assert len(model.result_.tuning[0].errors) == 3


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_100_studies_of_40_patients_with_10_rows_each(task: str) -> None:
    """Idle columns of patients: p below 0.05 in at most 7 % with groups, thrice that without."""
    patient = np.repeat(np.arange(40), 10)
    small, relevant, found, naive = [], [], [], []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=(40, 4))[patient], rng.normal(size=400)])
        score = X[:, 0] + 0.5 * X[:, 4] + rng.normal(size=40)[patient] + rng.normal(size=400)
        limits = {"regression": None, "classification": [0.5]}.get(task, [0.2, 0.4, 0.6, 0.8])
        y = score if limits is None else np.searchsorted(np.quantile(score, limits), score)
        model = ESTIMATORS[task](random_state=seed).fit(X, y, groups=patient)
        p = model.result_.to_frame()[["p_alone", "p_in_models", "p_needed"]].to_numpy()
        small.append(p[1:4] < 0.05)
        relevant.append(model.relevance_[1:4] > 0)
        found.append(model.relevance_[[0, 4]] > 0)
        if seed < 20:
            alone = ESTIMATORS[task](random_state=seed).fit(X, y).result_.to_frame()
            naive.append(alone[["p_alone", "p_in_models", "p_needed"]].to_numpy()[1:4] < 0.05)
    assert np.mean(small, axis=(0, 1)).max() <= 0.07
    most = stats.binom.ppf(0.99, 300, 0.005)
    assert np.sum(relevant) <= most, "of 300 columns, if 0.5 % are called relevant"
    assert np.mean(found, axis=0).min() >= 0.9
    assert np.mean(naive, axis=(0, 1)).min() > 3 * 0.07, "of 60 columns; by most kinds a third"
