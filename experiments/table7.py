"""Table 7: are relevant features found on both sides, where those of one side are privileged?

Eight sets, ten draws of each. Methods: ``explicit`` is the library, and the same by the paper's
rule of what is relevant; ``surrogate`` an elastic net with recursive elimination that gets both
sides as one table; and ``without`` the library on the regular features alone. Beside the table:
which settings its figures depend on, and whether errors tell the elastic net where to stop.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_selection import RFE, RFECV
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from experiments import elastic_net, pages, printed, table7_page
from experiments.papers_rule import by_papers_rule
from experiments.pieces import Piece, Row
from experiments.table7_page import CONTROL_SETS, EXPLICIT, RULED, TABLE, UNIT_NOISE
from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_PRIVILEGED_SETS, PrivilegedSample
from relbounds.exceptions import DegenerateModelWarning
from relbounds.metrics import selection_scores

NAME = "table7"
TITLE = "Table 7: artificial sets with privileged features"
NEEDS_DATA = False

SETS = (6, 2, 3, 1, 7, 8, 4, 5)  # the slowest first
QUICK_SETS, QUICK_RUNS = (1, 5, 8), 2


@dataclass(frozen=True)
class Setting:
    """How data are drawn, and how the library is set where not as usual."""

    noise: float = 0.17
    options: dict[str, Any] = field(default_factory=dict)


SETTINGS = {
    TABLE: Setting(),
    "tolerance 0.1": Setting(options={"tolerance": 0.1}),
    "mixed slack": Setting(options={"slack": "mixed"}),
    "no noise": Setting(noise=0.0),
    UNIT_NOISE: Setting(noise=1.0),
    "unit noise with mixed slack": Setting(noise=1.0, options={"slack": "mixed"}),
}


def pieces(quick: bool) -> list[Piece]:
    runs = range(QUICK_RUNS if quick else printed.TABLE7_RUNS)
    return [
        Piece(f"{name} set {number} seed {seed}", task, {"number": number, "seed": seed, **more})
        for number in SETS
        if not quick or number in QUICK_SETS
        for name, task, more in _computations(number)
        for seed in runs
    ]


def _computations(number: int) -> Iterator[tuple[str, Any, dict[str, str]]]:
    yield "surrogate", eliminate, {"setting": TABLE}
    if number in CONTROL_SETS:
        yield f"surrogate {UNIT_NOISE}", eliminate, {"setting": UNIT_NOISE}
    yield "without", analyse_regular, {}
    for setting in SETTINGS if number in CONTROL_SETS else (TABLE,):
        yield setting, analyse, {"setting": setting}


def analyse(number: int, seed: int, setting: str) -> list[Row]:
    """The library, which knows which features are privileged, by its own and the paper's rule."""
    data = PAPER_PRIVILEGED_SETS[number].make(SETTINGS[setting].noise, random_state=seed)
    model = OrdinalRelevance(random_state=seed, **SETTINGS[setting].options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateModelWarning)  # the rows tell
        model.fit(data.X, data.y, X_priv=data.X_priv)
        ruled = by_papers_rule(model, data.X, data.y, X_priv=data.X_priv)
    facts = {
        "collapsed": model.result_.is_degenerate,
        "mmae": -model.score(data.X, data.y),
        "seconds": sum(model.result_.seconds.values()),
    }
    if model.result_.tolerances:
        facts["tolerance"] = model.result_.tolerances.loss
    needed = {"regular": model.needed_, "privileged": model.needed_priv_}
    return [
        {**row, **facts, **({"needed": needed[row["side"]].sum()} if method == EXPLICIT else {})}
        for method, each in ((EXPLICIT, model), (RULED, ruled))
        for row in _of_sides(each, data, _labels(method, number, seed, "", setting))
    ]


def _of_sides(model: OrdinalRelevance, data: PrivilegedSample, labels: Row) -> list[Row]:
    found = {"regular": model.relevance_, "privileged": model.relevance_priv_}
    return [
        {**labels, "side": side, **_scores(truth, found[side]), **_classes(truth, found[side])}
        for side, truth in _truths(data).items()
    ]


