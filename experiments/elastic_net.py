"""What would an elastic net select? The paper's comparison, with its lasso case.

The model is that of explicit order with another penalty,

    min  (1 - p)/2 |w|_1 + p/2 |w|_2^2 + C sum(s)
    s.t. -x.w + b_j + s >= 1 for samples of class j, x.w - b_(j-1) + s >= 1, b_j <= b_(j+1), s >= 0,

where ``p = 0`` is the lasso, which is the library's own baseline. ``select`` does what the paper
describes: p and C from five-fold cross-validation, then recursive elimination of features with
five folds of its own (scikit-learn's RFECV). The paper names no grid for C and no scores; here C
runs over seven decades as in the authors' public code. Tuning goes by the MMAE, and of equal errors
the smallest C and then the smallest p wins; elimination goes by the accuracy, RFECV's own score,
which is what the authors' code uses throughout. Two features at least are left, as in their code
(and as the sizes of exactly 2.0 in the paper's Table 5 suggest).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import clarabel
import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.feature_selection import RFECV
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from experiments.printed import SURROGATE_MIXING
from relbounds.exceptions import SolverError
from relbounds.metrics import macro_mean_absolute_error

KINDS = {"surrogate": SURROGATE_MIXING, "lasso": (0.0,)}
"""The values of p that each kind chooses from."""
C_GRID = tuple(10.0**power for power in range(-4, 3))
N_FOLDS = 5
LEAST_FEATURES = 2
MOST_ELIMINATIONS = 60
_NEAR, _WIDER = 2, 3  # rows to begin with for each coefficient, and times as many each time
_LEAST_WINDOW = 0.2  # margins are of size one


class Solution(NamedTuple):
    """The best model of a program; ``margins`` are what each row reaches of its margin of one."""

    weights: np.ndarray
    offsets: np.ndarray
    objective: float
    margins: np.ndarray


@dataclass(frozen=True)
class Rows:
    """``sign * x . w + t . b + s >= 1``: what a training set asks of a model.

    Attributes
    ----------
    points : (m, d) array
        ``sign * x`` for each row.
    offsets : (m, k) array
        The coefficients t.
    """

    points: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, rank: np.ndarray) -> Self:
        """The rows of ranks ``0..k``, two for each sample except in the outer classes."""
        n_offsets = int(rank.max())
        below, above = np.flatnonzero(rank < n_offsets), np.flatnonzero(rank > 0)
        t = np.eye(n_offsets)
        return cls(
            np.vstack([-X[below], X[above]]), np.vstack([t[rank[below]], -t[rank[above] - 1]])
        )

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, chosen: np.ndarray) -> "Rows":
        return Rows(self.points[chosen], self.offsets[chosen])

    def margins(self, weights: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        return self.points @ weights + self.offsets @ offsets

    def best(self, C: float, p: float, guess: np.ndarray | None = None) -> Solution:
        """The best model; a guess of its margins, good or bad, only makes it faster.

        Rows far from their hinge by the guess are fixed on their side of it: their loss is then
        linear, or none. That can only underestimate the loss, so a solution that finds every fixed
        row on its side is the best model of all rows. If it does not, it is the next guess.
        """
        n_near = _NEAR * sum(array.shape[1] for array in (self.points, self.offsets))
        while guess is not None and n_near < len(self) / 2:
            gap, lost = np.abs(1 - guess), guess < 1
            near = gap <= max(_LEAST_WINDOW, np.partition(gap, n_near)[n_near])
            found = _solved(self[near], self[lost & ~near], C, p)
            if found is not None:
                guess = self.margins(found.weights, found.offsets)
                if np.array_equal(guess[~near] < 1, lost[~near]):
                    return found._replace(margins=guess)
            n_near *= _WIDER
        found = _solved(self, self[:0], C, p)
        if found is None:
            raise SolverError(f"Clarabel found no best model at C={C:g} and p={p:g}.")
        return found._replace(margins=self.margins(found.weights, found.offsets))


def _solved(rows: Rows, lost: Rows, C: float, p: float) -> Solution | None:
    """The best model if ``lost`` rows pay for their slack whatever its sign; None if unbounded."""
    (m, d), k = rows.points.shape, rows.offsets.shape[1]
    n_absolute = d if p < 1 else 0
    cost = np.concatenate(
        [
            -C * lost.points.sum(axis=0),
            -C * lost.offsets.sum(axis=0),
            np.full(m, C),
            np.full(n_absolute, (1 - p) / 2),
        ]
    )
    curvature = sparse.csc_matrix(
        (np.full(d, float(p)), np.arange(d), np.minimum(np.arange(len(cost) + 1), d)),
        shape=(len(cost), len(cost)),
    )
    coefficients = _coefficients(rows, n_absolute > 0)
    limits = np.zeros(coefficients.shape[0])
    limits[:m] = -1
    cone = [clarabel.NonnegativeConeT(len(limits))]
    solver = clarabel.DefaultSolver(curvature, cost, coefficients, limits, cone, _SETTINGS)
    solution = solver.solve()
    if solution.status not in (clarabel.SolverStatus.Solved, clarabel.SolverStatus.AlmostSolved):
        return None
    x = np.array(solution.x)
    return Solution(x[:d], x[d : d + k], solution.obj_val + C * len(lost), np.empty(0))


def _coefficients(rows: Rows, absolute: bool) -> sparse.csc_matrix:
    """Everything that is at most its limit.

    ::

                     w    b    s    u
        margins    [-a   -t   -1     ]  -1
        slack      [          -1     ]   0
        order      [      o          ]   0    b_j - b_(j+1)
        absolute   [ 1             -1]   0    only where u = |w| has a price
                   [-1             -1]   0
    """
    (m, d), k = rows.points.shape, rows.offsets.shape[1]
    each, first = np.arange(d), 2 * m + k - 1
    bounds = [first + each, first + d + each] if absolute else []
    at = np.vstack([np.tile(np.arange(m), (d, 1)).T, *bounds])
    of_weights = np.vstack([-rows.points, *np.repeat([[1.0], [-1.0]], d, axis=1)[: len(bounds)]])
    order = np.eye(k - 1, k) - np.eye(k - 1, k, 1)
    of_offsets = sparse.csc_array(np.vstack([-rows.offsets, np.zeros((m, k)), order]))
    pairs = [np.column_stack([np.arange(m), m + np.arange(m)]), np.column_stack(bounds or [[], []])]
    of_pairs = np.concatenate([pair.ravel() for pair in pairs]).astype(int)
    starts = np.concatenate(
        [
            len(at) * np.arange(d),
            at.size + of_offsets.indptr[:-1],
            at.size + of_offsets.nnz + np.arange(0, len(of_pairs) + 1, 2),
        ]
    )
    data = (of_weights.ravel(order="F"), of_offsets.data, np.full(len(of_pairs), -1.0))
    indices = (at.ravel(order="F"), of_offsets.indices, of_pairs)
    return sparse.csc_matrix(
        (np.concatenate(data), np.concatenate(indices), starts),
        shape=(first + (2 * d if absolute else 0), len(starts) - 1),
    )


def _settings() -> Any:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.presolve_enable = False  # it looks for infinite limits, of which there are none
    settings.direct_solve_method = "qdldl"
    return settings


_SETTINGS = _settings()


class ElasticNetOrdinal(ClassifierMixin, BaseEstimator):
    """An ordinal model of explicit order with an elastic-net penalty.

    Parameters
    ----------
    C : float
        The price of loss.
    p : float
        Between 0 (the lasso) and 1 (ridge).

    Attributes
    ----------
    coef_ : (d,) array
    offsets_ : (n_classes - 1,) array
    classes_ : array
    objective_ : float
    """

    def __init__(self, C: float = 1.0, p: float = 0.0) -> None:
        self.C = C
        self.p = p

    def __sklearn_clone__(self) -> "ElasticNetOrdinal":
        """Clones remember the last fit's margins: elimination changes a model little by little."""
        clone = ElasticNetOrdinal(self.C, self.p)
        clone._last = self._memory()
        return clone

    def _memory(self) -> dict[str, np.ndarray]:
        if not hasattr(self, "_last"):
            self._last: dict[str, np.ndarray] = {}
        return self._last

    def fit(self, X: Any, y: Any) -> "ElasticNetOrdinal":
        self.classes_, rank = np.unique(y, return_inverse=True)
        rows, last = Rows.of(np.asarray(X, dtype=float), rank), self._memory()
        guess = last["margins"] if np.array_equal(last.get("rank"), rank) else None
        best = rows.best(self.C, self.p, guess)
        last.update(rank=rank, margins=best.margins)
        self.coef_, self.offsets_, self.objective_ = best.weights, best.offsets, best.objective
        return self

    def predict(self, X: Any) -> np.ndarray:
        return self.classes_[_ranks(np.asarray(X, dtype=float) @ self.coef_, self.offsets_)]

    def score(self, X: Any, y: Any) -> float:
        """Minus the MMAE."""
        return -macro_mean_absolute_error(y, self.predict(X))


