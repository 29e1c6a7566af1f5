"""Bad input gets a sentence that says what was expected, what came and what to do."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from small_fits import PROBES, estimator, privileged_table, table, told_estimator

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
    X_priv: Any = None
    error: type[Exception] = ValueError


BAD_DATA = {
    "NaN in X": Bad(
        r"Input X contains NaN in 1 of 480 cells: 'x2' \(1\)\. relbounds\.analyze.*SimpleImputer",
        X=with_value(np.nan),
    ),
    "infinity in X": Bad(
        r"Input X contains infinity \(inf\) in 1 of 480 cells: 'x2' \(1\)\. Correct or drop",
        X=with_value(np.inf),
    ),
    "NaN in a frame": Bad(
        r"Input X contains NaN in 83 of 480 cells: 'c' \(80\), 'a' \(3\)\. relbounds",
        X=frame(c=np.nan, a=np.where(np.arange(N) < 3, np.nan, 1.0)),
    ),
    "NaN in a sparse table": Bad(
        r"Input X contains NaN in 1 of 480 cells: 'x2' \(1\)\.",
        X=sparse.csr_array(with_value(np.nan)),
    ),
    "NaN in many columns": Bad(
        r"'x0' \(80\), .*'x4' \(80\) and 1 more columns\.", X=np.full((N, 6), np.nan)
    ),
    "text for numbers": Bad(
        r"y must be numbers, but holds texts such as 'low'\. For classes use OrdinalRelevance",
        y=np.where(Y > 2, "low", "high").astype(object),
        task="regression",
    ),
    "text for numbers in an array of texts": Bad(
        r"y must be numbers, but holds texts such as 'n/a'\. .* pandas\.to_numeric",
        y=np.where(np.arange(N) == 7, "n/a", "1.5"),
        task="regression",
    ),
    "NaN in y": Bad("Input y contains NaN", y=np.where(Y > 3, np.nan, Y)),
    "infinity in y": Bad("Input y contains infinity", y=np.where(Y > 3, np.inf, Y)),
    "no y": Bad("requires y to be passed", y=False),
    "text column of a pandas frame": Bad(
        r"Features must be numbers, but \['town'\] .*relbounds\.analyze.*\(drop=\"first\"\)",
        X=frame(town="Rome"),
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
    "three classes without order beside privileged features": Bad(
        r"Privileged features are for .* but y has 3 classes without order. Leave X_priv out",
        y=np.minimum(Y, 2),
        task="classification",
        X_priv=X[:, :1],
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


# What a teacher might say of the samples of ``X``.
HINTS = np.random.RandomState(0).standard_normal((N, 2))


def hints(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(HINTS, columns=["scan", "notes"]).assign(**columns)


def hints_with(value: float) -> np.ndarray:
    spoiled = HINTS.copy()
    spoiled[3, 1] = value
    return spoiled


NO_TABLE = r"X_priv must be a table .* 1 dimension\(s\)\. Write X_priv.reshape"
WEIGHS_NOTHING = "class_weight must give every class a positive number, but 1 has"
MUST_VARY = r"Privileged features must vary, but \['still'\] have one value only; drop them"
FIRST_TEN = np.arange(N) < 10

BAD_PRIVILEGED = {
    "fewer rows than X": Bad(
        "X_priv must have a row for each of the 80 samples of X; it has 79", X_priv=HINTS[:-1]
    ),
    "more rows than X": Bad(
        "a row for each of the 80 samples of X; it has 160", X_priv=np.vstack([HINTS, HINTS])
    ),
    "no privileged columns": Bad(
        "X_priv has no columns; leave it None if nothing is privileged", X_priv=HINTS[:, :0]
    ),
    "no privileged columns of a frame": Bad("X_priv has no columns", X_priv=hints()[[]]),
    "privileged column as a vector": Bad(NO_TABLE, X_priv=HINTS[:, 0]),
    "privileged series": Bad(NO_TABLE, X_priv=hints()["scan"]),
    "sample weights in the place of X_priv": Bad(NO_TABLE, X_priv=np.ones(N)),
    "constant privileged column": Bad(MUST_VARY, X_priv=hints(still=2.0)),
    "constant privileged columns of an array": Bad(
        r"Privileged features must vary, but \['priv0', 'priv1'\] have", X_priv=np.ones((N, 2))
    ),
    "privileged column constant where samples count": Bad(
        MUST_VARY, X_priv=hints(still=FIRST_TEN), weight=1.0 - FIRST_TEN
    ),
    "privileged column constant up to rounding": Bad(
        MUST_VARY, X_priv=hints(still=0.1 + 1.4e-17 * (np.arange(N) % 2))
    ),
    "constant privileged column as it is": Bad(
        MUST_VARY, X_priv=hints(still=2.0), settings={"standardize": False}
    ),
    "privileged text": Bad(
        r"Features must be numbers, but \['town'\] .*relbounds\.analyze.*\(drop=\"first\"\)",
        X_priv=hints(town="Rome"),
    ),
    "privileged text of a polars frame": Bad(
        r"Features must be numbers, but \['town'\]",
        X_priv=pl.DataFrame({"scan": HINTS[:, 0], "town": ["Rome"] * N}),
    ),
    "privileged text in an array": Bad(
        r"Features must be numbers, but \['priv1'\]",
        X_priv=np.array([[1.0, "Rome"]] * N, dtype=object),
    ),
    "privileged dates": Bad(
        r"Features must be numbers, but \['day'\] hold dates",
        X_priv=hints(day=pd.date_range("2026-01-01", periods=N)),
    ),
    "privileged NaN": Bad("Input X_priv contains NaN", X_priv=hints_with(np.nan)),
    "privileged NaN in a frame": Bad("Input X_priv contains NaN", X_priv=hints(scan=np.nan)),
    "privileged infinity": Bad("Input X_priv contains infinity", X_priv=hints_with(np.inf)),
    "sparse privileged table": Bad(
        "Sparse data was passed for X_priv", X_priv=sparse.csr_array(HINTS), error=TypeError
    ),
    "duplicate privileged names": Bad(
        r"Feature names must be unique, but \['scan'\] occur more than once; rename",
        X_priv=hints().set_axis(["scan", "scan"], axis=1),
    ),
    "names on both sides": Bad(
        r"either regular or privileged, but \['a', 'f'\] occur in X and in X_priv; rename or drop",
        X=frame(),
        X_priv=hints(f=HINTS[:, 0], a=HINTS[:, 1]),
    ),
}

TWO_BUDGETS = "budget must be one of 'split', 'joint'; got 'both'"
THREE_MODES = "probes must be one of 'append', 'replace', 'refit'; got 'shadow'"

BAD_SETTINGS = {
    "unknown class_weight": setting(
        "class_weight must be 'auto', 'balanced', None or a dictionary .* got 'even'",
        class_weight="even",
    ),
    "class weights as a list": setting(
        r"class_weight must be 'auto', .* got \[1, 2\]", class_weight=[1, 2]
    ),
    "class weight of no class": setting(
        r"class_weight has a weight for 'x', which is no class of y; the classes are \[0, 1\]",
        "classification",
        class_weight={0: 1, 1: 2, "x": 3},
    ),
    "class without a weight": setting(
        "class_weight must have a weight for each class, but 4 has none; add 4: 1",
        class_weight={0: 1, 1: 2, 2: 1, 3: 1},
    ),
    "negative class weight": setting(f"{WEIGHS_NOTHING} -2", class_weight={0: 1, 1: -2}),
    "class weights of zero": setting(
        "positive number, but 0 has 0. To do without a class, leave its rows out",
        class_weight={0: 0, 1: 0},
    ),
    "class weight that is no number": setting(f"{WEIGHS_NOTHING} 'a'", class_weight={0: 1, 1: "a"}),
    "infinite class weight": setting(f"{WEIGHS_NOTHING} inf", class_weight={0: 1, 1: np.inf}),
    "class weight NaN": setting(f"{WEIGHS_NOTHING} nan", class_weight={0: 1, 1: np.nan}),
    "unknown order": setting(
        "order must be one of 'explicit', 'implicit'; got 'none'", order="none"
    ),
    "unknown budget": setting(TWO_BUDGETS, budget="both"),
    "unknown budget of a regression": setting(TWO_BUDGETS, "regression", budget="both"),
    "unknown probes": setting(THREE_MODES, probes="shadow"),
    "unknown probes of a classification": setting(THREE_MODES, "classification", probes="shadow"),
    "unknown engine": setting(
        "engine must be one of 'auto', 'interior', 'simplex'; got 'steam'", engine="steam"
    ),
    "too few probes": setting(
        "n_probes must be a whole number of at least 10 to tell relevance .*; got 9", n_probes=9
    ),
    "half a probe": setting(r"n_probes must be a whole number .*; got 20\.5", n_probes=20.5),
    "negative tolerance": setting(
        r"tolerance must be a number of at least 0, 'auto' or 'confidence'; got -0\.1",
        tolerance=-0.1,
    ),
    "tolerance in words": setting(
        "tolerance must be .* 'confidence'; got 'some'", tolerance="some"
    ),
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
    "gamma of zero": setting("gamma must be a positive number, or None to tune it; got 0", gamma=0),
    "negative gamma": setting("gamma must be a positive number.*; got -1", gamma=-1),
    "endless gamma": setting("gamma must be a positive number.*; got inf", gamma=np.inf),
    "gamma in words": setting("gamma must be .*; got 'auto'", "regression", gamma="auto"),
    "unknown slack": setting(
        "slack must be one of 'privileged', 'mixed'; got 'free'", slack="free"
    ),
    "unknown slack of a classification": setting(
        "slack must be one of 'privileged', 'mixed'; got None", "classification", slack=None
    ),
    "free slack that costs less": setting(
        r"free_slack_price must be a number of at least 1 or None; got 0\.9", free_slack_price=0.9
    ),
    "endless price of free slack": setting(
        "free_slack_price must be .*; got inf", free_slack_price=np.inf
    ),
    "price that is no number": setting(
        "free_slack_price must be .*; got nan", free_slack_price=np.nan
    ),
    "one fold": setting("cv must be a whole number of at least 2.*; got 1", C=None, cv=1),
    "folds in words": setting("Expected `cv` as an integer", C=None, cv="five"),
}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(bad, id=name)
        for name, bad in (BAD_DATA | BAD_PRIVILEGED | BAD_SETTINGS).items()
    ],
)
def test_bad_input_gets_a_sentence_and_nothing_is_fitted(case: Bad) -> None:
    model = estimator(case.task, **case.settings)
    before = dict(vars(model))
    sample = SAMPLES[case.task]
    columns = sample.X if case.X is None else case.X
    y = sample.y if case.y is None else None if case.y is False else case.y
    with pytest.raises(case.error, match=case.says):
        model.fit(columns, y, case.X_priv, sample_weight=case.weight)
    assert vars(model) == before


def test_a_bad_refit_leaves_the_first_fit() -> None:
    model = estimator("ordinal").fit(X, Y)
    before = dict(vars(model))
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.fit(frame(a=np.nan), Y)
    assert vars(model) == before


@pytest.mark.parametrize(
    ("again", "says"),
    [
        ({"X_priv": hints_with(np.nan)}, "Input X_priv contains NaN"),
        ({"X_priv": hints(still=1.0)}, "must vary"),
        ({"X_priv": HINTS, "sample_weight": np.ones(3)}, "sample_weight must have one number"),
        ({}, "y has one class only"),
    ],
    ids=["bad hints", "constant hints", "bad weights", "bad target, no hints"],
)
def test_a_bad_refit_leaves_the_first_fit_and_its_teacher(again: dict, says: str) -> None:
    sample = privileged_table()
    model = told_estimator("ordinal").fit(sample.X, sample.y, sample.X_priv)
    before = dict(vars(model))
    y = Y if again else np.ones(N)
    with pytest.raises(ValueError, match=says):
        model.fit(frame(), y, **again)
    assert vars(model) == before
    assert model.n_features_priv_in_ == 4
    assert model.intervals_priv_.shape == (4, 2)


# Privileged features where they cannot be


@pytest.fixture(scope="module")
def told_by_frames() -> tuple[Any, pd.DataFrame, pd.DataFrame]:
    sample = privileged_table()
    columns = pd.DataFrame(sample.X, columns=list("abcd"))
    hints = pd.DataFrame(sample.X_priv, columns=list("efgh"))
    return told_estimator("ordinal").fit(columns, sample.y, hints), columns, hints


LEAVE_OUT = "the 4 regular features and privileged ones, which are needed for training only; leave"


def test_a_frame_with_privileged_columns_is_refused_in_prediction(told_by_frames) -> None:
    """All of them, one of them, before or after the regular ones, in pandas or polars."""
    model, columns, hints = told_by_frames
    both = columns.join(hints)
    as_polars = pl.DataFrame({name: both[name].to_numpy() for name in both})
    for table_ in (both, columns.join(hints["f"]), hints.join(columns), as_polars, both.to_numpy()):
        with pytest.raises(ValueError, match=LEAVE_OUT):
            model.predict(table_)
        with pytest.raises(ValueError, match=LEAVE_OUT):
            model.score(table_, np.ones(len(columns)))


def test_an_array_with_privileged_columns_is_refused_in_prediction() -> None:
    sample = privileged_table()
    model = told_estimator("ordinal").fit(sample.X, sample.y, sample.X_priv)
    with pytest.raises(ValueError, match=LEAVE_OUT):
        model.predict(np.hstack([sample.X, sample.X_priv]))
    with pytest.raises(ValueError, match=r"X has 5 features, but .* is expecting 4"):
        model.predict(np.hstack([sample.X, sample.X_priv[:, :1]]))


def test_privileged_columns_are_refused_in_selection(told_by_frames) -> None:
    model, columns, hints = told_by_frames
    with pytest.raises(ValueError, match="privileged ones, which are needed for training only"):
        model.transform(columns.join(hints))


def test_only_fit_takes_privileged_features(told_by_frames) -> None:
    model, columns, hints = told_by_frames
    for method in (model.predict, model.transform):
        with pytest.raises(TypeError, match="unexpected keyword argument 'X_priv'"):
            method(columns, X_priv=hints)
    with pytest.raises(TypeError, match="unexpected keyword argument 'X_priv'"):
        model.score(columns, np.ones(len(columns)), X_priv=hints)


def test_as_many_columns_as_once_were_privileged_get_no_false_reason() -> None:
    """After a fit without a teacher, extra columns are just too many."""
    sample = privileged_table()
    model = told_estimator("ordinal").fit(sample.X, sample.y, sample.X_priv)
    model.fit(sample.X, sample.y)
    with pytest.raises(ValueError, match=r"X has 8 features, but .* is expecting 4"):
        model.predict(np.hstack([sample.X, sample.X_priv]))


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


def test_a_gap_in_new_samples_is_named_too() -> None:
    model = estimator("ordinal").fit(frame(), Y)
    with pytest.raises(ValueError, match=r"Input X contains NaN in 80 of 480 cells: 'c' \(80\)"):
        model.predict(frame(c=np.nan))