def analyse_regular(number: int, seed: int) -> list[Row]:
    """The library, which does not get the privileged features."""
    data = PAPER_PRIVILEGED_SETS[number].make(random_state=seed)
    model = OrdinalRelevance(random_state=seed).fit(data.X, data.y)
    return [
        {
            **_labels("without", number, seed, "regular"),
            **_scores(data.truth, model.relevance_),
            **_classes(data.truth, model.relevance_),
            "mmae": -model.score(data.X, data.y),
        }
    ]


def eliminate(number: int, seed: int, setting: str) -> list[Row]:
    """The elastic net, and how few and how many features it might as well have left."""
    data = PAPER_PRIVILEGED_SETS[number].make(SETTINGS[setting].noise, random_state=seed)
    X = StandardScaler().fit_transform(np.hstack([data.X, data.X_priv]))
    found = elastic_net.select(X, data.y, seed)["surrogate"]
    equals = _as_good(X, data.y, seed, found)
    where = {"regular": slice(data.X.shape[1]), "privileged": slice(data.X.shape[1], None)}
    return [
        {
            **_labels("surrogate", number, seed, side, setting),
            **_scores(truth, found.support[where[side]]),
            "fewest features": equals[0].sum(),
            "most features": equals[-1].sum(),
            "f1 of fewest": _scores(truth, equals[0][where[side]])["f1"],
            "f1 of most": _scores(truth, equals[-1][where[side]])["f1"],
            "C": found.C,
            "p": found.p,
        }
        for side, truth in _truths(data).items()
    ]


def _as_good(
    X: np.ndarray, y: np.ndarray, seed: int, found: elastic_net.Selection
) -> list[np.ndarray]:
    """Selections within one standard error of the best, the smallest first."""
    model = elastic_net.ElasticNetOrdinal(found.C, found.p)
    step = -(-X.shape[1] // elastic_net.MOST_ELIMINATIONS)
    folds = StratifiedKFold(elastic_net.N_FOLDS, shuffle=True, random_state=seed)
    least = elastic_net.LEAST_FEATURES
    search = RFECV(model, step=step, cv=folds, min_features_to_select=least).fit(X, y).cv_results_
    means, best = search["mean_test_score"], search["mean_test_score"].argmax()
    error = search["std_test_score"][best] / np.sqrt(elastic_net.N_FOLDS - 1)
    enough = set(search["n_features"][means >= means[best] - error])
    ranks = RFE(model, step=step, n_features_to_select=least).fit(X, y).ranking_
    visited = [ranks <= rank for rank in range(1, ranks.max() + 1)]
    return [selection for selection in visited if selection.sum() in enough]


def _labels(method: str, number: int, seed: int, side: str, setting: str = TABLE) -> Row:
    return {"method": method, "setting": setting, "set": number, "seed": seed, "side": side}


def _truths(data: PrivilegedSample) -> dict[str, np.ndarray]:
    return {"regular": data.truth, "privileged": data.truth_priv}


def _scores(truth: np.ndarray, selected: np.ndarray) -> Row:
    """F1, precision and recall; to select nothing where something is relevant has precision 0.

    That is the paper's way: it prints precisions below 1 for sets without irrelevant features.
    """
    scores = selection_scores(truth, selected)._asdict()
    if np.any(truth) and not np.any(selected):
        scores["precision"] = 0.0
    return scores


def _classes(truth: np.ndarray, relevance: np.ndarray) -> Row:
    """How many of all features are classed rightly, how many strong and weak ones are mistaken."""
    strong, weak = truth == 2, truth == 1
    return {
        "rightly classed": np.mean(relevance == truth),
        "strong called weak": np.mean(strong & (relevance == 1)),
        "weak called strong": np.mean(weak & (relevance == 2)),
        "strong found": np.mean(relevance[strong] > 0) if strong.any() else np.nan,
        "weak found": np.mean(relevance[weak] > 0) if weak.any() else np.nan,
    }


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    cells, settings = table7_page.cells(rows), table7_page.settings(rows)
    pages.write_csv(cells, out / "table7.csv")
    pages.write_csv(settings, out / "settings.csv")
    pages.write_page(
        out / "table7.md",
        TITLE,
        table7_page.parts(rows, cells, settings),
        rows,
        seeds=f"0 to {rows['seed'].max()}",
        packages=("clarabel",),
    )
