"""Who is asked which columns are of use, and which are needed? The library, and others.

A method is a function of data, task and seed. It gives an ``Answer``, with nothing where it does
not speak of it; what it cannot be asked (a task, more columns than samples) is no answer at all.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import stats
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LassoCV, lasso_path
from sklearn.preprocessing import StandardScaler

from experiments.truth_designs import Drawn
from relbounds import ClassificationRelevance, OrdinalRelevance, RegressionRelevance
from relbounds.exceptions import ConstantFeatureWarning, DegenerateModelWarning

ESTIMATORS = {
    "ordinal": OrdinalRelevance,
    "classification": ClassificationRelevance,
    "regression": RegressionRelevance,
}
EVIDENCE = ("p_alone", "p_in_models", "p_needed")
OF_USE = 0.001
"""The p-value from which on the library calls a feature relevant."""
HALF_SAMPLES, OFTEN_ENOUGH = 50, 0.7


@dataclass(frozen=True)
class Answer:
    """What a method says of every column.

    Attributes
    ----------
    relevant : array of bool, optional
        Of any use.
    needed : array of bool, optional
        Adds something to all others; of a method that only selects, what is selected.
    p : dict of arrays
        P-values by their names in ``EVIDENCE``.
    """

    relevant: np.ndarray | None = None
    needed: np.ndarray | None = None
    p: dict[str, np.ndarray] = field(default_factory=dict)


def ours(drawn: Drawn, task: str, seed: int) -> Answer:
    """The library at its defaults."""
    frame = _default(drawn, task, seed)
    return Answer(
        (frame["relevance"] != "irrelevant").to_numpy(),
        frame["needed"].to_numpy(bool),
        {name: frame[name].to_numpy(float) for name in EVIDENCE},
    )


def ours_by_rate(drawn: Drawn, task: str, seed: int, level: float) -> Answer:
    """What ``selection="fdr"`` says, from the p-values of the same fit; a test compares the two."""
    p = _default(drawn, task, seed)[list(EVIDENCE)].to_numpy(float)
    of_use = benjamini_hochberg(np.minimum(p.shape[1] * p.min(axis=1), 1), level)
    return Answer(of_use, of_use & benjamini_hochberg(p[:, -1], level))


def papers_rule(drawn: Drawn, task: str, seed: int) -> Answer:
    """Single probes and one line for all features; what is strong counts as needed."""
    classes = _frame(drawn, task, seed, {"selection": "probe"})["relevance"].to_numpy()
    return Answer(classes != "irrelevant", classes == "strong")


@lru_cache(maxsize=1)
def _default(drawn: Drawn, task: str, seed: int) -> Any:
    return _frame(drawn, task, seed, {})


def _frame(drawn: Drawn, task: str, seed: int, settings: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateModelWarning)  # nothing found is an answer
        warnings.simplefilter("ignore", ConstantFeatureWarning)
        model = ESTIMATORS[task](random_state=seed, **settings).fit(drawn.X, drawn.y)
    return model.result_.to_frame()


def least_squares(drawn: Drawn, task: str, seed: int, level: float) -> Answer:
    """The t-tests of a linear regression on the outcome, classes as 0, 1, 2, and so on.

    Beside them rank correlations, so that there is a textbook's p-value of two kinds.
    """
    p = t_tests(drawn.X, drawn.y)
    alone = np.array([stats.spearmanr(column, drawn.y).pvalue for column in drawn.X.T])
    return Answer(None, benjamini_hochberg(p, level), {"p_alone": alone, "p_needed": p})


def least_squares_by_our_rule(drawn: Drawn, task: str, seed: int) -> Answer:
    """The textbook's p-values under the library's rule: of use at 0.001 each, then needed.

    Two rules that let different shares of idle columns pass say little about the tests they use.
    """
    found = least_squares(drawn, task, seed, level=0.05)
    relevant = np.minimum(found.p["p_alone"], found.p["p_needed"]) <= OF_USE
    return Answer(relevant, found.needed & relevant, found.p)


def t_tests(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """P-values; 1 for a column that is a sum of others, and where too few samples are left."""
    X, y = StandardScaler().fit_transform(X), y - y.mean()
    inverse = np.linalg.pinv(X, rcond=1e-9)
    own = np.einsum("ij,ji->i", inverse, X)  # less than 1: the weight could be another's
    freedom = len(y) - 1 - round(own.sum())
    if freedom < 1:
        return np.ones(X.shape[1])
    weights = inverse @ y
    noise = np.sqrt(((y - X @ weights) ** 2).sum() / freedom)
    errors = np.maximum(noise * np.sqrt((inverse**2).sum(axis=1)), 1e-300)
    return np.where(own > 1 - 1e-6, 2 * stats.t.sf(np.abs(weights) / errors, freedom), 1.0)


def benjamini_hochberg(p: np.ndarray, level: float) -> np.ndarray:
    return stats.false_discovery_control(p) <= level


def boruta(drawn: Drawn, task: str, seed: int) -> Answer:
    """As its documentation sets it up; what it leaves undecided is not relevant."""
    forest = (
        RandomForestRegressor(n_jobs=1, max_depth=5, random_state=seed)
        if task == "regression"
        else RandomForestClassifier(
            n_jobs=1, class_weight="balanced", max_depth=5, random_state=seed
        )
    )
    filtered = import_module("boruta").BorutaPy(forest, n_estimators="auto", random_state=seed)
    selected = filtered.fit(drawn.X, drawn.y).support_
    return Answer(selected, selected)


def stability_selection(drawn: Drawn, task: str, seed: int, bounded: bool) -> Answer:
    """What the lasso selects in most half-samples.

    Bounded, it takes the first columns of its path, so few that at most one false one is expected
    (Meinshausen and Buehlmann 2010); else its penalty comes from cross-validation.
    """
    X, y = StandardScaler().fit_transform(drawn.X), drawn.y - drawn.y.mean()
    rng = np.random.RandomState(seed)
    halves = (rng.permutation(len(y))[: len(y) // 2] for _ in range(HALF_SAMPLES))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        if bounded:
            most = max(1, int(np.sqrt((2 * OFTEN_ENOUGH - 1) * X.shape[1])))
            used = [_first_of_path(X[half], y[half], most) for half in halves]
        else:
            penalty = LassoCV(cv=5, random_state=seed).fit(X, y).alpha_
            used = [Lasso(penalty).fit(X[half], y[half]).coef_ != 0 for half in halves]
    return Answer(needed=np.mean(used, axis=0) >= OFTEN_ENOUGH)


def _first_of_path(X: np.ndarray, y: np.ndarray, most: int) -> np.ndarray:
    """Columns that enter the lasso's path before there are more than so many."""
    weights = lasso_path(X - X.mean(axis=0), y - y.mean(), eps=0.01)[1]
    entered = np.logical_or.accumulate(weights != 0, axis=1)
    return entered[:, np.flatnonzero(entered.sum(axis=0) <= most)[-1]]


