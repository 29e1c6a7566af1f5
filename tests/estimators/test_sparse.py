"""Sparse tables get the answer of the same table made dense, and come out sparse."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from small_fits import ESTIMATORS, estimator, facts, privileged_table, told_estimator

from relbounds.exceptions import ConstantFeatureWarning

TASKS = list(ESTIMATORS)
NAMES = [f"word {k}" for k in range(6)]


def counts(task: str = "ordinal", n: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """A table of counts, most of them zero; two of the columns say what the outcome is."""
    rng = np.random.RandomState(0)
    X = rng.poisson(0.6, (n, 6)).astype(float)
    score = X[:, 0] + 2 * X[:, 1] + 0.3 * rng.standard_normal(n)
    if task == "regression":
        return X, score
    return X, np.digitize(score, [2.0] if task == "classification" else [1.0, 3.0])


def sparse_frame(X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(X, columns=NAMES).astype(pd.SparseDtype(float, 0.0))


FORMS: dict[str, Any] = {
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "coo": sparse.coo_array,
    "whole numbers": lambda X: sparse.csr_array(X.astype(np.int32)),
    "explicit zeros": lambda X: sparse.coo_matrix((X.ravel(), np.indices(X.shape).reshape(2, -1))),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_sparse_table_has_the_answer_of_the_dense_one(task: str) -> None:
    """To the last digit."""
    X, y = counts(task)
    thin = sparse.csr_matrix(X)
    dense, model = estimator(task).fit(X, y), estimator(task).fit(thin, y)
    assert facts(model) == facts(dense)
    np.testing.assert_array_equal(model.predict(thin), dense.predict(X))
    assert model.score(thin, y) == dense.score(X, y)
    if task != "regression":
        np.testing.assert_array_equal(model.decision_function(thin), dense.decision_function(X))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_will_do(form: str) -> None:
    X, y = counts("regression")
    model = estimator("regression").fit(FORMS[form](X), y)
    assert facts(model) == facts(estimator("regression").fit(X, y))
    np.testing.assert_array_equal(model.predict(FORMS[form](X)), model.predict(X))


def test_sparse_columns_of_a_frame_keep_their_names() -> None:
    X, y = counts()
    model = estimator("ordinal").fit(sparse_frame(X), y)
    assert model.feature_names_in_.tolist() == NAMES
    assert facts(model) == facts(estimator("ordinal").fit(pd.DataFrame(X, columns=NAMES), y))
    np.testing.assert_array_equal(
        model.predict(sparse_frame(X)), model.predict(pd.DataFrame(X, columns=NAMES))
    )
    shown = clone(model).set_output(transform="pandas").fit(sparse_frame(X), y)
    assert shown.transform(sparse_frame(X)).columns.tolist() == NAMES[:2]


def test_what_is_selected_of_a_sparse_table_is_sparse() -> None:
    X, y = counts()
    model = estimator("ordinal").fit(sparse.csc_array(X), y)
    selected = model.transform(sparse.csr_array(X))
    assert isinstance(selected, sparse.csr_array)
    np.testing.assert_array_equal(selected.toarray(), X[:, model.support_])
    assert sparse.issparse(model.inverse_transform(selected))


def test_samples_of_weight_zero_are_left_out_of_a_sparse_table() -> None:
    X, y = counts()
    weight = (np.arange(len(y)) % 4 > 0).astype(float)
    model = estimator("ordinal").fit(sparse.csr_array(X), y, sample_weight=weight)
    assert facts(model) == facts(estimator("ordinal").fit(X, y, sample_weight=weight))


def test_a_sparse_column_without_any_entry_is_constant() -> None:
    X, y = counts()
    X[:, 5] = 0
    with pytest.warns(ConstantFeatureWarning, match="x5"):
        model = estimator("ordinal").fit(sparse.csr_array(X), y)
    assert model.coef_[5] == 0


def test_privileged_features_stand_beside_a_sparse_table() -> None:
    X, y, X_priv, *_ = privileged_table()
    model = told_estimator("ordinal").fit(sparse.csr_array(X), y, X_priv)
    assert facts(model) == facts(told_estimator("ordinal").fit(X, y, X_priv))
    both = sparse.csr_array(np.hstack([X, X_priv]))
    with pytest.raises(ValueError, match="leave the privileged ones out"):
        model.predict(both)


def test_a_gap_in_a_sparse_table_is_told() -> None:
    X, y = counts()
    X[3, 0] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        estimator("ordinal").fit(sparse.csr_array(X), y)


def test_a_table_that_would_not_fit_into_memory_is_refused_in_a_sentence() -> None:
    """A few numbers now, and 75 terabytes as a dense table."""
    X = sparse.csr_array(([1.0], ([0], [0])), shape=(10**6, 10**7))
    says = r"1,000,000 x 10,000,000 numbers take 74,506 GiB.*Select columns first"
    with pytest.raises(MemoryError, match=says):
        estimator("classification").fit(X, np.arange(10**6) % 2)


def test_a_selector_takes_what_a_vectorizer_makes_of_texts() -> None:
    """'good' and 'bad' are what ratings go by, and 'the' and 'film' are not."""
    rng = np.random.RandomState(0)
    y = rng.randint(2, size=60)
    texts = [
        f"the {'good' if each else 'bad'} {rng.choice(['film', 'book', 'play'])}" for each in y
    ]
    pipeline = make_pipeline(
        CountVectorizer(token_pattern=r"\w+", stop_words=["the"]),
        estimator("classification"),
        LogisticRegression(),
    ).fit(texts, y)
    assert pipeline[:-1].get_feature_names_out().tolist() == ["bad", "good"]
    assert sparse.issparse(pipeline[:-1].transform(texts))
    np.testing.assert_array_equal(pipeline.predict(texts), y)


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.OneHotWarning")  # an encoder as it is
def test_a_selector_takes_what_an_encoder_makes_of_categories() -> None:
    """And its blocks are the encoder's."""
    rng = np.random.RandomState(0)
    frame = pd.DataFrame({"town": rng.choice(list("abc"), 90), "sex": rng.choice(list("fm"), 90)})
    y = (frame["town"] == "a").astype(int) + (frame["sex"] == "f")
    encoder = make_column_transformer(
        (OneHotEncoder(), ["town", "sex"]), sparse_threshold=1.0, verbose_feature_names_out=False
    )
    pipeline = make_pipeline(encoder, estimator("ordinal")).fit(frame, y)
    model = pipeline[-1]
    assert sparse.issparse(encoder.transform(frame))
    assert model.n_features_in_ == 5
    assert "town_a" in pipeline.get_feature_names_out()
    assert (pipeline.predict(frame) == y).mean() > 0.9
    blocks = model.blocks({"town": [0, 1, 2], "sex": [3, 4]})
    assert blocks.to_frame()["relevance"].tolist() == ["strong", "strong"]
