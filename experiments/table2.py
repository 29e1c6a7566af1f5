"""Table 2: are the relevant features of the artificial sets found, and told apart?

Nine sets, clean and noisy, 30 draws of each. ``explicit`` and ``implicit`` are the library, all
settings at their defaults, and the same by the paper's rule of what is relevant. ``surrogate`` is
the paper's comparison, recursive elimination around an elastic net, and ``lasso`` its case without
L2 penalty. ``boruta`` is what many would use today: Boruta with a random forest. The last three
take longer and have fewer runs where the page says so.
"""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier

from experiments import elastic_net, pages, printed, table2_page
from experiments.papers_rule import by_papers_rule
from experiments.pieces import Piece, Row
from relbounds import OrdinalRelevance
from relbounds.datasets import PAPER_SETS, Sample
from relbounds.metrics import selection_scores

NAME = "table2"
TITLE = "Table 2: artificial sets"
NEEDS_DATA = False

NOISE = {"clean": 0.0, "noisy": 0.5}
ORDERS = ("explicit", "implicit")
SURROGATE_RUNS = dict.fromkeys(PAPER_SETS, printed.TABLE2_RUNS) | {9: 3}
BORUTA_RUNS = dict.fromkeys(PAPER_SETS, 5) | {9: 3}
QUICK_SETS, QUICK_RUNS = (4, 3, 2, 1), 2
QUICK_BORUTA = {1: 1, 2: 1}


def pieces(quick: bool) -> list[Piece]:
    """Those of a set together, its slowest method first; large sets first."""
    numbers = QUICK_SETS if quick else sorted(PAPER_SETS, reverse=True)
    return [
        Piece(
            f"{name} set {number} {data} run {run}",
            task,
            {"number": number, "data": data, "run": run, **more},
        )
        for number in numbers
        for name, task, runs, more in _computations(number, quick)
        for data in NOISE
        for run in range(runs)
    ]


def _computations(number: int, quick: bool) -> Iterator[tuple]:
    """(name, task, number of runs, further arguments) of each method."""
    of_boruta = QUICK_BORUTA.get(number, 0) if quick else BORUTA_RUNS[number]
    yield "surrogate", eliminate, QUICK_RUNS if quick else SURROGATE_RUNS[number], {}
    yield "boruta", run_boruta, of_boruta, {}
    for order in ORDERS:
        yield order, analyse, QUICK_RUNS if quick else printed.TABLE2_RUNS, {"order": order}


def analyse(number: int, data: str, run: int, order: str) -> list[Row]:
    """The library, by its own rule and by the paper's."""
    drawn, start = _draw(number, data, run), process_time()
    model = OrdinalRelevance(order, random_state=run).fit(drawn.X, drawn.y)
    done = process_time()
    ruled = by_papers_rule(model, drawn.X, drawn.y)
    own = {"needed": int(model.needed_.sum()), "seconds": done - start}
    return [
        {**_labels(order, number, data, run), **_found(model, drawn.truth), **own},
        {
            **_labels(table2_page.by_paper(order), number, data, run),
            **_found(ruled, drawn.truth),
            "seconds": process_time() - done,
        },
    ]


def _found(model: OrdinalRelevance, truth: np.ndarray) -> Row:
    tolerances = model.result_.tolerances
    return {
        **_scores(truth, model.relevance_),
        "rightly_classed": np.mean(model.relevance_ == truth),
        "C": model.result_.hyperparameters["C"],
        "tolerance": tolerances.norm if tolerances else np.nan,
    }


def eliminate(number: int, data: str, run: int) -> list[Row]:
    """The elastic net and the lasso, which share their folds and part of their tuning."""
    drawn, start = _draw(number, data, run), process_time()
    found = elastic_net.select(drawn.X, drawn.y, run, tuple(elastic_net.KINDS))
    return [
        {
            **_labels(kind, number, data, run),
            **_scores(drawn.truth, selection.support),
            "C": selection.C,
            "p": selection.p,
            "seconds": process_time() - start,
        }
        for kind, selection in found.items()
    ]


def run_boruta(number: int, data: str, run: int) -> list[Row]:
    """Boruta as its documentation sets it up; what it leaves undecided is not selected."""
    drawn, start = _draw(number, data, run), process_time()
    forest = RandomForestClassifier(
        n_jobs=1, class_weight="balanced", max_depth=5, random_state=run
    )
    found = BorutaPy(forest, n_estimators="auto", random_state=run).fit(drawn.X, drawn.y)
    return [
        {
            **_labels("boruta", number, data, run),
            **_scores(drawn.truth, found.support_),
            "undecided": int(found.support_weak_.sum()),
            "seconds": process_time() - start,
        }
    ]


def _draw(number: int, data: str, run: int) -> Sample:
    return PAPER_SETS[number].make(noise=NOISE[data], random_state=run)


def _labels(method: str, number: int, data: str, run: int) -> Row:
    return {"set": number, "data": data, "method": method, "run": run}


def _scores(truth: np.ndarray, selected: np.ndarray) -> Row:
    chosen = np.asarray(selected).astype(bool)
    return {
        **selection_scores(truth, chosen)._asdict(),
        "selected": int(chosen.sum()),
        "rightly_selected": np.mean(chosen == (truth > 0)),
    }


def write(rows: pd.DataFrame, out: Path, quick: bool) -> None:
    cells = table2_page.cells(rows)
    pages.write_csv(cells, out / "table2.csv")
    table2_page.draw(cells, out / "table2.png")
    pages.write_page(
        out / "table2.md",
        TITLE,
        table2_page.parts(cells),
        rows,
        seeds=f"run k draws its data and its folds with seed k, from 0 to {rows['run'].max()}",
        packages=("clarabel", "boruta"),
    )