def knockoffs(drawn: Drawn, task: str, seed: int, level: float = 0.1) -> Answer:
    """Gaussian knockoffs with the lasso's coefficients."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = import_module("hidimstat").model_x_knockoff_importance(
            drawn.X,
            drawn.y - drawn.y.mean(),
            estimator=LassoCV(cv=5, random_state=seed),
            preconfigure_lasso_path=False,
            random_state=seed,
            fdr=level,
        )
    return Answer(needed=np.asarray(found[0], dtype=bool))


def ordered_model(drawn: Drawn, task: str, seed: int, level: float = 0.05) -> Answer | None:
    """Wald tests of the proportional odds model: ordered classes, no copies among columns."""
    X = StandardScaler().fit_transform(drawn.X)
    if task != "ordinal" or np.linalg.matrix_rank(X) < X.shape[1]:
        return None
    model = import_module("statsmodels.miscmodels.ordinal_model").OrderedModel
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = model(drawn.y, X, distr="logit").fit(method="bfgs", disp=False, maxiter=200)
        p = np.asarray(fitted.pvalues)[: X.shape[1]]
    return Answer(needed=benjamini_hochberg(np.where(np.isfinite(p), p, 1.0), level))


Method = Callable[[Drawn, str, int], Answer | None]
DEFAULT, FDR, RULE = "default", "fdr 0.1", "paper's rule"
SAME_RULE = "least squares by our rule"
HOME = {DEFAULT: "least squares 0.05", FDR: "least squares 0.1"}
"""Whom the library's power is compared with: the same level on the same draws."""
LEADS = {"lead": HOME, "lead by rule": {DEFAULT: SAME_RULE}}
"""How many more needed columns are found, and whose number is taken from whose."""
EVERYWHERE: dict[str, tuple[Method, float]] = {
    DEFAULT: (ours, 1.0),
    FDR: (partial(ours_by_rate, level=0.1), 1.0),
    RULE: (papers_rule, 0.1),
    HOME[DEFAULT]: (partial(least_squares, level=0.05), 1.0),
    HOME[FDR]: (partial(least_squares, level=0.1), 1.0),
    SAME_RULE: (least_squares_by_our_rule, 1.0),
}
"""Asked in every cell, and in which share of its draws."""
RIVALS: dict[str, tuple[Method, str, int]] = {
    "Boruta": (boruta, "boruta", 2),
    "stability selection": (partial(stability_selection, bounded=True), "sklearn", 5),
    "cross-validated stability": (partial(stability_selection, bounded=False), "sklearn", 5),
    "knockoffs 0.1": (knockoffs, "hidimstat", 10),
    "ordered model 0.05": (ordered_model, "statsmodels", 10),
}
"""Asked in some cells: the package that it needs, and how many draws."""


def installed_rivals() -> list[str]:
    return [name for name, (_, package, _) in RIVALS.items() if find_spec(package) is not None]
