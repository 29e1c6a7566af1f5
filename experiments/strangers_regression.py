"""What would a regression say? P-values of whole columns by statsmodels, and none of our code.

Least squares for numbers; logistic, multinomial or ordered logistic regression for classes. A
column is tested by what all its features add to all others, and by what they tell alone: F tests
and likelihood ratios. Where rows belong together or have weights these do not hold; the test is
then a Wald test with the sandwich of clusters (corrected for few of them, as usual, and still too
sure where a value is known from a handful), of least squares on the classes' ranks if they are
ordered.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from scipy.linalg import qr
from scipy.stats import chi2, f


def _statsmodels() -> tuple[Any, Any]:
    """An extra: its models, and those of ordered classes."""
    return (
        import_module("statsmodels.api"),
        import_module("statsmodels.miscmodels.ordinal_model"),
    )


SEPARATED = "the classes can be told apart without error, so that no likelihood ratio holds"
_SAME = 1e-7  # what is left of a column of length one that others make up
_NO_ERROR = 1e-3  # of the log-likelihood without features


@dataclass(frozen=True)
class Question:
    """Features, an outcome and what is known of rows.

    Attributes
    ----------
    X : array of shape (n_rows, n_features)
    y : array
        Numbers, or codes of classes from 0 on, in ascending order if they are ordered.
    task : {"ordinal", "classification", "regression"}
    weights, groups : arrays or None
    """

    X: np.ndarray
    y: np.ndarray
    task: str
    weights: np.ndarray | None = None
    groups: np.ndarray | None = None

    @cached_property
    def standard(self) -> np.ndarray:
        centred = self.X - self.X.mean(axis=0)
        length = np.linalg.norm(centred, axis=0)
        return centred / np.where(length > 0, length, 1)

    @property
    def of_weight(self) -> "Question":
        """Without rows that count for nothing."""
        if self.weights is None:
            return self
        some = self.weights > 0
        groups = None if self.groups is None else self.groups[some]
        return Question(self.X[some], self.y[some], self.task, self.weights[some], groups)

    @property
    def is_robust(self) -> bool:
        return self.weights is not None or self.groups is not None

    @property
    def method(self) -> str:
        if self.is_robust:
            kind = "logistic" if self._is_binary else "least squares"
            return f"{kind}, sandwich" + " of clusters" * (self.groups is not None)
        if self.task == "regression":
            return "least squares"
        return "logistic" if self._is_binary else _CLASSES[self.task][0]

    @property
    def _is_binary(self) -> bool:
        return self.task != "regression" and len(np.unique(self.y)) == 2


@dataclass(frozen=True)
class Answers:
    """P-values of each column beside all others and alone; NaN where there is none."""

    beside: dict[str, float]
    alone: dict[str, float]
    remark: str = ""


def ask(question: Question, columns: Mapping[str, Sequence[int]]) -> Answers:
    """Test whole columns, each given by the places of its features."""
    question = question.of_weight
    _statsmodels()  # which turns its warnings on when it is first loaded
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence: deviances converge where weights do not
        test = _sandwich if question.is_robust else _nested(question)
        everything = [place for places in columns.values() for place in places]
        if not question.is_robust and _is_separated(question, everything):
            nothing = dict.fromkeys(columns, np.nan)
            return Answers(nothing, _alone(question, columns, test), SEPARATED)
        beside = {
            name: test(question, [each for each in everything if each not in places], places)
            for name, places in columns.items()
        }
        return Answers(beside, _alone(question, columns, test))


Test = Callable[[Question, Sequence[int], Sequence[int]], float]


def _alone(
    question: Question, columns: Mapping[str, Sequence[int]], test: Test
) -> dict[str, float]:
    return {name: test(question, [], places) for name, places in columns.items()}


def independent(X: np.ndarray) -> np.ndarray:
    """Columns of the same span, none of which others make up."""
    if not X.shape[1]:
        return X
    _, R, order = qr(X, mode="economic", pivoting=True)
    return X[:, np.sort(order[: int((np.abs(np.diag(R)) > _SAME).sum())])]


def _nested(question: Question) -> Test:
    """Tests of two models, one within the other; models that were fitted are remembered."""
    known: dict[tuple[int, ...], Any] = {}

    def fitted(places: Sequence[int]) -> Any:
        key = tuple(sorted(places))
        if key not in known:
            known[key] = _fit(question, independent(question.standard[:, list(key)]))
        return known[key]

    def test(_: Question, others: Sequence[int], places: Sequence[int]) -> float:
        less, more = fitted(others), fitted([*others, *places])
        if more.rank == less.rank:
            return 1.0
        return more.p_against(less)

    return test


@dataclass(frozen=True)
class _Fit:
    """How well a model fits: its rank, and the log-likelihood or the sum of squares."""

    rank: int
    log_likelihood: float
    least_squares: Any = None

    def p_against(self, less: "_Fit") -> float:
        if self.least_squares is not None:
            return float(self.least_squares.compare_f_test(less.least_squares)[1])
        return float(
            chi2.sf(2 * (self.log_likelihood - less.log_likelihood), self.rank - less.rank)
        )


def _fit(question: Question, X: np.ndarray) -> _Fit:
    api, _ = _statsmodels()
    X1 = np.column_stack([np.ones(len(X)), X])
    if question.task == "regression":
        found = api.OLS(question.y, X1).fit()
        return _Fit(X.shape[1], found.llf, found)
    if question._is_binary:
        found = api.GLM(question.y, X1, family=api.families.Binomial()).fit()
        return _Fit(X.shape[1], found.llf)
    return _CLASSES[question.task][1](question.y, X)


def _multinomial(y: np.ndarray, X: np.ndarray) -> _Fit:
    model = _statsmodels()[0].MNLogit(y, np.column_stack([np.ones(len(X)), X]))
    try:
        found = model.fit(method="newton", maxiter=50, disp=0)
    except np.linalg.LinAlgError:  # weights that grow without end
        found = model.fit(method="bfgs", maxiter=500, disp=0)
    return _Fit(X.shape[1] * (len(np.unique(y)) - 1), found.llf)


def _ordered(y: np.ndarray, X: np.ndarray) -> _Fit:
    if not X.shape[1]:
        sizes = np.unique(y, return_counts=True)[1]
        return _Fit(0, float(sizes @ np.log(sizes / len(y))))
    scaled = X * np.sqrt(len(X))
    model = _statsmodels()[1].OrderedModel(y, scaled, distr="logit")
    return _Fit(X.shape[1], model.fit(method="bfgs", maxiter=300, disp=0).llf)


_CLASSES = {
    "classification": ("multinomial logistic", _multinomial),
    "ordinal": ("ordered logistic", _ordered),
}


def _is_separated(question: Question, everything: Sequence[int]) -> bool:
    if question.task == "regression":
        return False
    X = independent(question.standard[:, everything])
    return _fit(question, X).log_likelihood > _NO_ERROR * _fit(question, X[:, :0]).log_likelihood


def _sandwich(question: Question, others: Sequence[int], places: Sequence[int]) -> float:
    """Wald, of what the features have beside others; clusters are groups, or each row one."""
    Z = np.column_stack([np.ones(len(question.y)), independent(question.standard[:, list(others)])])
    own = question.standard[:, list(places)]
    own = independent(own - Z @ np.linalg.lstsq(Z, own, rcond=None)[0])
    if not own.shape[1]:
        return 1.0
    X = np.column_stack([Z, own])
    w = np.ones(len(X)) if question.weights is None else question.weights / question.weights.mean()
    fitted, curvature = _weighted_fit(question, X, w)
    scores = X * (w * (question.y - fitted.fittedvalues))[:, None]
    if question.groups is not None:
        _, cluster = np.unique(question.groups, return_inverse=True)
        sums = np.zeros((cluster.max() + 1, X.shape[1]))
        np.add.at(sums, cluster, scores)
        scores = sums
    bread = np.linalg.inv(X.T @ (X * curvature[:, None]))
    last = slice(Z.shape[1], None)
    few = _for_few(len(scores), *X.shape)
    covariance = few * (bread @ (scores.T @ scores) @ bread)[last, last]
    weight, df = np.asarray(fitted.params)[last], own.shape[1]
    return float(f.sf(weight @ np.linalg.pinv(covariance) @ weight / df, df, len(scores) - 1))


def _for_few(clusters: int, rows: int, columns: int) -> float:
    """The usual correction of a sandwich, as in Stata."""
    if clusters == rows:
        return rows / (rows - columns)
    return clusters / (clusters - 1) * (rows - 1) / (rows - columns)


def _weighted_fit(question: Question, X: np.ndarray, w: np.ndarray) -> tuple[Any, np.ndarray]:
    api, _ = _statsmodels()
    if not question._is_binary:
        return api.WLS(question.y, X, weights=w).fit(), w
    found = api.GLM(question.y, X, family=api.families.Binomial(), freq_weights=w).fit()
    return found, w * found.fittedvalues * (1 - found.fittedvalues)
