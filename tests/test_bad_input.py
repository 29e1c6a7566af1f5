"""Bad input gets a sentence that says what was expected, what came and what to do."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from small_fits import PROBES, estimator, table

from relbounds import OrdinalRelevance
from relbounds.exceptions import FewSamplesWarning

SAMPLES = {task: table(task) for task in ("ordinal", "classification", "regression")}
X, Y, _ = SAMPLES["ordinal"]
N = len(Y)
NAMES = ["a", "b", "c", "d", "e", "f"]


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(X, columns=NAMES).assign(**columns)


def with_value(value: float) -> np.ndarray:
    spoiled = X.copy()
    spoiled[3, 2] = value
    return spoiled


@dataclass(frozen=True, eq=False)
class Bad:
    """One bad input and the sentence that it gets; what is not given is good."""

    says: str
    X: Any = None
    y: Any = None
    task: str = "ordinal"
    settings: dict[str, Any] = field(default_factory=dict)
    weight: Any = None
    error: type[Exception] = ValueError


BAD_DATA = {
    "NaN in X": Bad("Input X contains NaN", X=with_value(np.nan)),
    "infinity in X": Bad("Input X contains infinity", X=with_value(np.inf)),
    "NaN in a frame": Bad("Input X contains NaN", X=frame(c=np.nan)),
    "NaN in y": Bad("Input y contains NaN", y=np.where(Y > 3, np.nan, Y)),
    "infinity in y": Bad("Input y contains infinity", y=np.where(Y > 3, np.inf, Y)),
    "no y": Bad("requires y to be passed", y=False),
    "text column of a pandas frame": Bad(
        r"Features must be numbers, but \['town'\] .* OneHotEncoder", X=frame(town="Rome")
    ),
    "text columns of a polars frame": Bad(
        r"Features must be numbers, but \['town', 'sex'\]",
        X=pl.DataFrame({"a": X[:, 0], "town": ["Rome"] * N, "sex": ["f"] * N}),
    ),
    "categorical column": Bad(
        r"Features must be numbers, but \['sex'\]", X=frame(sex=pd.Categorical(["f", "m"] * 40))
    ),
    "dates": Bad(
        r"Features must be numbers, but \['day'\]", X=frame(day=pd.Timestamp("2026-01-01"))
    ),
    "text in an array": Bad(
        r"Features must be numbers, but \['x1'\]",
        X=np.array([[1.0, "Rome"]] * N, dtype=object),
    ),
    "duplicate names": Bad(
        r"Feature names must be unique, but \['a'\] occur more than once; rename",
        X=frame().set_axis(["a", "b", "a", "d", "e", "f"], axis=1),
    ),
    "names that are equal as text": Bad(
        r"Feature names must be unique, but \['1'\]",
        X=frame().set_axis([1, "1", "c", "d", "e", "f"], axis=1),
    ),
    "X longer than y": Bad(r"inconsistent numbers of samples: \[80, 79\]", y=Y[:-1]),
    "one column as a vector": Bad("Expected 2D array, got 1D array", X=X[:, 0]),
    "no columns": Bad(r"0 feature\(s\)", X=X[:, :0]),
    "one sample": Bad(r"minimum of 2 is required", X=X[:1], y=Y[:1]),
    "two targets": Bad("y should be a 1d array", y=np.column_stack([Y, Y])),
    "one class": Bad(r"y has one class only, \[1\]; at least two", y=np.ones(N, dtype=int)),
    "one class of two": Bad(
        r"y has one class only, \['yes'\]", y=np.full(N, "yes"), task="classification"
    ),
    "one class of weight": Bad(r"y has one class only, \[0\]", weight=(Y == 0).astype(float)),
    "three classes of two": Bad(
        r"expected two classes, but y has 3: \[0, 1, 2\].* OrdinalRelevance",
        y=np.minimum(Y, 2),
        task="classification",
    ),
    "fractions as two classes": Bad(
        "Unknown label type: continuous", y=X[:, 0], task="classification"
    ),
    "fractions as ordered classes": Bad(
        r"y holds fractions such as 2\.5\. .*RegressionRelevance", y=np.where(Y == 2, 2.5, Y)
    ),
    "text without order": Bad(
        r"y holds labels such as 'stage \d', whose order cannot be known. Give it as classes=",
        y=np.array([f"stage {each}" for each in Y]),
    ),
    "unordered categorical": Bad(
        "whose order cannot be known.* ordered pandas Categorical",
        y=pd.Series(pd.Categorical.from_codes(Y, categories=list("abcde"))),
    ),
    "a label that is not listed": Bad(
        r"y holds \[4\], which classes=\[0, 1, 2, 3\] does not list",
        settings={"classes": [0, 1, 2, 3]},
    ),
    "a class listed twice": Bad("lists a class twice", settings={"classes": [0, 1, 2, 3, 4, 0]}),
    "text as numbers": Bad(
        "could not convert string to float", y=np.full(N, "much"), task="regression"
    ),
    "constant y": Bad(
        r"y has one value only, 3\.0; there is nothing to explain",
        y=np.full(N, 3.0),
        task="regression",
    ),
    "weights of another length": Bad(
        r"one number for each of the 80 samples; its shape is \(79,\)", weight=np.ones(N - 1)
    ),
    "negative weight": Bad("finite and not negative", weight=np.linspace(-1, 1, N)),
    "weight that is no number": Bad("finite and not negative", weight=np.full(N, np.nan)),
    "no weight at all": Bad("sample_weight is zero for every sample", weight=np.zeros(N)),
}


def setting(says: str, task: str = "ordinal", **settings: Any) -> Bad:
    return Bad(says, task=task, settings=settings)


TWO_BUDGETS = "budget must be one of 'split', 'joint'; got 'both'"
THREE_MODES = "probes must be one of 'append', 'replace', 'refit'; got 'shadow'"

BAD_SETTINGS = {
    "unknown order": setting(
        "order must be one of 'explicit', 'implicit'; got 'none'", order="none"
    ),
    "unknown budget": setting(TWO_BUDGETS, budget="both"),
    "unknown budget of a regression": setting(TWO_BUDGETS, "regression", budget="both"),
    "unknown probes": setting(THREE_MODES, probes="shadow"),
    "unknown probes of a classification": setting(THREE_MODES, "classification", probes="shadow"),
    "unknown engine": setting("engine must be one of 'simplex'.*; got 'steam'", engine="steam"),
    "too few probes": setting(
        "n_probes must be a whole number of at least 10 to tell relevance .*; got 9", n_probes=9
    ),
    "half a probe": setting(r"n_probes must be a whole number .*; got 20\.5", n_probes=20.5),
    "negative tolerance": setting(
        r"tolerance must be a number of at least 0 or 'auto'; got -0\.1", tolerance=-0.1
    ),
    "tolerance in words": setting("tolerance must be .* 'auto'; got 'some'", tolerance="some"),
    "tolerance that is no number": setting("tolerance must be .*; got nan", tolerance=np.nan),
    "negative loss tolerance": setting(
        "loss_tolerance must be a number of at least 0, 'auto' or None; got -1", loss_tolerance=-1
    ),
    "loss tolerance of a joint budget": setting(
        "loss_tolerance is for budget='split'.*Leave it None; got 0.1",
        budget="joint",
        loss_tolerance=0.1,
    ),
    "C of zero": setting("C must be a positive number, or None to tune it; got 0", C=0),
    "negative C": setting("C must be a positive number.*; got -1", C=-1),
    "endless C": setting("C must be a positive number.*; got inf", C=np.inf),
    "C in words": setting("C must be a positive number.*; got '1'", C="1"),
    "C that is a truth value": setting("C must be a positive number.*; got True", C=True),
    "negative epsilon": setting(
        "epsilon must be a number of at least 0, or None to tune it; got -1",
        "regression",
        epsilon=-1,
    ),
    "confidence of one": setting("confidence must lie between 0 and 1; got 1", confidence=1),
    "keep by an unknown name": setting("keep must be a list of names .*; got 'age'", keep=["age"]),
    "keep beyond the end": setting("indices from 0 to 5; got 6", keep=[6]),
    "keep by a negative index": setting("indices from 0 to 5; got -1", keep=[-1]),
    "keep half a feature": setting(r"indices from 0 to 5; got 1\.5", keep=[1.5]),
    "keep without a list": setting("keep must be a list of names .*; got 'x0'", keep="x0"),
    "more features than there are": setting(
        "min_features is 7, but there are 6 features", min_features=7
    ),
    "negative number of features": setting(
        "min_features must be a whole number of at least 0; got -1", min_features=-1
    ),
    "one fold": setting("cv must be a whole number of at least 2.*; got 1", C=None, cv=1),
    "folds in words": setting("Expected `cv` as an integer", C=None, cv="five"),
}


@pytest.mark.parametrize(
    "case", [pytest.param(bad, id=name) for name, bad in (BAD_DATA | BAD_SETTINGS).items()]
)
def test_bad_input_gets_a_sentence_and_nothing_is_fitted(case: Bad) -> None:
    model = estimator(case.task, **case.settings)
    before = dict(vars(model))
    sample = SAMPLES[case.task]
    columns = sample.X if case.X is None else case.X
    y = sample.y if case.y is None else None if case.y is False else case.y
    with pytest.raises(case.error, match=case.says):
        model.fit(columns, y, sample_weight=case.weight)
    assert vars(model) == before


def test_a_bad_refit_leaves_the_first_fit() -> None:
    model = estimator("ordinal").fit(X, Y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.fit(frame(a=np.nan), Y)
    assert vars(model) == before


def test_a_rare_class_is_told_and_the_fit_goes_on() -> None:
    """Two samples cannot be in each of five folds."""
    rare = np.flatnonzero(Y == 4)[2:]
    few_X, few_y = np.delete(X, rare, axis=0), np.delete(Y, rare)
    with pytest.warns(
        FewSamplesWarning, match="wants 5 samples.* class 4 has 2;.*lower cv"
    ) as told:
        model = OrdinalRelevance(**PROBES).fit(few_X, few_y)
    assert [warning.filename for warning in told] == [__file__]
    assert model.classes_.tolist() == [0, 1, 2, 3, 4]
    assert all(len(each.errors) == 5 for each in model.result_.tuning)


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_a_short_table_is_told_and_the_fit_goes_on() -> None:
    regression_X, y, _ = SAMPLES["regression"]
    with pytest.warns(FewSamplesWarning, match="wants 5 samples.* the data has 4;") as told:
        model = estimator("regression", C=None).fit(regression_X[:4], y[:4])
    assert told[0].filename == __file__
    assert all(len(each.errors) == 4 for each in model.result_.tuning)


@pytest.mark.filterwarnings("ignore::relbounds.exceptions.DegenerateModelWarning")
def test_classes_of_one_sample_each_are_told_and_the_fit_goes_on() -> None:
    with pytest.warns(FewSamplesWarning, match="has 1;"):
        model = OrdinalRelevance(**PROBES).fit(X[:4], [0, 1, 2, 3])
    assert len(model.result_.tuning[0].errors) >= 2


def test_numbers_in_object_columns_are_numbers() -> None:
    """A frame read from a loose source is no bad input."""
    loose = estimator("ordinal").fit(frame().astype(object), Y)
    np.testing.assert_array_equal(
        loose.weight_ranges_, estimator("ordinal").fit(X, Y).weight_ranges_
    )


def test_more_features_than_samples_are_no_bad_input() -> None:
    wide = np.random.RandomState(0).standard_normal((20, 30))
    model = estimator("classification").fit(wide, wide[:, 0] > 0)
    assert model.intervals_.shape == (30, 2)