def _ranks(scores: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    return (scores[:, None] > offsets).sum(axis=1)


class Selection(NamedTuple):
    """Which features an elastic net selects, and with which settings."""

    support: np.ndarray
    C: float
    p: float


def select(
    X: Any, y: Any, random_state: int, kinds: Sequence[str] = ("surrogate",)
) -> dict[str, Selection]:
    """What each kind selects; all kinds have the same folds.

    ``y`` are numbers. Features are standardised first. One feature goes at a time, or as many as
    make ``MOST_ELIMINATIONS`` rounds.
    """
    points, y = StandardScaler().fit_transform(np.asarray(X, dtype=float)), np.asarray(y)
    folds = list(_folds(random_state).split(points, y))
    largest = max((KINDS[kind] for kind in kinds), key=len)
    errors = tuning_errors(points, y, folds, largest)
    chosen = {kind: best_settings(errors, KINDS[kind]) for kind in kinds}
    supports = {
        settings: _eliminated(points, y, folds, *settings) for settings in set(chosen.values())
    }
    return {kind: Selection(supports[settings], *settings) for kind, settings in chosen.items()}


def _folds(random_state: int) -> StratifiedKFold:
    return StratifiedKFold(N_FOLDS, shuffle=True, random_state=random_state)


def tuning_errors(
    X: np.ndarray, y: np.ndarray, folds: Sequence[tuple], ps: Sequence[float]
) -> dict[tuple[float, float], float]:
    """The mean MMAE over the folds for each (C, p)."""
    errors = {(C, p): [] for C in C_GRID for p in ps}
    for train, test in folds:
        classes, rank = np.unique(y[train], return_inverse=True)
        rows = Rows.of(X[train], rank)
        for C in C_GRID:
            guess = None
            for p in ps:
                best = rows.best(C, p, guess)
                predicted = classes[_ranks(X[test] @ best.weights, best.offsets)]
                errors[C, p].append(macro_mean_absolute_error(y[test], predicted))
                guess = best.margins
    return {settings: float(np.mean(each)) for settings, each in errors.items()}


def best_settings(
    errors: dict[tuple[float, float], float], ps: Sequence[float]
) -> tuple[float, float]:
    """(C, p) of the least error; of equals the smallest C, then the smallest p."""
    allowed = {settings: error for settings, error in errors.items() if settings[1] in ps}
    return min(allowed, key=lambda settings: (allowed[settings], *settings))


def _eliminated(
    X: np.ndarray, y: np.ndarray, folds: Sequence[tuple], C: float, p: float
) -> np.ndarray:
    """The features that recursive elimination leaves."""
    step = -(-X.shape[1] // MOST_ELIMINATIONS)
    search = RFECV(
        ElasticNetOrdinal(C, p), step=step, cv=folds, min_features_to_select=LEAST_FEATURES
    )
    return search.fit(X, y).support_
