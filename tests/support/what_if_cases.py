"""Small fits, and constraints on them, once in the library's words and once in the oracle's."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import oracle
import oracle_constraints as by_force
from oracle import Array, Limit
from oracle_cases import target
from small_fits import ESTIMATORS, PROBES

from relbounds.exceptions import DegenerateModelWarning

EPSILON = 0.1
GAMMA = 0.7
FREE_SLACK_PRICE = 4.0
MOST_SIGNED_WEIGHTS = 5  # 32 orthants
BORDER = 1e-6  # of the limits: nearer to it nobody says what is possible

TASKS: dict[str, tuple[str, dict[str, Any], Callable[..., oracle.Problem]]] = {
    "explicit": ("ordinal", {"order": "explicit"}, oracle.ordinal_explicit),
    "implicit": ("ordinal", {"order": "implicit"}, oracle.ordinal_implicit),
    "classification": ("classification", {}, oracle.classification),
    "regression": (
        "regression",
        {"epsilon": EPSILON},
        lambda X, y, weight: oracle.regression(X, y, weight, EPSILON),
    ),
}
BUDGETS = ("split", "joint")
SLACKS: dict[str, dict[str, Any]] = {
    "free": {},
    "privileged": {"slack": "privileged", "gamma": GAMMA},
    "mixed": {"slack": "mixed", "gamma": GAMMA, "free_slack_price": FREE_SLACK_PRICE},
}


class Setting(NamedTuple):
    """What is fitted, named by all that makes it."""

    task: str
    budget: str
    slack: str
    data: str
    tolerance: float | str
    weighted: bool
    seed: int


@dataclass(frozen=True, eq=False)
class Sample:
    X: Array
    y: Array
    X_priv: Array | None
    weight: Array


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted estimator beside the oracle's program of the same data, and its best model."""

    setting: Setting
    sample: Sample
    model: Any
    program: oracle.Program
    C: float
    norm: float
    loss: float

    @property
    def budget(self) -> list[Limit]:
        """What a good model may cost."""
        result = self.model.result_
        return self._limits(result.norm_limit, result.loss_limit)

    @property
    def best_cost(self) -> list[Limit]:
        """What the best model costs: what tolerances are relative to."""
        if self.setting.budget == "joint":
            return self._limits(self.norm + 2 * self.C * self.loss, 0.0)
        return self._limits(self.norm, self.loss)

    def _limits(self, norm: float, loss: float) -> list[Limit]:
        if self.setting.budget == "joint":
            return [Limit(0.5, self.C, norm / 2)]
        return [Limit(1.0, 0.0, norm), Limit(0.0, 1.0, loss)]

    @property
    def features(self) -> dict[str, by_force.Feature]:
        """Names of all features, and where their weights stand."""
        result = self.model.result_
        found = {name: by_force.regular(k) for k, name in enumerate(result.feature_names)}
        if result.privileged is not None:
            names = result.privileged.feature_names
            found |= {name: by_force.privileged(k) for k, name in enumerate(names)}
        return found

    @property
    def largest(self) -> dict[str, float]:
        """The most that each feature can weigh, as a share of the norm."""
        frame = self.model.result_.to_frame()
        return dict(zip(frame.index, frame["maxrel"].tolist(), strict=True))

    def refitted(self, **settings: Any) -> Any:
        return _fit(_estimator(self.setting, self.C).set_params(**settings), self.sample)


# The data, standardised already, so that the oracle and the estimator see the same numbers.


def noisy(rng: np.random.Generator) -> tuple[Array, Array]:
    """Two columns that nearly repeat each other, and a noisy score."""
    X = _table(rng)
    X[:, 1] = X[:, 0] + 0.4 * rng.normal(size=len(X))
    return X, X[:, 0] + X[:, -1] + 0.5 * rng.normal(size=len(X))


def lossless(rng: np.random.Generator) -> tuple[Array, Array]:
    """The score is linear, so that a model without loss exists."""
    X = _table(rng)
    return X, X @ rng.uniform(0.3, 1.0, size=X.shape[1])


def twins(rng: np.random.Generator) -> tuple[Array, Array]:
    """The last column repeats the first."""
    X, score = noisy(rng)
    X[:, -1] = X[:, 0]
    return X, score


def _table(rng: np.random.Generator) -> Array:
    return rng.normal(size=(rng.integers(12, 17), rng.integers(3, 5)))


