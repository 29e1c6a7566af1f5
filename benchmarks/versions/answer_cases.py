"""Fits and questions whose answers two versions have to share. Knows the public interface only.

A case is named after its group first: `path-...` are thresholds and classes along a tolerance path,
`blocks-chance-...` classes of blocks, which evidence decides. Both depend on what chance reaches.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import named_values as values
import numpy as np
import pandas as pd
from named_values import Value, Values

from relbounds import (
    ClassificationRelevance,
    OrdinalRelevance,
    RegressionRelevance,
    write_report,
)
from relbounds.datasets import make_ordinal, make_privileged

TASKS: dict[str, Callable[..., Any]] = {
    "explicit": partial(OrdinalRelevance, "explicit"),
    "implicit": partial(OrdinalRelevance, "implicit"),
    "classification": ClassificationRelevance,
    "regression": RegressionRelevance,
}
GIVEN = {"C": 1.0}
GIVEN_PRIVILEGED = GIVEN | {"gamma": 1.0}
FEW_PROBES = {"n_probes": 12, "random_state": 0}
SMALL = {"n_strong": 2, "weak_groups": (3,), "n_irrelevant": 3}
BUDGETS, ENGINES = ("split", "joint"), ("auto", "interior", "simplex")
PROBES, SELECTIONS = ("append", "replace", "refit"), ("evidence", "fdr", "fwer", "probe")


@dataclass(frozen=True, eq=False)
class Data:
    X: Any
    y: Any
    X_priv: Any = None
    sample_weight: Any = None


@dataclass(frozen=True)
class Case:
    name: str
    answer: Callable[[], Values]

    @property
    def group(self) -> str:
        return self.name.partition("-")[0]


def _task_of_data(task: str) -> str:
    return task if task in ("classification", "regression") else "ordinal"


def plain(task: str, n: int = 80, seed: int = 0, noise: float = 0.3, **shape: Any) -> Data:
    X, y, _ = make_ordinal(
        n, noise=noise, task=_task_of_data(task), random_state=seed, **SMALL | shape
    )
    return Data(X, y)


def privileged(task: str, n: int = 60, seed: int = 0) -> Data:
    X, y, X_priv, *_ = make_privileged(
        n,
        n_strong=2,
        weak_groups=(2,),
        n_irrelevant=1,
        n_classes=4,
        task=_task_of_data(task),
        random_state=seed,
    )
    return Data(X, y, X_priv)


def weighted(task: str) -> Data:
    """Samples that count more, less, and not at all."""
    data = plain(task, seed=1)
    weight = np.random.RandomState(1).choice([0.0, 0.5, 1.0, 2.5], len(data.y))
    return replace(data, sample_weight=weight)


def weighted_privileged(task: str) -> Data:
    data = privileged(task, seed=1)
    weight = np.random.RandomState(1).choice([0.0, 1.0, 2.0], len(data.y), p=[0.1, 0.6, 0.3])
    return replace(data, sample_weight=weight)


def with_constants(task: str) -> Data:
    data = plain(task, seed=2)
    n = len(data.y)
    return replace(data, X=np.hstack([np.full((n, 1), 3.0), data.X, np.zeros((n, 1))]))


def uneven(task: str) -> Data:
    """Columns of different size, for fits that leave them as they are."""
    data = plain(task, seed=3)
    return replace(data, X=data.X * np.geomspace(0.3, 3.0, data.X.shape[1]))


def tied(task: str) -> Data:
    """Small whole numbers, in which many samples are equal."""
    rng = np.random.RandomState(4)
    X = rng.randint(-2, 3, (90, 6)).astype(float)
    X[:, 2] = X[:, 1]
    value = X[:, 0] + X[:, 1] + rng.randint(-1, 2, 90)
    cuts = {"classification": [0], "regression": None}.get(task, [-2, 0, 2])
    return Data(X, value if cuts is None else np.digitize(value, cuts))


def texts(task: str) -> Data:
    """A frame with the columns of two texts; one matters, the other does not."""
    rng = np.random.RandomState(5)
    colour, place = rng.randint(0, 4, 100), rng.randint(0, 8, 100)
    table = pd.DataFrame(rng.standard_normal((100, 2)), columns=["age", "height"])
    for number, name in enumerate(("red", "green", "blue")):
        table[f"colour={name}"] = (colour == number).astype(float)
    for number in range(7):
        table[f"place=p{number}"] = (place == number).astype(float)
    value = table["age"] + np.array([-1.5, 0.0, 1.5, 3.0])[colour]
    value += 0.3 * rng.standard_normal(100)
    if task == "regression":
        return Data(table, value.to_numpy())
    cuts = np.quantile(value, [0.5] if task == "classification" else [0.25, 0.5, 0.75])
    return Data(table, np.digitize(value, cuts))


def fitted(task: str, data: Data, settings: dict[str, Any]) -> Any:
    model = TASKS[task](**FEW_PROBES | settings)
    told = {} if data.X_priv is None else {"X_priv": data.X_priv}
    return model.fit(data.X, data.y, sample_weight=data.sample_weight, **told)


def fit(name: str, task: str, make: Callable[[str], Data], **settings: Any) -> Case:
    def answer() -> Values:
        data = make(task)
        return values.of_model(fitted(task, data, settings), data.X, data.y)

    return Case(f"{name}-{task}", answer)


def fits() -> Iterator[Case]:
    for task, budget, engine in product(TASKS, BUDGETS, ENGINES):
        told = f"{budget}-{engine}"
        tuned = {"budget": budget, "engine": engine}
        narrow = tuned | ({"epsilon": 0.1} if task == "regression" else {})
        yield fit(f"tuned-free-{told}", task, plain, **tuned)
        yield fit(f"given-privileged-{told}", task, privileged, **tuned, **GIVEN_PRIVILEGED)
        yield fit(
            f"given-mixed-{told}", task, privileged, slack="mixed", **tuned, **GIVEN_PRIVILEGED
        )
        if engine == "auto":
            yield fit(f"tuned-privileged-{told}", task, privileged, **narrow)
            yield fit(f"tuned-mixed-{told}", task, privileged, slack="mixed", **narrow)
    for task, mode, selection in product(TASKS, PROBES, SELECTIONS):
        asked = {"probes": mode, "selection": selection, "level": 0.2, "tolerance": 0.3}
        yield fit(f"probes-{mode}-{selection}", task, plain, **GIVEN, **asked)
    for mode, slack in product(PROBES, ("privileged", "mixed")):
        asked = {"probes": mode, "slack": slack, "selection": "fdr", "level": 0.2, "tolerance": 0.3}
        yield fit(f"probes-{mode}-{slack}", "explicit", privileged, **GIVEN_PRIVILEGED, **asked)
    yield from tolerances()
    yield from tables()
    yield from shapes()
    yield from edges()


def tolerances() -> Iterator[Case]:
    apart = {
        "auto": {"tolerance": "auto"},
        "none": {"tolerance": 0},
        "tiny": {"tolerance": 0.001},
        "usual": {"tolerance": 0.05},
        "loss-apart": {"tolerance": 0.01, "loss_tolerance": 0.1},
        "loss-none": {"tolerance": 0.05, "loss_tolerance": 0},
        "loss-auto": {"tolerance": 0.02, "loss_tolerance": "auto"},
    }
    for (name, asked), task in product(apart.items(), TASKS):
        yield fit(f"tolerance-{name}", task, plain, **GIVEN, **asked)
    for (name, asked), engine in product(apart.items(), ("interior", "simplex")):
        yield fit(f"tolerance-{name}-{engine}", "explicit", plain, C=0.3, engine=engine, **asked)
    for name, slack in product(("none", "usual", "loss-apart"), ("privileged", "mixed")):
        asked = apart[name] | GIVEN_PRIVILEGED | {"slack": slack}
        yield fit(f"tolerance-{name}-{slack}", "explicit", privileged, **asked)


def tables() -> Iterator[Case]:
    kinds: dict[str, tuple[Callable[[str], Data], dict[str, Any]]] = {
        "weights": (weighted, {}),
        "constants": (with_constants, {}),
        "unscaled": (uneven, {"standardize": False}),
        "ties": (tied, {}),
        "texts": (texts, {}),
    }
    for (name, (make, settings)), task in product(kinds.items(), TASKS):
        yield fit(f"table-{name}-given", task, make, **GIVEN, **settings)
        yield fit(f"table-{name}-tuned", task, make, **settings)
    for name, (make, settings) in kinds.items():
        yield fit(f"table-{name}-simplex", "explicit", make, engine="simplex", **GIVEN, **settings)
    yield fit("table-weights-privileged", "explicit", weighted_privileged, **GIVEN_PRIVILEGED)


def shapes() -> Iterator[Case]:
    """Few samples and many, more features than samples, more than a hundred weights."""
    for task in TASKS:
        for n in (60, 300, 1000):
            yield fit(f"shape-{n}x8", task, partial(plain, n=n), C=0.3)
        yield fit("shape-1000x8-tuned", task, partial(plain, n=1000), tolerance=0.05)
        wide = partial(plain, n=60, n_irrelevant=65)
        yield fit("shape-60x70-wide", task, wide, C=0.1)
        yield fit("shape-60x70-wide-clean", task, partial(wide, noise=0.0), C=0.1)
        yield fit("shape-150x105", task, partial(plain, n=150, n_irrelevant=100), C=0.05)
    many = partial(plain, n=150, n_irrelevant=100)
    yield fit("shape-150x105-tuned", "explicit", many)
    yield fit("shape-150x105-simplex", "classification", many, C=0.05, engine="simplex")
    yield fit("shape-60x70-wide-simplex", "explicit", wide, C=0.1, engine="simplex")
    yield fit("shape-400x8-clean", "explicit", partial(plain, n=400, noise=0.0))


def edges() -> Iterator[Case]:
    """Nothing learned, nothing to learn, and settings that are refused."""
    for task in TASKS:
        yield fit("edge-degenerate", task, plain, C=1e-6)
        yield fit("edge-large-C", task, plain, C=100.0)
        yield fit("edge-bad-tolerance", task, plain, tolerance=-1)
        yield fit("edge-joint-loss", task, plain, budget="joint", loss_tolerance=0.1)
    yield fit("edge-keep", "explicit", plain, keep=[7], min_features=6, **GIVEN)
    yield fit("edge-few-samples", "explicit", partial(plain, n=7, n_classes=3))
    yield fit("edge-one-sample-a-class", "explicit", partial(plain, n=5))
    yield fit("edge-missing", "explicit", _with_nan)
    yield fit("edge-labels", "explicit", _with_labels, classes=list("edcba"), **GIVEN)
    yield fit("edge-labels-unordered", "explicit", _with_labels)
    yield fit("edge-free-price", "explicit", privileged, slack="mixed", free_slack_price=3.0)
    yield fit("edge-all-columns-constant", "explicit", _all_constant)


def _with_nan(task: str) -> Data:
    data = plain(task)
    X = data.X.copy()
    X[3, 1] = np.nan
    return replace(data, X=X)


def _with_labels(task: str) -> Data:
    data = plain(task)
    return replace(data, y=np.array(list("edcba"))[data.y])


def _all_constant(task: str) -> Data:
    data = plain(task)
    return replace(data, X=np.ones_like(data.X))


SITUATIONS: dict[str, tuple[str, Callable[[str], Data], dict[str, Any]]] = {
    "explicit": ("explicit", plain, {}),
    "joint": ("explicit", plain, {"budget": "joint"}),
    "simplex": ("implicit", plain, {"engine": "simplex", **GIVEN}),
    "interior": ("classification", plain, {"engine": "interior"}),
    "regression": ("regression", plain, {"epsilon": 0.1}),
    "privileged": ("explicit", privileged, GIVEN_PRIVILEGED),
    "mixed": ("regression", privileged, {"slack": "mixed", "epsilon": 0.1, **GIVEN_PRIVILEGED}),
    "constants": ("explicit", with_constants, GIVEN | {"tolerance": 0.1}),
}
LOSS_APART = ("explicit", plain, GIVEN | {"tolerance": 0.01, "loss_tolerance": 0.2})
CONSTRAINTS: dict[str, dict[Any, Any]] = {
    "absent": {2: "absent"},
    "absent-strong": {0: "absent"},
    "positive": {3: "positive"},
    "negative-strong": {0: "negative"},
    "range": {3: (0.05, 0.3)},
    "signed": {3: ("signed", -0.05, 0.1)},
    "total": {(2, 3): 0.2},
    "together": {2: "absent", 3: ("signed", 0.0, 0.3), (0, 1): 0.9},
    "conflict": {0: "absent", 3: "positive", 1: "negative"},
    "group-absent": {2: "absent", 3: "absent", 4: "absent"},
    "sixth": {6: "absent"},
    "unknown": {"nothing": "absent"},
    "senseless": {0: (0.5, 0.1)},
}
TOLERANCES = (0.0, 0.03, 0.3)


@lru_cache(maxsize=2)
def _asked(situation: str) -> Any:
    task, make, settings = SITUATIONS.get(situation, LOSS_APART)
    return fitted(task, make(task), settings)


@lru_cache(maxsize=2)
def _path(situation: str) -> Any:
    return _asked(situation).tolerance_path(TOLERANCES)


def _question(group: str, situation: str, ask: Callable[[Any], Values]) -> Case:
    return Case(f"{group}-{situation}", lambda: ask(_asked(situation)))


def questions() -> Iterator[Case]:
    for situation in (*SITUATIONS, "loss-apart"):
        ask = partial(_question, situation=situation)
        for name, constraints in CONSTRAINTS.items():
            yield ask(f"what_if-{name}", ask=partial(_what_if, constraints=constraints))
        yield ask("price-one", ask=lambda model: values.of_price(model.price(0)))
        yield ask("price-several", ask=lambda model: values.of_price(model.price([1, 2, 3])))
        yield ask("price-all", ask=lambda model: values.of_prices(model.prices()))
        yield ask("redundancy", ask=lambda model: values.of_redundancy(model.redundancy()))
        yield ask("blocks-two", ask=_two_blocks)
        ends = "path-ends" if situation == "loss-apart" else "tolerances"
        yield ask(ends, ask=partial(_along, situation, values.of_path_ends))
        yield ask("path-chance", ask=partial(_along, situation, values.of_path_chance))


def _what_if(model: Any, constraints: dict[Any, Any]) -> Values:
    return values.of_constrained(model.what_if(constraints))


def _two_blocks(model: Any) -> Values:
    return values.of_blocks(model.blocks({"one": [0, 1], "other": [2, 3]}))


def _along(situation: str, read: Callable[..., Values], model: Any) -> Values:
    return read(_path(situation), model.result_)


def blocks_of_texts() -> Iterator[Case]:
    for task in TASKS:

        def blocks(task: str = task, **settings: Any) -> Values:
            return values.of_blocks(fitted(task, texts(task), GIVEN | settings).blocks())

        def cut_short(task: str = task) -> Values:
            model = fitted(task, texts(task), GIVEN)
            places = [name for name in model.feature_names_in_ if name.startswith("place")]
            return values.of_blocks(model.blocks({"place": places}, most_programs=4))

        yield Case(f"blocks-chance-texts-{task}", partial(blocks, tolerance=0.001))
        yield Case(f"blocks-texts-{task}", partial(blocks, tolerance=0.3))
        yield Case(f"blocks-texts-cut-short-{task}", cut_short)


def pages() -> Iterator[Case]:
    """What people read: a report, and what commands print."""
    yield Case("page-report", _report)
    clinic = Path(__file__).parents[2] / "examples" / "clinic.csv"
    order = ("--order", "mild,moderate,severe", "--jobs", "1")
    table = (str(clinic), "--target", "grade", *order)
    commands = {
        "csv": ("analyze", *table, "--format", "csv"),
        "md": ("analyze", *table, "--format", "md", "--without", "crp"),
        "wrong-file": ("analyze", "nothing.csv", "--target", "x"),
        "wrong-target": ("analyze", str(clinic), "--target", "nothing"),
        "help": ("analyze", "--help"),
    }
    for name, arguments in commands.items():
        yield Case(f"page-command-{name}", partial(_command, arguments))


def _report() -> Values:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        result = _asked("explicit").result_
        result.seconds.update(dict.fromkeys(result.seconds, 0.0))
        write_report(result, path)
        text = path.read_text()
    return {"html": Value(text)}


def _command(arguments: tuple[str, ...]) -> Values:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "relbounds", *arguments],
            cwd=folder,
            env=os.environ | {"COLUMNS": "100"},
            capture_output=True,
            text=True,
            check=False,
        )
    said = {"printed": done.stdout, "told": done.stderr}
    return {"exit code": Value(done.returncode)} | {
        name: Value(values.without_times(text)) for name, text in said.items()
    }


def cases() -> list[Case]:
    return [*fits(), *questions(), *blocks_of_texts(), *pages()]