DATA = {each.__name__: each for each in (noisy, lossless, twins)}


def _draw(setting: Setting, rng: np.random.Generator) -> Sample:
    X, score = DATA[setting.data](rng)
    weight = rng.uniform(0.3, 3.0, size=len(X)) if setting.weighted else np.ones(len(X))
    X_priv = None
    if setting.slack != "free":
        hardness = np.abs(score - X @ np.linalg.lstsq(X, score, rcond=None)[0])
        X_priv = np.column_stack([hardness, rng.normal(size=len(X))])
    y = target(setting.task, score)
    if setting.task == "regression":
        y = _standardised(y, weight)
    return Sample(
        _standardised(X, weight),
        y,
        None if X_priv is None else _standardised(X_priv, weight),
        weight,
    )


def _standardised(values: Array, weight: Array) -> Array:
    centred = values - np.average(values, axis=0, weights=weight)
    return centred / np.sqrt(np.average(np.square(centred), axis=0, weights=weight))


def _estimator(setting: Setting, C: float) -> Any:
    task, settings, _ = TASKS[setting.task]
    return ESTIMATORS[task](
        **PROBES | settings | SLACKS[setting.slack],
        C=C,
        budget=setting.budget,
        tolerance=setting.tolerance,
        selection="probe",  # shadows take longer than all else, and are not the point
    )


def _fit(model: Any, sample: Sample) -> Any:
    return model.fit(sample.X, sample.y, X_priv=sample.X_priv, sample_weight=sample.weight)


@cache
def fitted(setting: Setting) -> Fitted:
    """The first of some samples in which the best model has learned something."""
    rng = np.random.default_rng(setting.seed)
    for draw in range(40):
        sample = _draw(setting, rng)
        C = (
            100.0
            if setting.data == "lossless"
            else 10 ** rng.uniform(-0.5, 0.5) * 4 ** (draw // 20)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateModelWarning)
            model = _fit(_estimator(setting, C), sample)
        if not model.result_.is_degenerate:
            return _beside_the_oracle(setting, sample, model, C)
    raise AssertionError("No sample gives the best model any weight: the case says nothing.")


def _beside_the_oracle(setting: Setting, sample: Sample, model: Any, C: float) -> Fitted:
    rows = TASKS[setting.task][2](sample.X, sample.y, sample.weight)
    if sample.X_priv is None:
        program = oracle.with_free_slack(rows)
    else:
        price = FREE_SLACK_PRICE if setting.slack == "mixed" else None
        program = oracle.with_privileged_slack(rows, sample.X_priv, GAMMA, price)
    norm, loss, _ = oracle.baseline(program, C)
    loss = loss if model.result_.loss_limit else 0.0
    return Fitted(setting, sample, model, program, C, norm, loss)


# The constraints, in both languages.


class Settings(NamedTuple):
    """Constraints as the library takes them, and each as the oracle does.

    ``excess``: by how much, relatively, limits would have to grow for a good model to keep them.
    """

    constraints: dict[Any, Any]
    asked: list[by_force.Asked]
    excess: float

    @property
    def is_possible(self) -> bool:
        return self.excess < 0


Item = tuple[Any, Any, by_force.Asked]
Draw = Callable[[Fitted, np.random.Generator], Item]


def absent(fit: Fitted, rng: np.random.Generator) -> Item:
    key, features = _some(fit, rng)
    return key, "absent", by_force.Signed(features, 0.0, 0.0)


def positive(fit: Fitted, rng: np.random.Generator) -> Item:
    key, features = _some(fit, rng)
    return key, "positive", by_force.Signed(features, 0.0, np.inf)


def negative(fit: Fitted, rng: np.random.Generator) -> Item:
    key, features = _some(fit, rng)
    return key, "negative", by_force.Signed(features, -np.inf, 0.0)


def at_most(fit: Fitted, rng: np.random.Generator) -> Item:
    name, key, features = _one(fit, rng)
    high = rng.uniform(0.1, 0.9) * fit.largest[name]
    return key, (0, high), _relevance(fit, features, 0.0, high)


def at_least(fit: Fitted, rng: np.random.Generator) -> Item:
    """Where zero is not allowed: one of both signs, or of both functions."""
    name, key, features = _one(fit, rng)
    low = rng.uniform(0.05, 1.05) * fit.largest[name]
    high = rng.choice([np.inf, rng.uniform(1.05, 2.0) * low])
    return key, (low, high), _relevance(fit, features, low, high)


def pinned(fit: Fitted, rng: np.random.Generator) -> Item:
    name, key, features = _one(fit, rng)
    size = rng.uniform(0.1, 0.95) * fit.largest[name]
    return key, [size, size], _relevance(fit, features, size, size)


def signed(fit: Fitted, rng: np.random.Generator) -> Item:
    name, key, features = _one(fit, rng)
    low, high = np.sort(rng.uniform(-1.0, 1.0, size=2)) * fit.largest[name]
    if rng.random() < 0.5:
        low, high = rng.choice([(low, np.inf), (-np.inf, high)])
    norm = fit.model.result_.norm
    return key, ("signed", low, high), by_force.Signed(features, low * norm, high * norm)


def total(fit: Fitted, rng: np.random.Generator) -> Item:
    names = rng.permutation(list(fit.features))[: rng.integers(2, 4)].tolist()
    most = rng.uniform(0.05, 0.6) * sum(fit.largest[name] for name in names)
    features = tuple(fit.features[name] for name in names)
    key: Any = tuple(names) if rng.random() < 0.5 else frozenset(names)
    return key, most, by_force.Total(features, most * fit.model.result_.norm)


def _relevance(
    fit: Fitted, features: tuple[by_force.Feature, ...], low: float, high: float
) -> by_force.Relevance:
    norm = fit.model.result_.norm
    return by_force.Relevance(features, low * norm, high * norm)


def _one(fit: Fitted, rng: np.random.Generator) -> tuple[str, Any, tuple[by_force.Feature, ...]]:
    """A feature by its name, or a regular one by its index now and then."""
    name = str(rng.choice(list(fit.features)))
    index = list(fit.features).index(name)
    by_index = index < len(fit.model.result_.feature_names) and rng.random() < 0.5
    return name, index if by_index else name, (fit.features[name],)


def _some(fit: Fitted, rng: np.random.Generator) -> tuple[Any, tuple[by_force.Feature, ...]]:
    """A feature, or two of them that the same is asked of."""
    name, key, features = _one(fit, rng)
    if rng.random() < 0.7:
        return key, features
    other = str(rng.choice([each for each in fit.features if each != name]))
    return (key, other), (*features, fit.features[other])


SINGLE: dict[str, Draw] = {
    each.__name__: each
    for each in (absent, positive, negative, at_most, at_least, pinned, signed, total)
}
SEVERAL = "several"
KINDS = (*SINGLE, SEVERAL)


def question(fit: Fitted, kind: str, rng: np.random.Generator) -> Settings:
    """Constraints of a kind, or of several, that are clearly possible or clearly not.

    Which of both is drawn first; what is too rare gives way.
    """
    wanted, rare = rng.random() < 0.6, 12
    for draw in range(50):
        items = _items(fit, kind, rng)
        asked = [each for *_, each in items]
        if len(by_force.signed_weights(asked)) > MOST_SIGNED_WEIGHTS:
            continue
        excess = by_force.least_tolerance(fit.program, fit.budget, asked)
        if abs(excess) > BORDER and ((excess < 0) == wanted or draw >= rare):
            return Settings({key: asks for key, asks, _ in items}, asked, excess)
    raise AssertionError("No constraints are clearly possible or clearly not.")


def _items(fit: Fitted, kind: str, rng: np.random.Generator) -> list[Item]:
    """Constraints, each with a key of its own."""
    kinds = [kind]
    if kind == SEVERAL:
        kinds = rng.choice(list(SINGLE), size=rng.integers(2, 5)).tolist()
    drawn = [SINGLE[each](fit, rng) for each in kinds]
    return list({str(item[0]): item for item in drawn}.values())


def told(fit: Fitted, key: Any, asks: Any) -> tuple[frozenset[str], str]:
    """The names of features, and in words what is asked of them."""
    keys = key if isinstance(key, tuple | frozenset) else (key,)
    names = [each if isinstance(each, str) else list(fit.features)[each] for each in keys]
    return frozenset(names), _words(asks)


def _words(asks: Any) -> str:
    if isinstance(asks, str):
        return asks
    if not isinstance(asks, tuple | list):
        return f"at most {asks:g} in total"
    *signed, low, high = asks
    return f"{'weight' if signed else 'relevance'} from {low:g} to {high:g}"
